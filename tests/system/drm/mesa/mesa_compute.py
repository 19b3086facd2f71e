# SPDX-License-Identifier: Apache-2.0
"""mesa_compute.py GEN9SIM MODE LAUNCHES GROUPS PROGRAM [ARGS...]: a program of Mesa's drivers is right, and the model
did its work: so many launches with so many groups in all. Without the model the program must fail, as Mesa's drivers
on the processor give the same values."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))
from checks import expect, finish  # noqa: E402

gen9sim, mode, launches, groups, *program = sys.argv[1:]
environment = dict(os.environ, MESA_SHADER_CACHE_DISABLE="1")
with tempfile.TemporaryDirectory() as folder:
    file = pathlib.Path(folder) / "run.json"
    done = subprocess.run([gen9sim, "run", "--door", "drm", "--timing", mode, "--stats", file, "--", *program],
                          env=environment, capture_output=True, text=True, timeout=280)
    expect(done.returncode == 0, f"status {done.returncode}: {done.stdout}{done.stderr}")
    expect("Intel" in done.stdout, f"the device is not named: {done.stdout}")
    kernels = json.loads(file.read_text())["kernels"] if file.exists() else []
    did = sum(x * y * z for x, y, z in (kernel["groups"] for kernel in kernels))
    expect(len(kernels) == int(launches), f"{len(kernels)} launches, not {launches}")
    expect(did == int(groups), f"{did} groups, not {groups}")
    expect(all(kernel["instructions"] for kernel in kernels), "a launch without an instruction")
alone = subprocess.run(program, env=environment, capture_output=True, text=True, timeout=60)
expect(alone.returncode != 0, "the program ends well without the model")
finish()
