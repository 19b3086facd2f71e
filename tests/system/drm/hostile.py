# SPDX-License-Identifier: Apache-2.0
"""hostile.py GEN9SIM DRM_REQUESTS VECTOR_ADD: programs that mean harm to the server of the kernel interface. Each run ends
soon, with one sentence, and leaves no process and no file."""
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from checks import expect, finish  # noqa: E402

gen9sim, requests, vector_add = map(os.path.abspath, sys.argv[1:])
# A batch that nobody ends goes on for about half a minute; the machine may be busy.
SOON = 15
folder = pathlib.Path(tempfile.mkdtemp())
environment = {**os.environ, "TMPDIR": str(folder)}
statistics = folder / "run.json"


def start(options, program):
    return subprocess.Popen([gen9sim, "run", "--no-progress", "--timing", "functional", "--stats", statistics, *options,
                             "--", *program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment)


def end(run, what, status, *words, timeout=SOON):
    try:
        out, err = run.communicate(timeout=timeout)
    except subprocess.TimeoutExpired:
        run.kill()
        expect(False, f"{what}: gen9sim goes on")
        return
    expect(run.returncode == status, f"{what}: status {run.returncode}, expected {status}:\n{out}{err}")
    for word in words:
        expect(word in out + err, f"{what}: no '{word}' in:\n{out}{err}")
    expect("internal error" not in err, f"{what}: called an internal error:\n{err}")
    for line in err.splitlines():
        if "DRM" in line:
            expect(line.startswith("gen9sim: "), f"{what}: who says this? {line}")


def left():
    """Folders of runs."""
    return sorted(path.name for path in folder.glob("gen9sim-*"))


def has_results(what):
    expect(statistics.exists() and "totals" in json.loads(statistics.read_text()), f"{what}: no statistics")
    statistics.unlink(missing_ok=True)


def serving(run):
    """Processes of a run that serve its program, when they do so."""
    expect(run.stdout.readline() == "it runs\n", "the batch does not begin")
    found, patience = [], 50
    while not found and patience:
        listing = subprocess.run(["ps", "-o", "pid=,args=", "--ppid", str(run.pid)], capture_output=True, text=True).stdout
        found = [int(line.split()[0]) for line in listing.splitlines() if " run " in line]
        patience -= 1
        time.sleep(0 if found else 0.1)
    expect(found, f"nobody serves the program: {listing}")
    return found


def gone(pids):
    until = time.monotonic() + SOON
    while time.monotonic() < until:
        if not any(pathlib.Path(f"/proc/{pid}/cmdline").exists() and pathlib.Path(f"/proc/{pid}/cmdline").read_bytes()
                   for pid in pids):
            return True
        time.sleep(0.05)
    return False


# The copy engine: the bound, --max-cycles, the program's end, a signal, and the end of gen9sim itself.
end(start((), (requests, "copies", "wait")), "a batch without an end", 3, "more than 4294967296 steps", timeout=60)
has_results("a batch without an end")
end(start(("--max-cycles", "20000000"), (requests, "copies", "slow", "wait")), "--max-cycles", 3, "stopped by --max-cycles",
    " 0 wrong answers")
has_results("--max-cycles")
end(start((), (requests, "copies", "slow")), "the program has gone", 0, "its program is gone")
has_results("the program has gone")
for number in (signal.SIGINT, signal.SIGTERM):
    run = start((), (requests, "copies", "slow", "wait"))
    serving(run)
    run.send_signal(number)
    end(run, number.name, 128 + number, "interrupted, in the copy engine")
    has_results(number.name)
expect(left() == [], f"runs that ended have left {left()}")

run = start((), (requests, "copies", "slow", "wait"))
pids = serving(run)
run.kill()
run.wait()
expect(gone(pids), "after SIGKILL of gen9sim its server goes on")
killed = left()
expect(len(killed) == 2, f"a killed run has left {killed}")
alive = start((), ("sh", "-c", "echo it runs; sleep 60"))
alive.stdout.readline()
own = left()
expect(len(own) == 2 and not set(own) & set(killed), f"beside {killed} the next run has {own}")
end(start((), ("true",)), "a run beside another", 0)
expect(left() == own, f"of the folders {own} of a run that lives there are {left()}")
alive.send_signal(signal.SIGTERM)
alive.communicate()
expect(left() == [], f"at the end there are {left()}")

# Messages that no library sends.
statistics.unlink(missing_ok=True)
end(start((), (requests, "raw_descriptors")), "two descriptors", 3, " 0 wrong answers", "more than one descriptor")

# The log of launches belongs to the program.
for what, command in (("a link", "ln -s /dev/zero"), ("a pipe", "mkfifo"), ("a link to a pipe", "mkfifo pipe; ln -s pipe")):
    words = ("sh", "-c", f'cd "$GEN9SIM_LAUNCHES"; {command} $$.log; exec "$0"', vector_add)
    end(start((), words), f"{what} for a log", 0, "total: ", timeout=120)
    has_results(f"{what} for a log")
finish()
