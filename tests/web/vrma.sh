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

make() { # NAME CLIP RIG
  "$dump" "$2" "$3" 30 12 "$folder/$1.vrma" >"$folder/$1.json"
}

sample=$source/scripts/sample
godette=$data/rigs/V-Sekai_Godette_vrm_v4.vrm example=$data/rigs/saturday06_Example.vrm
basic=$data/rigs/saturday06_basic_armature_vrm1.vrm
laughing=$data/humanoid/truth/HEL-d_Y_BotLaughing.anim
make walker-old "$sample/walk.anim" "$sample/walker.fbx.meta"
make walker-new "$sample/walk.anim" "$sample/walker.fbx.meta"
make player "$laughing" "$data/humanoid/metas/readyplayerme_Idle.fbx.meta"
make godette "$laughing" "$godette"
make example "$laughing" "$example"
make basic "$sample/walk.anim" "$basic"
for one in "$folder"/*.vrma; do cp "$one" "$one.glb"; done
"$here/validate.sh" "$folder"/*.glb
# Godette rests with her legs apart, 10 degrees from the T-pose that is made of her, so that her own joints are not asked for
node "$here/vrma.mjs" "$chromium" "$folder" "walker-old=$godette" "walker-new=$example" "player=$example" \
  "godette=$godette" "example=$example=own" "basic=$basic=own"
