"""README's programs are example.c and example_rows.c to the letter. The first says of the sample what the sample's
independent model says, the second writes a GLB in which only what a nod moves moves:
python3 check_example.py EXAMPLE_PROGRAM ROWS_PROGRAM sample_truth.json SOURCE_FOLDER"""
import json
import pathlib
import re
import struct
import subprocess
import sys
import tempfile

program, rows_program, truth_path, source = *sys.argv[1:4], pathlib.Path(sys.argv[4])

blocks = re.findall(r"^```c\n(.*?)^```$", (source / "README.md").read_text(encoding="utf-8"), re.M | re.S)
for name in ("tests/api/example.c", "tests/api/example_rows.c"):
    if (source / name).read_text(encoding="utf-8") not in blocks:
        sys.exit(f"no C block of README.md is {name} to the letter")

sample = source / "scripts/sample"
run = subprocess.run([program, sample / "walk.anim", sample / "walker.fbx.meta"], capture_output=True, text=True)
if run.returncode != 0 or run.stderr:
    sys.exit(f"exit {run.returncode}: {run.stderr}")
lines = run.stdout.splitlines()
frames = json.loads(pathlib.Path(truth_path).read_text(encoding="utf-8"))["frames"]
for frame in frames:
    time_s, *place = (float(number) for number in re.findall(r"-?\d+\.\d+", lines[frame["frame"]]))
    head = frame["position_m"]["Head"]
    if abs(time_s - frame["time_s"]) > 1e-6 or any(abs(a - b) > 3e-6 for a, b in zip(place, head, strict=True)):
        sys.exit(f"frame {frame['frame']}: '{lines[frame['frame']]}', expected {head}")
if len(frames) < 10 or len(lines) <= max(frame["frame"] for frame in frames):
    sys.exit("too few frames")

bad = subprocess.run([program, sample / "walk.anim", "nowhere.meta"], capture_output=True, text=True)
if bad.returncode != 1 or "nowhere.meta" not in bad.stderr:
    sys.exit(f"a missing rig: exit {bad.returncode}: {bad.stderr}")
with tempfile.TemporaryDirectory() as folder:
    glb = pathlib.Path(folder) / "nod.glb"
    run = subprocess.run([rows_program, sample / "walker.fbx.meta", glb], capture_output=True, text=True)
    if run.returncode != 0 or run.stdout or run.stderr:
        sys.exit(f"exit {run.returncode}: {run.stdout}{run.stderr}")
    data = glb.read_bytes()
    document = json.loads(data[20 : 20 + struct.unpack_from("<I", data, 12)[0]])
    (animation,) = document["animations"]
    moving = {}
    for channel in animation["channels"]:
        keys = document["accessors"][animation["samplers"][channel["sampler"]]["output"]]["count"]
        if keys > 1:
            moving[document["nodes"][channel["target"]["node"]]["name"], channel["target"]["path"]] = keys
    # the head, and the hips by its weight; 120 frames
    if animation["name"] != "nod" or sorted(path for _, path in moving) != ["rotation", "rotation", "translation"]:
        sys.exit(f"{animation['name']}: what moves is {moving}")
    if set(moving.values()) != {120} or not any("Head" in node for node, _ in moving):
        sys.exit(f"what moves is {moving}, expected the head and the hips, 120 keys each")

print(f"{len(frames)} frames as the model says")
