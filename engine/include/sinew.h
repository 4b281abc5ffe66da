/* sinew: humanoid animation clips (muscles) to bone rotations and back, in batches.
 *
 * Frames, units:  positions in metres unless a name says otherwise, angles in radians, times in seconds.
 * Quaternions are x, y, z, w, Hamilton product. Unity's frame is left-handed, Y up, facing +Z; a GLB is
 * written in glTF's frame (right-handed, Y up, facing +Z).
 *
 * Handles are opaque. Every function that can fail returns a sinew_result and, when `error` is not NULL,
 * fills it. A handle may be used by several threads at once as long as nobody closes it.
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

/* What went wrong, where. `path` is empty when no file is involved; line and column count from 1, and
 * are 0 when unknown; byte counts from 0 and is meaningful only when `has_place`. */
typedef struct sinew_error {
  sinew_result code;
  char message[320];
  char path[512];
  uint64_t byte;
  uint32_t line;
  uint32_t column;
  bool has_place;
} sinew_error;

/* "walk.anim:412: frame rate is -3, expected more than 0": the error as one line without a newline.
 * Writes at most `size` bytes including the terminating zero; returns `buffer`. */
SINEW_API const char *sinew_error_text(const sinew_error *error, char *buffer, size_t size);

/* The library's version, "0.1.0". */
SINEW_API const char *sinew_version(void);

/* ---- memory ----------------------------------------------------------------------------------------- */

/* Where memory comes from. NULL in the options below stands for the C library's. What a handle needs later is copied:
 * the struct may go once the call returns, `user` and the functions stay until every handle made with them is closed.
 * alloc gives byte_count bytes aligned to `alignment` (64), or NULL; byte_count is a multiple of 64. free gets back
 * what alloc gave and the same byte_count. Where threads share the allocator (a context with worker threads, handles
 * opened on several threads) both are called from all of them, at once.
 * Not from here: what the JSON parser takes while a finished file is verified, OpenMP's threads, the C library's own. */
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
  uint32_t thread_count; /* worker threads; 0: the CPUs this process may use */
  const sinew_allocator *allocator; /* of the context and of every call that is given it */
} sinew_context_options;

/* Creates a context. options may be NULL. The caller closes it with sinew_context_close.
 * Errors: ARGUMENT (unknown isa name, or no supported instruction set on this CPU), MEMORY. */
SINEW_API sinew_result sinew_context_open(const sinew_context_options *options, sinew_context **context,
                                          sinew_error *error);
SINEW_API void sinew_context_close(sinew_context *context);
SINEW_API const char *sinew_context_isa(const sinew_context *context);     /* "avx2" */
SINEW_API const char *sinew_context_profile(const sinew_context *context); /* "fma" or "nofma" */
SINEW_API uint32_t sinew_context_threads(const sinew_context *context);

/* The instruction sets this CPU can run, best first; NULL past the end. */
SINEW_API const char *sinew_isa_available(uint32_t index);
/* What sinew_context_options.isa may be on this machine, best first, as a text: "avx512, avx2, sse4 or scalar" on x86-64
 * (names that this CPU lacks are ceilings; without "scalar" on a CPU without fma), "neon or scalar" on aarch64. Writes at
 * most `size` bytes including the terminating zero; returns `buffer`. */
SINEW_API const char *sinew_isa_names(char *buffer, size_t size);

/* Runs every kernel of every available instruction set against double-precision references, in this
 * process. `line`, when not NULL, receives one line per check, which begins with "ok " or "FAIL ".
 * Returns the number of failed checks. */
typedef void (*sinew_line_fn)(void *user, const char *text);
SINEW_API uint32_t sinew_selftest(sinew_line_fn line, void *user, uint32_t *passed, uint32_t *failed);

/* ---- clips -------------------------------------------------------------------------------------- */

typedef struct sinew_clip_file sinew_clip_file; /* a file's clips */
typedef struct sinew_clip sinew_clip;           /* one clip; lives as long as its file */

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
} sinew_read_options;

/* Reads every humanoid clip of a Unity text .anim file. options may be NULL.
 * Errors: ARGUMENT, IO, SYNTAX, UNSUPPORTED (binary-serialised, generic, no clip inside), LIMIT, MEMORY. */
SINEW_API sinew_result sinew_clip_file_open(const char *path, const sinew_read_options *options,
                                            sinew_clip_file **file, sinew_error *error);
/* The same from memory; `label` stands for the path in messages. The bytes are not kept. */
SINEW_API sinew_result sinew_clip_file_open_memory(const void *bytes, size_t byte_count, const char *label,
                                                   const sinew_read_options *options, sinew_clip_file **file,
                                                   sinew_error *error);
SINEW_API void sinew_clip_file_close(sinew_clip_file *file);
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

typedef struct sinew_clip_info {
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
} sinew_clip_info;
SINEW_API void sinew_clip_get_info(const sinew_clip *clip, sinew_clip_info *info);

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
  double least_key; /* smallest and largest key value */
  double most_key;
} sinew_curve_info;
/* false past the end. */
SINEW_API bool sinew_clip_get_curve(const sinew_clip *clip, uint32_t index, sinew_curve_info *info);

/* Frames that a bake at rate_hz (0: the clip's) has: ceil(duration * rate - 1e-3) + 1; the last frame
 * stands at the stop time. */
SINEW_API uint64_t sinew_clip_frame_count(const sinew_clip *clip, double rate_hz);

/* ---- rigs --------------------------------------------------------------------------------------- */

typedef struct sinew_rig sinew_rig;

typedef struct sinew_rig_options {
  double unit_scale; /* metres per unit of the file; 0: inferred from the body's height */
  sinew_read_options read;
} sinew_rig_options;

/* Reads a rig (a model's .fbx.meta with a humanDescription) and compiles its muscle axes.
 * options may be NULL. Errors: IO, SYNTAX, UNSUPPORTED, LIMIT, RIG, MEMORY. */
SINEW_API sinew_result sinew_rig_open(const char *path, const sinew_rig_options *options, sinew_rig **rig,
                                      sinew_error *error);
SINEW_API sinew_result sinew_rig_open_memory(const void *bytes, size_t byte_count, const char *label,
                                             const sinew_rig_options *options, sinew_rig **rig,
                                             sinew_error *error);
SINEW_API void sinew_rig_close(sinew_rig *rig);

typedef struct sinew_rig_info {
  const char *name;
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

/* bone: 0..54 in HumanBodyBones order. */
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
} sinew_rig_bone;
SINEW_API bool sinew_rig_get_bone(const sinew_rig *rig, uint32_t bone, sinew_rig_bone *info);

/* A sentence per thing that was repaired, guessed or looks wrong. NULL past the end. */
SINEW_API const char *sinew_rig_warning(const sinew_rig *rig, uint32_t index);

/* ---- bake: a clip on a rig, to GLB ---------------------------------------------------------------- */

/* Called now and then from the calling thread; return false to cancel. */
typedef bool (*sinew_progress_fn)(void *user, uint64_t frames_done, uint64_t frame_count);

typedef enum sinew_mesh {
  SINEW_MESH_NONE = 0, /* joints alone */
  SINEW_MESH_BOXES     /* a box per human bone but eyes and jaw, as one skinned mesh: something to look at */
} sinew_mesh;

typedef struct sinew_bake_options {
  double rate_hz; /* frames per second of the output; 0: the clip's own */
  bool quantize;  /* rotations as normalised 16-bit integers: half the bytes; the hips' translation stays float */
  sinew_mesh mesh;
  bool no_verify; /* do not read the finished file back */
  const char *source_name; /* base name recorded in the file; NULL: the clip's name */
  sinew_progress_fn progress;
  void *user;
} sinew_bake_options;

typedef struct sinew_bake_report {
  uint64_t frame_count;
  double rate_hz;
  uint64_t byte_count;
  uint32_t sampled_tracks;
  uint32_t constant_tracks;
  bool verified;
  double worst_joint_m; /* largest distance between a joint of the file and the computed one */
  const char *worst_joint_name; /* a node of the rig, NULL when not verified */
  uint64_t worst_frame;
  double allowed_m;      /* what such a distance may be, also a corner's; 0 when not verified */
  double worst_corner_m; /* of the boxes' corners, at the first and the last frame; 0 without a mesh */
} sinew_bake_report;

/* Bakes a clip on a rig and writes a GLB. The file appears under `path` only when it is whole and, unless
 * no_verify, when its joints lie within 1e-5 (quantized: 5e-4) of the body's height of the computed ones;
 * otherwise nothing is left. A clip in which nothing moves keeps its length: two keys of the hips' translation.
 * options and report may be NULL. The bytes depend on clip, rig, rate, quantize, mesh and the context's profile
 * alone. Errors: ARGUMENT, IO, LIMIT (frames, 4 GiB), RIG (a box cannot be skinned in float32), POSE, VERIFY,
 * MEMORY, CANCELLED. */
SINEW_API sinew_result sinew_bake_glb(const sinew_context *context, const sinew_clip *clip, const sinew_rig *rig,
                                      const sinew_bake_options *options, const char *path,
                                      sinew_bake_report *report, sinew_error *error);

#ifdef __cplusplus
}
#endif
#endif
