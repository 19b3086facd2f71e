# SPDX-License-Identifier: Apache-2.0
"""misaligned.py GEN9SIM CORPUS FILE.cl: an address that the data port rounds down is reported once, with kernel and
address, and ends with status 3; what is read is what lies at the rounded address."""
import re
import sys

from checks import expect, finish, run

gen9sim, corpus, source = sys.argv[1:]
REPORT = re.compile(r"data port alignment at kernel (0x[0-9a-f]{12}): memory address 0x[0-9a-f]*[26ae] "
                    r"is no multiple of 4: its low bits are left out")
for mode in ("functional", "timed"):
    def start(kernel, mode=mode):
        done = run(gen9sim, "run", "--timing", mode, "--", corpus, source, kernel)
        lines = [line.split() for line in done.stdout.splitlines() if line.startswith(kernel)]
        return done, lines[0][1] if lines else None

    done, result = start("misaligned")
    text = done.stdout + done.stderr
    reports = REPORT.findall(text)
    expect(done.returncode == 3, f"{mode}: status {done.returncode}, expected 3\n{text}")
    expect(len(reports) == 1 and text.count("guest error") == 1, f"{mode}: not one report:\n{text}")
    expect(all(re.search(rf"^misaligned .* at {kernel}$", text, re.M) for kernel in reports), f"{mode}: not the summary's kernel:\n{text}")
    plain, expected = start("aligned")
    expect(plain.returncode == 0 and result is not None and result == expected,
           f"{mode}: {result} was read, not {expected} (status {plain.returncode})\n{plain.stderr}")
finish()
