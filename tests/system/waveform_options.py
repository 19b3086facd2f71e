# SPDX-License-Identifier: Apache-2.0
"""waveform_options.py GEN9SIM CAPTURE: the options that bound a waveform, and the two formats of file."""
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

from checks import expect, finish, run
from vcd import Vcd

gen9sim, capture = sys.argv[1:]
folder = pathlib.Path(tempfile.mkdtemp())


def replay(name, *options):
    """The waveform of a run."""
    done = run(gen9sim, "replay", "--vcd", folder / name, "--stats", folder / "run.json", *options, capture)
    expect(done.returncode == 0, f"{options}: status {done.returncode}: {done.stderr}")
    return done.stderr


replay("all.vcd")
stats = json.loads((folder / "run.json").read_text())
whole = Vcd(folder / "all.vcd")
period = whole.changes["gpu.cycle"][1][0]
names = set(whole.changes)


def same_within(vcd, begin, end, what):
    """Between two cycles the waveform is that of the whole run; outside it shows nothing."""
    for name in sorted(vcd.changes):
        inside = [(time, value) for time, value in vcd.changes[name] if begin * period <= time < end * period]
        expected = [(begin * period, whole.value(name, begin * period))]
        expected += [(time, value) for time, value in whole.changes[name] if begin * period < time < end * period]
        expect(inside == expected, f"{what}: {name}: {inside[:5]} instead of {expected[:5]}")
        outside = {value for time, value in vcd.changes[name] if not begin * period <= time < end * period}
        expect(outside <= {None}, f"{what}: {name} has {outside} outside of the cycles asked for")


replay("range.vcd", "--vcd-from", "7000", "--vcd-to", "7500")
part = Vcd(folder / "range.vcd")
expect(set(part.changes) == names, "a range of cycles has other signals")
same_within(part, 7000, 7500, "--vcd-from --vcd-to")

kernel = stats["kernels"][-1]
number = len(stats["kernels"]) - 1
begin, end = kernel["begin_cycle"], kernel["begin_cycle"] + kernel["cycles"]
for wanted in (str(number), kernel["kernel_start"]):
    replay("kernel.vcd", "--vcd-kernel", wanted)
    part = Vcd(folder / "kernel.vcd")
    shown = [cycle for _, cycle in part.changes["gpu.cycle"] if cycle is not None]
    alone = wanted == str(number) or sum(k["kernel_start"] == wanted for k in stats["kernels"]) == 1
    if alone:
        expect(shown == list(range(begin, end + 1)), f"--vcd-kernel {wanted}: {shown[:1]} to {shown[-1:]} instead of {begin} to {end}")
        same_within(part, begin, end + 1, f"--vcd-kernel {wanted}")
    expect(end in shown, f"--vcd-kernel {wanted} does not show its last cycle")
expect("the waveform is" not in replay("range.vcd", "--vcd-from", "7000", "--vcd-to", "7001"), "a name that ends in .vcd is another")
said = replay("plain", "--vcd-from", "7000", "--vcd-to", "7001")
expect(f"the waveform is '{folder / 'plain.vcd'}'" in said and (folder / "plain.vcd").exists(), f"a name without .vcd: {said}")
said = replay("none.vcd", "--vcd-kernel", "77")
expect("empty" in said, f"nobody says that the waveform is empty: {said}")

for pattern, inside in (("cs", "gpu.cs."), ("eu3", ".eu3."), ("subslice0.hdc", "gpu.slice0.subslice0.hdc."),
                        ("l3.bank1.mem_out", "gpu.l3.bank1.mem_out.")):
    replay("scope.vcd", "--vcd-scope", pattern)
    part = Vcd(folder / "scope.vcd")
    expected = {name for name in names if inside in name} | {"gpu.clock", "gpu.cycle"}
    expect(set(part.changes) == expected, f"--vcd-scope {pattern}: {set(part.changes) ^ expected}")
    for name in expected:
        expect(part.changes[name] == whole.changes[name], f"--vcd-scope {pattern}: {name} differs")
replay("scope.vcd", "--vcd-scope", "cs", "--vcd-scope", "dram")
scopes = {name.split(".")[1] for name in Vcd(folder / "scope.vcd").changes}
expect(scopes == {"cs", "dram", "clock", "cycle"}, f"two scopes: {scopes}")

# The same as FST, read by GTKWave's own tool, in which words are numbers.
replay("all.fst")
expect((folder / "all.fst").stat().st_size * 4 < (folder / "all.vcd").stat().st_size, "FST is not smaller")
replay("again.fst")
expect((folder / "all.fst").read_bytes() == (folder / "again.fst").read_bytes(), "FST: two runs differ")
if shutil.which("fst2vcd"):
    text = subprocess.run(["fst2vcd", folder / "all.fst"], capture_output=True, text=True).stdout
    (folder / "fst.vcd").write_text(text)
    fst = Vcd(folder / "fst.vcd")
    expect(set(fst.changes) == names, f"FST has other signals: {sorted(set(fst.changes) ^ names)[:5]}")
    for name in names & set(fst.changes):
        if whole.kinds[name][0] != "string":
            expect(fst.changes[name] == whole.changes[name], f"FST: {name} differs")
        else:
            expect([t for t, _ in fst.changes[name]] == [t for t, _ in whole.changes[name]], f"FST: {name} differs")
shutil.rmtree(folder)
finish()
