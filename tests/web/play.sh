#!/bin/sh
# Plays what the program writes with three.js in headless Chromium: play.sh SINEW POSE_DUMP SOURCE_FOLDER [DATA_FOLDER]
# Exit code 77 when node, three.js or Chromium cannot be had.
set -eu
here=$(CDPATH="" cd -- "$(dirname -- "$0")" && pwd)
. "$here/packages.sh"
sinew=$1 dump=$2 source=$3 data=${4:-}
chromium=$(command -v chromium || command -v chromium-browser || command -v google-chrome) ||
  skip "chromium is not installed, three.js is run in it"
need_package three
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

play() { # LABEL CLIP RIG
  "$dump" "$2" "$3" 60 20 >"$folder/truth.json"
  "$sinew" convert -q "$2" --rig "$3" --fps 60 --mesh boxes -o "$folder/float.glb"
  "$sinew" convert -q "$2" --rig "$3" --fps 60 --mesh boxes --quantize -o "$folder/quantized.glb"
  node "$here/play.mjs" "$chromium" "$folder/truth.json" "$1=$folder/float.glb:1e-5" \
    "$1, quantized=$folder/quantized.glb:5e-4"
}

sample=$source/scripts/sample
play "the sample" "$sample/walk.anim" "$sample/walker.fbx.meta"
if [ -d "$data/humanoid" ]; then # its root scales by 100 and lies on its back
  play "a real rig" "$data/humanoid/truth/HEL-d_Y_BotLaughing.anim" "$data/humanoid/metas/readyplayerme_Idle.fbx.meta"
fi
