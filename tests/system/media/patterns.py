#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""patterns.py GEN9SIM: walks of media objects in the patterns that Intel's media runtime submits, over 4 by 8 threads.

Each thread waits for the threads it depends on (sendc), adds up what they have left in their cells and leaves its own value, so
that a thread which runs too early spoils its value and all that follow. It counts its cell (coverage), draws a ticket (order
of the threads, where one runs at a time) and keeps R0.0 and R0.2. What must come out is worked out here from the loops of the
command, step by step. patterns.py --write STREAM leaves the capture.
"""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from checks import expect
from stream import END, FENCED, INCREMENT, READ, WRITE, Batch, Stream, assemble, play, words

WIDTH, HEIGHT = 4, 8
PITCH, ORIGIN = 64, 4 * 64 + 16            # of a plane: 16 by 16 cells of 4 bytes, with a margin of 4
PLANE, GRID = 1024, 8192
VALUE, TICKET, COUNT, MASK, R00, R02 = (n * PLANE for n in range(6))
CODE, STATES, BATCH, GRIDS = 0, 0x10000, 0x80000, 0x100000


def store(plane, value):
    return f"""
(W) add (1|M0) r20.0<1>:ud r5.0<0;1,0>:ud 0x{plane:x}:ud
(W) mov (1|M0) r21.0<1>:ud {value}
(W) send (1|M0) null r20:ud 0xC 0x{WRITE:x}"""


# R1: the cell of (0, 0), the ticket counter, the walk's own number. R2: offsets of the 8 dependencies. R3: inline data.
KERNEL = f"""
(W) and (1|M0) r4.0<1>:ud r0.1<0;1,0>:ud 0x7FF:ud
(W) shr (1|M0) r4.1<1>:ud r0.1<0;1,0>:ud 16:ud
(W) and (1|M0) r4.1<1>:ud r4.1<0;1,0>:ud 0x7FF:ud
(W) shl (1|M0) r5.0<1>:ud r4.0<0;1,0>:ud 2:ud
(W) shl (1|M0) r5.1<1>:ud r4.1<0;1,0>:ud 6:ud
(W) add (1|M0) r5.0<1>:ud r5.0<0;1,0>:ud r5.1<0;1,0>:ud
(W) add (1|M0) r5.0<1>:ud r5.0<0;1,0>:ud r1.0<0;1,0>:ud
(W) add (1|M0) r6.0<1>:ud r5.0<0;1,0>:ud 0x{MASK:x}:ud
(W) send (1|M0) r7:ud r6:ud 0xC 0x{READ:x}
(W) mov (1|M0) f0.0<1>:uw r7.0<0;1,0>:uw
(W) mov (8|M0) r8.0<1>:ud 0:ud
(W) add (8|M0) r9.0<1>:d r5.0<0;1,0>:d r2.0<8;8,1>:d
(W&f0.0) {{wait}} (8|M0) r8:ud r9:ud 0xC 0x{READ:x}
(W) mov (1|M0) r11.0<1>:ud r1.1<0;1,0>:ud
(W) send (1|M0) r12:ud r11:ud 0xC 0x{INCREMENT:x}
(W) add (4|M0) r10.0<1>:ud r8.0<4;4,1>:ud r8.4<4;4,1>:ud
(W) add (2|M0) r10.0<1>:ud r10.0<2;2,1>:ud r10.2<2;2,1>:ud
(W) add (1|M0) r10.0<1>:ud r10.0<0;1,0>:ud r10.1<0;1,0>:ud
(W) mul (1|M0) r10.0<1>:ud r10.0<0;1,0>:ud 3:uw
(W) shl (1|M0) r4.1<1>:ud r4.1<0;1,0>:ud 8:ud
(W) add (1|M0) r10.0<1>:ud r10.0<0;1,0>:ud r4.0<0;1,0>:ud
(W) add (1|M0) r10.0<1>:ud r10.0<0;1,0>:ud r4.1<0;1,0>:ud
(W) add (1|M0) r10.0<1>:ud r10.0<0;1,0>:ud r1.2<0;1,0>:ud
{{inline}}
(W) add (1|M0) r13.0<1>:ud r5.0<0;1,0>:ud 0x{COUNT:x}:ud
(W) send (1|M0) r14:ud r13:ud 0xC 0x{INCREMENT:x}
(W) and (1|M0) r15.0<1>:ud r0.0<0;1,0>:ud 0xFF0000:ud
{store(TICKET, "r12.0<0;1,0>:ud")}
{store(R00, "r15.0<0;1,0>:ud")}
{store(R02, "r0.2<0;1,0>:ud")}
{store(VALUE, "r10.0<0;1,0>:ud")}
{FENCED}
""" + END.replace("{", "{{").replace("}", "}}")
INLINE = "(W) add (1|M0) r10.0<1>:ud r10.0<0;1,0>:ud r3.0<0;1,0>:ud\n(W) add (1|M0) r10.0<1>:ud r10.0<0;1,0>:ud r3.1<0;1,0>:ud"

# The runtime's walks: DW5..16 of the command, and the deltas of the state before it.
NONE, RASTER = 0, [0x00010000, 0x00000001, 0x00080004, 0, 0x00000004, 0x00080000]
D45, D26 = (0x00F0FF0F, 0), (0xF1F0FF0F, 0)
WALKS = {
    "raster": ((0, 0), [NONE, 0, 0x00010007, 0x00080004, 0, 0, *RASTER]),
    "horizontal": ((0x000000F0, 0), [1, 0, 0x00010007, 0x00080004, 0, 0, *RASTER]),
    "vertical": ((0x0000000F, 0), [1, 0, 0x00010003, 0x00080004, 0, 0, 1, 0x00010000, *RASTER[2:]]),
    "wavefront 45": (D45, [7, 0, 0x0001000A, 0x00080004, 0, 0, 1, 0x00010FFF, *RASTER[2:]]),
    "wavefront 26": (D26, [0xF, 0, 0x00010011, 0x00080004, 0, 0, 1, 0x00010FFE, *RASTER[2:]]),
    "wavefront 26X": ((0xFF1F3F3F, 0x00D1D0E0), [0x7F, 0x00011000, 0x000007FF, 0x00080004, 0, 0, 1, 0x00020FFE, *RASTER[2:]]),
    "zigzag 26": ((0xF0FF0F1F, 0x000000F1), [0x1F, 0, 0x00070001, 0x00020002, 0, 0, *RASTER[:2], 0x00080004, 0, 2, 0x00020FFC]),
    "45 from the corner": ((0, 0), [0, 0, 0x07FF07FF, 0x00080004, 4, 0, 1, 0x00010FFF, *RASTER[2:]]),
    "45 in pairs of rows": ((0, 0), [0, 0x00011000, 0x07FF07FF, 0x00080004, 4, 0, 1, 0x00020FFF, *RASTER[2:]]),
}


def signed(value, bits):
    return value - (1 << bits) if value >> bits - 1 & 1 else value


def vector(dword):
    return signed(dword & 0xFFF, 12), signed(dword >> 16 & 0xFFF, 12)


def along(start, step, times):
    return ((start[0] + n * step[0], start[1] + n * step[1]) for n in range(times))


def positions(dwords, subslices):
    """Positions in the order of the loops; a line of the inner local loop is dealt out to the subslices."""
    _, middle, counts, block, start, _, outer, inner, space, corner, global_outer, global_inner = dwords
    width, height = vector(space)
    shift, extra = (signed(middle >> 8 & 3, 2), signed(middle >> 12 & 3, 2)), middle >> 16 & 0x1F
    order = []
    for row in along(vector(corner), vector(global_outer), (counts >> 16 & 0x7FF) + 1):
        for x, y in along(row, vector(global_inner), 64):
            inside = range(max(x, 0), min(x + vector(block)[0], width)), range(max(y, 0), min(y + vector(block)[1], height))
            for line in along(vector(start), vector(outer), (counts & 0x7FF) + 1 if x < width and y < height else 0):
                for first in along(line, shift, extra + 1):
                    places = [p for p in ((x + i, y + j) for i, j in along(first, vector(inner), 64)) if p[0] in inside[0] and p[1] in inside[1]]
                    length = -(-len(places) // subslices)
                    order += [places[n] for at in range(length) for n in range(at, len(places), length)]
    return order


def deltas(pair):
    byte = [pair[n // 4] >> 8 * (n % 4) & 0xFF for n in range(8)]
    return [(signed(b & 15, 4), signed(b >> 4, 4)) for b in byte]


class Walks:
    """The stream of all walks, one grid each."""
    def __init__(self):
        self.stream, self.batch, self.names = Stream(), Batch(), {}
        self.grids = self.states = 0
        self.batch.begin()
        kernels = [("sendc", ""), ("send", ""), ("sendc", INLINE), ("send", INLINE)]
        for n, (wait, inline) in enumerate(kernels):
            self.put(CODE + 0x1000 * n, assemble(KERNEL.format(wait=wait, inline=inline)))

    def put(self, offset, data):
        self.stream.put(Batch.BASE + offset, data)

    def add(self, name, order, scoreboard, delta, mask, command, inline=(), stalling=False, tickets=False, **state):
        """One walk: its states, its commands (`command` emits them) and what its grid holds afterwards."""
        grid, states, number = GRIDS + GRID * self.grids, STATES + 256 * self.grids, 0x1000000 * (self.grids + 1)
        self.names[Batch.BASE + grid] = name
        self.grids += 1
        offsets = deltas(delta)
        counter = grid + GRID - 4
        self.put(states, words(grid + ORIGIN, counter, number, *[0] * 5, *(4 * x + PITCH * y for x, y in offsets)))
        kernel = 2 * bool(inline) + stalling
        self.put(states + 64, words(CODE + 0x1000 * kernel, 0, 0, 0, 0, 2 << 16, 0, 0))
        b = self.batch
        b.pipe_control()
        b.vfe(entry_rows=4, scoreboard=(3 if not stalling else 2) << 30 | mask if scoreboard else 0, deltas=delta, **state)
        b.curbe(states, 64)
        b.descriptors(states + 64, 32)
        command(b)
        planes = {plane: bytearray(PLANE) for plane in (VALUE, TICKET, COUNT, R00, R02)}
        masks, values = bytearray(PLANE), {}

        def cell(plane, position, value):
            at = ORIGIN + 4 * position[0] + PITCH * position[1]
            plane[at:at + 4] = words(value)

        for place, (x, y) in enumerate(order):
            # Of the threads it depends on, those before it: the scoreboard knows no others.
            before = [(x + dx, y + dy) if mask >> n & 1 and (x + dx, y + dy) in values else None for n, (dx, dy) in enumerate(offsets)]
            cell(masks, (x, y), sum(1 << n for n, p in enumerate(before) if p))
            values[x, y] = 3 * sum(values[p] for p in before if p) + x + (y << 8) + number + sum(inline) & 0xFFFFFFFF
            cell(planes[VALUE], (x, y), values[x, y])
            cell(planes[TICKET], (x, y), place)
            cell(planes[COUNT], (x, y), 1)
            cell(planes[R00], (x, y), mask << 16 if scoreboard else 0)
        self.put(grid, bytes(GRID))
        self.put(grid + MASK, bytes(masks))
        for plane, content in planes.items():
            if plane != TICKET or tickets:
                self.stream.expect(Batch.BASE + grid + plane, bytes(content))
        self.stream.expect(Batch.BASE + counter, words(len(order)))

    def save(self, path):
        self.put(BATCH, self.batch.end())
        self.stream.save(path, Batch.BASE + BATCH)


def build():
    walks = Walks()
    for name, (delta, dwords) in WALKS.items():
        def walk(b, inline=(), mask=dwords[0]):
            b.walker(dwords, inline, scoreboard=mask != 0)
        mask, plain = dwords[0], positions(dwords, 1)
        expect(len(set(plain)) == len(plain), f"{name}: a position occurs twice")
        if not name.startswith("45"):
            expect(len(plain) == WIDTH * HEIGHT, f"{name}: {len(plain)} positions")
        walks.add(f"{name}, free", positions(dwords, 3), mask != 0, delta, mask, walk)
        walks.add(f"{name}, one by one on three subslices", positions(dwords, 3), mask != 0, delta, mask, walk, tickets=True, threads=1)
        walks.add(f"{name}, one by one on one subslice", plain, mask != 0, delta, mask, walk, tickets=True, threads=1, subslice0=True)
    # The video encoder's objects: a stalling scoreboard, inline data, the order of a 26 degree wavefront, a flush behind each.
    order = sorted(((x, y) for x in range(WIDTH) for y in range(HEIGHT)), key=lambda p: (p[0] + 2 * p[1], p[1]))

    def objects(b):
        for position in order:
            b.object(position, 7, [0x00040001, 0x00016000])
            b.flush()
    walks.add("objects, stalling", order, True, (0x00F1F00F, 0), 7, objects, inline=[0x00040001, 0x00016000], stalling=True)
    walks.add("objects, one by one", order, True, (0x00F1F00F, 0), 7, objects, inline=[0x00040001, 0x00016000], tickets=True, threads=1)
    # A walker with inline data for all its threads.
    delta, dwords = WALKS["wavefront 26"]
    walks.add("wavefront 26 with inline data", positions(dwords, 3), True, delta, 0xF,
              lambda b: b.walker(dwords, [5, 7]), inline=[5, 7], stalling=True)
    return walks


if __name__ == "__main__":
    play(build())
