"""Unity's text forms: float32 numbers, an AnimationClip, and a model's .meta; and how a curve of keys is evaluated."""
import struct
from decimal import Decimal

SERIALIZED_NEAR_ZERO = 1e-9  # below this a number is noise here, and the editor would write an exponent


# ---- numbers --------------------------------------------------------------------------------------

def f32(value):
    return struct.unpack("<f", struct.pack("<f", value))[0]


def number(value):
    """The shortest decimal that reads back as the same float32, in fixed notation."""
    single = f32(value)
    if abs(single) < SERIALIZED_NEAR_ZERO:
        return "0"
    text = next(t for t in (f"{single:.{digits}g}" for digits in range(6, 10)) if f32(float(t)) == single)
    fixed = format(Decimal(text), "f")
    return fixed.rstrip("0").rstrip(".") if "." in fixed else fixed


def scalar(name):
    """A plain scalar, quoted where YAML would read something else."""
    return "'" + name.replace("'", "''") + "'" if ": " in name or name[:1] in "[{&*!|>%@`'\"#-" else name


# ---- curves ---------------------------------------------------------------------------------------

class Key:
    """A key as the file holds it: every number rounded to float32 as `number` prints it."""

    def __init__(self, time_s, value, slope):
        self.time_s, self.value, self.slope = (f32(float(number(n))) for n in (time_s, value, slope))


def hermite(value_a, slope_a, value_b, slope_b, width, at):
    """The cubic over a segment of `width`, `at` from its beginning."""
    u = at / width
    v = 1 - u
    return ((1 + 2 * u) * v * v * value_a + u * v * v * width * slope_a
            + u * u * (3 - 2 * u) * value_b - u * u * v * width * slope_b)


def evaluate(keys, time_s):
    """Unweighted keys: cubic Hermite between them, clamped outside."""
    if time_s <= keys[0].time_s:
        return keys[0].value
    for a, b in zip(keys, keys[1:]):
        if time_s < b.time_s:
            return hermite(a.value, a.slope, b.value, b.slope, b.time_s - a.time_s, time_s - a.time_s)
    return keys[-1].value


# ---- the clip -------------------------------------------------------------------------------------

_CLIP_HEAD = """%YAML 1.1
%TAG !u! tag:unity3d.com,2011:
--- !u!74 &7400000
AnimationClip:
  m_ObjectHideFlags: 0
  m_CorrespondingSourceObject: {{fileID: 0}}
  m_PrefabInstance: {{fileID: 0}}
  m_PrefabAsset: {{fileID: 0}}
  m_Name: {name}
  serializedVersion: 7
  m_Legacy: 0
  m_Compressed: 0
  m_UseHighQualityCurve: 1
  m_RotationCurves: []
  m_CompressedRotationCurves: []
  m_EulerCurves: []
  m_PositionCurves: []
  m_ScaleCurves: []
  m_FloatCurves:
"""
_KEY = """      - serializedVersion: 3
        time: {time}
        value: {value}
        inSlope: {slope}
        outSlope: {slope}
        tangentMode: 0
        weightedMode: 0
        inWeight: 0.33333334
        outWeight: 0.33333334
"""
_CURVE_TAIL = """      m_PreInfinity: 2
      m_PostInfinity: 2
      m_RotationOrder: 4
    attribute: {attribute}
    path: 
    classID: 95
    script: {{fileID: 0}}
    flags: 0
"""
_CLIP_TAIL = """  m_PPtrCurves: []
  m_SampleRate: {rate}
  m_WrapMode: 0
  m_Bounds:
    m_Center: {{x: 0, y: 0, z: 0}}
    m_Extent: {{x: 0, y: 0, z: 0}}
  m_ClipBindingConstant:
    genericBindings: []
    pptrCurveMapping: []
  m_AnimationClipSettings:
    serializedVersion: 2
    m_AdditiveReferencePoseClip: {{fileID: 0}}
    m_AdditiveReferencePoseTime: 0
    m_StartTime: 0
    m_StopTime: {stop}
    m_OrientationOffsetY: 0
    m_Level: 0
    m_CycleOffset: 0
    m_HasAdditiveReferencePose: 0
    m_LoopTime: 1
    m_LoopBlend: 0
    m_LoopBlendOrientation: 0
    m_LoopBlendPositionY: 0
    m_LoopBlendPositionXZ: 0
    m_KeepOriginalOrientation: 1
    m_KeepOriginalPositionY: 1
    m_KeepOriginalPositionXZ: 1
    m_HeightFromFeet: 0
    m_Mirror: 0
  m_EditorCurves: []
  m_EulerEditorCurves: []
  m_HasGenericRootTransform: 0
  m_HasMotionFloatCurves: 0
  m_Events: []
"""


def clip_text(name, curves, rate_hz, stop_s):
    """curves: {attribute: [Key]} in the order to be written."""
    parts = [_CLIP_HEAD.format(name=scalar(name))]
    for attribute, keys in curves.items():
        parts.append("  - serializedVersion: 2\n    curve:\n      serializedVersion: 2\n      m_Curve:\n")
        parts += [_KEY.format(time=number(k.time_s), value=number(k.value), slope=number(k.slope)) for k in keys]
        parts.append(_CURVE_TAIL.format(attribute=attribute))
    parts.append(_CLIP_TAIL.format(rate=number(rate_hz), stop=number(stop_s)))
    return "".join(parts)


# ---- the model's .meta ----------------------------------------------------------------------------

_META_HEAD = """fileFormatVersion: 2
guid: {guid}
ModelImporter:
  serializedVersion: 22200
  internalIDToNameTable: []
  externalObjects: {{}}
  materials:
    materialImportMode: 2
    materialName: 0
    materialSearch: 1
    materialLocation: 1
  animations:
    legacyGenerateAnimations: 4
    bakeSimulation: 0
    resampleCurves: 1
    optimizeGameObjects: 0
    removeConstantScaleCurves: 0
    motionNodeName: 
    animationCompression: 1
    animationRotationError: 0.5
    animationPositionError: 0.5
    animationScaleError: 0.5
    animationWrapMode: 0
    extraExposedTransformPaths: []
    extraUserProperties: []
    clipAnimations: []
    isReadable: 0
  meshes:
    lODScreenPercentages: []
    globalScale: 1
    meshCompression: 0
    addColliders: 0
    useFileUnits: 1
    useFileScale: 1
    bakeAxisConversion: 0
    preserveHierarchy: 0
    maxBonesPerVertex: 4
    minBoneWeight: 0.001
    optimizeBones: 1
  tangentSpace:
    normalSmoothAngle: 60
    normalImportMode: 0
    tangentImportMode: 3
  referencedClips: []
  importAnimation: 1
  humanDescription:
    serializedVersion: 3
    human:
"""
_HUMAN = """    - boneName: {node}
      humanName: {human}
      limit:
        min: {{x: 0, y: 0, z: 0}}
        max: {{x: 0, y: 0, z: 0}}
        value: {{x: 0, y: 0, z: 0}}
        length: 0
        modified: 0
"""
_NODE = """    - name: {name}
      parentName: {parent}
      position: {t}
      rotation: {q}
      scale: {{x: 1, y: 1, z: 1}}
"""
_META_TAIL = """    armTwist: 0.5
    foreArmTwist: 0.5
    upperLegTwist: 0.5
    legTwist: 0.5
    armStretch: 0.05
    legStretch: 0.05
    feetSpacing: 0
    globalScale: 1
    rootMotionBoneName: 
    hasTranslationDoF: 0
    hasExtraRoot: 1
    skeletonHasParents: 1
  lastHumanDescriptionAvatarSource: {{instanceID: 0}}
  autoGenerateAvatarMappingIfUnspecified: 1
  animationType: 3
  humanoidOversampling: 1
  avatarSetup: 1
  addHumanoidExtraRootOnlyWhenUsingAvatar: 1
  importBlendShapeDeformPercent: 1
  remapMaterialsIfMaterialImportModeIsNone: 0
  additionalBone: 0
  userData: 
  assetBundleName: 
  assetBundleVariant: 
"""
_WRAP_COLUMN = 80


def _wrapped_flow(column, names, values):
    """A flow map, broken before a key that would start beyond column 80, as the editor's writer does."""
    text, line = "{", column + 1
    for i, (n, v) in enumerate(zip(names, values)):
        if i:
            text, line = text + ",", line + 1
            lead = " " if line <= _WRAP_COLUMN else "\n        "
            text, line = text + lead, line + 1 if lead == " " else 8
        item = f"{n}: {number(v)}"
        text, line = text + item, line + len(item)
    return text + "}"


def meta_text(guid, nodes, human_rows, short=False):
    """human_rows: [(node name, human name)]; nodes: name, parent (index or None), t, q; short: no muscle limits, and of the
    importer's settings the description alone."""
    head, human = _META_HEAD.format(guid=guid), _HUMAN
    if short:
        head = head[:head.index("  internalID")] + head[head.index("  humanDescription"):]
        human = human[:human.index("      limit")]
    parts = [head]
    parts += [human.format(node=scalar(n), human=h) for n, h in human_rows]
    parts.append("    skeleton:\n")
    for node in nodes:
        parts.append(_NODE.format(name=scalar(node.name), t=_wrapped_flow(len("      position: "), "xyz", node.t),
                                  parent="" if node.parent is None else scalar(nodes[node.parent].name),
                                  q=_wrapped_flow(len("      rotation: "), "xyzw", node.q)))
    parts.append(_META_TAIL.format())
    return "".join(parts)
