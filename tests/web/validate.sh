#!/bin/sh
# Validates GLB files with Khronos' glTF validator: validate.sh FILES...
# The validator is installed beside this script when it is missing, as the lock file has it.
# Exit code: the validator's (1: errors or warnings), 77 when node or the validator cannot be had.
set -eu
here=$(CDPATH="" cd -- "$(dirname -- "$0")" && pwd)

skip() {
  echo "skipped: $1" >&2
  exit 77
}

installed() {
  [ -e "$here/node_modules/gltf-validator/package.json" ]
}

install_packages() {
  (cd "$here" && npm ci --no-audit --no-fund --ignore-scripts) >&2
}

command -v node >/dev/null 2>&1 || skip "node is not installed, the glTF validator needs it"
if ! installed; then
  command -v npm >/dev/null 2>&1 || skip "npm is not installed, and the glTF validator has to be installed with it"
  install_packages || skip "npm cannot install the glTF validator"
fi
exec node "$here/validate.mjs" "$@"
