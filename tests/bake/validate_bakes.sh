#!/bin/sh
# Validates what the program writes: validate_bakes.sh SINEW VALIDATE_SH SOURCE_FOLDER [DATA_FOLDER]
set -eu
sinew=$1 validate=$2 source=$3 data=${4:-}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# forms NAME CLIP --rig RIG...: every form of one output
forms() {
  name=$1
  shift
  "$sinew" convert -q "$@" -o "$folder/$name.glb"
  "$sinew" convert -q "$@" --quantize -o "$folder/$name.quantized.glb"
  "$sinew" convert -q "$@" --mesh boxes -o "$folder/$name.boxes.glb"
  "$sinew" convert -q "$@" --quantize --mesh boxes -o "$folder/$name.quantized.boxes.glb"
}
sample=$source/scripts/sample
forms walk "$sample/walk.anim" --rig "$sample/walker.fbx.meta"
forms walk_cut "$sample/walk_cut.anim" --rig "$sample/walker_cut.fbx.meta" --fps 997
# bones: the character plays them, or they keep their own skeleton
forms played "$sample/walk.bvh" --rig "$sample/walker.glb"
"$sinew" convert -q "$sample/walk.bvh" -o "$folder/own.glb"
"$sinew" convert -q "$sample/walk.bvh" --quantize -o "$folder/own.quantized.glb"
cp "$sample/walker.glb" "$folder/character.glb"
# the first key of each curve alone: nothing moves, for three seconds
awk '/m_Curve:/ { key = 0 } /^ *- serializedVersion: 3/ { key++ } /m_PreInfinity/ { key = 0 } key < 2' \
  "$sample/walk_cut.anim" | sed 's/m_StopTime: .*/m_StopTime: 3/' >"$folder/still.anim"
forms still "$folder/still.anim" --rig "$sample/walker_cut.fbx.meta"
if [ -d "$data/humanoid" ]; then
  for rig in "$data"/humanoid/truth/*.fbx.meta "$data"/humanoid/avatars/*SOMA77.fbx.meta \
    "$data"/humanoid/metas/*betterfbx.fbx.meta; do
    forms "$(basename "$rig" .fbx.meta)" "$data"/humanoid/truth/HEL-d_Y_BotLaughing.anim --rig "$rig"
  done
  for clip in "$data"/humanoid/clips/rurre_pose1.anim "$data"/humanoid/clips/*FingerPoint.anim; do
    forms "$(basename "$clip" .anim)" "$clip" --rig "$data/humanoid/metas/readyplayerme_Masculine.fbx.meta"
  done
fi
sh "$validate" "$folder"/*.glb
