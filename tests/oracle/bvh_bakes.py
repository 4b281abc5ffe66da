#!/usr/bin/env python3
"""Where assimp has the joints of the .bvh files that the program writes of clips.

    bvh_bakes.py SINEW ASSIMP_PLACES SOURCE_FOLDER DATA_FOLDER

Against the nodes of the GLB of the same conversion, as glb_places.py reads them: what a GLB holds was compared with the
engine's own joints when it was written. Both stand in the same frame, but that on a rig a BVH faces +Z whatever the rig's
file does; a BVH is in centimetres unless it is told metres. Clips of the data folder only where that is there."""
import json
import math
import subprocess
import sys
import tempfile
from pathlib import Path

from glb_places import Glb

# As a share of the body, or of its way from the origin. Degrees have 6 decimals: 9e-9 a rotation, three of them a joint,
# 20 joints deep, 5e-7; assimp and the GLB count in single precision, 6e-8 a joint each, 1.2e-6 and less in the mean.
TOLERANCE = 2e-6
FRAMES = 12


def run(*command):
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True)
    assert done.returncode == 0, f"{' '.join(map(str, command))}: {done.stderr.strip()}"
    return done.stdout


def bvh_name(name, taken):
    """As the help of formats has it."""
    name = "".join("_" if c.isspace() else c for c in name)
    number, made = 1, name
    while made in taken:
        number += 1
        made = f"{name}_{number}"
    taken.add(made)
    return made


def glb_branches(glb):
    """Nodes branch by branch, as a BVH has them."""
    children = {i: [] for i in range(-1, len(glb.names))}
    for i, parent in enumerate(glb.parents):
        children[parent].append(i)
    order, waiting = [], list(reversed(children[-1]))
    while waiting:
        node = waiting.pop()
        order.append(node)
        waiting += reversed(children[node])
    return order


def pairs_of(glb, names):
    """(node of the GLB, node of assimp's) by name; what has no name is an End Site, which assimp names itself."""
    taken, pairs = set(), []
    for node in glb_branches(glb):
        if not glb.names[node]:
            continue
        name = bvh_name(glb.names[node], taken)
        assert name in names, f"assimp has no joint {name}"
        pairs.append((node, names.index(name)))
    return pairs


def compare(sinew, assimp_places, folder, source, bvh_arguments, metres):
    arguments, facing = source
    run(sinew, "convert", "-q", *arguments, "--mesh", "none", "-o", folder / "clip.glb")
    run(sinew, "convert", "-q", *arguments, *bvh_arguments, *(("--unit", "m") if metres else ()), "-o", folder / "clip.bvh")
    glb, theirs = Glb(folder / "clip.glb"), json.loads(run(assimp_places, folder / "clip.bvh"))
    pairs, tracks, unit_m = pairs_of(glb, theirs["names"]), glb.tracks(0), 1 if metres else 0.01
    times_s = max((times for _, times, _ in tracks.values()), key=len)
    count = len(theirs["frames"])
    assert count == len(times_s), f"{count} frames, {len(times_s)} in the GLB"
    worst = size = moved = 0.0
    before = None
    for i in range(min(FRAMES, count)):
        frame = i * (count - 1) // max(1, min(FRAMES, count) - 1)
        places = glb.places(tracks, times_s[frame])
        ours = [[places[node][0] * facing, places[node][1], places[node][2] * facing] for node, _ in pairs]
        found = [[v * unit_m for v in theirs["frames"][frame][node]] for _, node in pairs]
        size = max(size, *(max(p[k] for p in ours) - min(p[k] for p in ours) for k in range(3)))
        worst = max(worst, *(math.dist(a, b) for a, b in zip(ours, found)))
        moved = max(moved, *(math.dist(a, b) for a, b in zip(before or ours, found)))
        before = ours
    reach = max(math.dist(p, (0, 0, 0)) for p in ours)
    allowed = TOLERANCE * max(size, reach)
    assert worst <= allowed, f"joints are {worst:.3g} m off, at most {allowed:.3g} m"
    assert moved > 100 * allowed, "nothing moves"
    return f"{len(pairs)} joints, {count} frames, {worst:.2g} m of {allowed:.2g} m off, a frame on {moved:.2g} m"


ORDERS = ("XYZ", "XZY", "YXZ", "YZX", "ZXY", "ZYX")


def sources(source, data):
    """(label, arguments, -1 where the rig's file faces -Z)"""
    for label, arguments in labelled(source, data):
        yield label, (arguments, -1 if "facing -Z" in label else 1)


def labelled(source, data):
    sample = source / "scripts" / "sample"
    yield "muscles on the sample's rig", (sample / "walk.anim", "--rig", sample / "walker.fbx.meta")
    yield "bones on the sample's GLB", (sample / "walk.bvh", "--rig", sample / "walker.glb")
    yield "the sample's BVH on its own skeleton", (sample / "walk.bvh",)
    if not (data / "rigs").is_dir():
        return
    truth, rigs = data / "humanoid" / "truth", data / "rigs"
    laughing = truth / "HEL-d_Y_BotLaughing.anim"
    yield "muscles on a rig", (laughing, "--rig", laughing.with_suffix(".fbx.meta"))
    yield "muscles on a VRM 0.x, facing -Z", (laughing, "--rig", rigs / "V-Sekai_Godette_vrm_v4.vrm")
    yield "muscles on a soldier, facing -Z", (laughing, "--rig", rigs / "bulgat_Soldier.glb")
    yield "muscles on an avatar of a prefab", (
        laughing, "--rig", data / "humanoid" / "avatars" / "co1umbine_SampleScene_BoxMan.prefab")
    yield "muscles on a VRM 1.0", (laughing, "--rig", rigs / "saturday06_Example.vrm")
    yield "a take's GLB on its own skeleton", (truth / "N1rium_female_move_run_front.take.glb",)
    yield "a soldier's GLB on its own skeleton", (rigs / "bulgat_Soldier.glb", "--clip", "Run")
    yield "a VRMA on its own skeleton", (rigs / "pixiv_test.vrma",)
    for name in "nv-tlabs_soma77_run_leap_standard_tpose", "VictorS-67_bvh_test3", "OlafHaag_test_mocapbank":
        yield f"{name} on its own skeleton", (data / "bvh" / f"{name}.bvh",)
    yield "a BVH by delta", (data / "bvh" / "facebookresearch_jumping_jacks.bvh", "--rig", rigs / "saturday06_Example.vrm")
    yield "a BVH via muscle", (
        data / "bvh" / "facebookresearch_jumping_jacks.bvh", "--rig", rigs / "saturday06_Example.vrm", "--via", "muscle")


def main(sinew, assimp_places, source, data):
    failed = turn = 0
    with tempfile.TemporaryDirectory() as name:
        for label, chosen in sources(source, data):
            for rest in "own", "t":
                for metres in False, True:
                    order = ORDERS[turn % len(ORDERS)]
                    turn += 1
                    label_of = f"{label}, {order}, rest {rest}, {'m' if metres else 'cm'}"
                    try:
                        said = compare(sinew, assimp_places, Path(name), chosen, ("--order", order, "--rest", rest), metres)
                        print(f"ok {label_of}: {said}")
                    except AssertionError as reason:
                        print(f"FAIL {label_of}: {reason}")
                        failed += 1
    print(f"{failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2], Path(sys.argv[3]), Path(sys.argv[4])))
