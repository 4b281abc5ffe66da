#!/usr/bin/env python3
"""The animations of data/rigs, as glb_places.py reads them and as we do.

    glb.py MOTION_PLACES DATA_FOLDER

Exit code 77 without the data folder."""
import json
import math
import subprocess
import sys
from pathlib import Path

from glb_places import Glb

TIMES = 20
TOLERANCE = 1e-6  # of the body; both count in double precision


def compare(program, path, animation):
    """Whether all nodes agree at all times, and what there is to say of it."""
    glb = Glb(path)
    tracks = glb.tracks(animation) if animation >= 0 else {}
    end_s = max((times_s[-1] for _, times_s, _ in tracks.values()), default=0)
    times_s = [end_s * i / (TIMES - 1) for i in range(TIMES)] if end_s else [0]
    run = subprocess.run([program, path, str(animation), *map(repr, times_s)], check=True, capture_output=True, text=True)
    ours = json.loads(run.stdout)
    worst, moved, size = 0, 0, 0
    first = None
    for time_s, frame in zip(times_s, ours["frames"]):
        places = glb.places(tracks, time_s)
        for index, source in enumerate(ours["sources"]):
            worst = max(worst, math.dist(frame[index], places[source]))
            size = max(size, math.dist(frame[index], (0, 0, 0)))
        first = first or places
        moved = max(moved, max(map(math.dist, places, first)))
    ok = worst <= TOLERANCE * size and len(ours["sources"]) == len(glb.nodes)
    return ok, moved, f"{path.name}, animation {animation}: {len(times_s)} times, off by {worst:.2g} of {size:.3g}, moves {moved:.2g}"


def main(program, data):
    if not (data / "rigs").is_dir():
        print("no data folder beside the project: skipped")
        return 77
    failed, compared, moving = 0, 0, 0
    for path in sorted(p for p in (data / "rigs").iterdir() if p.suffix in (".glb", ".vrm", ".vrma")):
        for animation in [-1, *range(len(Glb(path).json.get("animations", [])))]:
            try:
                ok, moved, line = compare(program, path, animation)
            except ValueError as reason:
                print(f"# {path.name}, animation {animation}: not compared: {reason}")
                continue
            print(("ok " if ok else "FAIL ") + line)
            failed += not ok
            compared += 1
            moving += moved > 0.01
    print(f"{compared} compared, {moving} move, {failed} failed")
    return 0 if compared >= 55 and moving >= 37 and not failed else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], Path(sys.argv[2])))
