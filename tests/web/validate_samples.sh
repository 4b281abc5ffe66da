#!/bin/sh
# Has a program write sample GLBs into a folder and validates them: validate_samples.sh PROGRAM
# A file cut short must be refused, so that a validator that accepts anything is noticed.
set -eu
here=$(CDPATH="" cd -- "$(dirname -- "$0")" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$1" "$folder"
"$here/validate.sh" "$folder"/*.glb
head -c 900 "$folder/100-frames.glb" >"$folder/cut-short.glb"
if "$here/validate.sh" "$folder/cut-short.glb" >"$folder/report"; then
  echo "the validator accepts a file that is cut short" >&2
  exit 1
fi
grep 'cut-short.glb: 0 errors' "$folder/report" && exit 1
echo "a file that is cut short is refused, as it should be"
