# SPDX-License-Identifier: Apache-2.0
"""What the system tests share: running a command, and saying what was wrong."""
import json
import os
import pathlib
import subprocess
import sys

FAILURES = []


def run(*command, environment=None, timeout=280):
    return subprocess.run([str(c) for c in command], capture_output=True, text=True, timeout=timeout,
                          env={**os.environ, **(environment or {})})


def expect(condition, text):
    if not condition:
        FAILURES.append(text)
        print("FAILED:", text)


def without_host(statistics):
    """Statistics without the host's name, date and time, which no two runs share."""
    statistics = json.loads(statistics)
    statistics["run"].pop("host")
    return json.dumps(statistics).encode()


def finish():
    print("failed" if FAILURES else "passed")
    sys.exit(1 if FAILURES else 0)


def vendor(pattern):
    """Path of the OpenCL driver file whose name contains the pattern."""
    found = sorted(p for p in pathlib.Path("/etc/OpenCL/vendors").glob("*.icd") if pattern in p.name)
    if not found:
        sys.exit(f"no OpenCL driver file matches '{pattern}'")
    return str(found[0])
