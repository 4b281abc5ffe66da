"""FBX files, written by what the format is known to be: a tree of records, as text or binary, and in it a scene of nodes
that move by curves. Where its nodes are is worked out here by the format's own formula, in double precision."""
import math
import struct

SECOND = 46186158000  # FBX's ticks
ORDERS = ["XYZ", "XZY", "YZX", "YXZ", "ZXY", "ZYX"]  # RotationOrder 0 to 5: the axis turned about first stands first


class Long(int):
    """A number of 64 bits."""


class Array(list):
    """An array of one kind: 'i', 'l', 'f' or 'd'."""

    def __init__(self, kind, values):
        super().__init__(values)
        self.kind = kind


def record(name, *values, inside=()):
    return (name, values, list(inside))


# ---- a tree as text ----


def text_value(value):
    if isinstance(value, str):
        # an object's name: its class stands in front
        name, _, kind = value.partition("\0\x01")
        return f'"{kind}::{name}"' if kind else f'"{value}"'
    return repr(float(value)) if isinstance(value, float) else str(int(value))


def text_record(tree, depth=0):
    name, values, inside = tree
    tabs = "\t" * depth
    if len(values) == 1 and isinstance(values[0], Array):
        numbers = ",".join(map(text_value, values[0]))
        return f"{tabs}{name}: *{len(values[0])} {{\n{tabs}\ta: {numbers}\n{tabs}}}\n"
    line = f"{tabs}{name}: " + ", ".join(map(text_value, values))
    if not inside:
        return line + ("\n" if values else " {\n" + tabs + "}\n")
    return line + " {\n" + "".join(text_record(child, depth + 1) for child in inside) + tabs + "}\n"


def as_text(records):
    return ("; FBX 7.4.0 project file\n" + "".join(map(text_record, records))).encode()


# ---- a tree as bytes ----


def binary_value(value):
    if isinstance(value, Array):
        data = struct.pack(f"<{len(value)}{value.kind.replace('l', 'q')}", *value)
        return value.kind.encode() + struct.pack("<III", len(value), 0, len(data)) + data
    if isinstance(value, str):
        data = value.encode()
        return b"S" + struct.pack("<I", len(data)) + data
    if isinstance(value, float):
        return b"D" + struct.pack("<d", value)
    return b"L" + struct.pack("<q", value) if isinstance(value, Long) else b"I" + struct.pack("<i", value)


def binary_record(tree, start):
    name, values, inside = tree
    properties = b"".join(map(binary_value, values))
    body = properties
    head = 13 + len(name)
    for child in inside:
        body += binary_record(child, start + head + len(body))
    if inside or not values:
        body += bytes(13)
    end = start + head + len(body)
    return struct.pack("<IIIB", end, len(values), len(properties), len(name)) + name.encode() + body


def as_binary(records):
    data = b"Kaydara FBX Binary  \0\x1a\0" + struct.pack("<I", 7400)
    for tree in records:
        data += binary_record(tree, len(data))
    return data + bytes(13)


# ---- a scene ----


class Node:
    """One model: angles in degrees, places in the file's unit."""

    def __init__(self, name, parent=None, t=(0, 0, 0), r=(0, 0, 0), s=(1, 1, 1), pre=None, order=0, skin=None, **more):
        self.name, self.parent = name, parent
        self.t, self.r, self.s = list(t), list(r), list(s)
        self.pre, self.order = pre, order
        self.more = more  # PostRotation, RotationOffset, RotationPivot, ScalingOffset, ScalingPivot
        self.skin = skin  # of a mesh: the nodes it is bound to


class Take:
    """curves: {(node, "T", "R" or "S"): (times in seconds, three lists of values)}"""

    def __init__(self, name, curves, start_s=0.0, stop_s=1.0):
        self.name, self.curves, self.start_s, self.stop_s = name, curves, start_s, stop_s


CHANNELS = {"T": "Lcl Translation", "R": "Lcl Rotation", "S": "Lcl Scaling"}


def number(name, value):
    return record("P", name, "double", "Number", "", float(value))


def vector(name, value, flags="A"):
    return record("P", name, name, "", flags, *map(float, value))


def model_records(nodes, ids):
    for node in nodes:
        properties = [
            vector("Lcl Translation", node.t),
            vector("Lcl Rotation", node.r),
            vector("Lcl Scaling", node.s),
            record("P", "RotationActive", "bool", "", "", 1),
            record("P", "InheritType", "enum", "", "", 1),
            record("P", "RotationOrder", "enum", "", "", node.order),
        ]
        if node.pre:
            properties.append(record("P", "PreRotation", "Vector3D", "Vector", "", *map(float, node.pre)))
        for name, value in node.more.items():
            properties.append(record("P", name, "Vector3D", "Vector", "", *map(float, value)))
        kind = "Mesh" if node.skin else "LimbNode"
        yield record("Model", Long(ids[node]), node.name + "\0\x01Model", kind,
                     inside=[record("Version", 232), record("Properties70", inside=properties)])


def flat(matrix):
    """Column after column, as the format has it."""
    return Array("d", [matrix[r][c] if r < 3 else float(c == 3) for c in range(4) for r in range(4)])


def skin_records(node, ids, connections, new_id, places):
    geometry, skin = new_id(), new_id()
    corners = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0]
    yield record("Geometry", Long(geometry), node.name + "\0\x01Geometry", "Mesh", inside=[
        record("Vertices", Array("d", corners)), record("PolygonVertexIndex", Array("i", [0, 1, -3]))])
    yield record("Deformer", Long(skin), "Skin\0\x01Deformer", "Skin", inside=[record("Version", 101)])
    connections += [(geometry, ids[node], None), (skin, geometry, None)]
    for joint in node.skin:
        cluster = new_id()
        yield record("Deformer", Long(cluster), joint.name + "\0\x01SubDeformer", "Cluster", inside=[
            record("Version", 100),
            record("Indexes", Array("i", [0, 1, 2])),
            record("Weights", Array("d", [1.0 / len(node.skin)] * 3)),
            record("Transform", flat(multiply(inverse(places[joint]), places[node]))),
            record("TransformLink", flat(places[joint]))])
        connections += [(cluster, skin, None), (ids[joint], cluster, None)]


def take_records(take, ids, connections, new_id):
    stack, layer = new_id(), new_id()
    span = [record("P", name, "KTime", "Time", "", Long(round(at_s * SECOND)))
            for name, at_s in (("LocalStart", take.start_s), ("LocalStop", take.stop_s))]
    yield record("AnimationStack", Long(stack), take.name + "\0\x01AnimStack", "",
                 inside=[record("Properties70", inside=span)])
    yield record("AnimationLayer", Long(layer), "Base\0\x01AnimLayer", "", inside=[record("Version", 100)])
    connections.append((layer, stack, None))
    for (node, channel), (times_s, values) in take.curves.items():
        curves = new_id()
        yield record("AnimationCurveNode", Long(curves), channel + "\0\x01AnimCurveNode", "", inside=[
            record("Properties70", inside=[number("d|" + axis, values[i][0]) for i, axis in enumerate("XYZ")])])
        connections += [(curves, layer, None), (curves, ids[node], CHANNELS[channel])]
        for i, axis in enumerate("XYZ"):
            curve = new_id()
            yield record("AnimationCurve", Long(curve), "\0\x01AnimCurve", "", inside=[
                record("KeyVer", 4008),
                record("KeyTime", Array("l", [round(at_s * SECOND) for at_s in times_s])),
                record("KeyValueFloat", Array("f", values[i])),
                record("KeyAttrFlags", Array("i", [4])),  # straight lines
                record("KeyAttrDataFloat", Array("f", [0.0, 0.0, 0.0, 0.0])),
                record("KeyAttrRefCount", Array("i", [len(times_s)]))])
            connections.append((curve, curves, "d|" + axis))


def scene(nodes, takes, unit_cm=1.0, time_mode=6):
    """The records of a file. time_mode 6 is 30 frames a second, 0 the format's own default."""
    last = [1000]

    def new_id():
        last[0] += 1
        return last[0]

    ids = {node: new_id() for node in nodes}
    places = world(nodes, lambda node, channel: {"T": node.t, "R": node.r, "S": node.s}[channel])
    connections = [(ids[node], ids[node.parent] if node.parent else 0, None) for node in nodes]
    objects = list(model_records(nodes, ids))
    for node in nodes:
        if node.skin:
            objects += skin_records(node, ids, connections, new_id, places)
    for take in takes:
        objects += take_records(take, ids, connections, new_id)
    lines = [record("C", "OP" if name else "OO", Long(child), Long(parent), *([name] if name else []))
             for child, parent, name in connections]
    settings = [number("UnitScaleFactor", unit_cm), record("P", "TimeMode", "enum", "", "", time_mode)]
    for name, value in (("UpAxis", 1), ("UpAxisSign", 1), ("FrontAxis", 2), ("FrontAxisSign", 1), ("CoordAxis", 0), ("CoordAxisSign", 1)):
        settings.append(record("P", name, "int", "Integer", "", value))
    return [
        record("FBXHeaderExtension", inside=[record("FBXHeaderVersion", 1003), record("FBXVersion", 7400)]),
        record("GlobalSettings", inside=[record("Version", 1000), record("Properties70", inside=settings)]),
        record("Definitions", inside=[record("Version", 100), record("Count", len(objects))]),
        record("Objects", inside=objects),
        record("Connections", inside=lines),
    ]


# ---- where its nodes are ----


def multiply(a, b):
    return [[sum(a[r][k] * b[k][c] for k in range(3)) + (a[r][3] if c == 3 else 0) for c in range(4)] for r in range(3)]


def inverse(m):
    """Of turns, moves and the same scale along all axes."""
    square = sum(m[r][0] ** 2 for r in range(3))
    turn = [[m[c][r] / square for c in range(3)] for r in range(3)]
    return [turn[r] + [-sum(turn[r][k] * m[k][3] for k in range(3))] for r in range(3)]


def about(axis, degrees):
    m = [[float(r == c) for c in range(4)] for r in range(3)]
    c, s, i, j = math.cos(math.radians(degrees)), math.sin(math.radians(degrees)), (axis + 1) % 3, (axis + 2) % 3
    m[i][i], m[i][j], m[j][i], m[j][j] = c, -s, s, c
    return m


def turn(angles, order=0):
    m = [[float(r == c) for c in range(4)] for r in range(3)]
    for axis in ORDERS[order]:
        m = multiply(about("XYZ".index(axis), angles["XYZ".index(axis)]), m)
    return m


def moved(t, sign=1):
    return [[float(r == c) for c in range(3)] + [sign * t[r]] for r in range(3)]


def local(node, value):
    """The format's formula: T Roff Rp pre R inverse(post) inverse(Rp) Soff Sp S inverse(Sp)."""
    none = (0, 0, 0)
    turned = node.more.get("RotationPivot", none)
    scaled = node.more.get("ScalingPivot", none)
    s = value(node, "S")
    m = moved(value(node, "T"))
    for factor in (
        moved(node.more.get("RotationOffset", none)),
        moved(turned),
        turn(node.pre or none),
        turn(value(node, "R"), node.order),
        inverse(turn(node.more.get("PostRotation", none))),
        moved(turned, -1),
        moved(node.more.get("ScalingOffset", none)),
        moved(scaled),
        [[s[r] * (r == c) for c in range(3)] + [0.0] for r in range(3)],
        moved(scaled, -1),
    ):
        m = multiply(m, factor)
    return m


def world(nodes, value):
    """Of each node its matrix; value gives (node, "T", "R" or "S")."""
    places = {}
    for node in nodes:
        m = local(node, value)
        places[node] = multiply(places[node.parent], m) if node.parent else m
    return places


def at_key(take, index):
    """The value of each channel at its key of that number: for takes whose curves share their times."""

    def value(node, channel):
        if (node, channel) in take.curves:
            return [axis[index] for axis in take.curves[node, channel][1]]
        return {"T": node.t, "R": node.r, "S": node.s}[channel]

    return value
