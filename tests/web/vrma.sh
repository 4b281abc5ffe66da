#!/bin/sh
# VRM animations by the glTF validator and on VRM models by three-vrm in headless Chromium:
#   vrma.sh VRMA_DUMP SOURCE_FOLDER DATA_FOLDER
# Exit code 77 when node, its packages, Chromium or the data cannot be had.
set -eu
here=$(CDPATH="" cd -- "$(dirname -- "$0")" && pwd)
. "$here/packages.sh"
dump=$1 source=$2 data=$3
chromium=$(command -v chromium || command -v chromium-browser || command -v google-chrome) ||
  skip "chromium is not installed, three.js is run in it"
need_package @pixiv/three-vrm-animation
[ -d "$data/rigs" ] || skip "no data folder beside the project, and no VRM model with it"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# NAME CLIP RIG [VIA [RATE]]; RIG -: the clip's own figure
make() {
  "$dump" "$2" "$3" "${4:-default}" "${5:-30}" 12 "$folder/$1.vrma" >"$folder/$1.json"
}

sample=$source/scripts/sample clips=$data/humanoid/clips bvh=$data/bvh
godette=$data/rigs/V-Sekai_Godette_vrm_v4.vrm example=$data/rigs/saturday06_Example.vrm
basic=$data/rigs/saturday06_basic_armature_vrm1.vrm
laughing=$data/humanoid/truth/HEL-d_Y_BotLaughing.anim
# muscles: of any rig on any model, of a model on itself
make walker-old "$sample/walk.anim" "$sample/walker.fbx.meta"
make walker-new "$sample/walk.anim" "$sample/walker.fbx.meta"
make player "$laughing" "$data/humanoid/metas/readyplayerme_Idle.fbx.meta"
make godette "$laughing" "$godette"
make example "$laughing" "$example"
make basic "$sample/walk.anim" "$basic"
make drum "$clips/BlackStartx_[EMOTE_4]_Drum.anim" "$example"
make wave "$clips/malaybaku_WavingMotion.anim" "$basic"
make die "$clips/BlackStartx_[EMOTE_7]_Die.anim" "$godette"
make kimodo "$clips/OneYoungMean_Kimodo_Unity65_SingleClip.anim" "$example" default 0
# bones: on their own figure, on a model by delta, through muscles
make jacks "$bvh/facebookresearch_jumping_jacks.bvh" -
make leap "$bvh/nv-tlabs_soma77_run_leap_standard_tpose.bvh" -
make own-muscle "$bvh/nv-tlabs_soma77_run_leap_standard_tpose.bvh" - muscle
make delta-new "$bvh/facebookresearch_jumping_jacks.bvh" "$example"
make delta-old "$bvh/nv-tlabs_soma77_run_leap_standard_tpose.bvh" "$godette"
make muscle-new "$bvh/facebookresearch_jumping_jacks.bvh" "$example" muscle
make muscle-old "$bvh/VictorS-67_cmu_12_01_walk.bvh" "$godette" muscle
make take "$data/humanoid/truth/N1rium_female_move_run_front.take.glb" "$example"
for one in "$folder"/*.vrma; do cp "$one" "$one.glb"; done
"$here/validate.sh" "$folder"/*.glb
# Godette rests with her legs apart, 10 degrees from the T-pose that is made of her, so that her own joints are not asked for
node "$here/vrma.mjs" "$chromium" "$folder" "walker-old=$godette" "walker-new=$example" "player=$example" \
  "godette=$godette" "example=$example=own" "basic=$basic=own" "drum=$example=own" "wave=$basic=own" "die=$godette" \
  "kimodo=$example=own" "jacks=$godette" "leap=$example" "own-muscle=$basic" "delta-new=$example=own" "delta-old=$godette" \
  "muscle-new=$example=own" "muscle-old=$godette" "take=$example=own"
