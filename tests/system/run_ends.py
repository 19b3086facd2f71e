# SPDX-License-Identifier: Apache-2.0
"""run_ends.py GEN9SIM MISBEHAVE GOOD: whatever ends first, the program, gen9sim or its simulation, the rest ends soon,
says what happened, and what was computed is reported."""
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

from checks import expect, finish

gen9sim, program, good = sys.argv[1:]
# A run that is told to end looks up several times a second; the machine may be busy.
SOON = 20


def children(pid):
    listing = subprocess.run(["ps", "-o", "pid=,args=", "--ppid", str(pid)], capture_output=True, text=True).stdout
    return {int(line.split()[0]): line for line in listing.splitlines()}


def alive(pid):
    try:
        return pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def wait_until(condition, seconds=SOON):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.05)
    return False


class Endless:
    """gen9sim running an endless kernel: its processes."""

    def __init__(self, statistics):
        command = [gen9sim, "run", "--stats", str(statistics), "--", program, "endless"]
        self.main = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        # Two processes below: the program, and the simulation of its connection, which is busy when the kernel runs.
        expect(wait_until(self.busy, 60), "the kernel does not begin to run")

    def busy(self):
        below = children(self.main.pid)
        self.program = next((p for p, line in below.items() if " run " not in line), None)
        simulations = [p for p, line in below.items() if " run " in line]
        self.simulation = max(simulations, key=self.seconds, default=None)
        return self.program and self.simulation and self.seconds(self.simulation) > 1

    @staticmethod
    def seconds(pid):
        try:
            fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
        except OSError:
            return 0
        return int(fields[11]) / os.sysconf("SC_CLK_TCK")

    def end(self, what, status, *words):
        try:
            text = self.main.communicate(timeout=SOON)[1]
        except subprocess.TimeoutExpired:
            self.main.kill()
            expect(False, f"{what}: gen9sim goes on")
            return
        expect(self.main.returncode == status, f"{what}: status {self.main.returncode}, expected {status}\n{text}")
        for word in words:
            expect(word in text, f"{what}: '{word}' is not said:\n{text}")
        expect("internal error" not in text, f"{what}: called an internal error:\n{text}")


with tempfile.TemporaryDirectory() as folder:
    statistics = pathlib.Path(folder) / "run.json"

    def reported(what):
        totals = json.loads(statistics.read_text())["totals"] if statistics.exists() else {}
        expect(totals.get("instructions", 0) > 1000 and totals.get("unfinished") == 1, f"{what}: statistics say {totals}")
        statistics.unlink(missing_ok=True)

    run = Endless(statistics)
    os.kill(run.program, signal.SIGKILL)
    run.end("the program is killed", 128 + signal.SIGKILL, "its program is gone", "1 unfinished", "thread0")
    reported("the program is killed")

    for number in (signal.SIGTERM, signal.SIGINT):
        run = Endless(statistics)
        run.main.send_signal(number)
        run.end(f"{number.name}", 128 + number, "interrupted", "1 unfinished", "thread0")
        reported(number.name)

    run = Endless(statistics)
    os.kill(run.simulation, signal.SIGKILL)
    run.end("the simulation is killed", 3, "the simulation was ended by SIGKILL")

    run = Endless(statistics)
    run.main.kill()
    expect(wait_until(lambda: not alive(run.simulation) and not alive(run.program)),
           "gen9sim is killed: its simulation or its program goes on")
    run.main.communicate()

    # Standard descriptors that are closed, or that nobody reads.
    for closed in ("<&-", ">&-", "2>&-", "<&- >&- 2>&-"):
        done = subprocess.run(["sh", "-c", f'exec "$0" run --timing functional -- "$1" {closed}', gen9sim, good],
                              capture_output=True, text=True, timeout=120)
        expect(done.returncode == 0, f"{closed}: status {done.returncode}: {done.stdout} {done.stderr}")
        expect(">" in closed.replace("2>", "") or "PASS" in done.stdout, f"{closed}: {done.stdout}")
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run([gen9sim, "run", "--timing", "functional", "--", good], stdout=subprocess.DEVNULL, stderr=writer,
                          timeout=120)
    expect(done.returncode == 0, f"nobody reads standard error: status {done.returncode}")
finish()
