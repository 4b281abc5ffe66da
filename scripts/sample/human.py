"""The humanoid's tables: 55 bones with their axis rules and masses, 95 muscles with their default limits.

Names, order and limits are public engine documentation; axis rules, signs and masses were measured on public avatars.
"""

# bone, human parent, x axis in T-pose, y axis in T-pose, D of the zero pose, signs of the axes, mass
_BODY = """
Hips           -              child   x*X   0 0 0            1  1  1   12
LeftUpperLeg   Hips           child   X*x   -.268 0 0        1  1  1   10
RightUpperLeg  Hips           child   X*x   -.268 0 0       -1 -1  1   10
LeftLowerLeg   LeftUpperLeg   child   X*x   .839 0 0         1  1 -1   4
RightLowerLeg  RightUpperLeg  child   X*x   .839 0 0        -1  1 -1   4
LeftFoot       LeftLowerLeg   -Y      X*x   0 0 0            1  1  1   .8
RightFoot      RightLowerLeg  -Y      X*x   0 0 0            1 -1  1   .8
Spine          Hips           child   x*X   0 0 0            1  1  1   2.5
Chest          Spine          child   x*X   0 0 0            1  1  1   12
UpperChest     Chest          child   x*X   0 0 0            1  1  1   12
Neck           UpperChest     child   x*X   0 0 0            1  1  1   1
Head           Neck           +Y      x*X   0 0 0            1  1  1   4
LeftShoulder   UpperChest     child   Z*x   0 0 0            1  1 -1   .5
RightShoulder  UpperChest     child   Z*x   0 0 0            1  1  1   .5
LeftUpperArm   LeftShoulder   child   Z*x   0 .268 .364      1  1 -1   2
RightUpperArm  RightShoulder  child   Z*x   0 -.268 -.364   -1  1  1   2
LeftLowerArm   LeftUpperArm   child   Y*x   0 .839 0         1  1 -1   1.5
RightLowerArm  RightUpperArm  child   Y*x   0 -.839 0       -1  1  1   1.5
LeftHand       LeftLowerArm   parent  Z*x   0 0 0            1  1 -1   .5
RightHand      RightLowerArm  parent  Z*x   0 0 0            1  1  1   .5
LeftToes       LeftFoot       +Z      X*x   0 0 0            1  1  1   .2
RightToes      RightFoot      +Z      X*x   0 0 0            1  1  1   .2
LeftEye        Head           +Z      X*x   0 0 0            1  1 -1   0
RightEye       Head           +Z      X*x   0 0 0            1 -1 -1   0
Jaw            Head           +Z      X*x   .09 0 0          1  1 -1   0
"""

# finger: y axis; D of the left first joint, of the others; limits of the first joint, its spread, the others
_FINGERS = {
    "Thumb": ("Y*x", (0, .125, .125), (0, -.2, 0), (-20, 20), (-25, 25), (-40, 35)),
    "Index": ("Z*x", (0, .08, .3), (0, 0, .33), (-50, 50), (-20, 20), (-45, 45)),
    "Middle": ("Z*x", (0, .04, .3), (0, 0, .33), (-50, 50), (-7.5, 7.5), (-45, 45)),
    "Ring": ("Z*x", (0, -.04, .3), (0, 0, .33), (-50, 50), (-7.5, 7.5), (-45, 45)),
    "Little": ("Z*x", (0, -.08, .3), (0, 0, .33), (-50, 50), (-20, 20), (-45, 45)),
}

# bone, its muscles in the order of their indices as "axis attribute|...", their limits in degrees
_TRUNK = "z {} Front-Back|y {} Left-Right|x {} Twist Left-Right"
_HEAD = "z {} Nod Down-Up|y {} Tilt Left-Right|x {} Turn Left-Right"
_BODY_MUSCLES = [
    ("Spine", _TRUNK, ((-40, 40),) * 3), ("Chest", _TRUNK, ((-40, 40),) * 3),
    ("UpperChest", _TRUNK, ((-20, 20),) * 3), ("Neck", _HEAD, ((-40, 40),) * 3), ("Head", _HEAD, ((-40, 40),) * 3),
    ("LeftEye", "z Left Eye Down-Up|y Left Eye In-Out", ((-10, 15), (-20, 20))),
    ("RightEye", "z Right Eye Down-Up|y Right Eye In-Out", ((-10, 15), (-20, 20))),
    ("Jaw", "z Jaw Close|y Jaw Left-Right", ((-10, 10), (-10, 10))),
]
_LEG_MUSCLES = [
    ("UpperLeg", "z {} Upper Leg Front-Back|y {} Upper Leg In-Out|x {} Upper Leg Twist In-Out",
     ((-90, 50), (-60, 60), (-60, 60))),
    ("LowerLeg", "z {} Lower Leg Stretch|x {} Lower Leg Twist In-Out", ((-80, 80), (-90, 90))),
    ("Foot", "z {} Foot Up-Down|y {} Foot Twist In-Out", ((-50, 50), (-30, 30))),
    ("Toes", "z {} Toes Up-Down", ((-50, 50),)),
]
_ARM_MUSCLES = [
    ("Shoulder", "z {} Shoulder Down-Up|y {} Shoulder Front-Back", ((-15, 30), (-15, 15))),
    ("UpperArm", "z {} Arm Down-Up|y {} Arm Front-Back|x {} Arm Twist In-Out", ((-60, 100), (-100, 100), (-90, 90))),
    ("LowerArm", "z {} Forearm Stretch|x {} Forearm Twist In-Out", ((-80, 80), (-90, 90))),
    ("Hand", "z {} Hand Down-Up|y {} Hand In-Out", ((-80, 80), (-40, 40))),
]


class Bone:
    def __init__(self, name, parent, x_rule, y_rule, d, sgn, mass):
        self.name, self.parent, self.x_rule, self.y_rule = name, parent, x_rule, y_rule
        self.d, self.sgn, self.mass = d, sgn, mass
        self.muscle = [None, None, None]  # attribute per axis


class Muscle:
    def __init__(self, attribute, bone, axis, limits_deg):
        self.attribute, self.bone, self.axis = attribute, bone, axis
        self.min_deg, self.max_deg = limits_deg


def _finger_bones(side):
    mirror = 1 if side == "Left" else -1
    for finger, (y_rule, first_d, other_d, *_limits) in _FINGERS.items():
        parent = side + "Hand"
        for joint in ("Proximal", "Intermediate", "Distal"):
            d = first_d if joint == "Proximal" else other_d
            inward = joint == "Proximal" and finger in ("Thumb", "Index", "Middle")
            z_sign = mirror if finger == "Thumb" else -mirror
            name = side + finger + joint
            yield Bone(name, parent, "parent" if joint == "Distal" else "child", y_rule,
                       (d[0], mirror * d[1], mirror * d[2]), (-mirror, -1 if inward else 1, z_sign), 0)
            parent = name


def _bones():
    bones = {}
    for line in _BODY.split("\n")[1:-1]:
        w = line.split()
        numbers = [float(n) for n in w[4:]]
        bones[w[0]] = Bone(w[0], None if w[1] == "-" else w[1], w[2], w[3], numbers[0:3], numbers[3:6], numbers[6])
    for side in ("Left", "Right"):
        bones.update((b.name, b) for b in _finger_bones(side))
    return bones


def _muscles():
    rows = [(bone, text.format(*[bone] * 3), limits) for bone, text, limits in _BODY_MUSCLES]
    for table in (_LEG_MUSCLES, _ARM_MUSCLES):
        for side in ("Left", "Right"):
            rows += [(side + bone, text.format(*[side] * 3), limits) for bone, text, limits in table]
    for side in ("Left", "Right"):
        for finger, (_rule, _d1, _d2, first, spread, other) in _FINGERS.items():
            stem = f"{side}Hand.{finger}."
            rows.append((f"{side}{finger}Proximal", f"z {stem}1 Stretched|y {stem}Spread", (first, spread)))
            rows.append((f"{side}{finger}Intermediate", f"z {stem}2 Stretched", (other,)))
            rows.append((f"{side}{finger}Distal", f"z {stem}3 Stretched", (other,)))
    muscles = []
    for bone, text, limits in rows:
        for entry, limit in zip(text.split("|"), limits):
            axis = "xyz".index(entry[0])
            muscles.append(Muscle(entry[2:], bone, axis, limit))
            BONES[bone].muscle[axis] = muscles[-1]
    return muscles


BONES = _bones()       # parents before children
MUSCLES = _muscles()   # in the order of the muscle indices
CHILDREN = {name: [b.name for b in BONES.values() if b.parent == name] for name in BONES}
LIMB_CHILD = {side + part: side + child for side in ("Left", "Right") for part, child in
              (("UpperArm", "LowerArm"), ("LowerArm", "Hand"), ("UpperLeg", "LowerLeg"), ("LowerLeg", "Foot"))}


def trait_name(bone):
    """As a humanDescription spells it: fingers in words."""
    for side in ("Left", "Right"):
        for finger in _FINGERS:
            if bone.startswith(side + finger):
                return f"{side} {finger} {bone[len(side + finger):]}"
    return bone
