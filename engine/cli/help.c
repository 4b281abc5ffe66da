#include "commands.h"

#include "console.h"
#include "help_topics.h"

#include <stdio.h>
#include <string.h>

/* clang-format off */
static const char convert_details[] =
    "Writes one file per clip, a GLB unless --to or -o say another format ('sinew help formats'): {stem}.glb for a file with\n"
    "one clip, {stem}_{clip}.glb for each clip of a file with several. Clips of muscles (.anim, .csv) need a rig to turn\n"
    "bones and none to be written as muscles; clips of bones (BVH, glTF, VRMA, npz) move a rig by delta or by muscles, keep\n"
    "their own skeleton or become muscles: 'sinew help rigs' tells the rest. In a clip's name / \\ | : * ? \" < >, control\n"
    "characters and a leading dot become '_'; a name is cut to 200 bytes. A file appears whole or not at all. Each is read\n"
    "back before it appears, and the joints of a GLB are compared with the computed ones, unless --no-verify. Nothing is\n"
    "written when two clips would get one path or an output would replace an input.\n"
    "\n"
    "Results go to stdout, messages to stderr. Exit code: 0 all converted, 1 some failed, 2 the command line is wrong, 130\n"
    "stopped by SIGINT, SIGTERM or SIGHUP (finished files stay).\n"
    "\n"
    "Examples:\n"
    "  sinew convert walk.anim --rig hero.fbx.meta -o walk.glb\n"
    "  sinew convert moves/*.anim --rig hero.fbx.meta --outdir out --fps 60\n"
    "  sinew convert walk.bvh --rig hero.vrm -o walk.glb\n"
    "  sinew convert hero.glb --clip Run --rig other.vrm -o run.glb\n"
    "  sinew convert mocap/*.bvh --outdir out\n"
    "  sinew convert walk.bvh -o walk.anim                                BVH to Unity, the body found in the file\n"
    "  sinew convert take.glb --rig hero.fbx.meta --to anim               a take of hero, in its own rig's muscles\n"
    "  sinew convert walk.bvh --clip-rig actor.fbx.meta -o walk.anim      the avatar of the BVH's skeleton is known\n"
    "  sinew convert walk.anim --rig hero.fbx.meta -o walk.bvh            Unity to BVH\n"
    "  sinew convert walk.bvh --rig hero.vrm -o walk.vrma                 for a VRM app\n"
    "  sinew convert set/*.bvh --to npz --rotations xyz --outdir train    arrays for NumPy\n"
    "  sinew convert set/*.anim --to anim --mirror --outdir mirrored      a data set's mirrored doubles\n"
    "  sinew convert walk.bvh --rig hero.glb --via muscle --limits clamp -o walk.glb\n"
    "  sinew convert -q --json --rig hero.fbx.meta --outdir out -- *.anim > report.jsonl\n"
    "\n"
    "JSON, one object a line for each clip:\n"
    "  {\"sinew\":\"0.1.0\",       the version\n"
    "   \"input\":\"walk.anim\",\n"
    "   \"clip\":\"walk\",         its name in the file\n"
    "   \"output\":\"walk.glb\",\n"
    "   \"ok\":true,\n"
    "   \"format\":\"glb\",       of the output\n"
    "   \"frames\":36,\n"
    "   \"fps\":30.0,\n"
    "   \"bytes\":33184,         of the output\n"
    "   \"sampledTracks\":41,    with a value per frame\n"
    "   \"constantTracks\":15,   with one value\n"
    "   \"verified\":true,       the next four are null when false, and of all but GLB and VRMA: read back byte for byte\n"
    "   \"worstJointM\":3.1e-07, largest distance of a joint read back from the computed one, metres\n"
    "   \"worstJoint\":\"LeftHand\",\n"
    "   \"worstFrame\":12,       from 0\n"
    "   \"allowedM\":1.4e-05,    what a joint may be off: 1e-5 of the height, quantized 5e-4\n"
    "   \"quantized\":false,\n"
    "   \"boxes\":0,             of the mesh\n"
    "   \"worstCornerM\":null,   the same for a box's corner; null without boxes\n"
    "   \"way\":\"delta\",        or muscle, or own: on its own skeleton, or none: muscles alone are written\n"
    "   \"hipsRatio\":1.04,      by delta: the rig's legs over the clip's, else 1\n"
    "   \"warnings\":[..],       sentences, of a clip of bones: what was odd, guessed or turned\n"
    "   \"meshKept\":true,       the rig's GLB carried over\n"
    "   \"droppedMoves\":0,      nodes below the hips that the clip moves in their parents: not carried over\n"
    "   \"droppedScales\":0,     nodes that the clip scales over time: not carried over\n"
    "   \"muscles\":null,        or, where bones became muscles:\n"
    "     {\"avatar\":\"rig\",     whose axes they are of; or clip rig, or figure: found in the file\n"
    "      \"placeDiffers\":[..], bones that stand elsewhere in their parents than in the avatar, by 1e-3 of its height\n"
    "      \"betweenDiffers\":[..],  bones above which a node that is none rests otherwise than in the avatar, by 0.1 degrees\n"
    "      \"betweenTurns\":[..], or turns: taken into the bone\n"
    "      \"moves\":[..],        bones below the hips that move in their parents, which muscles cannot hold\n"
    "      \"customRanges\":[..], bones with muscle ranges of the avatar's own\n"
    "      \"lost\":{\"LeftFoot\":{\"meanDeg\":0.01,\"mostDeg\":0.2,\"frame\":12},..}},  of each bone's rotation, seen from the\n"
    "                           hips, what muscles do not hold; bones that lose nothing are left out\n"
    "   \"limits\":{\"clamped\":false,  whether muscles were held to -1..1\n"
    "     \"muscles\":{\"Left Arm Down-Up\":{\"framesBeyond\":3,\"most\":1.2},..}},  those that leave it; worst first\n"
    "   \"isa\":\"avx2\",          the instruction set that computed it\n"
    "   \"profile\":\"fma\",       outputs of one profile are equal byte for byte\n"
    "   \"tdofCurves\":[..],     names of translation curves: kept, not applied\n"
    "   \"foreignCurves\":[..],  names of curves that are no humanoid channel: kept, not applied\n"
    "   \"settings\":{..}}       the clip's settings as stored: reported, not applied\n"
    "and for each input, rig or clip that failed:\n"
    "  {\"sinew\":\"0.1.0\",\"input\":\"walk.anim\",\"ok\":false,\n"
    "   \"error\":{\"code\":\"syntax\",\"message\":\"..\",\"line\":412,\"column\":7,\"byte\":9120}}\n"
    "with \"clip\" and \"output\" when the clip could be read. line, column and byte are null when unknown; "
    "line and\n"
    "column count from 1, byte from 0. Codes: argument memory io syntax unsupported limit rig pose verify.\n";

static const char rig_details[] =
    "Prints what a clip would move: the node of every human bone and the nodes between it and the bone above, why it is that\n"
    "bone and how far it was turned to the T-pose where that was found, the bones that are missing, the unit and whether it\n"
    "was inferred, the height, the human scale, twist shares, stretch, limits that differ from the default, and warnings.\n"
    "Exit code: 0, or 1 when the rig cannot be used.\n"
    "\n"
    "A rig is a model's .fbx.meta, a Unity Avatar (in a text .asset or .prefab), a VRM, a GLB or glTF, a BVH, or a rig file\n"
    "that -o wrote ('sinew help rigs'). Such a file is JSON, in metres, whole to the last bit, so that what is baked on it has\n"
    "the bytes of what is baked on its source; it holds no mesh, so of a model that is with --mesh none. The hash is of all\n"
    "that a bake depends on: a rig and its rig file have the same.\n"
    "\n"
    "Examples:\n"
    "  sinew rig hero.fbx.meta\n"
    "  sinew rig hero.fbx.meta --rig-scale 0.01\n"
    "  sinew rig hero.fbx.meta --json\n"
    "  sinew rig heroAvatar.asset -o hero.json\n"
    "  sinew rig hero.glb --map-out map.json\n"
    "  sinew rig hero.glb --map map.json\n"
    "\n"
    "JSON, one object:\n"
    "  "
    "{\"sinew\",\"input\",\"output\",\"mapOut\",\"ok\":true,\"name\",\"kind\",\"hash\",\"nodes\","
    "\"humanBones\","
    "\"unitScale\",\"unitInferred\",\n"
    "   \"heightM\",\"humanScaleM\",\n"
    "   "
    "\"armTwist\",\"foreArmTwist\",\"upperLegTwist\",\"legTwist\","
    "\"armStretch\",\"legStretch\",\"feetSpacing\",\n"
    "   \"translationDof\",\n"
    "   "
    "\"bones\":[{\"bone\",\"node\",\"parent\",\"betweenNodes\",\"between\":[names],"
    "\"minDeg\":[x,y,z],\n"
    "   \"maxDeg\":[x,y,z],\"customLimits\",\"mass\",\"reason\",\"turnDeg\"}],\n"
    "   \"missing\":[names],\"warnings\":[sentences]}\n"
    "output is null without -o; between goes from the bone up. kind: fbx-meta, avatar, "
    "rig-file, gltf, vrm0, vrm1, vrma, bvh or npz.\n"
    "reason says why a node is the bone, null of rigs that list their bones; turnDeg how far it was turned to the "
    "T-pose.\n"
    "Or the object of a failure, as `sinew help convert` states it.\n";

static const char inspect_details[] =
    "Prints what each file holds. What a file is, is told by its bytes, not by its name.\n"
    "\n"
    "A clip file (Unity text .anim, CSV), for each clip: its time, "
    "frames and rate; its curves by kind; stepped and weighted\n"
    "keys; the parts of the body it leaves alone; how far its "
    "muscles reach in every frame, between keys too, and which\n"
    "go beyond -1..1; how far the root's rotation is from unit "
    "length at its keys; curves that move nothing here; its\n"
    "settings as stored. With -v also a table of all curves.\n"
    "A rig: what `sinew rig` prints.\n"
    "A binary glTF (.glb, .vrm, .vrma): who wrote it, bytes by use, nodes, skins, meshes, extensions, the human bones\n"
    "that a VRM names and the required ones it lacks, and for each animation its tracks, keys, interpolations, number\n"
    "formats and bytes. A track is constant when it has one key or all\n"
    "its keys are alike. With -v also every track, node and mesh. "
    "Every index, offset and count of the file is checked. A glTF in\n"
    "JSON (.gltf) is a clip and a rig to the other commands and is not inspected.\n"
    "A BVH: its joints and depth, how many channels they have and in which orders their rotations, frames and rate, the size\n"
    "of the rest pose in the file's own unit, and what is odd about it. With -v also every node. All of the file is read.\n"
    "\n"
    "Exit code: 0, 1 when a file cannot be read or is none of "
    "these, 2 the command line is wrong. With -q only errors are\n"
    "told, so that the exit code says whether all files are sound.\n"
    "\n"
    "Examples:\n"
    "  sinew inspect walk.anim\n"
    "  sinew inspect -v hero.fbx.meta walk.glb\n"
    "  sinew inspect --json moves/*.anim > moves.jsonl\n"
    "  sinew inspect -q out/*.glb && echo sound\n"
    "\n"
    "JSON, one object a line for each file. \"inspect\" is the "
    "version of the format: it is raised when a member goes or\n"
    "changes its meaning, not when one is added.\n"
    "  {\"sinew\":\"0.1.0\",\"inspect\":1,\"input\":\"walk.anim\",\"ok\":true,\"holds\":\"clip\",\"bytes\":437221,\n"
    "   \"clips\":[{\"name\",\"startS\",\"stopS\",\"durationS\","
    "\"fps\",\"frames\",\"keys\",\"steppedKeys\",\"weightedKeys\",\n"
    "     \"curves\":{\"all\",\"muscle\",\"root\",\"goal\",\"motion\",\"tdof\",\"foreign\",\"constant\"},  how many\n"
    "     \"missing\":{\"muscles\":[names],\"root\":0,\"goals\":28},  root and goals: how many curves\n"
    "     \"sampled\":{\"fps\",\"frames\",\"framesBeyond\",  at --fps, or the clip's own rate\n"
    "       \"muscles\":[{\"muscle\",\"least\",\"most\",\"framesBeyond\",\"framesNotFinite\"}]},\n"
    "     \"notSampled\":null,  the reason when \"sampled\" is null\n"
    "     \"rootQ\":{\"keys\",\"unitOff\",\"atS\"},  null without all four curves\n"
    "     \"settings\":{..},  as in `sinew help convert`\n"
    "     \"table\":[{\"attribute\",\"kind\",\"keys\",\"least\","
    "\"most\",\"constant\",\"steppedKeys\",\"weightedKeys\"}]}]}\n"
    "  {..,\"holds\":\"rig\",\"bytes\":27753, and the members from \"name\" on that `sinew help rig` states}\n"
    "  {..,\"holds\":\"glb\",\"bytes\":{\"file\",\"json\",\"bin\","
    "\"animations\",\"meshes\",\"skins\",\"images\",\"other\"},\n"
    "   \"written\":{\"generator\",\"sinew\",\"source\",\"rate\","
    "\"profile\"},  the last four are null unless sinew wrote the file\n"
    "   \"roots\",\"depth\",\"vertices\",\"triangles\",\n"
    "   \"nodes\":[{\"name\",\"parent\",\"depth\",\"mesh\",\"skin\"}],\"skins\":[{\"name\",\"joints\"}],\n"
    "   \"meshes\":[{\"name\",\"primitives\",\"vertices\",\"triangles\",\"morphTargets\"}],\n"
    "   \"animations\":[{\"name\",\"startS\",\"stopS\",\"durationS\","
    "\"channels\",\"sampledTracks\",\"constantTracks\",\"keys\",\"bytes\",\n"
    "     \"paths\":{\"rotation\":54,..},\"interpolations\":{\"LINEAR\":55},\"numbers\":{\"float32\":55},\n"
    "     \"tracks\":[{\"node\",\"path\",\"keys\",\"constant\","
    "\"interpolation\",\"component\",\"normalized\",\"startS\",\"stopS\"}]}],\n"
    "   \"extensions\":[{\"name\",\"required\"}],\n"
    "   \"human\":{\"kind\":\"vrm0\" or \"vrm1\" or \"vrma\",\"bones\":{\"Hips\":node,..},\"missing\":[required bones]},  null but of a VRM\n"
    "   \"warnings\":[sentences]}\n"
    "  {..,\"holds\":\"bvh\",\"bytes\",\"joints\",\"endSites\",\"roots\",\"depth\",\"channels\",  how many of all joints\n"
    "   \"jointsWithChannels\":{\"3\":22,\"6\":1},\"rotationOrders\":{\"ZXY\":23},\n"
    "   \"motion\":true,\"frames\",\"fps\",\"durationS\",  false, 0, null and 0 without a MOTION section\n"
    "   \"restSize\":[x,y,z],  in the file's unit\n"
    "   \"nodes\":[{\"name\",\"parent\",\"depth\",\"endSite\",\"offset\":[x,y,z],\"channels\":\"Zrotation Xrotation\"}],\n"
    "   \"warnings\":[sentences]}\n"
    "and for a file that cannot be read:\n"
    "  {\"sinew\":\"0.1.0\",\"inspect\":1,\"input\":\"walk.anim\","
    "\"ok\":false,\"error\":{..}}  as `sinew help convert` states it\n";
/* clang-format on */

static const char selftest_details[] = "Runs every kernel of every instruction set that this CPU has against "
                                       "references in double precision. Prints the\n"
                                       "checks that failed (with -v all) and ends with the line 'N passed, N "
                                       "failed'. Exit code: 0, or 1 when one failed.\n"
                                       "\n"
                                       "Examples:\n"
                                       "  sinew selftest\n"
                                       "  sinew selftest -v\n";

static const char bench_details[] =
    "Measures this machine in a few seconds: nanoseconds a pose of each instruction set, beside the limits "
    "of\n"
    "arithmetic and memory measured in the same run, and how many clips an hour to expect of -j threads.\n"
    "Clips are written to a folder of their own in TMPDIR (default: /tmp), which is removed; what the disk "
    "of\n"
    "that folder takes counts. Uses up to 410 MiB of memory. Exit code: 0, 1 when something cannot be "
    "measured,\n"
    "2 the command line is wrong, 130 stopped.\n"
    "\n"
    "Examples:\n"
    "  sinew bench\n"
    "  sinew bench -j 1\n"
    "  TMPDIR=/mnt/clips sinew bench --json\n"
    "\n"
    "JSON, one object. \"bench\" is the version of the format: it is raised when a member goes or changes "
    "its\n"
    "meaning, not when one is added.\n"
    "  {\"sinew\":\"0.1.0\",\"bench\":1,\"cpu\":\"..\",  null where the system tells no name\n"
    "   \"kernels\":[{\"isa\":\"avx512\",  one thread, in cache, least of interleaved repeats; best set "
    "first\n"
    "     \"musclesNs\",       a pose: 95 muscles to 55 local rotations\n"
    "     \"jointsNs\",        those to positions and rotations of all joints\n"
    "     \"poseNs\",\"posesPerS\",  the whole: both, centre of mass and hips\n"
    "     \"arithmeticGops\",  the limit: float multiply-adds a second, in 10^9\n"
    "     \"musclesShare\",\"jointsShare\"}],  what their arithmetic takes at that limit, over their time\n"
    "   \"memory\":{\"isa\",\"readGBPerS\",\"storeGBPerS\",\n"
    "     \"streamGBPerS\",    written past the caches\n"
    "     \"musclesNs\",       a pose, from memory to memory\n"
    "     \"musclesShare\"},   the bytes it writes a second, over streamGBPerS\n"
    "   \"clips\":{\"folder\",\"threads\",\"clips\",\"seconds\",  so many were converted in that time\n"
    "     \"clipFrames\",\"clipTextBytes\",\"clipGlbBytes\",\n"
    "     \"clipsPerHour\",\"framesPerS\",\"bytesPerS\"}}\n";

static const char help_details[] = "Examples:\n"
                                   "  sinew help\n"
                                   "  sinew help convert\n"
                                   "  sinew help rigs\n"
                                   "  sinew help formats\n";

const command_row commands[COMMAND_COUNT] = {
    [COMMAND_CONVERT] = {"convert", "CLIP...", 1, SIZE_MAX,
                         "clips of muscles or bones, on a rig or their own skeleton, to GLB, VRMA, BVH, npz, .anim, CSV",
                         convert_details},
    [COMMAND_RIG] = {"rig", "RIG", 1, 1, "what a rig maps and what it lacks", rig_details},
    [COMMAND_INSPECT] = {"inspect", "FILE...", 1, SIZE_MAX, "what a clip, a rig, a GLB or a BVH holds",
                         inspect_details},
    [COMMAND_SELFTEST] = {"selftest", "", 0, 0, "check the kernels on this machine", selftest_details},
    [COMMAND_BENCH] = {"bench", "", 0, 0, "measure this machine: poses a second, clips an hour",
                       bench_details},
    [COMMAND_HELP] = {"help", "[COMMAND]", 0, 1, "this text, a command's, or of 'rigs' or 'formats'", help_details},
};

static void say_usage(command_id id) {
  const command_row *c = &commands[id];
  say("usage: sinew %s%s%s [OPTION]...", c->name, *c->positionals ? " " : "", c->positionals);
}

static void say_options(unsigned command_bit) {
  for (int id = 0; id < OPTION_COUNT; id++) {
    const option_row *row = &options[id];
    if (!(row->commands & command_bit)) continue;
    char letter[8] = "    ";
    if (row->letter) snprintf(letter, sizeof letter, "-%c, ", row->letter);
    char form[48];
    snprintf(form, sizeof form, "%s--%s%s%s", letter, row->name, row->value ? " " : "",
             row->value ? row->value : "");
    char names[64] = "";
    if (id == OPTION_ISA) sinew_isa_names(names, sizeof names);
    say("  %-24s  %s%s%s", form, row->help, *names ? ": " : "", names);
  }
}

static void help_of(command_id id) {
  say_usage(id);
  say("%s", commands[id].summary);
  say_text("\nOptions:\n");
  say_options(1u << id);
  say("  %-24s  %s", "--", "what follows is no option");
  say_text("\n");
  say_text(commands[id].details);
}

static void help_overview(void) {
  say_text("sinew: humanoid animation clips between muscles, bones and formats, in batches\n"
           "usage: sinew COMMAND [OPTION]...\n"
           "\nCommands:\n");
  for (int id = 0; id < COMMAND_COUNT; id++) {
    char form[48];
    snprintf(form, sizeof form, "%s %s", commands[id].name, commands[id].positionals);
    say("  %-24s  %s", form, commands[id].summary);
  }
  say_text("\nOptions:\n");
  say_options(OPTION_BARE);
  say_text("\n'sinew help formats' tells what is read and written: glb, vrma, bvh, npz, anim, csv.\n"
           "'sinew help rigs' tells what can be a rig and how its bones are found.\n"
           "'sinew help COMMAND' or 'sinew COMMAND --help' tells the rest, with examples.\n"
           "SINEW_ISA in the environment lowers the instruction set, as --isa does.\n");
}

int help_command(const arguments *given) {
  if (given->command == COMMAND_COUNT) {
    help_overview();
    return EXIT_OK;
  }
  if (given->command != COMMAND_HELP || given->help) {
    help_of(given->command);
    return EXIT_OK;
  }
  if (given->input_count == 0) {
    help_overview();
    return EXIT_OK;
  }
  for (int id = 0; id < COMMAND_COUNT; id++)
    if (strcmp(commands[id].name, given->inputs[0]) == 0) {
      help_of((command_id)id);
      return EXIT_OK;
    }
  if (strcmp(given->inputs[0], "rigs") == 0) {
    say_text(help_rigs);
    return EXIT_OK;
  }
  if (strcmp(given->inputs[0], "formats") == 0) {
    say_text(help_formats);
    return EXIT_OK;
  }
  return usage_error(COMMAND_COUNT, "unknown command '%s'", given->inputs[0]);
}

int help_short(void) {
  fputs("usage: sinew COMMAND [OPTION]...\ncommands:", stderr);
  for (int id = 0; id < COMMAND_COUNT; id++) fprintf(stderr, " %s", commands[id].name);
  fputs("\ntry 'sinew help'\n", stderr);
  return EXIT_USAGE;
}
