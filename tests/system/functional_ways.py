# SPDX-License-Identifier: Apache-2.0
"""functional_ways.py GEN9SIM CAPTURE...: functional mode does and counts the same whether messages go as calls or as transactions,
whether code is compiled or not, and on however many cores of the host. A thread that is watched has neither calls nor compiled code."""
import collections
import json
import pathlib
import sys
import tempfile

from checks import counter_sums, expect, finish, run

# Apart from how many messages were calls: how many pages host pointers are asked of is a matter of the host.
LEFT_OUT = {"direct_messages", "compiled_instructions", "ahead_instructions", "grants"}


def parts(path):
    """The statistics that must be the same, and what was counted of calls and of instructions by compiled code."""
    counted = collections.Counter()

    def keep(pairs):
        for name, value in pairs:
            if name in LEFT_OUT and isinstance(value, int):
                counted[name] += value
        return {name: value for name, value in pairs if name not in LEFT_OUT}

    statistics = json.loads(path.read_text(), object_pairs_hook=keep)
    return {name: part for name, part in statistics.items() if name != "run"}, counted


# Sums that follow from what the programs do, in whatever slots their threads run.
SUMS = ("instructions", "messages", "threads", "threads_retired", "payload_registers", "groups", "read_bytes", "write_bytes")


def sums_of(statistics):
    sums = collections.Counter()
    for (block, name), value in counter_sums(statistics).items():
        if name in SUMS:
            sums[block.rstrip("0123456789"), name] += value
    return sums


UNITS = {"hdc", "sampler", "render_target"}

gen9sim, *captures = sys.argv[1:]
total, called, compiled, ahead, apart = 0, set(), {}, {}, 0
COMPILED = ("--set", "eu.jit_after=1", "--set")
with tempfile.TemporaryDirectory() as folder:
    path, trace = pathlib.Path(folder) / "run.json", pathlib.Path(folder) / "run.trace"
    for capture in captures:
        def replay(*options):
            done = run(gen9sim, "replay", "--timing", "functional", "--stats", path, *options, capture)
            expect(done.returncode == 0, f"{capture} {options}: status {done.returncode}: {done.stderr}")
            return parts(path)

        same, counted = replay("--set", "eu.jit=off")
        calls = counted["direct_messages"]
        total += calls
        expect(counted["compiled_instructions"] == 0, f"{capture}: eu.jit=off compiles")
        # More calls than the other units have messages: this one's were calls.
        messages = {unit: counter_sums(same)[unit, "messages"] for unit in UNITS}
        called |= {unit for unit in UNITS if calls > sum(messages.values()) - messages[unit]}
        for options in (("--set", "eu.direct_messages=off"), ("--trace-isa", trace)):
            other, counted = replay(*options)
            expect(other == same, f"{capture}: statistics differ with {options}")
            expect(counted["direct_messages"] == 0, f"{capture}: messages were calls with {options}")
        expect(counted["compiled_instructions"] == 0, f"{capture}: a watched thread ran compiled code")
        for jit in ("on", "avx2", "verify"):
            other, counted = replay(*COMPILED, f"eu.jit={jit}")
            expect(other == same, f"{capture}: statistics differ with eu.jit={jit}")
            compiled[jit] = compiled.get(jit, 0) + counted["compiled_instructions"]
            expect(counted["ahead_instructions"] == 0, f"{capture}: one core of the host runs ahead")
        # The memory that a capture expects is looked at in each replay.
        alone, _ = replay("--set", "spawner.back_to_back=0")
        expect(sums_of(alone) == sums_of(same), f"{capture}: back to back the machine counts otherwise")
        few, alone_of_few = (replay("--set", "eu.threads=2", *set)[0] for set in ((), ("--set", "spawner.back_to_back=0")))
        expect(sums_of(alone_of_few) == sums_of(few), f"{capture}: back to back two threads an EU count otherwise")
        apart += few != alone_of_few
        # With several cores threads stop in other places, so that other slots become free; with however many, in the same.
        crewed = {}
        for threads in ("2", "4"):
            crewed[threads], counted = replay(*COMPILED, "eu.jit=on", "--threads", threads)
            ahead[threads] = ahead.get(threads, 0) + counted["ahead_instructions"]
        expect(crewed["2"] == crewed["4"], f"{capture}: statistics differ with --threads 2 and 4")
        expect(sums_of(crewed["2"]) == sums_of(same), f"{capture}: with several cores of the host the machine counts otherwise")
expect(apart > 0, "no thread ran back to back with another")
expect(total > 1000, f"only {total} messages were calls")
expect(called == UNITS, f"no message was seen to be a call of {UNITS - called}")
expect(len(set(compiled.values())) == 1, f"not the same was compiled: {compiled}")
if "avx2" in pathlib.Path("/proc/cpuinfo").read_text():
    expect(ahead["2"] == ahead["4"] > 1000, f"not the same was run ahead, or nearly nothing: {ahead}")
    expect(compiled["on"] > 100_000, f"only {compiled} instructions were executed by compiled code")
finish()
