"""Joints by NumPy from the rotations of an .npz, in double precision: its members' meaning as the help of formats has it,
with nothing of the engine in it."""
import numpy as np


def turned(q, v):
    """Vectors turned by quaternions x, y, z, w."""
    t = 2 * np.cross(q[..., :3], v)
    return v + q[..., 3:] * t + np.cross(q[..., :3], t)


def product(a, b):
    ax, ay, az, aw = np.moveaxis(a, -1, 0)
    bx, by, bz, bw = np.moveaxis(b, -1, 0)
    return np.stack([
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
        aw * bw - ax * bx - ay * by - az * bz], axis=-1)


def rotations(arrays):
    """[T,J,4] of unit length; of three components the fourth is what is left of 1."""
    q = arrays["local_rotations"].astype(np.float64)
    if q.shape[-1] == 3:
        rest = np.maximum(0, 1 - (q * q).sum(-1, keepdims=True))
        q = np.concatenate([q, np.sqrt(rest)], axis=-1)
    return q / np.linalg.norm(q, axis=-1, keepdims=True)


def translations(arrays):
    """[T,J,3] in the parent."""
    frames = len(arrays["local_rotations"])
    if "local_positions" in arrays:
        return arrays["local_positions"].astype(np.float64)
    t = np.repeat(arrays["rest_positions"].astype(np.float64)[None], frames, axis=0)
    root = int(arrays["root_joint"])
    t[:, root] = arrays["root_local_positions" if "root_local_positions" in arrays else "root_positions"]
    return t


def positions(arrays):
    """[T,J,3] in the model: scales are the rest's, and even."""
    parents, local_q, local_t = arrays["parents"], rotations(arrays), translations(arrays)
    q, t = np.empty_like(local_q), np.empty_like(local_t)
    scale = np.ones((len(parents), 3))
    own = arrays["rest_scales"].astype(np.float64) if "rest_scales" in arrays else np.ones((len(parents), 3))
    for joint, parent in enumerate(parents):
        scale[joint] = own[joint] * (scale[parent] if parent >= 0 else 1)
        if parent < 0:
            q[:, joint], t[:, joint] = local_q[:, joint], local_t[:, joint]
            continue
        assert parent < joint
        q[:, joint] = product(q[:, parent], local_q[:, joint])
        t[:, joint] = t[:, parent] + turned(q[:, parent], local_t[:, joint] * scale[parent])
    return t


def size(arrays):
    """The body's: the most that its joints are apart along an axis in the first frame."""
    first = arrays["positions"][0]
    return float((first.max(0) - first.min(0)).max())
