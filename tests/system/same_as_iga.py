# SPDX-License-Identifier: Apache-2.0
"""same_as_iga.py GEN9SIM FILE.cl: every kernel of the file, compiled for Skylake, disassembles as iga64 says.

Only blanks are normalised. A line that differs is shown with its counterpart.
"""
import pathlib
import re
import sys
import tempfile

from checks import expect, finish, run

gen9sim, source = sys.argv[1:]


def normal(text):
    return [re.sub(r"\s+", " ", line).strip() for line in text.splitlines() if line.strip()]


with tempfile.TemporaryDirectory() as folder:
    done = run("ocloc", "compile", "-file", source, "-device", "skl", "-options",
               "-cl-std=CL1.2 -cl-fp32-correctly-rounded-divide-sqrt", "-output", "kernels", "-out_dir", folder)
    binaries = sorted(pathlib.Path(folder).glob("*.bin"))
    expect(done.returncode == 0 and binaries, f"ocloc: {done.stdout}{done.stderr}")
    dump = pathlib.Path(folder) / "dump"
    run("ocloc", "disasm", "-file", binaries[0], "-device", "skl", "-dump", dump)
    heaps = sorted(dump.glob("*_KernelHeap.dat"))
    expect(heaps, "ocloc left no kernel heaps")
    lines = 0
    for heap in heaps:
        expected = normal(run("iga64", "-d", "-p=9", heap).stdout)
        found = normal(run(gen9sim, "disasm", heap).stdout)
        lines += len(expected)
        wrong = [(e, f) for e, f in zip(expected, found) if e != f]
        expect(len(expected) == len(found), f"{heap.name}: {len(expected)} lines expected, {len(found)} found")
        for e, f in wrong[:5]:
            expect(False, f"{heap.name}:\n  iga64 {e}\n  ours  {f}")
        expect(len(wrong) <= 5, f"{heap.name}: {len(wrong)} lines differ")
    expect(lines > 20, "hardly anything was compared")
    print(f"{len(heaps)} kernels, {lines} lines")
finish()
