#!/usr/bin/env python3
"""FBX files made by made_fbx.py, read by us: where their nodes are.

    fbx.py MOTION_PLACES DATA_FOLDER
    fbx.py --write FILE              the made scene alone"""
import json
import math
import subprocess
import sys
import tempfile
from pathlib import Path

import made_fbx as fbx

failed = 0


def expect(ok, what):
    global failed
    failed += not ok
    print(("ok " if ok else "FAIL ") + what)


def ask(program, path, *arguments):
    run = subprocess.run([program, path, *map(str, arguments)], capture_output=True, text=True)
    return json.loads(run.stdout) if run.returncode == 0 else run.stderr


# ---- a made scene ----

TIMES_S = [0.0, 0.25, 0.5, 1.0]
UNIT_CM = 2.54


def made_scene():
    hips = fbx.Node("Hips", t=(1, 40, 2), r=(0, 30, 0))
    spine = fbx.Node("Spine", hips, t=(0, 6, 0), pre=(90, 0, 15), r=(5, -3, 2))
    arm = fbx.Node("mixamorig:Left Arm.\u00e4", spine, t=(5, 9, 0), pre=(-20, 40, 10), order=4)
    hand = fbx.Node("Hand", arm, t=(12, 0, 0), s=(2, 2, 2))
    other = fbx.Node("Other", spine, t=(-12, 0, 0), order=5)
    tip = fbx.Node("Tip", hand, t=(3, 1, 0))
    other_tip = fbx.Node("OtherTip", other, t=(3, 1, 0))
    body = fbx.Node("Body", t=(0, 5, 0), r=(0, 0, 10), skin=[hips, spine, arm])
    nodes = [hips, spine, arm, hand, other, tip, other_tip, body]
    wave = lambda scale, phase: [scale * math.sin(3 * t + phase) for t in TIMES_S]
    curves = {
        (hips, "T"): (TIMES_S, [wave(10, 0), wave(3, 1), wave(5, 2)]),
        (hips, "R"): (TIMES_S, [wave(20, 0), wave(60, 1), wave(15, 2)]),
        (arm, "R"): (TIMES_S, [wave(70, 0.5), wave(50, 1), wave(30, 2)]),
        (other, "R"): (TIMES_S, [wave(40, 0.5), wave(30, 1), wave(80, 2)]),
        (hand, "S"): (TIMES_S, [[1.0, 2.0, 1.5, 3.0]] * 3),
    }
    second = {(spine, "R"): (TIMES_S, [wave(30, 0), wave(20, 1), wave(10, 2)])}
    return nodes, [fbx.Take("Wave", curves), fbx.Take("Bow", second)]


def off_by(found, nodes, places):
    """The most that a node is away; the root that assimp adds stands in front, nodes keep the order made."""
    order = depth_first(nodes)
    return max(math.dist(found[i + 1], [places[node][r][3] for r in range(3)]) for i, node in enumerate(order))


def depth_first(nodes):
    order = []

    def add(node):
        order.append(node)
        for child in nodes:
            if child.parent is node:
                add(child)

    for node in nodes:
        if not node.parent:
            add(node)
    return order


def check_made(program, folder, label, pack):
    nodes, takes = made_scene()
    path = folder / f"{label}.fbx"
    path.write_bytes(pack(fbx.scene(nodes, takes, UNIT_CM)))
    order = depth_first(nodes)
    rest = ask(program, path, -1, 0)
    if isinstance(rest, str):
        expect(False, f"{label}: {rest}")
        return
    expect(rest["kind"] == "fbx" and rest["animations"] == ["Wave", "Bow"], f"{label}: {rest['animations']}")
    # the root of assimp may be scaled by the unit already
    scale = math.dist(rest["frames"][0][1], (0, 0, 0)) / math.dist(nodes[0].t, (0, 0, 0))
    unit_m = rest["unit_m"] * scale
    expect(abs(unit_m - UNIT_CM / 100) < 1e-6, f"{label}: a unit is {unit_m:.6g} m")
    expect(len(rest["names"]) == len(nodes) + 1, f"{label}: {rest['names']}")
    expect([rest["parents"][i + 1] for i in range(len(order))] == [order.index(n.parent) + 1 if n.parent else 0 for n in order],
           f"{label}: parents {rest['parents']}")
    scaled = [[[v / scale for v in place] for place in frame] for frame in rest["frames"]]
    places = fbx.world(nodes, fbx.at_key(fbx.Take("", {}), 0))
    off = off_by(scaled[0], nodes, places)
    expect(off < 1e-4, f"{label}: at rest off by {off:.2g} of 70")
    for node, bind in zip(order, rest["binds"][1:]):
        bound = node in nodes[-1].skin
        expect((bind is not None) == bound, f"{label}: {node.name} {'is' if bound else 'is not'} bound")
        if bind and bound:
            away = max(abs(bind[r * 4 + c] / scale - places[node][r][c]) for r in range(3) for c in range(4))
            expect(away < 1e-4, f"{label}: {node.name} bound {away:.2g} off")
    for number, take in enumerate(takes):
        found = ask(program, path, number, *TIMES_S)
        expect(found["start_s"] == 0 and found["stop_s"] == 1 and found["rate_hz"] == 30,
               f"{label}: {take.name} from {found['start_s']} to {found['stop_s']} at {found['rate_hz']}")
        worst = 0
        for key in range(len(TIMES_S)):
            frame = [[v / scale for v in place] for place in found["frames"][key]]
            worst = max(worst, off_by(frame, nodes, fbx.world(nodes, fbx.at_key(take, key))))
        expect(worst < 1e-4, f"{label}: {take.name} off by {worst:.2g} of 70")
    expect(rest["warnings"] == [], f"{label}: {rest['warnings']}")


PIVOTS = ["PostRotation", "RotationOffset", "RotationPivot", "ScalingOffset", "ScalingPivot"]


def check_pivots(program, folder):
    """Each of the format's extra turns and moves alone, and all at once, on a node that moves."""
    path = folder / "pivots.fbx"
    for names in [*([name] for name in PIVOTS), PIVOTS]:
        root = fbx.Node("Root")
        more = {name: (3 + i, 15 - 4 * i, 4) for i, name in enumerate(names)}
        arm = fbx.Node("Arm", root, t=(1, 2, 3), r=(10, 20, 30), s=(1, 2, 1), pre=(5, 6, 7), **more)
        nodes = [root, arm, fbx.Node("Hand", arm, t=(1, 1, 1))]
        keys = ([0.0, 1.0], [[0.0, 70.0], [10.0, 0.0], [0.0, 20.0]])
        for channels in ("R", "TRS"):
            take = fbx.Take("Take", {(arm, channel): keys if channel != "S" else (keys[0], [[1.0, 2.0]] * 3) for channel in channels})
            path.write_bytes(fbx.as_binary(fbx.scene(nodes, [take])))
            rest, found = ask(program, path, -1, 0), ask(program, path, 0, *keys[0])
            off = off_by(rest["frames"][0], nodes, fbx.world(nodes, fbx.at_key(fbx.Take("", {}), 0)))
            worst = max(off_by(found["frames"][key], nodes, fbx.world(nodes, fbx.at_key(take, key))) for key in (0, 1))
            expect(len(found["names"]) == 4 and off < 1e-5 and worst < 1e-5,
                   f"{'all pivots' if len(names) > 1 else names[0]}, {channels} moves: at rest off by {off:.2g}, moving {worst:.2g}")


def check_same_names(program, folder):
    """assimp tells nodes apart by name: what moves by a name that two have is said to be unsure."""
    root = fbx.Node("Root")
    nodes = [root, fbx.Node("Twin", root, t=(1, 0, 0)), fbx.Node("Twin", root, t=(2, 0, 0)), fbx.Node("End", root, t=(3, 0, 0))]
    straight = (TIMES_S, [[0.0, 30.0, 60.0, 90.0], [0.0] * 4, [0.0] * 4])
    path = folder / "twins.fbx"
    path.write_bytes(fbx.as_binary(fbx.scene(nodes, [fbx.Take("Turn", {(nodes[1], "R"): straight, (nodes[3], "R"): straight})])))
    found = ask(program, path, 0, 0)
    expect(found["names"] == ["RootNode", "Root", "Twin", "Twin", "End"], f"twins: {found['names']}")
    expect(len(found["warnings"]) == 1 and "'Twin'" in found["warnings"][0], f"twins: {found['warnings']}")


def check_times(program, folder):
    """A take that begins before its first second, and one without a rate of frames."""
    root = fbx.Node("Root")
    end = fbx.Node("End", root, t=(0, 1, 0))
    curve = ([-1.0, 0.0, 1.0, 2.0], [[0.0, 10.0, 20.0, 30.0], [0.0] * 4, [0.0] * 4])
    take = fbx.Take("Take", {(root, "R"): curve}, 0.0, 2.0)
    path = folder / "early.fbx"
    path.write_bytes(fbx.as_binary(fbx.scene([root, end], [take])))
    found = ask(program, path, 0, 0.5)
    expect(found["start_s"] == 0 and found["stop_s"] == 2, f"early: {found['start_s']} to {found['stop_s']}")
    places = [[0, math.cos(math.radians(15)), math.sin(math.radians(15))]]
    expect(math.dist(found["frames"][0][2], places[0]) < 1e-5, f"early: {found['frames'][0][2]}")
    for mode, rate in ((0, None), (11, 24), (14, None)):  # the format's default, film, the file's own
        path.write_bytes(fbx.as_binary(fbx.scene([root, end], [take], time_mode=mode)))
        found = ask(program, path, 0, 0.5)
        if isinstance(found, str):
            expect(mode == 14 and "how long its ticks are" in found, f"time mode {mode}: {found}")
        else:
            off = math.dist(found["frames"][0][2], places[0])
            expect(off < 1e-5 and (rate is None or found["rate_hz"] == rate), f"time mode {mode}: {found['rate_hz']}, {off:.2g}")


# ---- real movement ----

REAL = ["VictorS-67_cmu_12_01_walk.bvh", "20tab_test_freebvh.bvh", "nv-tlabs_soma77_run_leap_standard_tpose.bvh"]
FRAMES = 60


def read_bvh(path):
    """Nodes without End Sites, and the first frames as a take."""
    words = path.read_text().split()
    nodes, channels, offsets, stack = [], [], [], []
    at = 0
    while words[at] != "MOTION":
        word = words[at]
        if word in ("ROOT", "JOINT"):
            nodes.append(fbx.Node(words[at + 1], stack[-1] if stack else None))
            stack.append(nodes[-1])
            at += 3
        elif word == "End":
            at += 8  # End Site { OFFSET x y z }
        elif word == "}":
            stack.pop()
            at += 1
        elif word == "OFFSET":
            nodes[-1].t = [float(value) for value in words[at + 1 : at + 4]]
            at += 4
        elif word == "CHANNELS":
            count = int(words[at + 1])
            channels.append((nodes[-1], words[at + 2 : at + 2 + count]))
            at += 2 + count
        else:
            at += 1
    frame_s = float(words[at + 5])
    values = [float(value) for value in words[at + 6 :]]
    width = sum(len(names) for _, names in channels)
    curves, column = {}, 0
    times_s = [frame * frame_s for frame in range(min(FRAMES, len(values) // width))]
    for node, names in channels:
        columns = {name: [values[f * width + column + i] for f in range(len(times_s))] for i, name in enumerate(names)}
        column += len(names)
        turns = [name[0] for name in names if name.endswith("rotation")]
        node.order = fbx.ORDERS.index("".join(reversed(turns)))
        curves[node, "R"] = (times_s, [columns[axis + "rotation"] for axis in "XYZ"])
        if "Xposition" in columns:
            curves[node, "T"] = (times_s, [columns[axis + "position"] for axis in "XYZ"])
    return nodes, fbx.Take(path.stem, curves, 0.0, times_s[-1]), times_s


def check_real(program, folder, bvh):
    nodes, take, times_s = read_bvh(bvh)
    truth = ask(program, bvh)
    path = folder / "real.fbx"
    path.write_bytes(fbx.as_binary(fbx.scene(nodes, [take])))
    found = ask(program, path, 0, *times_s)
    if isinstance(found, str):
        expect(False, f"{bvh.name}: {found}")
        return
    expect(found["names"][1:] == truth["names"], f"{bvh.name}: {len(found['names'])} names")
    size = max(abs(value) for place in truth["frames"][0] for value in place)
    worst = max(math.dist(there, place) for ours, theirs in zip(found["frames"], truth["frames"])
                for there, place in zip(ours[1:], theirs))
    expect(worst < 1e-5 * size, f"{bvh.name}: {len(times_s)} frames, off by {worst:.2g} of {size:.3g}")
    late = max(math.dist(there, place) for ours, theirs in zip(found["frames"], truth["frames"][1:])
               for there, place in zip(ours[1:], theirs))
    expect(late > 1e-3 * size, f"{bvh.name}: a frame later {late:.2g}")


# ---- files that are not whole ----


def check_damaged(program, folder):
    """Each refused in a sentence, or read; never a crash."""
    nodes, takes = made_scene()
    path = folder / "damaged.fbx"
    refused = 0
    tried = 0
    for pack in (fbx.as_binary, fbx.as_text):
        whole = pack(fbx.scene(nodes, takes, UNIT_CM))
        cuts = [whole[: len(whole) * i // 16] for i in range(1, 16)]
        flips = [whole[:at] + bytes([whole[at] ^ 0xFF]) + whole[at + 1 :] for at in range(40, len(whole), len(whole) // 40)]
        for data in cuts + flips:
            path.write_bytes(data)
            run = subprocess.run([program, path, "0", "0"], capture_output=True)
            tried += 1
            refused += run.returncode == 1
            lines = run.stderr.decode("utf-8", "replace").strip().splitlines()
            if run.returncode not in (0, 1) or (run.returncode == 1 and len(lines) > 1):
                expect(False, f"damaged: exit code {run.returncode}, {lines[:3]}")
    expect(refused > tried // 4, f"damaged: {refused} of {tried} refused")


def main(program, data):
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        check_made(program, folder, "text", fbx.as_text)
        check_made(program, folder, "binary", fbx.as_binary)
        check_pivots(program, folder)
        check_same_names(program, folder)
        check_times(program, folder)
        check_damaged(program, folder)
        if (data / "bvh").is_dir():
            for name in REAL:
                check_real(program, folder, data / "bvh" / name)
        else:
            print("no data folder beside the project: no real movement")
    print(f"{failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    if sys.argv[1] == "--write":
        Path(sys.argv[2]).write_bytes(fbx.as_binary(fbx.scene(*made_scene(), UNIT_CM)))
        sys.exit(0)
    sys.exit(main(sys.argv[1], Path(sys.argv[2])))
