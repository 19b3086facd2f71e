# SPDX-License-Identifier: Apache-2.0
"""parameters.py GEN9SIM SOURCE: a parameter of the machine changes the time in the direction it must; a machine that cannot be is refused."""
import json
import pathlib
import re
import sys
import tempfile

from checks import expect, finish, run

gen9sim, traces = sys.argv[1], pathlib.Path(sys.argv[2]) / "traces"

# What less, later or fewer of something does to a program that needs it: it takes longer than on the machine in brackets.
ONE_EU = "gpu.subslices=1,gpu.eus=1"
SLOWER = {
    ("nested_loops", ""): ("gpu.eus=2", "eu.simple_front_end=4", "eu.simple_unit=8", "eu.simple_result=20", "eu.branch_front_end=20"),
    ("nested_loops", ONE_EU): ("eu.fpus=0", "eu.issue_width=1", "eu.registers=512"),
    ("nested_loops", f"{ONE_EU},eu.registers=512,eu.register_allocation=used"): ("eu.register_granule=128", "eu.registers=128"),
    ("add_chars", ONE_EU): ("eu.strided_passes=8",),
    ("prefix_sum", ""): ("gpu.slm_kb=2", "spawner.groups_per_subslice=1", "eu.threads=1", "slm.banks=1", "slm.latency=200",
                         "gateway.release_cycles=200"),
    ("private_table", ""): ("hdc.messages_in_flight=1", "hdc.return_registers=1", "hdc.front_end_cycles=100", "hdc.start_cycles=64", "hdc.request_cycles=64",
                            "l3.bank_cycles=100", "eu.message_credits=1", "gpu.subslices=1"),
    ("image_samples", ""): ("sampler.places_per_cycle=1", "sampler.lookups_per_cycle=1", "sampler.payload_registers=1",
                            "sampler.writeback_registers=1", "sampler.messages_in_flight=1", "sampler.front_end_cycles=100",
                            "sampler.return_cycles=200", "l3.super_queue=1", "gpu.l3_banks=1", "llc.hit_cycles=400", "dram.latency=500"),
    ("global_atomics", "gpu.l3_banks=1"): ("l3.lookups_per_cycle=1",),
}
# What more of something does to it: it takes less time.
FASTER = {
    ("nested_loops", ONE_EU): ("eu.threads=16", "eu.fpus=2", "eu.em_units=2", "eu.branch_units=2", "gpu.eus=16"),
    ("local_atomics", ONE_EU): ("eu.send_units=2",),
    ("double_divide", ONE_EU): ("eu.em_units=2",),
    # Registers for four threads of 128, or for as many as there are slots when each takes what its program names.
    ("nested_loops", f"{ONE_EU},eu.threads=16,eu.registers=512"): ("eu.register_allocation=used", "eu.registers=1024"),
}
# A machine that cannot be, and what is said of it.
REFUSED = {
    "eu.fpus=5": "eu.fpus=5 is not allowed",
    "eu.em_units=0": "eu.em_units=0 is not allowed",
    "eu.branch_units=0": "eu.branch_units=0 is not allowed",
    "eu.send_units=5": "eu.send_units=5 is not allowed",
    "eu.threads=17": "eu.threads=17 is not allowed",
    "gpu.eus=17": "gpu.eus=17 is not allowed",
    "eu.issue_width=0": "eu.issue_width=0 is not allowed",
    "gpu.slm_kb=257": "gpu.slm_kb=257 is not allowed",
    "gpu.slm_banks=2,gpu.slm_kb=128": "gpu.slm_kb=128 is more than 64, and subslices share their memory",
    "l3.write_misses=drop": 'l3.write_misses="drop" is not allowed',
    "l3.replacement=random": 'l3.replacement="random" is not allowed',
    "dram.kind=ddr5-4800": 'dram.kind="ddr5-4800" is not allowed',
    "l3.lookups_per_cycle=9": "l3.lookups_per_cycle=9 is not allowed",
    "l3.sets=48": "l3.sets=48 is not a power of two",
    "l3.sets=512": "l3.sets=512 is not allowed",
    "eu.registers=2049": "eu.registers=2049 is not allowed",
    "eu.registers=127": "eu.registers=127 is fewer than the 128 that a thread takes at least (eu.register_allocation=fixed)",
    "eu.registers=12,eu.register_allocation=used,eu.register_granule=16":
        "eu.registers=12 is fewer than the 16 that a thread takes at least (eu.register_allocation=used)",
    "eu.register_allocation=shared": 'eu.register_allocation="shared" is not allowed',
    "l3.writes=never": 'l3.writes="never" is not allowed',
    "l3.tagged_ways=128": "l3.tagged_ways=128 is more than ways=96",
    "eu.message_credits=8": "eu0.message_credits=8 is more than gpu.slice0.subslice0.hdc.queue_depth=4",
    "slm.banks=3": "slm.banks=3 is not a power of two",
    "sampler.cache_ways=3": "sampler.cache_lines=256 is not a power of two times cache_ways=3",
    "icache.hit_latency=1": "icache.hit_latency=1 is not allowed",
}


def replay(trace, settings="", *words):
    options = [word for setting in settings.split(",") if setting for word in ("--set", setting)]
    return run(gen9sim, "replay", "--timing", "timed", *options, *words, traces / trace / "stream.aub.zst")


def cycles(trace, settings=""):
    done = replay(trace, settings)
    found = re.search(r"^total: .* in (\d+) kernel cycles", done.stdout + done.stderr, re.MULTILINE)
    expect(done.returncode == 0 and found, f"{trace} with {settings or 'nothing'}: status {done.returncode}: {done.stdout}{done.stderr}")
    return int(found[1]) if found else 0


for sign, table in ((1, SLOWER), (-1, FASTER)):
    for (trace, machine), changes in table.items():
        before = cycles(trace, machine)
        for change in changes:
            after = cycles(trace, f"{machine},{change}")
            expect(sign * after > sign * before, f"{trace} [{machine}]: {before} cycles, with {change} {after}")

# What goes on to memory at once, and not when its line leaves; what passes L3 by.
def bank_counter(counter, setting):
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "stats.json"
        expect(replay("image_samples", setting, "--stats", file).returncode == 0, f"{setting}: failed")
        return sum(bank[counter] for name, bank in json.loads(file.read_text())["counters"]["gpu"]["l3"].items() if name.startswith("bank"))


expect(bank_counter("evictions", "l3.writes=through") > bank_counter("evictions", "l3.writes=back"), "l3.writes=through: no more lines go to memory")
expect(bank_counter("bypasses", "l3.write_misses=pass") > bank_counter("bypasses", "l3.write_misses=allocate"), "l3.write_misses=pass: no more passes L3 by")

for settings, sentence in REFUSED.items():
    done = replay("add_chars", settings)
    expect(done.returncode == 2 and sentence in done.stderr and done.stderr.count("\n") == 1,
           f"{settings}: status {done.returncode}: {done.stderr}")

# A product's settings need not be asked for, but each is of a parameter that there is.
known = run(gen9sim, "params").stdout
for file in sorted((traces.parent / "platform/machine/products").glob("*.json")):
    for name in json.loads(file.read_text())["settings"]:
        *_, block, parameter = name.split(".")
        expect(re.search(rf"^(\S*\.)?{block}\d*\.{parameter} = ", known, re.M), f"{file.name}: there is no {name}")

finish()
