#!/bin/sh
# Has a program write a clip into real models and compares what Khronos' glTF validator says before and after:
# validate_kept.sh PROGRAM DATA_FOLDER. A changed copy must be told from its source, so that a comparison that
# sees nothing is noticed. Exit code 77: no data, node or validator.
set -eu
here=$(CDPATH="" cd -- "$(dirname -- "$0")" && pwd)
. "$here/packages.sh"
program=$1 rigs=$2/rigs
[ -d "$rigs" ] || skip "there is no data folder beside the project"
need_package gltf-validator
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$program" "$folder" "$rigs"/*.glb "$rigs"/*.vrm "$rigs"/*.vrma
cd "$folder"
node "$here/validate_kept.mjs" "$rigs" "$folder" *
mkdir changed
sed 's/"POSITION"/"POSITI0N"/' raysan5_greenman.glb >changed/raysan5_greenman.glb
if node "$here/validate_kept.mjs" "$rigs" changed raysan5_greenman.glb; then
  echo "a model without positions passes" >&2
  exit 1
fi
