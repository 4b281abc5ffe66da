# Sourced by the other scripts: installs what is missing from Debian's packages, then builds.
# shellcheck shell=bash
set -euo pipefail
export LC_ALL=C
top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$top"

say() { printf '%s\n' "$*" >&2; }

as_root() {
  if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo "$@"; fi
}

lists_fetched=no # by this run; anew when packages of another architecture come to them
know_arm64() {
  ! dpkg --print-foreign-architectures | grep -qx arm64 || return 0
  as_root dpkg --add-architecture arm64
  lists_fetched=no
}

# need PACKAGE...: installs those Debian packages that are not there yet; PACKAGE:arm64 of that architecture
need() {
  local missing=() package
  for package in "$@"; do
    dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing+=("$package")
  done
  [ ${#missing[@]} -eq 0 ] && return 0
  say "installing: ${missing[*]}"
  [[ ${missing[*]} != *:arm64* ]] || know_arm64
  [ $lists_fetched = yes ] || as_root apt-get update -q >/dev/null
  lists_fetched=yes
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "${missing[@]}" >/dev/null
}

libraries=(libjansson-dev libxxhash-dev libdeflate-dev zlib1g-dev libsleef-dev libgomp1) # what the program links

need_build() { need gcc libc6-dev meson ninja-build pkg-config "${libraries[@]}"; }

need_tests() {
  # other readers, for comparison: of BVH, and of what is written as arrays
  local outside=(libassimp-dev python3-numpy unzip)
  # the validator of glTF files runs on node; any node will do
  command -v npm >/dev/null || outside+=(nodejs npm)
  # and three.js plays what is written in a browser
  command -v chromium >/dev/null || outside+=(chromium chromium-sandbox)
  need_build
  need g++ libcriterion-dev libyaml-dev libbenchmark-dev abigail-tools "${outside[@]}"
}

need_bench() { need_build; need g++ libbenchmark-dev libyaml-dev python3 assimp-utils; }

need_arm64() { need qemu-user gcc-aarch64-linux-gnu libc6-dev-arm64-cross libc6:arm64 "${libraries[@]/%/:arm64}"; }

# build_only FOLDER 'TARGET...' [meson option...]: configures once, then compiles
build_only() {
  local folder=$1 targets
  read -ra targets <<<"$2"
  shift 2
  [ -f "$folder/build.ninja" ] || meson setup "$folder" "$@" >"$folder.log" 2>&1 || { cat "$folder.log" >&2; return 1; }
  ninja -C "$folder" "${targets[@]}" >"$folder.log" 2>&1 || { tail -60 "$folder.log" >&2; return 1; }
}
# build FOLDER [meson option...]
build() { build_only "$1" all "${@:2}"; }
