"""Vectors, quaternions (x, y, z, w; Hamilton product) and the few functions of angles the sample needs.

Sine, cosine and arc tangent are written out in + - * / so that the sample's bytes do not depend on a machine's libm;
sums are written out too, for Python 3.12 changed how sum() rounds.
"""
from math import pi, sqrt

HALF_PI = pi / 2


def _series(x2, n):
    """1 - x2 / (n (n+1)) + x2^2 / (n (n+1) (n+2) (n+3)) - ..."""
    total, term = 1.0, 1.0
    while abs(term) > 1e-20:
        term *= -x2 / (n * (n + 1))
        total += term
        n += 2
    return total


def sin_cos(angle_rad):
    turn = round(angle_rad / HALF_PI)
    r = angle_rad - turn * HALF_PI
    s, c = r * _series(r * r, 2), _series(r * r, 1)
    return ((s, c), (c, -s), (-s, -c), (-c, s))[turn % 4]


def sin(angle_rad):
    return sin_cos(angle_rad)[0]


def cos(angle_rad):
    return sin_cos(angle_rad)[1]


def tan(angle_rad):
    s, c = sin_cos(angle_rad)
    return s / c


def atan(t):
    if t < 0:
        return -atan(-t)
    if t > 1:
        return HALF_PI - atan(1 / t)
    for _ in range(3):  # halve the angle until the series is short
        t = t / (1 + sqrt(1 + t * t))
    total, power, n = 0.0, t, 1
    while abs(power) > 1e-20:
        total += power / n
        power *= -t * t
        n += 2
    return 8 * total


def deg(angle_deg):
    return angle_deg * pi / 180


def add(a, b):
    return [a[0] + b[0], a[1] + b[1], a[2] + b[2]]


def sub(a, b):
    return [a[0] - b[0], a[1] - b[1], a[2] - b[2]]


def scale(a, k):
    return [k * c for c in a]


def dot(a, b):
    total = 0.0
    for x, y in zip(a, b):
        total += x * y
    return total


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def length(a):
    return sqrt(dot(a, a))


def unit(a):
    n = length(a)
    return [c / n for c in a]


def qmul(a, b):
    ax, ay, az, aw = a
    bx, by, bz, bw = b
    return [aw * bx + ax * bw + ay * bz - az * by, aw * by - ax * bz + ay * bw + az * bx,
            aw * bz + ax * by - ay * bx + az * bw, aw * bw - ax * bx - ay * by - az * bz]


def qprod(*factors):
    q = factors[0]
    for f in factors[1:]:
        q = qmul(q, f)
    return q


def conj(q):
    return [-q[0], -q[1], -q[2], q[3]]


def rotate(q, v):
    t = scale(cross(q[:3], v), 2)
    return add(add(v, scale(t, q[3])), cross(q[:3], t))


def about(axis, angle_rad):
    """The rotation about coordinate axis 0, 1 or 2."""
    s, c = sin_cos(angle_rad / 2)
    q = [0.0, 0.0, 0.0, c]
    q[axis] = s
    return q


def from_columns(x, y, z):
    """The quaternion of a rotation matrix by its columns, by the largest of its four components."""
    q2 = [1 + x[0] - y[1] - z[2], 1 - x[0] + y[1] - z[2], 1 - x[0] - y[1] + z[2], 1 + x[0] + y[1] + z[2]]
    k = q2.index(max(q2))
    a, b, c = y[2] - z[1], z[0] - x[2], x[1] - y[0]
    d, e, f = x[1] + y[0], x[2] + z[0], y[2] + z[1]
    return unit([[q2[0], d, e, a], [d, q2[1], f, b], [e, f, q2[2], c], [a, b, c, q2[3]]][k])


def mirror_q(q):
    """The rotation seen in a mirror across the plane x = 0."""
    return [q[0], -q[1], -q[2], q[3]]


def mirror_v(v):
    return [-v[0], v[1], v[2]]


def solve(matrix, right):
    """Linear equations by elimination with row exchange."""
    n = len(right)
    a = [list(row) + [b] for row, b in zip(matrix, right)]
    for i in range(n):
        pivot = max(range(i, n), key=lambda r: abs(a[r][i]))
        a[i], a[pivot] = a[pivot], a[i]
        for r in range(i + 1, n):
            k = a[r][i] / a[i][i]
            a[r] = [p - k * q for p, q in zip(a[r], a[i])]
    x = [0.0] * n
    for i in reversed(range(n)):
        x[i] = (a[i][n] - dot(a[i][i + 1:n], x[i + 1:])) / a[i][i]
    return x
