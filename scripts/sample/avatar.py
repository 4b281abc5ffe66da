"""An independent model of the humanoid: T-pose -> muscle axes, muscles <-> bone rotations, body frame, IK goals.

Plain double arithmetic, written from the description of the maths and sharing nothing with the engine; it makes the
sample clip and serves as an oracle for tests. Unity's frame: left-handed, Y up, facing +Z, left hand at -X; metres.
"""
from sample.human import BONES, CHILDREN, LIMB_CHILD, MUSCLES
from sample.vec import about, add, atan, conj, cross, deg, from_columns, qmul, qprod, rotate, scale, sub, tan, unit

_AXIS = {"X": [1, 0, 0], "Y": [0, 1, 0], "Z": [0, 0, 1]}
GOALS = (("LeftFoot", True), ("RightFoot", True), ("LeftHand", False), ("RightHand", False))
_AIM = {"Hips": "Spine", "UpperChest": "Neck"}  # where a bone has more than one human child
_OWN_CENTRE = ("Head", "LeftHand", "RightHand", "LeftFoot", "RightFoot")
_NO_CENTRE = ("LeftToes", "RightToes", "LeftEye", "RightEye")


class Avatar:
    def __init__(self, nodes, node_of_bone, twist_share=0.5):
        """nodes: objects with parent (an index below their own, or None), t and q: the T-pose, no scales."""
        self.share = twist_share
        self.above_q = self._globals(nodes, node_of_bone)
        self.post, self.pre, self.mid, self.offset = {}, {}, {}, {}
        frames = {}
        for bone in BONES.values():
            frames[bone.name] = frame = self._muscle_frame(bone, frames)
            turn = unit([*bone.d, 1.0])
            self.post[bone.name] = qmul(conj(self.rest_q[bone.name]), frame)
            self.pre[bone.name] = qprod(conj(self.above_q[bone.name]), turn, frame)
            if bone.parent:
                to_parent = conj(self.rest_q[bone.parent])
                self.mid[bone.name] = qmul(to_parent, self.above_q[bone.name])
                self.offset[bone.name] = rotate(to_parent, sub(self.rest_t[bone.name], self.rest_t[bone.parent]))
        self.hips_rest_q = self.rest_q["Hips"]
        self.scale_m = self.centre_of_mass(self.rest_t)[1]
        self.rest_frame = self.body_frame(self.rest_t)

    # ---- avatar compile -------------------------------------------------------------------------

    def _globals(self, nodes, node_of_bone):
        q, t = [], []
        for node in nodes:
            up = node.parent
            q.append(node.q if up is None else qmul(q[up], node.q))
            t.append(node.t if up is None else add(t[up], rotate(q[up], node.t)))
        self.rest_q = {b: q[i] for b, i in node_of_bone.items()}
        self.rest_t = {b: t[i] for b, i in node_of_bone.items()}
        return {b: q[nodes[i].parent] for b, i in node_of_bone.items()}  # rotation of the parent NODE

    def _muscle_frame(self, bone, frames):
        if bone.x_rule == "child":
            aim = _AIM.get(bone.name) or CHILDREN[bone.name][0]
            x = unit(sub(self.rest_t[aim], self.rest_t[bone.name]))
        elif bone.x_rule == "parent":
            x = rotate(frames[bone.parent], [1, 0, 0])
        else:
            x = scale(_AXIS[bone.x_rule[1]], 1 if bone.x_rule[0] == "+" else -1)
        a, b = ({"x": x, **_AXIS}[name] for name in bone.y_rule.split("*"))
        y = unit(cross(a, b))
        return from_columns(x, y, cross(x, y))

    # ---- muscles <-> angles ---------------------------------------------------------------------

    @staticmethod
    def angle_rad(muscle, value):
        limit = muscle.max_deg if value >= 0 else -muscle.min_deg
        return BONES[muscle.bone].sgn[muscle.axis] * value * deg(limit)

    @staticmethod
    def muscle_value(muscle, angle_rad):
        signed = BONES[muscle.bone].sgn[muscle.axis] * angle_rad
        return signed / deg(muscle.max_deg if signed >= 0 else -muscle.min_deg)

    def angles_of(self, muscles):
        """{attribute: value} -> {bone: [x, y, z] radians}"""
        return {name: [self.angle_rad(m, muscles[m.attribute]) if m else 0.0 for m in bone.muscle]
                for name, bone in BONES.items()}

    def muscles_of(self, angles):
        return {m.attribute: self.muscle_value(m, angles[m.bone][m.axis]) for m in MUSCLES}

    # ---- angles <-> local rotations -------------------------------------------------------------

    def held(self, bone, x, y, z):
        swing = unit([0.0, tan(y / 2), tan(z / 2), 1.0])
        return qprod(self.pre[bone], swing, about(0, x), conj(self.post[bone]))

    def peel(self, bone, local):
        """The angles of a node's local rotation, twist first."""
        inner = qprod(conj(self.pre[bone]), local, self.post[bone])
        x = 2 * atan(inner[0] / inner[3])
        swing = qmul(inner, about(0, -x))
        return [x, 2 * atan(swing[1] / swing[3]), 2 * atan(swing[2] / swing[3])]

    def locals_of(self, angles, bones=None):
        """Local rotations of the bones' nodes; a limb bone keeps its share of the twist, its child gets the rest."""
        out, handed = {}, {}
        for bone in bones or BONES:
            if bone == "Hips":
                continue
            x, y, z = angles[bone]
            child = LIMB_CHILD.get(bone)
            if child:
                own = self.share * _wrapped(x)
                rest = qprod(self.post[bone], about(0, _wrapped(x) - own), conj(self.post[bone]))
                handed[child] = qprod(conj(self.mid[child]), rest, self.mid[child])
                x = own
            out[bone] = self.held(bone, x, y, z)
            if bone in handed:
                out[bone] = qmul(handed[bone], out[bone])
        return out

    def place(self, local, hips_q, hips_t, bones=None):
        """Global rotations and positions of the human bones."""
        q, t = {"Hips": hips_q}, {"Hips": hips_t}
        for bone in bones or BONES:
            if bone != "Hips":
                up = BONES[bone].parent
                q[bone] = qprod(q[up], self.mid[bone], local[bone])
                t[bone] = add(t[up], rotate(q[up], self.offset[bone]))
        return q, t

    # ---- the body's place and frame -------------------------------------------------------------

    @staticmethod
    def centre_of_mass(t):
        total, mass = [0.0, 0.0, 0.0], 0.0
        for name, bone in BONES.items():
            if not bone.mass:
                continue
            points = [] if name == "Hips" else [t["LeftUpperArm" if name == "LeftLowerArm" else name]]
            if name not in _OWN_CENTRE:
                points += [t[c] for c in CHILDREN[name] if c not in _NO_CENTRE]
            for p in points:
                total = add(total, scale(p, bone.mass / len(points)))
            mass += bone.mass
        return scale(total, 1 / mass)

    @staticmethod
    def body_frame(t):
        """From origins placed with the hips at their T-pose rotation; x and z stay shorter than 1 (sic)."""
        la, ra, ll, rl = (t[b] for b in ("LeftUpperArm", "RightUpperArm", "LeftUpperLeg", "RightUpperLeg"))
        y = unit(scale(sub(add(la, ra), add(ll, rl)), 0.5))
        z = cross(unit(add(sub(ra, la), sub(rl, ll))), y)
        x = cross(y, z)
        return unit([y[2] - z[1], z[0] - x[2], x[1] - y[0], 1 + x[0] + y[1] + z[2]])

    def root_of(self, local, hips_q, hips_t):
        """Hips -> (RootT, RootQ)."""
        _, turned = self.place(local, self.hips_rest_q, [0.0, 0.0, 0.0])
        to_frame = qmul(self.body_frame(turned), conj(self.rest_frame))
        _, t = self.place(local, hips_q, hips_t)
        return scale(self.centre_of_mass(t), 1 / self.scale_m), qprod(hips_q, conj(self.hips_rest_q), to_frame)

    def hips_of(self, local, root_t, root_q):
        """(RootT, RootQ) -> hips."""
        _, turned = self.place(local, self.hips_rest_q, [0.0, 0.0, 0.0])
        hips_q = qprod(root_q, self.rest_frame, conj(self.body_frame(turned)), self.hips_rest_q)
        _, t = self.place(local, hips_q, [0.0, 0.0, 0.0])
        return hips_q, sub(scale(root_t, self.scale_m), self.centre_of_mass(t))

    def goals_of(self, q, t, root_t, root_q):
        """The stored (T, Q) of the four IK goals: of the sole for a foot, of the wrist for a hand."""
        goals = {}
        for bone, is_foot in GOALS:
            goal_q = qmul(q[bone], self.post[bone])
            reach = self.rest_t[bone][1] if is_foot else 0.0
            goal_t = add(t[bone], rotate(goal_q, [reach, 0.0, 0.0]))
            from_body = sub(goal_t, scale(root_t, self.scale_m))
            goals[bone] = (scale(rotate(conj(root_q), from_body), 1 / self.scale_m), qmul(conj(root_q), goal_q))
        return goals


def _wrapped(angle_rad):
    turn = deg(360)
    while angle_rad > turn / 2:
        angle_rad -= turn
    while angle_rad <= -turn / 2:
        angle_rad += turn
    return angle_rad
