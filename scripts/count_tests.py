#!/usr/bin/env python3
"""Adds up the tests of meson build folders and the checks of scripts (files of lines "ok NAME" or "FAILED NAME"): prints
what failed or was skipped, then 'N passed, N failed, N skipped'."""
import json
import sys
import xml.etree.ElementTree as tree
from pathlib import Path


def count_checks(path):
    """Of one script's results: how many passed and how many failed; none at all is a failure."""
    lines = Path(path).read_text().splitlines() if Path(path).exists() else []
    passed = sum(line.startswith("ok ") for line in lines)
    for line in lines:
        if not line.startswith("ok "):
            print(f"FAILED {path}: {line.removeprefix('FAILED ')}")
    if not lines:
        print(f"FAILED {path}: its checks left no record")
    return passed, max(len(lines), 1) - passed


def unfinished(folder):
    """The tests that did not come to an end, by name: the other record calls a test that ran out of time a passed one."""
    log = Path(folder) / "meson-logs" / "testlog.json"
    results = [json.loads(line) for line in log.read_text().splitlines()] if log.exists() else []
    return {r["name"]: r["result"] for r in results if r["result"] in ("TIMEOUT", "INTERRUPT")}


def main(places):
    passed = failed = 0
    skipped = []
    for folder in places:
        if folder.endswith(".checks"):
            counts = count_checks(folder)
            passed += counts[0]
            failed += counts[1]
            continue
        log = Path(folder) / "meson-logs" / "testlog.junit.xml"
        if not log.exists():
            print(f"FAILED {folder}: its tests left no record")
            failed += 1
            continue
        cut_off = unfinished(folder)
        for name, result in cut_off.items():
            print(f"FAILED {folder}: {name}: {result.lower()}")
            failed += 1
        for suite in tree.parse(log).getroot().iter("testsuite"):
            cases = list(suite.iter("testcase"))
            for case in cases:
                name = f"{folder}: {suite.get('name')}: {case.get('name')}"
                if case.find("failure") is not None or case.find("error") is not None:
                    print(f"FAILED {name}")
                    failed += 1
                elif case.get("name") in cut_off:
                    continue
                elif case.find("skipped") is not None:
                    skipped.append(name)
                else:
                    passed += 1
            # a runner that died after its last reported case fails its suite, not a case
            if int(suite.get("failures", 0)) + int(suite.get("errors", 0)) > 0 and not any(
                case.find("failure") is not None or case.find("error") is not None for case in cases
            ):
                print(f"FAILED {folder}: {suite.get('name')}")
                failed += 1
    for name in skipped:
        print(f"skipped {name}")
    print(f"{passed} passed, {failed} failed" + (f", {len(skipped)} skipped" if skipped else ""))
    return 1 if failed or not passed else 0


sys.exit(main(sys.argv[1:]))
