#!/bin/sh
# Validates what the program writes: validate_bakes.sh SINEW VALIDATE_SH SOURCE_FOLDER [DATA_FOLDER]
set -eu
sinew=$1 validate=$2 source=$3 data=${4:-}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

bake() {
  "$sinew" convert -q "$@" --outdir "$folder"
}
sample=$source/scripts/sample
bake "$sample/walk.anim" --rig "$sample/walker.fbx.meta"
bake "$sample/walk_cut.anim" --rig "$sample/walker_cut.fbx.meta" --fps 997
if [ -d "$data/humanoid" ]; then
  for rig in "$data"/humanoid/truth/*.fbx.meta "$data"/humanoid/avatars/*SOMA77.fbx.meta \
    "$data"/humanoid/metas/*betterfbx.fbx.meta; do
    "$sinew" convert -q "$data"/humanoid/truth/HEL-d_Y_BotLaughing.anim --rig "$rig" \
      -o "$folder/$(basename "$rig" .fbx.meta).glb"
  done
  bake "$data"/humanoid/clips/rurre_pose1.anim "$data"/humanoid/clips/*FingerPoint.anim \
    --rig "$data/humanoid/metas/readyplayerme_Masculine.fbx.meta"
fi
sh "$validate" "$folder"/*.glb
