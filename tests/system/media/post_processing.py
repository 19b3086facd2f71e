#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""post_processing.py GEN9SIM: the post-processing kernels of Intel's i965 driver, which scale pictures in two planes, in three and
packed ones, from each kind to each, and convert NV12 to RGB and RGB to NV12.

The driver never runs them on this machine, so they come out of its file (Debian package i965-va-driver) and get a stream and tables
of coefficients of our own: one media object for each 16 by 16 pixels. What they must write is worked out here pixel by pixel, and
that is held against ffmpeg's scaler of the CPU. Status 77: the driver or ffmpeg is not there. --write STREAM leaves the capture.
"""
import pathlib
import random
import shutil
import struct
import subprocess
import sys
from fractions import Fraction
from math import floor

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from checks import expect
from scaling import STATES, TABLES, Taps, float_bits, linear
from stream import PAGE, Batch, Stream, play, words

DRIVER = pathlib.Path("/usr/lib/x86_64-linux-gnu/dri/i965_drv_video.so")
WIDTH, HEIGHT, PITCH = 32, 32, 128
OUT_WIDTH, OUT_HEIGHT = 64, 64
STEP = Fraction(WIDTH, OUT_WIDTH), Fraction(HEIGHT, OUT_HEIGHT)
CODE, BATCH, PICTURES, OUT = 0x40000, 0x80000, 0x100000, 0x200000
SOURCES = {"NV12": "nv12", "PL3": "yuv420p", "PA": "yuyv422", "RGBX": "rgb0"}   # by the kernels' names; ffmpeg's
# From ffmpeg: it rounds elsewhere, and the kernels that convert colours cut the converter's input and output.
DIFFERENCE = {"yuv": 1, "rgb": 4, "from rgb": 2}
# BT.601 of studio range: rows of R, G and B, by Y, U, V, and what is added to each of those first.
FROM_YUV = ((1.164, 0.0, 1.596, -16 / 255), (1.164, -0.392, -0.813, -128 / 255), (1.164, 2.017, 0.0, -128 / 255))
# BT.601 of full range, as the kernel has it: rows of Y, U and V, by R, G, B, and what is added.
FROM_RGB = ((0.299, 0.587, 0.114, 0.0), (-0.169, -0.331, 0.499, 128.0), (0.499, -0.418, -0.0813, 128.0))

# The kernels that scale: from a kind of picture to a kind.
SCALERS = [("NV12_NV12", "NV12", "NV12"), ("NV12_PL3", "NV12", "PL3"), ("PL3_NV12", "PL3", "NV12"), ("PL3_PL3", "PL3", "PL3"),
           ("NV12_PA module", "NV12", "PA"), ("PL3_PA module", "PL3", "PA"), ("PA_NV12 module", "PA", "NV12"), ("PA_PL3 module", "PA", "PL3"),
           ("PA_PA module", "PA", "PA")]
PACKED = {"PA": (0, 2), "RGBX": (9, 4)}   # the surface's format, bytes of a pixel
NORMAL = 0.0039216                   # what the converter multiplies bytes by


def modules(content):
    """Post-processing kernels by name: the driver has tables of them in its data, whose entries begin with pointers to the name
    and to the code (which the loader relocates), the code's size behind it. Of two tables with the names, those of Gen8 and Gen9,
    which differ in the message that ends a thread, the one whose message is clean."""
    sections_at, = struct.unpack_from("<Q", content, 40)
    count, = struct.unpack_from("<H", content, 60)
    sections = [struct.unpack_from("<IIQQQQIIQQ", content, sections_at + 64 * n) for n in range(count)]

    def place(address):
        nobits = 8
        return next((s[4] + address - s[3] for s in sections if s[3] and s[1] != nobits and s[3] <= address < s[3] + s[5]), None)
    pointers = {}
    rela, relative = 4, 8
    for section in sections:
        if section[1] == rela:
            for at in range(section[4], section[4] + section[5] - 23, 24):
                where, kind, target = struct.unpack_from("<QQq", content, at)
                if kind & 0xFFFFFFFF == relative:
                    pointers[where] = target
    found = {}
    for where, target in sorted(pointers.items()):
        name_at, code_at, entry = place(target), place(pointers.get(where + 16, 0)), place(where)
        if None in (name_at, code_at, entry):
            continue
        name = content[name_at:content.index(b"\0", name_at)].decode("ascii", "replace")
        size, = struct.unpack_from("<i", content, entry + 24)
        code = content[code_at:code_at + size] if 16 <= size <= 1 << 20 and size % 16 == 0 else b""
        end = struct.unpack("<4I", code[-16:]) if code else ()
        # A send to the thread spawner, of the message that frees the thread, whose end it is.
        clean = end and end[0] & 0x7F == 0x31 and end[0] >> 24 & 0xF == 7 and end[3] == 0x82000010
        if clean and end[2] >> 27 == 0 and any(struct.pack("<I", message) in code for message in (0x044EB000, 0x050EB000)):
            found.setdefault(name, code)
    return found


class Picture:
    """Noise over a gradient, in planes or packed, and what the scaler makes of it: `sample(plane, x, y)` of an output pixel in 8.8, where
    plane 0 is luma and 1 and 2 are chroma at luma's places, or they are R, G and B."""
    def __init__(self, kind):
        r = random.Random(3)
        self.kind = kind
        rgb = kind == "RGBX"
        columns, lines = WIDTH if rgb else WIDTH // 2, HEIGHT if rgb or kind == "PA" else HEIGHT // 2
        self.planes = [bytes(min(255, 4 * x + 3 * y + r.randrange(32)) for y in range(HEIGHT) for x in range(WIDTH)),
                       *[bytes(min(240, 64 + (9 * x if c else 8 * y) + r.randrange(24)) for y in range(lines) for x in range(columns))
                         for c in range(2)]]
        self.sizes = [(WIDTH, HEIGHT), *[(columns, lines)] * 2]
        self.taps = Taps(1, linear, linear)
        self.first = tuple((step - 1) / 2 for step in STEP)   # pixels are where CPU scalers have them
        self.kept = {}

    def bytes(self):
        luma, *chroma = self.planes
        if self.kind == "RGBX":
            return [bytes(v for pixel in zip(*self.planes, bytes(len(luma))) for v in pixel)]
        if self.kind == "PL3":
            return [luma, *chroma]
        if self.kind == "NV12":
            return [luma, bytes(v for pair in zip(*chroma) for v in pair)]
        return [bytes(v for n in range(len(chroma[0])) for v in (luma[2 * n], chroma[0][n], luma[2 * n + 1], chroma[1][n]))]

    def states(self):
        """Format, width and height of the surface of each part, which rows of the same pitch hold."""
        if self.kind in PACKED:
            return [(PACKED[self.kind][0], WIDTH, HEIGHT)]
        return [(12, WIDTH, HEIGHT), *([(10, WIDTH // 2, HEIGHT // 2)] if self.kind == "NV12" else [(11, WIDTH // 2, HEIGHT // 2)] * 2)]

    def texel(self, plane, x, y):
        width, height = self.sizes[plane]
        return self.planes[plane][min(max(y, 0), height - 1) * width + min(max(x, 0), width - 1)]

    def sample(self, plane, x, y):
        key = plane, x, y
        if key not in self.kept:
            at = [(first + n * step) * size / whole
                  for first, n, step, size, whole in zip(self.first, (x, y), STEP, self.sizes[plane], (WIDTH, HEIGHT))]
            whole = [floor(a) for a in at]
            phase = [floor((a - w) * 32) for a, w in zip(at, whole)]
            total = sum(self.texel(plane, whole[0] + i, whole[1] + j) * linear(0, phase[0], 3 + i) * linear(1, phase[1], 3 + j)
                        for i in range(2) for j in range(2))
            self.kept[key] = min(total + 8 >> 4, 0xFF00)
        return self.kept[key]


class Run:
    def __init__(self, kernels):
        self.stream, self.batch, self.count = Stream(), Batch(), 0
        self.kernels = kernels
        self.batch.begin()
        self.pictures = {kind: Picture(kind) for kind in SOURCES}
        self.places = {}
        for n, (kind, picture) in enumerate(self.pictures.items()):
            for part, ((_, width, _), content) in enumerate(zip(picture.states(), picture.bytes())):
                offset = self.places[kind, part] = PICTURES + 0x10000 * n + 0x4000 * part
                row = width * (PACKED[kind][1] if kind in PACKED else 2 if kind == "NV12" and part else 1)
                for y in range(len(content) // row):
                    self.put(offset + y * PITCH, content[y * row:(y + 1) * row])

    def put(self, offset, data):
        self.stream.put(Batch.BASE + offset, data)

    def source(self, form, width, height, offset):
        return words(0, height - 1 << 18 | width - 1 << 4, form << 27 | PITCH - 1 << 3, 0, 0, 0, Batch.BASE + offset, 0)

    def target(self, width, height, pitch, offset):  # R8_UNORM, whose width counts DWords for media blocks
        return words(1 << 29 | 0x140 << 18 | 1 << 16 | 1 << 14, 0, height - 1 << 16 | width // 4 - 1, pitch - 1, 0, 0, 0, 0x09770000,
                     Batch.BASE + offset, *[0] * 7)

    @staticmethod
    def pitch(width):
        return width + 63 & ~63                      # of linear surfaces

    def add(self, name, kind, targets, blue_first=False):
        """All blocks of a picture of a kind by a kernel. Returns where its output lies. `blue_first`: what a kernel is told of pixels of RGB."""
        n, picture = self.count, self.pictures[kind]
        self.count += 1
        code, states, table, out = CODE + 0x4000 * n, STATES + 0x2000 * n, TABLES + 0x1000 + 0x100 * n, OUT + 0x40000 * n
        self.put(code, self.kernels[name])
        entries = [0] * 0x1B
        surfaces = {part: self.source(*state, self.places[kind, part]) for part, state in enumerate(picture.states())}
        for index, (width, height, offset) in targets.items():
            surfaces[index] = self.target(width, height, self.pitch(width), out + offset)
        for place, (index, surface) in enumerate(surfaces.items()):
            entries[index] = states + 0x1000 + 64 * place
            self.put(entries[index], surface)
        self.put(table, words(*entries))
        self.put(states + 0x800, picture.taps.state())
        rows = [[0] * 8 for _ in range(8)]           # R1 to R8
        rows[1][0] = int(blue_first)
        rows[1][7] = 0xFF << 24 | 3 << 16 | 1 << 8   # alpha; where V, U and Y lie in packed pixels
        rows[2][0], rows[3][0] = (float_bits(step / size) for step, size in zip(STEP, (WIDTH, HEIGHT)))
        rows[5][0], rows[4][0] = (float_bits(first / size) for first, size in zip(picture.first, (WIDTH, HEIGHT)))
        for row, values in enumerate(FROM_YUV):
            rows[6 + row // 2][4 * (row % 2):4 * (row % 2) + 4] = [float_bits(v) for v in values]
        self.put(states, b"".join(words(*row) for row in rows))
        self.put(states + 0x180, words(code, 0, 0, states + 0x800, table, 8 << 16, 0, 0))
        b = self.batch
        b.pipe_control()
        b.vfe(curbe_rows=8, entry_rows=2)
        b.curbe(states, 256)
        b.descriptors(states + 0x180, 32)
        for y in range(0, OUT_HEIGHT, 16):
            for x in range(0, OUT_WIDTH, 16):
                # The place in the scoreboard is 0: the kernels take it for the number of the first block of rows.
                b.object((0, 0), 0, [y << 16 | x, 0, 0, 0, float_bits(1), 0, 0, 0], scoreboard=False)
                b.flush()
        return out

    def expect(self, offset, content, certain=None):
        """`certain(n)`: whether byte n is."""
        self.put(offset, bytes(len(content)))
        for at in range(0, len(content), PAGE):
            end = min(at + PAGE, len(content))
            start = at
            for n in range(at, end + 1, 4):
                if n == end or (certain and not all(certain(k) for k in range(n, n + 4))):
                    if n > start:
                        self.stream.expect(Batch.BASE + offset + start, content[start:n])
                    start = n + 4

    def save(self, path):
        self.put(BATCH, self.batch.end())
        self.stream.save(path, Batch.BASE + BATCH)


def by_ffmpeg(picture, form, source=None):
    """The same picture scaled by the processor; chroma lies at the first of two pixels and lines, here and there. What comes from RGB has full range."""
    flags = "bilinear+accurate_rnd+full_chroma_int+full_chroma_inp"
    places = ":".join(f"{side}_{axis}_chr_pos=0" for side in ("in", "out") for axis in "hv")
    levels = ":out_range=full" if picture.kind == "RGBX" else ""
    done = subprocess.run(["ffmpeg", "-v", "error", "-f", "rawvideo", "-pix_fmt", source or SOURCES[picture.kind], "-s", f"{WIDTH}x{HEIGHT}", "-i", "-", "-vf",
                           f"scale={OUT_WIDTH}:{OUT_HEIGHT}:flags={flags}:{places}{levels}", "-pix_fmt", form, "-f", "rawvideo", "-"],
                          input=b"".join(picture.bytes()), capture_output=True, timeout=60)
    expect(done.returncode == 0, f"ffmpeg: {done.stderr}")
    return done.stdout


def hold(what, ours, theirs, most):
    expect(len(ours) == len(theirs), f"{what}: {len(ours)} bytes, ffmpeg has {len(theirs)}")
    worst = max((abs(a - b) for a, b in zip(ours, theirs)), default=0)
    if "--figures" in sys.argv:
        counts = [sum(abs(a - b) == n for a, b in zip(ours, theirs)) for n in range(8)]
        print(what, counts, worst)
    expect(worst <= most, f"{what}: up to {worst} from ffmpeg's, {most} is allowed")


def scaled(picture, kind):
    """What a kernel must write of a picture, in the parts of a kind of picture."""
    def byte(plane, x, y):
        return min(picture.sample(plane, x, y) + 0x80, 0xFFFF) >> 8
    columns, rows = range(OUT_WIDTH), range(OUT_HEIGHT)
    if kind == "PA":
        return [bytes(v for y in rows for x in columns[::2] for v in (byte(0, x, y), byte(1, x, y), byte(0, x + 1, y), byte(2, x, y)))]
    luma = bytes(byte(0, x, y) for y in rows for x in columns)
    chroma = [bytes(byte(c, x, y) for y in rows[::2] for x in columns[::2]) for c in (1, 2)]
    return [luma, *(chroma if kind == "PL3" else [bytes(v for pair in zip(*chroma) for v in pair)])]


def from_rgb(picture, blue_first):
    """What the kernel that converts must write: luma, chroma, and the bytes that a float's error may turn into the next."""
    near, parts = set(), ([], [])
    for y in range(OUT_HEIGHT):
        for x in range(OUT_WIDTH):
            rgb = [picture.sample(2 - c if blue_first else c, x, y) >> 8 for c in range(3)]
            for part, row in zip((0, 1, 1), FROM_RGB):
                if part and (x % 2 or y % 2):   # chroma of even columns and rows
                    continue
                value = sum(a * b for a, b in zip(row, rgb)) + row[3]
                if abs(value - round(value)) < 1e-4:
                    near.add(len(parts[part]) + part * OUT_WIDTH * OUT_HEIGHT)
                parts[part].append(int(value))
    return bytes(parts[0]), bytes(parts[1]), near


def build(kernels):
    r = Run(kernels)
    widths = {"NV12": (OUT_WIDTH, OUT_WIDTH), "PL3": (OUT_WIDTH, OUT_WIDTH // 2, OUT_WIDTH // 2), "PA": (2 * OUT_WIDTH,)}
    for name, source, target in SCALERS:
        parts = scaled(r.pictures[source], target)
        targets, offset = {}, 0
        for n, (part, width) in enumerate(zip(parts, widths[target])):
            targets[0x18 + n] = width, len(part) // width, offset
            offset += r.pitch(width) * (len(part) // width)
        out = r.add(name, source, targets)
        for part, (width, height, at) in zip(parts, targets.values()):
            rows = b"".join(part[y * width:(y + 1) * width].ljust(r.pitch(width), b"\0") for y in range(height))
            r.expect(out + at, rows)
        hold(name, b"".join(parts), by_ffmpeg(r.pictures[source], SOURCES[target]), DIFFERENCE["yuv"])
    # Colours: the high bytes, by floats, cut. A float's error may turn a whole number into the one below: such pixels are not compared.
    p = r.pictures["NV12"]
    pixels, near = bytearray(), set()
    for y in range(OUT_HEIGHT):
        for x in range(OUT_WIDTH):
            yuv = [(p.sample(c, x, y) >> 8) * NORMAL + FROM_YUV[c][3] for c in range(3)]
            for row in FROM_YUV:
                value = 255 * min(max(sum(a * b for a, b in zip(row, yuv)), 0.0), 1.0)
                if abs(value - round(value)) < 1e-3 and 0 < value < 255:
                    near.add(len(pixels))
                pixels.append(int(value))
            pixels.append(255)
    out = r.add("NV12_RGBX module", "NV12", {0x18: (4 * OUT_WIDTH, OUT_HEIGHT, 0)})
    r.expect(out, bytes(pixels), lambda n: n not in near)
    expect(len(near) < 50, f"{len(near)} values are not compared")
    hold("RGB", bytes(pixels), by_ffmpeg(p, "rgb0"), DIFFERENCE["rgb"])
    p = r.pictures["RGBX"]
    for blue_first in (False, True):
        luma, chroma, near = from_rgb(p, blue_first)
        out = r.add("RGBX_NV12 module", "RGBX", {0x18: (OUT_WIDTH, OUT_HEIGHT, 0), 0x19: (OUT_WIDTH, OUT_HEIGHT // 2, len(luma))}, blue_first)
        r.expect(out, luma + chroma, lambda n, near=near: n not in near)
        expect(len(near) < 50, f"{len(near)} values are not compared")
        hold(f"from RGB, {blue_first=}", luma + chroma, by_ffmpeg(p, "nv12", "bgr0" if blue_first else "rgb0"), DIFFERENCE["from rgb"])
    return r


if __name__ == "__main__":
    if not DRIVER.exists() or not shutil.which("ffmpeg"):
        sys.exit(77)
    found = modules(DRIVER.read_bytes())
    expect({name for name, _, _ in SCALERS} | {"NV12_RGBX module", "RGBX_NV12 module"} <= set(found), f"modules of {DRIVER}: {sorted(found)}")
    play(build(found))
