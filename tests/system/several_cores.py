# SPDX-License-Identifier: Apache-2.0
"""several_cores.py GEN9SIM GALLERY: on several cores of the host programs compute and count the same as on one."""
import json
import pathlib
import sys
import tempfile

from checks import counter_sums, expect, finish, run

gen9sim, gallery = sys.argv[1], pathlib.Path(sys.argv[2])
SUMS = ("instructions", "messages", "threads", "threads_retired", "payload_registers", "groups")
# Programs, and how many threads begin ahead at least. Threads with barriers and shared local memory belong to groups, of which
# none begin so.
PROGRAMS = (("mandelbrot", 256, 200), ("triad", 256, 500), ("gather", 256, 200), ("convolve", 128, 100), ("resize", 256, 500),
            ("matmul", 96, 1), ("matmul_tiled", 96, 0))

# Threads that end ahead do so in compiled code.
compiles = "avx2" in pathlib.Path("/proc/cpuinfo").read_text()


def outcome(*command, threads, **options):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "run.json"
        settings = [part for name, value in options.items() for part in ("--set", f"{name.replace('__', '.')}={value}")]
        done = run(gen9sim, "run", "--timing", "functional", "--threads", threads, "--stats", path, *settings, "--", *command)
        expect(done.returncode == 0, f"{command} --threads {threads}: status {done.returncode}: {done.stderr}")
        report = json.loads(path.read_text())
    counted = counter_sums(report)
    sums = {launch["number"]: [launch[what] for what in ("threads", "instructions", "messages")] for launch in report["kernels"]}
    for (block, name), value in counted.items():
        if name in SUMS:
            key = block.rstrip("0123456789"), name
            sums[key] = sums.get(key, 0) + value
    sums["eu", "ahead_instructions"] = sum(value for (_, name), value in counted.items() if name == "ahead_instructions")
    ahead = sum(value for (_, name), value in counted.items() if name == "threads_ahead")
    # Of each EU of a subslice, those of all subslices together.
    of_eus = [value for (block, name), value in counted.items() if name == "threads" and block[:2] == "eu"]
    expect(threads != "1" or max(of_eus) <= 2 * sum(of_eus) / len(of_eus), f"{command}: threads are not spread over the EUs: {of_eus}")
    return done.stdout.split(" checksum ")[-1], sums, ahead


for name, size, least in PROGRAMS:
    command = (gallery / "speed", name, str(size), "2")
    printed, sums, ahead = outcome(*command, threads="1")
    sums.pop(("eu", "ahead_instructions"))
    expect(ahead == 0, f"{name}: {ahead} threads began ahead on one core")
    several = {}
    for threads in ("2", "3"):
        other, counted, ahead = outcome(*command, threads=threads)
        counted.pop(("eu", "ahead_instructions"))
        expect(other == printed, f"{name}: another result with --threads {threads}")
        expect(counted == sums, f"{name}: --threads {threads} counts otherwise: "
                                f"{ {key: (counted.get(key), value) for key, value in sums.items() if counted.get(key) != value} }")
        several[threads] = ahead
    expect(several["2"] == several["3"], f"{name}: another number of threads began ahead with 2 and 3 cores: {several}")
    expect(not compiles or (several["2"] >= least if least else several["2"] == 0), f"{name}: {several} threads began ahead")

# An EU whose threads only meet at barriers takes no part in rounds after a while.
_, sums, _ = outcome(gallery / "speed", "matmul_tiled", "256", "2", threads="2")
expect(not compiles or 0 < sums["eu", "ahead_instructions"] < sums["eu", "instructions"] / 3, f"tiled matmul: {sums} ran ahead")

# Groups that wait for the ones before them.
ahead = [outcome(gallery / "chained_groups", threads=threads)[2] for threads in ("1", "2")]
expect(ahead[0] == 0 and (ahead[1] > 0 or not compiles), f"chained_groups: {ahead} threads began ahead on one core and two")
finish()
