#!/usr/bin/env python3
"""Makes the sample of scripts/sample: walk.anim, a humanoid clip, and walker.fbx.meta, the rig it was made on; the same as
walk.bvh, a clip of bones, and walker.glb, a character; and a cut of the first two, some 8 KB each, for tests that try
every byte.

  make_sample.py                 write the files
  make_sample.py --check         compare them with what would be written, and measure the walk; exit 1 on a failure
  make_sample.py --truth FILE    write joint positions and rotations of some frames, computed here from the clip's keys

Standard library only; the same bytes on every machine.
"""
import argparse
import json
import pathlib
import sys

sys.dont_write_bytecode = True  # before the imports below: leave no cache folder in the source tree

from sample.avatar import GOALS, Avatar
from sample.bvh_text import bvh_text
from sample.character import character_glb
from sample.human import BONES, MUSCLES
from sample.unity_text import Key, clip_text, evaluate, f32
from sample.vec import add, conj, dot, length, mirror_v, qmul, rotate, scale, sub, unit
from sample.walk import CYCLE_FRAMES, CYCLE_STEPS, HEEL_DOWN, HEEL_FROM_ANKLE, RATE_HZ, SUBFRAMES, TOE_OFF, Walk
from sample.walker import unit_nodes, walker_cut_meta, walker_meta, walker_nodes

FOLDER = pathlib.Path(__file__).resolve().parent / "sample"
TRUTH_FRAMES = (0, 1, 3, 6, 10, 13, 16, 19, 23, 27, 31, 32)
CUT_CURVES = ("RootT.y", "RootQ.w", "Spine Front-Back", "Left Upper Leg Front-Back", "Left Lower Leg Stretch",
              "Right Arm Twist In-Out", "LeftHand.Index.1 Stretched")
CUT_FRAMES = (0, 10, 32)
EVERY_FRAME = ("Root", "Foot", "Leg", "Toes")  # channels keyed at each frame; the others at each second one


# ---- from poses to curves -------------------------------------------------------------------------

def channel_values(pose):
    """{attribute: value} in the order of the file."""
    values = {f"RootT.{c}": v for c, v in zip("xyz", pose.root_t)}
    values.update({f"RootQ.{c}": v for c, v in zip("xyzw", pose.root_q)})
    for bone, _ in GOALS:
        t, q = pose.goals[bone]
        values.update({f"{bone}T.{c}": v for c, v in zip("xyz", t)})
        values.update({f"{bone}Q.{c}": v for c, v in zip("xyzw", q)})
    values.update({m.attribute: pose.muscles[m.attribute] for m in MUSCLES})
    return values


def align_signs(pose, before):
    """Of the two quaternions of each rotation take the one nearer to the pose before (at first: w positive)."""
    def aligned(q, reference):
        return q if dot(q, reference) >= 0 else scale(q, -1)

    identity = [0.0, 0.0, 0.0, 1.0]
    pose.root_q = aligned(pose.root_q, before.root_q if before else identity)
    pose.goals = {b: (t, aligned(q, before.goals[b][1] if before else identity)) for b, (t, q) in pose.goals.items()}
    return pose


def frame_time(frame):
    """On the editor's grid: a multiple of the float32 frame time."""
    return f32(frame * f32(1 / RATE_HZ))


def sample_walk(walk):
    """{attribute: value} a subframe before, at, and after each frame."""
    samples, before = [], None
    for frame in range(CYCLE_FRAMES + 1):
        row = []
        for step in (-1, 0, 1):
            before = align_signs(walk.pose(frame * SUBFRAMES + step), before)
            row.append(channel_values(before))
        samples.append(row)
    return samples


def build_curves(samples):
    step_s = 1 / (RATE_HZ * SUBFRAMES)
    curves = {}
    for attribute in samples[0][1]:
        values = [row[1][attribute] for row in samples]
        if max(values) - min(values) < 1e-7:
            frames = (0,) if attribute.startswith(("Left Eye", "Right Eye", "Jaw")) else (0, CYCLE_FRAMES)
            curves[attribute] = [Key(frame_time(f), values[0], 0.0) for f in frames]
            continue
        every = 1 if any(word in attribute for word in EVERY_FRAME) else 2
        curves[attribute] = [
            Key(frame_time(f), values[f], (samples[f][2][attribute] - samples[f][0][attribute]) / (2 * step_s))
            for f in range(0, CYCLE_FRAMES + 1, every)]
    return curves


def cut_curves(curves):
    times = [frame_time(f) for f in CUT_FRAMES]
    return {name: [k for k in curves[name] if k.time_s in times] for name in CUT_CURVES}


# ---- from curves back to poses: what a reader of the two files must find --------------------------

class Played:
    """The clip's keys evaluated and turned into bones by the model."""

    def __init__(self, avatar, curves, time_s):
        v = {attribute: evaluate(keys, time_s) for attribute, keys in curves.items()}
        self.values = v
        self.local = avatar.locals_of(avatar.angles_of(v))
        self.root_t = [v["RootT." + c] for c in "xyz"]
        self.root_q_raw = [v["RootQ." + c] for c in "xyzw"]
        self.root_q = unit(self.root_q_raw)
        self.hips_q, self.hips_t = avatar.hips_of(self.local, self.root_t, self.root_q)
        self.q, self.t = avatar.place(self.local, self.hips_q, self.hips_t)
        self.local["Hips"] = qmul(conj(avatar.above_q["Hips"]), self.hips_q)


def truth(avatar, curves):
    frames = []
    for frame in TRUTH_FRAMES:
        time_s = frame_time(CYCLE_FRAMES) if frame == CYCLE_FRAMES else frame / RATE_HZ
        played = Played(avatar, curves, time_s)
        frames.append({"frame": frame, "time_s": time_s, "position_m": {b: played.t[b] for b in BONES},
                       "local_rotation": {b: played.local[b] for b in BONES}})
    about = ("Unity's frame (left-handed, Y up); positions in the model root's space, metres; rotations xyzw, of each "
             "bone's node against its parent node")
    return {"about": about, "human_scale_m": avatar.scale_m, "frames": frames}


def played_frames(avatar, curves):
    return [Played(avatar, curves, frame_time(frame)) for frame in range(CYCLE_FRAMES + 1)]


# ---- measures -------------------------------------------------------------------------------------

def contact_points(avatar, played, side):
    """Heel's point and ball of a foot in the world."""
    turn = qmul(played.q[side + "Foot"], conj(avatar.rest_q[side + "Foot"]))
    heel = HEEL_FROM_ANKLE if side == "Left" else mirror_v(HEEL_FROM_ANKLE)
    return add(played.t[side + "Foot"], rotate(turn, heel)), played.t[side + "Toes"]


def lowest_point(avatar, played, toe_end):
    """Height of the lowest of heel point, sole under the ball and toe tip of both feet."""
    lowest = 1.0
    for side in ("Left", "Right"):
        heel, ball = contact_points(avatar, played, side)
        turn = qmul(played.q[side + "Toes"], conj(avatar.rest_q[side + "Toes"]))
        tip = toe_end if side == "Left" else mirror_v(toe_end)
        sole = -avatar.rest_t[side + "Toes"][1]
        points = (heel, add(ball, rotate(turn, [0.0, sole, 0.0])), add(ball, rotate(turn, tip)))
        lowest = min(lowest, *(p[1] for p in points))
    return lowest


def foot_slide(avatar, plays):
    """Largest distance a bearing point strays, in metres: the heel's until it is flat, the ball's until it leaves."""
    worst = 0.0
    for side, lag in (("Left", 0.0), ("Right", 0.5)):
        for point, begin, end in ((0, 0.0, HEEL_DOWN), (1, HEEL_DOWN, TOE_OFF)):
            tracks = {}
            for phase, played in plays:
                cycle, own = divmod(phase + lag, 1.0)
                if begin <= own <= end and phase < 1.0:
                    tracks.setdefault(cycle, []).append(contact_points(avatar, played, side)[point])
            for track in tracks.values():
                worst = max([worst] + [length(sub(p, track[0])) for p in track])
    return worst


def goal_miss(avatar, curves, frames):
    """Stored goals against those of the played bones at frames where every channel has a key: of the scale, radians."""
    worst_t, worst_q = 0.0, 0.0
    for frame in frames:
        played = Played(avatar, curves, frame_time(frame))
        goals = avatar.goals_of(played.q, played.t, played.root_t, played.root_q)
        for bone, (t, q) in goals.items():
            stored_t = [played.values[f"{bone}T.{c}"] for c in "xyz"]
            stored_q = [played.values[f"{bone}Q.{c}"] for c in "xyzw"]
            worst_t = max(worst_t, length(sub(t, stored_t)))
            worst_q = max(worst_q, 2 * length(qmul(conj(unit(stored_q)), q)[:3]))
    return worst_t, worst_q


def mirror_miss(walk):
    """Left muscles against the right ones half a cycle later."""
    worst = 0.0
    for step in range(0, CYCLE_STEPS, 24):
        now, later = walk.pose(step).muscles, walk.pose(step + CYCLE_STEPS // 2).muscles
        worst = max([worst] + [abs(now[n] - later[n.replace("Left", "Right", 1)]) for n in now if n.startswith("Left")])
    return worst


def measure(walk, curves):
    """(what, value, limit) rows; each value must not exceed its limit."""
    avatar = walk.avatar
    toe_tip_node = next(n for n in walker_nodes()[0] if n.name == "Toes End.L")
    toe_end = rotate(avatar.rest_q["LeftToes"], toe_tip_node.t)
    end_s = frame_time(CYCLE_FRAMES)
    fine = 4 * CYCLE_FRAMES
    plays = [(i / fine, Played(avatar, curves, end_s * i / fine)) for i in range(fine + 1)]
    quaternions = [p.root_q_raw for _, p in plays]
    for bone, _ in GOALS:
        quaternions += [[p.values[f"{bone}Q.{c}"] for c in "xyzw"] for _, p in plays]
    moving = sum(len(curves[m.attribute]) > 2 for m in MUSCLES)
    goal_t, goal_q = goal_miss(avatar, curves, range(0, CYCLE_FRAMES + 1, 2))
    return [
        ("bearing foot strays, mm", 1e3 * foot_slide(avatar, plays), 1.0),
        ("lowest point below the ground, mm", -1e3 * min(lowest_point(avatar, p, toe_end) for _, p in plays), 5.0),
        ("largest |muscle|", max(abs(p.values[m.attribute]) for _, p in plays for m in MUSCLES), 1.1),
        ("quaternion off unit", max(abs(length(q) - 1) for q in quaternions), 1e-3),
        ("goals T off their bones, of the scale", goal_t, 1e-6),
        ("goals Q off their bones, rad", goal_q, 2e-6),
        ("left and right differ", mirror_miss(walk), 1e-6),
        ("muscles that stand still", len(MUSCLES) - moving, 60),
    ]


# ---- command --------------------------------------------------------------------------------------

def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--truth", metavar="FILE", type=pathlib.Path)
    options = parser.parse_args()

    nodes, node_of_bone = walker_nodes()
    walk = Walk(Avatar(unit_nodes(nodes), node_of_bone))
    curves = build_curves(sample_walk(walk))
    texts = {"walker.fbx.meta": walker_meta(),
             "walk.anim": clip_text("walk", curves, RATE_HZ, frame_time(CYCLE_FRAMES)),
             "walk.bvh": bvh_text(walk.avatar, played_frames(walk.avatar, curves), 1 / RATE_HZ),
             "walker_cut.fbx.meta": walker_cut_meta(),
             "walk_cut.anim": clip_text("walk cut", cut_curves(curves), RATE_HZ, frame_time(CYCLE_FRAMES))}
    files = {name: text.encode("utf-8") for name, text in texts.items()}
    files["walker.glb"] = character_glb(unit_nodes(nodes), node_of_bone)

    if options.truth:
        options.truth.write_text(json.dumps(truth(walk.avatar, curves)) + "\n", encoding="utf-8")
        return 0
    if not options.check:
        for name, content in files.items():
            (FOLDER / name).write_bytes(content)
            print(f"{name}: {len(content)} bytes")
        return 0
    good = True
    for name, content in files.items():
        path = FOLDER / name
        same = path.exists() and path.read_bytes() == content
        good &= same
        print(f"{'ok  ' if same else 'FAIL'} {name}: {'as' if same else 'not as'} regenerated")
    for what, value, limit in measure(walk, curves):
        fine = value <= limit
        good &= fine
        print(f"{'ok  ' if fine else 'FAIL'} {what}: {value:.4g} (at most {limit:g})")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
