# SPDX-License-Identifier: Apache-2.0
"""Messages of the media sampler for media_messages.py: the driver's scaler, grids and kernels' own states, and what they give."""
import functools
import random
import struct
from fractions import Fraction
from math import floor

from checks import expect
from media_walks import CURBE, SURFACE, by_surface_number, container
from scaling import copy, float_bits, kernel_text, linear, sharp
from stream import assemble

SAMPLER = 1                                      # the container's kind of argument
RED, GREEN, BLUE, ALPHA = range(4)
WIDE, WIDE_HALF, BYTES, BYTES_HALF = range(4)    # forms of the results; half: red and blue of even columns only
SHAPES = ((16, 4), (8, 4), (16, 8), (4, 4))      # by Message_Seq
UNTOUCHED = 0x5A
NUMBER = 0x7EADBE00                              # a kernel's immediate values that stand for its numbers
assembled = functools.cache(assemble)
# Where chroma lies: the runtime's numbers (left 1, centre 2; top 10h, centre 20h) in pixels of luma.
SITINGS = {0x11: (0, 0), 0x21: (0, Fraction(1, 2)), 0x12: (Fraction(1, 2), 0), 0x22: (Fraction(1, 2), Fraction(1, 2))}


class Picture:
    """Random pixels in a format of the driver; `at(channel, x, y)` inside, `size(channel)` of a channel's plane."""
    def __init__(self, form, width, height):
        self.form, self.width, self.height = form, width, height
        count = {"nv12": 3, "yuy2": 4, "uyvy": 4, "argb": 8}[form] * width * height // 2
        self.bytes = random.Random(width).randbytes(count)

    def halves(self, channel):
        """Whether the channel has half of the columns, and of the rows."""
        chroma = channel in (RED, BLUE) and self.form != "argb"
        return chroma, chroma and self.form == "nv12"

    def size(self, channel):
        half = self.halves(channel)
        return self.width >> half[0], self.height >> half[1]

    def at(self, channel, x, y):
        w, h = self.width, self.height
        if self.form == "argb":   # blue is the lowest byte
            return self.bytes[4 * (y * w + x) + (2, 1, 0, 3)[channel]]
        if self.form == "nv12":
            return self.bytes[y * w + x if channel == GREEN else (h + y) * w + 2 * x + (channel == RED)]
        luma, cb, cr = (0, 1, 3) if self.form == "yuy2" else (1, 0, 2)
        return self.bytes[2 * (y * w + x) + luma if channel == GREEN else 2 * y * w + 4 * x + (cr if channel == RED else cb)]

    def row(self, channel, y):
        """Texels of a row by index, however far outside."""
        size = self.size(channel)
        y = min(max(y, 0), size[1] - 1)
        return lambda x: self.at(channel, min(max(x, 0), size[0] - 1), y)


class Turned:
    """A picture after so many quarter turns clockwise."""
    def __init__(self, picture, turns):
        self.form, self.bytes, self.picture, self.turns = picture.form, picture.bytes, picture, turns
        self.width, self.height = (picture.width, picture.height)[::-1 if turns % 2 else 1]

    def halves(self, channel):
        return self.picture.halves(channel)

    def size(self, channel):
        return self.picture.size(channel)[::-1 if self.turns % 2 else 1]

    def at(self, channel, x, y):
        for turn in range(self.turns):
            # What was at the left is at the top.
            width, height = self.size(channel)[::-1 if turn % 2 else 1]
            x, y = y, width - 1 - x
        return self.picture.at(channel, x, y)

    row = Picture.row


class Scale:
    """A walk of `threads` that sample blocks side by side. `groups`: this many blocks below each other have one group's place,
    and their number in it. `siting`: the runtime's number, and where the first chroma pixel lies, in pixels of luma; rows of chroma lie
    between two rows of luma, columns on the first of two, if the runtime is not told."""
    def __init__(self, name, picture, tables, channels, step, taps=8, first=(0, 0), second=0, sequence=0, form=WIDE, shuffle=False,
                 threads=(2, 4), groups=1, turns=0, siting=None):
        self.name, self.picture, self.tables, self.channels, self.step, self.taps = name, picture, tables, channels, step, taps
        self.first, self.second, self.sequence, self.form, self.shuffle = first, second, sequence, form, shuffle
        self.threads, self.groups = threads, groups
        self.turns, self.siting, self.lies = turns, *(siting or (0, (0, Fraction(1, 2))))
        self.source = picture
        if turns:
            self.picture = Turned(picture, turns)
        self.block = SHAPES[sequence]

    KIND, MESSAGE = "scale", 0xB                 # sample_8x8

    def control(self):
        """M1.7: the edge filter is passed by."""
        return 1 << 27 | self.sequence << 25

    def of_table(self, channel, axis, phase):
        eight = self.taps == 8 and channel == GREEN
        table = self.tables[0 if channel == GREEN else 1]
        return [table(axis, phase, n) if eight or 2 <= n < 6 else 0 for n in range(8)]

    def values(self, channel):
        """Results in a plane: `(x, y)` of all blocks' pixels."""
        if self.picture.form != "argb" and channel == ALPHA:
            return lambda x, y: 0xFF00 if self.form in (WIDE, WIDE_HALF) else 0xFF
        halves = self.picture.halves(channel)
        places = []
        for axis, count in enumerate(self.threads):
            places.append([])
            for n in range(count * self.block[axis]):
                at = self.first[axis] + n * Fraction(self.step[axis])
                if axis == 0:
                    inner = n % self.block[0]
                    at += Fraction(self.second) * inner * (inner - 1) / 2
                if halves[axis]:
                    at = (at - self.lies[axis]) / 2
                places[axis].append((floor(at), floor((at - floor(at)) * 32)))
        lines = {}

        def value(x, y):
            (column, phase_x), (line, phase_y) = places[0][x], places[1][y]
            total = 0
            for n, weight in enumerate(self.of_table(channel, 1, phase_y)):
                if not weight:
                    continue
                key = x, line + n - 3
                if key not in lines:
                    row = self.picture.row(channel, line + n - 3)
                    lines[key] = sum(w * row(column + i - 3) for i, w in enumerate(self.of_table(channel, 0, phase_x)) if w)
                total += weight * lines[key]
            return min(max(total + 8 >> 4, 0), 0xFF00) if self.form in (WIDE, WIDE_HALF) else min(max(total + 2048 >> 12, 0), 0xFF)
        return value

    def registers(self, values, left, top):
        """A block's registers as 003:10507-10979 draws them."""
        content = b""
        width, height = self.block
        columns = 8 if self.shuffle else 16
        wide, half = self.form in (WIDE, WIDE_HALF), self.form in (WIDE_HALF, BYTES_HALF)

        def pixels(channel, x0, y0):
            part = b""
            for y in range(y0, y0 + 4):
                for x in range(x0, x0 + columns, 2 if half and channel in (RED, BLUE) else 1):
                    if x >= width:
                        part += bytes([UNTOUCHED] * (2 if wide else 1))
                    else:
                        part += values[channel](left + x, top + y).to_bytes(2 if wide else 1, "little")
            return part
        for y in range(0, height, 4):
            for x in range(0, max(width, columns), columns):
                order = [c for c in (RED, GREEN, BLUE, ALPHA) if c in self.channels]
                if self.form == BYTES_HALF and self.shuffle and (RED in order or BLUE in order):
                    # Blue and red share a register.
                    for channel in (BLUE, RED):
                        content += pixels(channel, x, y) if channel in order else bytes([UNTOUCHED] * 16)
                    order = [c for c in order if c in (GREEN, ALPHA)]
                for channel in order:
                    content += pixels(channel, x, y)
        return content

    def expected(self):
        values = {c: self.values(c) for c in self.channels}
        return b"".join(self.registers(values, x * self.block[0], y * self.block[1])
                        for y in range(self.threads[1]) for x in range(self.threads[0]))

    def registers_of(self, expected):
        """What a message returns."""
        return len(expected) // 32 // (self.threads[0] * self.threads[1])

    def arguments(self):
        return [(SURFACE, CURBE, 4), (SAMPLER, CURBE + 4, 4), (SURFACE, CURBE + 8, 4)]

    def send(self):
        return "(W) send (1|M0) r30:ud r20:ud 0x2 a0.0"

    def kernel(self, count):
        header2 = self.form << 18 | sum(1 << 12 + c for c in range(4) if c not in self.channels)
        pixel = self.picture.width, self.picture.height
        step = [Fraction(self.step[n]) / pixel[n] for n in (0, 1)]
        numbers = [float_bits(v) for v in (Fraction(self.first[0]) / pixel[0], Fraction(self.first[1]) / pixel[1],
                                           self.block[0] * step[0], self.block[1] * step[1], *step, Fraction(self.second) / pixel[0])]
        control = self.control()
        begin = "\n(W) mov (8|M0) r60.0<1>:ud r1.0<8;8,1>:ud"
        for n in range(8):
            begin += f"\n(W) mov (1|M0) r1.{n}<1>:ud 0x{NUMBER + n:x}:ud"
        for n in range(8):
            begin += f"\n(W) mov (1|M0) r2.{n}<1>:ud {4 * n}:ud"
        begin += "\n(W) mov (1|M0) r3.0<1>:ud 0:ud"
        for n in range(count):
            begin += f"\n(W) mov (8|M0) r{30 + n}.0<1>:ud 0x{UNTOUCHED * 0x01010101:x}:ud"
        begin += "\n(W) shl (1|M0) r60.1<1>:ud r60.1<0;1,0>:ud 8:ud\n(W) add (1|M0) r60.0<1>:ud r60.0<0;1,0>:ud r60.1<0;1,0>:ud"
        descriptor = 0x04000000 | self.MESSAGE << 12 | count << 20 | 0xE0000
        text = kernel_text(descriptor, header2, count, self.threads[0], self.groups)
        text = text.replace(f"(W) send (1|M0) r30:ud r20:ud 0x2 0x{descriptor:x}",
                            f"(W) add (1|M0) a0.0<1>:ud r60.0<0;1,0>:ud 0x{descriptor:x}:ud\n{self.send()}")
        code = assembled(begin + by_surface_number(text, "r60.2"))
        for n, number in enumerate(numbers + [control]):
            place = struct.pack("<I", NUMBER + n)
            expect(code.count(place) == 1, f"{self.name}: {code.count(place)} places of number {n}")
            code = code.replace(place, struct.pack("<I", number))
        return code

    def job(self, n):
        p = self.source
        return f"{p.form} {p.width} {p.height} {self.turns} {self.siting} {n}.tables {self.taps} {int(self.shuffle)}"

    def write(self, folder, n):
        expected = self.expected()
        (folder / f"{n}.isa").write_bytes(container("media", self.kernel(self.registers_of(expected)), self.arguments()))
        (folder / f"{n}.picture").write_bytes(self.picture.bytes)
        (folder / f"{n}.in").write_bytes(bytes(len(expected)))
        (folder / f"{n}.tables").write_bytes(bytes(table(axis, phase, tap) & 0xFF for table in self.tables for axis in range(2)
                                                   for phase in range(32) for tap in range(8)))
        return f"{self.KIND} {n}.isa {n}.picture {n}.in {n}.out {self.threads[0]} {self.threads[1]} {self.job(n)}\n", expected

    def check(self, content, expected, mode):
        wrong = [n for n in range(len(expected)) if content[n] != expected[n]]
        expect(not wrong, f"{mode}, {self.name}: {len(wrong)} of {len(expected)} bytes are wrong, the first at {wrong[:8]}: "
               f"{content[wrong[0] & ~31:][:32].hex() if wrong else ''} for {expected[wrong[0] & ~31:][:32].hex() if wrong else ''}")


class Grid(Scale):
    """Blocks of 8 by 4 pixels by sample_unorm: eight bits, the nearest texel or four weighed in 256ths."""
    KIND, MESSAGE = "grid", 0xC

    def __init__(self, name, picture, channels, step, is_linear, form=WIDE, first=(0, 0)):
        super().__init__(name, picture, (copy, copy), channels, step, first=first, form=form, threads=(2, 4))
        self.block, self.is_linear = (8, 4), is_linear

    def control(self):
        return 0

    def job(self, n):
        return f"{self.source.form} {self.source.width} {self.source.height} {int(self.is_linear)}"

    def values(self, channel):
        def value(x, y):
            u, v = (self.first[axis] + n * Fraction(self.step[axis]) for axis, n in enumerate((x, y)))
            if not self.is_linear:
                texel = self.picture.row(channel, floor(v))(floor(u))
            else:
                u, v = u - Fraction(1, 2), v - Fraction(1, 2)
                right, low = floor((u - floor(u)) * 256), floor((v - floor(v)) * 256)
                texel = sum(self.picture.row(channel, floor(v) + j)(floor(u) + i) * (right if i else 256 - right) * (low if j else 256 - low)
                            for i in range(2) for j in range(2)) + 32768 >> 16
            return texel << 8 if self.form in (WIDE, WIDE_HALF) else texel
        return value

    def registers(self, values, left, top):
        """As 003:10311-10485 draws them."""
        wide, half = self.form in (WIDE, WIDE_HALF), self.form in (WIDE_HALF, BYTES_HALF)

        def pixels(channel, step):
            return b"".join(values[channel](left + x, top + y).to_bytes(2 if wide else 1, "little") for y in range(4) for x in range(0, 8, step))
        content, order = b"", [c for c in (RED, GREEN, BLUE, ALPHA) if c in self.channels]
        if self.form == BYTES_HALF and (RED in order or BLUE in order):
            for channel in (BLUE, RED):
                content += pixels(channel, 2) if channel in order else bytes([UNTOUCHED] * 16)
            order = [c for c in order if c in (GREEN, ALPHA)]
        return content + b"".join(pixels(c, 2 if half and c in (RED, BLUE) else 1) for c in order)


class Direct(Scale):
    """Blocks that the sampler itself writes to a surface of bytes: luma (5), or packed as a format of two pixels in four bytes says."""
    KIND = "direct"
    PACKED = ("YUYV", "VYUY", "YVYU", "UYVY")

    def __init__(self, name, picture, tables, code, step):
        super().__init__(name, picture, tables, [RED, GREEN, BLUE], step, form=BYTES)
        self.code, self.pixel_bytes = code, 1 if code == 5 else 2
        self.target = self.threads[0] * 16 * self.pixel_bytes, self.threads[1] * 4

    def job(self, n):
        return f"{super().job(n)} {self.target[0]} {self.target[1]}"

    def expected(self):
        red, green, blue = (self.values(c) for c in (RED, GREEN, BLUE))
        content = b""
        for y in range(self.target[1]):
            for x in range(0, self.threads[0] * 16, 2):
                if self.code == 5:
                    content += bytes((green(x, y), green(x + 1, y)))
                    continue
                luma = [green(x, y), green(x + 1, y)]
                content += bytes(luma.pop(0) if c == "Y" else (blue if c == "U" else red)(x, y) for c in self.PACKED[self.code])
        return content

    def registers_of(self, expected):
        return 0

    def arguments(self):
        return [*super().arguments(), (SURFACE, CURBE + 12, 4)]

    def send(self):
        """The place of the thread's block in bytes and rows, the format, the surface."""
        return f"""(W) mul (1|M0) r20.4<1>:ud r4.0<0;1,0>:ud {16 * self.pixel_bytes}:uw
(W) and (1|M0) r20.5<1>:ud r0.1<0;1,0>:ud 0x7FF0000:ud
(W) shl (1|M0) r20.5<1>:ud r20.5<0;1,0>:ud 2:ud
(W) or (1|M0) r20.4<1>:ud r20.4<0;1,0>:ud r20.5<0;1,0>:ud
(W) mov (1|M0) r20.5<1>:ud {self.code}:ud
(W) shl (1|M0) r61.0<1>:ud r60.2<0;1,0>:ud 24:ud
(W) or (1|M0) r20.2<1>:ud r20.2<0;1,0>:ud r61.0<0;1,0>:ud
(W) send (1|M0) null:ud r20:ud 0x2 a0.0"""


def directs():
    nv12, argb = Picture("nv12", 64, 32), Picture("argb", 64, 32)
    return [Direct("luma that the sampler writes", nv12, (sharp, linear), 5, (Fraction(3, 4), Fraction(5, 4))),
            *[Direct(f"{name} that the sampler writes", argb, (copy, linear), code, (Fraction(3, 4), 1)) for code, name in enumerate(Direct.PACKED)]]


def grids():
    argb, every = Picture("argb", 64, 32), [RED, GREEN, BLUE, ALPHA]
    steps = Fraction(5, 4), Fraction(3, 4)
    half = Fraction(1, 2), Fraction(1, 2)
    return [Grid("a grid of the nearest", argb, every, (1, 1), False, first=half),
            Grid("a grid of the nearest, two apart", argb, [RED, ALPHA], (2, Fraction(3, 2)), False, first=(Fraction(-9, 4), Fraction(1, 8))),
            *[Grid(f"a grid, linear, form {form}", argb, channels, steps, True, form, (Fraction(1, 8), Fraction(-5, 2)))
              for form, channels in ((WIDE, every), (WIDE_HALF, every), (BYTES, [RED, GREEN, BLUE]), (BYTES_HALF, every), (BYTES_HALF, [BLUE, ALPHA]))]]


def scales():
    nv12, argb, odd = Picture("nv12", 64, 32), Picture("argb", 64, 32), Picture("nv12", 40, 24)
    every, colours = [RED, GREEN, BLUE, ALPHA], [RED, GREEN, BLUE]
    eighths = Fraction(5, 8), Fraction(3, 8)
    made = [
        Scale("luma is copied", nv12, (copy, copy), [GREEN], (1, 1), threads=(4, 8)),
        Scale("luma of 40 by 24 is copied, with its edges", odd, (copy, sharp), [GREEN], (1, 1), threads=(4, 8)),
        Scale("all of NV12 by two taps", nv12, (linear, linear), every, eighths, taps=4),
        Scale("eight taps of luma, four of chroma", nv12, (sharp, linear), colours, (Fraction(3, 4), Fraction(5, 4)), form=BYTES),
        Scale("RGB by two taps", argb, (linear, linear), every, eighths),
        Scale("RGB, eight taps of green", argb, (sharp, linear), every, (Fraction(5, 4), Fraction(7, 8)), taps=8),
        Scale("RGB, four taps", argb, (sharp, linear), colours, eighths, taps=4, second=Fraction(1, 64), first=(Fraction(-9, 4), Fraction(1, 8))),
        Scale("repeated edges", argb, (sharp, linear), [GREEN, ALPHA], (Fraction(3, 2), 2), first=(-20, -24), form=BYTES, threads=(4, 8)),
        Scale("YUY2", Picture("yuy2", 64, 32), (linear, linear), colours, eighths),
        Scale("UYVY", Picture("uyvy", 64, 32), (linear, linear), colours, eighths),
        *[Scale(f"turned by {90 * n} degrees", argb, (sharp, linear), [GREEN, BLUE], eighths, turns=n, form=BYTES) for n in (1, 2, 3)],
        *[Scale(f"chroma sited {number:x}", nv12, (linear, linear), [RED, BLUE], eighths, siting=(number, lies), form=BYTES)
          for number, lies in SITINGS.items()],
        Scale("blocks of 16 by 4 of a group", nv12, (copy, copy), [GREEN], (1, 1), groups=4, threads=(4, 8)),
        Scale("blocks of 16 by 8 of a group", nv12, (copy, copy), [GREEN], (1, 1), sequence=2, threads=(4, 4), groups=2),
        Scale("blocks of 4 by 4 of a group", nv12, (copy, copy), [GREEN], (1, 1), sequence=3, shuffle=True, threads=(8, 8), groups=2),
        Scale("16 by 8, chroma", nv12, (linear, linear), [RED, BLUE], (1, 1), sequence=2, threads=(4, 4)),
        Scale("16 by 8, half the chroma, in words", argb, (linear, linear), colours, (1, 1), sequence=2, form=WIDE_HALF, threads=(4, 4)),
    ]
    names = {WIDE: "words", WIDE_HALF: "words, half the chroma", BYTES: "bytes", BYTES_HALF: "bytes, half the chroma"}
    for form, name in names.items():
        for sequence, shape in enumerate(SHAPES):
            for shuffle in (False, True):
                if (sequence in (1, 3) and not shuffle) or (sequence == 2 and (form in (WIDE, WIDE_HALF) or shuffle)):
                    continue
                made.append(Scale(f"blocks of {shape[0]} by {shape[1]}{', shuffled' if shuffle else ''}, {name}", argb, (copy, linear), every,
                                  (Fraction(3, 4), 1), sequence=sequence, form=form, shuffle=shuffle, threads=(2, 2)))
    for channels in ([RED], [BLUE], [GREEN, ALPHA], [BLUE, ALPHA]):
        for form in (BYTES_HALF, WIDE_HALF):
            made.append(Scale(f"channels {channels}, shuffled, {names[form]}", argb, (copy, linear), channels, (Fraction(3, 4), 1),
                              form=form, shuffle=True, threads=(2, 2)))
    return made


# --- Motion estimation: IME and IDM go to function 8, SIC to D; descriptors without the number of the source.
