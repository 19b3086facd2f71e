# SPDX-License-Identifier: Apache-2.0
"""difference.py GEN9SIM FAULTY_PLUGIN TRACE: two models side by side that differ stop the run at the first difference,
with a report of the transaction and a waveform of both around it."""
import os
import pathlib
import re
import sys
import tempfile

from checks import expect, finish, run

gen9sim, plugin, trace = (str(pathlib.Path(a).resolve()) for a in sys.argv[1:])


def replay(*settings):
    return run(gen9sim, "replay", "--plugin", plugin, "--set", "slice0.subslice1.slm.model=faulty", *settings, trace)


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    alike = replay()
    expect(alike.returncode == 0, f"two models alike: status {alike.returncode}: {alike.stderr}")
    expect(not list(pathlib.Path(folder).iterdir()), "a run without a difference leaves no waveform")

    late = replay("--set", "subslice1.slm.rtl.latency=100")
    expect(late.returncode == 3, f"a difference: status {late.returncode}")
    found = re.search(r"cycle (\d+): gpu.slice0.subslice1.slm.beside: model and RTL differ in transaction 1: the model answers "
                      r"at cycle (\d+), the RTL at cycle (\d+) \(id 0x[0-9a-f]+, address 0x0, write, ", late.stderr)
    expect(found, f"the report: {late.stderr}")
    stopped, model, rtl = (int(n) for n in found.groups()) if found else (0, 0, 1)
    expect(rtl == model + 1, f"cycles {model} and {rtl}")
    file = pathlib.Path(folder) / "gen9sim_failure.vcd"
    wave = file.read_text() if file.exists() else "#0"
    expect((pathlib.Path(folder) / "gen9sim_failure.gtkw").exists(), "a save file is beside the waveform")
    modules = re.findall(r"\$scope module (\w+)", wave)
    expect({"tlm", "rtl", "beside"} <= set(modules), f"the waveform has {modules}")
    # In picoseconds, of cycles of the default clock.
    times = [int(t) for t in re.findall(r"^#(\d+)", wave, re.M)]
    cycle = 1e12 / 1_150_000_000
    expect(times[0] < (model - 99) * cycle and times[-1] > (rtl + 8) * cycle,
           f"cycles {times[0] / cycle:.0f} to {times[-1] / cycle:.0f} around {model}")
    os.chdir("/")
finish()
