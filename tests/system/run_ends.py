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


def ends_with_a_packet(trace):
    """Is the last packet of a timeline whole? Each is a field 1 with a length before it."""
    at = 0
    while at < len(trace):
        length = shift = 0
        at += 1
        while trace[at] & 0x80:
            length |= (trace[at] & 0x7f) << shift
            at, shift = at + 1, shift + 7
        at += 1 + (length | trace[at] << shift)
    return at == len(trace)


class Endless:
    """gen9sim running an endless kernel: its processes."""

    def __init__(self, statistics, *options):
        command = [gen9sim, "run", "--stats", str(statistics), *map(str, options), "--", program, "endless"]
        self.main = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        # Two processes below: the program, and the simulation of its connection, which is busy when the kernel runs.
        expect(wait_until(self.busy, 60), "the kernel does not begin to run")

    def busy(self):
        below = children(self.main.pid)
        self.program = next((p for p, line in below.items() if " run " not in line), None)
        simulations = [p for p, line in below.items() if " run " in line]
        self.simulation = max(simulations, key=self.seconds, default=None)
        return self.program and self.simulation and self.seconds(self.simulation) > 0.5

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
        # Coreutils' timeout sends it to its child and then to the group.
        for _ in range(2):
            run.main.send_signal(number)
            time.sleep(0.01)
        run.end(f"{number.name}", 128 + number, "interrupted", "1 unfinished", "thread0")
        reported(number.name)

    # The files of an interrupted run are whole, up to its end.
    timeline, page, series = (pathlib.Path(folder) / name for name in ("run.pftrace", "run.html", "run.csv"))
    run = Endless(statistics, "--timeline", timeline, "--report", page, "--sample", 10)
    run.main.send_signal(signal.SIGINT)
    run.end("SIGINT, all files", 128 + signal.SIGINT, "interrupted")
    end = json.loads(statistics.read_text())["totals"]["engine_cycles"]
    reported("SIGINT, all files")
    packets = timeline.read_bytes()
    # Launches are written when they end; this one has ended with the run.
    expect(ends_with_a_packet(packets) and b"launches 0" in packets and b"endless" in packets, "the timeline is cut off")
    expect(page.read_text().rstrip().endswith("</html>"), "the page is cut off")
    rows = [list(map(int, row.split(",")[:2])) for row in series.read_text().splitlines()[1:]]
    expect(rows[-1][0] == end and sum(cycles for _, cycles in rows) == end, f"the time series ends at {rows[-1]}, the run at {end}")
    # More intervals than a table may have: it has been shortened.
    expect(end > 100_000 and 5_000 <= len(rows) <= 10_000, f"{len(rows)} rows of {end} cycles")

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
