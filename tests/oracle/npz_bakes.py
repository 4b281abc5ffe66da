#!/usr/bin/env python3
"""What NumPy makes of the .npz files that the program writes of clips.

    npz_bakes.py SINEW SOURCE_FOLDER DATA_FOLDER

np.load takes each without pickle; its shapes are those that the help states; joints worked out from its rotations stand
where its positions say; its muscles, root and goals are those of a .csv and of an .anim of the same conversion; compressed
by NumPy it is read as the same clip. Clips of the data folder only where that is there. Exit code 77 without NumPy."""
import csv
import subprocess
import sys
import tempfile
from pathlib import Path

try:
    import numpy as np
except ImportError:
    print("NumPy is not installed: skipped")
    sys.exit(77)

import fk

# Rotations and places are floats, 6e-8 each, along chains of up to 20 joints.
PLACE = 1e-5
# Where w is near 0 what is left of 1 is half lost: sqrt(6e-8) is 2.4e-4, and on a bone's length.
PLACE_THREE = 5e-4


def convert(sinew, *arguments):
    run = subprocess.run([sinew, "convert", "-q", *map(str, arguments)], capture_output=True, text=True)
    assert run.returncode == 0, f"{' '.join(map(str, arguments))}: {run.stderr.strip()}"


def check_shapes(arrays, three):
    frames, joints = arrays["local_rotations"].shape[:2]
    shapes = {
        "joint_names": (joints,), "parents": (joints,), "root_joint": (), "fps": (), "source": (), "sinew_version": (),
        "profile": (), "rest_positions": (joints, 3), "rest_rotations": (joints, 4), "rest_scales": (joints, 3),
        "local_rotations": (frames, joints, 3 if three else 4), "root_positions": (frames, 3),
        "positions": (frames, joints, 3), "root_local_positions": (frames, 3), "local_positions": (frames, joints, 3),
        "muscle_names": (95,), "muscles": (frames, 95), "root": (frames, 7), "goals": (frames, 28)}
    for name, array in arrays.items():
        assert array.shape == shapes[name], f"{name} is {array.shape}, expected {shapes[name]}"
        wanted = {"parents": "<i4", "root_joint": "<i4", "fps": "<f8"}.get(name, "<f4")
        assert array.dtype.kind == "U" or array.dtype == np.dtype(wanted), f"{name} is {array.dtype}"
        assert array.dtype.kind == "U" or np.isfinite(array).all(), name
    return frames, joints


def check_root(arrays):
    root = int(arrays["root_joint"])
    assert np.array_equal(arrays["root_positions"], arrays["positions"][:, root])


def csv_columns(path):
    """Times of the frames; their values by the names of the columns."""
    with open(path, newline="", encoding="utf-8") as file:
        names, *rows = csv.reader(file)
    table = np.array(rows, dtype=np.float64)
    columns = {name: table[:, i].astype(np.float32) for i, name in enumerate(names)}
    del columns["frame"], columns["time"]
    return table[:, names.index("time")], columns


def anim_columns(path, times):
    """Values of each curve at the times, by its attribute: a key for each, or two of what stays the same. Fields stand
    one below the other, so that lines will do."""
    columns, keys, values = {}, [], []
    for line in path.read_text(encoding="utf-8").splitlines():
        field, _, text = line.strip().partition(": ")
        if field == "time":
            keys.append(float(text))
        elif field == "value":
            values.append(float(text))
        elif field == "attribute":
            assert text not in columns, f"two curves {text}"
            stays = len(keys) == 2 and values[0] == values[1]
            wanted = times[[0, -1]] if stays else times
            # a time is a float
            assert len(keys) == len(wanted) and np.allclose(keys, wanted, rtol=1e-6, atol=0), f"{text} has keys at {keys}"
            columns[text] = np.array(values[:1] * len(times) if stays else values).astype(np.float32)
            keys, values = [], []
    return columns


def check_columns(arrays, columns):
    """The texts read back as the same floats. A channel that has no column rests: muscles at 0, turns at none, the root
    where the T-pose has it."""
    root = [f"RootT.{c}" for c in "xyz"] + [f"RootQ.{c}" for c in "xyzw"]
    goals = [f"{limb}{kind}.{c}" for limb in ("LeftFoot", "RightFoot", "LeftHand", "RightHand")
             for kind, parts in (("T", "xyz"), ("Q", "xyzw")) for c in parts]
    compared = 0
    for member, channels in ("muscles", arrays["muscle_names"].tolist()), ("root", root), ("goals", goals):
        if member not in arrays:
            assert not any(c in columns for c in channels), member
            continue
        for i, channel in enumerate(channels):
            if channel not in columns:
                rest = arrays[member][0, i] if channel.startswith("RootT") else channel.endswith("Q.w")
                assert (arrays[member][:, i] == rest).all(), f"{channel} does not rest"
                continue
            assert np.array_equal(arrays[member][:, i], columns.pop(channel)), channel
            compared += 1
    assert not columns, sorted(columns)
    return compared


def check_compressed(sinew, path, arrays, folder):
    """np.savez_compressed deflates and orders as it likes."""
    packed = folder / "packed.npz"
    np.savez_compressed(packed, **arrays)
    outputs = []
    for source, name in (path, "a.glb"), (packed, "b.glb"):
        # the clip's name is the file's: both get the same
        link = folder / "clip" / "clip.npz"
        link.parent.mkdir(exist_ok=True)
        link.unlink(missing_ok=True)
        link.write_bytes(source.read_bytes())
        convert(sinew, link, "--to", "glb", "-o", folder / name)
        outputs.append((folder / name).read_bytes())
    assert outputs[0] == outputs[1], "compressed by NumPy it becomes another GLB"
    return packed.stat().st_size / path.stat().st_size


def check(sinew, label, folder, *arguments):
    three = "xyz" in arguments
    path = folder / "clip.npz"
    convert(sinew, *arguments, "-o", path)
    with np.load(path, allow_pickle=False) as file:
        arrays = {name: file[name] for name in file.files}
    frames, joints = check_shapes(arrays, three)
    said = [f"{frames} frames of {joints} joints"]
    if "positions" in arrays:
        check_root(arrays)
        off = float(np.linalg.norm(fk.positions(arrays) - arrays["positions"], axis=-1).max()) / fk.size(arrays)
        assert off <= (PLACE_THREE if three else PLACE), f"joints are {off:.3g} of the body off"
        said.append(f"joints {off:.2g} of the body off")
    else:
        said.append("no positions")
    if "muscles" in arrays:
        table = [a for a in arguments if a not in ("--rotations", "xyz")]
        for suffix in "csv", "anim":
            convert(sinew, *table, "-o", folder / f"clip.{suffix}")
        times, columns = csv_columns(folder / "clip.csv")
        said.append(f"{check_columns(arrays, columns)} columns of its .csv")
        said.append(f"{check_columns(arrays, anim_columns(folder / 'clip.anim', times))} curves of its .anim")
    said.append(f"deflated to {100 * check_compressed(sinew, path, arrays, folder):.0f} %")
    print(f"ok {label}: {', '.join(said)}")
    return arrays


def cases(source, data):
    """(label, wants muscles, arguments)"""
    sample = source / "scripts" / "sample"
    walk, rig = sample / "walk.anim", ("--rig", sample / "walker.fbx.meta")
    body = ("--rig", sample / "walker.glb")
    yield "muscles", True, (walk, *rig)
    yield "muscles, three components", True, (walk, *rig, "--rotations", "xyz")
    yield "muscles, mirrored, at another rate", True, (walk, *rig, "--mirror", "--fps", "24")
    yield "bones on their own skeleton", True, (sample / "walk.bvh",)
    yield "bones, three components", True, (sample / "walk.bvh", "--rotations", "xyz")
    yield "bones by delta", True, (sample / "walk.bvh", *body)
    yield "bones via muscle", True, (sample / "walk.bvh", *body, "--via", "muscle")
    if not (data / "bvh").is_dir():
        return
    vrm1, vrm0 = data / "rigs" / "saturday06_Example.vrm", data / "rigs" / "V-Sekai_Godette_vrm_v4.vrm"
    truth = data / "humanoid" / "truth"
    laughing = truth / "HEL-d_Y_BotLaughing.anim"
    yield "Laughing on its rig", True, (laughing, "--rig", laughing.with_suffix(".fbx.meta"))
    yield "Laughing on a VRM 0.x", True, (laughing, "--rig", vrm0)
    yield "Drum on a VRM 1.0", True, (data / "humanoid" / "clips" / "BlackStartx_[EMOTE_4]_Drum.anim", "--rig", vrm1)
    yield "fingers alone", True, (data / "humanoid" / "clips" / "BlackStartx_[GESTURE]_FingerPoint.anim", "--rig", vrm1)
    yield "a take on its own skeleton", True, (truth / "N1rium_female_move_run_front.take.glb",)
    yield "a take of its own rig", True, (
        truth / "HEL-d_Y_BotLaughing.take.glb", "--rig", laughing.with_suffix(".fbx.meta"))
    for name in ("nv-tlabs_soma77_run_leap_standard_tpose", "facebookresearch_jumping_jacks", "VictorS-67_cmu_12_01_walk"):
        clip = data / "bvh" / f"{name}.bvh"
        yield name, True, (clip,)
        yield f"{name}, three components", True, (clip, "--rotations", "xyz")
        yield f"{name} by delta", True, (clip, "--rig", vrm1)
        yield f"{name} via muscle", True, (clip, "--rig", vrm1, "--via", "muscle")
    yield "a fox", False, (data / "rigs" / "bevyengine_Fox.glb", "--clip", "Run")


def main(sinew, source, data):
    failed = 0
    with tempfile.TemporaryDirectory() as name:
        for label, has_muscles, arguments in cases(source, data):
            try:
                arrays = check(sinew, label, Path(name), *arguments)
                assert ("muscles" in arrays) == has_muscles, "muscles"
            except AssertionError as reason:
                print(f"FAIL {label}: {reason}")
                failed += 1
    print(f"{failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])))
