#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The RTL of platform/cosim/rtl in a testbench whose scoreboard is the model (libgen9_reference.so).

The bench passes; with a fault put into a copy of the RTL it fails, and says where. Each fault is a line of the
RTL and what stands there instead.
"""
import argparse
import pathlib
import re
import subprocess
import sys

FAULTS = {
    "alu_carry": ("gen9_cs_alu.sv", "{carry, result} = {1'b0, source_a} - {1'b0, source_b};",
                  "{carry, result} = {1'b0, source_a - source_b};", r"MISMATCH: .*ALU instruction"),
    "slm_signed_minimum": ("gen9_slm.sv", "5'd11: return signed_old < signed_source",
                           "5'd11: return old < source0", r"MISMATCH: SLM access \d+, operation 11"),
    "slm_conflict": ("gen9_slm.sv", "if (r.kind != ATOMIC)", "if (r.kind == WRITE)", r"clocks, the model says"),
}


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
    parser.add_argument("--fault", choices=sorted(FAULTS), help="with a fault, which must be found")
    options = parser.parse_args()
    rtl = options.source / "platform/cosim/rtl"
    if options.fault is None:
        program = build(options, rtl, options.work / "right")
        for seed in ("1", "2", "3"):
            status, text = simulate(program, f"+seed={seed}")
            if status != 0 or "PASS" not in text:
                sys.exit(f"seed {seed}:\n{text}")
        print("three seeds pass")
        return
    file, line, instead, said = FAULTS[options.fault]
    spoilt = options.work / options.fault / "rtl"
    spoilt.mkdir(parents=True, exist_ok=True)
    for name in ("gen9_cs_alu.sv", "gen9_slm.sv"):
        text = (rtl / name).read_text()
        if name == file:
            if text.count(line) != 1:
                sys.exit(f"{name} does not hold the line of this fault once: {line}")
            text = text.replace(line, instead)
        (spoilt / name).write_text(text)
    status, text = simulate(build(options, spoilt, options.work / options.fault / "obj"), "+seed=1")
    if status == 0 or "PASS" in text or not re.search(said, text):
        sys.exit(f"the fault was not found:\n{text}")
    print("found:", next(line for line in text.splitlines() if re.search(said, line)))


if __name__ == "__main__":
    main()
