#!/usr/bin/env python3
"""BVH files that the program converted, as others read them:

    converted.py SINEW MOTION_PLACES DATA_FOLDER [ASSIMP_PLACES]

- Kimodo's clips: the GLB's joints against the posed joints that the clip's npz states.
- every other BVH: the GLB's joints, read by glb_places.py and, where it is there, by assimp, against those of the BVH
  as assimp has them (else as our reader has them, which test_bvh_assimp holds to assimp).
A GLB stands in metres with y up, a BVH in its own unit and frame: one turn, one scale and one move for the whole file
take one to the other, and these are found from the places themselves.

Exit code 77 without the data folder."""
import json
import math
import subprocess
import sys
import tempfile
from pathlib import Path

import kimodo
from glb_places import Glb

# Rotations and places of a GLB are single floats, of nodes up to 20 deep.
TOLERANCE_M = 1e-5
# What the program says of those that it refuses, and why others cannot be compared.
REFUSED = {"mochi-neko_results": "'nan', expected a finite number"}
NOT_COMPARED = {"mochi-neko_sample": "every OFFSET is 0: all joints stand in one place"}


# ---- one frame of reference to another ----


def largest_eigenvector(m):
    """Of a symmetric matrix of four rows, by squaring it until one direction is left."""
    bound = max(sum(abs(v) for v in row) for row in m)
    m = [[v / bound + 2 * (r == c) for c, v in enumerate(row)] for r, row in enumerate(m)]
    for _ in range(60):
        m = [[sum(m[r][k] * m[k][c] for k in range(4)) for c in range(4)] for r in range(4)]
        most = max(abs(v) for row in m for v in row)
        m = [[v / most for v in row] for row in m]
    column = max(range(4), key=lambda c: sum(m[r][c] ** 2 for r in range(4)))
    length = math.sqrt(sum(m[r][column] ** 2 for r in range(4)))
    return [m[r][column] / length for r in range(4)]


def fit(source, target):
    """Turn, scale and move that take the one list of places to the other best (Horn 1987), as a function."""
    count = len(source)
    middle_a = [sum(p[k] for p in source) / count for k in range(3)]
    middle_b = [sum(p[k] for p in target) / count for k in range(3)]
    s = [[0.0] * 3 for _ in range(3)]
    square_a = square_b = 0.0
    for a, b in zip(source, target):
        a = [a[k] - middle_a[k] for k in range(3)]
        b = [b[k] - middle_b[k] for k in range(3)]
        square_a += sum(v * v for v in a)
        square_b += sum(v * v for v in b)
        for i in range(3):
            for j in range(3):
                s[i][j] += a[i] * b[j]
    (xx, xy, xz), (yx, yy, yz), (zx, zy, zz) = s
    w, x, y, z = largest_eigenvector([
        [xx + yy + zz, yz - zy, zx - xz, xy - yx],
        [yz - zy, xx - yy - zz, xy + yx, zx + xz],
        [zx - xz, xy + yx, yy - xx - zz, yz + zy],
        [xy - yx, zx + xz, yz + zy, zz - xx - yy]])
    turn = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
        [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
        [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
    ]
    scale = math.sqrt(square_b / square_a)

    def take(p):
        p = [p[k] - middle_a[k] for k in range(3)]
        return [middle_b[r] + scale * sum(turn[r][k] * p[k] for k in range(3)) for r in range(3)]

    return take, scale


# ---- files ----


def convert(sinew, bvh, glb):
    return subprocess.run([sinew, "convert", "-q", bvh, "-o", glb], capture_output=True, text=True)


def ask(program, path):
    run = subprocess.run([program, path], capture_output=True, text=True)
    if run.returncode != 0:
        raise ValueError(run.stderr.strip())
    return json.loads(run.stdout)


def pairs_of(names, other_names):
    """Indices of the joints that both have, by name; those of a name that repeats are left out."""
    once = [name for name in names if names.count(name) == 1 and other_names.count(name) == 1]
    return [(names.index(name), other_names.index(name)) for name in once]


def compare(label, truth, names, frames):
    """truth: names and frames of the BVH. Prints a line; whether all agree."""
    pairs = pairs_of(truth["names"], names)
    count = min(len(truth["frames"]), len(frames))
    step = max(1, count // 20)
    chosen = range(0, count, step)
    source = [truth["frames"][f][i] for f in chosen for i, _ in pairs]
    target = [frames[f][j] for f in chosen for _, j in pairs]
    take, scale = fit(source, target)
    worst = max(math.dist(take(a), b) for a, b in zip(source, target))
    reach = max(math.dist(p, target[0]) for p in target)
    needed = min(15, len({name for name in truth["names"] if name and "EndSite" not in name}))
    ok = len(truth["frames"]) == len(frames) and len(pairs) >= needed and worst <= TOLERANCE_M * max(1, reach)
    print(f"{'ok' if ok else 'FAIL'} {label}: {len(pairs)} joints, {len(frames)} frames of {len(truth['frames'])}, a unit is "
          f"{scale:.6g} m, worst {worst:.2g} m of {TOLERANCE_M * max(1, reach):.2g} m")
    return ok


def glb_frames(path, rate_hz, count):
    glb = Glb(path)
    tracks = glb.tracks(0)
    return glb.names, [glb.places(tracks, f / rate_hz) for f in range(count)]


def spread(frames, count):
    """Nothing moves in a GLB of two frames: it says how long it stands so."""
    still = len(frames) == 2 and all(math.dist(a, b) == 0 for a, b in zip(*frames))
    return frames[:1] * count if still else frames


def check_kimodo(sinew, data, folder):
    failed = 0
    for bvh, clip in kimodo.PAIRS:
        truth = kimodo.read_posed_joints(data / "kimodo" / "kimodo-soma-rp" / clip / "motion.npz")
        out = folder / "kimodo.glb"
        run = convert(sinew, data / "bvh" / bvh, out)
        if run.returncode != 0:
            print(f"FAIL {bvh}: {run.stderr.strip()}")
            failed += 1
            continue
        names, frames = glb_frames(out, 30, len(truth))
        failed += not kimodo.check(f"{bvh} as a GLB", truth, names, frames, 1.0)
    return failed


def check_bvh(sinew, motion_places, assimp_places, data, folder):
    failed = 0
    for bvh in sorted((data / "bvh").glob("*.bvh")):
        out = folder / "out.glb"
        out.unlink(missing_ok=True)
        run = convert(sinew, bvh, out)
        if bvh.stem in REFUSED:
            ok = run.returncode != 0 and REFUSED[bvh.stem] in run.stderr
            print(f"{'ok' if ok else 'FAIL'} {bvh.name} is refused: {run.stderr.strip()}")
            failed += not ok
            continue
        if run.returncode != 0:
            print(f"FAIL {bvh.name}: exit code {run.returncode}: {run.stderr.strip()}")
            failed += 1
            continue
        if bvh.stem in NOT_COMPARED:
            print(f"# {bvh.name} is not compared: {NOT_COMPARED[bvh.stem]}")
            continue
        ours = ask(motion_places, bvh)
        truth = ask(assimp_places, bvh) if assimp_places else ours
        names, frames = glb_frames(out, ours["rate_hz"], len(ours["frames"]))
        failed += not compare(bvh.name, truth, names, frames)
        if not assimp_places:
            continue
        theirs = ask(assimp_places, out)
        theirs["frames"] = spread(theirs["frames"], len(truth["frames"]))
        failed += not compare(f"{bvh.name}, both by assimp", truth, theirs["names"], theirs["frames"])
    return failed


def main(sinew, motion_places, data, assimp_places=None):
    if not (data / "bvh").is_dir():
        print("no data folder beside the project: skipped")
        return 77
    with tempfile.TemporaryDirectory() as name:
        failed = check_kimodo(sinew, data, Path(name))
        failed += check_bvh(sinew, motion_places, assimp_places, data, Path(name))
    print(f"{failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2], Path(sys.argv[3]), *sys.argv[4:5]))
