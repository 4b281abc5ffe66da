/* sinew: humanoid animation clips (muscles) to bone rotations, in batches.
 *
 * Frames, units:  positions in metres unless a name says otherwise, angles in radians, times in seconds.
 * Quaternions are x, y, z, w, Hamilton product. Unity's frame is left-handed, Y up, facing +Z; a GLB is
 * written in glTF's frame (right-handed, Y up, facing +Z).
 *
 * Handles are opaque. Every function that can fail returns a sinew_result and, when `error` is not NULL,
 * fills it; where it makes a handle, the handle is NULL then, and the caller closes it otherwise.
 * A NULL where something is needed is an error as well: SINEW_ERROR_ARGUMENT, or from functions that cannot fail 0,
 * false, NULL or an emptied struct. Closing NULL does nothing.
 * Strings and structs that a function hands out belong to the handle they were asked of and last as long as it.
 * Threads: any function may be called by several threads at once, with the same handles too, as long as none closes
 * them; what a call writes to (an error, a report, buffers) is one thread's. Functions that take a context may use its
 * worker threads. No result depends on the locale, and nothing changes it.
 * Option structs are zero-initialised to mean the defaults: `sinew_bake_options o = {0};`.
 */
#ifndef SINEW_H
#define SINEW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(_WIN32)
#define SINEW_API
#else
#define SINEW_API __attribute__((visibility("default")))
#endif

#define SINEW_HUMAN_BONE_COUNT 55
#define SINEW_MUSCLE_COUNT 95
#define SINEW_ROOT_CHANNEL_COUNT 7  /* RootT.xyz, RootQ.xyzw */
#define SINEW_GOAL_CHANNEL_COUNT 28 /* left foot, right foot, left hand, right hand: T.xyz, Q.xyzw each */

/* ---- results and errors ------------------------------------------------------------------------- */

typedef enum sinew_result {
  SINEW_OK = 0,
  SINEW_ERROR_ARGUMENT,    /* the call itself is wrong: a NULL, an unknown name, an option out of range */
  SINEW_ERROR_MEMORY,      /* out of memory, or past a memory limit */
  SINEW_ERROR_IO,          /* a file could not be opened, read, written or renamed */
  SINEW_ERROR_SYNTAX,      /* the input breaks its format's rules */
  SINEW_ERROR_UNSUPPORTED, /* the input is well-formed but of a kind that is not read (binary, generic, ...) */
  SINEW_ERROR_LIMIT,       /* a stated limit is exceeded */
  SINEW_ERROR_RIG,         /* the rig lacks a required bone, or its hierarchy is not a humanoid's */
  SINEW_ERROR_POSE,        /* a pose cannot be computed: a muscle or root value is not finite or absurd */
  SINEW_ERROR_VERIFY,      /* what was written differs from what was computed: nothing was published */
  SINEW_ERROR_CANCELLED    /* the progress callback asked to stop */
} sinew_result;

/* What went wrong, where; meaningful after a failure alone. `path` is empty when no file is involved; line and column
 * count from 1, and are 0 when unknown; byte counts from 0 and is meaningful only when `has_place`. */
typedef struct sinew_error {
  sinew_result code;
  char message[320];
  char path[512];
  uint64_t byte;
  uint32_t line;
  uint32_t column;
  bool has_place;
} sinew_error;

/* "walk.anim:412: frame rate is -3, expected more than 0": the error as one line without a newline, fit for a terminal.
 * Writes at most `size` bytes including the terminating zero; returns `buffer`, or "" where it has no room. */
SINEW_API const char *sinew_error_text(const sinew_error *error, char *buffer, size_t size);

/* The library's version, "0.1.0". Lives as long as the program. */
SINEW_API const char *sinew_version(void);

/* ---- memory ----------------------------------------------------------------------------------------- */

/* Where memory comes from. NULL in the options below stands for the C library's. What a handle needs later is copied:
 * the struct may go once the call returns, `user` and the functions stay until every handle made with them is closed.
 * A call that is given a context allocates from the context's, sinew_rig_save from the rig's.
 * alloc gives byte_count bytes aligned to `alignment` (64), or NULL; byte_count is a multiple of 64. free gets back
 * what alloc gave and the same byte_count. Where threads share the allocator (a context with worker threads, handles
 * opened on several threads) both are called from all of them, at once.
 * Not from here: what the JSON parser takes while a finished file is verified, a rig file read or a GLB inspected,
 * OpenMP's threads, the C library's own. */
typedef struct sinew_allocator {
  void *(*alloc)(void *user, size_t byte_count, size_t alignment);
  void (*free)(void *user, void *block, size_t byte_count);
  void *user;
} sinew_allocator;

/* ---- context: the instruction set and the worker threads ---------------------------------------- */

typedef struct sinew_context sinew_context;

typedef struct sinew_context_options {
  const char *isa;       /* highest instruction set to use, one of sinew_isa_names(); NULL: the environment's
                            SINEW_ISA, else the best this CPU has. Never raises. */
  uint32_t thread_count; /* worker threads; 0: the CPUs this process may use, by
                            its affinity and its control group's quota */
  const sinew_allocator *allocator; /* of the context and of every call that is given it */
} sinew_context_options;

/* Creates a context. options may be NULL; nothing of it is kept but what sinew_allocator says. Errors: ARGUMENT (unknown
 * isa name, no supported instruction set on this CPU, more than 1,024 threads), MEMORY. */
SINEW_API sinew_result sinew_context_open(const sinew_context_options *options, sinew_context **context,
                                          sinew_error *error);
/* Handles made with the context outlive it. */
SINEW_API void sinew_context_close(sinew_context *context);
/* What was chosen; the names live as long as the program. */
SINEW_API const char *sinew_context_isa(const sinew_context *context);     /* "avx2" */
SINEW_API const char *sinew_context_profile(const sinew_context *context); /* "fma" or "nofma" */
SINEW_API uint32_t sinew_context_threads(const sinew_context *context);

/* The instruction sets this CPU can run, best first; NULL past the end. The names live as long as the program. */
SINEW_API const char *sinew_isa_available(uint32_t index);
/* What sinew_context_options.isa may be on this machine, best first, as a text: "avx512, avx2, sse4 or scalar" on x86-64
 * (names that this CPU lacks are ceilings; without "scalar" on a CPU without fma), "neon or scalar" on aarch64. Writes at
 * most `size` bytes including the terminating zero; returns `buffer`, or "" where it has no room. */
SINEW_API const char *sinew_isa_names(char *buffer, size_t size);

/* Runs every kernel of every available instruction set against double-precision references, in this
 * process; seconds, on one thread. `line`, when not NULL, receives one line per check, which begins with "ok " or
 * "FAIL ". passed and failed may be NULL. Returns the number of failed checks. */
typedef void (*sinew_line_fn)(void *user, const char *text);
SINEW_API uint32_t sinew_selftest(sinew_line_fn line, void *user, uint32_t *passed, uint32_t *failed);

/* ---- clips -------------------------------------------------------------------------------------- */

typedef struct sinew_clip_file sinew_clip_file; /* a file's clips */
typedef struct sinew_clip sinew_clip;           /* one clip; lives as long as its file, is not closed */

/* How the body in a glTF, VRM, VRMA or BVH file is found. All 0: by what the file states and by what is measured. */
typedef struct sinew_figure_options {
  const char *map_path; /* a file of corrections to the human bones found and of their muscles' ranges (sinew_rig_save_map
                           writes such files); NULL: none */
  int64_t tpose_frame;  /* from 1: the T-pose is that frame of the file's first clip, its limbs as they are; 0: found */
  double unit_scale;    /* metres per unit of the file; 0: as its format says (glTF), else inferred from the body's height */
  bool fix_biped; /* a 3ds Max Biped's spine and thighs hang from its root, clavicles from the last spine bone, props from
                     their hand, twist bones from the upper arm, each where it was in every frame; of others nothing */
} sinew_figure_options;

/* How a file is read. Limits a reader keeps, each 0 for its default: past one the read fails with
 * SINEW_ERROR_LIMIT, past memory_bytes with SINEW_ERROR_MEMORY. */
typedef struct sinew_read_options {
  uint64_t file_bytes;   /* default 4 GiB */
  uint64_t memory_bytes; /* memory one file may use once read; default 8 GiB */
  uint32_t curves;       /* per clip; default 65,536 */
  uint64_t keys;         /* per clip; default 2^28 */
  uint32_t clips;        /* per file; default 4,096 */
  uint32_t nodes;        /* per rig; default 4,096 */
  uint32_t depth;        /* of a rig's hierarchy; default 256 */
  uint32_t name_bytes;   /* default 4,096 */
  const sinew_allocator *allocator; /* of the handle and of the reading */
  const sinew_figure_options *figure; /* of files that hold a skeleton; read during the call; NULL: all found */
} sinew_read_options;

/* Reads every humanoid clip of a Unity text .anim file (or of a pipe), the clip of a CSV of muscles, or every animation of
 * a BVH, a glTF or GLB, a VRM or a VRMA: what it is its bytes say. A glTF's buffers in other files stand beneath its own folder. options may be NULL.
 * Errors: ARGUMENT, IO, SYNTAX, UNSUPPORTED (binary-serialised, generic, no clip inside), LIMIT, MEMORY. */
SINEW_API sinew_result sinew_clip_file_open(const char *path, const sinew_read_options *options,
                                            sinew_clip_file **file, sinew_error *error);
/* The same from memory; `label` stands for the path in messages, and may be NULL. The bytes are not kept. */
SINEW_API sinew_result sinew_clip_file_open_memory(const void *bytes, size_t byte_count, const char *label,
                                                   const sinew_read_options *options, sinew_clip_file **file,
                                                   sinew_error *error);
/* A clip as an array in memory: a row a frame, a float a channel, as clips hold them: muscles with 1 at their largest
 * angle, RootT over the human scale, RootQ of any length. */
typedef struct sinew_row_clip {
  const char *name;     /* UTF-8; NULL: "" */
  double rate_hz;       /* rows per second, 1e-6 to 1e6 */
  uint64_t frame_count; /* rows, at least 1, the first at 0 s */
  const float *values;  /* column c of frame f: values[f * stride + c] */
  size_t stride;        /* floats from one row to the next; 0: column_count */
  uint32_t column_count;
  const char *const *columns; /* [column_count] what each column is, as clips call it: "Left Arm Down-Up" (see
                                 sinew_muscle_name), "RootT.x" to "RootQ.w", "LeftFootT.x" and the other goals;
                                 NULL in it: a column that is not read. Instead of it NULL, where column_count is
                                 95: the muscles in their order; 102: RootT.xyz, RootQ.xyzw, then they; 130: then
                                 the goals (SINEW_GOAL_CHANNEL_COUNT) */
  bool copy; /* false: `values` is borrowed: it stays where it is, unchanged, until the file and every player made of
                its clip are closed, and may be a mapped file larger than memory. true: it is copied */
} sinew_row_clip;

/* Makes a clip of rows, the only one of a file that all functions below take: it has a curve for each column that is
 * read, a key a row. What the struct points to, borrowed values apart, may go once the call returns. At its own rate its
 * frames are the rows themselves, bit for bit, for a player too at the times of sinew_clip_frame_time. Between rows
 * values go straight from one to the next, RootQ and the goals' Q by the sign that is nearer; outside they stay as at the
 * first and last row. A column is constant where all its rows have the same bits: the first bake passes over the rows
 * to know. Of the options memory_bytes (of a copy), curves (columns), name_bytes and allocator count; a player of copied
 * rows keeps them, and so the allocator, in use until it is closed. options may be NULL. Errors: ARGUMENT (a NULL, a
 * size or rate out of range, stride below column_count, an unknown column or the same twice), LIMIT, MEMORY. */
SINEW_API sinew_result sinew_clip_from_rows(const sinew_row_clip *rows, const sinew_read_options *options,
                                            sinew_clip_file **file, sinew_error *error);
/* Its clips, and what was told of them, go with it. */
SINEW_API void sinew_clip_file_close(sinew_clip_file *file);
/* At least 1 clip; NULL past the end. */
SINEW_API uint32_t sinew_clip_file_count(const sinew_clip_file *file);
SINEW_API const sinew_clip *sinew_clip_file_clip(const sinew_clip_file *file, uint32_t index);

/* The clip settings as stored. They are reported, never applied. */
typedef struct sinew_clip_settings {
  double start_time_s;
  double stop_time_s;
  double orientation_offset_y_deg;
  double level;
  double cycle_offset;
  bool loop_time;
  bool loop_blend;
  bool loop_blend_orientation;
  bool loop_blend_position_y;
  bool loop_blend_position_xz;
  bool keep_original_orientation;
  bool keep_original_position_y;
  bool keep_original_position_xz;
  bool height_from_feet;
  bool mirror;
} sinew_clip_settings;

typedef enum sinew_clip_kind {
  SINEW_CLIP_MUSCLES, /* curves of muscles, which need a rig */
  SINEW_CLIP_BONES    /* a skeleton and its movement: on its own skeleton, or on a rig where it is a human body's */
} sinew_clip_kind;

typedef struct sinew_clip_info {
  sinew_clip_kind kind;
  const char *name;
  double rate_hz; /* the clip's own sample rate */
  double start_s;
  double stop_s;
  uint64_t key_count;
  uint32_t curve_count;    /* all curves kept, also those that move nothing here */
  uint32_t muscle_curves;  /* of the 95 */
  uint32_t root_curves;    /* of RootT.xyz, RootQ.xyzw */
  uint32_t goal_curves;    /* of the 28 IK goal channels */
  uint32_t tdof_curves;    /* translation degrees of freedom: kept, not applied */
  uint32_t foreign_curves; /* attributes that are no humanoid channel: kept by name, not applied */
  sinew_clip_settings settings;
  /* of a clip of bones, which has no curves; all 0 otherwise */
  const char *skeleton_kind; /* of its file: "bvh", "gltf", "vrm0", "vrm1", "vrma" or "npz" */
  uint32_t node_count;
  bool is_human; /* a human body was found in the skeleton */
} sinew_clip_info;
SINEW_API void sinew_clip_get_info(const sinew_clip *clip, sinew_clip_info *info);
/* Of a clip of bones: a sentence per thing that was found odd in its file, guessed or turned. NULL past the end. */
SINEW_API const char *sinew_clip_warning(const sinew_clip *clip, uint32_t index);

typedef enum sinew_curve_kind {
  SINEW_CURVE_MUSCLE,
  SINEW_CURVE_ROOT,
  SINEW_CURVE_GOAL,
  SINEW_CURVE_MOTION,
  SINEW_CURVE_TDOF,
  SINEW_CURVE_FOREIGN
} sinew_curve_kind;

typedef struct sinew_curve_info {
  const char *attribute;
  sinew_curve_kind kind;
  uint64_t key_count;
  double least_key; /* smallest and largest key value; NaN among a clip's rows is passed over */
  double most_key;
  int32_t muscle;         /* 0..94 as in sinew_muscle_name, -1: no muscle */
  bool constant;          /* every key has one value and no tangent leaves it */
  uint64_t stepped_keys;  /* keys whose value holds, or jumps, until the next one instead of following a tangent */
  uint64_t weighted_keys; /* keys with a weighted tangent on either side */
} sinew_curve_info;
/* index: 0..curve_count-1 of the clip's info, in the file's order; false past the end. */
SINEW_API bool sinew_clip_get_curve(const sinew_clip *clip, uint32_t index, sinew_curve_info *info);

/* Frames that a bake at rate_hz (0: the clip's) has: ceil(duration * rate - e) + 1, where e is what
 * rounding may leave of whole frames: 1e-3, or half a float32 step of the start and stop times where that is more; the last frame
 * stands at the stop time. */
SINEW_API uint64_t sinew_clip_frame_count(const sinew_clip *clip, double rate_hz);
/* When frame `index` of such a bake stands, in seconds on the clip's clock: start_s + index / rate, and stop_s from the
 * last frame on. */
SINEW_API double sinew_clip_frame_time(const sinew_clip *clip, double rate_hz, uint64_t index);

/* What the frames of a clip reach, between the keys too. */
typedef struct sinew_muscle_range {
  bool present; /* the clip has a curve for it; the rest is 0 otherwise */
  double least; /* over the frames whose value is finite */
  double most;
  uint64_t frames_beyond;     /* frames whose value lies beyond -1..1 by more than 1e-6 */
  uint64_t frames_not_finite; /* an absurd tangent can give such */
} sinew_muscle_range;

typedef struct sinew_clip_ranges {
  double rate_hz;
  uint64_t frame_count;
  sinew_muscle_range muscles[SINEW_MUSCLE_COUNT];
  uint64_t frames_beyond;    /* frames in which any muscle lies beyond -1..1 */
  uint64_t root_key_count;   /* times at which a curve of RootQ has a key; 0 unless the clip has all four curves */
  double root_unit_off;      /* the largest | |RootQ| - 1 | at those times; NaN where one is not finite */
  double root_unit_off_at_s; /* the first time that has it */
} sinew_clip_ranges;

/* Samples a clip as a bake at rate_hz (0: the clip's own) does. Errors: ARGUMENT, UNSUPPORTED (a clip of bones), LIMIT
 * (more than 2^28 frames), MEMORY. */
SINEW_API sinew_result sinew_clip_measure(const sinew_context *context, const sinew_clip *clip, double rate_hz,
                                          sinew_clip_ranges *ranges, sinew_error *error);

/* ---- rigs --------------------------------------------------------------------------------------- */

typedef struct sinew_rig sinew_rig;

typedef struct sinew_rig_options {
  double unit_scale; /* metres per unit of the file; 0: inferred from the body's height */
  sinew_read_options read;
} sinew_rig_options;

/* Reads a rig: a model's .fbx.meta with a humanDescription, whose muscle axes are compiled; a Unity Avatar (class 90)
 * in a text .asset or .prefab, whose axes, masses and scale are taken as stored; a rig file of sinew_rig_save; or a model
 * (glTF, GLB, VRM, VRMA, BVH), whose human bones and T-pose are found (sinew_figure_options), told by sinew_rig_bone and
 * the rig's warnings. Which of them it is the content tells, not the name. A rig file is in metres: unit_scale must be 0
 * or 1 with it; with a model it goes before that of sinew_figure_options. options may be NULL. Errors: ARGUMENT, IO,
 * SYNTAX, UNSUPPORTED, LIMIT, RIG (what is missing to make a humanoid), MEMORY. */
SINEW_API sinew_result sinew_rig_open(const char *path, const sinew_rig_options *options, sinew_rig **rig,
                                      sinew_error *error);
/* The same from memory; `label` stands for the path in messages, and may be NULL. The bytes are not kept. */
SINEW_API sinew_result sinew_rig_open_memory(const void *bytes, size_t byte_count, const char *label,
                                             const sinew_rig_options *options, sinew_rig **rig,
                                             sinew_error *error);
SINEW_API void sinew_rig_close(sinew_rig *rig);

/* Writes a rig as a file that sinew_rig_open takes: JSON, whole to the last bit, so that bakes on it have the bytes of
 * bakes on its source. It appears whole or not at all, like a bake's. Errors: ARGUMENT, IO, MEMORY. */
SINEW_API sinew_result sinew_rig_save(const sinew_rig *rig, const char *path, sinew_error *error);
/* Writes which node is which human bone, a file for sinew_figure_options.map_path: JSON, {"sinew_map": 1, "bones":
 * {"LeftUpperArm": "a node's name", ...}}. In it a bone may also be {"node": index}, by the file's own count of its nodes,
 * or null: not mapped; one that is left out is found as ever. Beside "bones", or without it, a map may change what muscles do:
 * "ranges": {"Left Arm Down-Up": [-60, 100], ...}, degrees at -1 and at 1 (-180 to 0, 0 to 180; names as of
 * sinew_muscle_name), and "twist": {"arm": 0.5, "foreArm": 0.5, "upperLeg": 0.5, "leg": 0.5}, the share of its twist that each
 * limb bone keeps; those that differ from the usual ones are written. Errors: ARGUMENT, IO, MEMORY. */
SINEW_API sinew_result sinew_rig_save_map(const sinew_rig *rig, const char *path, sinew_error *error);

typedef struct sinew_rig_info {
  const char *name;
  const char *kind; /* of the file it was read from: "fbx-meta", "avatar", "rig-file", or that of a model: "gltf", "vrm0",
                       "vrm1", "vrma", "bvh", "npz", "fbx" */
  const char *hash; /* 32 hexadecimal digits of all that a bake depends on: equal for a rig and for its rig file */
  uint32_t node_count;
  uint32_t human_bone_count;
  double unit_scale; /* metres per unit of the file */
  bool unit_inferred;
  double height_m;      /* lowest foot or toe to head, in T-pose */
  double human_scale_m; /* height of the centre of mass in T-pose */
  double arm_twist;     /* the share of its twist that each limb bone keeps */
  double fore_arm_twist;
  double upper_leg_twist;
  double leg_twist;
  double arm_stretch;
  double leg_stretch;
  double feet_spacing;
  bool has_translation_dof;
  uint32_t warning_count;
} sinew_rig_info;
SINEW_API void sinew_rig_get_info(const sinew_rig *rig, sinew_rig_info *info);

/* bone: 0..54 in Unity's HumanBodyBones order, muscle: 0..94 in its HumanTrait order; NULL or false past the end. The
 * names live as long as the program. */
SINEW_API const char *sinew_bone_name(uint32_t bone);     /* "LeftUpperArm" */
SINEW_API bool sinew_bone_required(uint32_t bone);
SINEW_API const char *sinew_muscle_name(uint32_t muscle); /* the name a clip uses for it */

typedef struct sinew_rig_bone {
  const char *node_name; /* NULL: the rig has no such bone */
  uint32_t node;
  int32_t parent_bone; /* the nearest human bone above, -1 for the hips */
  uint32_t between_nodes; /* nodes between the two */
  double min_deg[3]; /* limits about x (twist), y, z; all 0 where the axis has no muscle */
  double max_deg[3];
  bool custom_limits;
  double mass; /* share of the body's, with those of missing bones below */
  const char *reason;     /* of a model's rig: a sentence why the node is this bone, as long as the rig lives; NULL: none */
  double stance_turn_deg; /* of a model's rig: how far the bone was turned from its rest to stand in T-pose */
} sinew_rig_bone;
/* bone: 0..54; false past the end. */
SINEW_API bool sinew_rig_get_bone(const sinew_rig *rig, uint32_t bone, sinew_rig_bone *info);

/* The output's hierarchy: parents before their children, each with the transform it rests with. */
typedef struct sinew_rig_node {
  const char *name;
  int32_t parent; /* -1: a root */
  double translation_m[3];
  double rotation[4];
  double scale[3];
} sinew_rig_node;
/* false past the end. */
SINEW_API bool sinew_rig_get_node(const sinew_rig *rig, uint32_t index, sinew_rig_node *node);

/* A sentence per thing that was repaired, guessed or looks wrong. NULL past the end. */
SINEW_API const char *sinew_rig_warning(const sinew_rig *rig, uint32_t index);

/* ---- bake: a clip on a rig, to a file -------------------------------------------------------------- */

/* Called now and then, from the thread that called sinew_bake, last of all with frames_done = frame_count before the file
 * appears; return false to cancel: the bake then ends with CANCELLED, unless it failed before, and leaves no file. It may
 * call any function here. */
typedef bool (*sinew_progress_fn)(void *user, uint64_t frames_done, uint64_t frame_count);

typedef enum sinew_mesh {
  SINEW_MESH_DEFAULT = 0, /* KEEP where the nodes came from a GLB that can be kept, else NONE */
  SINEW_MESH_NONE,        /* joints alone */
  SINEW_MESH_BOXES,       /* a box per human bone but eyes and jaw, as one skinned mesh: something to look at */
  SINEW_MESH_KEEP         /* the GLB or VRM that the nodes came from, all of it, its animations apart: the character itself */
} sinew_mesh;

/* How a clip comes to a rig. */
typedef enum sinew_via {
  SINEW_VIA_DEFAULT = 0, /* MUSCLE for clips of muscles, DELTA for clips of bones */
  SINEW_VIA_MUSCLE,
  SINEW_VIA_DELTA /* each bone's turn away from its T-pose, in the body's frame, applied to the rig's T-pose */
} sinew_via;

/* What is written. */
typedef enum sinew_format {
  SINEW_FORMAT_GLB = 0, /* nodes with rotation tracks, binary glTF */
  SINEW_FORMAT_VRMA,    /* a VRM animation: the human bones, resting in T-pose */
  SINEW_FORMAT_BVH,
  SINEW_FORMAT_NPZ,  /* arrays for NumPy */
  SINEW_FORMAT_ANIM, /* a Unity humanoid clip as text: muscles, root, goals */
  SINEW_FORMAT_CSV   /* the same as a table: a frame a line */
} sinew_format;

/* "glb", "vrma", "bvh", "npz", "anim", "csv": the suffix of such files; NULL past the end. Lives as long as the program. */
SINEW_API const char *sinew_format_name(uint32_t format);

/* How muscles of arms and legs are found from bones. */
typedef enum sinew_limb {
  SINEW_LIMB_EDITOR = 0, /* as the reference editor does: its values; hands and feet are off by about
                              1e-3 of the limb, up to 1e-2 where it is nearly straight */
  SINEW_LIMB_EXACT       /* hands and feet stand where they stood, but where a limb is straighter than its hinge allows */
} sinew_limb;

/* Muscles beyond their range, -1 to 1. They are counted in any case. */
typedef enum sinew_limits {
  SINEW_LIMITS_OFF = 0, /* written as they are */
  SINEW_LIMITS_CLAMP    /* written as the nearest of -1 and 1; goals stay as they are */
} sinew_limits;

/* What a BVH's joints rest in. */
typedef enum sinew_rest {
  SINEW_REST_OWN = 0, /* as the nodes rest */
  SINEW_REST_TPOSE    /* in T-pose: all rotations 0 are the T-pose */
} sinew_rest;

typedef struct sinew_bake_options {
  sinew_format format;
  double rate_hz; /* frames per second of the output; 0: the clip's own */
  bool quantize;  /* of a GLB: rotations as normalised 16-bit integers: half the bytes; the hips' translation stays float */
  sinew_mesh mesh;
  sinew_via via;
  bool no_verify; /* do not read the finished file back */
  bool in_place;  /* of a clip of bones on a rig: the hips keep their place over the ground, not their height */
  /* where muscles are made of a clip of bones, or lead to the output */
  const sinew_rig *clip_rig; /* the avatar of the clip's own skeleton, whose nodes it has by name; NULL: the rig that is
                                baked on where it is that, else one is made of the figure that was found in the file */
  sinew_limb limb;
  bool mirror; /* left for right */
  sinew_limits limits;
  /* of single formats */
  const char *bvh_order;  /* of a joint's rotations: "ZXY", ...; NULL: "ZXY" */
  bool bvh_metres;        /* lengths in metres; else in centimetres */
  sinew_rest bvh_rest;
  bool tdof;              /* of ANIM alone, of a clip of bones: curves SpineTDOF.x .. RightHandTDOF.z as well: the clip's
                             translations below the hips, counted from the avatar's places, over its human scale; none that stays
                             below 1e-4, and none by delta, which carries no translations. Not with mirror */
  bool npz_xyz;           /* rotations as three components, w >= 0 left out */
  const char *source_name; /* base name recorded in the file; NULL: the clip's name */
  sinew_progress_fn progress;
  void *user;
} sinew_bake_options;

/* What became of a clip of bones as muscles: bits are bones, 1 << bone as in sinew_bone_name. */
typedef struct sinew_muscle_report {
  bool from_bones;       /* muscles were made of bones; what follows is 0 otherwise */
  const char *avatar;    /* whose axes: "rig", "clip rig" or "figure"; lives as long as the program */
  uint64_t place_differs;   /* the bone stands elsewhere in its parent than in the avatar, by more than 1e-3 of the body */
  uint64_t moves;           /* below the hips: the clip moves it in its parent, which muscles cannot hold */
  uint64_t between_turns;   /* a node between it and its human parent turns: taken into the bone */
  uint64_t between_differs; /* such a node rests otherwise than in the avatar, by more than 0.1 degrees */
  uint64_t custom_ranges;   /* muscle ranges that are not the usual ones */
  /* how far each bone's rotation as muscles hold it, seen from the hips, is from the clip's; 0 of bones that are not there */
  double mean_lost_deg[SINEW_HUMAN_BONE_COUNT];
  double most_lost_deg[SINEW_HUMAN_BONE_COUNT];
  uint64_t most_lost_frame[SINEW_HUMAN_BONE_COUNT];
} sinew_muscle_report;

/* Of the muscles that were written or led to the output. */
typedef struct sinew_limit_report {
  uint64_t frames_beyond[SINEW_MUSCLE_COUNT]; /* frames whose value lies beyond -1..1 by more than 1e-6 */
  double most[SINEW_MUSCLE_COUNT];            /* the largest absolute value of these; 0: none */
  bool clamped;
} sinew_limit_report;

typedef struct sinew_bake_report {
  const char *format;  /* sinew_format_name of what was written */
  const char *way; /* "muscle", "delta", without a rig "own", or "none" where bones played no part; lives as long as the program */
  double hips_ratio; /* by delta: the rig's leg reach over the clip's body's, which the hips' way was multiplied with; else 1 */
  bool mesh_kept;
  uint32_t dropped_moves; /* on a rig: nodes below the hips that the clip moves in their parents, which is not carried over */
  uint32_t dropped_scales; /* on a rig, and in formats but GLB: nodes that the clip scales over time, which is not carried over */
  uint64_t frame_count;
  double rate_hz;
  uint64_t byte_count;
  uint32_t sampled_tracks;
  uint32_t constant_tracks;
  bool quantized;
  uint32_t box_count; /* of the mesh */
  bool verified;
  double worst_joint_m; /* largest distance between a joint of the file and the computed one */
  const char *worst_joint_name; /* a node of the rig, NULL when not verified */
  uint64_t worst_frame;
  double allowed_m;      /* what such a distance may be, also a corner's; 0 when not verified, and of formats but GLB and
                            VRMA: those are read back byte for byte */
  double worst_corner_m; /* of the boxes' corners, at the first and the last frame; 0 without a mesh */
  sinew_muscle_report muscles;
  sinew_limit_report limits;
} sinew_bake_report;

/* Bakes a clip on a rig, or with rig NULL a clip of bones on its own skeleton or a clip as muscles, and writes a file of
 * the format that is asked for. It appears under `path` only when it is whole and, unless no_verify, was read back: a GLB
 * or VRMA when its joints lie within 1e-5 (quantized: 5e-4) of the body's height of the computed ones, others byte for
 * byte; otherwise nothing is left. A GLB of a clip in which nothing moves keeps its length: two keys of the hips' translation.
 * options and report may be NULL. The bytes depend on clip, rig, options and the context's profile alone. Errors: ARGUMENT (also a clip of muscles without a rig, a way that the clip has not), IO, LIMIT
 * (frames, 4 GiB), RIG (no human body was found in the clip's skeleton; a box cannot be skinned in float32), UNSUPPORTED
 * (a mesh that cannot be kept), POSE, VERIFY, MEMORY, CANCELLED. */
SINEW_API sinew_result sinew_bake(const sinew_context *context, const sinew_clip *clip, const sinew_rig *rig,
                                      const sinew_bake_options *options, const char *path,
                                      sinew_bake_report *report, sinew_error *error);

/* ---- batches: many clips side by side ---------------------------------------------------------------- */

typedef struct sinew_bake_job {
  const sinew_clip *clip;
  const sinew_rig *rig; /* may be NULL, as of sinew_bake */
  const char *path;
  sinew_bake_options options; /* its progress and user are not used: the batch has its own */
} sinew_bake_job;

/* Jobs are begun in order; each becomes a file of its own or fails by itself. Workers bake the pieces of one long clip or
 * of many short ones side by side, and up to four more threads wait for the disk. */
typedef struct sinew_batch {
  uint64_t job_count;
  /* Fills in a zeroed job: reads its clip, names its file. Called once for each job that is begun, in order but several at
   * once, from any worker thread. What the job points to stays until done is called for it. On failure fill `error`,
   * which is never NULL here, and return its code. */
  sinew_result (*open)(void *user, uint64_t index, sinew_bake_job *job, sinew_error *error);
  /* Called once for each job that was begun, in order, one at a time, from the thread that called sinew_bake_batch. error
   * is NULL where the file is in place, flushed to its disk; of the report what was known when a job failed is filled in.
   * May be NULL. */
  void (*done)(void *user, uint64_t index, const sinew_bake_job *job, const sinew_bake_report *report,
               const sinew_error *error);
  /* Called now and then, from the same thread: how many jobs are done, and how many frames of all jobs, in parts too. Return
   * false to cancel: no job is begun any more, and those not yet whole end with CANCELLED and leave no file. May be NULL. */
  bool (*progress)(void *user, uint64_t jobs_done, uint64_t frames_done);
  void *user;
} sinew_batch;

/* Bakes a batch; the bytes of each file are those of sinew_bake. Returns OK when done was called for every job, however
 * many of them failed. Memory: about 5 MB a worker, and the keys of the clips that are open, no more of which are begun
 * once they hold 256 MiB. Errors: ARGUMENT, CANCELLED, MEMORY (for the workers; jobs that were begun end with CANCELLED). */
SINEW_API sinew_result sinew_bake_batch(const sinew_context *context, const sinew_batch *batch, sinew_error *error);

/* ---- bench: how fast this machine is ------------------------------------------------------------------ */

/* One instruction set on one thread, data hot in cache, a body of all 55 bones: the least time of interleaved repeats. */
typedef struct sinew_kernel_speed {
  const char *isa;        /* lives as long as the program */
  double muscles_ns;      /* a pose: 95 muscles to the local rotations of 55 bones */
  double joints_ns;       /* those to positions and rotations of all joints */
  double pose_ns;         /* the whole: muscles to rotations, centre of mass, hips, all joints */
  double arithmetic_gops; /* the limit, measured beside them: float multiply-adds a second, in 10^9 */
  double muscles_share;   /* the time that the muscles' arithmetic takes at that limit, over muscles_ns */
  double joints_share;    /* the same of joints_ns */
} sinew_kernel_speed;

/* Measures an instruction set, index as in sinew_isa_available, on the calling thread: about a third of a second. Errors:
 * ARGUMENT (a NULL, past the end), MEMORY. */
SINEW_API sinew_result sinew_measure_kernels(const sinew_context *context, uint32_t index, sinew_kernel_speed *speed,
                                             sinew_error *error);

/* Memory that no cache holds, one thread. */
typedef struct sinew_memory_speed {
  const char *isa;        /* the context's */
  double read_gb_per_s;   /* 10^9 bytes a second */
  double store_gb_per_s;  /* through the caches, */
  double stream_gb_per_s; /* and past them */
  double muscles_ns;      /* a pose: muscles from memory to local rotations in memory */
  double muscles_share;   /* the bytes of rotations it writes a second, over stream_gb_per_s */
} sinew_memory_speed;

/* On the calling thread: about half a second, and up to 410 MiB of memory that do not come from the allocator. Errors:
 * ARGUMENT (a NULL), MEMORY. */
SINEW_API sinew_result sinew_measure_memory(const sinew_context *context, sinew_memory_speed *speed,
                                            sinew_error *error);

/* Typical clips converted as a batch, all there is to it: 5 s at 30 frames a second, 130 curves with a key every 3
 * frames, their text in memory, on a rig of 55 bones, to verified GLBs that are flushed to their disk. */
typedef struct sinew_clip_speed {
  uint32_t threads; /* the context's */
  uint64_t clips;   /* converted in so many seconds */
  double seconds;
  uint64_t frames; /* of one clip */
  uint64_t text_bytes;
  uint64_t glb_bytes;
} sinew_clip_speed;

/* Converts for at least so many seconds, one batch at least, into a folder of its own below `folder`, which is removed.
 * progress may be NULL; it gets the clips done and to do of a batch. Errors: ARGUMENT (a NULL, seconds), IO, MEMORY,
 * CANCELLED. */
SINEW_API sinew_result sinew_measure_clips(const sinew_context *context, const char *folder, double seconds,
                                           sinew_progress_fn progress, void *user, sinew_clip_speed *speed,
                                           sinew_error *error);

/* ---- inspect: what a file holds -------------------------------------------------------------------- */

/* A binary glTF: structure and animations. Every index, offset and count of the file is checked when it is opened.
 * What is sound but odd (data outside the file, rotations that are not of unit length, ...) is told by warnings. */
typedef struct sinew_glb sinew_glb;

/* Of the options file_bytes, memory_bytes and allocator count; memory_bytes holds for what is kept and for the JSON while
 * it is read. options may be NULL. Errors: ARGUMENT, IO, SYNTAX, UNSUPPORTED (no GLB of version 2), LIMIT, MEMORY. */
SINEW_API sinew_result sinew_glb_open(const char *path, const sinew_read_options *options, sinew_glb **glb,
                                      sinew_error *error);
/* The same from memory; `label` stands for the path in messages. The bytes are not kept. */
SINEW_API sinew_result sinew_glb_open_memory(const void *bytes, size_t byte_count, const char *label,
                                             const sinew_read_options *options, sinew_glb **glb, sinew_error *error);
SINEW_API void sinew_glb_close(sinew_glb *glb);

/* Strings live as long as the handle and are NULL where the file states none. */
typedef struct sinew_glb_info {
  uint64_t byte_count; /* of the file */
  uint64_t json_bytes;
  uint64_t bin_bytes;
  uint64_t animation_bytes; /* of the BIN chunk, each byte once: what animations read */
  uint64_t mesh_bytes;
  uint64_t skin_bytes;
  uint64_t image_bytes;
  uint64_t other_bytes; /* what none of these reads */
  uint32_t node_count;
  uint32_t root_count;
  uint32_t depth; /* nodes on the longest way down; 1: roots only */
  uint32_t skin_count;
  uint32_t mesh_count;
  uint32_t animation_count;
  uint32_t extension_count;
  uint32_t warning_count;
  uint64_t vertex_count; /* over all meshes, each once however often nodes show it */
  uint64_t triangle_count;
  const char *generator;
  const char *sinew_version; /* the four that sinew writes */
  const char *source_name;
  const char *profile;
  double rate_hz; /* 0: not stated */
} sinew_glb_info;
SINEW_API void sinew_glb_get_info(const sinew_glb *glb, sinew_glb_info *info);

typedef struct sinew_glb_node {
  const char *name;
  int32_t parent; /* -1: a root */
  uint32_t depth; /* 0: a root */
  int32_t mesh;   /* -1: none */
  int32_t skin;
} sinew_glb_node;

typedef struct sinew_glb_skin {
  const char *name;
  uint32_t joint_count;
} sinew_glb_skin;

typedef struct sinew_glb_mesh {
  const char *name;
  uint32_t primitive_count;
  uint32_t morph_target_count;
  uint64_t vertex_count;
  uint64_t triangle_count;
} sinew_glb_mesh;

typedef struct sinew_glb_animation {
  const char *name;
  uint32_t channel_count;
  uint32_t constant_tracks; /* with one key, or keys all alike */
  uint64_t key_count;       /* over all channels */
  double start_s;           /* the earliest and the latest key */
  double stop_s;
  uint64_t byte_count; /* of the BIN chunk; what two animations share counts in both */
} sinew_glb_animation;

typedef struct sinew_glb_channel {
  const char *node_name;
  int32_t node;              /* -1: none, an extension says what moves */
  const char *path;          /* "translation", "rotation", "scale", "weights" or what the file says */
  const char *interpolation; /* "LINEAR", "STEP", "CUBICSPLINE" */
  const char *component;     /* "float32", "int8", "uint8", "int16", "uint16", "uint32" */
  bool normalized;
  bool constant;
  uint64_t key_count;
  double start_s;
  double stop_s;
} sinew_glb_channel;

typedef struct sinew_glb_extension {
  const char *name;
  bool required;
} sinew_glb_extension;

/* Each is false past the end. Nodes come as in the file. */
SINEW_API bool sinew_glb_get_node(const sinew_glb *glb, uint32_t index, sinew_glb_node *node);
SINEW_API bool sinew_glb_get_skin(const sinew_glb *glb, uint32_t index, sinew_glb_skin *skin);
SINEW_API bool sinew_glb_get_mesh(const sinew_glb *glb, uint32_t index, sinew_glb_mesh *mesh);
SINEW_API bool sinew_glb_get_animation(const sinew_glb *glb, uint32_t index, sinew_glb_animation *animation);
SINEW_API bool sinew_glb_get_channel(const sinew_glb *glb, uint32_t animation, uint32_t index,
                                     sinew_glb_channel *channel);
SINEW_API bool sinew_glb_get_extension(const sinew_glb *glb, uint32_t index, sinew_glb_extension *extension);

typedef struct sinew_glb_human {
  const char *kind;          /* "vrm0", "vrm1" (models), "vrma" (an animation) */
  uint32_t bone_count;       /* human bones that the file gives a node */
  uint32_t required_missing; /* of the 15 that every humanoid has */
} sinew_glb_human;
/* false where no VRM extension speaks of human bones. */
SINEW_API bool sinew_glb_get_human(const sinew_glb *glb, sinew_glb_human *human);
/* The node of a bone, which is numbered as in sinew_bone_name whatever the file calls it; -1: none. */
SINEW_API int32_t sinew_glb_human_node(const sinew_glb *glb, uint32_t bone);

/* A sentence. NULL past the end. */
SINEW_API const char *sinew_glb_warning(const sinew_glb *glb, uint32_t index);

/* A BVH: a hierarchy of joints and their movement, as the file has them: its own unit, which it does not state, its own axes,
 * and degrees. What is sound but odd (joints without channels, fewer rows than stated, ...) is told by warnings. */
typedef struct sinew_bvh sinew_bvh;

/* Of the options file_bytes, memory_bytes, curves (channels), keys (values), nodes, depth, name_bytes and allocator count.
 * options may be NULL. Errors: ARGUMENT, IO, SYNTAX, UNSUPPORTED (UTF-16), LIMIT, MEMORY. */
SINEW_API sinew_result sinew_bvh_open(const char *path, const sinew_read_options *options, sinew_bvh **bvh,
                                      sinew_error *error);
/* The same from memory; `label` stands for the path in messages. The bytes are not kept. */
SINEW_API sinew_result sinew_bvh_open_memory(const void *bytes, size_t byte_count, const char *label,
                                             const sinew_read_options *options, sinew_bvh **bvh, sinew_error *error);
SINEW_API void sinew_bvh_close(sinew_bvh *bvh);

typedef struct sinew_bvh_info {
  uint64_t byte_count; /* of the file */
  uint32_t node_count; /* joints and End Sites */
  uint32_t joint_count;
  uint32_t root_count;
  uint32_t depth; /* nodes on the longest way down; 1: roots only */
  uint32_t channel_count;
  uint32_t warning_count;
  bool has_motion;      /* a MOTION section; frames, rate and duration are 0 without one */
  uint64_t frame_count; /* rows; 0: the rest pose alone */
  double rate_hz;       /* frames per second: 0.033333 as the time of a frame is 30, 30 where none is stated */
  double duration_s;    /* from the first frame to the last */
  double rest_size[3];  /* along x, y and z from the least to the most of all nodes at rest, every rotation 0. The format
                           does not say which axis is up */
} sinew_bvh_info;
SINEW_API void sinew_bvh_get_info(const sinew_bvh *bvh, sinew_bvh_info *info);

typedef enum sinew_bvh_channel {
  SINEW_BVH_X_POSITION,
  SINEW_BVH_Y_POSITION,
  SINEW_BVH_Z_POSITION,
  SINEW_BVH_X_ROTATION,
  SINEW_BVH_Y_ROTATION,
  SINEW_BVH_Z_ROTATION
} sinew_bvh_channel;

typedef struct sinew_bvh_node {
  const char *name; /* UTF-8, as long as the handle lives; "" where the file states none. Names may repeat */
  int32_t parent;   /* -1: a root; parents stand before children */
  uint32_t depth;   /* 0: a root */
  bool end_site;
  double offset[3];
  uint32_t first_channel; /* its column in a row; meaningful where there is a channel */
  uint32_t channel_count; /* 0 to 6 */
  sinew_bvh_channel channels[6];  /* in the order written */
} sinew_bvh_node;
/* In the file's order; false past the end. */
SINEW_API bool sinew_bvh_get_node(const sinew_bvh *bvh, uint32_t index, sinew_bvh_node *node);
/* The values of a frame, channel_count of them: the nearest float32 to what the file says, none infinite, none NaN. NULL past
 * the end. The rows follow one another without gaps. */
SINEW_API const float *sinew_bvh_row(const sinew_bvh *bvh, uint64_t frame);
/* A sentence. NULL past the end. */
SINEW_API const char *sinew_bvh_warning(const sinew_bvh *bvh, uint32_t index);

typedef enum sinew_file_kind {
  SINEW_FILE_UNKNOWN,
  SINEW_FILE_CLIP,
  SINEW_FILE_RIG,
  SINEW_FILE_GLB,
  SINEW_FILE_BVH
} sinew_file_kind;

/* What a file looks like. It is told by its bytes; the suffix of `name`, which may be NULL, counts where they say too
 * little. `what`, unless NULL, becomes a phrase that lives as long as the program: "a Unity text clip", "a PNG image".
 * Nothing else is checked: to open the file is to know. */
SINEW_API sinew_file_kind sinew_file_identify(const void *bytes, size_t byte_count, const char *name,
                                              const char **what);

/* A file opened as what it is: by sinew_clip_file_open, sinew_rig_open, sinew_glb_open or sinew_bvh_open. */
typedef struct sinew_inspection sinew_inspection;

/* options may be NULL; its `read` counts for every kind. Errors: those of the four; UNSUPPORTED, naming what the file
 * looks like, when it is of another kind. */
SINEW_API sinew_result sinew_inspect(const char *path, const sinew_rig_options *options,
                                     sinew_inspection **inspection, sinew_error *error);
/* Closes what was opened too. */
SINEW_API void sinew_inspection_close(sinew_inspection *inspection);
SINEW_API sinew_file_kind sinew_inspection_kind(const sinew_inspection *inspection);
SINEW_API uint64_t sinew_inspection_byte_count(const sinew_inspection *inspection);
/* NULL unless the file is of that kind. */
SINEW_API const sinew_clip_file *sinew_inspection_clips(const sinew_inspection *inspection);
SINEW_API const sinew_rig *sinew_inspection_rig(const sinew_inspection *inspection);
SINEW_API const sinew_glb *sinew_inspection_glb(const sinew_inspection *inspection);
SINEW_API const sinew_bvh *sinew_inspection_bvh(const sinew_inspection *inspection);

/* ---- player: poses into the caller's memory ----------------------------------------------------------- */

/* A clip on a rig, or a rig alone, ready to compute poses again and again: for engines, crowds and tools that want
 * numbers and no file. */
typedef struct sinew_player sinew_player;

typedef enum sinew_frame {
  SINEW_FRAME_UNITY = 0, /* left-handed, Y up, facing +Z */
  SINEW_FRAME_GLTF       /* right-handed, Y up, facing +Z: Unity's with x mirrored */
} sinew_frame;

typedef struct sinew_player_options {
  sinew_frame frame; /* of everything but muscles, root and goals */
} sinew_player_options;

/* Where poses go: arrays of the caller, frame after frame without gaps, `bones` being sinew_player_bone_count. NULL:
 * not wanted, and not computed for. No two overlap. Lengths in metres. */
typedef struct sinew_pose_buffers {
  float *muscles;        /* [count][95] as sampled: 1 is the muscle's largest angle; 0 without a curve */
  float *root;           /* [count][7] as sampled: RootT over human_scale_m, RootQ; the T-pose's without a curve */
  float *goals;          /* [count][28] as sampled; 0 and, in each Q, the identity without a curve */
  float *local_q;        /* [count][bones][4] each bone in its parent node, unit quaternions: a GLB's rotation tracks */
  float *hips_local_m;   /* [count][3] the hips in its parent node: a GLB's translation track */
  float *hips_model_m;   /* [count][3] the hips in the avatar's root space */
  float *model_m;        /* [count][bones][3] joints in the avatar's root space */
  float *model_q;        /* [count][bones][4] their rotations there, unit quaternions */
  float *model_matrices; /* [count][bones][12] both, as the rows of a 3x4 matrix; the fourth column is the position */
} sinew_pose_buffers;

/* Prepares the constants of a rig and the curves of a clip. clip may be NULL: then only sinew_player_pose serves.
 * options may be NULL. What is needed is copied, but for borrowed rows (sinew_row_clip): context, clip and rig may be
 * closed before the player, though the context's allocator stays in use until sinew_player_close. Errors: ARGUMENT,
 * UNSUPPORTED (a clip of bones), MEMORY. */
SINEW_API sinew_result sinew_player_open(const sinew_context *context, const sinew_clip *clip, const sinew_rig *rig,
                                         const sinew_player_options *options, sinew_player **player,
                                         sinew_error *error);
SINEW_API void sinew_player_close(sinew_player *player);

/* The rig's human bones in the order of the buffers: the hips first, parents before children. */
SINEW_API uint32_t sinew_player_bone_count(const sinew_player *player);
/* The bone at an index, 0..54 as in sinew_bone_name; SINEW_HUMAN_BONE_COUNT past the end. */
SINEW_API uint32_t sinew_player_bone(const sinew_player *player, uint32_t index);

/* Bytes of scratch memory that a call needs, whatever its count; of any alignment. */
SINEW_API size_t sinew_player_scratch_bytes(const sinew_player *player);

/* Poses at `count` times: seconds on the clip's own clock (start_s to stop_s of its info; outside, each curve goes on
 * as it says itself), in any order, ascending being fastest. A pose depends on its time alone, but for the sign of
 * quaternions: the first frame of a call has them as computed, each later one in the half-space of the one before.
 * At the times of a bake (sinew_clip_frame_time), in one call and in glTF's frame, local_q and hips_local_m are the
 * GLB's values bit for bit. Frames are computed 64 at a time: 1 costs as much as 64.
 * Any number of threads may call at once with one player, each with scratch and buffers of its own. Allocates nothing.
 * count 0 is fine. Errors: ARGUMENT (a NULL, scratch too small, a time that is not finite or past 1e30, no clip), POSE
 * (a muscle or goal value past 1000, a root value past 1e6 or one not finite: names the curve and the frame,
 * 0..count-1). After an error the buffers hold whatever was computed before it. */
SINEW_API sinew_result sinew_player_evaluate(const sinew_player *player, void *scratch, size_t scratch_bytes,
                                             const double *time_s, size_t count, const sinew_pose_buffers *out,
                                             sinew_error *error);

/* The same for poses that the caller gives: muscles [count][95] and root [count][7], in Unity's frame and as a clip
 * holds them (RootQ need not be of unit length); root NULL: where the T-pose stands. They may be people of a crowd as
 * well as frames. out->muscles and out->root receive copies. */
SINEW_API sinew_result sinew_player_pose(const sinew_player *player, void *scratch, size_t scratch_bytes,
                                         const float *muscles, const float *root, size_t count,
                                         const sinew_pose_buffers *out, sinew_error *error);

#ifdef __cplusplus
}
#endif
#endif
