# SPDX-License-Identifier: Apache-2.0
"""capture.py GEN9SIM PROGRAM: what is captured replays, disassembles, and leaves the same statistics twice."""
import pathlib
import sys
import tempfile

from checks import expect, finish, run, without_host

gen9sim, program = sys.argv[1:]
with tempfile.TemporaryDirectory() as folder:
    stream = pathlib.Path(folder) / "program.aub"
    run(gen9sim, "capture", "--output", stream, "--", program)
    expect(stream.exists() and stream.stat().st_size > 10000, "no capture was left")
    statistics = []
    for turn in ("a", "b"):
        path = pathlib.Path(folder) / f"{turn}.json"
        done = run(gen9sim, "replay", "--stats", path, stream)
        expect(done.returncode == 0, f"replay: status {done.returncode}: {done.stderr}")
        expect("Warning" not in done.stderr + done.stdout, f"replay: {done.stderr}")
        statistics.append(without_host(path.read_bytes()) if path.exists() else turn)
    expect(statistics[0] == statistics[1], "two replays differ in their statistics")
    done = run(gen9sim, "disasm", stream)
    expect(done.returncode == 0 and "{EOT}" in done.stdout, f"no kernel is found in the capture: {done.stdout[:300]} {done.stderr}")
    for name, content in (("empty.aub", b""), ("noise.aub", bytes(range(256)) * 40)):
        path = pathlib.Path(folder) / name
        path.write_bytes(content)
        done = run(gen9sim, "replay", path)
        expect(done.returncode not in (0, -6, -11) and done.stderr, f"{name}: status {done.returncode} {done.stderr!r}")
finish()
