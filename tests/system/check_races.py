# SPDX-License-Identifier: Apache-2.0
"""check_races.py GEN9SIM CORPUS RACES.cl: --check-races reports the planted races with kernel and line, and none of the
kernels without. Oclgrind says the same of the same kernels."""
import os
import pathlib
import re
import sys

from checks import expect, finish, run

gen9sim, corpus, source = sys.argv[1:]
planted = {}  # by kernel: the line that must be named, 0 if there is no race
for number, line in enumerate(pathlib.Path(source).read_text().splitlines(), 1):
    if found := re.match(r"kernel void (\w+)", line):
        kernel = found[1]
        planted[kernel] = 0
    if line.endswith("// race"):
        planted[kernel] = number
racing = {kernel for kernel, line in planted.items() if line != 0}
LOCAL = {"local_without_barrier", "second_round_without_barrier"}

# What the driver keeps of a compiled kernel has no lines.
os.environ.pop("cl_cache_dir", None)
os.environ["CORPUS_OPTIONS"] = "-cl-std=CL1.2 -gline-tables-only"
done = run(gen9sim, "run", "--timing", "functional", "--check-races", "--", corpus, source)
reports = re.findall(r"data race at kernel (\w+), (.*)", done.stderr)
expect(done.returncode == 3, f"status {done.returncode}, expected 3\n{done.stderr}")
expect({kernel for kernel, _ in reports} == racing, f"reports of {sorted({k for k, _ in reports})}\n{done.stderr}")
for kernel in racing:
    said = "\n".join(text for name, text in reports if name == kernel)
    # All have their races in local memory, or in the second argument.
    where = r"local memory 0x" if kernel in LOCAL else r"0x[0-9a-f]+ \(argument 1 'out' \+ 0x[0-9a-f]+\)"
    expect(re.search(where, said), f"{kernel}: the buffer is not named: {said}")
    expect(re.search(rf"line {planted[kernel]}\b|:{planted[kernel]}\b", said), f"{kernel}: line {planted[kernel]} is not named: {said}")
    expect("send" in said, f"{kernel}: no instruction is named: {said}")
expect(f"{len(reports)} pairs of instructions race" in done.stderr, f"no sum:\n{done.stderr[-500:]}")

# The driver binds no surface where a kernel has 64-bit addresses: the address stands alone.
os.environ["CORPUS_OPTIONS"] = "-cl-std=CL1.2 -cl-intel-greater-than-4GB-buffer-required"
done = run(gen9sim, "run", "--timing", "functional", "--check-races", "--", corpus, source, "neighbour_group")
expect(re.search(r": 0x[0-9a-f]+: (write|read) by .* a64 ", done.stderr), f"no race by 64-bit addresses: {done.stderr}")
os.environ["CORPUS_OPTIONS"] = "-cl-std=CL1.2 -gline-tables-only"

clean = sorted(planted.keys() - racing)
done = run(gen9sim, "run", "--timing", "functional", "--check-races", "--", corpus, source, *clean)
expect(done.returncode == 0 and " 0 pairs" in done.stderr, f"clean kernels: status {done.returncode}\n{done.stderr}")

del os.environ["CORPUS_OPTIONS"]
for kernel in planted:
    done = run("oclgrind", "--data-races", corpus, source, kernel)
    expect(("data race" in done.stderr) == (kernel in racing), f"{kernel}: Oclgrind thinks otherwise\n{done.stderr[:800]}")
finish()
