# SPDX-License-Identifier: Apache-2.0
"""Messages of motion estimation for media_messages.py, and what must come back, worked out from the pictures."""
import functools
import random
import struct

from checks import expect
from media_walks import CURBE, SURFACE, by_surface_number, container
from stream import END, FENCED, READ, WRITE, assemble

SEARCH, CHECK, REFINE, MESH = (8, 0x0C784000), (0xD, 0x10782000), (0xD, 0x10786000), (8, 0x0B080000)
FORWARD, BACKWARD = 0, 1


class Phases:
    """A message's DWords, set by phase, DWord and bits."""
    def __init__(self, kind):
        self.kind = kind
        self.dwords = [0] * (8 * (kind[1] >> 25))

    def set(self, phase, dword, value, low=0):
        self.dwords[8 * phase + dword] |= (value & 0xFFFFFFFF) << low

    def pair(self, phase, dword, x, y):
        self.set(phase, dword, (x & 0xFFFF) | (y & 0xFFFF) << 16)

    def bytes(self):
        return struct.pack(f"<{len(self.dwords)}I", *self.dwords)


class Search:
    """Messages of one kind, one a thread; `check(pictures, answer)` of each says what is wrong. The pictures are NV12: the source,
    forward references and backward ones, of which each shows the source moved by `shifts`."""
    WIDTH, HEIGHT = 64, 48

    def __init__(self, name, forward, backward, messages):
        self.name, self.messages, self.counts = name, messages, (len(forward), len(backward))
        self.kind = messages[0][0].kind
        self.shifts = {(d, n): shift for d, shifts in enumerate((forward, backward)) for n, shift in enumerate(shifts)}
        self.source = random.Random(7).randbytes(self.WIDTH * self.HEIGHT)

    def at(self, x, y):
        return self.source[min(max(y, 0), self.HEIGHT - 1) * self.WIDTH + min(max(x, 0), self.WIDTH - 1)]

    def reference(self, key, x, y):
        x, y = min(max(x, 0), self.WIDTH - 1), min(max(y, 0), self.HEIGHT - 1)
        return self.at(x - self.shifts[key][0], y - self.shifts[key][1])

    def difference(self, key, left, top, vector, excluded=()):
        """Sum of absolute differences of a macroblock from a reference at a vector in pixels."""
        return sum(abs(self.at(left + x, top + y) - self.reference(key, left + x + vector[0], top + y + vector[1]))
                   for y in range(16) for x in range(16) if (x, y) not in excluded)

    def half(self, key, x, y):
        """A reference's sample at a place in half pixels: vertical filter first, then the horizontal one, without rounding."""
        if x % 2:
            a, b, c, d = (self.half(key, x + 2 * n - 3, y) for n in range(4))
        elif y % 2:
            a, b, c, d = (self.half(key, x, y + 2 * n - 3) for n in range(4))
        else:
            return self.reference(key, x // 2, y // 2)
        return min(max((5 * (b + c) - a - d) >> 3, 0), 255)

    @functools.cache
    def quarter(self, key, x, y):
        """The same in quarter pixels: the mean of two neighbours in halves, cut; on a diagonal, of those that lie between pixels in
        one direction only."""
        if x % 2 == 0 and y % 2 == 0:
            return self.half(key, x // 2, y // 2)
        places = {(x + i >> 1, y + j >> 1) for i in ((-1, 1) if x % 2 else (0,)) for j in ((-1, 1) if y % 2 else (0,))}
        if len(places) == 4:
            places = {p for p in places if (p[0] + p[1]) % 2}
        return sum(self.half(key, *p) for p in places) >> 1

    def quarter_difference(self, key, left, top, vector, size=16):
        return sum(abs(self.at(left + x, top + y) - self.quarter(key, 4 * (left + x) + vector[0], 4 * (top + y) + vector[1]))
                   for y in range(size) for x in range(size))

    def refined(self, key, left, top, start, size, quarters):
        """Eight halves around the start, row by row, then eight quarters around the best; of equals the first stays."""
        best = self.quarter_difference(key, left, top, start, size), start
        for step in (2, 1)[:1 + quarters]:
            around = best[1]
            for y in (-step, 0, step):
                for x in (-step, 0, step):
                    vector = around[0] + x, around[1] + y
                    best = min(best, (self.quarter_difference(key, left, top, vector, size), vector), key=lambda b: b[0])
        return best

    def kernel(self):
        function, descriptor = self.kind
        phases, registers = descriptor >> 25, descriptor >> 20 & 31
        text = f"""
(W) mov (8|M0) r90.0<1>:ud r1.0<8;8,1>:ud
(W) and (1|M0) r91.0<1>:ud r0.1<0;1,0>:ud 0x7FF:ud
(W) mul (1|M0) r92.0<1>:ud r91.0<0;1,0>:ud {32 * phases}:uw
(W) mul (1|M0) r92.1<1>:ud r91.0<0;1,0>:ud {32 * registers}:uw
(W) add (1|M0) r92.1<1>:ud r92.1<0;1,0>:ud {32 * phases * len(self.messages)}:ud"""
        for n in range(8):
            text += f"\n(W) mov (1|M0) r93.{n}<1>:ud {4 * n}:ud"
        for n in range(phases):
            text += f"""
(W) add (8|M0) r94.0<1>:ud r93.0<8;8,1>:ud r92.0<0;1,0>:ud
(W) send (8|M0) r{10 + n}:ud r94:ud 0xC 0x{READ:x}
(W) add (1|M0) r92.0<1>:ud r92.0<0;1,0>:ud 32:ud"""
        text += f"""
(W) add (1|M0) a0.0<1>:ud r90.0<0;1,0>:ud 0x{descriptor:x}:ud
(W) send (1|M0) r30:ud r10:ud 0x{function:x} a0.0"""
        for n in range(registers):
            text += f"""
(W) add (8|M0) r94.0<1>:ud r93.0<8;8,1>:ud r92.1<0;1,0>:ud
(W) mov (8|M0) r95.0<1>:ud r{30 + n}.0<8;8,1>:ud
(W) send (8|M0) null r94:ud 0xC 0x{WRITE:x}
(W) add (1|M0) r92.1<1>:ud r92.1<0;1,0>:ud 32:ud"""
        return assemble(by_surface_number(text + FENCED + END, "r90.1"))

    def write(self, folder, n):
        arguments = [(SURFACE, CURBE, 4), (SURFACE, CURBE + 4, 4)]
        (folder / f"{n}.isa").write_bytes(container("media", self.kernel(), arguments))
        chroma = bytes(self.WIDTH * self.HEIGHT // 2)
        pictures = self.source + chroma
        for key in sorted(self.shifts):
            pictures += bytes(self.reference(key, x, y) for y in range(self.HEIGHT) for x in range(self.WIDTH)) + chroma
        (folder / f"{n}.picture").write_bytes(pictures)
        content = b"".join(message.bytes() for message, _ in self.messages)
        self.answer_bytes = 32 * (self.kind[1] >> 20 & 31)
        (folder / f"{n}.in").write_bytes(content + bytes(self.answer_bytes * len(self.messages)))
        return (f"search {n}.isa {n}.picture {n}.in {n}.out {len(self.messages)} 1 nv12 {self.WIDTH} {self.HEIGHT} "
                f"{self.counts[0]} {self.counts[1]}\n"), len(content)

    def check(self, content, first, mode):
        for n, (_, check) in enumerate(self.messages):
            answer = content[first + n * self.answer_bytes:][:self.answer_bytes]
            wrong = check(self, answer)
            expect(not wrong, f"{mode}, {self.name}, message {n}: {wrong}")


def whole_search(at, number, bring):
    """A search of 32x32 pixels around the block, row by row, for the shift of forward reference `number`."""
    m = Phases(SEARCH)
    m.pair(0, 0, -8, -8)
    m.pair(0, 2, *at)
    m.set(0, 5, 32 << 24 | 32 << 16)
    m.set(1, 1, 63)
    m.set(1, 2, 16 << 8 | 16)
    m.set(1, 6, sum(number << 8 * block for block in range(4)))
    path = bytes([*[1] * 3, 0x10, *[0xF] * 3, 0x10, *[1] * 3, 0x10, *[0xF] * 3])
    for n, step in enumerate(path):
        m.set(4 + n // 32, n % 32 // 4, step, 8 * (n % 4))

    def check(search, answer):
        x, y = (4 * v for v in bring)
        vectors = {struct.unpack_from("<hh", answer, 32 + 32 * (b // 4) + 8 * (b % 4)) for b in range(16)}
        distortion, = struct.unpack_from("<H", answer, 8)
        ids = {answer[32 * 6 + n] & 15 for n in range(4)}
        if vectors != {(x, y)} or distortion or ids != {number}:
            return f"vectors {vectors} for {(x, y)}, distortion {distortion}, references {ids}"
        return None
    return m, check


def whole_mesh(at, origin, excluded):
    """Distortions of 16 by 16 positions, without some of the pixels."""
    m = Phases(MESH)
    m.pair(0, 0, *origin)
    m.pair(0, 2, *at)
    m.set(1, 7, 3, 16)                              # costs by pairs of pixels: none of these vectors is so far that it costs
    for x, y in excluded:
        m.set(4, y // 2, 1, 16 * (y % 2) + x)

    def check(search, answer):
        for phase, word in [(n * 5 % 16, n) for n in range(16)]:
            vector = origin[0] + phase % 4 * 4 + word % 4, origin[1] + phase // 4 * 4 + word // 4
            expected, got = search.difference((FORWARD, 0), *at, vector, excluded), struct.unpack_from("<H", answer, 32 * phase + 2 * word)[0]
            if got != expected:
                return f"phase {phase} word {word}: {got} for {expected}"
        return None
    return m, check


def skip_check(at, direction, vector):
    """The distortion of a given vector, in quarter pixels, in one direction."""
    m = Phases(CHECK)
    m.pair(0, 2, *at)
    m.set(1, 0, 1)                                  # the skip check
    m.set(1, 7, 1 << direction, 24)
    m.pair(4, direction, *vector)
    m.set(5, 1, 2 << 8)                             # nothing intra

    def check(search, answer):
        expected = search.quarter_difference((direction, 0), *at, vector)
        skip, first = struct.unpack_from("<H", answer, 10)[0], struct.unpack_from("<H", answer, 160)[0]
        if min(expected, 0xFFFF) != skip or first != skip:
            return f"distortions {skip} and {first} for {expected}"
        return None
    return m, check


def refinement(at, key, start, by_parts, quarters):
    """Each part of a macroblock, or it as a whole, refined in one direction."""
    m, (direction, number) = Phases(REFINE), key
    m.pair(0, 2, *at)
    m.set(0, 3, 3 if quarters else 1, 12)
    m.set(0, 3, 1, 18)                              # in this direction alone
    m.set(1, 1, 32 << 16 | 63)
    m.set(1, 6, sum(number << 8 * block + 4 * direction for block in range(4)))
    m.set(2, 5, 3 * by_parts)
    m.set(2, 5, sum(direction << 2 * block for block in range(4)), 16)
    for z in range(16):
        m.pair(4 + z // 4, 2 * (z % 4) + direction, *start)

    def check(search, answer):
        size, total = 8 if by_parts else 16, 0
        for part in range(4 if by_parts else 1):
            best, vector = search.refined(key, at[0] + part % 2 * 8, at[1] + part // 2 * 8, start, size, quarters)
            total += best
            got, = struct.unpack_from("<H", answer, 160 + 8 * part)
            vectors = {struct.unpack_from("<hh", answer, 32 + 32 * (z // 4) + 8 * (z % 4) + 4 * direction)
                       for z in range(4 * part, 4 * part + 4 if by_parts else 16)}
            if got != best or vectors != {vector}:
                return f"part {part}: {got} at {vectors} for {best} at {vector}"
        sum_of, = struct.unpack_from("<H", answer, 8)
        return None if sum_of == total else f"{sum_of} for {total}"
    return m, check


def searches():
    forward, backward = [(3, -2), (-5, 4)], [(6, 1)]
    hole = {(x, y) for y in range(4, 9) for x in range(3 + y, 14)}
    return [
        Search("FBR", forward, backward, [refinement((16, 16), (FORWARD, 0), (12, -8), False, True), refinement((32, 16), (FORWARD, 1), (-17, 14), True, True),
                                          refinement((0, 32), (BACKWARD, 0), (22, 6), False, False), refinement((40, 8), (BACKWARD, 0), (25, 3), True, False)]),
        Search("IME", forward, backward, [whole_search(at, n, forward[n]) for at in ((16, 16), (32, 16)) for n in (0, 1)]),
        Search("IDM", forward, backward, [whole_mesh((16, 16), (-8, -8), set()), whole_mesh((32, 16), (-6, 2), hole),
                                          whole_mesh((48, 32), (1, 3), hole)]),
        Search("SIC", forward, backward, [skip_check((16, 16), FORWARD, (12, -8)), skip_check((16, 16), BACKWARD, (24, 4)),
                                          skip_check((0, 32), BACKWARD, (-28, 36))]
               + [skip_check((24, 8), n % 2, (x, y)) for n, (x, y) in enumerate((x, y) for y in range(-9, -5) for x in range(5, 9))]),
    ]
