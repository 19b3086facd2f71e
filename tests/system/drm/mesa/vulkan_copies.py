# SPDX-License-Identifier: Apache-2.0
"""vulkan_copies.py GEN9SIM VULKAN_COMPUTE: copies, fills and updates on a queue that only computes are right; what a queue that draws skips is named."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))
from checks import expect, finish, run  # noqa: E402

gen9sim, program = sys.argv[1:]
SETTING = "the program is given ANV_QUEUE_OVERRIDE=gc=1,c=1"
done = run(gen9sim, "run", "--timing", "functional", "--verbose", "--", program, "copies")
expect(done.returncode == 0, f"copies: status {done.returncode}: {done.stdout}{done.stderr}")
expect(SETTING in done.stderr, f"--verbose does not say the setting: {done.stderr}")
done = run(gen9sim, "run", "--timing", "functional", "--", program, "copies", "drawn")
expect(done.returncode == 1, f"drawn copies: status {done.returncode}")
for what in ("a copy or blit by a rectangle", "a clear or fill by a rectangle"):
    expect(done.stderr.count(f"not modelled: CS-126: 3DPRIMITIVE is skipped: {what}\n") == 1, f"'{what}' is not said once: {done.stderr}")
# A person's own setting holds: here there is no queue that only computes.
done = run(gen9sim, "run", "--timing", "functional", "--verbose", "--", program, "copies", environment={"ANV_QUEUE_OVERRIDE": "gc=1"})
expect(done.returncode == 1 and "finding a queue" in done.stderr and SETTING not in done.stderr, f"another setting: {done.returncode}: {done.stderr}")
finish()
