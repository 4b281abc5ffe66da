#!/usr/bin/env bash
# The binary interface of libsinew against the one recorded in tests/api/sinew.abi: functions gone, structs and enums
# changed. What is merely new passes.
#   scripts/abi.sh                 builds, compares
#   scripts/abi.sh update          builds, records today's interface
#   scripts/abi.sh compare LIBRARY compares a library that was built with debug information
caller=$PWD
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"
recorded=$top/tests/api/sinew.abi

build_library() {
  need_tests
  library=build/tests/api/libsinew_abi.so
  # a folder that was configured before abidw was there does not have it
  [ ! -f build/build.ninja ] || [ -f "$library" ] || meson setup --reconfigure build >/dev/null
  build build
}

# Types that the header does not show are no part of the interface; places in files and folders change daily.
interface_of() {
  abidw --headers-dir engine/include --drop-private-types --drop-undefined-syms --no-corpus-path --no-elf-needed \
    --no-comp-dir-path --no-show-locs --no-parameter-names --type-id-style hash "$1" |
    sed -E "s, path='[^']*/(engine|tests)/, path='\1/,"
}

# Both sides as records: a library compared directly loses the changes of types whose place the record does not tell.
compare() {
  local now status=0
  now=$(mktemp)
  interface_of "$1" >"$now"
  abidiff --no-added-syms "$recorded" "$now" || status=1
  rm -f "$now"
  [ $status -eq 0 ] || say "the binary interface changed: where that is meant, scripts/abi.sh update"
  return $status
}

case ${1:-} in
  '')
    build_library
    compare "$library"
    ;;
  update)
    build_library
    interface_of "$library" >"$recorded"
    say "recorded: $(wc -c <"$recorded") bytes"
    ;;
  compare) compare "$(cd "$caller" && realpath "$2")" ;;
  *)
    say "expected nothing, update or compare LIBRARY"
    exit 2
    ;;
esac
