# SPDX-License-Identifier: Apache-2.0
"""plugin.py GEN9SIM DDR_PLUGIN TRACE: a memory of somebody else's takes the DRAM's place, in both modes; what cannot be
is a user error of one line."""
import json
import pathlib
import sys
import tempfile

from checks import expect, finish, run

gen9sim, plugin, trace = (str(pathlib.Path(a).resolve()) for a in sys.argv[1:])
with tempfile.TemporaryDirectory() as folder:
    stats = pathlib.Path(folder) / "stats.json"
    ddr = ("--plugin", plugin, "--set", "gpu.dram.model=ddr")

    def cycles(*options):
        done = run(gen9sim, "replay", "--stats", str(stats), *options, trace)
        expect(done.returncode == 0, f"{options}: status {done.returncode}: {done.stderr}")
        return json.loads(stats.read_text())

    with_ddr = cycles(*ddr)
    text = json.dumps(with_ddr["counters"])
    hits = with_ddr["counters"]["gpu.dram"]["row_hits"] if "gpu.dram" in with_ddr["counters"] else text.count('"row_hits"')
    expect(hits, "row hits are counted")
    slower = cycles(*ddr, "--set", "gpu.dram.row_miss=400", "--set", "gpu.dram.row_hit=300")
    expect(slower["totals"]["cycles"] > with_ddr["totals"]["cycles"], "its parameters count")
    cycles("--timing", "functional", *ddr)
    help_text = run(gen9sim, "params", *ddr)
    expect("gpu.dram.row_hit" in help_text.stdout or "dram.row_hit" in help_text.stdout, f"its parameters are listed: {help_text.stderr}")

    for options, words in (
        (("--set", "gpu.dram.model=ddr"), ("dram.model", "ddr", "tlm")),
        (("--plugin", "/nowhere/none.so"), ("cannot load the plugin", "/nowhere/none.so")),
        (("--plugin", plugin, "--plugin", plugin), ("there is a model 'ddr' of dram already",)),
    ):
        done = run(gen9sim, "replay", *options, trace)
        expect(done.returncode == 2, f"{options}: status {done.returncode}: {done.stderr}")
        expect(len(done.stderr.strip().splitlines()) == 1, f"{options}: one line: {done.stderr}")
        for word in words:
            expect(word in done.stderr, f"{options}: {word} in {done.stderr}")
finish()
