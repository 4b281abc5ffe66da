/* Files that break a rule, each refused with its code and its whole message. */
#include "readers/made_gltf.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
  const char *from, *to; /* of made_gltf's JSON */
  sinew_result code;
  const char *message;
} bad[] = {
    {"{'sampler':1,'target':{'node':1,'path':'translation'}}",
     "{'sampler':0,'target':{'node':1,'path':'rotation'}}", SINEW_ERROR_SYNTAX,
     "animations[0].channels[1].target: the rotation of node 1 is moved by a channel before it"},
    {"'asset':{'version':'2.0'}", "'asset':7", SINEW_ERROR_SYNTAX, "asset: is no object"},
    {"'asset':{'version':'2.0'},", "", SINEW_ERROR_SYNTAX, "asset: is missing"},
    {"'version':'2.0'", "", SINEW_ERROR_SYNTAX, "asset.version: is missing"},
    {"'version':'2.0'", "'version':2.0", SINEW_ERROR_SYNTAX, "asset.version: is no string"},
    {"'version':'2.0'", "'version':'1.0'", SINEW_ERROR_UNSUPPORTED, "asset.version: is '1.0', expected 2.0"},
    {"'version':'2.0'", "'version':'2.0','minVersion':'2.1'", SINEW_ERROR_UNSUPPORTED,
     "asset.minVersion: is '2.1', expected 2.0"},
    {"'scene':0,", "'scene':0,'scene':1,", SINEW_ERROR_SYNTAX,
     "no sound JSON: duplicate object key near '\"scene\"'"},
    {"'scene':0,", "'scene':01,", SINEW_ERROR_SYNTAX, "no sound JSON: invalid token near '0'"},
    {"'scene':0,", "'scene':1e999,", SINEW_ERROR_SYNTAX, "no sound JSON: real number overflow near '1e999'"},
    {"'scene':0,", "'\\u0000':0,", SINEW_ERROR_SYNTAX,
     "no sound JSON: NUL byte in object key not supported near '\"\\u0000\"'"},
    {"'nodes':[{'name':'tail'", "'nodules':[{'name':'tail'", SINEW_ERROR_UNSUPPORTED,
     "nodes: there are none: no skeleton"},
    {"'nodes':[{'name':'tail'", "'nodes':7,'x':[{'name':'tail'", SINEW_ERROR_SYNTAX, "nodes: is no array"},
    {"{'name':'arm'}", "7", SINEW_ERROR_SYNTAX, "nodes[2]: is no object"},
    {"'name':'arm'", "'name':7", SINEW_ERROR_SYNTAX, "nodes[2].name: is no string"},
    {"'children':[0,2]", "'children':7", SINEW_ERROR_SYNTAX, "nodes[1].children: is no array"},
    {"'children':[0,2]", "'children':[0,-1]", SINEW_ERROR_SYNTAX,
     "nodes[1].children[1]: is no whole number from 0 up"},
    {"'children':[0,2]", "'children':[0,9]", SINEW_ERROR_SYNTAX,
     "nodes[1].children[1]: is 9, the file has 4 nodes"},
    {"'children':[0,2]", "'children':[0,2.0]", SINEW_ERROR_SYNTAX,
     "nodes[1].children[1]: is no whole number from 0 up"},
    {"'children':[0,2]", "'children':[0,4294967298]", SINEW_ERROR_SYNTAX,
     "nodes[1].children[1]: is 4294967298, the file has 4 nodes"},
    {"'children':[0,2]", "'children':[0,0]", SINEW_ERROR_SYNTAX,
     "nodes[1].children[1]: is node 0, which is a child of node 1 already"},
    {"'children':[0,2]", "'children':[0,1]", SINEW_ERROR_SYNTAX, "nodes[1].children[1]: is the node itself"},
    {"{'name':'arm'}", "{'name':'arm','children':[0]}", SINEW_ERROR_SYNTAX,
     "nodes[2].children[0]: is node 0, which is a child of node 1 already"},
    {"{'name':'arm'}", "{'name':'arm','children':[1]}", SINEW_ERROR_SYNTAX,
     "nodes[0]: hangs in a circle: no root stands above it"},
    {"'translation':[0,1,0.5]", "'translation':[0,1]", SINEW_ERROR_SYNTAX,
     "nodes[0].translation: is no array of 3 numbers"},
    {"'translation':[0,1,0.5]", "'translation':{}", SINEW_ERROR_SYNTAX,
     "nodes[0].translation: is no array of 3 numbers"},
    {"'translation':[0,1,0.5]", "'translation':[0,null,0]", SINEW_ERROR_SYNTAX,
     "nodes[0].translation[1]: is no number"},
    {"'translation':[0,1,0.5]", "'translation':[0,1e13,0]", SINEW_ERROR_SYNTAX,
     "nodes[0].translation[1]: is beyond 1e12"},
    {"'rotation':[0,0,0.6,0.8]", "'rotation':[0,0,0]", SINEW_ERROR_SYNTAX,
     "nodes[1].rotation: is no array of 4 numbers"},
    {"'rotation':[0,0,0.6,0.8]", "'rotation':[0,0,0,0]", SINEW_ERROR_SYNTAX,
     "nodes[1].rotation: is 0 0 0 0, which turns nowhere"},
    {"'rotation':[0,0,0.6,0.8]", "'rotation':[0,0,0,'1']", SINEW_ERROR_SYNTAX,
     "nodes[1].rotation[3]: is no number"},
    {"'scale':[1,2,1]", "'scale':1", SINEW_ERROR_SYNTAX, "nodes[1].scale: is no array of 3 numbers"},
    {"'matrix':[0,2,", "'matrix':[2,", SINEW_ERROR_SYNTAX, "nodes[3].matrix: is no array of 16 numbers"},
    {"6,7,1]}", "6,7,2]}", SINEW_ERROR_SYNTAX, "nodes[3].matrix: its last row is not 0 0 0 1"},
    {"'matrix'", "'scale':[1,1,1],'matrix'", SINEW_ERROR_SYNTAX,
     "nodes[3]: has a matrix and a scale, expected one or the other"},
    {"'matrix'", "'translation':[1,1,1],'matrix'", SINEW_ERROR_SYNTAX,
     "nodes[3]: has a matrix and a translation, expected one or the other"},
    {"'skins':[", "'skins':[[],", SINEW_ERROR_SYNTAX, "skins[0]: is no object"},
    {"'skins':[", "'skins':0,'x':[", SINEW_ERROR_SYNTAX, "skins: is no array"},
    {"'joints':[1,0],", "", SINEW_ERROR_SYNTAX, "skins[0].joints: is missing"},
    {"'joints':[1,0]", "'joints':[]", SINEW_ERROR_SYNTAX, "skins[0].joints: is empty"},
    {"'joints':[1,0]", "'joints':[1,4]", SINEW_ERROR_SYNTAX,
     "skins[0].joints[1]: is 4, the file has 4 nodes"},
    {"'joints':[1,0]", "'joints':[1,1]", SINEW_ERROR_SYNTAX,
     "skins[0].joints[1]: is node 1, which is a joint of this skin already"},
    {"'joints':[1,0]", "'joints':[1,0,2]", SINEW_ERROR_SYNTAX,
     "skins[0].inverseBindMatrices: accessors[4] has 2 matrices, the skin 3 joints"},
    {"'inverseBindMatrices':4", "'inverseBindMatrices':3", SINEW_ERROR_SYNTAX,
     "skins[0].inverseBindMatrices: accessors[3] is VEC3 of float, expected MAT4 of float"},
    {"'inverseBindMatrices':4", "'inverseBindMatrices':9", SINEW_ERROR_SYNTAX,
     "skins[0].inverseBindMatrices: is 9, the file has 9 accessors"},
    {"'skeleton':1", "'skeleton':-1", SINEW_ERROR_SYNTAX, "skins[0].skeleton: is no whole number from 0 up"},
    {"'animations':[", "'animations':{},'x':[", SINEW_ERROR_SYNTAX, "animations: is no array"},
    {"'animations':[", "'animations':[7,", SINEW_ERROR_SYNTAX, "animations[0]: is no object"},
    {"{'name':'walk',", "{'name':[],", SINEW_ERROR_SYNTAX, "animations[0].name: is no string"},
    {"'samplers':[{'input':0,'output':1}", "'samplers':[7", SINEW_ERROR_SYNTAX,
     "animations[0].samplers[0]: is no object"},
    {"'samplers':[{'input':0,'output':1}", "'samplers':{},'x':[{'input':0,'output':1}", SINEW_ERROR_SYNTAX,
     "animations[0].samplers: is no array"},
    {"'samplers':[{'input':0,'output':1}", "'samplers':[{'output':1}", SINEW_ERROR_SYNTAX,
     "animations[0].samplers[0].input: is missing"},
    {"'samplers':[{'input':0,'output':1}", "'samplers':[{'input':0}", SINEW_ERROR_SYNTAX,
     "animations[0].samplers[0].output: is missing"},
    {"'samplers':[{'input':0,'output':1}", "'samplers':[{'input':99,'output':1}", SINEW_ERROR_SYNTAX,
     "animations[0].samplers[0].input: is 99, the file has 9 accessors"},
    {"'samplers':[{'input':0,'output':1}", "'samplers':[{'input':1,'output':1}", SINEW_ERROR_SYNTAX,
     "animations[0].samplers[0].input: accessors[1] is VEC4 of float, expected SCALAR of float"},
    {"'samplers':[{'input':0,'output':1}", "'samplers':[{'input':0,'output':99}", SINEW_ERROR_SYNTAX,
     "animations[0].samplers[0].output: is 99, the file has 9 accessors"},
    {"'samplers':[{'input':0,'output':1}", "'samplers':[{'input':0,'output':0}", SINEW_ERROR_SYNTAX,
     "animations[0].samplers[0].output: accessors[0] is SCALAR of float, expected VEC4 of float or of "
     "normalised integers for a rotation"},
    {"'samplers':[{'input':0,'output':1}", "'samplers':[{'input':0,'output':2}", SINEW_ERROR_SYNTAX,
     "animations[0].samplers[0].output: accessors[2] is VEC3 of float, expected VEC4 of float or of "
     "normalised integers for a rotation"},
    {"'samplers':[{'input':0,'output':1}", "'samplers':[{'input':5,'output':1}", SINEW_ERROR_SYNTAX,
     "animations[0].samplers[0].output: accessors[1] has 3 elements, expected 2 for 2 keys"},
    {"'output':2,'interpolation':'STEP'", "'output':0,'interpolation':'STEP'", SINEW_ERROR_SYNTAX,
     "animations[0].samplers[1].output: accessors[0] is SCALAR of float, expected VEC3 of float for a "
     "translation"},
    {"'output':2,'interpolation':'STEP'", "'output':1,'interpolation':'STEP'", SINEW_ERROR_SYNTAX,
     "animations[0].samplers[1].output: accessors[1] is VEC4 of float, expected VEC3 of float for a "
     "translation"},
    {"'output':2,'interpolation':'STEP'", "'output':2,'interpolation':'CUBICSPLINE'", SINEW_ERROR_SYNTAX,
     "animations[0].samplers[1].output: accessors[2] has 3 elements, expected 9 for 3 keys"},
    {"'interpolation':'STEP'", "'interpolation':'step'", SINEW_ERROR_SYNTAX,
     "animations[0].samplers[1].interpolation: is 'step', expected STEP, LINEAR or CUBICSPLINE"},
    {"'interpolation':'STEP'", "'interpolation':0", SINEW_ERROR_SYNTAX,
     "animations[0].samplers[1].interpolation: is no string"},
    {"'count':2,'type':'SCALAR','min':[0],'max':[0.5]", "'count':1,'type':'SCALAR','min':[0],'max':[0]",
     SINEW_ERROR_SYNTAX, "animations[0].samplers[2].input: has 1 key, CUBICSPLINE needs 2"},
    {"'channels':[", "'channels':[],'x':[", SINEW_ERROR_SYNTAX, "animations[0].channels: is empty"},
    {"'channels':[", "'chanels':[", SINEW_ERROR_SYNTAX, "animations[0].channels: is missing"},
    {"'channels':[", "'channels':[7,", SINEW_ERROR_SYNTAX, "animations[0].channels[0]: is no object"},
    {"{'sampler':0,'target'", "{'target'", SINEW_ERROR_SYNTAX,
     "animations[0].channels[0].sampler: is missing"},
    {"{'sampler':0,'target'", "{'sampler':3,'target'", SINEW_ERROR_SYNTAX,
     "animations[0].channels[0].sampler: is 3, the file has 3 samplers here"},
    {"'target':{'node':1,'path':'rotation'}", "'target':0", SINEW_ERROR_SYNTAX,
     "animations[0].channels[0].target: is no object"},
    {"'target':{'node':1,'path':'rotation'}", "'target':{'node':1}", SINEW_ERROR_SYNTAX,
     "animations[0].channels[0].target.path: is missing"},
    {"'target':{'node':1,'path':'rotation'}", "'target':{'node':4,'path':'rotation'}", SINEW_ERROR_SYNTAX,
     "animations[0].channels[0].target.node: is 4, the file has 4 nodes"},
    {"'target':{'node':1,'path':'rotation'}", "'target':{'node':1,'path':'translation'}", SINEW_ERROR_SYNTAX,
     "animations[0].samplers[0].output: accessors[1] is VEC4 of float, expected VEC3 of float for a "
     "translation"},
    {"'target':{'node':1,'path':'rotation'}", "'target':{'node':1,'path':null}", SINEW_ERROR_SYNTAX,
     "animations[0].channels[0].target.path: is no string"},
    {"'accessors':[{", "'accessors':[7,{", SINEW_ERROR_SYNTAX,
     "skins[0].inverseBindMatrices: accessors[4] is VEC3 of float, expected MAT4 of float"},
    {"'accessors':[", "'accessors':'','x':[", SINEW_ERROR_SYNTAX, "accessors: is no array"},
    {"'count':3,'type':'SCALAR'", "'count':0,'type':'SCALAR'", SINEW_ERROR_SYNTAX,
     "accessors[0].count: is 0, expected at least 1"},
    {"'count':3,'type':'SCALAR'", "'type':'SCALAR'", SINEW_ERROR_SYNTAX, "accessors[0].count: is missing"},
    {"'count':3,'type':'SCALAR'", "'count':-3,'type':'SCALAR'", SINEW_ERROR_SYNTAX,
     "accessors[0].count: is no whole number from 0 up"},
    {"'count':3,'type':'SCALAR'", "'count':1e3,'type':'SCALAR'", SINEW_ERROR_SYNTAX,
     "accessors[0].count: is no whole number from 0 up"},
    {"'count':3,'type':'SCALAR'", "'count':9223372036854775807,'type':'SCALAR'", SINEW_ERROR_LIMIT,
     "animations[0].samplers[0].input: has 9223372036854775807 keys, the limit is 268435456"},
    {"'count':3,'type':'SCALAR'", "'count':84,'type':'SCALAR'", SINEW_ERROR_SYNTAX,
     "accessors[0]: 84 elements of 4 bytes from byte 0 on do not fit into bufferViews[0] of 332 bytes"},
    {"'count':3,'type':'SCALAR'", "'count':3,'type':'VEC5'", SINEW_ERROR_SYNTAX,
     "accessors[0].type: is none of the seven of the format"},
    {"'count':3,'type':'SCALAR'", "'count':3", SINEW_ERROR_SYNTAX, "accessors[0].type: is missing"},
    {"'componentType':5126,'count':3,'type':'SCALAR'", "'componentType':5124,'count':3,'type':'SCALAR'",
     SINEW_ERROR_SYNTAX, "accessors[0].componentType: is none of the six of the format"},
    {"'componentType':5126,'count':3,'type':'SCALAR'", "'componentType':5125,'count':3,'type':'SCALAR'",
     SINEW_ERROR_SYNTAX,
     "animations[0].samplers[0].input: accessors[0] is SCALAR of uint32, expected SCALAR of float"},
    {"'componentType':5126,'count':3,'type':'SCALAR'", "'count':3,'type':'SCALAR'", SINEW_ERROR_SYNTAX,
     "accessors[0].componentType: is missing"},
    {"'componentType':5126,'count':3,'type':'SCALAR'",
     "'componentType':5126,'normalized':true,'count':3,'type':'SCALAR'", SINEW_ERROR_SYNTAX,
     "accessors[0].normalized: is true of numbers of 32 bits"},
    {"'componentType':5126,'count':3,'type':'SCALAR'",
     "'componentType':5126,'normalized':1,'count':3,'type':'SCALAR'", SINEW_ERROR_SYNTAX,
     "accessors[0].normalized: is neither true nor false"},
    {"'componentType':5122,'normalized':true", "'componentType':5122", SINEW_ERROR_SYNTAX,
     "animations[1].samplers[0].output: accessors[6] is VEC4 of int16, expected VEC4 of float or of "
     "normalised integers for a rotation"},
    {"{'bufferView':0,'componentType':5126,'count':3,'type':'SCALAR'",
     "{'bufferView':2,'componentType':5126,'count':3,'type':'SCALAR'", SINEW_ERROR_SYNTAX,
     "accessors[0].bufferView: is 2, the file has 2 bufferViews"},
    {"{'bufferView':0,'componentType':5126,'count':3,'type':'SCALAR'",
     "{'componentType':5126,'count':3,'type':'SCALAR'", SINEW_ERROR_SYNTAX,
     "animations[0].samplers[0].input: key 1 is at 0 s, not after the one before it at 0 s"},
    {"{'bufferView':0,'componentType':5126,'count':3,'type':'SCALAR'",
     "{'componentType':5126,'count':200000000,'type':'SCALAR'", SINEW_ERROR_LIMIT,
     "accessors[0]: 200000000 elements are more than the limit for lists that share bytes or have none"},
    {"'byteOffset':12,", "'byteOffset':14,", SINEW_ERROR_SYNTAX,
     "accessors[1]: byteOffset is 14, expected a multiple of 4"},
    {"'byteOffset':12,", "'byteOffset':288,", SINEW_ERROR_SYNTAX,
     "accessors[1]: 3 elements of 16 bytes from byte 288 on do not fit into bufferViews[0] of 332 bytes"},
    {"'byteOffset':12,", "'byteOffset':9223372036854775804,", SINEW_ERROR_SYNTAX,
     "accessors[1]: 3 elements of 16 bytes from byte 9223372036854775804 on do not fit into bufferViews[0] "
     "of 332 bytes"},
    {"'byteOffset':12,", "'byteOffset':'12',", SINEW_ERROR_SYNTAX,
     "accessors[1].byteOffset: is no whole number from 0 up"},
    {"'sparse':{'count':2,", "'sparse':{'count':0,", SINEW_ERROR_SYNTAX,
     "accessors[8].sparse.count: is 0, expected 1 to 3"},
    {"'sparse':{'count':2,", "'sparse':{'count':4,", SINEW_ERROR_SYNTAX,
     "accessors[8].sparse.count: is 4, expected 1 to 3"},
    {"'sparse':{'count':2,", "'sparse':{", SINEW_ERROR_SYNTAX,
     "accessors[8].sparse.count: is 0, expected 1 to 3"},
    {"'sparse':{'count':2,'indices':{'bufferView':1,'componentType':5123},'values':{'bufferView':1,'"
     "byteOffset':4}}",
     "'sparse':[]", SINEW_ERROR_SYNTAX, "accessors[8].sparse: is no object"},
    {"'indices':{'bufferView':1,'componentType':5123},", "", SINEW_ERROR_SYNTAX,
     "accessors[8].sparse.indices: is missing"},
    {"'indices':{'bufferView':1,'componentType':5123}", "'indices':{'componentType':5123}",
     SINEW_ERROR_SYNTAX, "accessors[8].sparse.indices: has no bufferView"},
    {"'indices':{'bufferView':1,'componentType':5123}", "'indices':{'bufferView':1,'componentType':5122}",
     SINEW_ERROR_SYNTAX, "accessors[8].sparse.indices.componentType: is none of uint8, uint16 and uint32"},
    {"'indices':{'bufferView':1,'componentType':5123}",
     "'indices':{'bufferView':1,'byteOffset':6,'componentType':5123}", SINEW_ERROR_SYNTAX,
     "accessors[8].sparse.indices: index 0 is 16608, the accessor has 3 elements"},
    {"'indices':{'bufferView':1,'componentType':5123}",
     "'indices':{'bufferView':1,'byteOffset':1,'componentType':5123}", SINEW_ERROR_SYNTAX,
     "accessors[8].sparse.indices: byteOffset is 1, expected a multiple of 2"},
    {"'indices':{'bufferView':1,'componentType':5123}", "'indices':{'bufferView':1,'componentType':5121}",
     SINEW_ERROR_SYNTAX, "accessors[8].sparse.indices: index 1 is 0, not above the one before it"},
    {"'values':{'bufferView':1,'byteOffset':4}", "'values':{'bufferView':1,'byteOffset':8}",
     SINEW_ERROR_SYNTAX,
     "accessors[8].sparse.values: 2 elements of 12 bytes from byte 8 on do not fit into bufferViews[1] of 28 "
     "bytes"},
    {"'values':{'bufferView':1,'byteOffset':4}", "'values':{'bufferView':9}", SINEW_ERROR_SYNTAX,
     "accessors[8].sparse.values.bufferView: is 9, the file has 2 bufferViews"},
    {"'byteOffset':332,'byteLength':28}", "'byteOffset':332,'byteLength':28,'byteStride':12}",
     SINEW_ERROR_SYNTAX,
     "accessors[8].sparse.indices: bufferViews[1] has a byteStride, which a sparse part must not"},
    {"'byteOffset':332,'byteLength':28}", "'byteOffset':332,'byteLength':29}", SINEW_ERROR_SYNTAX,
     "bufferViews[1]: 29 bytes from 332 on: buffers[0] has 360"},
    {"{'buffer':0,'byteLength':332}", "7", SINEW_ERROR_SYNTAX, "bufferViews[0]: is no object"},
    {"{'buffer':0,'byteLength':332}", "{'byteLength':332}", SINEW_ERROR_SYNTAX,
     "bufferViews[0]: has no buffer, but accessors[4] reads of it"},
    {"{'buffer':0,'byteLength':332}", "{'buffer':1,'byteLength':332}", SINEW_ERROR_SYNTAX,
     "bufferViews[0].buffer: is 1, the file has 1 buffers"},
    {"{'buffer':0,'byteLength':332}", "{'buffer':0}", SINEW_ERROR_SYNTAX,
     "bufferViews[0]: 0 bytes from 0 on: buffers[0] has 360"},
    {"{'buffer':0,'byteLength':332}", "{'buffer':0,'byteLength':332,'byteStride':2}", SINEW_ERROR_SYNTAX,
     "bufferViews[0]: byteStride is 2, expected a multiple of 4 from 4 to 252"},
    {"{'buffer':0,'byteLength':332}", "{'buffer':0,'byteLength':332,'byteStride':8}", SINEW_ERROR_SYNTAX,
     "accessors[4]: an element has 64 bytes, bufferViews[0] strides 8"},
    {"{'buffer':0,'byteLength':332}",
     "{'buffer':0,'byteLength':332,'extensions':{'EXT_meshopt_compression':{}}}", SINEW_ERROR_UNSUPPORTED,
     "bufferViews[0]: is compressed (EXT_meshopt_compression), expected plain data"},
    {"{'buffer':0,'byteLength':332}",
     "{'buffer':0,'byteOffset':9223372036854775807,'byteLength':9223372036854775807}", SINEW_ERROR_SYNTAX,
     "bufferViews[0]: 9223372036854775807 bytes from 9223372036854775807 on: buffers[0] has 360"},
    {"'buffers':[{'byteLength':360}]", "'buffers':[]", SINEW_ERROR_SYNTAX,
     "bufferViews[0].buffer: is 0, the file has 0 buffers"},
    {"'buffers':[{'byteLength':360}]", "'buffers':[[]]", SINEW_ERROR_SYNTAX, "buffers[0]: is no object"},
    {"'buffers':[{'byteLength':360}]", "'buffers':[{}]", SINEW_ERROR_SYNTAX,
     "buffers[0].byteLength: is missing"},
    {"'buffers':[{'byteLength':360}]", "'buffers':[{'byteLength':364}]", SINEW_ERROR_SYNTAX,
     "buffers[0].byteLength: is 364, but there are 360 bytes"},
    {"'buffers':[{'byteLength':360}]", "'buffers':[{'byteLength':360,'uri':7}]", SINEW_ERROR_SYNTAX,
     "buffers[0].uri: is no string"},
    {"'buffers':[{'byteLength':360}]", "'buffers':[{'byteLength':360,'uri':'x.bin'}]",
     SINEW_ERROR_UNSUPPORTED, "buffers[0].uri: 'x.bin' is another file, but these bytes have no folder"},
    {"'buffers':[{'byteLength':360}]", "'buffers':[{'byteLength':360,'uri':'data:,x'}]", SINEW_ERROR_SYNTAX,
     "buffers[0].uri: holds data that are not base64"},
    {"'buffers':[{'byteLength':360}]", "'buffers':[{'byteLength':360,'uri':'data:;base64,AAAA'}]",
     SINEW_ERROR_SYNTAX, "buffers[0].byteLength: is 360, but there are 3 bytes"},
    {"'buffers':[{'byteLength':360}]", "'buffers':[{'byteLength':360,'uri':'data:;base64,AAA_'}]",
     SINEW_ERROR_SYNTAX, "buffers[0].uri: character 3 of its base64 is '_'"},
    {"'buffers':[{'byteLength':360}]", "'buffers':[{'byteLength':360,'uri':'data:;base64,AAAAA'}]",
     SINEW_ERROR_SYNTAX, "buffers[0].uri: its base64 is cut short"},
    {"'buffers':[{'byteLength':360}]", "'buffers':[{'byteLength':360,'uri':'data:;base64,AA='}]",
     SINEW_ERROR_SYNTAX, "buffers[0].uri: its base64 is padded to 3 characters, no multiple of 4"},
    {"'scene':0,", "'extensions':7,", SINEW_ERROR_SYNTAX, "extensions: is no object"},
    {"'scene':0,", "'extensions':{'VRM':7},", SINEW_ERROR_SYNTAX, "extensions.VRM: is no object"},
    {"'scene':0,", "'extensions':{'VRM':{}},", SINEW_ERROR_SYNTAX, "extensions.VRM.humanoid: is missing"},
    {"'scene':0,", "'extensions':{'VRM':{'humanoid':{'humanBones':{}}}},", SINEW_ERROR_SYNTAX,
     "extensions.VRM.humanoid.humanBones: is no array"},
    {"'scene':0,", "'extensions':{'VRM':{'humanoid':{'humanBones':[7]}}},", SINEW_ERROR_SYNTAX,
     "extensions.VRM.humanoid.humanBones[0]: is no object"},
    {"'scene':0,", "'extensions':{'VRM':{'humanoid':{'humanBones':[{'node':1}]}}},", SINEW_ERROR_SYNTAX,
     "extensions.VRM.humanoid.humanBones[0].bone: is missing"},
    {"'scene':0,", "'extensions':{'VRM':{'humanoid':{'humanBones':[{'bone':'hips','node':4}]}}},",
     SINEW_ERROR_SYNTAX, "extensions.VRM.humanoid.humanBones[0].node: is 4, the file has 4 nodes"},
    {"'scene':0,",
     "'extensions':{'VRM':{'humanoid':{'humanBones':[{'bone':'hips','node':1},{'bone':'hips','node':2}]}}},",
     SINEW_ERROR_SYNTAX, "extensions.VRM.humanoid.humanBones[1]: Hips has a node already"},
    {"'scene':0,", "'extensions':{'VRMC_vrm':{'humanoid':{'humanBones':[]}}},", SINEW_ERROR_SYNTAX,
     "extensions.VRMC_vrm.humanoid.humanBones: is no object"},
    {"'scene':0,", "'extensions':{'VRMC_vrm':{'humanoid':{'humanBones':{'hips':7}}}},", SINEW_ERROR_SYNTAX,
     "extensions.VRMC_vrm.humanoid.humanBones.hips: is no object"},
    {"'scene':0,", "'extensions':{'VRMC_vrm':{'humanoid':{'humanBones':{'hips':{}}}}},", SINEW_ERROR_SYNTAX,
     "extensions.VRMC_vrm.humanoid.humanBones.hips.node: is missing"},
    {"'scene':0,", "'extensions':{'VRMC_vrm':{'humanoid':{'humanBones':{'hips':{'node':-2}}}}},",
     SINEW_ERROR_SYNTAX, "extensions.VRMC_vrm.humanoid.humanBones.hips.node: is no whole number from 0 up"},
    {"'scene':0,", "'extensions':{'VRMC_vrm_animation':{'specVersion':1,'humanoid':{}}},", SINEW_ERROR_SYNTAX,
     "extensions.VRMC_vrm_animation.specVersion: is no string"},
};

static void expect_refused(made_glb glb, sinew_result code, const char *message, const char *what) {
  sinew_error error;
  motion_file *file;
  const sinew_result result = gltf_read(glb.bytes, glb.byte_count, NULL, NULL, &file, &error);
  motion_file_close(file);
  cr_expect(result == code && error.code == code && strcmp(error.message, message) == 0,
            "%s: code %d\n got      %s\n expected %s", what, (int)result, error.message, message);
}

Test(gltf_bad, json) {
  cr_assert_geq(sizeof bad / sizeof *bad, 100);
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
    expect_refused(gltf_but(bad[i].from, bad[i].to), bad[i].code, bad[i].message, bad[i].to);
}

/* Numbers of the BIN chunk. */
Test(gltf_bad, keys) {
  const float nan = NAN, same = 0.5F, before = -1, zeros[4] = {0};
  const uint16_t out[] = {0, 3}, twice[] = {2, 2};
  static const struct {
    size_t at;
    const char *message;
  } rows[] = {
      {GLTF_TIMES + 8, "animations[0].samplers[0].input: key 2 is at a time that is not finite"},
      {GLTF_TIMES + 8,
       "animations[0].samplers[0].input: key 2 is at 0.5 s, not after the one before it at 0.5 s"},
      {GLTF_TIMES, "animations[0].samplers[0].input: key 0 is at -1 s, expected 0 or later"},
      {GLTF_ROTATIONS + 16, "animations[0].samplers[0].output: element 1 holds a number that is not finite"},
      {GLTF_ROTATIONS + 32, "animations[0].samplers[0].output: element 2 is the rotation 0 0 0 0"},
      {GLTF_SPLINE, "animations[0].samplers[2].output: element 0 holds a number that is not finite"},
      {GLTF_BINDS + 64, "skins[0].inverseBindMatrices[1]: holds a number that is not finite"},
      {GLTF_SPARSE_INDICES, "accessors[8].sparse.indices: index 1 is 3, the accessor has 3 elements"},
      {GLTF_SPARSE_INDICES, "accessors[8].sparse.indices: index 1 is 2, not above the one before it"},
  };
  const struct {
    const void *bytes;
    size_t count;
  } patches[] = {{&nan, 4}, {&same, 4}, {&before, 4}, {&nan, 4}, {zeros, 16},
                 {&nan, 4}, {&nan, 4},  {out, 4},     {twice, 4}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    expect_refused(gltf_bytes_but(rows[i].at, patches[i].bytes, patches[i].count), SINEW_ERROR_SYNTAX,
                   rows[i].message, "keys");
}

static void expect_bytes_refused(const void *bytes, size_t count, const sinew_read_options *limits,
                                 sinew_result code, const char *message) {
  sinew_error error;
  motion_file *file;
  const sinew_result result = gltf_read(bytes, count, NULL, limits, &file, &error);
  motion_file_close(file);
  cr_expect(result == code && strcmp(error.message, message) == 0, "code %d\n got      %s\n expected %s",
            (int)result, error.message, message);
}

Test(gltf_bad, containers) {
  made_glb glb = gltf_but(NULL, NULL);
  expect_bytes_refused("", 0, NULL, SINEW_ERROR_SYNTAX,
                       "no sound JSON: '[' or '{' expected near end of file");
  expect_bytes_refused("[]", 2, NULL, SINEW_ERROR_SYNTAX, "the JSON is no object");
  expect_bytes_refused("glTF\1\0\0\0\0\0\0\0", 12, NULL, SINEW_ERROR_UNSUPPORTED,
                       "is a GLB of version 1, expected 2");
  expect_bytes_refused(glb.bytes, 20, NULL, SINEW_ERROR_SYNTAX,
                       "the header says 2368 bytes, the file has 20");
  glb.bytes[16] = 'B';
  expect_bytes_refused(glb.bytes, glb.byte_count, NULL, SINEW_ERROR_SYNTAX, "chunk 0 is not JSON");
}

Test(gltf_bad, limits) {
  const made_glb glb = gltf_but(NULL, NULL);
  static const struct {
    sinew_read_options limits;
    sinew_result code;
    const char *message;
  } rows[] = {
      {{.nodes = 3}, SINEW_ERROR_LIMIT, "nodes: has 4 items, the limit is 3"},
      {{.depth = 1}, SINEW_ERROR_LIMIT, "nodes[0]: hangs 2 nodes deep, the limit is 1"},
      {{.name_bytes = 3}, SINEW_ERROR_LIMIT, "nodes[1].name: has 4 bytes, the limit is 3"},
      {{.clips = 1}, SINEW_ERROR_LIMIT, "animations: has 2 items, the limit is 1"},
      {{.curves = 5}, SINEW_ERROR_LIMIT, "animations[1].channels: has channel 6 of the file, the limit is 5"},
      {{.curves = 2}, SINEW_ERROR_LIMIT, "animations[0].channels: has 3 items, the limit is 2"},
      {{.keys = 2}, SINEW_ERROR_LIMIT, "animations[0].samplers[0].input: has 3 keys, the limit is 2"},
      {{.keys = 8},
       SINEW_ERROR_LIMIT,
       "animations[1].samplers[0].input: is one of tracks with more than 8 keys, the limit"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    expect_bytes_refused(glb.bytes, glb.byte_count, &rows[i].limits, rows[i].code, rows[i].message);
}

/* However many channels share one list, it is decoded once; lists that overlap are counted. */
Test(gltf_bad, shared_bytes_do_not_multiply) {
  static char json[1 << 20];
  size_t length = 0;
  const uint32_t keys = 200000, lists = 200;
  length += (size_t)snprintf(json, sizeof json, "{'asset':{'version':'2.0'},'nodes':[");
  for (uint32_t i = 0; i < lists; i++)
    length += (size_t)snprintf(json + length, sizeof json - length, "%s{}", i ? "," : "");
  length += (size_t)snprintf(json + length, sizeof json - length, "],'animations':[{'samplers':[");
  for (uint32_t i = 0; i < lists; i++)
    length += (size_t)snprintf(json + length, sizeof json - length, "%s{'input':0,'output':%u}", i ? "," : "",
                               i + 1);
  length += (size_t)snprintf(json + length, sizeof json - length, "],'channels':[");
  for (uint32_t i = 0; i < lists; i++)
    length +=
        (size_t)snprintf(json + length, sizeof json - length,
                         "%s{'sampler':%u,'target':{'node':%u,'path':'translation'}}", i ? "," : "", i, i);
  length +=
      (size_t)snprintf(json + length, sizeof json - length,
                       "]}],'accessors':[{'bufferView':0,'componentType':5126,'count':%u,'type':'SCALAR',"
                       "'min':[0],'max':[1]}",
                       keys);
  for (uint32_t i = 0; i < lists; i++)
    length += (size_t)snprintf(json + length, sizeof json - length,
                               ",{'bufferView':1,'componentType':5126,'count':%u,'type':'VEC3'}", keys);
  snprintf(json + length, sizeof json - length,
           "],'bufferViews':[{'buffer':0,'byteLength':%u},{'buffer':0,'byteLength':%u}],"
           "'buffers':[{'byteLength':%u}]}",
           keys * 4, keys * 12, keys * 12);
  float *times = calloc(keys, 12);
  for (uint32_t i = 0; i < keys; i++) times[i] = (float)i;
  const made_glb glb = made_from(json, times, (size_t)keys * 12);
  free(times);
  expect_refused(
      glb, SINEW_ERROR_LIMIT,
      "accessors[15]: 200000 elements are more than the limit for lists that share bytes or have none",
      "shared bytes");
}
