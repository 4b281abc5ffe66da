#!/usr/bin/env bash
# Runs the built program on emulated CPUs (qemu) and writes one line a check, "ok NAME" or "FAILED NAME", to RESULTS.
#   scripts/emulated.sh x86 PROGRAM RESULTS NATIVE    a CPU with SSE4.1 alone, one with AVX but no FMA, one with AVX2
#   scripts/emulated.sh arm64 PROGRAM RESULTS NATIVE  a program built for 64-bit ARM
# On each: the self-test passes, the tables that ran are those of that CPU, and what the sample becomes (muscles on their
# rig, bones on a character and on their own skeleton) has the bytes that the golden test holds for the profile, and in every
# other format those that NATIVE, the program built for this machine, gives it. The
# self-test does not fork: what a test framework starts would run unemulated.
set -euo pipefail
export LC_ALL=C
unset SINEW_ISA
top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
[ $# -eq 4 ] || { sed -n '2,4s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" >&2; exit 2; }
kind=$1 program=$(realpath "$2") results=$3 native=$(realpath "$4")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
: >"$results"

# check NAME COMMAND...: records whether the command succeeds
check() {
  local name=$1 verdict=ok
  shift
  "$@" >"$work/said" 2>&1 || verdict=FAILED
  echo "$verdict $name" >>"$results"
  [ $verdict = ok ] || { echo "FAILED $name"; tail -20 "$work/said"; } >&2
}

# emulated CPU ARGUMENT...: the program on that CPU; ten minutes at most
emulated() {
  local cpu=$1
  shift
  if [ "$kind" = x86 ]; then
    timeout 600 qemu-x86_64 -cpu "$cpu" "$program" "$@"
  else
    timeout 600 qemu-aarch64 -cpu "$cpu" "$program" "$@"
  fi
}

# golden WHAT_PROFILE: its hash in the golden test
golden() { sed -n "s/.* $1 = UINT64_C(0x\([0-9a-f]*\));/\1/p" "$top/tests/bake/test_golden.c"; }
# hash_of FILE: FNV-1a of 64 bits, as in that test
hash_of() {
  python3 -c 'import sys
value = 0xcbf29ce484222325
for byte in open(sys.argv[1], "rb").read():
    value = (value ^ byte) * 0x100000001b3 % 2**64
print(f"{value:x}")' "$1"
}

selftest() {
  emulated "$1" selftest -v >"$work/$1.selftest" && tail -1 "$work/$1.selftest" | grep -Ex '[1-9][0-9]* passed, 0 failed'
}
# ran CPU TABLE...: the tables that the self-test of that CPU checked, and no others
ran() {
  local cpu=$1
  shift
  diff <(sed -n 's/^ok \([a-z0-9]*\) .*/\1/p' "$work/$cpu.selftest" | sort -u) <(printf '%s\n' "$@" | sort)
}
bakes() { # CPU WHAT PROFILE [OPTION...]
  local cpu=$1 what=$2 profile=$3 hash sample=$top/scripts/sample inputs
  shift 3
  case $what in
    golden) inputs=("$sample/walk.anim" --rig "$sample/walker.fbx.meta") ;;
    delta) inputs=("$sample/walk.bvh" --rig "$sample/walker.glb") ;;
    own) inputs=("$sample/walk.bvh") ;;
  esac
  emulated "$cpu" convert "${inputs[@]}" --fps 2812.5 -o "$work/$cpu.glb" "$@" &&
    hash=$(hash_of "$work/$cpu.glb") && [ "$hash" = "$(golden "${what}_$profile")" ]
}
# samples WHAT: the arguments that name it
samples() {
  local sample=$top/scripts/sample
  case $1 in
    mirrored) inputs=("$sample/walk.anim" --rig "$sample/walker.fbx.meta" --mirror --limits clamp) ;;
    via) inputs=("$sample/walk.bvh" --rig "$sample/walker.glb" --via muscle) ;;
    own) inputs=("$sample/walk.bvh") ;;
  esac
}
# is_native CPU PROFILE FORMAT [OPTION...]: what every sample becomes is what it becomes here
is_native() {
  local cpu=$1 profile=$2 format=$3 what isa=() inputs
  shift 3
  [ "$profile" = fma ] || isa=(--isa sse4)
  for what in mirrored via own; do
    samples $what
    local expected=$work/native.$profile.$what.$format
    [ -e "$expected" ] || "$native" convert "${inputs[@]}" --fps 31 --to "$format" "${isa[@]}" -o "$expected" || return 1
    emulated "$cpu" convert "${inputs[@]}" --fps 31 --to "$format" "$@" -o "$work/here.$format" &&
      cmp "$expected" "$work/here.$format" || { echo "$what"; return 1; }
  done
}
# refuses CPU ISA NAMES: asking for it is a usage error that tells the names
refuses() {
  local status=0
  emulated "$1" convert a.anim --rig a.fbx.meta --isa "$2" 2>"$work/refusal" || status=$?
  [ $status -eq 2 ] && grep -F -- "--isa wants $3, not '$2'" "$work/refusal"
}

# cpu NAME PROFILE TABLE...: the checks that every CPU has in common
cpu() {
  local name=$1 profile=$2
  shift 2
  check "$name: self-test" selftest "$name"
  check "$name: tables $*" ran "$name" "$@"
  check "$name: golden bytes of profile $profile" bakes "$name" golden "$profile"
  check "$name: bones on a character, golden bytes of profile $profile" bakes "$name" delta "$profile"
  check "$name: bones on their own skeleton, golden bytes of profile $profile" bakes "$name" own "$profile"
}
# formats NAME PROFILE: every format on that CPU
formats() {
  local format
  for format in glb vrma bvh npz anim csv; do
    check "$1: $format, the bytes of this machine" is_native "$1" "$2" $format
  done
}

case $kind in
  x86)
    cpu Nehalem nofma sse4
    formats Nehalem nofma
    check "Nehalem: a higher instruction set is a ceiling" bakes Nehalem golden nofma --isa avx512
    check "Nehalem: the scalar reference needs FMA" refuses Nehalem scalar 'avx512, avx2 or sse4'
    cpu SandyBridge nofma sse4
    cpu Haswell fma avx2 scalar sse4
    formats Haswell fma
    check "Haswell: lowered to SSE4.1" bakes Haswell golden nofma --isa sse4
    check "Haswell: bones lowered to SSE4.1" bakes Haswell delta nofma --isa sse4
    ;;
  arm64)
    cpu max fma neon scalar
    formats max fma
    check "max: scalar code, the same bytes" bakes max golden fma --isa scalar
    check "max: bones by scalar code, the same bytes" bakes max delta fma --isa scalar
    check "max: anim by scalar code, the same bytes" is_native max fma anim --isa scalar
    check "max: AVX2 is unknown" refuses max avx2 'neon or scalar'
    cpu cortex-a53 fma neon scalar
    ;;
  *) echo "unknown kind '$kind', expected x86 or arm64" >&2; exit 2 ;;
esac
! grep -q '^FAILED' "$results"
