"""A walk as a BVH: the human bones as joints that stand in T-pose when every angle is zero, the root alone with places.

BVH's frame is right-handed: Unity's seen in a mirror across x = 0. Centimetres and degrees.
"""
from math import pi, sqrt

from sample.human import BONES, CHILDREN
from sample.vec import atan, conj, mirror_q, mirror_v, qmul, scale, sub
from sample.walker import tip_of

CM = 100
NO_JOINT = ("LeftEye", "RightEye", "Jaw")  # motion capture has none


def _joints(bone, depth=0):
    """(bone, depth) in the order of the file: a joint before those below it."""
    yield bone, depth
    for child in CHILDREN[bone]:
        if child not in NO_JOINT:
            yield from _joints(child, depth + 1)


def _decimal(value, digits):
    text = f"{value:.{digits}f}"
    return text[1:] if text.startswith("-") and float(text) == 0 else text


def _offset(metres):
    return " ".join(_decimal(c, 4) for c in scale(mirror_v(metres), CM))


def _hierarchy(rest_t):
    lines, order = ["HIERARCHY"], list(_joints("Hips"))
    for i, (bone, depth) in enumerate(order):
        pad = "  " * depth
        above = BONES[bone].parent
        lines += [f"{pad}{'JOINT' if above else 'ROOT'} {bone}", pad + "{",
                  f"{pad}  OFFSET {_offset(sub(rest_t[bone], rest_t[above])) if above else _offset(rest_t[bone])}",
                  f"{pad}  CHANNELS " + ("3" if above else "6 Xposition Yposition Zposition")
                  + " Zrotation Xrotation Yrotation"]
        below = order[i + 1][1] if i + 1 < len(order) else 0
        if below <= depth:
            lines += [pad + "  End Site", pad + "  {", f"{pad}    OFFSET {_offset(tip_of(bone))}", pad + "  }"]
            lines += ["  " * d + "}" for d in range(depth, below - 1, -1)]
    return lines, [bone for bone, _ in order]


def _atan2_deg(y, x):
    if x == 0:
        angle = pi / 2 if y > 0 else -pi / 2 if y < 0 else 0.0
    else:
        angle = atan(y / x) + (0.0 if x > 0 else pi if y >= 0 else -pi)
    return angle * 180 / pi


def zxy_deg(q):
    """The angles of Rz Rx Ry, x within +-90 degrees."""
    x, y, z, w = q
    sine = 2 * (y * z + w * x)
    return (_atan2_deg(2 * (w * z - x * y), 1 - 2 * (x * x + z * z)), _atan2_deg(sine, sqrt(max(0.0, 1 - sine * sine))),
            _atan2_deg(2 * (w * y - x * z), 1 - 2 * (x * x + y * y)))


def _row(avatar, played, order):
    """Places of the root and angles of all joints: what turns each bone away from the T-pose, against its parent's turn."""
    turn = {bone: mirror_q(qmul(played.q[bone], conj(avatar.rest_q[bone]))) for bone in order}
    numbers = [_decimal(c, 4) for c in scale(mirror_v(played.t["Hips"]), CM)]
    for bone in order:
        above = BONES[bone].parent
        local = qmul(conj(turn[above]), turn[bone]) if above else turn[bone]
        numbers += [_decimal(a, 4) for a in zxy_deg(local)]
    return " ".join(numbers)


def bvh_text(avatar, plays, frame_s):
    """plays: what sample.avatar's bones are at each frame."""
    lines, order = _hierarchy(avatar.rest_t)
    lines += ["MOTION", f"Frames: {len(plays)}", f"Frame Time: {frame_s:.7f}"]
    lines += [_row(avatar, played, order) for played in plays]
    return "\n".join(lines) + "\n"
