# SPDX-License-Identifier: Apache-2.0
"""misbehaviour.py GEN9SIM PROGRAM: what a program does wrong is reported, once and clearly, and ends; what only takes
long is no hang."""
import json
import pathlib
import re
import sys
import tempfile

from checks import expect, finish, run

gen9sim, program = sys.argv[1:]
# The watchdog is far shorter than the kernels below, and than one look of a run that asked only for dispatches.
WATCHDOG = ("--set", "gpu.watchdog_cycles=100000")
LOOPS = {"functional": 400_000, "timed": 12_000}


def instructions(path):
    """Of all kernels, and how many of them are unfinished."""
    totals = json.loads(path.read_text())["totals"]
    return totals["instructions"], totals["unfinished"]


with tempfile.TemporaryDirectory() as folder:
    for mode in ("functional", "timed"):
        statistics = pathlib.Path(folder) / f"{mode}.json"

        def start(*words, mode=mode, statistics=statistics):
            return run(gen9sim, "run", "--timing", mode, "--stats", statistics, *words)

        done = start("--", program, "unmapped")
        expect(done.returncode == 3, f"{mode} unmapped: status {done.returncode}, expected 3\n{done.stderr}")
        expect("guest error" in done.stderr and "7abcde000000" in done.stderr.lower(),
               f"{mode} unmapped: no report of the address:\n{done.stderr}")
        expect("PASS" in done.stdout, f"{mode} unmapped: reads were not zero: {done.stdout}")
        done = start("--", "sh", "-c", f"{program} unmapped; exit 7")
        expect(done.returncode == 7 and "the engine failed" in done.stderr and "status is 7" in done.stderr,
               f"{mode}: a program's own status {done.returncode} hides the engine's fault:\n{done.stderr}")

        done = start(*WATCHDOG, "--", program, "long_loop", LOOPS[mode])
        expect(done.returncode == 0 and "PASS" in done.stdout, f"{mode} long loop: status {done.returncode}\n{done.stderr}")
        expect(instructions(statistics)[0] > 4 * LOOPS[mode], f"{mode} long loop: {instructions(statistics)} instructions")

        done = start(*WATCHDOG, "--max-cycles", "3000000", "--", program, "endless")
        expect(done.returncode == 3, f"{mode} endless: status {done.returncode}, expected 3\n{done.stderr}")
        stopped = re.search(r"cycle (\d+): stopped by --max-cycles", done.stderr)
        expect(stopped and 3_000_000 <= int(stopped[1]) < 3_100_000, f"{mode} endless: not stopped at the limit:\n{done.stderr}")
        for word in ("thread0", "ip ", "1 unfinished"):
            expect(word in done.stderr, f"{mode} endless: the report does not say '{word}':\n{done.stderr}")
        expect("hang" not in done.stderr, f"{mode} endless: called a hang:\n{done.stderr}")
        count, unfinished = instructions(statistics)
        expect(count > 10_000 and unfinished == 1, f"{mode} endless: {count} instructions, {unfinished} unfinished")

        done = start(*WATCHDOG, "--", program, "barrier_missed")
        expect(done.returncode == 3, f"{mode} barrier missed: status {done.returncode}, expected 3\n{done.stderr}")
        for word in ("engine hang", "notification", "with barrier", "waits for shared local memory", "1 unfinished"):
            expect(word in done.stderr, f"{mode} barrier missed: the report does not say '{word}':\n{done.stderr}")
finish()
