#!/bin/sh
# Where three.js puts what GLBs hold: joints.sh TIMES FILES... (joints.mjs says what is printed)
# Exit code 77 when node, three.js or Chromium cannot be had.
set -eu
here=$(CDPATH="" cd -- "$(dirname -- "$0")" && pwd)
. "$here/packages.sh"
chromium=$(command -v chromium || command -v chromium-browser || command -v google-chrome) ||
  skip "chromium is not installed, three.js is run in it"
need_package three
exec node "$here/joints.mjs" "$chromium" "$@"
