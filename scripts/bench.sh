#!/usr/bin/env bash
# Installs what is missing, builds the benchmarks in release, runs them and prints one table: every figure, its ratio, its
# goal and whether it is met. What was measured is kept in bench/results/, one CSV a machine.
#   scripts/bench.sh                   three runs of everything: medians, and how far they spread; about ten minutes
#   scripts/bench.sh --quick           one short run; nothing is kept
#   scripts/bench.sh --compare OLD.csv also what became slower than that by more than 10% beyond the noise of both: exit 1
#   scripts/bench.sh --runs N          other than three
#   scripts/bench.sh ... SECTION...    only: kernels memory threads text glb long clips bvh formats start; nothing is kept
# bench/goals.c holds the goals. Every single case, also under Google Benchmark: build-bench/bench/bench_all
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"

runs=3 quick=() old='' sections=()
while [ $# -gt 0 ]; do
  case $1 in
    --quick) quick=(--quick) runs=1 ;;
    --runs) runs=${2:?--runs wants a number}; shift ;;
    --compare) old=${2:?--compare wants a CSV}; shift ;;
    kernels | memory | threads | text | glb | long | clips | bvh | formats | start) sections+=("$1") ;;
    *) say "unknown word '$1'; the head of scripts/bench.sh tells what there is"; exit 2 ;;
  esac
  shift
done
[[ $runs =~ ^[1-9][0-9]?$ ]] || { say "--runs wants a number from 1 to 99, not '$runs'"; exit 2; }
[ -z "$old" ] || [ -r "$old" ] || { say "cannot read '$old'"; exit 2; }

need_bench
build build-bench -Dtests=disabled -Dbench=enabled -Dbuildtype=release
[ -x build-bench/bench/bench_table ] || { say "build-bench has no bench_table: remove the folder and try again"; exit 1; }

parts=$(mktemp -d)
trap 'rm -rf "$parts"' EXIT
for ((run = 1; run <= runs; run++)); do
  say "run $run of $runs"
  build-bench/bench/bench_table "${quick[@]}" "${sections[@]}" >"$parts/$run.csv"
done

keep=()
[ ${#quick[@]} -gt 0 ] || [ ${#sections[@]} -gt 0 ] || keep=(--keep bench/results)
python3 scripts/bench_report.py "${keep[@]}" ${old:+--compare "$old"} "$parts"/*.csv
