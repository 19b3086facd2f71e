# SPDX-License-Identifier: Apache-2.0
"""fuzz_interpreter.py SCRIPTS CORPUS COUNT: the reference interpreter of scripts/fuzz-kernels gives what PoCL gives,
of the kernels that both can run: two readings of OpenCL without the model between them."""
import sys

from checks import expect, finish

scripts, corpus, count = sys.argv[1:]
sys.path.insert(0, scripts)
from kernel_fuzzer import devices, kernels  # noqa: E402

pair = devices.Devices("gen9sim is not asked", corpus, "functional", 300)
made = [kernels.kernel(seed) for seed in range(1, int(count) + 1)]
pocl, interpreted = pair.pocl_alone(made), devices.interpreted(made)
pair.close()
expect(pocl.status == 0, f"PoCL: {pocl.stderr}")
wrong = [k.seed for i, k in enumerate(made) if pocl.of(f"k{i}") != interpreted.of(f"k{i}")]
expect(not wrong, f"PoCL and the interpreter differ on seeds {wrong}")
finish()
