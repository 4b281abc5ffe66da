#include "args.h"

#include "console.h"
#include "format_choice.h"
#include "option_value.h"
#include "sinew.h"

#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { LONG_VALUE = 256 }; /* getopt_long's value of row 0's long form; letters lie below */

#define CONVERT (1u << COMMAND_CONVERT)
#define RIG (1u << COMMAND_RIG)
#define INSPECT (1u << COMMAND_INSPECT)
#define SELFTEST (1u << COMMAND_SELFTEST)
#define BENCH (1u << COMMAND_BENCH)
#define HELP (1u << COMMAND_HELP)
#define READS_RIG (CONVERT | RIG | INSPECT)

const option_row options[OPTION_COUNT] = {
    [OPTION_RIG] =
        {0, "rig", "RIG", CONVERT,
         "the character: see 'sinew help rigs'; without one a clip of bones keeps its own skeleton"},
    [OPTION_TO] =
        {0, "to", "FORMAT", CONVERT,
         "glb, vrma, bvh, npz, anim or csv: 'sinew help formats' (default: the suffix of -o, else glb)"},
    [OPTION_OUTPUT] =
        {'o', "output", "OUT", CONVERT | RIG,
         "the file to write, its suffix the format, when one clip results; of 'rig' a rig file, *.json"},
    [OPTION_OUTDIR] = {0, "outdir", "DIR", CONVERT, "the folder to write to, made when missing (default: .)"},
    [OPTION_FPS] = {0, "fps", "N", CONVERT | INSPECT,
                    "frames per second, above 0 to 1000000 (default: the clip's own)"},
    [OPTION_QUANTIZE] = {0, "quantize", NULL, CONVERT,
                         "of a GLB: rotations as 16-bit integers, half the bytes"},
    [OPTION_MESH] =
        {0, "mesh", "NAME", CONVERT,
         "of a GLB. keep: the rig's own, of a GLB or VRM (default there); boxes: one per human bone; none"},
    [OPTION_ORDER] = {0, "order", "XYZ", CONVERT,
                      "of a BVH's rotations: XYZ, XZY, YXZ, YZX, ZXY or ZYX (default: ZXY)"},
    [OPTION_UNIT] = {0, "unit", "UNIT", CONVERT, "of a BVH's lengths: cm (default) or m"},
    [OPTION_REST] = {0, "rest", "POSE", CONVERT,
                     "of a BVH's joints, where all rotations are 0. own: as the nodes rest (default); t: in "
                     "T-pose"},
    [OPTION_ROTATIONS] = {0, "rotations", "FORM", CONVERT,
                          "of an npz: xyzw (default), or xyz: without w, which is sqrt(1 - xx - yy - zz)"},
    [OPTION_TDOF] = {0, "tdof", NULL, CONVERT,
                     "of an anim of bones: translations below the hips too, as curves SpineTDOF.x and so on"},
    [OPTION_CLIP] = {0, "clip", "NAME", CONVERT,
                     "of a file with several clips the one of this name or number, from 0 (default: all)"},
    [OPTION_VIA] =
        {0, "via", "WAY", CONVERT,
         "muscle: Mecanim's way (default for clips of muscles); delta (default for clips of bones)"},
    [OPTION_IN_PLACE] = {0, "in-place", NULL, CONVERT,
                         "the hips keep their place over the ground: of clips of bones on a rig"},
    [OPTION_CLIP_RIG] =
        {0, "clip-rig", "FILE", CONVERT,
         "the avatar of the clips' own skeleton (default: the rig where it is that, else found)"},
    [OPTION_LIMB] =
        {0, "limb", "WAY", CONVERT,
         "arms and legs as muscles. editor: as Unity's (default); exact: hands and feet stay where they are"},
    [OPTION_MIRROR] = {0, "mirror", NULL, CONVERT,
                       "left for right: of muscles, so clips of bones want --via muscle or --to anim or csv"},
    [OPTION_LIMITS] =
        {0, "limits", "WAY", CONVERT,
         "muscles beyond -1..1. off: as they are (default); warn: told; clamp: held to it, and told"},
    [OPTION_MAP] = {0, "map", "FILE", CONVERT | RIG,
                    "corrects which node is which bone (of 'convert': in the clips)"},
    [OPTION_RIG_MAP] = {0, "rig-map", "FILE", CONVERT, "the same of --rig"},
    [OPTION_MAP_OUT] = {0, "map-out", "FILE", RIG, "writes which node is which bone, *.json"},
    [OPTION_TPOSE_FRAME] = {0, "tpose-frame", "N", CONVERT | RIG,
                            "the T-pose is frame N of the file's first clip, from 1 (default: found)"},
    [OPTION_UNIT_SCALE] = {0, "unit-scale", "S", CONVERT,
                           "metres per unit of BVH clips (default: inferred from the body's height)"},
    [OPTION_FIX_BIPED] =
        {0, "fix-biped", NULL, CONVERT | RIG,
         "3ds Max Biped: legs, clavicles, props and twist bones under the bones they belong to"},
    [OPTION_RIG_SCALE] = {0, "rig-scale", "S", CONVERT | RIG | INSPECT,
                          "metres per unit of the rig (default: inferred from its height)"},
    [OPTION_THREADS] = {'j', "threads", "N", CONVERT | BENCH,
                        "worker threads, 1 to 1024 (default: the CPUs it may use)"},
    [OPTION_ISA] = {0, "isa", "NAME", CONVERT, "highest instruction set (default: SINEW_ISA, else the best)"},
    [OPTION_NO_VERIFY] = {0, "no-verify", NULL, CONVERT, "do not read the finished files back"},
    [OPTION_MAX_FILE_BYTES] = {0, "max-file-bytes", "N", READS_RIG,
                               "largest input file, in bytes (default: 4294967296)"},
    [OPTION_MAX_MEMORY_BYTES] = {0, "max-memory-bytes", "N", READS_RIG,
                                 "most memory a file takes once read, in bytes (default: 8589934592)"},
    [OPTION_MAX_CURVES] = {0, "max-curves", "N", CONVERT | INSPECT, "most curves in a clip (default: 65536)"},
    [OPTION_MAX_KEYS] = {0, "max-keys", "N", CONVERT | INSPECT, "most keys in a clip (default: 268435456)"},
    [OPTION_MAX_CLIPS] = {0, "max-clips", "N", CONVERT | INSPECT, "most clips in a file (default: 4096)"},
    [OPTION_MAX_NODES] = {0, "max-nodes", "N", READS_RIG, "most nodes in a rig (default: 4096)"},
    [OPTION_MAX_DEPTH] = {0, "max-depth", "N", READS_RIG,
                          "deepest hierarchy of a rig, in nodes (default: 256)"},
    [OPTION_MAX_NAME_BYTES] = {0, "max-name-bytes", "N", READS_RIG, "longest name, in bytes (default: 4096)"},
    [OPTION_JSON] = {0, "json", NULL, CONVERT | RIG | INSPECT | BENCH,
                     "results on stdout as JSON, one object a line"},
    [OPTION_QUIET] = {'q', "quiet", NULL, CONVERT | INSPECT, "errors only (with --json: JSON and errors)"},
    [OPTION_VERBOSE] = {'v', "verbose", NULL, CONVERT | INSPECT | SELFTEST, "say more"},
    [OPTION_HELP] = {'h', "help", NULL, CONVERT | RIG | INSPECT | SELFTEST | BENCH | HELP | OPTION_BARE,
                     "this text"},
    [OPTION_VERSION] = {'V', "version", NULL, OPTION_BARE,
                        "the version, the instruction set and its profile"},
};

int usage_error(command_id command, const char *format, ...) {
  char text[512];
  va_list list;
  va_start(list, format);
  vsnprintf(text, sizeof text, format, list);
  va_end(list);
  const bool bare = command >= COMMAND_HELP;
  complain("%s; try 'sinew help%s%s'", text, bare ? "" : " ", bare ? "" : commands[command].name);
  return EXIT_USAGE;
}

static unsigned command_bit(command_id command) {
  return 1u << command;
}

/* getopt's two views of the rows that a command takes. */
typedef struct getopt_form {
  char letters[2 * OPTION_COUNT + 2];
  struct option longs[OPTION_COUNT + 1];
} getopt_form;

static void form_of_rows(command_id command, getopt_form *form) {
  memset(form, 0, sizeof *form);
  size_t letter = 0, row_count = 0;
  form->letters[letter++] = ':'; /* a missing value is told apart from an unknown option */
  for (int id = 0; id < OPTION_COUNT; id++) {
    const option_row *row = &options[id];
    if (!(row->commands & command_bit(command))) continue;
    if (row->letter) {
      form->letters[letter++] = row->letter;
      if (row->value) form->letters[letter++] = ':';
    }
    form->longs[row_count++] =
        (struct option){row->name, row->value ? required_argument : no_argument, NULL, LONG_VALUE + id};
  }
}

static bool isa_known(const char *name) {
  const sinew_context_options wanted = {.isa = name, .thread_count = 1};
  sinew_context *context;
  if (!*name || sinew_context_open(&wanted, &context, NULL) != SINEW_OK) return false;
  sinew_context_close(context);
  return true;
}

static bool mesh_of_name(const char *name, sinew_mesh *mesh) {
  static const char *const names[] = {
      [SINEW_MESH_NONE] = "none", [SINEW_MESH_BOXES] = "boxes", [SINEW_MESH_KEEP] = "keep"};
  for (int i = SINEW_MESH_NONE; i <= SINEW_MESH_KEEP; i++)
    if (strcmp(name, names[i]) == 0) *mesh = (sinew_mesh)i;
  return *mesh != SINEW_MESH_DEFAULT;
}

static bool via_of_name(const char *name, sinew_via *via) {
  if (strcmp(name, "muscle") == 0) *via = SINEW_VIA_MUSCLE;
  if (strcmp(name, "delta") == 0) *via = SINEW_VIA_DELTA;
  return *via != SINEW_VIA_DEFAULT;
}

static bool word_of(const char *const *words, size_t count, const char *value, size_t *index) {
  for (size_t i = 0; i < count; i++)
    if (strcmp(value, words[i]) == 0) {
      *index = i;
      return true;
    }
  return false;
}

static bool order_of_name(const char *name, const char **order) {
  static const char *const orders[] = {"XYZ", "XZY", "YXZ", "YZX", "ZXY", "ZYX"};
  for (size_t i = 0; i < sizeof orders / sizeof *orders; i++)
    if (strcasecmp(name, orders[i]) == 0) *order = orders[i];
  return *order != NULL;
}

static bool wrong_value(const arguments *result, option_id id, const char *wanted, const char *value) {
  usage_error(result->command, "--%s wants %s, not '%s'", options[id].name, wanted, value);
  return false;
}

/* Where each limit goes, and how wide it is there. */
static const struct {
  size_t offset;
  size_t size;
} limit_fields[] = {
#define LIMIT_FIELD(name)                                                                                    \
  { offsetof(sinew_read_options, name), sizeof((sinew_read_options *)0)->name }
    LIMIT_FIELD(file_bytes), LIMIT_FIELD(memory_bytes), LIMIT_FIELD(curves), LIMIT_FIELD(keys),
    LIMIT_FIELD(clips),      LIMIT_FIELD(nodes),        LIMIT_FIELD(depth),  LIMIT_FIELD(name_bytes),
#undef LIMIT_FIELD
};

static bool limit_apply(arguments *result, option_id id, const char *value) {
  const size_t offset = limit_fields[id - OPTION_MAX_FILE_BYTES].offset;
  const bool wide = limit_fields[id - OPTION_MAX_FILE_BYTES].size == sizeof(uint64_t);
  uint64_t limit;
  if (!value_limit(value, wide ? INT64_MAX : UINT32_MAX, &limit))
    return wrong_value(
        result, id,
        wide ? "a whole number from 1 to 9223372036854775807" : "a whole number from 1 to 4294967295", value);
  char *field = (char *)&result->read + offset;
  const uint32_t narrow = (uint32_t)limit;
  memcpy(field, wide ? (const void *)&limit : &narrow, wide ? sizeof limit : sizeof narrow);
  return true;
}

/* What a word of a short list says. */
static bool word_apply(arguments *result, option_id id, const char *value) {
  static const char *const limbs[] = {[SINEW_LIMB_EDITOR] = "editor", [SINEW_LIMB_EXACT] = "exact"};
  static const char *const limits[] = {
      [LIMITS_OFF] = "off", [LIMITS_WARN] = "warn", [LIMITS_CLAMP] = "clamp"};
  static const char *const units[] = {"cm", "m"};
  static const char *const rests[] = {[SINEW_REST_OWN] = "own", [SINEW_REST_TPOSE] = "t"};
  static const char *const forms[] = {"xyzw", "xyz"};
  size_t word;
  if (id == OPTION_LIMB) {
    if (!word_of(limbs, 2, value, &word)) return wrong_value(result, id, "editor or exact", value);
    result->limb_given = true;
    result->limb = (sinew_limb)word;
  } else if (id == OPTION_LIMITS) {
    if (!word_of(limits, 3, value, &word)) return wrong_value(result, id, "off, warn or clamp", value);
    result->limits = (limits_choice)word;
  } else if (id == OPTION_UNIT) {
    if (!word_of(units, 2, value, &word)) return wrong_value(result, id, "cm or m", value);
    result->unit = true;
    result->metres = word == 1;
  } else if (id == OPTION_REST) {
    if (!word_of(rests, 2, value, &word)) return wrong_value(result, id, "own or t", value);
    result->rest = true;
    result->rest_pose = (sinew_rest)word;
  } else {
    if (!word_of(forms, 2, value, &word)) return wrong_value(result, id, "xyzw or xyz", value);
    result->rotations = true;
    result->xyz = word == 1;
  }
  return true;
}

static bool option_apply(arguments *result, option_id id, const char *value) {
  char names[64];
  switch (id) {
  case OPTION_RIG:
    result->rig = value;
    return true;
  case OPTION_TO:
    result->to = format_of_name(value, &result->to_format);
    return result->to || wrong_value(result, id, format_list("", names), value);
  case OPTION_OUTPUT:
    result->output = value;
    return true;
  case OPTION_OUTDIR:
    result->outdir = value;
    return true;
  case OPTION_FPS:
    if (value_real(value, 1000000, &result->fps)) return true;
    return wrong_value(result, id, "a number above 0 and at most 1000000", value);
  case OPTION_QUANTIZE:
    result->quantize = true;
    return true;
  case OPTION_MESH:
    result->mesh = SINEW_MESH_DEFAULT;
    if (mesh_of_name(value, &result->mesh)) return true;
    return wrong_value(result, id, "keep, boxes or none", value);
  case OPTION_CLIP:
    result->clip = strcmp(value, "all") == 0 ? NULL : value;
    return true;
  case OPTION_VIA:
    result->via = SINEW_VIA_DEFAULT;
    if (via_of_name(value, &result->via)) return true;
    return wrong_value(result, id, "muscle or delta", value);
  case OPTION_IN_PLACE:
    result->in_place = true;
    return true;
  case OPTION_CLIP_RIG:
    result->clip_rig = value;
    return true;
  case OPTION_MIRROR:
    result->mirror = true;
    return true;
  case OPTION_TDOF:
    result->tdof = true;
    return true;
  case OPTION_ORDER:
    result->order = NULL;
    return order_of_name(value, &result->order) ||
           wrong_value(result, id, "XYZ, XZY, YXZ, YZX, ZXY or ZYX", value);
  case OPTION_LIMB:
  case OPTION_LIMITS:
  case OPTION_UNIT:
  case OPTION_REST:
  case OPTION_ROTATIONS:
    return word_apply(result, id, value);
  case OPTION_MAP:
    result->map = value;
    return true;
  case OPTION_RIG_MAP:
    result->rig_map = value;
    return true;
  case OPTION_MAP_OUT:
    result->map_out = value;
    return true;
  case OPTION_TPOSE_FRAME:
    if (value_count(value, 1, UINT32_MAX, &result->tpose_frame)) return true;
    return wrong_value(result, id, "a whole number from 1", value);
  case OPTION_UNIT_SCALE:
    if (value_real(value, 1e9, &result->unit_scale)) return true;
    return wrong_value(result, id, "a number above 0 and at most 1e9", value);
  case OPTION_FIX_BIPED:
    result->fix_biped = true;
    return true;
  case OPTION_RIG_SCALE:
    if (value_real(value, 1e9, &result->rig_scale)) return true;
    return wrong_value(result, id, "a number above 0 and at most 1e9", value);
  case OPTION_THREADS:
    if (value_count(value, 1, 1024, &result->threads)) return true;
    return wrong_value(result, id, "a number from 1 to 1024", value);
  case OPTION_ISA:
    result->isa = value;
    if (isa_known(value)) return true;
    return wrong_value(result, id, sinew_isa_names(names, sizeof names), value);
  case OPTION_NO_VERIFY:
    result->no_verify = true;
    return true;
  case OPTION_MAX_FILE_BYTES:
  case OPTION_MAX_MEMORY_BYTES:
  case OPTION_MAX_CURVES:
  case OPTION_MAX_KEYS:
  case OPTION_MAX_CLIPS:
  case OPTION_MAX_NODES:
  case OPTION_MAX_DEPTH:
  case OPTION_MAX_NAME_BYTES:
    return limit_apply(result, id, value);
  case OPTION_JSON:
    result->json = true;
    return true;
  case OPTION_QUIET:
    result->quiet = true;
    return true;
  case OPTION_VERBOSE:
    result->verbose = true;
    return true;
  case OPTION_HELP:
    result->help = true;
    return true;
  case OPTION_VERSION:
    result->version = true;
    return true;
  case OPTION_COUNT:
    break;
  }
  return false;
}

static option_id row_of_letter(int letter) {
  int id = 0;
  while (id < OPTION_COUNT && options[id].letter != letter) id++;
  return (option_id)id;
}

/* getopt_long takes any unambiguous beginning of a name; a script that leans on one breaks when an option is
 * added. */
static bool spelled_out(char **argv, const char *name) {
  const char *word = argv[optind - 1];
  if (optarg == word) word = argv[optind - 2];
  const size_t length = strlen(name);
  return strncmp(word, "--", 2) == 0 && strncmp(word + 2, name, length) == 0 &&
         (word[2 + length] == 0 || word[2 + length] == '=');
}

static bool refuse(command_id id, int found, char **argv) {
  const char letter[3] = {'-', (char)optopt, 0};
  const bool is_letter = optopt > 0 && optopt < LONG_VALUE;
  const char *word = is_letter ? letter : argv[optind - 1];
  const option_row *row = optopt >= LONG_VALUE ? &options[optopt - LONG_VALUE] : NULL;
  optarg = NULL; /* none was taken */
  if (row && !spelled_out(argv, row->name))
    usage_error(id, "unknown option '%s'", word);
  else if (found == ':')
    usage_error(id, "option '%s' wants a value", word);
  else if (row)
    usage_error(id, "option '--%s' takes no value", row->name);
  else
    usage_error(id, "unknown option '%s'", word);
  return false;
}

/* argv[0] is not looked at. */
static bool parse_options(int argc, char **argv, arguments *result) {
  getopt_form form;
  form_of_rows(result->command, &form);
  opterr = 0;
  optind = 1;
  for (;;) {
    const int found = getopt_long(argc, argv, form.letters, form.longs, NULL);
    if (found == -1) break;
    if (found == '?' || found == ':') return refuse(result->command, found, argv);
    const option_id id = found >= LONG_VALUE ? (option_id)(found - LONG_VALUE) : row_of_letter(found);
    if (found >= LONG_VALUE && !spelled_out(argv, options[id].name)) {
      usage_error(result->command, "unknown option '%s'",
                  optarg == argv[optind - 1] ? argv[optind - 2] : argv[optind - 1]);
      return false;
    }
    if (!option_apply(result, id, optarg)) return false;
    if (result->help || result->version) return true;
  }
  result->inputs = argv + optind;
  result->input_count = (size_t)(argc - optind);
  return true;
}

static bool check_whole(const arguments *result) {
  const command_row *c = &commands[result->command];
  if (result->input_count < c->least) {
    usage_error(result->command, "%s wants %s", c->name, c->positionals);
    return false;
  }
  if (result->input_count > c->most) {
    usage_error(result->command, "%s does not take '%s'", c->name, result->inputs[c->most]);
    return false;
  }
  if (result->quiet && result->verbose) {
    usage_error(result->command, "-q and -v exclude each other");
    return false;
  }
  if (result->output && result->outdir) {
    usage_error(result->command, "-o and --outdir exclude each other");
    return false;
  }
  return true;
}

bool arguments_parse(int argc, char **argv, arguments *result) {
  memset(result, 0, sizeof *result);
  result->command = COMMAND_COUNT;
  if (argc < 2) return true;
  if (argv[1][0] == '-') {
    if (!parse_options(argc, argv, result)) return false;
    if (result->help || result->version) return true;
    usage_error(COMMAND_COUNT, "a command comes first");
    return false;
  }
  int id = 0;
  while (id < COMMAND_COUNT && strcmp(commands[id].name, argv[1]) != 0) id++;
  if (id == COMMAND_COUNT) {
    usage_error(COMMAND_COUNT, "unknown command '%s'", argv[1]);
    return false;
  }
  result->command = (command_id)id;
  if (!parse_options(argc - 1, argv + 1, result)) return false;
  return result->help || check_whole(result);
}
