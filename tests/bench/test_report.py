"""What scripts/bench.sh --compare answers: test_report.py BENCH_REPORT. A run beside itself is no worse; each kind of figure
made worse on purpose is named and ends it with 1; what is the machine's own, within the noise or better is not."""
import os
import subprocess
import sys
import tempfile

HEAD = "figure,isa,value,unit,ratio,goal,met\n"
RUN = HEAD + """\
muscle,avx512,32,ns/pose,,,
limit_arithmetic,avx512,110,Gop/s,,,
fk_over_muscle,avx512,,,0.9,<=0.7,no
glb_shm_over_write,,2300,MB/s,0.85,>=0.75,yes
clips_shm_scan,,1600,clips/s,,,
start_ms,,2,ms,2,<=5,yes
"""


def report(*arguments):
    """Its exit code, what it says, and what --keep kept."""
    done = subprocess.run([sys.executable, sys.argv[1], *arguments], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


def write(folder, name, text):
    path = os.path.join(folder, name)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path


def compared(folder, old, new):
    """The new runs against what is kept of the old ones."""
    kept = os.path.join(folder, "kept")
    code, said = report("--keep", kept, *(write(folder, f"old{i}.csv", text) for i, text in enumerate(old)))
    assert code == 0, said
    names = os.listdir(kept)
    assert len(names) == 1 and os.uname().nodename not in names[0], names
    return report("--compare", os.path.join(kept, names[0]),
                  *(write(folder, f"new{i}.csv", text) for i, text in enumerate(new)))


def changed(line, by):
    assert RUN.count(line) == 1
    return RUN.replace(line, by)


WORSE = {
    "a time": ("muscle,avx512,32,", "muscle,avx512,36,", "muscle avx512"),
    "a ratio that may be at most": (",,,0.9,<=", ",,,1.1,<=", "fk_over_muscle"),
    "a ratio that has to be at least": ("2300,MB/s,0.85", "2300,MB/s,0.7", "glb_shm_over_write"),
    "a rate": ("1600,clips/s", "1400,clips/s", "clips_shm_scan"),
    "the start": ("2,ms,2,", "3,ms,3,", "start_ms"),
}
NO_WORSE = {
    "the same": ("muscle,avx512,32,", "muscle,avx512,32,"),
    "faster": ("muscle,avx512,32,", "muscle,avx512,20,"),
    "by less than a tenth": ("muscle,avx512,32,", "muscle,avx512,34,"),
    "the machine's own": ("avx512,110,Gop/s", "avx512,60,Gop/s"),
    "a judged figure's value with the ratio as it was": ("2300,MB/s,0.85", "1100,MB/s,0.85"),
}


def main():
    with tempfile.TemporaryDirectory() as folder:
        for what, (line, by, figure) in WORSE.items():
            code, said = compared(folder, [RUN], [changed(line, by)])
            assert code == 1 and f"{figure}" in said and "1 of 6 figures are worse" in said, (what, code, said)
        for what, (line, by) in NO_WORSE.items():
            code, said = compared(folder, [RUN], [changed(line, by)])
            assert code == 0 and "0 of 6 figures are worse" in said, (what, code, said)
        # runs that spread by 20% tell nothing of 15%
        noisy = [RUN, changed("muscle,avx512,32,", "muscle,avx512,29,"), changed("muscle,avx512,32,", "muscle,avx512,35.4,")]
        code, said = compared(folder, noisy, [changed("muscle,avx512,32,", "muscle,avx512,36.8,")])
        assert code == 0, said


if __name__ == "__main__":
    main()
