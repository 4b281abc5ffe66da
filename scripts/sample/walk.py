"""The sample motion: two steps of a walk along +Z, as poses of the walker at any point of the cycle.

Pelvis, trunk and arms follow a few harmonics; the feet follow paths that stand still while they bear weight (the heel's
point first, then the ball), and the legs are solved to reach them exactly.
"""
from sample.avatar import Avatar
from sample.human import BONES
from sample.unity_text import hermite
from sample.vec import (about, add, conj, cos, cross, deg, dot, mirror_q, mirror_v, qmul, qprod, rotate, scale, solve,
                        sub, unit)

CYCLE_FRAMES = 32
SUBFRAMES = 8            # poses are known at whole subframes; slopes are differences over one to each side
RATE_HZ = 30
CYCLE_STEPS = CYCLE_FRAMES * SUBFRAMES
STRIDE_M = 1.24
TURN = deg(360)

# A foot's phases; 0 is its heel strike. On whole frames, so that a key stands where a foot's motion changes its law.
HEEL_DOWN, FLAT_END, TOE_OFF = 3 / 32, 11 / 32, 19 / 32
TOE_OUT = deg(-6)                             # about Y, left foot
MID_STANCE = .27                              # where the pelvis passes over the ankle
FOOT_TRACK_M = .078
PELVIS_DROP_M = .048
SWING_LIFT_M = .022
HEEL_FROM_ANKLE = [0.0, -.082, -.046]
# foot pitch over a foot's cycle: phase, degrees, toes down positive
_PITCH_KEYS = [(0, -17), (HEEL_DOWN, 0), (FLAT_END, 0), (16 / 32, 20), (TOE_OFF, 48), (22 / 32, 50), (26 / 32, 12),
               (29 / 32, -14), (1, -17)]


# ---- curves of the phase --------------------------------------------------------------------------

def _cyclic(keys, phase):
    """A periodic monotone cubic through keys (Fritsch and Carlson's harmonic mean slopes)."""
    phase %= 1.0
    span = [(b[0] - a[0], (b[1] - a[1]) / (b[0] - a[0])) for a, b in zip(keys, keys[1:])]

    def slope(i):
        before, after = span[i - 1][1], span[i % len(span)][1]
        return 0.0 if before * after <= 0 else 2 * before * after / (before + after)

    i = max(k for k in range(len(span)) if keys[k][0] <= phase)
    return hermite(keys[i][1], slope(i), keys[i + 1][1], slope(i + 1), span[i][0], phase - keys[i][0])


def _wave(phase, amplitude, lag=0.0, harmonic=1):
    return amplitude * cos(TURN * harmonic * (phase - lag))


# ---- feet: the left one; the right one is its mirror image half a cycle later ---------------------

class FootPath:
    def __init__(self, avatar):
        ankle = avatar.rest_t["LeftFoot"]
        self.ankle_height = ankle[1]
        self.ball_from_ankle = sub(avatar.rest_t["LeftToes"], ankle)
        h = 1e-4
        self.off = self._stance(TOE_OFF)
        self.off_speed = scale(sub(self.off, self._stance(TOE_OFF - h)), 1 / h)
        self.strike = add(self._stance(0.0), [0.0, 0.0, STRIDE_M])
        self.strike_speed = scale(sub(self._stance(h), self._stance(0.0)), 1 / h)

    @staticmethod
    def rotation(phase):
        return qmul(about(1, TOE_OUT), about(0, deg(_cyclic(_PITCH_KEYS, phase))))

    def _stance(self, phase):
        """The ankle while the foot turns about its heel's point (toes up) or its ball (heel up)."""
        flat = [-FOOT_TRACK_M, self.ankle_height, STRIDE_M * MID_STANCE]
        pivot = HEEL_FROM_ANKLE if _cyclic(_PITCH_KEYS, phase) < 0 else self.ball_from_ankle
        return add(flat, sub(rotate(about(1, TOE_OUT), pivot), rotate(self.rotation(phase), pivot)))

    def ankle(self, phase):
        """phase 0..1, counted from the pelvis's place at phase 0."""
        if phase <= TOE_OFF:
            return self._stance(phase)
        width, at = 1 - TOE_OFF, phase - TOE_OFF
        u = at / width
        lift = SWING_LIFT_M * 16 * u * u * (1 - u) * (1 - u)
        place = [hermite(a, va, b, vb, width, at) for a, va, b, vb in
                 zip(self.off, self.off_speed, self.strike, self.strike_speed)]
        return add(place, [0.0, lift, 0.0])

    @staticmethod
    def toe_angle(phase):
        """The toes' own pitch in the foot: flat on the ground until they leave it, then relaxing."""
        pitch = _cyclic(_PITCH_KEYS, phase)
        if phase <= TOE_OFF:
            return deg(-pitch) if pitch > 0 else deg(.35 * pitch)
        u = (phase - TOE_OFF) / (1 - TOE_OFF)
        h = 1e-4
        leaving = (_cyclic(_PITCH_KEYS, TOE_OFF - h) - _cyclic(_PITCH_KEYS, TOE_OFF)) / h
        ends = -_cyclic(_PITCH_KEYS, TOE_OFF), .35 * _cyclic(_PITCH_KEYS, 0)
        landing = .35 * (_cyclic(_PITCH_KEYS, h) - _cyclic(_PITCH_KEYS, 0)) / h
        return deg(hermite(ends[0], leaving, ends[1], landing, 1 - TOE_OFF, u * (1 - TOE_OFF)))


# ---- the body above the legs ----------------------------------------------------------------------

def _turned(yaw_deg, pitch_deg, roll_deg):
    """Yaw positive to the right, pitch forward, roll raises the right side."""
    return qprod(about(1, deg(yaw_deg)), about(0, deg(pitch_deg)), about(2, deg(roll_deg)))


def _trunk(phase):
    """World turns of the trunk's bones against the T-pose."""
    nod = _wave(phase, 1.2, .06, 2)
    yaw, roll = _wave(phase, 5.5, .02), _wave(phase, -3.2, .17)
    chest_yaw, chest_roll = _wave(phase, -6.5, .05), _wave(phase, 1.2, .2)

    def between(k, lean):
        return _turned(yaw + k * (chest_yaw - yaw), lean + nod * k, roll + k * (chest_roll - roll))

    return {"Hips": _turned(yaw, 3.0 + .5 * nod, roll), "Spine": between(.35, 3.5), "Chest": between(.75, 4.0),
            "UpperChest": between(1.0, 4.5), "Neck": _turned(.4 * chest_yaw, 4.0 - nod, .4 * chest_roll),
            "Head": _turned(.12 * chest_yaw, 1.5 - 1.3 * nod, .2 * chest_roll)}


def _pelvis(avatar, phase):
    rest = avatar.rest_t["Hips"]
    return [_wave(phase, -.019, MID_STANCE), rest[1] - PELVIS_DROP_M - _wave(phase, .016, .02, 2),
            rest[2] + STRIDE_M * phase + _wave(phase, .006, .14, 2)]


def _arm(phase):
    """Left arm: world turns of shoulder and upper arm in the chest's frame, elbow bend and pronation (radians)."""
    swing = 3 - _wave(phase, 21, .03)
    bend = 19 - _wave(phase, 10, .08)
    shoulder = _turned(_wave(phase, -2.5, .05), 0, 2.5 + _wave(phase, .8, .1, 2))
    upper = qprod(about(0, deg(-swing)), about(2, deg(79 + _wave(phase, 1.5, 0, 2))), about(0, deg(9)))
    return shoulder, upper, deg(bend), deg(12 + _wave(phase, 5, .2))


def _hand_muscles(side, phase):
    """Relaxed hands: a constant curl, a little life in thumb and index."""
    values = {f"{side} Hand Down-Up": .06 + _wave(phase, .05, .2), f"{side} Hand In-Out": -.04 + _wave(phase, .03, .3)}
    curl = {"Thumb": (-.15, .1, .2), "Index": (.22, .3, .35), "Middle": (.12, .2, .3), "Ring": (.02, .12, .25),
            "Little": (-.06, .05, .2)}
    spread = {"Thumb": -.1, "Index": -.2, "Middle": .05, "Ring": .1, "Little": -.15}
    for finger, joints in curl.items():
        for joint, value in enumerate(joints):
            values[f"{side}Hand.{finger}.{joint + 1} Stretched"] = value
        values[f"{side}Hand.{finger}.Spread"] = spread[finger]
    values[f"{side}Hand.Index.1 Stretched"] += _wave(phase, .05, .15)
    values[f"{side}Hand.Index.2 Stretched"] += _wave(phase, .04, .2)
    values[f"{side}Hand.Thumb.1 Stretched"] += _wave(phase, .06, .1)
    return values


# ---- a whole pose ---------------------------------------------------------------------------------

class Pose:
    def __init__(self, muscles, root_t, root_q, goals):
        self.muscles, self.root_t, self.root_q, self.goals = muscles, root_t, root_q, goals


class Walk:
    def __init__(self, avatar: Avatar):
        self.avatar = avatar
        self.foot = FootPath(avatar)
        self.leg_guess = {}

    def pose(self, step):
        """The pose `step` subframes after a left heel strike; whole cycles repeat it exactly, farther along Z."""
        cycles, step = divmod(step, CYCLE_STEPS)
        avatar, phase = self.avatar, step / CYCLE_STEPS
        turns = _trunk(phase)
        hips_q, hips_t = qmul(turns["Hips"], avatar.hips_rest_q), _pelvis(avatar, phase)
        angles = {bone: [0.0, 0.0, 0.0] for bone in BONES}
        q = {"Hips": hips_q}
        for bone in ("Spine", "Chest", "UpperChest", "Neck", "Head"):
            self._turn_to(angles, q, bone, qmul(turns[bone], avatar.rest_q[bone]))
        angles["Jaw"] = avatar.peel("Jaw", self._rest_local("Jaw"))
        for side, mirrored, side_phase in (("Left", False, phase), ("Right", True, (phase + .5) % 1.0)):
            self._bend_arm(angles, q, side, mirrored, side_phase, turns["UpperChest"])
            self._reach_with_leg(angles, hips_q, hips_t, side, mirrored, side_phase, phase)
        muscles = avatar.muscles_of(angles)
        muscles.update(_hand_muscles("Left", phase))
        muscles.update(_hand_muscles("Right", (phase + .5) % 1.0))
        local = avatar.locals_of(avatar.angles_of(muscles))
        root_t, root_q = avatar.root_of(local, hips_q, hips_t)
        goals = avatar.goals_of(*avatar.place(local, hips_q, hips_t), root_t, root_q)
        return Pose(muscles, add(root_t, [0.0, 0.0, cycles * STRIDE_M / avatar.scale_m]), root_q, goals)

    def _rest_local(self, bone):
        return qmul(conj(self.avatar.above_q[bone]), self.avatar.rest_q[bone])

    def _turn_to(self, angles, q, bone, target):
        """The angles, of those the bone has muscles for, that turn it to a global rotation."""
        above = qmul(q[BONES[bone].parent], self.avatar.mid[bone])
        found = self.avatar.peel(bone, qmul(conj(above), target))
        angles[bone] = [a if m else 0.0 for a, m in zip(found, BONES[bone].muscle)]
        q[bone] = qmul(above, self.avatar.held(bone, *angles[bone]))

    def _bend_arm(self, angles, q, side, mirrored, phase, chest_turn):
        avatar = self.avatar
        shoulder, upper, bend, pronation = _arm(phase)
        if mirrored:
            shoulder, upper = mirror_q(shoulder), mirror_q(upper)
        self._turn_to(angles, q, side + "Shoulder", qprod(chest_turn, shoulder, avatar.rest_q[side + "Shoulder"]))
        self._turn_to(angles, q, side + "UpperArm", qprod(chest_turn, upper, avatar.rest_q[side + "UpperArm"]))
        fore = side + "LowerArm"
        twist_sign, _, bend_sign = BONES[fore].sgn
        straight = avatar.peel(fore, self._rest_local(fore))
        angles[fore] = [straight[0] - twist_sign * pronation, 0.0, straight[2] - bend_sign * bend]

    # ---- legs: seven angles against the foot's place and rotation and the knee's plane ----------------

    def _reach_with_leg(self, angles, hips_q, hips_t, side, mirrored, phase, body_phase):
        foot_q, ankle = self.foot.rotation(phase), self.foot.ankle(phase)
        ahead = STRIDE_M * (body_phase - phase)
        if mirrored:
            foot_q, ankle = mirror_q(foot_q), mirror_v(ankle)
        ankle = add(ankle, [0.0, 0.0, ahead])
        foot_q = qmul(foot_q, self.avatar.rest_q[side + "Foot"])
        heading = rotate(about(1, -TOE_OUT if mirrored else TOE_OUT), [0.0, 0.0, 1.0])
        bones = [side + part for part in ("UpperLeg", "LowerLeg", "Foot")]
        guess = self.leg_guess.get(side) or self._knee_bent(bones)

        def miss(v):
            tried = {bones[0]: v[0:3], bones[1]: [v[3], 0.0, v[4]], bones[2]: [0.0, v[5], v[6]]}
            local = self.avatar.locals_of(tried, bones)
            q, t = self.avatar.place(local, hips_q, hips_t, bones)
            turn = qmul(conj(foot_q), q[bones[2]])
            side_way = unit(cross(sub(ankle, t[bones[0]]), heading))
            turn_miss = scale(turn[:3], 2 if turn[3] > 0 else -2)
            return [*sub(t[bones[2]], ankle), *turn_miss, dot(sub(t[bones[1]], t[bones[0]]), side_way)]

        v = _newton(miss, guess)
        self.leg_guess[side] = v
        angles[bones[0]], angles[bones[1]], angles[bones[2]] = v[0:3], [v[3], 0.0, v[4]], [0.0, v[5], v[6]]
        # the toes' z is the world's X in T-pose on both sides
        angles[side + "Toes"] = [0.0, 0.0, self.foot.toe_angle(phase)]

    def _knee_bent(self, bones):
        upper, lower, foot = (self.avatar.peel(b, self._rest_local(b)) for b in bones)
        return [upper[0], upper[1], upper[2] - deg(20), lower[0], lower[2] + deg(40), foot[1], foot[2]]


def _newton(miss, guess):
    v, h = list(guess), 1e-6
    for _ in range(40):
        now = miss(v)
        columns = []
        for i in range(len(v)):
            more, less = list(v), list(v)
            more[i] += h
            less[i] -= h
            columns.append([(a - b) / (2 * h) for a, b in zip(miss(more), miss(less))])
        change = solve([list(row) for row in zip(*columns)], [-m for m in now])
        largest = max(abs(c) for c in change)
        v = [a + c * min(1.0, .3 / largest) for a, c in zip(v, change)]
        if largest < 1e-12:
            return v
    raise ValueError(f"a leg does not reach its foot: misses by {max(abs(m) for m in now):.3g}")
