# SPDX-License-Identifier: Apache-2.0
"""fuzz_interpreter.py SCRIPTS CORPUS COUNT: the reference interpreter of scripts/fuzz-kernels gives what PoCL gives,
of the kernels that both can run: two readings of OpenCL without the model between them. A third of the seeds has its turn."""
import sys

from checks import expect, finish, has_its_turn

scripts, corpus, count = sys.argv[1:]
sys.path.insert(0, scripts)
from kernel_fuzzer import devices, kernels  # noqa: E402

pair = devices.Devices("gen9sim is not asked", corpus, "functional", 300)
CRASHES = {("memory", 5), ("memory", 8), ("memory", 21), ("memory", 22)}  # in the code that PoCL makes of them
for kind, many in (("host", int(count)), ("memory", int(count) * 2 // 5)):
    made = [kernels.kernel(seed, kind) for seed in range(1, many + 1) if has_its_turn(seed, 3) and (kind, seed) not in CRASHES]
    pocl, interpreted = pair.pocl_alone(made), devices.interpreted(made)
    expect(pocl.status == 0, f"PoCL: {pocl.stderr}")
    wrong = [k.seed for i, k in enumerate(made) if pocl.of(f"k{i}") != interpreted.of(f"k{i}")]
    expect(not wrong, f"{kind}: PoCL and the interpreter differ on seeds {wrong}")
pair.close()
finish()
