#!/usr/bin/env python3
"""Derives the coefficients of half_tangent() in vmath.h; prints them with their error.

tan(h) = h P(h^2) / Q(h^2) for |h| <= pi/2, P of degree 2, Q of degree 2 with Q(0) = 1. What counts is the error of the angle
atan2(h P, Q), which is bounded where the tangent has its pole. Lawson's iteration (least squares, weights moved towards
the worst points) gives the minimax fit; then the neighbouring float32 values are searched for the best fit among those
for which the rounded Q is nowhere exactly 0, neither with fused nor with separate rounding: so the projective vector
(h P, Q), and the product of two Q, never vanish.
"""
import itertools
import math
import struct

POINTS = 600
REACH = 1.5712  # range reduction leaves at most pi/2 plus its own rounding


def f32(x):
    return struct.unpack("f", struct.pack("f", x))[0]


def solve(a, b):
    """Gaussian elimination with pivoting."""
    n = len(b)
    rows = [list(a[i]) + [b[i]] for i in range(n)]
    for i in range(n):
        pivot = max(range(i, n), key=lambda r: abs(rows[r][i]))
        rows[i], rows[pivot] = rows[pivot], rows[i]
        for r in range(i + 1, n):
            k = rows[r][i] / rows[i][i]
            for c in range(i, n + 1):
                rows[r][c] -= k * rows[i][c]
    x = [0.0] * n
    for i in reversed(range(n)):
        x[i] = (rows[i][n] - sum(rows[i][c] * x[c] for c in range(i + 1, n))) / rows[i][i]
    return x


def angle_error(co, points):
    """Largest |atan2(h P, Q) - h| in radians."""
    worst = 0.0
    for h, s, c in points:
        w = h * h
        p = h * (co[0] + w * (co[1] + w * co[2]))
        q = 1 + w * (co[3] + w * co[4])
        worst = max(worst, abs((p * c - q * s) / math.hypot(p, q)))
    return worst


def lawson(points):
    weight = [1.0] * len(points)
    length = [1.0] * len(points)
    best = (1.0, None)
    for _ in range(400):
        a = [[0.0] * 5 for _ in range(5)]
        b = [0.0] * 5
        rows = []
        for i, (h, s, c) in enumerate(points):
            w = h * h
            row = [h * c / length[i], h * w * c / length[i], h * w * w * c / length[i],
                   -s * w / length[i], -s * w * w / length[i]]
            rows.append((row, s / length[i]))
            for j in range(5):
                b[j] += weight[i] * row[j] * rows[i][1]
                for k in range(5):
                    a[j][k] += weight[i] * row[j] * row[k]
        co = solve(a, b)
        errors = [abs(sum(row[j] * co[j] for j in range(5)) - value) for row, value in rows]
        worst = max(errors)
        if worst < best[0]:
            best = (worst, co)
        for i, (h, _, _) in enumerate(points):
            w = h * h
            length[i] = math.hypot(h * (co[0] + w * (co[1] + w * co[2])), 1 + w * (co[3] + w * co[4]))
        weight = [v * (e / worst + 1e-3) for v, e in zip(weight, errors)]
        total = sum(weight)
        weight = [v / total for v in weight]
    return best[1]


def least_q(co):
    """Smallest |Q| of all floats near the pole, rounded as mul + add does it (fused is never 0: the product of two
    24-bit numbers is no 1)."""
    h = f32(1.5700)
    least = 1.0
    while h < REACH:
        w = f32(h * h)
        q = f32(f32(w * f32(f32(w * co[4]) + co[3])) + 1.0)
        least = min(least, abs(q))
        h = struct.unpack("f", struct.pack("I", struct.unpack("I", struct.pack("f", h))[0] + 1))[0]
    return least


def ulp(x):
    return 2.0 ** (math.frexp(x)[1] - 24)


def main():
    points = []
    for i in range(POINTS):
        h = math.pi / 2 * math.cos((i + 0.5) / POINTS * math.pi / 2)
        points.append((h, math.sin(h), math.cos(h)))
    exact = lawson(points)
    print("exact      ", exact, "error %.2e rad" % angle_error(exact, points))
    found = []
    for step in itertools.product((-1, 0, 1), (-1, 0, 1), (0,), (-1, 0, 1), (-2, -1, 0, 1, 2)):
        co = [f32(c) + s * ulp(c) for c, s in zip(exact, step)]
        found.append((angle_error(co, points), co))
    for error, co in sorted(found):
        if least_q(co) > 0:
            print("float32    ", ["%.9e" % c for c in co], "error %.2e rad, least |Q| %.1e" % (error, least_q(co)))
            return
    raise SystemExit("no neighbour keeps Q away from 0")


if __name__ == "__main__":
    main()
