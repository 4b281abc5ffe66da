#!/bin/sh
# Compares the counts of `sinew inspect` with the glTF validator's: inspect_counts.sh SINEW GLB_SAMPLES [DATA_FOLDER]
# over made files and, where they are, real ones. Exit code 77: node or the validator cannot be had.
set -eu
here=$(CDPATH="" cd -- "$(dirname -- "$0")" && pwd)
sinew=$1 samples=$2 data=${3:-}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$samples" "$folder"
# installs the validator when it is missing, and says 77 when it cannot
code=0
"$here/validate.sh" "$folder/1-frame.glb" >/dev/null || code=$?
[ "$code" -ne 77 ] || exit 77
set -- "$folder"/*.glb
for file in "$data"/rigs/*.glb "$data"/rigs/*.vrm "$data"/rigs/*.vrma "$data"/humanoid/truth/*.glb; do
  [ ! -f "$file" ] || set -- "$@" "$file"
done
node "$here/inspect_counts.mjs" "$sinew" "$@"
