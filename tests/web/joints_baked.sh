#!/bin/sh
# Clips of every kind on real characters, by every way: joints and skin as three.js plays them, and form as the glTF
# validator sees it: joints_baked.sh SINEW BAKE_PLACES DATA_FOLDER
# Exit code 77: no data, or node, its packages or Chromium cannot be had.
set -eu
here=$(CDPATH="" cd -- "$(dirname -- "$0")" && pwd)
. "$here/packages.sh"
sinew=$1 places=$2 data=$3 rigs=$3/rigs
[ -d "$rigs" ] || skip "there is no data folder beside the project"
chromium=$(command -v chromium || command -v chromium-browser || command -v google-chrome) ||
  skip "chromium is not installed, three.js is run in it"
need_package three
need_package gltf-validator
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/source" "$folder/out"

laughing=$data/humanoid/truth/HEL-d_Y_BotLaughing.anim
boxing=$data/bvh/assimp_Boxing_Toes.bvh
pair() { # WAY CLIP RIG: RIG - for the clip's own skeleton
  body=$3 way=$1
  [ "$3" != - ] || body=$2
  name=$way.$(basename "$body" | sed 's/\.[^.]*$//').glb
  [ ! -e "$folder/out/$name" ] || { echo "$name is made twice" >&2; exit 1; }
  case $3 in
    -) "$sinew" convert -q "$2" --clip 0 -o "$folder/out/$name" 2>/dev/null ;;
    *) "$sinew" convert -q "$2" --clip 0 --rig "$3" -o "$folder/out/$name" 2>/dev/null ;;
  esac
  case $body in *.bvh) ;; *) cp "$body" "$folder/source/$name" && chmod u+w "$folder/source/$name" ;; esac
}
cat >"$folder/pairs" <<PAIRS
muscle $laughing $rigs/V-Sekai_Godette_vrm_v4.vrm
muscle $laughing $rigs/saturday06_Example.vrm
muscle $laughing $rigs/bulgat_Soldier.glb
muscle $laughing $rigs/gdquest-demos_mannequiny-0.3.0.glb
muscle $laughing $rigs/SaschaWillems_CesiumMan.glb
muscle $laughing $rigs/Mesh2Motion_m2m-sample-rig.glb
delta $boxing $rigs/V-Sekai_Godette_vrm_v4.vrm
delta $rigs/bulgat_Soldier.glb $rigs/saturday06_Example.vrm
delta $rigs/Mesh2Motion_m2m-sample-rig.glb $rigs/saturday06_rest_a_pose_t_position_pose.vrm
delta $data/bvh/nv-tlabs_soma77_run_leap_seed_rest.bvh $rigs/bulgat_Soldier.glb
delta $boxing $rigs/gdquest-demos_mannequiny-0.3.0.glb
delta $data/bvh/VictorS-67_cmu_12_01_walk.bvh $rigs/SaschaWillems_CesiumMan.glb
delta $rigs/pixiv_test.vrma $rigs/Mesh2Motion_m2m-sample-rig.glb
own $rigs/bulgat_Soldier.glb -
own $rigs/gdquest-demos_mannequiny-0.3.0.glb -
own $rigs/SaschaWillems_CesiumMan.glb -
own $rigs/Mesh2Motion_m2m-sample-rig.glb -
own $boxing -
own $data/bvh/nv-tlabs_soma77_run_leap_standard_tpose.bvh -
PAIRS
set --
while read -r way clip body; do
  pair "$way" "$clip" "$body"
  set -- "$@" "$folder/out/$name"
done <"$folder/pairs"
# shellcheck disable=SC2046 # the data folder's names hold no blanks
"$places" 20 $(cut -d' ' -f2- "$folder/pairs") >"$folder/places.json"
code=0
node "$here/joints_kept.mjs" "$chromium" "$folder/places.json" "$@" || code=1

echo "as the validator sees them"
kept=$(cd "$folder/source" && ls)
# shellcheck disable=SC2086
node "$here/validate_kept.mjs" "$folder/source" "$folder/out" $kept || code=1
for file in "$@"; do
  [ -e "$folder/source/$(basename "$file")" ] || "$here/validate.sh" "$file" || code=1
done
exit $code
