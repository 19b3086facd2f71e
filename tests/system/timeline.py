# SPDX-License-Identifier: Apache-2.0
"""timeline.py GEN9SIM SOURCE CAPTURE: a timeline says what the statistics of the same run say, and is as Perfetto's format wants it."""
import collections
import json
import pathlib
import re
import subprocess
import sys
import tempfile

from checks import expect, finish, run, without_host

gen9sim, source, capture = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3]
temporary = tempfile.TemporaryDirectory()
folder = pathlib.Path(temporary.name)
subprocess.run(["protoc", f"--proto_path={source}/tests/system", f"--python_out={folder}", "trace.proto"], check=True)
sys.path.append(str(folder))
import trace_pb2  # noqa: E402

Event = trace_pb2.TrackEvent
Slice = collections.namedtuple("Slice", "track name begin end facts flows")


class Timeline:
    """A file, decoded, with its rules checked."""

    def __init__(self, path):
        trace = trace_pb2.Trace()
        trace.ParseFromString(path.read_bytes())
        self.names, self.facts, self.tracks, self.parents = {}, {}, {}, {}
        self.slices, self.instants, self.counters = [], [], collections.defaultdict(list)
        events = []
        expect(trace.packet[0].sequence_flags == 1, "the first packet does not begin a sequence")
        for packet in trace.packet:
            if packet.HasField("track_descriptor"):
                said = packet.track_descriptor
                expect(said.uuid not in self.tracks and (not said.parent_uuid or said.parent_uuid in self.tracks), f"track {said.uuid}")
                self.tracks[said.uuid], self.parents[said.uuid] = said.name, said.parent_uuid
            self.names.update((n.iid, n.name) for n in packet.interned_data.event_names)
            self.facts.update((n.iid, n.name) for n in packet.interned_data.debug_annotation_names)
            if packet.HasField("track_event"):
                event = packet.track_event
                expect(packet.sequence_flags == 2 and packet.trusted_packet_sequence_id == 1 and event.track_uuid in self.tracks, f"packet {packet}")
                expect(not event.name_iid or event.name_iid in self.names, f"name {event.name_iid}")
                events.append((packet.timestamp, event))
        self.end = max(at for at, _ in events)
        # A reader sorts by time; what is of one time stays in the order of the file.
        open_slices = collections.defaultdict(list)
        for at, event in sorted(events, key=lambda e: e[0]):
            facts = {self.facts[a.name_iid]: a.uint_value for a in event.debug_annotations}
            if event.type == Event.SLICE_BEGIN:
                open_slices[event.track_uuid].append((at, event, facts))
            elif event.type == Event.SLICE_END:
                expect(open_slices[event.track_uuid], f"{self.path(event.track_uuid)}: an end without a begin at {at}")
                if open_slices[event.track_uuid]:
                    begin, first, facts = open_slices[event.track_uuid].pop()
                    expect(not open_slices[event.track_uuid], f"{self.path(event.track_uuid)}: slices overlap at {at}")
                    self.slices.append(Slice(self.path(event.track_uuid), self.names[first.name_iid], begin, at, facts, list(first.flow_ids)))
            elif event.type == Event.INSTANT:
                self.instants.append((self.path(event.track_uuid), self.names[event.name_iid], at, list(event.flow_ids), list(event.terminating_flow_ids)))
            else:
                self.counters[self.path(event.track_uuid)].append((at, event.double_counter_value))
        expect(not any(open_slices.values()), "slices without an end")

    def path(self, track):
        name = self.tracks[track]
        return f"{self.path(self.parents[track])}/{name}" if self.parents[track] else name

    def on(self, pattern):
        return [s for s in self.slices if re.search(pattern, s.track)]


def record(name, *options):
    path = folder / f"{name}.pftrace"
    done = run(gen9sim, "replay", "--timeline", path, "--stats", folder / f"{name}.json", *options, capture)
    expect(done.returncode == 0, f"{name}: status {done.returncode}: {done.stderr}")
    return Timeline(path), json.loads((folder / f"{name}.json").read_text())


timeline, statistics = record("whole")
gpu, kernels = statistics["counters"]["gpu"], statistics["kernels"]
eus = {f"{s}.{u}/{e}": stats for s, subslices in gpu.items() if re.fullmatch(r"slice\d+", s) for u, blocks in subslices.items()
       if re.fullmatch(r"subslice\d+", u) for e, stats in blocks.items() if re.fullmatch(r"eu\d+", e)}

# Every cycle of every EU has the use that its counters say.
uses = {"busy": "busy", "no thread": "idle", "scoreboard": "stall_scoreboard", "message": "stall_message", "barrier": "stall_barrier",
        "dependency": "stall_dependency", "fetch": "stall_fetch", "send queue": "stall_send_queue", "branch": "stall_branch",
        "switch": "stall_switch", "pipe": "stall_pipe"}
for place, stats in eus.items():
    slices = timeline.on(rf"/{re.escape(place)}$")
    seen = collections.Counter()
    for piece in slices:
        seen[piece.name] += piece.end - piece.begin
    for word, counter in uses.items():
        expect(seen[word] == stats[counter], f"{place}: {seen[word]} cycles of '{word}', counted {stats[counter]}")
    expect(all(a.end == b.begin for a, b in zip(slices, slices[1:])), f"{place}: cycles without a use")

# Launches, groups, threads, messages: as many, and as long, as counted.
launches = timeline.on("/launches")
expect(sorted((s.facts["launch"], s.begin, s.end - s.begin, s.facts["EU instructions"]) for s in launches) ==
       sorted((k.get("number", n), k["begin_cycle"], k["cycles"], k["instructions"]) for n, k in enumerate(kernels)), f"launches: {launches}")
threads, groups = timeline.on(r"/slot\d+$"), timeline.on("/thread groups")
expect(len(threads) == gpu["spawner"]["threads"] == sum(s.facts["threads"] for s in groups), f"{len(threads)} threads")
# A group without barrier and shared memory may run in several subslices, and is then shown in each.
seen = {(s.facts["launch"], s.name) for s in groups}
expect(len(seen) == gpu["spawner"]["groups"] or gpu["spawner"]["media_threads"], f"{len(seen)} groups of {gpu['spawner']['groups']}")
expect(sum(s.facts["EU instructions"] for s in threads) == statistics["totals"]["instructions"], "instructions of the threads")
for place, stats in eus.items():
    expect(len([s for s in threads if f"/{place}/" in s.track]) == stats["threads"], f"{place}: threads")
for group in groups:
    subslice = group.track[:group.track.index("/thread groups")]
    inside = [t for t in threads if t.name == group.name and t.facts["launch"] == group.facts["launch"] and t.track.startswith(subslice + "/")]
    expect(min(t.begin for t in inside) == group.begin and max(t.end for t in inside) == group.end, f"{group}: not from its first thread to its last")
messages = [s for s in timeline.slices if "descriptor" in s.facts]
expect(len(messages) == sum(s["messages"] for s in eus.values()), f"{len(messages)} messages")
expect(sum(1 for m in messages if "/data port" in m.track) == sum(b["hdc"]["messages"] for s in gpu if re.fullmatch(r"slice\d+", s)
                                                                  for u, b in gpu[s].items() if u.startswith("subslice")), "messages of the data ports")

# Each flow leads from a thread's slot to the message and back, and no time runs backwards.
sent = {flows[0]: (track, at) for track, name, at, flows, _ in timeline.instants if name == "send"}
back = {ends[0]: (track, at) for track, name, at, _, ends in timeline.instants if name == "answer"}
for message in messages:
    flow = message.flows[0]
    expect(sent.get(flow, (0, 0))[1] == message.begin and back.get(flow, (0, 0))[1] == message.end and sent[flow][0] == back[flow][0],
           f"flow of {message}")
expect(len(sent) == len(back) == len(messages), "flows")

# Counters: their sums are the counts.
def integral(name):
    values = timeline.counters[f"gpu/{name}"]
    ends = [at for at, _ in values[1:]] + [statistics["totals"]["engine_cycles"]]
    return sum(value * (end - at) for (at, value), end in zip(values, ends))


def close(a, b):
    return abs(a - b) <= 1e-6 * max(a, b, 1)


expect(close(integral("EU instructions"), statistics["totals"]["instructions"]), f"EU instructions: {integral('EU instructions')}")
expect(close(integral("DRAM"), gpu["dram"]["read_bytes"] + gpu["dram"]["written_bytes"]), "DRAM bytes")
expect(close(integral("GTI"), 64 * (gpu["gti"]["reads"] + gpu["gti"]["writes"])), "GTI bytes")
expect(close(integral("threads loaded"), sum(t.end - t.begin for t in threads)), "threads loaded")
for track, values in timeline.counters.items():
    if "in flight" in track or "threads loaded" in track:
        expect(all(value >= 0 for _, value in values) and (not values or values[-1][1] == 0), f"{track}: {values[-3:]}")

# The run is the same with a timeline and without, and beside a waveform.
run(gen9sim, "replay", "--stats", folder / "plain.json", capture)
expect(without_host((folder / "plain.json").read_text()) == without_host((folder / "whole.json").read_text()), "the run differs with a timeline")
both, _ = record("both", "--vcd", folder / "both.vcd", "--vcd-scope", "eu0")
expect(both.slices == timeline.slices, "the timeline differs beside a waveform")

# Windows: what begins in it, and of the uses what is in it.
begin = kernels[0]["begin_cycle"]
window, _ = record("window", "--timeline-from", begin + 100, "--timeline-to", begin + 400)
pieces = window.on(r"/eu\d+$")
expect(min(s.begin for s in pieces) == begin + 100 and max(s.end for s in pieces) == begin + 400, "uses outside of the window")
expect(sum(s.end - s.begin for s in pieces) == 300 * len(eus), "uses of the window")
expect(sorted(s for s in timeline.on("slot") if begin + 100 <= s.begin < begin + 400) == sorted(window.on("slot")), "threads of the window")
one, _ = record("kernel", "--timeline-kernel", kernels[-1]["kernel_start"])
shown = [k for k in kernels if k["kernel_start"] == kernels[-1]["kernel_start"]]
expect(len(one.on("/launches")) == len(shown), "launches of one kernel")
# Launches that overlap make one window.
spans = []
for k in sorted(shown, key=lambda k: k["begin_cycle"]):
    first, last = k["begin_cycle"], k["begin_cycle"] + k["cycles"] + 1
    if spans and first <= spans[-1][1]:
        spans[-1][1] = max(spans[-1][1], last)
    else:
        spans.append([first, last])
outside = [s for s in one.on(r"/eu\d+$") if not any(first <= s.begin <= s.end <= last for first, last in spans)]
expect(not outside, f"uses outside of the kernel's launches {spans}: {outside[:3]}")

# Wrong use: one line and status 2.
for options, words in ((["--timeline", folder / "none/x"], "cannot be written"), (["--timeline-from", 3], "needs --timeline"),
                       (["--timeline", folder / "x", "--timing", "functional"], "functional mode has no cycles"),
                       (["--timeline", folder / "x", "--timeline-kernel", "y"], "--timeline-kernel 'y' is not allowed"),
                       (["--timeline", folder / "x", "--timeline-from", 5, "--timeline-to", 5], "--timeline-to 5 is not allowed")):
    done = run(gen9sim, "replay", *options, capture)
    expect(done.returncode == 2 and words in done.stderr and done.stderr.count("\n") == 1, f"{options}: {done.returncode} {done.stderr}")
finish()
