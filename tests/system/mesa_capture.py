# SPDX-License-Identifier: Apache-2.0
"""mesa_capture.py GEN9SIM: captures of the form that Mesa's intel_dump_gpu writes are played. Public: Mesa,
src/intel/tools/aub_write.c: a ring of one page, a context image of 22 pages behind a status page, tables of four
levels written as physical memory, the ring rewritten from its beginning for each submission."""
import pathlib
import struct
import sys
import tempfile

import aub
from checks import expect, finish, run

gen9sim = sys.argv[1]
PAGE = 4096
RING, IMAGE = 0x0, 0x1000  # in the GGTT: the ring, then the status page and the image
RING_PHYSICAL, IMAGE_PHYSICAL = 0x100000, 0x101000
PML4, PDP, PD, PT = 0x200000, 0x201000, 0x202000, 0x203000
BATCH, RESULT = 0x10000, 0x11000  # PPGTT
BATCH_PHYSICAL, RESULT_PHYSICAL = 0x300000, 0x301000
DESCRIPTOR = 0x339  # valid, 48-bit addresses, coherent, privileged, of normal priority


def dwords(*values):
    return struct.pack(f"<{len(values)}I", *values)


def physical(address, data):
    return aub.memory(aub.MEMORY_WRITE, aub.PHYSICAL, address, data)


def graphics(address, data):
    """By the GGTT."""
    return aub.memory(aub.MEMORY_WRITE, aub.GGTT, address, data)


def entry(table, index, address):
    return physical(table + 8 * index, struct.pack("<Q", address | 3))


def image():
    """The status page, then registers as MI_LOAD_REGISTER_IMM."""
    def load(*pairs):
        return dwords(0x11000000 | (2 * len(pairs) - 1), *(word for pair in pairs for word in pair))
    ring = dwords(0) + dwords(0x1100101B, 0x2244, 0x90009, 0x2034, 0, 0x2030, 16, 0x2038, RING, 0x203C, 1, 0x2168, 0, 0x2140, 0,
                              0x2110, 0, 0x211C, 0, 0x2114, 0, 0x2118, 0, 0x21C0, 0, 0x21C4, 0, 0x21C8, 0, 0, 0, 0)
    tables = load((0x23A8, 0), (0x228C, 0), (0x2288, 0), (0x2284, 0), (0x2280, 0), (0x227C, 0), (0x2278, 0), (0x2274, PML4 >> 32),
                  (0x2270, PML4 & 0xFFFFFFFF))
    power = load((0x20C8, 0x7FFFFFFF)) + dwords(0x05000000)
    return (bytes(PAGE) + ring + tables + bytes(4 * 13) + power).ljust(23 * PAGE, b"\0")


def capture(value, expected):
    stream = aub.packet(aub.VERSION, 1, 12 << 8, 0, 0, data=b"intel_dump_gpu".ljust(32, b"\0"))
    stream += aub.packet(aub.COMMENT, 0, data=b"PCI-ID=0x1912 program\0")
    entries = [RING_PHYSICAL | 1] + [IMAGE_PHYSICAL + n * PAGE | 1 for n in range(23)]
    stream += aub.memory(aub.MEMORY_WRITE, aub.GGTT_ENTRY, 0, struct.pack(f"<{len(entries)}Q", *entries))
    stream += graphics(IMAGE, image())
    stream += aub.register_write(0x2080, IMAGE) + aub.register_write(0x229C, 0x80008000)
    stream += entry(PML4, 0, PDP) + entry(PDP, 0, PD) + entry(PD, 0, PT)
    stream += entry(PT, BATCH >> 12, BATCH_PHYSICAL) + entry(PT, RESULT >> 12, RESULT_PHYSICAL)
    for turn in range(2):
        # MI_STORE_DATA_IMM, MI_BATCH_BUFFER_END
        stream += physical(BATCH_PHYSICAL, dwords(0x10000002, RESULT + 8 * turn, 0, value + turn, 0x05000000).ljust(PAGE, b"\0"))
        stream += graphics(RING, dwords(0x18800101, BATCH & 0xFFFFFFFF, BATCH >> 32, 0))
        stream += graphics(IMAGE + PAGE + 4 * 5, dwords(0)) + graphics(IMAGE + PAGE + 4 * 7, dwords(16))
        for word in (0, 0, 0, IMAGE | DESCRIPTOR):
            stream += aub.register_write(0x2230, word)
        stream += aub.packet(aub.REGISTER_POLL, 0x2234, 2 << 16, 0x10, 0, 0)
    results = dwords(expected, 0, expected + 1)
    return stream + aub.memory(aub.MEMORY_COMPARE, aub.PHYSICAL, RESULT_PHYSICAL, results)


with tempfile.TemporaryDirectory() as folder:
    file = pathlib.Path(folder) / "mesa.aub"
    for mode in ("functional", "timed"):
        for value, expected, status in ((77, 77, 0), (77, 78, 1)):
            file.write_bytes(capture(value, expected))
            done = run(gen9sim, "replay", "--timing", mode, file)
            expect(done.returncode == status and "2 submissions" in done.stderr,
                   f"{mode}, {value} where {expected} is expected: status {done.returncode}: {done.stderr}")
finish()
