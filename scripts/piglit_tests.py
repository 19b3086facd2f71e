# SPDX-License-Identifier: Apache-2.0
"""What piglit-cl and piglit-gl share: running tests of piglit, and counting their verdicts."""
import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
PIGLIT = next(iter(pathlib.Path("/usr/lib").glob("*/piglit")), pathlib.Path("/usr/lib/piglit"))
RESULT = re.compile(r'^PIGLIT: (\{.*\})\s*$', re.MULTILINE)


def options_of(description, sample):
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sample", action="store_true", help=sample)
    parser.add_argument("--only", default="", metavar="TEXT", help="tests whose names contain the text")
    parser.add_argument("--timing", choices=("functional", "timed"), default="functional")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--timeout", type=float, default=300, help="seconds for one test (default %(default)s)")
    parser.add_argument("--gen9sim", default=str(ROOT / "build" / "gen9sim"))
    parser.add_argument("--verbose", action="store_true", help="show what failing tests print")
    return parser


def outcome(command, environment, timeout):
    """Result of the whole test, the names of its subtests that fail, its exit status, and what it printed."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=timeout,
                              env={**os.environ, **environment})
    except subprocess.TimeoutExpired:
        return "timeout", set(), None, f"no end after {timeout} s"
    result, failed = f"status {done.returncode}", set()
    for line in RESULT.findall(done.stdout):
        said = json.loads(line)
        result = said.get("result", result)
        failed |= {name for name, how in said.get("subtest", {}).items() if how not in ("pass", "skip")}
    return result, failed, done.returncode, done.stdout + done.stderr


def run_all(chosen, verdict, options):
    """Prints what `verdict` says of each test: a word for the summary, and what is wrong. The number of those that are wrong."""
    begin, counts, faults = time.monotonic(), {}, 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for (name, _), (word, fault) in zip(chosen, pool.map(verdict, chosen)):
            counts[word] = counts.get(word, 0) + 1
            if word == "skip":
                print(f"{name}: the test itself skips")
            if fault:
                faults += 1
                print(fault, flush=True)
    summary = ", ".join(f"{count} {word}" for word, count in sorted(counts.items()))
    print(f"{len(chosen)} tests in {options.timing} mode: {summary} ({time.monotonic() - begin:.0f} s)")
    return faults
