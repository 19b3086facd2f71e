# SPDX-License-Identifier: Apache-2.0
"""full_disk.py GEN9SIM PROGRAM CAPTURE: a file that a full disk does not take costs one line and the exit status; the run,
its summary and its other files are there all the same."""
import json
import pathlib
import re
import sys
import tempfile

from checks import expect, finish, run

gen9sim, program, capture = sys.argv[1:]
temporary = tempfile.TemporaryDirectory()
folder = pathlib.Path(temporary.name)
disk = folder / "disk"
disk.mkdir()


def on_small_disk(*words, size="8k", place=disk):
    return run("unshare", "-rm", "sh", "-c", 'mount -t tmpfs -o size=$0 none "$1" && shift && exec "$@"', size, place, *words, timeout=60)


if on_small_disk("true").returncode:
    sys.exit(77)
FILES = {"--stats": "run.json", "--report": "run.html", "--timeline": "run.pftrace", "--vcd": "run.vcd", "--trace-isa": "run.txt"}
for option, name in [*FILES.items(), ("--vcd", "run.fst"), ("--record-socket", "gpu.cs.mem_out=")]:
    lost = f"{name}{disk}/record" if name.endswith("=") else disk / name
    kept = folder / "kept.json"
    kept.unlink(missing_ok=True)
    others = [] if option == "--stats" else ["--stats", kept]
    done = on_small_disk(gen9sim, "replay", option, lost, *others, capture)
    expect(done.returncode == 3, f"replay {option}: status {done.returncode}: {done.stderr}")
    lines = [line for line in done.stderr.splitlines() if re.search("cannot write|disk full", line)]
    expect(len(lines) == 1 and str(disk) in lines[0], f"replay {option} {name}: {done.stderr}")
    expect("EU instructions" in done.stderr and " 0 mismatches" in done.stderr, f"replay {option}: no summary: {done.stderr}")
    expect(not others or json.loads(kept.read_text())["totals"]["kernels"] == 1, f"replay {option}: the statistics are lost")
# The time series lies beside the statistics, here through a link.
(folder / "kept.csv").symlink_to(disk / "kept.csv")
done = on_small_disk(gen9sim, "replay", "--sample", "1", "--stats", folder / "kept.json", capture)
lines = [line for line in done.stderr.splitlines() if re.search("cannot write|disk full", line)]
expect(done.returncode == 3 and len(lines) == 1 and "kept.csv" in lines[0] and "EU instructions" in done.stderr, f"replay --sample: status {done.returncode}: {done.stderr}")
(folder / "kept.csv").unlink()
# GTKWave's writer of FST has more than one file: the disk is full in the midst of them, or that of its temporary files is.
elsewhere = tempfile.TemporaryDirectory(dir="/var/tmp")
for size, place, waveform in (("256k", disk, disk / "run.fst"), ("16k", "/tmp", f"{elsewhere.name}/run.fst")):
    if place == "/tmp" and any(str(pathlib.Path(path).resolve()).startswith("/tmp/") for path in (gen9sim, capture)):
        continue  # what is run would be hidden
    done = on_small_disk(gen9sim, "replay", "--vcd", waveform, capture, size=size, place=place)
    expect(done.returncode == 3 and done.stderr.count("is the disk full?") == 1 and " 0 mismatches" in done.stderr,
           f"{waveform}, {place} full: status {done.returncode}: {done.stderr}")
    expect(not pathlib.Path(f"{elsewhere.name}/run.fst.hier").exists(), "the writer's file is left")
for option, name in (("--stats", "run.json"), ("--vcd", "run.vcd"), ("--vcd", "run.fst"), ("--record", "run.aub"), ("--record", "run.aub.zst")):
    done = on_small_disk(gen9sim, "run", option, disk / name, "--", program)
    expect(done.returncode == 3 and "PASS" in done.stdout, f"run {option}: status {done.returncode}: {done.stdout}{done.stderr}")
    lines = [line for line in done.stderr.splitlines() if re.search("cannot write|disk full", line)]
    expect(len(lines) == 1 and "EU instructions" in done.stderr, f"run {option}: {done.stderr}")
finish()
