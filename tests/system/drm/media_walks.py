# SPDX-License-Identifier: Apache-2.0
"""media_walks.py GEN9SIM MODE PROGRAM: Intel's media runtime (CM, on the iHD driver) walks over 4 by 8 threads in all its patterns
and with all its dependencies. The kernel is that of media/patterns.py: a thread waits for those it depends on (sendc) and adds up
what they left, so that one which runs too early spoils its value and all that follow. What must come out is worked out from the
runtime's walker commands as they are documented, whose loops patterns.py follows step by step.
"""
import json
import os
import pathlib
import re
import struct
import subprocess
import sys
import tempfile

here = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(here.parent), str(here.parent / "media")]
from checks import expect, finish  # noqa: E402
import patterns  # noqa: E402
from patterns import COUNT, GRID, HEIGHT, KERNEL, MASK, ORIGIN, PITCH, R00, TICKET, VALUE, WIDTH  # noqa: E402
from stream import assemble, words  # noqa: E402

SKYLAKE, SURFACE, SCALAR = 5, 2, 0   # the container's numbers of the machine and of kinds of arguments
CURBE = 32                           # R1: the first register of the constants

# The runtime's numbers of walks and dependencies (cm_rt.h), and their names in patterns.py.
WALKS = {0: "raster", 1: "wavefront 45", 2: "wavefront 26", 3: "vertical", 4: "horizontal", 5: "wavefront 26X", 6: "zigzag 26",
         7: "45 from the corner", 8: "45 in pairs of rows"}
DEPENDENCIES = {0: "raster", 1: "wavefront 45", 2: "wavefront 26", 3: "vertical", 4: "horizontal", 6: "wavefront 26X", 7: "zigzag 26"}


def container(name, code, arguments):
    """What the runtime loads: header, one kernel with its body, table of arguments (kind, payload offset, size) and code."""
    header = b"CISA" + struct.pack("<BBHB", 3, 1, 1, len(name)) + name.encode()
    entry = struct.Struct("<IIIHHBBII")
    body_at = len(header) + entry.size
    body = struct.pack("<H", 1) + b"AsmName\0"
    table = struct.pack("<B", len(arguments))
    for number, (kind, offset, size) in enumerate(arguments):
        table += struct.pack("<BHHH", kind, 32 + number, offset, size)
    table += bytes(8 + 2)
    code_at = -(-(body_at + len(body) + len(table)) // 64) * 64
    start = header + entry.pack(body_at, 0, body_at + len(body), 0, 0, 1, SKYLAKE, code_at, len(code)) + body + table
    return start.ljust(code_at, b"\0") + code


def by_surface_number(kernel, number):
    """The same messages to the surface whose number a register holds, in place of stateless ones."""
    return re.sub(r"(?m)^(.*) 0xC 0x([0-9a-f]+)ff$",
                  rf"(W) add (1|M0) a0.0<1>:ud {number}<0;1,0>:ud 0x\g<2>00:ud" "\n" r"\1 0xC a0.0", kernel)


def by_surface(kernel):
    """The surface is the first argument, in place of the stream's constants."""
    begin = f"""
(W) mov (1|M0) r40.0<1>:ud r1.0<0;1,0>:ud
(W) mov (1|M0) r1.0<1>:ud {ORIGIN}:ud
(W) mov (1|M0) r1.1<1>:ud {GRID - 4}:ud
(W) mov (1|M0) r1.2<1>:ud 0:ud"""
    return begin + by_surface_number(kernel, "r40.0")


def at(position):
    return ORIGIN + 4 * position[0] + PITCH * position[1]


class Walk:
    """A walk, by its order and mask. `added`: those of the mask's dependencies whose values are added up. `threads`: how many
    run at a time; 1: the tickets show the order."""
    def __init__(self, name, walk, dependency, order, mask, pair, added=0xFF, threads=0):
        self.name, self.walk, self.dependency, self.order, self.mask, self.threads = name, walk, dependency, order, mask, threads
        deltas = patterns.deltas(pair)
        self.offsets = [4 * x + PITCH * y for x, y in deltas]
        self.before, self.values = {}, {}
        for x, y in order:
            self.before[x, y] = [(x + dx, y + dy) if mask & added & 1 << n and (x + dx, y + dy) in self.values else None
                                 for n, (dx, dy) in enumerate(deltas)]
            self.values[x, y] = 3 * sum(self.values[p] for p in self.before[x, y] if p) + x + (y << 8) & 0xFFFFFFFF

    def input(self):
        content = bytearray(GRID)
        for position, before in self.before.items():
            struct.pack_into("<I", content, MASK + at(position), sum(1 << n for n, p in enumerate(before) if p))
        return bytes(content)

    def check(self, content, mode):
        where = f"{mode}, {self.name}"
        def cell(plane, position):
            return struct.unpack_from("<I", content, plane + at(position))[0]
        everywhere = [(x, y) for x in range(-4, PITCH // 4 - 4) for y in range(-4, 12)]
        counts = {p: cell(COUNT, p) for p in everywhere}
        expect(counts == {p: int(p in self.values) for p in everywhere}, f"{where}: threads at {[p for p in counts if counts[p]]}")
        wrong = [p for p, value in self.values.items() if cell(VALUE, p) != value]
        expect(not wrong, f"{where}: values are wrong at {wrong}")
        tickets = {p: cell(TICKET, p) for p in self.order}
        expect(sorted(tickets.values()) == list(range(len(self.order))), f"{where}: tickets {tickets}")
        if self.threads == 1:
            expect([tickets[p] for p in self.order] == list(range(len(self.order))), f"{where}: order {sorted(self.order, key=tickets.get)}")
        for position, before in self.before.items():
            for p in filter(None, before):
                expect(tickets[p] < tickets[position], f"{where}: {position} ran before {p}")
        masks = {cell(R00, p) >> 16 for p in self.order}
        expect(masks == {self.mask}, f"{where}: masks of R0.0 are {masks}")


def walks():
    made = []
    for number, name in WALKS.items():
        pair, dwords = patterns.WALKS[name]
        for threads in (0, 1):
            made.append(Walk(f"walk {name}, {threads or 'all'} at a time", number, -1, patterns.positions(dwords, 3), 0, (0, 0), threads=threads))
    for number, name in DEPENDENCIES.items():
        pair, dwords = patterns.WALKS[name]
        made.append(Walk(f"dependency {name}", -1, number, patterns.positions(dwords, 3), dwords[0], pair))
    # Sent as single objects. 26Z: squares of two by two threads in rows, a Z inside each. 26ZI has neighbours that depend on each
    # other, one of which is sent first; those that are always before are added up: (-2, 0) and (0, -1).
    raster = [(x, y) for y in range(HEIGHT) for x in range(WIDTH)]
    squares = sorted(raster, key=lambda p: (p[1] // 2, p[0] // 2, p[1], p[0]))
    made.append(Walk("dependency 26Z", -1, 5, squares, 0x1F, patterns.WALKS["zigzag 26"][0]))
    made.append(Walk("dependency 26ZI", -1, 8, raster, 0x7F, (0xFF0F0E1F, 0x0001F1F0), added=0x12))
    return made


def main():
    gen9sim, mode, program = sys.argv[1:]
    made = walks()
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        code = assemble(by_surface(KERNEL.format(wait="sendc", inline="")))
        (folder / "walk.isa").write_bytes(container("walk", code, [(SURFACE, CURBE, 4), (SCALAR, 2 * CURBE, 32)]))
        jobs = ""
        for n, walk in enumerate(made):
            (folder / f"{n}.in").write_bytes(walk.input())
            jobs += f"{walk.walk} {walk.dependency} {walk.threads} {n}.in {n}.out {' '.join(map(str, walk.offsets))}\n"
        done = subprocess.run([gen9sim, "run", "--door", "drm", "--timing", mode, "--stats", "run.json", "--", program, "walk.isa",
                               str(WIDTH), str(HEIGHT)], input=jobs, cwd=folder, capture_output=True, text=True, timeout=280,
                              env=dict(os.environ, LIBVA_DRIVER_NAME="iHD"))
        expect(done.returncode == 0, f"{mode}: status {done.returncode}: {done.stdout}{done.stderr}")
        expect("Intel iHD driver" in done.stdout, f"{mode}: {done.stdout}")
        for n, walk in enumerate(made):
            out = folder / f"{n}.out"
            if out.exists():
                walk.check(out.read_bytes(), mode)
            else:
                expect(False, f"{mode}, {walk.name}: nothing came out")
        statistics = folder / "run.json"
        launches = json.loads(statistics.read_text())["kernels"] if statistics.exists() else []
        threads = sum(kernel["threads"] for kernel in launches)
        expect(threads == sum(len(walk.order) for walk in made), f"{mode}: {threads} threads")
    finish()


if __name__ == "__main__":
    main()
