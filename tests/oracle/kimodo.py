#!/usr/bin/env python3
"""Joints of Kimodo's clips: as its npz states them, and as they come out of a BVH made of the same clip.

    kimodo.py MOTION_PLACES DATA_FOLDER

MOTION_PLACES is the program of motion_places.c. Exit code 77 without the data folder."""
import array
import ast
import json
import math
import subprocess
import sys
import zipfile
from pathlib import Path

# A BVH of the data folder, and the clip that its movement is.
PAIRS = [
    ("nv-tlabs_soma77_run_leap_seed_rest.bvh", "01_single_text_prompt"),
    ("nv-tlabs_soma77_run_leap_standard_tpose.bvh", "01_single_text_prompt"),
    ("nv-tlabs_soma77_stylized_seed_rest.bvh", "08_stylized_text"),
]
SIDE = ["Shoulder", "Arm", "ForeArm", "Hand", "HandThumbEnd", "HandMiddleEnd"]
LEG = ["Leg", "Shin", "Foot", "ToeBase"]
SOMA_30 = (
    ["Hips", "Spine1", "Spine2", "Chest", "Neck1", "Neck2", "Head", "Jaw", "LeftEye", "RightEye"]
    + ["Left" + name for name in SIDE]
    + ["Right" + name for name in SIDE]
    + ["Left" + name for name in LEG]
    + ["Right" + name for name in LEG]
)
# The BVH's 77 joints have fingers of their own, in a pose that the 30 joints do not know.
OTHER_HANDS = {side + "Hand" + tip for side in ("Left", "Right") for tip in ("ThumbEnd", "MiddleEnd")}
CENTIMETRE_M = 0.01
# The BVH's text itself, worked out in double precision, is as far off (1.8e-5 m at a hand): its angles were taken from
# matrices in single precision, where an angle near 90 degrees keeps half of the digits.
TOLERANCE_M = 2e-5


def read_npy(data):
    """The numbers and the shape of an array of floats, row by row."""
    if data[:6] != b"\x93NUMPY":
        raise ValueError("no npy")
    start = 10 if data[6] == 1 else 12
    stop = start + int.from_bytes(data[8:start], "little")
    header = ast.literal_eval(data[start:stop].decode("latin-1"))
    if header["fortran_order"]:
        raise ValueError("columns first")
    values = array.array({"<f4": "f", "<f8": "d"}[header["descr"]])
    values.frombytes(data[stop:])
    return values, header["shape"]


def read_posed_joints(path):
    """A list of frames, each a list of places in metres."""
    with zipfile.ZipFile(path) as archive:
        values, (frames, joints, _) = read_npy(archive.read("posed_joints.npy"))
    places = [tuple(values[i : i + 3]) for i in range(0, len(values), 3)]
    return [places[f * joints : (f + 1) * joints] for f in range(frames)]


def worst_distance(truth, names, frames, unit_m, shift=0):
    """Of all joints and frames in metres, and whose it is."""
    worst = (0.0, "none", 0)
    for f in range(len(truth) - shift):
        for joint, name in enumerate(SOMA_30):
            if name in OTHER_HANDS:
                continue
            place = [value * unit_m for value in frames[f + shift][names.index(name)]]
            distance = math.dist(truth[f][joint], place)
            if not distance <= worst[0]:
                worst = (distance, name, f)
    return worst


def check(label, truth, names, frames, unit_m, tolerance_m=TOLERANCE_M):
    """Prints a line; whether every joint is where it belongs, and would not be a frame later."""
    if len(truth) != len(frames) or len(truth[0]) != len(SOMA_30):
        print(f"FAIL {label}: {len(frames)} frames, expected {len(truth)} of {len(SOMA_30)} joints")
        return False
    distance_m, name, frame = worst_distance(truth, names, frames, unit_m)
    shifted_m = worst_distance(truth, names, frames, unit_m, shift=1)[0]
    ok = distance_m <= tolerance_m and shifted_m > 100 * tolerance_m
    print(f"{'ok' if ok else 'FAIL'} {label}: {len(frames)} frames, worst {distance_m:.2g} m ({name}, frame {frame}) "
          f"of {tolerance_m:g} m; a frame later {shifted_m:.2g} m")
    return ok


def main(program, data):
    if not (data / "kimodo").is_dir():
        print("no data folder beside the project: skipped")
        return 77
    failed = 0
    for bvh, clip in PAIRS:
        truth = read_posed_joints(data / "kimodo" / "kimodo-soma-rp" / clip / "motion.npz")
        text = subprocess.run([program, data / "bvh" / bvh], check=True, capture_output=True, text=True).stdout
        found = json.loads(text)
        failed += not check(bvh, truth, found["names"], found["frames"], CENTIMETRE_M)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], Path(sys.argv[2])))
