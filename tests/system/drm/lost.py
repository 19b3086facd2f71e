# SPDX-License-Identifier: Apache-2.0
"""lost.py GEN9SIM DRM_REQUESTS [VULKAN_PROGRAM]: a program whose engine stops, by a hang, by --max-cycles or because its
process is killed, is told so as the kernel driver would; `run` ends with its own status and report."""
import pathlib
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from checks import expect, finish, run  # noqa: E402

gen9sim, requests, *vulkan = sys.argv[1:]


def lost(words, options, program):
    begin = time.monotonic()
    done = run(gen9sim, "run", "--no-progress", *options, "--", *program, environment={"MESA_SHADER_CACHE_DISABLE": "1"})
    what = f"{' '.join(program[1:])} {' '.join(options)}"
    expect(done.returncode == 3, f"{what}: status {done.returncode}, expected 3: {done.stdout}{done.stderr}")
    for word in words:
        expect(word in done.stdout + done.stderr, f"{what}: no '{word}' in: {done.stdout}{done.stderr}")
    return time.monotonic() - begin


for mode in ("functional", "timed"):
    options = ("--timing", mode, "--set", "gpu.watchdog_cycles=200000")
    lost(("hang: ", " 0 wrong answers", "engine hang", "MI_SEMAPHORE_WAIT"), options, (requests, "hang"))
lost(("killed: ", " 0 wrong answers", "SIGKILL"), ("--timing", "functional"), (requests, "killed"))
if vulkan:
    # VK_ERROR_DEVICE_LOST is -4.
    lost(("failed (-4)", "--max-cycles"), ("--max-cycles", "20000"), vulkan)
finish()
