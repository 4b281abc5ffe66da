#!/bin/sh
# Real models with a made-up clip in them, played by three.js: joints_kept.sh KEPT_SAMPLES KEPT_PLACES DATA_FOLDER
# Exit code 77: no data, or node, three.js or Chromium cannot be had.
set -eu
here=$(CDPATH="" cd -- "$(dirname -- "$0")" && pwd)
. "$here/packages.sh"
samples=$1 places=$2 rigs=$3/rigs
[ -d "$rigs" ] || skip "there is no data folder beside the project"
chromium=$(command -v chromium || command -v chromium-browser || command -v google-chrome) ||
  skip "chromium is not installed, three.js is run in it"
need_package three
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$samples" "$folder" "$rigs"/*.glb "$rigs"/*.vrm "$rigs"/*.vrma >/dev/null
"$places" 20 "$folder"/*.glb "$folder"/*.vrm "$folder"/*.vrma >"$folder/places.json"
node "$here/joints_kept.mjs" "$chromium" "$folder/places.json" "$folder"/*.glb "$folder"/*.vrm "$folder"/*.vrma
