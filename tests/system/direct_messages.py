# SPDX-License-Identifier: Apache-2.0
"""direct_messages.py GEN9SIM CAPTURE...: functional mode does and counts the same whether messages go as calls or as transactions, and
those of a thread that is watched are none."""
import json
import pathlib
import sys
import tempfile

from checks import counter_sums, expect, finish, run

# Apart from how many messages were calls: how many pages host pointers are asked of is a matter of the host.
LEFT_OUT = {"direct_messages", "grants"}


def parts(path):
    """The statistics that must be the same, and the calls that were counted."""
    calls = 0

    def keep(pairs):
        nonlocal calls
        calls += sum(value for name, value in pairs if name == "direct_messages" and isinstance(value, int))
        return {name: value for name, value in pairs if name not in LEFT_OUT}

    statistics = json.loads(path.read_text(), object_pairs_hook=keep)
    return {name: part for name, part in statistics.items() if name != "run"}, calls


UNITS = {"hdc", "sampler", "render_target"}

gen9sim, *captures = sys.argv[1:]
total, called = 0, set()
with tempfile.TemporaryDirectory() as folder:
    path, trace = pathlib.Path(folder) / "run.json", pathlib.Path(folder) / "run.trace"
    for capture in captures:
        def replay(*options):
            done = run(gen9sim, "replay", "--timing", "functional", "--stats", path, *options, capture)
            expect(done.returncode == 0, f"{capture} {options}: status {done.returncode}: {done.stderr}")
            return parts(path)

        same, calls = replay()
        total += calls
        # More calls than the other units have messages: this one's were calls.
        messages = {unit: counter_sums(same)[unit, "messages"] for unit in UNITS}
        called |= {unit for unit in UNITS if calls > sum(messages.values()) - messages[unit]}
        for options in (("--set", "eu.direct_messages=off"), ("--trace-isa", trace)):
            other, other_calls = replay(*options)
            expect(other == same, f"{capture}: statistics differ with {options}")
            expect(other_calls == 0, f"{capture}: {other_calls} messages were calls with {options}")
expect(total > 1000, f"only {total} messages were calls")
expect(called == UNITS, f"no message was seen to be a call of {UNITS - called}")
finish()
