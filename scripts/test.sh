#!/usr/bin/env bash
# Installs what is missing, builds and runs the tests. Ends with one line: N passed, N failed.
#   scripts/test.sh              the tests, built with gcc
#   scripts/test.sh MODE...      any of: gcc werror clang bytes sanitize races fuzz fbx coverage long qemu arm64
#   scripts/test.sh ci           werror, bytes, sanitize, races, fuzz, qemu and arm64 together
# werror: built with gcc, warnings as errors, every test. What outside judges say of files, and what takes long whatever the
# compiler (suite once), is run on gcc's build alone. sanitize: built with clang, warnings as errors, and its sanitizers; every
# test but those. fuzz: on the same build, the readers of clips, BVH, glTF and rigs. clang: every test but
# those, without sanitizers. bytes: of that build what depends on the compiler's optimiser: golden hashes, kernels.
# qemu: the program on emulated CPUs older than this one. arm64: built for 64-bit ARM, run by qemu.
# races: the job queue with eight workers under the thread sanitizer. fbx: built with assimp, what reads FBX; gcc's build has
# the same tests of what such a build has else. coverage: of the readers' lines. long: everything slow; the fuzzers half an
# hour, and what they find new is added to tests/fuzz/corpus.
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"

modes=("$@")
[ ${#modes[@]} -gt 0 ] || modes=(gcc)
[ "${modes[0]}" = ci ] && modes=(werror bytes sanitize races fuzz qemu arm64)
[[ " ${modes[*]} " != *" arm64 "* ]] || know_arm64 # so that packages are looked up once
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

# run_emulated KIND FOLDER NATIVE: NATIVE is the folder of a build for this machine
run_emulated() {
  places+=("$2-emulated.checks")
  rm -f "$2-emulated.checks"
  scripts/emulated.sh "$1" "$2/engine/cli/sinew" "$2-emulated.checks" "$3/engine/cli/sinew" || status=1
}

need_clang() {
  need clang libomp-dev
  need "libclang-rt-$(clang -dumpversion | cut -d. -f1)-dev"
}

# Clang's sanitizers in all tests, and its counters for the fuzz targets: of what is compiled slowest there is one build.
# Traps must end the process: the test framework runs tests in children and would call a mere report a pass.
build_sanitized() {
  need_clang
  CC=clang build build-clang-sanitize --werror -Dfuzz=enabled -Dbench=disabled -Dbuildtype=debugoptimized \
    -Db_sanitize=address,undefined -Db_lundef=false
}

# sanitized [meson test option...]: the tests of that build. Clang's OpenMP leaves a little of its own behind at times. The
# stacks of allocations are short so that this excuses nothing that its threads allocate deep in the engine. And the leak
# checker falls over what threads that have ended had of their own (intercept_tls_get_addr).
sanitized() {
  ASAN_OPTIONS=abort_on_error=1:detect_leaks=1:malloc_context_size=5:intercept_tls_get_addr=0 UBSAN_OPTIONS=print_stacktrace=1 \
    LSAN_OPTIONS=suppressions=$top/scripts/openmp_leaks.txt:print_suppressions=0 run build-clang-sanitize "$@"
}

# fuzz SECONDS [keep]
fuzz() {
  build_sanitized || return 1
  places+=(build-fuzz.checks)
  scripts/fuzz.sh build-clang-sanitize "$1" build-fuzz.checks "${2:-}" || status=1
}

# What the thread sanitizer says of the queue. It knows OpenMP through clang's own runtime and its tool Archer alone, and
# wants addresses that are not randomised.
races() {
  local llvm
  need_clang
  llvm=$(clang -dumpversion | cut -d. -f1)
  CC=clang build_only build-races tests/job/races --werror -Dbench=disabled -Dbuildtype=debugoptimized \
    -Db_sanitize=thread -Db_lundef=false || return 1
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

# Clang's optimiser must give the same bytes as gcc's: what depends on it, of a build like its users'.
bytes() {
  need_clang
  CC=clang build_only build-clang 'engine/cli/sinew tests/bake/test_golden tests/kernels/test_kernels tests/kernels/test_select' \
    --werror || return 1
  run build-clang golden kernels 'kernel selection' instructions symbols
}

# A build that reads FBX, and its tests of that.
fbx() {
  build_only build-fbx 'tests/oracle/test_fbx tests/oracle/motion_places tests/oracle/made.fbx' \
    --werror -Dfbx=enabled -Dbench=disabled || return 1
  run build-fbx --suite fbx
}

for mode in "${modes[@]}"; do
  say "== $mode"
  case $mode in
    gcc) build build && run build ;;
    werror) build build-werror --werror && SINEW_TEST_STEP=3 run build-werror ;;
    clang)
      need_clang
      CC=clang build build-clang --werror && run build-clang --no-suite once
      ;;
    sanitize) build_sanitized && SINEW_TEST_STEP=5 sanitized --timeout-multiplier 4 --no-suite once ;;
    bytes) bytes ;;
    races) races ;;
    fuzz) fuzz 30 ;;
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
      build_sanitized && SINEW_TEST_LONG=1 sanitized --timeout-multiplier 40 && fuzz 1800 keep
      ;;
    qemu)
      need qemu-user
      build build-werror --werror && run_emulated x86 build-werror build-werror
      ;;
    arm64)
      need_arm64
      build build-arm64 --werror --cross-file scripts/cross/aarch64-linux-gnu.ini -Dtests=disabled -Dbench=disabled &&
        build_only build-werror engine/cli/sinew --werror && run_emulated arm64 build-arm64 build-werror
      ;;
    *)
      say "unknown mode '$mode', expected gcc, werror, clang, bytes, sanitize, races, fuzz, fbx, coverage, long, qemu, arm64 or ci"
      exit 2
      ;;
  esac || { say "the build of '$mode' failed"; status=1; echo "0 passed, 1 failed"; exit 1; }
done

python3 scripts/count_tests.py "${places[@]}" || status=1
exit $status
