# SPDX-License-Identifier: Apache-2.0
"""record.py GEN9SIM DOOR MODE LAUNCHES PROGRAM [ARGS...]: what a run records while it computes replays in both timing
modes: the same launches, the same instructions and cycles where the mode is the same, and all compares hold. An altered one does not."""
import json
import pathlib
import subprocess
import sys
import tempfile

import aub
from checks import expect, finish, run

gen9sim, door, mode, launches, *program = sys.argv[1:]
temporary = tempfile.TemporaryDirectory()
folder = pathlib.Path(temporary.name)
capture = folder / "run.aub.zst"


def kernels(name):
    """Of each launch what the program decides, and what the machine does."""
    path = folder / name
    found = json.loads(path.read_text())["kernels"] if path.exists() else []
    return [[k["kernel_start"], k["groups"]] for k in found], [[k["instructions"], k.get("cycles")] for k in found]


done = run(gen9sim, "run", "--door", door, "--timing", mode, "--record", capture, "--stats", folder / "run.json", "--", *program,
           environment={"MESA_SHADER_CACHE_DISABLE": "1"})
expect(done.returncode == 0, f"run: status {done.returncode}: {done.stdout}{done.stderr}")
expect("compares" in done.stderr, f"what was recorded is not said: {done.stderr}")
ran, spent = kernels("run.json")
expect(len(ran) == int(launches), f"{len(ran)} launches, not {launches}")
for other in ("functional", "timed"):
    done = run(gen9sim, "replay", "--timing", other, "--stats", folder / f"{other}.json", capture)
    expect(done.returncode == 0 and " 0 mismatches" in done.stderr, f"replay {other}: status {done.returncode}: {done.stderr}")
    played, spent_now = kernels(f"{other}.json")
    expect(played == ran, f"replay {other} runs {played}, the program {ran}")
    expect(other != mode or spent_now == spent, f"replay {other}: instructions and cycles {spent_now}, the program {spent}")

stream = bytearray(subprocess.run(["zstd", "-dcq", str(capture)], capture_output=True).stdout)
compares = [at for kind, at, _ in aub.packets(stream) if kind == aub.MEMORY_COMPARE]
expect(compares, "no compares")
if compares:
    stream[compares[len(compares) // 2] + 20] ^= 1  # the first byte of its data
altered = folder / "altered.aub"
altered.write_bytes(stream)
done = run(gen9sim, "replay", "--timing", "functional", altered)
expect(done.returncode == 1 and " 1 mismatches" in done.stderr, f"an altered compare: status {done.returncode}: {done.stderr}")
finish()
