#!/bin/sh
# Validates GLB files with Khronos' glTF validator: validate.sh FILES...
# The validator is installed beside this script when it is missing, as the lock file has it.
# Exit code: the validator's (1: errors or warnings), 77 when node or the validator cannot be had.
set -eu
here=$(CDPATH="" cd -- "$(dirname -- "$0")" && pwd)
. "$here/packages.sh"
need_package gltf-validator
exec node "$here/validate.mjs" "$@"
