#!/usr/bin/env bash
# Runs the fuzz targets side by side, one a core.
#   scripts/fuzz.sh FOLDER SECONDS CHECKS [keep]
# FOLDER is a build with -Dfuzz=enabled. A line "ok NAME" or "FAILED NAME" a target is written to the file CHECKS; an input
# that broke a promise stays in FOLDER/found. They start from tests/fuzz/corpus, the bad files and the cuts of the sample.
# keep: what reached code that those do not is added to the corpus, smallest first.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
folder=$1 seconds=$2 checks=$3 keep=${4:-}
export ASAN_OPTIONS=abort_on_error=1:detect_leaks=1 UBSAN_OPTIONS=print_stacktrace=1
most_bytes=24576 # of an input
kept_bytes=1024  # of an input that is kept
corpus_bytes=250000 # of all that are kept for a target

# seeds TARGET: the files it starts from
seeds() {
  local bad=tests/readers/bad sample=scripts/sample
  case $1 in
    anim) ls $bad/anim/* $sample/walk_cut.anim ;;
    bvh) ls $bad/bvh/* ;;
    csv) ls $bad/csv/* ;;
    meta) ls $bad/rig/* $sample/walker_cut.fbx.meta ;;
    model) ls tests/fuzz/corpus/gltf/* ;;
  esac
  ls tests/fuzz/corpus/"$1"/* 2>/dev/null || true
}

fuzz() {
  local name=$1 work=$folder/fuzz-$1 words=unity
  [ ! -e "tests/fuzz/$name.dict" ] || words=$name
  [ "$name" != model ] || words=gltf
  rm -rf "$work"
  mkdir -p "$work/seeds" "$work/new" "$folder/found"
  seeds "$name" | while read -r file; do cp "$file" "$work/seeds/$(sha1sum <"$file" | cut -c1-40)"; done
  "$folder/tests/fuzz/fuzz_$name" -dict=tests/fuzz/$words.dict -max_total_time="$seconds" -max_len=$most_bytes \
    -timeout=20 -rss_limit_mb=1024 -malloc_limit_mb=256 -print_final_stats=1 -artifact_prefix="$folder/found/$name-" \
    "$work/new" "$work/seeds" >"$work/log" 2>&1
}

# Adds to the corpus the inputs of at most kept_bytes that reach something which the seeds do not.
keep_new() {
  local name=$1 work=$folder/fuzz-$1 bytes file
  cp -r "$work/seeds" "$work/merged"
  "$folder/tests/fuzz/fuzz_$name" -set_cover_merge=1 -max_len=$most_bytes -rss_limit_mb=1024 "$work/merged" "$work/new" \
    >"$work/merge.log" 2>&1 || return 1
  local corpus=tests/fuzz/corpus/$name total
  mkdir -p "$corpus"
  total=$(cat "$corpus"/* 2>/dev/null | wc -c)
  while read -r bytes file; do
    [ ! -e "$work/seeds/${file##*/}" ] || continue
    total=$((total + bytes))
    if [ "$bytes" -gt $kept_bytes ] || [ $total -gt $corpus_bytes ]; then break; fi
    cp "$file" "$corpus/"
  done < <(find "$work/merged" -type f -printf '%s %p\n' | sort -n)
}

: >"$checks"
declare -A runs
for name in anim bvh csv gltf meta model npz; do
  fuzz $name &
  runs[$name]=$!
done
status=0
for name in anim bvh csv gltf meta model npz; do
  if wait "${runs[$name]}" && { [ "$keep" != keep ] || keep_new $name; }; then
    count=$(sed -n 's/^stat::number_of_executed_units: *//p' "$folder/fuzz-$name/log")
    echo "ok fuzz $name, $count inputs" >>"$checks"
  else
    tail -40 "$folder/fuzz-$name/log" >&2
    echo "FAILED fuzz $name: see $folder/found" >>"$checks"
    status=1
  fi
done
exit $status
