"""The walker as a character: a GLB of its nodes, a skinned mesh of a prism per bone, and a material.

glTF's frame is right-handed: Unity's seen in a mirror across x = 0. The character rests with lowered arms and bent
elbows, in which its mesh is bound, so that its T-pose has to be found.
"""
import json
import struct

from sample.human import BONES, CHILDREN
from sample.vec import about, add, conj, cross, deg, dot, mirror_q, mirror_v, qmul, qprod, rotate, scale, sub, unit
from sample.walker import Node, tip_of

# turns of the left side about the body's own axes (Unity's)
_REST_TURNS = {"LeftUpperArm": about(2, deg(42)), "LeftLowerArm": about(1, deg(9))}
# of a bone, without its side: half its width and half its depth, metres; of others, a finger's
_GIRTH = {"Hips": (.13, .085), "Spine": (.12, .08), "Chest": (.135, .09), "UpperChest": (.14, .095), "Neck": (.05, .05),
          "Head": (.075, .09), "Shoulder": (.04, .045), "UpperArm": (.042, .042), "LowerArm": (.034, .034),
          "Hand": (.04, .014), "UpperLeg": (.068, .072), "LowerLeg": (.05, .053), "Foot": (.042, .03), "Toes": (.042, .014)}
_FINGER = (.008, .008)
_FLAT = ("Hand", "Foot", "Toes")  # their depth is upwards in T-pose, that of others forwards
_TAPER = .82
_COLOUR = [.34, .47, .62, 1]
_SIDES = ((0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7), (3, 2, 1, 0), (4, 5, 6, 7))
_BODILESS = ("LeftEye", "RightEye", "Jaw")  # joints of the skin that move no corner
_FLOAT, _BYTE, _SHORT = 5126, 5121, 5123


# ---- nodes ----------------------------------------------------------------------------------------

def _globals(nodes):
    q, t = [], []
    for node in nodes:
        up = node.parent
        q.append(node.q if up is None else qmul(q[up], node.q))
        t.append(node.t if up is None else add(t[up], rotate(q[up], node.t)))
    return q, t


def _without(nodes, node_of_bone, name):
    """The same body without a helper."""
    gone = next(i for i, n in enumerate(nodes) if n.name == name)
    helper, out = nodes[gone], []
    for node in nodes[:gone] + nodes[gone + 1:]:
        up, t, q = node.parent, node.t, node.q
        if up == gone:
            up, t, q = helper.parent, add(helper.t, rotate(helper.q, t)), qmul(helper.q, q)
        out.append(Node(node.name, up if up is None or up < gone else up - 1, t, q))
    return out, {b: i - (i > gone) for b, i in node_of_bone.items()}


def _resting(nodes, node_of_bone):
    """The nodes turned from the T-pose into the rest, with numbers as the file states them."""
    turns = dict(_REST_TURNS)
    turns.update({b.replace("Left", "Right"): mirror_q(q) for b, q in _REST_TURNS.items()})
    turn_of_node = {node_of_bone[b]: q for b, q in turns.items()}
    tpose_q, _ = _globals(nodes)
    out = []
    for i, node in enumerate(nodes):
        q = node.q
        if i in turn_of_node:
            above = tpose_q[node.parent]
            q = qprod(conj(above), turn_of_node[i], above, q)
        q = [_stated(c) for c in unit(q if q[3] >= 0 else scale(q, -1))]
        out.append(Node(node.name, node.parent, [_stated(c) for c in node.t], q))
    return out


def _stated(value):
    """Seven digits: a little short of float32."""
    return float(f"{value:.7g}") if abs(value) >= 5e-9 else 0.0


# ---- the mesh -------------------------------------------------------------------------------------

def _next(bone):
    """The bone that the prism ends at."""
    followers = [c for c in CHILDREN[bone] if c not in _BODILESS]
    straight = [c for c in followers if c in ("Spine", "Neck") or c.endswith("MiddleProximal")]
    return (straight or followers or [None])[0]


def _prism(start, end, girth, depth_axis):
    """Eight corners, four about the start and four about the end."""
    along = unit(sub(end, start))
    depth = unit(sub(depth_axis, scale(along, dot(along, depth_axis))))
    width = cross(along, depth)
    corners = []
    for at, taper in ((start, 1.0), (end, _TAPER)):
        for u, v in ((-1, -1), (1, -1), (1, 1), (-1, 1)):
            across = add(scale(width, taper * u * girth[0]), scale(depth, taper * v * girth[1]))
            corners.append(add(at, across))
    return corners


def _mesh(nodes, rest, node_of_bone):
    """Corners in the rest, the joint of each, and triangles."""
    q, t = _globals(nodes)
    rest_q, rest_t = _globals(rest)
    corners, joints, triangles = [], [], []
    for joint, bone in enumerate(BONES):
        if bone in _BODILESS:
            continue
        node, plain, after = node_of_bone[bone], bone.replace("Left", "").replace("Right", ""), _next(bone)
        end = t[node_of_bone[after]] if after else add(t[node], tip_of(bone))
        upwards = plain in _FLAT or plain not in _GIRTH
        start = add(t[node], [0, -.06, 0]) if bone == "Hips" else t[node]
        prism = _prism(start, end, _GIRTH.get(plain, _FINGER), [0, 1, 0] if upwards else [0, 0, 1])
        to_rest = qmul(rest_q[node], conj(q[node]))
        first = len(corners)
        corners += [add(rest_t[node], rotate(to_rest, sub(c, t[node]))) for c in prism]
        joints += [joint] * len(prism)
        for a, b, c, d in _SIDES:
            triangles += [first + i for i in (a, b, c, a, c, d)]
    return corners, joints, triangles


def _inverse_bind(q, t):
    """Column-major, of a node's place in the rest, seen in the mirror."""
    back = conj(mirror_q(q))
    columns = [rotate(back, axis) for axis in ([1, 0, 0], [0, 1, 0], [0, 0, 1])]
    moved = scale(rotate(back, mirror_v(t)), -1)
    return [*columns[0], 0, *columns[1], 0, *columns[2], 0, *moved, 1]


# ---- the file -------------------------------------------------------------------------------------

class _Binary:
    """The buffer, its views and accessors."""

    def __init__(self):
        self.bytes, self.views, self.accessors = bytearray(), [], []

    def add(self, form, component, kind, values, target=None, **more):
        width = {"SCALAR": 1, "VEC3": 3, "VEC4": 4, "MAT4": 16}[kind]
        view = {"buffer": 0, "byteOffset": len(self.bytes), "byteLength": struct.calcsize(f"<{len(values)}{form}")}
        if target:
            view["target"] = target
        self.bytes += struct.pack(f"<{len(values)}{form}", *values)
        self.bytes += b"\0" * (-len(self.bytes) % 4)
        self.views.append(view)
        self.accessors.append({"bufferView": len(self.views) - 1, "componentType": component,
                               "count": len(values) // width, "type": kind, **more})
        return len(self.accessors) - 1


def _single(values):
    return list(struct.unpack(f"<{len(values)}f", struct.pack(f"<{len(values)}f", *values)))


def _node_json(node, below):
    out = {"name": node.name}
    t, q = mirror_v(node.t), mirror_q(node.q)
    if any(t):
        out["translation"] = [c + 0.0 for c in t]
    if q != [0, 0, 0, 1]:
        out["rotation"] = [c + 0.0 for c in q]
    if below:
        out["children"] = below
    return out


def character_glb(nodes, node_of_bone):
    """nodes: the walker's, in T-pose."""
    nodes, node_of_bone = _without(nodes, node_of_bone, "Pelvis Tilt")
    rest = _resting(nodes, node_of_bone)
    rest_q, rest_t = _globals(rest)
    corners, joints, triangles = _mesh(nodes, rest, node_of_bone)
    places = _single([c for corner in corners for c in mirror_v(corner)])
    binary = _Binary()
    bounds = {name: [pick(places[axis::3]) for axis in range(3)] for name, pick in (("min", min), ("max", max))}
    attributes = {
        "POSITION": binary.add("f", _FLOAT, "VEC3", places, 34962, **bounds),
        "JOINTS_0": binary.add("B", _BYTE, "VEC4", [c for j in joints for c in (j, 0, 0, 0)], 34962),
        "WEIGHTS_0": binary.add("B", _BYTE, "VEC4", [255, 0, 0, 0] * len(joints), 34962, normalized=True)}
    indices = binary.add("H", _SHORT, "SCALAR", triangles, 34963)
    binds = [c for b in BONES for c in _inverse_bind(rest_q[node_of_bone[b]], rest_t[node_of_bone[b]])]
    bind = binary.add("f", _FLOAT, "MAT4", binds)
    below = [[k for k, other in enumerate(rest) if other.parent == i] for i in range(len(rest))]
    document = {
        "asset": {"version": "2.0", "generator": "scripts/make_sample.py"}, "scene": 0,
        "scenes": [{"nodes": [0, len(rest)]}],
        "nodes": [_node_json(n, b) for n, b in zip(rest, below)] + [{"name": "Body", "mesh": 0, "skin": 0}],
        "meshes": [{"name": "Body", "primitives": [{"attributes": attributes, "indices": indices, "material": 0}]}],
        "materials": [{"name": "Cloth", "pbrMetallicRoughness": {"baseColorFactor": _COLOUR, "metallicFactor": 0,
                                                                 "roughnessFactor": .9}}],
        "skins": [{"name": "Body", "inverseBindMatrices": bind, "joints": [node_of_bone[b] for b in BONES]}],
        "accessors": binary.accessors, "bufferViews": binary.views, "buffers": [{"byteLength": len(binary.bytes)}]}
    text = json.dumps(document, separators=(",", ":")).encode("ascii")
    text += b" " * (-len(text) % 4)
    return (struct.pack("<4sII", b"glTF", 2, 28 + len(text) + len(binary.bytes)) + struct.pack("<I4s", len(text), b"JSON")
            + text + struct.pack("<I4s", len(binary.bytes), b"BIN\0") + bytes(binary.bytes))
