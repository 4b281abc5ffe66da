#!/usr/bin/env bash
# Installs what is missing, builds and runs the tests. Ends with one line: N passed, N failed.
#   scripts/test.sh              the tests, built with gcc
#   scripts/test.sh MODE...      any of: gcc werror clang sanitize races fuzz fbx coverage long qemu arm64
#   scripts/test.sh ci           werror, clang, sanitize, races, fuzz, fbx, qemu and arm64 together
# What outside judges say of files, and what takes long whatever the compiler (suite once), is run on gcc's build alone.
# qemu: the program on emulated CPUs older than this one. arm64: built for 64-bit ARM, run by qemu.
# races: the job queue with eight workers under the thread sanitizer. fuzz: the readers of clips, BVH, glTF and rigs for a minute. fbx: built with assimp, what reads FBX. coverage: of the readers' lines. long: everything slow; the fuzzers half an hour, and what
# they find new is added to tests/fuzz/corpus.
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"

modes=("$@")
[ ${#modes[@]} -gt 0 ] || modes=(gcc)
[ "${modes[0]}" = ci ] && modes=(werror clang sanitize races fuzz fbx qemu arm64)
need_tests
need python3

places=() # build folders and files of checks: what is counted
status=0

# run FOLDER [meson test option...]
run() {
  local folder=$1
  shift
  places+=("$folder")
  rm -f "$folder/meson-logs/testlog.junit.xml"
  meson test -C "$folder" --no-rebuild "$@" >"$folder-test.log" 2>&1 || status=1
}

# run_emulated KIND FOLDER
run_emulated() {
  places+=("$2-emulated.checks")
  rm -f "$2-emulated.checks"
  scripts/emulated.sh "$1" "$2/engine/cli/sinew" "$2-emulated.checks" || status=1
}

# fuzz SECONDS [keep]
fuzz() {
  need clang libomp-dev
  need "libclang-rt-$(clang -dumpversion | cut -d. -f1)-dev"
  CC=clang build build-fuzz --werror -Dfuzz=enabled -Dtests=disabled -Dbench=disabled -Dbuildtype=debugoptimized \
    -Db_sanitize=address,undefined -Db_lundef=false || return 1
  places+=(build-fuzz.checks)
  scripts/fuzz.sh build-fuzz "$1" build-fuzz.checks "${2:-}" || status=1
}

# What the thread sanitizer says of the queue. It knows OpenMP through clang's own runtime and its tool Archer alone, and
# wants addresses that are not randomised.
races() {
  local llvm
  need clang libomp-dev
  llvm=$(clang -dumpversion | cut -d. -f1)
  need "libclang-rt-$llvm-dev"
  [ -f build-races/build.ninja ] || CC=clang meson setup build-races --werror -Dbench=disabled -Dbuildtype=debugoptimized \
    -Db_sanitize=thread -Db_lundef=false >build-races.log 2>&1 || { cat build-races.log >&2; return 1; }
  ninja -C build-races tests/job/races >build-races.log 2>&1 || { tail -60 build-races.log >&2; return 1; }
  places+=(build-races.checks)
  if ! OMP_TOOL_LIBRARIES=/usr/lib/llvm-$llvm/lib/libarcher.so TSAN_OPTIONS=ignore_noninstrumented_modules=1 \
    SINEW_TEST_SOURCE=$top setarch -R build-races/tests/job/races >build-races-test.log 2>&1; then
    status=1
    cat build-races-test.log >&2
    echo "FAILED the thread sanitizer's report, or a check" >build-races.checks
    return 0
  fi
  grep '^ok ' build-races-test.log >build-races.checks
}

# A build that reads FBX, and its tests of that.
fbx() {
  [ -f build-fbx/build.ninja ] || meson setup build-fbx --werror -Dfbx=enabled -Dbench=disabled >build-fbx.log 2>&1 ||
    { cat build-fbx.log >&2; return 1; }
  ninja -C build-fbx tests/oracle/test_fbx tests/oracle/motion_places tests/oracle/made.fbx >build-fbx.log 2>&1 ||
    { tail -60 build-fbx.log >&2; return 1; }
  run build-fbx --suite fbx
}

for mode in "${modes[@]}"; do
  say "== $mode"
  case $mode in
    gcc) build build && run build ;;
    werror) build build-werror --werror && run build-werror ;;
    clang)
      need clang libomp-dev
      CC=clang build build-clang --werror && run build-clang --no-suite once
      ;;
    sanitize)
      # traps must end the process: the test framework runs tests in children and would call a mere report a pass
      build build-sanitize --werror -Db_sanitize=address,undefined -Db_lundef=false \
        -Dc_args=-fno-sanitize-recover=all -Dbuildtype=debugoptimized &&
        ASAN_OPTIONS=abort_on_error=1:detect_leaks=1 UBSAN_OPTIONS=print_stacktrace=1 run build-sanitize --timeout-multiplier 4 --no-suite once
      ;;
    races) races ;;
    fuzz) fuzz 60 ;;
    fbx) fbx ;;
    coverage)
      need gcovr
      build build-coverage -Db_coverage=true -Dbench=disabled -Dbuildtype=debug && {
        find build-coverage -name '*.gcda' -delete
        run build-coverage --no-suite every_byte
        places+=(build-coverage.checks)
        scripts/coverage.sh build-coverage build-coverage.checks || status=1
      }
      ;;
    long)
      build build-sanitize --werror -Db_sanitize=address,undefined -Db_lundef=false \
        -Dc_args=-fno-sanitize-recover=all -Dbuildtype=debugoptimized &&
        SINEW_TEST_LONG=1 ASAN_OPTIONS=abort_on_error=1:detect_leaks=1 run build-sanitize --timeout-multiplier 40 &&
        fuzz 1800 keep
      ;;
    qemu)
      need qemu-user
      build build-werror --werror && run_emulated x86 build-werror
      ;;
    arm64)
      need_arm64
      build build-arm64 --werror --cross-file scripts/cross/aarch64-linux-gnu.ini -Dtests=disabled -Dbench=disabled &&
        run_emulated arm64 build-arm64
      ;;
    *)
      say "unknown mode '$mode', expected gcc, werror, clang, sanitize, races, fuzz, fbx, coverage, long, qemu, arm64 or ci"
      exit 2
      ;;
  esac || { say "the build of '$mode' failed"; status=1; echo "0 passed, 1 failed"; exit 1; }
done

python3 scripts/count_tests.py "${places[@]}" || status=1
exit $status
