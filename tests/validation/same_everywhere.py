# SPDX-License-Identifier: Apache-2.0
"""same_everywhere.py GEN9SIM PROGRAM WORD...: the launches of a program take the same cycles whatever surrounds it: the
folder, the variables, the place of the program and the limit of the stack."""
import json
import os
import pathlib
import resource
import shutil
import subprocess
import sys
import tempfile

gen9sim, program = (pathlib.Path(word).resolve() for word in sys.argv[1:3])
words = sys.argv[3:]


def unlimited_stack():
    resource.setrlimit(resource.RLIMIT_STACK, (resource.getrlimit(resource.RLIMIT_STACK)[1],) * 2)


def cycles(folder, program, **others):
    stats = folder / "stats.json"
    done = subprocess.run([gen9sim, "run", "--no-progress", "--door", "drm", "--stats", stats, "--", program, *words],
                          capture_output=True, text=True, **others)
    if done.returncode:
        sys.exit(f"{done.args} ended with status {done.returncode}:\n{done.stdout}{done.stderr}")
    return [launch["cycles"] for launch in json.loads(stats.read_text())["kernels"]]


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    elsewhere = folder / "a program of another name"
    shutil.copy(program, elsewhere)
    first = cycles(folder, program)
    second = cycles(folder, elsewhere, cwd=folder, preexec_fn=unlimited_stack, env={**os.environ, "LARGE": "x" * 50000})
print(first, second, sep="\n")
if not first or first != second:
    sys.exit("failed: other cycles")
print("passed")
