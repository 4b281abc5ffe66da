#!/usr/bin/env bash
# The public header compiles by itself, twice in one file, as C and as C++, without a warning: header.sh FOLDER
set -euo pipefail
folder=$1
compiled=0

# compile COMPILER LANGUAGE STANDARD [OPTION...]
compile() {
  local compiler=$1 language=$2 standard=$3
  shift 3
  command -v "$compiler" >/dev/null || return 0
  printf '#include "sinew.h"\n#include "sinew.h"\nint main(void);\nint main(void) { return SINEW_OK; }\n' |
    "$compiler" -x "$language" -std="$standard" -Wall -Wextra -Wpedantic -Werror -I "$folder" -fsyntax-only "$@" -
  compiled=$((compiled + 1))
}

for compiler in gcc clang; do
  for standard in c99 c11 c17; do compile $compiler c $standard -Wstrict-prototypes -Wc++-compat; done
done
for compiler in g++ clang++; do
  for standard in c++11 c++17 c++20; do compile $compiler c++ $standard; done
done
echo "$compiled times"
[ $compiled -ge 3 ]
