# SPDX-License-Identifier: Apache-2.0
"""same_as_pocl.py GEN9SIM MODE PROGRAM ARGUMENTS...: the program prints the same on the model and on PoCL."""
import sys

from checks import expect, finish, run, vendor

gen9sim, mode, program, *arguments = sys.argv[1:]
expected = run(program, *arguments, environment={"OCL_ICD_VENDORS": vendor("pocl")})
expect(expected.returncode == 0, f"PoCL: status {expected.returncode}: {expected.stderr}")
found = run(gen9sim, "run", "--timing", mode, "--", program, *arguments, timeout=880)
expect(found.returncode == 0, f"model: status {found.returncode}: {found.stderr[-2000:]}")
expected_lines, found_lines = expected.stdout.splitlines(), found.stdout.splitlines()
expect(len(expected_lines) > 0 and len(expected_lines) == len(found_lines),
       f"{len(expected_lines)} lines expected, {len(found_lines)} found")
for wanted, got in zip(expected_lines, found_lines):
    expect(wanted == got, f"\n  PoCL  {wanted}\n  model {got}")
finish()
