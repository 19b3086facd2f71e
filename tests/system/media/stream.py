# SPDX-License-Identifier: Apache-2.0
"""A capture written from nothing: page tables, a context and its ring, batches of commands, EU code, expected memory.

The context image, the ring and the page tables have the form of the PRM's execution lists (16-DWord submission port,
4-level page tables); the packets are those of an AUB capture.
"""
import pathlib
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from checks import expect, finish, run  # noqa: E402

PAGE = 4096
REGISTER_POLL, REGISTER_WRITE, MEMORY_COMPARE, MEMORY_WRITE, VERSION = 0x2, 0x3, 0x4, 0x6, 0xE
PHYSICAL, GGTT_ENTRY = 2, 4
RING_PAGE, RING_PAGES, CONTEXT_PAGE, CONTEXT_PAGES, STATUS_PAGE = 16, 4, 32, 23, 1

# Untyped messages to the second data cache unit, stateless, SIMD8, one component; the fence is the first unit's.
READ, WRITE, INCREMENT, FENCE = 0x02106EFF, 0x04026EFF, 0x0210B5FF, 0x0219E000
# All this thread has written can be seen; then it ends.
FENCED = f"""
(W) send (8|M0) r30:ud r0:ud 0xA 0x{FENCE:x}
(W) mov (8|M0) r31.0<1>:ud r30.0<8;8,1>:ud"""
END = """
(W) mov (8|M0) r112.0<1>:ud r0.0<8;8,1>:ud
(W) send (8|M0) null r112:ud 0x27 0x2000010 {EOT}
"""


def words(*values):
    return struct.pack(f"<{len(values)}I", *(v & 0xFFFFFFFF for v in values))


def assemble(text):
    """Bytes of EU code, by Intel's assembler."""
    with tempfile.TemporaryDirectory() as folder:
        source, code = pathlib.Path(folder, "kernel.asm"), pathlib.Path(folder, "kernel.bin")
        source.write_text(text)
        done = subprocess.run(["iga64", "-a", "-p=9", source, "-o", code], capture_output=True, text=True)
        if done.returncode or not code.exists():
            raise SystemExit(f"iga64: {done.stdout}{done.stderr}\n{text}")
        return code.read_bytes()


class Stream:
    def __init__(self):
        self.packets, self.next_page = [], 0x100000
        self.tables = {}   # (level, number) -> [physical address, {index: entry}]
        self.pages = {}    # graphics page -> physical address
        self.memory = {}   # graphics page -> contents before the submission
        self.expected = []

    def packet(self, kind, fields, data=b""):
        data += bytes(-len(data) % 4)
        header = 7 << 29 | 0x2E << 23 | kind << 16 | len(fields) + len(data) // 4
        self.packets.append(words(header, *fields) + data)

    def page(self, count=1):
        first = self.next_page
        self.next_page += count * PAGE
        return first

    def write(self, space, address, data, kind=MEMORY_WRITE):
        for at in range(0, len(data), PAGE):
            part = data[at:at + PAGE]
            self.packet(kind, [address + at & 0xFFFFFFFF, address + at >> 32, space << 28, len(part)], part)

    def register(self, offset, value):
        self.packet(REGISTER_WRITE, [offset, 2 << 16, 0xFFFFFFFF, 0, value])

    def table(self, level, number):
        return self.tables.setdefault((level, number), [None, {}])

    def put(self, address, data):
        """Memory at a graphics address before the submission; what is put there is also mapped."""
        at = 0
        while at < len(data):
            page, offset = (address + at) // PAGE, (address + at) % PAGE
            count = min(PAGE - offset, len(data) - at)
            if page not in self.pages:
                self.pages[page], self.memory[page] = self.page(), bytearray(PAGE)
            self.memory[page][offset:offset + count] = data[at:at + count]
            at += count

    def expect(self, address, data):
        """Memory at a graphics address after it; within a page."""
        self.expected.append((address, data))

    def _page_tables(self):
        for page, physical in self.pages.items():
            for level, shift in ((4, 27), (3, 18), (2, 9), (1, 0)):
                entries = self.table(level, page >> shift + 9)[1]
                entries[page >> shift & 511] = (level - 1, page >> shift) if level > 1 else physical | 3
        for table in self.tables.values():
            table[0] = self.page()
        for physical, entries in self.tables.values():
            content = bytearray(PAGE)
            for index, entry in entries.items():
                struct.pack_into("<Q", content, 8 * index, self.tables[entry][0] | 3 if isinstance(entry, tuple) else entry)
            self.write(PHYSICAL, physical, bytes(content))

    def _global(self, first, count):
        physical = self.page(count)
        for n in range(count):
            self.write(GGTT_ENTRY, 8 * (first + n), struct.pack("<Q", physical + n * PAGE | 1))
        return physical

    def _context(self, ring_bytes):
        """The register state of an execution list context: pairs behind two loads of registers."""
        first = [0x2244, 0x00090008, 0x2034, 0, 0x2030, ring_bytes, 0x2038, RING_PAGE * PAGE, 0x203C, RING_PAGES - 1 << 12 | 1]
        for register in (0x2168, 0x2140, 0x2110, 0x211C, 0x2114, 0x2118, 0x21C0, 0x21C4, 0x21C8):
            first += [register, 0]
        root = self.tables[4, 0][0]
        second = [0x23A8, 0]
        for n, value in enumerate([0] * 6 + [root >> 32, root & 0xFFFFFFFF]):
            second += [0x228C - 4 * n, value]
        image = [0, 0x1100101B, *first, 0, 0, 0, 0x11001011, *second]
        return words(*image, *[0] * 13, 0x11000001, 0x20C8, 0x80000088)

    def save(self, path, batch):
        """`batch`: graphics address of the first command."""
        self.packet(VERSION, [0, 12 << 8, 0, 0], b"PCI-ID=0x1912 streams\0")
        for page, content in self.memory.items():
            self.write(PHYSICAL, self.pages[page], bytes(content))
        self._page_tables()
        status, ring, image = (self._global(*place) for place in
                               ((STATUS_PAGE, 1), (RING_PAGE, RING_PAGES), (CONTEXT_PAGE, CONTEXT_PAGES)))
        start = words(0x18800101, batch & 0xFFFFFFFF, batch >> 32, 0)
        self.write(PHYSICAL, status, bytes(PAGE))
        self.write(PHYSICAL, ring, start)
        context = self._context(len(start))
        self.write(PHYSICAL, image, bytes(PAGE))
        self.write(PHYSICAL, image + PAGE, context + bytes(PAGE - len(context)))
        for n in range(64):  # memory object control: all are write-back in LLC and L3
            self.register(0xC800 + 4 * n, 0x3B)
        for n in range(32):
            self.register(0xB020 + 4 * n, 0x00300030)
        self.register(0x229C, 0x82808280)
        self.register(0x2080, STATUS_PAGE * PAGE)
        for value in (0, 0, 1, CONTEXT_PAGE << 12 | 0x119):
            self.register(0x2230, value)
        self.packet(REGISTER_POLL, [0x2234, 2 << 16, 0x100, 0, 0x100])
        for address, data in self.expected:
            self.write(PHYSICAL, self.pages[address // PAGE] + address % PAGE, data, MEMORY_COMPARE)
        pathlib.Path(path).write_bytes(b"".join(self.packets))


class Batch:
    """Commands of the media pipeline; addresses are offsets from BASE, the start of every state base."""
    BASE = 0x10000000

    def __init__(self):
        self.words = []

    def emit(self, *values):
        self.words += values

    def pipe_control(self, flags=0x00101020):  # stall, render target and data cache flush
        self.emit(0x7A000004, flags | 1 << 20, 0, 0, 0, 0)

    def begin(self, pipeline=0x69041301):  # the media pipeline; 0x69041302: GPGPU
        self.pipe_control()
        self.emit(0x11000001, 0x7034, 0x60000121)  # L3 with shared local memory
        self.emit(pipeline)
        base, size = self.BASE | 1, 0xFFFFF001
        self.emit(0x61010011, base, 0, 0, base, 0, base, 0, base, 0, base, 0, size, size, size, size, 0, 0, 0)

    def vfe(self, threads=168, entries=32, entry_rows=1, curbe_rows=2, scoreboard=0, deltas=(0, 0), subslice0=False):
        self.emit(0x70000007, 0, 0, threads - 1 << 16 | entries << 8, 3 if subslice0 else 0, entry_rows << 16 | curbe_rows,
                  scoreboard, *deltas)

    def curbe(self, offset, size):
        self.emit(0x70010002, 0, size, offset)

    def descriptors(self, offset, size):
        self.emit(0x70020002, 0, size, offset)

    def flush(self):
        self.emit(0x70040000, 0)

    def object(self, position, mask, inline, scoreboard=True, descriptor=0, children=False):
        self.emit(0x71000004 + len(inline), descriptor, int(children) << 31 | int(scoreboard) << 21, 0, position[1] << 16 | position[0], mask, *inline)

    def walker(self, dw5_to_16, inline=(), scoreboard=True, descriptor=0):
        self.emit(0x7103000F + len(inline), descriptor, int(scoreboard) << 21, 0, 0, *dw5_to_16, *inline)

    def pools(self, eus):
        self.emit(0x70050004, 1 << 31, eus, 0, 0, 0)

    def gpgpu_walker(self, threads, groups):
        """Groups in a row of so many SIMD16 threads, all channels on."""
        self.emit(0x7105000D, 0, 0, 0, 1 << 30 | threads - 1, 0, 0, groups, 0, 0, 1, 0, 1, 0xFFFFFFFF, 0xFFFFFFFF)

    def end(self):
        self.pipe_control()
        self.emit(0x05000000, 0)
        return words(*self.words)


def play(stream, *place):
    """The main program of a test with one stream: FILE.py GEN9SIM plays it in both modes, FILE.py --write FILE writes it."""
    if sys.argv[1] == "--write":
        return stream.save(sys.argv[2], *place)
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "stream.aub")
        stream.save(path, *place)
        for mode in ("functional", "timed"):
            done = run(sys.argv[1], "replay", "--timing", mode, path)
            text = done.stdout + done.stderr
            expect(done.returncode == 0, f"{mode}: status {done.returncode}\n{text}")
            expect("Warning" not in text and "not modelled" not in text, f"{mode}: {text}")
    finish()
