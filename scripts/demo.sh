#!/usr/bin/env bash
# Installs what is missing, builds, and bakes the sample clip on the sample rig: demo-out/walk.glb
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"
need_build
say "building: a minute or two"
build build-demo -Dtests=disabled -Dbench=disabled
mkdir -p demo-out
build-demo/engine/cli/sinew convert scripts/sample/walk.anim --rig scripts/sample/walker.fbx.meta --mesh boxes \
  -o demo-out/walk.glb
echo "the clip as a GLB that plays on that rig, with a box a bone to look at: $top/demo-out/walk.glb"
echo "checked: the finished file was read back, and every joint of every frame compared with the computed pose"
