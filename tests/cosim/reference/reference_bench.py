#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The RTL of platform/cosim/rtl in a testbench whose scoreboard is the model (libgen9_reference.so).

In a copy of the RTL with faults, of which +fault=N switches one on, the bench passes without and fails with each,
and says where. docs/cosimulation.md runs it with the RTL as it is.
"""
import argparse
import pathlib
import re
import subprocess
import sys

# File, a part of it, what stands there with the fault switch, what the bench must say.
FAULTS = [
    ("gen9_cs_alu.sv", "{carry, result} = {1'b0, source_a} - {1'b0, source_b};",
     "{carry, result} = fault == 1 ? {1'b0, source_a - source_b} : {1'b0, source_a} - {1'b0, source_b};",
     r"MISMATCH: after ALU instruction STORE"),
    ("gen9_slm.sv", "5'd11: return signed_old < signed_source",
     "5'd11: return (fault == 2 ? old < source0 : signed_old < signed_source)",
     r"MISMATCH: SLM access \d+, operation 11"),
    ("gen9_slm.sv", "if (r.kind != ATOMIC)", "if (r.kind == WRITE || (r.kind == READ && fault != 3))",
     r"MISMATCH: SLM access \d+: \d+ clocks, the model says"),
]
SWITCH = '\n);\n  int fault;\n  initial if (!$value$plusargs("fault=%d", fault)) fault = 0;\n'


def build(options, rtl, folder):
    """Verilates and compiles the bench with the RTL in a folder; the program's path."""
    root = options.source
    lib = pathlib.Path(options.library).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    done = subprocess.run(
        [options.verilator, "--binary", "--timing", "-Wno-fatal", "-Wno-lint", "-j", "1", "-O1", "--top-module",
         "reference_tb", "--Mdir", folder, "-o", "reference_tb", "-MAKEFLAGS", "OPT_FAST=-O0 OPT_SLOW=-O0",
         "-LDFLAGS", f"{lib} -Wl,-rpath,{lib.parent}",
         root / "platform/cosim/dpi/gen9_reference_pkg.sv", root / "tests/cosim/reference/reference_tb.sv",
         rtl / "gen9_cs_alu.sv", rtl / "gen9_slm.sv"],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0:
        sys.exit(f"Verilator could not build the bench:\n{done.stdout}")
    return folder / "reference_tb"


def simulate(program, *arguments):
    done = subprocess.run([program, *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return done.returncode, done.stdout


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--verilator", default="verilator")
    parser.add_argument("--library", required=True, help="libgen9_reference.so")
    parser.add_argument("--source", type=pathlib.Path, required=True, help="the project's folder")
    parser.add_argument("--work", type=pathlib.Path, required=True, help="a folder to build in")
    options = parser.parse_args()
    rtl = options.source / "platform/cosim/rtl"
    spoilt = options.work / "rtl"
    spoilt.mkdir(parents=True, exist_ok=True)
    for name in ("gen9_cs_alu.sv", "gen9_slm.sv"):
        text = (rtl / name).read_text().replace("\n);\n", SWITCH, 1)
        for file, part, instead, _ in FAULTS:
            if file == name:
                if text.count(part) != 1:
                    sys.exit(f"{name} does not hold this part once: {part}")
                text = text.replace(part, instead)
        (spoilt / name).write_text(text)
    program = build(options, spoilt, options.work / "faults")
    for number in range(len(FAULTS) + 1):
        if number == 0:
            for seed in range(1, 4):
                status, text = simulate(program, f"+seed={seed}")
                if status != 0 or "PASS" not in text:
                    sys.exit(f"seed {seed}, without a fault:\n{text}")
            continue
        status, text = simulate(program, "+seed=1", f"+fault={number}")
        said = FAULTS[number - 1][3]
        if status == 0 or "PASS" in text or not re.search(said, text):
            sys.exit(f"fault {number} was not found:\n{text}")
        print("found:", next(line for line in text.splitlines() if re.search(said, line)))


if __name__ == "__main__":
    main()
