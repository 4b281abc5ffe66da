/* The program's commands and options as tables. The parser, the checks and the help all read the same rows,
 * so what the help says is what the parser takes. */
#ifndef CLI_ARGS_H
#define CLI_ARGS_H

#include "sinew.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { EXIT_OK = 0, EXIT_SOME_FAILED = 1, EXIT_USAGE = 2, EXIT_STOPPED = 130 };

typedef enum command_id {
  COMMAND_CONVERT,
  COMMAND_RIG,
  COMMAND_INSPECT,
  COMMAND_SELFTEST,
  COMMAND_BENCH,
  COMMAND_HELP,
  COMMAND_COUNT
} command_id;

typedef struct command_row {
  const char *name;
  const char *positionals; /* as the usage line shows them, "" for none */
  size_t least;            /* number of positionals */
  size_t most;
  const char *summary;
  const char *details; /* help below the options: what is printed, examples */
} command_row;

/* Indexed by command_id. */
extern const command_row commands[COMMAND_COUNT];

typedef enum option_id {
  OPTION_RIG,
  OPTION_TO,
  OPTION_OUTPUT,
  OPTION_OUTDIR,
  OPTION_FPS,
  OPTION_CLIP,
  OPTION_VIA,
  OPTION_IN_PLACE,
  OPTION_CLIP_RIG,
  OPTION_LIMB,
  OPTION_MIRROR,
  OPTION_LIMITS,
  OPTION_QUANTIZE,
  OPTION_MESH,
  OPTION_ORDER,
  OPTION_UNIT,
  OPTION_REST,
  OPTION_ROTATIONS,
  OPTION_TDOF,
  OPTION_MAP,
  OPTION_RIG_MAP,
  OPTION_MAP_OUT,
  OPTION_TPOSE_FRAME,
  OPTION_UNIT_SCALE,
  OPTION_FIX_BIPED,
  OPTION_RIG_SCALE,
  OPTION_THREADS,
  OPTION_ISA,
  OPTION_NO_VERIFY,
  OPTION_MAX_FILE_BYTES, /* the limits stand together, in the order of args.c's limit_fields */
  OPTION_MAX_MEMORY_BYTES,
  OPTION_MAX_CURVES,
  OPTION_MAX_KEYS,
  OPTION_MAX_CLIPS,
  OPTION_MAX_NODES,
  OPTION_MAX_DEPTH,
  OPTION_MAX_NAME_BYTES,
  OPTION_JSON,
  OPTION_QUIET,
  OPTION_VERBOSE,
  OPTION_HELP,
  OPTION_VERSION,
  OPTION_COUNT
} option_id;

typedef struct option_row {
  char letter; /* 0: long form only */
  const char *name;
  const char *value; /* what the help calls its value; NULL: takes none */
  unsigned commands; /* bit (1u << command_id), OPTION_BARE for `sinew` without a command */
  const char *help;
} option_row;

#define OPTION_BARE (1u << COMMAND_COUNT)

/* Indexed by option_id. */
extern const option_row options[OPTION_COUNT];

/* --limits; the engine counts in any case. */
typedef enum limits_choice {
  LIMITS_OFF,  /* nothing is told */
  LIMITS_WARN, /* told */
  LIMITS_CLAMP /* held to their range, and told */
} limits_choice;

typedef struct arguments {
  command_id command; /* COMMAND_COUNT: none, only --help or --version */
  char **inputs;      /* the positionals, within argv */
  size_t input_count;
  const char *rig;
  bool to; /* --to was given: to_format */
  sinew_format to_format;
  const char *output;
  const char *outdir;
  const char *isa;
  double fps;              /* 0: the clip's own */
  double rig_scale;        /* 0: inferred */
  uint32_t threads;        /* 0: all CPUs of this process */
  sinew_read_options read; /* limits; 0: the default */
  bool quantize;
  sinew_mesh mesh;
  sinew_via via;
  bool in_place;
  const char *clip_rig; /* the avatar of the clips' own skeleton */
  bool limb_given;
  sinew_limb limb;
  bool mirror;
  limits_choice limits;
  const char *order; /* the next three are a BVH's */
  bool unit;         /* --unit was given: metres or not */
  bool metres;
  bool rest; /* --rest was given: rest_pose */
  sinew_rest rest_pose;
  bool rotations; /* --rotations was given: xyz or not */
  bool xyz;
  bool tdof;
  bool fix_biped;
  const char *clip;    /* NULL: all; a name, or a number from 0 */
  const char *map;     /* of the clips' skeletons, or of the rig that `rig` shows */
  const char *rig_map; /* of --rig */
  const char *map_out;
  uint32_t tpose_frame; /* from 1; 0: found */
  double unit_scale;    /* of clips; 0: inferred */
  bool no_verify;
  bool json;
  bool quiet;
  bool verbose;
  bool help;
  bool version;
} arguments;

/* Fills `arguments` from the command line. A mistake is told on stderr in one line; then the result is false
 * and the program ends with EXIT_USAGE. */
bool arguments_parse(int argc, char **argv, arguments *result);

/* One line on stderr that ends with the command to ask for help; returns EXIT_USAGE. command may be
 * COMMAND_COUNT. */
int usage_error(command_id command, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
