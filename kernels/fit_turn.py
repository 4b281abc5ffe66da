#!/usr/bin/env python3
"""Derives the coefficients of vturn.h; prints them with their error.

1. turn: s = a P(a^2) and c = 1 + a^2 Q(a^2) with s : c = sin h : cos h for the half h of an angle of a degrees, |a| <= 180.
   What counts is the error of the angle atan2(s, c); that the length of (s, c) is near 1 matters LENGTH_MATTERS times less,
   because the quaternion is brought to length 1 by a step of Newton's, which squares what is missing.
2. arc: atan(sqrt z) / sqrt z = 1 + z A(z) for 0 <= z <= 1.
3. tan: tan h = h (1 + p h^2) / (1 + h^2 (q0 + q1 h^2)) for |h| <= pi/4.

Lawson's iteration (least squares, weights moved towards the worst points) gives a minimax fit. The coefficients are
rounded to float32 one after the other, the lowest power first, and those that follow are fitted to what was rounded.
"""
import math
import struct

POINTS = 160
ROUNDS = 120
LENGTH_MATTERS = 1e4
DEGREES = 180.05  # range reduction leaves its own rounding


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


def residuals(rows, co):
    return [sum(r * c for r, c in zip(row, co)) - value for row, value in rows]


def lawson(rows):
    n = len(rows[0][0])
    weight = [1.0] * len(rows)
    best = (math.inf, None)
    for _ in range(ROUNDS):
        a = [[0.0] * n for _ in range(n)]
        b = [0.0] * n
        for w, (row, value) in zip(weight, rows):
            for j in range(n):
                b[j] += w * row[j] * value
                for k in range(n):
                    a[j][k] += w * row[j] * row[k]
        co = solve(a, b)
        errors = [abs(e) for e in residuals(rows, co)]
        worst = max(errors)
        if worst < best[0]:
            best = (worst, co)
        weight = [w * (e / worst + 1e-3) for w, e in zip(weight, errors)]
        total = sum(weight)
        weight = [w / total * len(rows) for w in weight]
    return best[1]


def rounded_one_by_one(rows, scale, order):
    """Coefficients in float32; co[i] stands for the coefficient scale[i] * co[i] of the kernel."""
    fixed = {}
    for i in order:
        free = [j for j in range(len(scale)) if j not in fixed]
        left = [([row[j] for j in free], value - sum(row[j] * fixed[j] for j in fixed)) for row, value in rows]
        co = lawson(left)[free.index(i)]
        fixed[i] = f32(co * scale[i]) / scale[i]
    return [fixed[i] for i in range(len(scale))]


def spread(reach):
    return [reach * math.cos((i + 0.5) / POINTS * math.pi / 2) for i in range(POINTS)]


def show(name, co, scale):
    print(name, ", ".join("%.9e" % f32(c * s) for c, s in zip(co, scale)))


def turn():
    rows = []
    for a in spread(DEGREES):
        h = a * math.pi / 360
        s, c, x = math.sin(h), math.cos(h), a / DEGREES
        odd, even = [x ** (2 * j + 1) for j in range(4)], [x ** (2 * j + 2) for j in range(4)]
        rows.append(([v * c for v in odd] + [-v * s for v in even], s))
        rows.append(([v * s / LENGTH_MATTERS for v in odd] + [v * c / LENGTH_MATTERS for v in even],
                     (1 - c) / LENGTH_MATTERS))
    scale = [DEGREES ** -(2 * j + 1) for j in range(4)] + [DEGREES ** -(2 * j + 2) for j in range(4)]
    co = rounded_one_by_one(rows, scale, [0, 4, 1, 5, 2, 6, 3, 7])
    errors = [abs(e) for e in residuals(rows, co)]
    show("turn P", co[:4], scale[:4])
    show("turn Q", co[4:], scale[4:])
    print("    half angle off by %.1e rad, length by %.1e" % (max(errors[0::2]), max(errors[1::2]) * LENGTH_MATTERS))


def arc(terms):
    rows = []
    for x in spread(1.0001):
        rows.append(([x ** (2 * j + 3) for j in range(terms)], math.atan(x) - x))
    co = rounded_one_by_one(rows, [1.0] * terms, range(terms))
    show("arc A ", co, [1.0] * terms)
    print("    angle off by %.1e rad" % max(abs(e) for e in residuals(rows, co)))


def tangent():
    rows = []
    for h in spread(math.pi / 4 * 1.0001):
        s, c, w = math.sin(h), math.cos(h), h * h
        rows.append(([h * w * c, -w * s, -w * w * s], s - h * c))
    co = rounded_one_by_one(rows, [1.0] * 3, range(3))
    show("tan p, q", co, [1.0] * 3)
    print("    angle off by %.1e rad" % max(abs(e) for e in residuals(rows, co)))


if __name__ == "__main__":
    turn()
    arc(8)
    tangent()
