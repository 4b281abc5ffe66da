"""Where the nodes of a GLB are, by a reader of its own: written for reading, not for speed. What it does not know (sparse
accessors, other files) it refuses."""
import bisect
import json
import math
import struct
from pathlib import Path

WIDTHS = {"SCALAR": 1, "VEC3": 3, "VEC4": 4, "MAT4": 16}
COMPONENTS = {5120: ("b", 127), 5121: ("B", 255), 5122: ("h", 32767), 5123: ("H", 65535), 5126: ("f", None)}


class Glb:
    def __init__(self, path):
        data = Path(path).read_bytes()
        magic, version, length = struct.unpack_from("<4sII", data)
        if magic != b"glTF" or version != 2 or length != len(data):
            raise ValueError(f"{path}: no GLB")
        json_length, kind = struct.unpack_from("<I4s", data, 12)
        if kind != b"JSON":
            raise ValueError(f"{path}: its first chunk is no JSON")
        self.json = json.loads(data[20 : 20 + json_length])
        self.bytes = memoryview(data)[20 + json_length + 8 :]
        self.nodes = self.json["nodes"]
        self.names = [node.get("name", "") for node in self.nodes]
        self.parents = [-1] * len(self.nodes)
        for index, node in enumerate(self.nodes):
            for child in node.get("children", []):
                self.parents[child] = index

    def values(self, index):
        """An accessor's elements, each a tuple of its components."""
        accessor = self.json["accessors"][index]
        view = self.json["bufferViews"][accessor["bufferView"]]
        if "sparse" in accessor or view.get("buffer", 0) != 0:
            raise ValueError("sparse, or in another file")
        letter, most = COMPONENTS[accessor["componentType"]]
        if most and not accessor.get("normalized"):
            raise ValueError("integers that are not shares of one")
        element = struct.Struct(f"<{WIDTHS[accessor['type']]}{letter}")
        start = view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
        stride = view.get("byteStride") or element.size
        found = [element.unpack_from(self.bytes, start + i * stride) for i in range(accessor["count"])]
        return [tuple(max(v / most, -1) for v in values) for values in found] if most else found

    def tracks(self, animation):
        """{(node, path): (interpolation, times, values)}"""
        found = {}
        samplers = self.json["animations"][animation]["samplers"]
        for channel in self.json["animations"][animation]["channels"]:
            sampler = samplers[channel["sampler"]]
            key = channel["target"]["node"], channel["target"]["path"]
            times_s = [time for (time,) in self.values(sampler["input"])]
            found[key] = (sampler.get("interpolation", "LINEAR"), times_s, self.values(sampler["output"]))
        return found

    def places(self, tracks, time_s):
        """World places of all nodes at a time; tracks {} at rest."""
        world = {}

        def of(node):
            if node not in world:
                m = self.local(node, tracks, time_s)
                world[node] = m if self.parents[node] < 0 else multiply(of(self.parents[node]), m)
            return world[node]

        return [[of(node)[r][3] for r in range(3)] for node in range(len(self.nodes))]

    def local(self, index, tracks, time_s):
        node = self.nodes[index]
        if "matrix" in node:
            if any((index, path) in tracks for path in ("translation", "rotation", "scale")):
                raise ValueError("a node that has a matrix moves")
            return [[node["matrix"][c * 4 + r] for c in range(4)] for r in range(3)]

        def value(path, rest):
            track = tracks.get((index, path))
            return sample(*track, time_s, path == "rotation") if track else node.get(path, rest)

        t, q, s = value("translation", (0, 0, 0)), value("rotation", (0, 0, 0, 1)), value("scale", (1, 1, 1))
        x, y, z, w = normalised(q)
        turn = [
            [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
        ]
        return [[turn[r][c] * s[c] for c in range(3)] + [t[r]] for r in range(3)]


def multiply(a, b):
    return [[sum(a[r][k] * b[k][c] for k in range(3)) + (a[r][3] if c == 3 else 0) for c in range(4)] for r in range(3)]


def normalised(q):
    length = math.sqrt(sum(v * v for v in q))
    return [v / length for v in q]


def slerp(a, b, share):
    a, b = normalised(a), normalised(b)
    dot = sum(x * y for x, y in zip(a, b))
    if dot < 0:
        b, dot = [-v for v in b], -dot
    angle = math.acos(min(1, dot))
    if angle < 1e-9:
        return [x + share * (y - x) for x, y in zip(a, b)]
    return [(math.sin((1 - share) * angle) * x + math.sin(share * angle) * y) / math.sin(angle) for x, y in zip(a, b)]


def sample(interpolation, times_s, values, time_s, rotation):
    cubic = interpolation == "CUBICSPLINE"
    value = (lambda key: values[3 * key + 1]) if cubic else (lambda key: values[key])
    if time_s <= times_s[0]:
        return value(0)
    if time_s >= times_s[-1]:
        return value(len(times_s) - 1)
    key = bisect.bisect_right(times_s, time_s) - 1
    length_s = times_s[key + 1] - times_s[key]
    s = (time_s - times_s[key]) / length_s
    if interpolation == "STEP":
        return value(key)
    if cubic:
        h = (2 * s**3 - 3 * s**2 + 1, length_s * (s**3 - 2 * s**2 + s), 3 * s**2 - 2 * s**3, length_s * (s**3 - s**2))
        parts = values[3 * key + 1], values[3 * key + 2], values[3 * key + 4], values[3 * key + 3]
        return [sum(weight * part[i] for weight, part in zip(h, parts)) for i in range(len(parts[0]))]
    if rotation:
        return slerp(value(key), value(key + 1), s)
    return [x + s * (y - x) for x, y in zip(value(key), value(key + 1))]
