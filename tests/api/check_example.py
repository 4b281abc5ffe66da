"""README's program is example.c to the letter, and says of the sample what the sample's independent model says:
python3 check_example.py EXAMPLE_PROGRAM sample_truth.json SOURCE_FOLDER"""
import json
import pathlib
import re
import subprocess
import sys

program, truth_path, source = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])

blocks = re.findall(r"^```c\n(.*?)^```$", (source / "README.md").read_text(encoding="utf-8"), re.M | re.S)
text = (source / "tests/api/example.c").read_text(encoding="utf-8")
if text not in blocks:
    sys.exit("no C block of README.md is tests/api/example.c to the letter")

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
print(f"{len(frames)} frames as the model says")
