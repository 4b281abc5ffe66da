#!/usr/bin/env bash
# Prints which share of the readers' lines a build's tests have run, and fails below 95 %.
#   scripts/coverage.sh FOLDER CHECKS
# FOLDER is a build with -Db_coverage=true whose tests have been run. A line "ok NAME" or "FAILED NAME" is written to CHECKS.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
folder=$1 checks=$2 least=95
gcovr --root . --filter engine/read/ --filter engine/base/number.c --json-summary "$folder/coverage.json" --txt - "$folder" >&2
python3 - "$folder/coverage.json" $least >"$checks" <<'END'
import json, sys
summary = json.load(open(sys.argv[1]))
share, lines = summary["line_percent"], summary["line_total"]
state = "ok" if lines > 1000 and share >= float(sys.argv[2]) else "FAILED"
print(f"{state} coverage of the readers: {share} % of {lines} lines")
END
cat "$checks" >&2
! grep -q FAILED "$checks"
