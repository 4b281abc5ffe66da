#!/usr/bin/env bash
# Which instructions the compiler put where, on x86-64: the objects that run before an instruction set is chosen hold none
# of AVX, and each set's kernels none of a higher set. Such an instruction ends the program on a CPU without it, and
# nobody sees it on a newer one.
#   instructions.sh BUILD [all]     all: the baseline too (left out where the builder's own flags allow AVX)
set -euo pipefail
export LC_ALL=C
build=$1
failed=0

# The form of a line: address, mnemonic, operands. Every AVX instruction's name begins with v (and few others' do).
avx='\sv(?!err|erw|mcall|mfunc|mlaunch|mresume|mxo|mptr|mread|mwrite|mclear)[a-z]'
evex='%zmm|%k[0-7]|%[xy]mm(1[6-9]|2[0-9]|3[01])'

disassembled() { objdump -d --no-show-raw-insn "$@" | grep -P '^ +[0-9a-f]+:\t' || true; }

# has NAME LINES PATTERN, lacks NAME LINES PATTERN
has() {
  grep -qP -- "$3" <<<"$2" || { echo "$1: no instruction like $3: is this the right folder?"; failed=1; }
}
lacks() {
  local found
  found=$(grep -P -m 5 -- "$3" <<<"$2") || return 0
  printf '%s: an instruction of a higher set:\n%s\n' "$1" "$found"
  failed=1
}
# every global name of a set's kernels ends in the set: no other copy of a function can be the one the linker keeps
named() {
  local strays
  strays=$(nm -g --defined-only "$build/kernels/libkernels_$1.a.p/"*.o | awk 'NF == 3 { print $3 }' |
    grep -v -e "_$1\$" -e '^__' -e '^\.') || return 0
  printf 'kernels %s: global names without it:\n%s\n' "$1" "$strays"
  failed=1
}

for isa in sse4 avx2 scalar avx512; do
  code=$(disassembled "$build/kernels/libkernels_$isa.a.p/"*.o)
  case $isa in
    sse4) has "$isa" "$code" '\tmulps' && lacks "kernels $isa" "$code" "$avx" ;;
    avx2) has "$isa" "$code" '\tvfmadd.*%ymm' && lacks "kernels $isa" "$code" "$evex" ;;
    scalar) has "$isa" "$code" '\tvfmadd.*ss' && lacks "kernels $isa" "$code" "$evex" ;;
    avx512) has "$isa" "$code" '\tvfmadd.*%zmm' ;;
  esac
  named "$isa"
done

if [ "${2:-}" = all ]; then
  code=$(disassembled "$build/engine/libsinew_core.a.p/"*.o "$build/engine/cli/sinew.p/"*.o)
  has baseline "$code" '\tmulsd'
  lacks baseline "$code" "$avx"
fi
exit $failed
