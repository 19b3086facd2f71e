# SPDX-License-Identifier: Apache-2.0
"""same_twice.py GEN9SIM PROGRAM: two runs give byte-identical waveform, statistics (but for the host) and instruction trace."""
import pathlib
import sys
import tempfile

from checks import expect, finish, run, without_host

gen9sim, program = sys.argv[1:]
with tempfile.TemporaryDirectory() as folder:
    files = {}
    for turn in ("a", "b"):
        base = pathlib.Path(folder) / turn
        base.mkdir()
        done = run(gen9sim, "run", "--vcd", base / "run.vcd", "--stats", base / "run.json", "--trace-isa", base / "run.trace",
                   "--", program)
        expect(done.returncode == 0, f"status {done.returncode}: {done.stderr}")
        files[turn] = {p.name: p.read_bytes() for p in sorted(base.iterdir())}
        files[turn]["run.json"] = without_host(files[turn]["run.json"])
    names = set(files["a"])
    expect(names == {"run.vcd", "run.gtkw", "run.json", "run.trace"}, f"files written: {sorted(names)}")
    for name in sorted(names):
        expect(files["a"][name] == files["b"].get(name), f"{name} differs between two runs")
        expect(len(files["a"][name]) > 100, f"{name} is all but empty")
    waveform = files["a"].get("run.vcd", b"").decode()
    for scope in ("gpu", "cs", "slice0", "subslice0", "eu0", "thread0"):
        expect(f"$scope module {scope} $end" in waveform.replace("         ", " "), f"no scope {scope} in the waveform")
finish()
