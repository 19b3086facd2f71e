#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""scaling.py GEN9SIM: media objects that sample blocks of pictures by the media sampler, sample_8x8 and sample_unorm.

A walker of 4 by 8 threads covers 64 by 32 pixels. Each thread asks for its blocks, in sends of one channel as drivers have them,
and stores the registers that come back. What they must hold is worked out here in integers, pixel by pixel.
scaling.py --write STREAM leaves the capture.
"""
import pathlib
import random
import struct
import sys
from fractions import Fraction
from math import floor

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from checks import expect
from stream import END, FENCED, PAGE, WRITE, Batch, Stream, assemble, play, words

THREADS_X, THREADS_Y = 4, 8
CODE, TABLES, STATES, BATCH, PICTURES, GRIDS = 0, 0x8000, 0x10000, 0x80000, 0x100000, 0x200000
RASTER = [0, 0, 0x00010007, 0x00080004, 0, 0, 0x00010000, 0x00000001, 0x00080004, 0, 0x00000004, 0x00080000]
WIDTH, HEIGHT, PITCH = 64, 32, 256


def kernel_text(descriptor, header2, registers, across=THREADS_X, group=1):
    """R1: U and V of the first pixel, a block's width and height, the steps, the second derivative, M1.7. R2: 8 DWords apart.
    R3: the results' place, `across` threads in a row. `group`, a power of two: so many blocks below each other have one place and their numbers in it."""
    stores = "".join(f"""
(W) add (8|M0) r22.0<1>:ud r2.0<8;8,1>:ud r5.0<0;1,0>:ud
(W) mov (8|M0) r23.0<1>:ud r{30 + n}.0<8;8,1>:ud
(W) send (8|M0) null r22:ud 0xC 0x{WRITE:x}
(W) add (1|M0) r5.0<1>:ud r5.0<0;1,0>:ud 32:ud""" for n in range(registers))
    return f"""
(W) and (1|M0) r4.0<1>:ud r0.1<0;1,0>:ud 0x7FF:ud
(W) shr (1|M0) r4.1<1>:ud r0.1<0;1,0>:ud 16:ud
(W) and (1|M0) r4.1<1>:ud r4.1<0;1,0>:ud 0x7FF:ud
(W) mul (1|M0) r5.0<1>:ud r4.1<0;1,0>:ud {across}:uw
(W) add (1|M0) r5.0<1>:ud r5.0<0;1,0>:ud r4.0<0;1,0>:ud
(W) mul (1|M0) r5.0<1>:ud r5.0<0;1,0>:ud {32 * registers}:uw
(W) add (1|M0) r5.0<1>:ud r5.0<0;1,0>:ud r3.0<0;1,0>:ud
(W) and (1|M0) r4.2<1>:ud r4.1<0;1,0>:ud {group - 1}:ud
(W) add (1|M0) r4.1<1>:d r4.1<0;1,0>:d -r4.2<0;1,0>:d
(W) mov (2|M0) r6.0<1>:f r4.0<2;2,1>:ud
(W) mul (2|M0) r6.0<1>:f r6.0<2;2,1>:f r1.2<2;2,1>:f
(W) add (2|M0) r6.0<1>:f r6.0<2;2,1>:f r1.0<2;2,1>:f
(W) mov (8|M0) r20.0<1>:ud r0.0<8;8,1>:ud
(W) mov (1|M0) r20.2<1>:ud 0x{header2:x}:ud
(W) mov (8|M0) r21.0<1>:ud 0:ud
(W) mov (1|M0) r21.1<1>:ud r4.2<0;1,0>:ud
(W) mov (2|M0) r21.2<1>:f r6.0<2;2,1>:f
(W) mov (4|M0) r21.4<1>:ud r1.4<4;4,1>:ud
(W) send (1|M0) r30:ud r20:ud 0x2 0x{descriptor:x}
{stores}
{FENCED}
""" + END


def float_bits(value):
    return struct.unpack("<I", struct.pack("<f", float(value)))[0]


def clamp(value, low, high):
    return min(max(value, low), high)


class Taps:
    """A state of the scaler: coefficients of both tables by phase, the same in both directions but for the order."""
    def __init__(self, eight, table0, table1, sharpness=255):
        self.eight, self.tables, self.sharpness = eight, (table0, table1), sharpness

    def state(self):
        dwords = [0] * 280
        dwords[3] = self.eight << 28
        dwords[152] = self.sharpness << 24
        dwords[153] = 3 << 21
        content = bytearray(words(*dwords))
        for phase in range(32):
            at = 4 * (16 + 8 * phase if phase < 17 else 160 + 8 * (phase - 17))
            for tap in range(8):
                for axis in range(2):
                    content[at + 2 * tap + axis] = self.tables[0](axis, phase, tap) & 0xFF
                    if 2 <= tap < 6:
                        content[at + (18 if axis == 0 else 26) + tap - 2] = self.tables[1](axis, phase, tap) & 0xFF
        return bytes(content)

    def tap(self, channel, axis, phase, tap):
        eight = self.eight >= 2 or (self.eight == 1 and channel == 1)
        if not eight and not 2 <= tap < 6:
            return 0
        return self.tables[0 if eight or channel == 1 else 1](axis, phase, tap)


def copy(axis, phase, tap):
    return 64 * (tap == 3)


def linear(axis, phase, tap):
    return {3: 64 - 2 * phase, 4: 2 * phase}.get(tap, 0)


def sharp(axis, phase, tap):
    """Eight taps with overshoot, other ones down than across; their sum is 64."""
    base = [-2, 5, -12, 41, 41, -12, 5, -2] if axis == 0 else [-1, 3, -9, 39, 39, -9, 3, -1]
    shift = phase // 2 * (1 if tap == 4 else -1 if tap == 3 else 0)
    return base[tap] + shift


class Pictures:
    """Random bytes: rows of PITCH; what a channel of a surface has at a place."""
    def __init__(self):
        self.bytes = random.Random(1).randbytes(PITCH * 128)

    def at(self, x, y):
        return self.bytes[y * PITCH + x]

    def nv12(self, channel, x, y):
        if channel == 1:
            return self.at(clamp(x, 0, WIDTH - 1), clamp(y, 0, HEIGHT - 1))
        return self.at(2 * clamp(x, 0, WIDTH // 2 - 1) + (channel == 0), HEIGHT + clamp(y, 0, HEIGHT // 2 - 1))

    def rgba(self, channel, x, y):
        return self.at(4 * clamp(x, 0, WIDTH - 1) + channel, clamp(y, 0, HEIGHT - 1))


def media_surface(form):
    # Chroma as MPEG-2 has it: half a line below luma's even lines; its plane is behind luma's.
    return words(0, (HEIGHT - 1) << 18 | (WIDTH - 1) << 4 | 2, form << 27 | 1 << 26 | (PITCH - 1) << 3, HEIGHT, 0, 0,
                 Batch.BASE + PICTURES, 0)


def render_surface():  # R8G8B8A8_UNORM, 2D
    return words(1 << 29 | 0xC7 << 18 | 1 << 16 | 1 << 14, 0, HEIGHT - 1 << 16 | WIDTH - 1, PITCH - 1, 0, 0, 0, 0x09770000,
                 Batch.BASE + PICTURES, *[0] * 7)


def scaled(picture, taps, channel, chroma, x, y, wide):
    """One result: the 64 taps' sum in 4096ths, rounded half up, clamped."""
    if chroma:
        x, y = x / 2, (y - Fraction(1, 2)) / 2
    at, phases = (floor(x), floor(y)), (floor((x - floor(x)) * 32), floor((y - floor(y)) * 32))
    total = sum(picture(channel, at[0] + i - 3, at[1] + j - 3) * taps.tap(channel, 0, phases[0], i) * taps.tap(channel, 1, phases[1], j)
                for i in range(8) for j in range(8))
    return clamp(total + 8 >> 4, 0, 0xFF00) if wide else clamp(total + 2048 >> 12, 0, 255)


class Run:
    def __init__(self):
        self.stream, self.batch, self.count = Stream(), Batch(), 0
        self.batch.begin()
        self.pictures = Pictures()
        self.put(PICTURES, self.pictures.bytes)

    def put(self, offset, data):
        self.stream.put(Batch.BASE + offset, data)

    def add(self, descriptor, header2, registers, surface, sampler, first, block, step, second, control, expected):
        """A walk; `expected(x, y, place)` are the bytes that a thread stores, by the exact places of its pixels."""
        n = self.count
        self.count += 1
        grid, states, table = GRIDS + 0x8000 * n, STATES + 0x2000 * n, TABLES + 64 * n
        self.put(CODE + 0x1000 * n, assemble(kernel_text(descriptor, header2, registers)))
        self.put(table, words(states + 0x100, 0, 0, 0, 0, 0, 0, 0))
        self.put(states + 0x100, surface + bytes(64 - len(surface)))
        self.put(states + 0x800, sampler)
        self.put(states, words(*(float_bits(v) for v in (first[0], first[1], block[0] * step[0], block[1] * step[1], *step, second)),
                               control, *range(0, 32, 4), grid, *[0] * 7))
        self.put(states + 0x80, words(CODE + 0x1000 * n, 0, 0, states + 0x800, table, 3 << 16, 0, 0))
        b = self.batch
        b.pipe_control()
        b.vfe(curbe_rows=3)
        b.curbe(states, 96)
        b.descriptors(states + 0x80, 32)
        b.walker(RASTER, scoreboard=False)
        content = b""
        for ty in range(THREADS_Y):
            for tx in range(THREADS_X):
                u, v = first[0] + tx * block[0] * step[0], first[1] + ty * block[1] * step[1]

                def place(x, y):
                    return (u + step[0] * x + second * x * (x - 1) / 2) * WIDTH, (v + step[1] * y) * HEIGHT
                part = expected(place)
                expect(len(part) == 32 * registers, f"{len(part)} bytes for {registers} registers")
                content += part
        self.put(grid, bytes(len(content)))
        for at in range(0, len(content), PAGE):
            self.stream.expect(Batch.BASE + grid + at, content[at:at + PAGE])

    def scale(self, form, picture, taps, channels, step, second=Fraction(0), first=(Fraction(0), Fraction(0)), wide=True):
        """Blocks of 16x4 of these channels, full form."""
        header2 = (0 if wide else 2) << 18 | sum(1 << 12 + c for c in range(4) if c not in channels)
        registers = len(channels) * (4 if wide else 2)

        def expected(place):
            values = [scaled(picture, taps, c, form == 4 and c != 1, *place(x, y), wide)
                      for c in channels for y in range(4) for x in range(16)]
            return b"".join(v.to_bytes(2 if wide else 1, "little") for v in values)
        # A sampler index of 0; the state lies where the thread's sampler pointer says.
        self.add(0x0400B000 | registers << 20 | 0xE0000, header2, registers, media_surface(form), taps.state(), first, (16, 4), step,
                 second, 0x08000000, expected)

    def unorm(self, step, first):
        """Blocks of 8x4 of all channels, bilinear."""
        def expected(place):
            content = b""
            for c in range(4):
                for y in range(4):
                    for x in range(8):
                        px, py = (p - Fraction(1, 2) for p in place(x, y))
                        fx, fy = floor((px - floor(px)) * 256), floor((py - floor(py)) * 256)
                        total = sum(self.pictures.rgba(c, floor(px) + i, floor(py) + j) * (fx if i else 256 - fx) * (fy if j else 256 - fy)
                                    for i in range(2) for j in range(2))
                        content += bytes([0, total + 32768 >> 16])
            return content
        sampler = words(1 << 17 | 1 << 14, 0, 0, 2 << 6 | 2 << 3 | 2) + bytes(16)
        self.add(0x048EC000, 0, 8, render_surface(), sampler, first, (8, 4), step, Fraction(0), 0, expected)

    def to_memory(self, code, step):
        """Blocks of 16 by 4 that the sampler itself writes to a surface, in a format of its message's header."""
        n = self.count
        self.count += 1
        out, states, table = GRIDS + 0x8000 * n, STATES + 0x2000 * n, TABLES + 64 * n
        taps, picture = Taps(0, copy, linear), self.pictures.rgba
        bytes_of_pixel = 2 if code < 4 else 1
        text = kernel_text(0x0400B000 | 0xE0000, 1 << 24, 0)
        # The place in bytes and rows, the format.
        place = f"""
(W) mul (1|M0) r20.4<1>:ud r4.0<0;1,0>:ud {16 * bytes_of_pixel}:uw
(W) mul (1|M0) r20.5<1>:ud r4.1<0;1,0>:ud 4:uw
(W) shl (1|M0) r20.5<1>:ud r20.5<0;1,0>:ud 16:ud
(W) or (1|M0) r20.4<1>:ud r20.4<0;1,0>:ud r20.5<0;1,0>:ud
(W) mov (1|M0) r20.5<1>:ud {code}:ud
(W) send (1|M0) null:ud r20:ud 0x2"""
        text = text.replace("\n(W) send (1|M0) r30:ud r20:ud 0x2", place)
        self.put(CODE + 0x1000 * n, assemble(text))
        self.put(table, words(states + 0x100, states + 0x140, 0, 0, 0, 0, 0, 0))
        self.put(states + 0x100, media_surface(9) + bytes(32))
        width, height = THREADS_X * 16 * bytes_of_pixel, THREADS_Y * 4
        self.put(states + 0x140, words(1 << 29 | 0x140 << 18 | 1 << 16 | 1 << 14, 0, height - 1 << 16 | width // 4 - 1, width - 1, 0, 0, 0,
                                       0x09770000, Batch.BASE + out, *[0] * 7))
        self.put(states + 0x800, taps.state())
        self.put(states, words(*(float_bits(v) for v in (0, 0, 16 * step[0], 4 * step[1], *step, 0)), 0x08000000, *range(0, 32, 4), *[0] * 8))
        self.put(states + 0x80, words(CODE + 0x1000 * n, 0, 0, states + 0x800, table, 3 << 16, 0, 0))
        b = self.batch
        b.pipe_control()
        b.vfe(curbe_rows=3)
        b.curbe(states, 96)
        b.descriptors(states + 0x80, 32)
        b.walker(RASTER, scoreboard=False)

        def value(channel, x, y):
            return scaled(picture, taps, channel, False, step[0] * x * WIDTH, step[1] * y * HEIGHT, False)
        content = bytearray(width * height)
        for y in range(height):
            for x in range(THREADS_X * 16):
                if code == 5:
                    content[y * width + x] = value(1, x, y)
                elif x % 2 == 0:
                    at = y * width + 2 * x
                    content[at:at + 4] = bytes(value(*place) for place in ((1, x, y), (2, x, y), (1, x + 1, y), (0, x, y)))
        self.put(out, bytes(len(content)))
        for at in range(0, len(content), PAGE):
            self.stream.expect(Batch.BASE + out + at, bytes(content[at:at + PAGE]))

    def save(self, path):
        self.put(BATCH, self.batch.end())
        self.stream.save(path, Batch.BASE + BATCH)


def build():
    r = Run()
    pixel = Fraction(1, WIDTH), Fraction(1, HEIGHT)
    nv12, rgba = r.pictures.nv12, r.pictures.rgba
    r.scale(4, nv12, Taps(1, copy, copy), [1], pixel)
    r.scale(4, nv12, Taps(1, linear, linear), [0, 2], (pixel[0] * 3 / 4, pixel[1] / 2))
    r.scale(9, rgba, Taps(3, sharp, copy), [0, 1, 2, 3], (pixel[0] * 5 / 8, pixel[1] * 5 / 4))
    r.scale(9, rgba, Taps(0, sharp, linear), [0, 1, 2, 3], (pixel[0] * 3 / 2, pixel[1] * 3 / 8), pixel[0] / 64, wide=False,
            first=(-pixel[0] * 9 / 4, pixel[1] / 8))
    r.unorm((pixel[0] * 5 / 4, pixel[1] * 3 / 4), (pixel[0] / 8, pixel[1] / 2))
    # Y8, and YUYV.
    r.to_memory(5, (pixel[0] * 5 / 8, pixel[1] * 3 / 4))
    r.to_memory(0, pixel)
    return r


if __name__ == "__main__":
    play(build())
