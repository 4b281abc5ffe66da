"""The sample rig: a 1.72 m humanoid in T-pose, metres, left and right mirror images.

Bone axes are deliberately of several kinds (along y as Blender has them, along x as Biped has them, rolled), an
armature stands above the hips and helpers stand between human bones, so that nothing on it works by accident.
"""
from sample.human import BONES, trait_name
from sample.unity_text import f32, meta_text
from sample.vec import about, conj, cross, deg, dot, from_columns, mirror_q, mirror_v, qmul, rotate, scale, sub, unit

GUID = "7d1a5c0e93b84f26a7e4c2185bd0f63e"
FORWARD, UP, BACK = [0, 0, 1], [0, 1, 0], [0, 0, -1]

# node, parent, human bone, place in root space (m), what its long axis points at (a node or a direction),
# the direction its z axis leans to, roll about the long axis (degrees), which axis is the long one
_CENTRE = [
    ("rig:Hips", "Armature", "Hips", (0, .935, .004), UP, BACK, 11, "y"),
    ("Pelvis Tilt", "rig:Hips", None, (0, .965, -.006), (0, .9, -.35), FORWARD, 0, "x"),
    ("Spine 01", "Pelvis Tilt", "Spine", (0, 1.005, -.012), "Spine 02", FORWARD, -4, "y"),
    ("Spine 02", "Spine 01", "Chest", (0, 1.118, -.02), "Spine 03", FORWARD, 0, "y"),
    ("Spine 03", "Spine 02", "UpperChest", (0, 1.25, -.026), "Neck", FORWARD, 5, "y"),
    ("Neck", "Spine 03", "Neck", (0, 1.43, -.02), "Head", BACK, 0, "y"),
    ("Head", "Neck", "Head", (0, 1.52, .004), "Head End", FORWARD, 90, "y"),
    ("Head End", "Head", None, (0, 1.72, .012), UP, FORWARD, 0, "y"),
    ("Jaw", "Head", "Jaw", (0, 1.548, .022), (0, -.35, 1), UP, 0, "y"),
]
_LEFT = [
    ("Eye.L", "Head", "LeftEye", (-.032, 1.602, .08), FORWARD, UP, 0, "y"),
    ("Upper Leg.L", "rig:Hips", "LeftUpperLeg", (-.092, .902, .002), "Lower Leg.L", FORWARD, 8, "y"),
    ("Lower Leg.L", "Upper Leg.L", "LeftLowerLeg", (-.096, .487, .01), "Foot.L", FORWARD, 172, "y"),
    ("Foot.L", "Lower Leg.L", "LeftFoot", (-.098, .082, -.016), "Toes.L", UP, 6, "y"),
    ("Toes.L", "Foot.L", "LeftToes", (-.109, .022, .116), "Toes End.L", UP, 0, "y"),
    ("Toes End.L", "Toes.L", None, (-.113, .012, .186), FORWARD, UP, 0, "y"),
    ("Shoulder.L", "Spine 03", "LeftShoulder", (-.03, 1.398, .008), "Upper Arm.L", UP, 14, "y"),
    ("Upper Arm.L", "Shoulder.L", "LeftUpperArm", (-.165, 1.405, -.02), "Lower Arm.L", BACK, -9, "y"),
    ("Upper Arm Twist.L", "Upper Arm.L", None, (-.3, 1.404, -.024), (-1, .2, .1), UP, 35, "y"),
    ("Lower Arm.L", "Upper Arm Twist.L", "LeftLowerArm", (-.435, 1.403, -.028), "Hand.L", BACK, 90, "x"),
    ("Hand.L", "Lower Arm.L", "LeftHand", (-.685, 1.404, -.016), "Middle 1.L", UP, 0, "y"),
]
_FINGERS = [  # finger, human name, first joint's place, direction, lengths of the first two joints, roll
    ("Thumb", "Thumb", (-.705, 1.39, .018), (-.72, -.12, .68), (.043, .032), 40),
    ("Index", "Index", (-.772, 1.403, .016), (-1, -.02, .06), (.04, .024), 3),
    ("Middle", "Middle", (-.776, 1.405, -.006), (-1, -.02, 0), (.044, .027), 0),
    ("Ring", "Ring", (-.771, 1.402, -.027), (-1, -.03, -.05), (.041, .026), -3),
    ("Little", "Little", (-.762, 1.397, -.045), (-1, -.04, -.11), (.032, .019), -7),
]


class Node:
    def __init__(self, name, parent, t, q):
        self.name, self.parent, self.t, self.q = name, parent, t, q


def _finger_rows():
    for finger, human, start, direction, lengths, roll in _FINGERS:
        place, parent, along = list(start), "Hand.L", unit(direction)
        for joint, word in enumerate(("Proximal", "Intermediate", "Distal")):
            name = f"{finger} {joint + 1}.L"
            yield (name, parent, f"Left{human}{word}", tuple(place), along, UP, roll + 2 * joint, "y")
            parent = name
            if joint < 2:
                place = [p + lengths[joint] * a for p, a in zip(place, along)]


def _orientation(place, aim, lean, roll_deg, long_axis, places):
    along = unit(sub(places[aim], place) if isinstance(aim, str) else aim)
    z = unit(sub(lean, scale(along, dot(along, lean))))
    if long_axis == "y":
        return qmul(from_columns(cross(along, z), along, z), about(1, deg(roll_deg)))
    return qmul(from_columns(along, cross(z, along), z), about(0, deg(roll_deg)))


def _global_rows():
    """(name, parent, human bone, place, rotation) in root space, parents first."""
    left = _LEFT + list(_finger_rows())
    places = {row[0]: row[3] for row in _CENTRE + left}
    rows = [("Walker", None, None, [0, 0, 0], [0, 0, 0, 1]),
            ("Armature", "Walker", None, [0, 0, 0], about(0, deg(-90)))]
    for name, parent, bone, place, *turn in _CENTRE:
        rows.append((name, parent, bone, list(place), _orientation(place, *turn, places)))
    for name, parent, bone, place, *turn in left:
        rows.append((name, parent, bone, list(place), _orientation(place, *turn, places)))
    for name, parent, bone, place, rotation in rows[2 + len(_CENTRE):]:
        rows.append((name.replace(".L", ".R"), parent.replace(".L", ".R"), bone and bone.replace("Left", "Right"),
                     mirror_v(place), mirror_q(rotation)))
    rows.append(("Prop: Lantern", "Hand.R", None, [.74, 1.36, .01], unit([.3, -.5, .2, .8])))
    return rows


# where a bone ends that no other bone follows: from its joint, left side
_TIPS = {"Head": (0, .2, .008), "Toes": (-.004, -.01, .07), "Thumb": (-.018, -.003, .017), "Finger": (-.02, -.002, 0)}


def tip_of(bone):
    """From a last bone's joint to its end, metres, in T-pose."""
    name = bone.replace("Left", "").replace("Right", "")
    tip = _TIPS.get(name) or _TIPS["Thumb" if name.startswith("Thumb") else "Finger"]
    return mirror_v(tip) if bone.startswith("Right") else list(tip)


REQUIRED = ("Hips", "UpperLeg", "LowerLeg", "Foot", "Spine", "Head", "UpperArm", "LowerArm", "Hand")


def walker_nodes():
    """The nodes with the local transforms the file states (float32), and the node of each human bone."""
    rows = _global_rows()
    index = {row[0]: i for i, row in enumerate(rows)}
    nodes, node_of_bone = [], {}
    for i, (name, parent, bone, place, rotation) in enumerate(rows):
        up = None if parent is None else index[parent]
        t, q = place, rotation
        if up is not None:
            to_parent = conj(rows[up][4])
            t, q = rotate(to_parent, sub(place, rows[up][3])), qmul(to_parent, rotation)
        if q[3] < 0:
            q = [-c for c in q]
        nodes.append(Node(name, up, [_stated(c) for c in t], [_stated(c) for c in q]))
        if bone:
            node_of_bone[bone] = i
    return nodes, node_of_bone


def unit_nodes(nodes):
    """As a reader takes them: rotations brought back to unit length."""
    return [Node(n.name, n.parent, n.t, unit(n.q)) for n in nodes]


def walker_meta():
    nodes, node_of_bone = walker_nodes()
    return meta_text(GUID, nodes, [(nodes[node_of_bone[b]].name, trait_name(b)) for b in BONES])


def walker_cut_meta():
    """The same body with the required bones alone and no node that is not above one of them."""
    nodes, node_of_bone = walker_nodes()
    bones = [b for b in BONES if b.replace("Left", "").replace("Right", "") in REQUIRED]
    kept = set()
    for bone in bones:
        node = node_of_bone[bone]
        while node is not None:
            kept.add(node)
            node = nodes[node].parent
    order = sorted(kept)
    place = {old: new for new, old in enumerate(order)}
    cut = [Node(nodes[i].name, place.get(nodes[i].parent), nodes[i].t, nodes[i].q) for i in order]
    return meta_text(GUID, cut, [(nodes[node_of_bone[b]].name, trait_name(b)) for b in bones], short=True)


def _stated(value):
    return 0.0 if abs(value) < 5e-9 else f32(value)
