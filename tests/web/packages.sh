# Sourced by the scripts here: packages of the lock file, installed beside it when one is missing.
# shellcheck shell=sh disable=SC2154

skip() {
  echo "skipped: $1" >&2
  exit 77
}

# need_package NAME: two tests may ask at once, and an installation begins by deleting what is there: one at a time
need_package() {
  command -v node >/dev/null 2>&1 || skip "node is not installed, $1 needs it"
  [ -e "$here/node_modules/$1/package.json" ] && return 0
  # one try is enough: where the registry cannot be had, no later test waits for it again
  failed=$here/node_modules.failed
  [ -n "$(find "$failed" -mmin -60 2>/dev/null)" ] && skip "npm cannot install $1"
  command -v npm >/dev/null 2>&1 || skip "npm is not installed, and $1 has to be installed with it"
  (
    flock 9
    [ -e "$here/node_modules/$1/package.json" ] ||
      (cd "$here" && npm ci --no-audit --no-fund --ignore-scripts --fetch-retries=0 --fetch-timeout=20000) >&2 ||
      { : >"$failed"; false; }
  ) 9<"$here/package-lock.json" || skip "npm cannot install $1"
  rm -f "$failed"
}
