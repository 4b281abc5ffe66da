#!/usr/bin/env bash
# What the shared library exports is what the public header declares, no more and no less:
# scripts/check_symbols.sh LIBRARY [HEADER]
set -euo pipefail
export LC_ALL=C
library=$1
header=${2:-$(dirname "${BASH_SOURCE[0]}")/../engine/include/sinew.h}

# a sanitizer's own symbols are none of ours
exported=$(nm -D --defined-only --format=posix "$library" | cut -d' ' -f1 | grep -Ev '^__(odr_)?(asan|ubsan|sancov)' | sort)
declared=$(tr '\n' ' ' <"$header" | grep -oE 'SINEW_API[^;(]*\bsinew_[a-z0-9_]+\(' | grep -oE 'sinew_[a-z0-9_]+\($' | tr -d '(' | sort)
[ -n "$declared" ]
diff <(printf '%s\n' "$declared") <(printf '%s\n' "$exported") |
  sed -n 's/^</declared in the header but not exported:/p; s/^>/exported but not declared in the header:/p' | grep . && exit 1
echo "$(wc -l <<<"$exported") functions, all of the header"
