# SPDX-License-Identifier: Apache-2.0
"""vulkan_copies.py GEN9SIM VULKAN_COMPUTE: copies, fills and updates are right, on a queue that draws and on one that only computes."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))
from checks import expect, finish, run  # noqa: E402

gen9sim, program = sys.argv[1:]
COMPUTES = {"ANV_QUEUE_OVERRIDE": "gc=1,c=1"}  # beside the queue that draws there is one that only computes
for words, environment in ((("copies", "drawn"), {}), (("copies",), COMPUTES)):
    done = run(gen9sim, "run", "--timing", "functional", "--", program, *words, environment=environment)
    expect(done.returncode == 0, f"{words}: status {done.returncode}: {done.stdout}{done.stderr}")
finish()
