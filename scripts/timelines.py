# SPDX-License-Identifier: Apache-2.0
"""What a timeline of a run shows, without the order and the numbers that its writer has chosen."""
import collections
import re
import struct

LANE = re.compile(r" \d+$")
RATES = ("%", "a cycle", "bytes a cycle")


def fields(data):
    """Number and value of each field of a message; a value is a number or bytes."""
    at, end = 0, len(data)

    def varint():
        nonlocal at
        value = shift = 0
        while True:
            byte = data[at]
            at += 1
            value |= (byte & 0x7F) << shift
            if byte < 0x80:
                return value
            shift += 7

    while at < end:
        key = varint()
        if key & 7 == 0:
            yield key >> 3, varint()
        else:
            size = varint() if key & 7 == 2 else 8
            yield key >> 3, data[at:at + size]
            at += size


def events(path):
    """How often each event occurs: a slice, an instant or a count, with its track, name, times and facts. Tracks that
    exist to show what overlaps ('launches 0', 'launches 1') are one. A flow is what it leads through. Of a rate there are
the times alone: it is sampled within a cycle, when some modules have counted what they do in it and others have not;
the statistics have the sums."""
    names, tracks, rates, begun = {}, {}, set(), collections.defaultdict(list)
    found, flows = [], collections.defaultdict(list)

    def add(event, *ids):
        found.append((event, ids))
        for number in ids:
            flows[number].append(event)

    packets = []
    for number, data in fields(path.read_bytes()):
        packet = dict(fields(data))
        if 12 in packet:
            for _, entry in fields(packet[12]):
                entry = dict(fields(entry))
                names[entry[1]] = entry[2].decode()
        if 60 in packet:
            said = dict(fields(packet[60]))
            parent = tracks[said[5]] + "/" if 5 in said else ""
            tracks[said[1]] = parent + LANE.sub("", said[2].decode())
            if 8 in said and dict(fields(said[8])).get(6, b"").decode() in RATES:
                rates.add(said[1])
        if 11 in packet:
            packets.append((packet[8], packet[11]))
    # What is of one time stays in the order of the file: a slice ends before the next of its track begins.
    for at, data in sorted(packets, key=lambda packet: packet[0]):
        facts, ids, kind, name, count, track = [], [], 0, "", 0.0, 0
        for field, value in fields(data):
            if field == 4:
                fact = dict(fields(value))
                facts.append((names[fact[1]], fact[3]))
            elif field == 9:
                kind = value
            elif field == 10:
                name = names[value]
            elif field == 11:
                track = value
            elif field == 44:
                count = struct.unpack("<d", value)[0]
            elif field in (47, 48):
                ids.append(struct.unpack("<Q", value)[0])
        if kind == 1:
            begun[track].append((name, at, facts, ids))
        elif kind == 2:
            name, begin, facts, ids = begun[track].pop()
            add((begin, tracks[track], "slice", name, at, *facts), *ids)
        else:
            add((at, tracks[track], *(("instant", name, *facts) if kind == 3 else ("count",) if track in rates else ("count", count))), *ids)
    return collections.Counter(
        (*event, *(("flow", *map(str, sorted(flows[number], key=str))) for number in ids)) for event, ids in found)
