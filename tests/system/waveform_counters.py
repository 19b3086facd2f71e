# SPDX-License-Identifier: Apache-2.0
"""What the waveform shows, integrated over the run, is what the counters count (waveform.py runs this)."""
import re

from checks import counter_sums, expect, threads_of_stages
from waveform_run import stats, vcd

EU = {"busy": "busy", "no_thread": "idle", "scoreboard": "stall_scoreboard", "message": "stall_message",
      "barrier": "stall_barrier", "dependency": "stall_dependency", "fetch": "stall_fetch", "send_queue": "stall_send_queue",
      "branch": "stall_branch", "switch": "stall_switch", "pipe": "stall_pipe"}
BANK = {"idle": "idle_cycles", "busy": "busy_cycles", "port": "port_stalls", "atomic_unit": "atomic_stalls",
        "super_queue": "super_queue_stalls", "memory_queue": "memory_queue_stalls", "flush": "flush_stalls"}

counters, end = stats["counters"], stats["totals"]["engine_cycles"]
rises = [time for time, value in vcd.changes["gpu.clock"] if value == 1]
period = rises[1] - rises[0]
expect(rises == [period * cycle for cycle in range(len(rises))], "the clock is not even")
expect(vcd.changes["gpu.cycle"] == [(time, cycle) for cycle, time in enumerate(rises)], "the counter does not count the clock")
expect(len(rises) == end + 1, f"{len(rises)} cycles shown, {end} run")


def counted(module):
    found = counters
    for part in module.split("."):
        found = found[part]
    return found


def weighed(name, weigh):
    """Sum over the cycles of the run."""
    total = 0
    for begin, until, value in vcd.spans(name):
        cycles = (min(until, end * period) - begin) // period
        total += max(cycles, 0) * weigh(value)
    return total


def cycles_of(name):
    """Cycles of the run in which a signal is not 0."""
    return {cycle for begin, until, value in vcd.spans(name) if value
            for cycle in range(begin // period, min(until, end * period) // period)}


def same(name, shown, expected, what):
    expect(shown == expected, f"{name}: {what}: {shown} shown, {expected} counted")


def same_states(name, module, table, spare=""):
    """Each word of a signal against its counter; `spare`: the state of cycles which no counter counts."""
    values = counted(module)
    uncounted = end - sum(values[counter] for counter in table.values())
    for word, counter in table.items():
        extra = uncounted if word == spare else 0
        same(name, weighed(name, lambda value: value == word), values[counter] + extra, word)
    known = set(table) | {"idle", "stopped"}
    strange = {value for _, value in vcd.changes[name]} - known
    expect(not strange, f"{name}: {strange} has no counter")


def same_reasons(name, module):
    """Each word of a signal against the counter of its name; together they are all cycles of the run."""
    values = counted(module)
    cycles = {word: values.get(f"{word.lower()}_cycles", 0) for word in {"idle"} | {value for _, value in vcd.changes[name]}}
    for word in sorted(cycles):
        same(name, weighed(name, lambda value: value == word), cycles[word], word)
    same(name, end, sum(cycles.values()), "cycles with a reason")


modules = {name.rsplit(".", 1)[0] for name in vcd.changes}
for module in sorted(modules):
    signal = vcd.changes.get
    if signal(f"{module}.use"):
        values = counted(module)
        same_states(f"{module}.use", module, EU)
        same(module, weighed(f"{module}.issued", int), values["instructions"], "instructions")
        same(module, weighed(f"{module}.issued", lambda n: n > 1), values["coissue_cycles"], "coissue")
        threads = [name for name in vcd.changes if name.startswith(f"{module}.thread") and name.endswith(".state")]
        same(module, sum(weighed(name, lambda state: state == "busy") for name in threads),
             values["instructions"], "instructions of threads")
    elif module.endswith(".sampler"):
        same_reasons(f"{module}.state", module)
        for what in ("lookups", "misses"):
            same(module, weighed(f"{module}.{what}", int), counted(module)[what], what)
    elif re.fullmatch(r"gpu\.l3\.bank\d+", module):
        same_states(f"{module}.activity", module, BANK, "idle")
        same(module, weighed(f"{module}.busy", int), counted(module)["busy_cycles"], "busy")
        for what in ("hits", "misses"):
            same(module, weighed(f"{module}.{what}", int), counted(module)[what], what)
        found = sum(weighed(f"{module}.lookup{tag}", lambda word: word == "miss") for tag in (0, 1))
        expect(found <= counted(module)["misses"], f"{module}: {found} lookups missed, {counted(module)['misses']} counted")
    elif module.endswith(".gateway"):
        for signal, counter in (("arrivals", "barrier_arrivals"), ("releases", "barrier_releases")):
            same(module, weighed(f"{module}.{signal}", int), counted(module)[counter], signal)
    elif module.endswith(".slm"):
        same(module, weighed(f"{module}.reading", int), counted(module)["read_busy_cycles"], "reading")
        same(module, weighed(f"{module}.writing", int), counted(module)["write_busy_cycles"], "writing")
        pipes = cycles_of(f"{module}.reading") | cycles_of(f"{module}.writing")
        same(module, len(pipes), counted(module)["busy_cycles"], "busy")
    elif not re.search(r"\.thread\d+$", module):
        # Data ports and motion estimation; command streamer, spawner, stages of the 3D pipe and their caches.
        for name in (f"{module}.state", f"{module}.activity"):
            if signal(name):
                same_reasons(name, module)
same("gpu.dram", weighed("gpu.dram.busy", int), counted("gpu.dram")["busy_cycles"], "busy")
same("gpu.dram", weighed("gpu.dram.busy", bool), counted("gpu.dram")["transferring_cycles"], "transferring")
same("gpu.gti", weighed("gpu.gti.walking", int), counted("gpu.gti")["walk_stalls"], "walking")
walking, shown = weighed("gpu.gti.walking", bool), counted("gpu.gti")
most = sum(shown[f"{name}_cycles"] for name in ("walking", "bandwidth", "passing", "downstream"))
expect(shown["walking_cycles"] <= walking <= most, f"gpu.gti: walks in {walking} cycles, {shown}")
for what in ("tlb_hits", "tlb_misses"):
    same("gpu.gti", weighed(f"gpu.gti.{what}", int), counted("gpu.gti")[what], what)


def requests(*ends):
    """Requests through all sockets whose names end so."""
    return sum(weighed(name, int) for name in vcd.changes
               if name.endswith(".begin_req") and any(name.removesuffix(".begin_req").endswith(e) for e in ends))


def total(counter, *names):
    """Sum of a counter over all modules that have one of these names."""
    def walk(tree, inside):
        found = tree.get(counter, 0) if inside else 0
        return found + sum(walk(inner, name.rstrip("0123456789") in names) for name, inner in tree.items()
                           if isinstance(inner, dict))
    return walk(counters, False)


for subslice in (name.removesuffix(".state") for name in vcd.changes if name.endswith(".hdc.state")):
    # What it reads of state is not counted.
    socket, shown = f"{subslice}.mem_out", 0
    others = [(begin, end) for begin, end, who in vcd.spans(f"{socket}.requester") if who != "data_port"]
    shown = weighed(f"{socket}.begin_req", int)
    for begin, until, count in vcd.spans(f"{socket}.begin_req"):
        shown -= count * sum(max(min(until, last) - max(begin, first), 0) // period for first, last in others)
    same(socket, shown, counted(subslice)["lines"], "requests")
same("hdc.slm_out", requests(".hdc.slm_out"), total("slm_requests", "hdc"), "requests")
same("eu.msg_out", requests(*(f".msg_out{port}" for port in range(9))), total("messages", "eu"), "messages")
same("eu.fetch_out", requests(".fetch_out"), total("fetches", "eu"), "fetches")
same("spawner.thread_out", sum(weighed(n, int) for n in vcd.changes if ".thread_out" in n and n.endswith(".begin_req")),
     total("threads", "spawner") + threads_of_stages(counter_sums(stats)), "threads")
same("gti.mem_out", requests(".gti.mem_out"), total("reads", "gti") + total("writes", "gti") + total("walk_fetches", "gti"), "requests")
for name in vcd.changes:
    if name.endswith((".in_flight", ".unaccepted")) and name.count("_out"):
        expect(vcd.changes[name][-1][1] == 0, f"{name}: {vcd.changes[name][-1][1]} at the end of the run")
