#!/usr/bin/env python3
"""What NumPy and zipfile read in the .npz files that are written.

    npz.py NPZ_SAMPLES

NPZ_SAMPLES is the program of npz_samples.c; what must stand in its files is said in made_npz.h. Exit code 77
without NumPy."""
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

try:
    import numpy as np
except ImportError:
    print("NumPy is not installed: skipped")
    sys.exit(77)

JOINTS = 7
NAMES = ["Hips", "Rücken", "head \U0001f642", "", "l", "L", "end"]


def grid(frames, *counts):
    return np.meshgrid(*[np.arange(n) for n in (frames, *counts)], indexing="ij")


def turns(frames):
    f, j, k = grid(frames, JOINTS, 4)
    return (((31 * f + 7 * j + k) % 2047 - 1023) / 1024).astype(np.float32)


def places(frames):
    f, j, k = grid(frames, JOINTS, 3)
    return ((17 * f + 5 * j + 3 * k) % 4093 / 256).astype(np.float32)


def rows(frames, count):
    f, c = grid(frames, count)
    return ((13 * f + c) % 1021 / 64).astype(np.float32)


def same(name, found, expected):
    expected = np.asarray(expected)
    assert found.dtype == expected.dtype, f"{name}: {found.dtype}, expected {expected.dtype}"
    assert found.shape == expected.shape, f"{name}: {found.shape}, expected {expected.shape}"
    assert np.array_equal(found, expected), f"{name} differs"


def check_facts(arrays):
    index = np.arange(JOINTS)
    rest_t = (np.arange(JOINTS * 3).reshape(JOINTS, 3) / 8 * [-1, 1, 1]).astype(np.float32)
    rest_q = np.zeros((JOINTS, 4), np.float32)
    rest_q[index, index % 4] = np.array([1, -1, -1, 1])[index % 4]
    assert arrays["joint_names"].tolist() == NAMES, arrays["joint_names"]
    same("parents", arrays["parents"], (index - 1).astype(np.int32))
    same("rest_positions", arrays["rest_positions"], rest_t)
    same("rest_rotations", arrays["rest_rotations"], rest_q)
    same("fps", arrays["fps"], np.float64(29.97))
    assert arrays["source"] == "läuft" and arrays["profile"] == "fma" and str(arrays["sinew_version"])


def check_frames(arrays, frames, root):
    three = arrays["local_rotations"].shape[-1] == 3
    expected = turns(frames)
    if three:
        expected = np.where(expected[..., 3:] < 0, -expected, expected)[..., :3]
    same("local_rotations", arrays["local_rotations"], expected)
    same("root_joint", arrays["root_joint"], np.int32(root))
    for name, expected in {
        "root_positions": places(frames)[:, root],
        "root_local_positions": places(frames)[:, root],
        "positions": places(frames),
        "local_positions": places(frames),
        "muscles": rows(frames, 95),
        "root": rows(frames, 7),
        "goals": rows(frames, 28),
    }.items():
        if name in arrays:
            same(name, arrays[name], expected)


def check_file(path, frames, root, count):
    arrays = np.load(path)  # without allow_pickle: no array holds objects
    assert len(arrays.files) == count, arrays.files
    check_facts(arrays)
    check_frames(arrays, frames, root)
    if "muscles" in arrays:
        assert len(set(arrays["muscle_names"].tolist())) == 95
    if "rest_scales" in arrays:
        assert arrays["rest_scales"][2].tolist() == [0.5, 1, 1]


def check_archive(path):
    with zipfile.ZipFile(path) as archive:
        assert archive.testzip() is None, path
        assert all(i.date_time == (1980, 1, 1, 0, 0, 0) for i in archive.infolist())
    if shutil.which("unzip"):
        subprocess.run(["unzip", "-tqq", path], check=True)


def check_huge(path):
    """More than 4 GiB of zeros: the records and the arrays' headers."""
    frames = 40 << 20
    with zipfile.ZipFile(path) as archive:
        for name, width in ("local_rotations", 4), ("positions", 3):
            info = archive.getinfo(name + ".npy")
            with archive.open(info) as member:
                assert np.lib.format.read_magic(member) == (1, 0)
                shape, fortran, dtype = np.lib.format.read_array_header_1_0(member)
                assert (shape, fortran, dtype) == ((frames, JOINTS, width), False, np.dtype("<f4"))
                assert not any(member.read(1 << 16))
            assert info.file_size > 3 << 30 and info.file_size == info.compress_size
        assert archive.getinfo("positions.npy").header_offset > 4 << 30
        assert archive.read("fps.npy")
    if shutil.which("unzip"):
        subprocess.run(["unzip", "-lqq", path], check=True, stdout=subprocess.DEVNULL)


def main(samples):
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([samples, folder], check=True)
        check_huge(Path(folder, "huge.npz"))
        for name, frames, root, count in (
            ("plain", 1000, 0, 11),
            ("all", 1000, 1, 19),
            ("three", 1000, 1, 19),
            ("one-frame", 1, 0, 11),
        ):
            path = Path(folder, name + ".npz")
            check_file(path, frames, root, count)
            check_archive(path)
    print("5 files are read as they were made")


if __name__ == "__main__":
    main(*sys.argv[1:])
