# SPDX-License-Identifier: Apache-2.0
"""A message and a thread are followed through a waveform by their ids alone, and pass when parameters and statistics
say (waveform.py runs this)."""
import re

from checks import expect, run
from waveform_run import gen9sim, stats, vcd

parameters = dict(re.findall(r"^(\S+) = (\S+)", run(gen9sim, "params").stdout, re.M))
period = vcd.changes["gpu.cycle"][1][0]
sockets = [name.removesuffix(".begin_req") for name in vcd.changes if name.endswith(".begin_req")]


def parameter(name):
    return int(next(value for key, value in parameters.items() if key == name or key.endswith("." + name)))


def strobes(socket, strobe, identity):
    """(cycle, id) of each cycle in which something passes."""
    ids, found = iter([*vcd.changes[f"{socket}.{identity}"], (vcd.end + 1, None)]), []
    value, coming = None, next(ids)
    for begin, end, count in vcd.spans(f"{socket}.{strobe}"):
        for time in range(begin, end, period) if count else ():
            while coming[0] <= time:
                value, coming = coming[1], next(ids)
            found.append((time // period, value))
    return found


passed = {}  # id -> [(cycle, socket, "request" or "response")]
for socket in sockets:
    for strobe, identity, what in (("begin_req", "id", "request"), ("begin_resp", "response_id", "response")):
        for cycle, number in strobes(socket, strobe, identity):
            passed.setdefault(number, []).append((cycle, socket, what))


def cycles_of(number, ending, what):
    """When the parts of a transaction pass sockets whose names end so."""
    return [cycle for cycle, socket, kind in passed[number] if re.search(ending + "$", socket) and kind == what]


# ---- messages
# From the EU through a shared function, and how many cycles its front end takes at least.
WAYS = {"data port": (r"\.msg_out0", r"\.hdc\.mem_out", parameter("hdc.front_end_cycles")),
        "sampler": (r"\.msg_out3", r"\.sampler\.mem_out", parameter("sampler.front_end_cycles"))}
behind = (r"l3\.bank\d+\.mem_out", r"gti\.mem_out", r"llc\.mem_out")
for function, (message, memory, front_end) in WAYS.items():
    followed = 0
    for number in sorted(passed, key=str):
        way = (r"\.eu\d+" + message, memory, *behind)
        down = [cycles_of(number, place, "request") for place in way]
        up = [cycles_of(number, place, "response") for place in reversed(way)]
        if not all(down + up):
            continue  # a hit
        followed += 1
        alone = all(len(cycles) == 1 for cycles in down + up)
        # Of a message with several lines, the first way down and the last way up.
        down, up = [min(cycles) for cycles in down], [max(cycles) for cycles in up]
        expect(down + up == sorted(down + up), f"message {number:x}: {down + up} is no way down and up")
        eu, first, l3, gti, llc = down
        from_dram, from_llc, from_gti, from_l3, from_function = up
        if not alone:
            continue  # it may have read states before
        expect(first - eu >= front_end, f"message {number:x}: {first - eu} cycles in the front end of the {function}")
        expect(from_gti - from_llc == parameter("gti.return_cycles"), f"message {number:x}: {from_gti - from_llc} cycles back through the GTI")
        expect(gti - l3 >= parameter("gti.request_cycles"), f"message {number:x}: {gti - l3} cycles through the GTI")
        expect(from_dram - llc >= parameter("dram.latency"), f"message {number:x}: {from_dram - llc} cycles in DRAM")
    sent = sum(1 for socket in sockets if re.search(message + "$", socket) for _ in strobes(socket, "begin_req", "id"))
    expect(followed > 0 or sent == 0, f"no message was followed through the {function} to DRAM and back")
    print(f"{followed} of {sent} messages followed through the {function}")

# ---- threads
threads, first, last = {}, {}, {}  # by launch: a walker, or a draw
for socket in (s for s in sockets if ".spawner.thread_out" in s):
    ends = {}
    for cycle, number in strobes(socket, "begin_resp", "response_id"):
        ends.setdefault(number, []).append(cycle)
    for cycle, number in strobes(socket, "begin_req", "id"):
        at = cycle * period
        launch, place = vcd.value(f"{socket}.walker", at), vcd.value(f"{socket}.thread", at)
        threads[launch] = threads.get(launch, 0) + 1
        name = f"thread {vcd.value(f'{socket}.local_thread', at)} of group {vcd.value(f'{socket}.group_x', at)}"
        end = ends.get(number, [])
        if len(end) != 1:
            expect(False, f"{name}: {len(end)} ends of {number:x}")
            continue
        first[launch] = min(first.get(launch, cycle), cycle)
        last[launch] = max(last.get(launch, 0), end[0])
        slot = f"gpu.slice{place >> 12}.subslice{place >> 8 & 15}.eu{place >> 4 & 15}.thread{place & 15}.state"
        expect(vcd.value(slot, at - period) == "no_thread", f"{name}: its slot is in use when it is sent")
        busy = [begin // period for begin, _, state in vcd.spans(slot) if state != "no_thread" and cycle <= begin // period <= end[0]]
        expect(busy and busy[0] == cycle, f"{name}: arrives at {cycle}, the slot shows it from {busy[:1]}")
        expect(vcd.value(slot, end[0] * period + period) == "no_thread", f"{name}: its slot is in use after its end")
draws = sum(1 for _ in strobes("gpu.cs.draw_out", "begin_req", "id"))
expect(draws in (0, len(stats["kernels"])), f"{draws} draws, {len(stats['kernels'])} launches: this test knows either draws or walkers")
for kernel in stats["kernels"]:
    launch, begin, end = kernel["number"], kernel["begin_cycle"], kernel["begin_cycle"] + kernel["cycles"]
    shown = threads.pop(launch, 0)
    expect(shown == kernel["threads"], f"launch {launch}: {shown} threads shown, {kernel['threads']} counted")
    if shown == 0:
        continue
    expect(first[launch] >= begin, f"launch {launch}: a thread at {first[launch]}, before {begin}")
    if draws:  # what threads have written passes caches and ends later
        expect(last[launch] < end, f"draw {launch} ends at {end}, its last thread at {last[launch]}")
    else:  # the spawner has taken the last thread back
        end -= parameter("spawner.retire_cycles")
        expect(last[launch] == end, f"launch {launch} ends at {last[launch]}, by the statistics at {end}")
expect(not threads, f"threads of launches that nobody counted: {threads}")
