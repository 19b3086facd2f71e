# SPDX-License-Identifier: Apache-2.0
"""misbehaviour.py GEN9SIM PROGRAM: what a program does wrong is reported, once and clearly, and ends."""
import sys

from checks import expect, finish, run

gen9sim, program = sys.argv[1:]
for mode in ("functional", "timed"):
    done = run(gen9sim, "run", "--timing", mode, "--", program, "unmapped")
    expect(done.returncode == 3, f"{mode} unmapped: status {done.returncode}, expected 3\n{done.stderr}")
    expect("guest error" in done.stderr and "7abcde000000" in done.stderr.lower(),
           f"{mode} unmapped: no report of the address:\n{done.stderr}")
    expect("PASS" in done.stdout, f"{mode} unmapped: reads were not zero: {done.stdout}")
    done = run(gen9sim, "run", "--timing", mode, "--set", "gpu.watchdog_cycles=200000", "--", program, "endless")
    expect(done.returncode == 3, f"{mode} endless: status {done.returncode}, expected 3\n{done.stderr}")
    expect("engine hang" in done.stderr and "thread0" in done.stderr,
           f"{mode} endless: no report of who waits:\n{done.stderr}")
finish()
