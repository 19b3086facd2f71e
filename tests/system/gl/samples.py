# SPDX-License-Identifier: Apache-2.0
"""samples.py GEN9SIM MODE GL_SAMPLES COUNT...: pixels of 2, 4, 8 and 16 samples, drawn by Intel's driver on the model, against what exact
arithmetic makes of the same triangles: which samples they cover, their depths, masks, alpha coverage and places of interpolation."""
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from checks import expect, expect_drawn, finish  # noqa: E402

SIDE = 32
PIXEL = 256  # steps of a pixel
# Places in 1/16 pixel: the standard patterns (Vulkan 1.3, 25.4; the same in Direct3D 11.3).
PLACES = {
    2: [(12, 12), (4, 4)],
    4: [(6, 2), (14, 6), (2, 10), (10, 14)],
    8: [(9, 5), (7, 11), (13, 9), (5, 3), (3, 13), (1, 7), (11, 15), (15, 1)],
    16: [(9, 9), (7, 5), (5, 10), (12, 7), (3, 6), (10, 13), (13, 11), (11, 3),
         (6, 14), (8, 1), (4, 2), (2, 12), (0, 8), (15, 4), (14, 15), (1, 0)],
}
CENTRE = (8, 8)


def some_triangles(seed):
    """Large ones, slivers, two with a side in common, one through places of samples, one beyond the picture."""
    chance = random.Random(seed)
    corners = [[[chance.randrange(SIDE * PIXEL) for _ in range(2)] for _ in range(3)] for _ in range(7)]
    for _ in range(4):
        x, y = chance.randrange(SIDE * PIXEL), chance.randrange(SIDE * PIXEL)
        corners.append([[x, y], [x + chance.randrange(-400, 400), y + chance.randrange(-400, 400)],
                        [chance.randrange(SIDE * PIXEL), chance.randrange(SIDE * PIXEL)]])
    shared = [[chance.randrange(16, 496) * 16 for _ in range(2)] for _ in range(4)]
    corners += [shared[:3], shared[1:]]
    corners.append([[320, 352], [320 + 1024, 352], [320, 352 + 1024]])
    corners.append([[-1500, 3000], [9000, 3500], [4000, 9500]])
    return [([tuple(place) for place in triangle], [chance.randrange(3000, 62000) for _ in range(3)],
             tuple(chance.randrange(20, 256) for _ in range(3))) for triangle in corners]


def twice_area(a, b, p):
    return (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0])


class Triangle:
    def __init__(self, places, depths, color):
        self.places, self.depths, self.color = places, depths, color
        # Its corners' w go through 1, 2 and 4.
        self.w = [1, 2, 4]
        self.area = twice_area(*places)

    def covers(self, p):
        """Inside, or on a top or left side (y goes down, as rows of memory do)."""
        if self.area == 0:
            return False
        a, b, c = self.places if self.area > 0 else self.places[::-1]
        for start, end in ((a, b), (b, c), (c, a)):
            e = twice_area(start, end, p)
            dx, dy = end[0] - start[0], end[1] - start[1]
            if e < 0 or (e == 0 and not (dy < 0 or (dy == 0 and dx > 0))):
                return False
        return True

    def weights(self, p):
        a, b, c = self.places
        # Integers of less than 53 bits: a double tells the quotient within its last bit.
        return [e / self.area for e in (twice_area(b, c, p), twice_area(c, a, p), twice_area(a, b, p))]

    def depth(self, p):
        return sum(weight * z for weight, z in zip(self.weights(p), self.depths)) / 65536

    def at(self, p):
        """The corners' places, interpolated with perspective: in pixels."""
        parts = [weight / w for weight, w in zip(self.weights(p), self.w)]
        whole = sum(parts)
        if whole == 0:
            return None
        return tuple(sum(part * place[i] for part, place in zip(parts, self.places)) / whole / PIXEL for i in (0, 1))


def point(pixel, place):
    return (pixel[0] * PIXEL + place[0] * 16, pixel[1] * PIXEL + place[1] * 16)


def alpha_samples(alpha, count):
    """The samples that an alpha, a fraction, covers: quarters of them, and then one more of each four (mesa, brw_nir_lower_alpha_to_coverage.c)."""
    m = 16 * alpha[0] // alpha[1]
    quarters = {0: 0, 4: 8, 8: 10, 12: 14, 16: 15}[m & ~3]
    mask = sum(quarters << at for at in (0, 4, 8, 12))
    if m & 1:
        mask |= 1 << 8
    if m & 2:
        mask |= 1 << 4 | 1 << 12
    return mask & ((1 << count) - 1)


class Reference:
    def __init__(self, count, triangles):
        self.count, self.places = count, PLACES[count]
        self.triangles = triangles
        self.pixels = [(x, y) for y in range(SIDE) for x in range(SIDE)]
        self.masks = [{pixel: sum(triangle.covers(point(pixel, place)) << s for s, place in enumerate(self.places))
                       for pixel in self.pixels} for triangle in triangles]

    def last(self, pixel, sample, also=lambda pixel, sample: True, masks=None):
        """The last triangle that covers a sample, or none."""
        for number in range(len(self.triangles) - 1, -1, -1):
            if (masks or self.masks)[number][pixel] >> sample & 1 and also(pixel, sample):
                return number
        return None

    def centroid(self, number, pixel):
        mask = self.masks[number][pixel]
        if mask == (1 << self.count) - 1:
            return CENTRE
        return self.places[(mask & -mask).bit_length() - 1]


class Check:
    def __init__(self, reference, folder):
        self.r, self.folder = reference, folder

    def pictures(self, way):
        data = (self.folder / way).read_bytes()
        return lambda pixel, sample=0: tuple(data[4 * ((sample * SIDE + pixel[1]) * SIDE + pixel[0]):][:4])

    def each(self, way, wanted, tolerance=0, first_picture=0):
        """`wanted(pixel, sample)`: four bytes, some of them None, or None where anything is right."""
        got, wrong, first = self.pictures(way), 0, ""
        for pixel in self.r.pixels:
            for sample in range(1 if way == "resolved" else self.r.count):
                bytes_ = wanted(pixel, sample)
                if bytes_ is None:
                    continue
                have = got(pixel, first_picture + sample)
                if any(want is not None and abs(want - is_) > tolerance for want, is_ in zip(bytes_, have)):
                    wrong += 1
                    first = first or f"sample {sample} of {pixel}: {have} for {bytes_}"
        expect(wrong == 0, f"{self.r.count} samples, {way}: {wrong} are wrong: {first}")

    def colored(self, way, number_of, alpha=lambda pixel: 255, first=0):
        def wanted(pixel, sample):
            number = number_of(pixel, sample)
            return (0, 0, 0, 0) if number is None else (*self.r.triangles[number].color, alpha(pixel))
        self.each(way, wanted, first_picture=first)

    def placed(self, way, place_of, perspective=True):
        """Pictures of places: fractions of pixels, then whole ones."""
        got, wrong, first, seen = self.pictures(way), 0, "", 0
        for pixel in self.r.pixels:
            for sample in range(self.r.count):
                number = self.r.last(pixel, sample)
                if number is None:
                    continue
                p = point(pixel, place_of(number, pixel, sample))
                want = self.r.triangles[number].at(p) if perspective else tuple(c / PIXEL for c in p)
                if want is None or min(want) < 0.01 or max(want) > 250:
                    continue
                have = got(pixel, sample)
                seen += 1
                if any(abs(have[2 + i] + have[i] / 255 - want[i]) > 0.004 for i in (0, 1)):
                    wrong += 1
                    first = first or f"sample {sample} of {pixel}: {have} for {want}"
        expect(wrong == 0 and seen > 100, f"{self.r.count} samples, {way}: {wrong} of {seen} are wrong: {first}")

    def all(self):
        r, count = self.r, self.r.count
        every = (1 << count) - 1
        self.colored("covered", r.last)
        self.colored("copied", r.last)

        def average(pixel, _):
            colors = [(0, 0, 0, 0) if n is None else (*r.triangles[n].color, 255) for n in (r.last(pixel, s) for s in range(count))]
            return tuple(round(sum(color[c] for color in colors) / count) for c in range(4))
        self.each("resolved", average, 1)

        def nearest(pixel, sample):
            """The triangle in front, and its depth; None if two are too near each other to tell."""
            p, best, near = point(pixel, r.places[sample]), None, 1.0
            for number, triangle in enumerate(r.triangles):
                if not r.masks[number][pixel] >> sample & 1:
                    continue
                z = triangle.depth(p)
                if abs(z - near) < 4 / (1 << 24):
                    return None
                if z < near:
                    best, near = number, z
            return best, near

        def in_front(pixel, sample):
            found = nearest(pixel, sample)
            return found and ((0, 0, 0, 0) if found[0] is None else (*r.triangles[found[0]].color, 255))
        self.each("depth", in_front)

        def depth_value(pixel, sample):
            found = nearest(pixel, sample)
            return found and (round(found[1] * 255), None, None, None)
        self.each("depth_values", depth_value, 1)

        self.colored("masked", lambda pixel, s: r.last(pixel, s, lambda _, s: 0xA5C6 >> s & 1))
        self.colored("mask_written", lambda pixel, s: r.last(pixel, s, lambda at, s: (at[0] * 2111 + at[1] * 9973) >> s & 1))

        def mask_read(pixel, sample):
            number = r.last(pixel, sample)
            mask = 0 if number is None else r.masks[number][pixel]
            return (mask & 255, mask >> 8, 0, 0 if number is None else 255)
        self.each("mask_read", mask_read)

        def ids(pixel, sample):
            if r.last(pixel, sample) is None:
                return (0, 0, 0, 0)
            return (sample * 16, r.places[sample][0] * 8, r.places[sample][1] * 8, 255)
        self.each("ids", ids)

        whole = [{pixel: every if triangle.covers(point(pixel, CENTRE)) else 0 for pixel in r.pixels} for triangle in r.triangles]
        self.colored("whole_pixels", lambda pixel, s: r.last(pixel, s, masks=whole))

        def covered_by_alpha(pixel, s):
            return r.last(pixel, s, lambda at, s: alpha_samples((at[0], 31), count) >> s & 1)
        self.colored("alpha", covered_by_alpha, lambda pixel: round(255 * pixel[0] / 31))
        self.colored("alpha_to_one", covered_by_alpha)

        def own_sample(number, pixel, sample):
            return r.places[sample]

        def centroid(number, pixel, sample):
            return r.centroid(number, pixel)

        def own_offset(number, pixel, sample):
            return pixel[0] % 16, pixel[1] * 3 % 16
        self.placed("at_sample", own_sample)
        self.placed("flat_at_sample", own_sample, False)
        self.placed("at_centroid", centroid)
        self.placed("at_pixel", lambda *_: CENTRE)
        self.placed("asked_sample", lambda *_: r.places[1])
        self.placed("asked_each_sample", own_sample, False)
        self.placed("asked_centroid", centroid)
        self.placed("asked_offset", lambda *_: (4, 14))
        self.placed("asked_own_offset", own_offset, False)
        self.placed("shaded_samples", own_sample)

        def fetched(pixel, sample):
            color = (0, 0, 0, 0)
            for number, triangle in enumerate(r.triangles):
                if r.masks[number][pixel] >> sample & 1:
                    color = (color[2], triangle.color[1], triangle.color[0], 255)
            return color
        self.each("fetched", fetched)
        for layer in range(3):
            own = [mask if number % 3 == layer else dict.fromkeys(r.pixels, 0) for number, mask in enumerate(r.masks)]
            self.colored("layers", lambda pixel, s, own=own: r.last(pixel, s, masks=own), first=layer * count)


def main():
    gen9sim, mode, program, *counts = sys.argv[1:]
    rows = some_triangles(7)
    text = "".join(" ".join(map(str, [c for place in places for c in place] + depths + list(color))) + "\n" for places, depths, color in rows)
    triangles = [Triangle(*row) for row in rows]
    for count in map(int, counts):
        with tempfile.TemporaryDirectory() as temporary:
            statistics = pathlib.Path(temporary) / "statistics.json"
            command = [gen9sim, "run", "--timing", mode, "--stats", str(statistics), "--", program, str(count), temporary]
            done = subprocess.run(command, input=text, capture_output=True, text=True,
                                  env={**os.environ, "MESA_SHADER_CACHE_DISABLE": "1"})
            said = done.stdout + done.stderr
            expect(done.returncode == 0 and "renderer: Mesa Intel" in said, f"{count} samples: status {done.returncode}: {said[-2000:]}")
            if done.returncode == 0:
                expect_drawn(json.loads(statistics.read_text()))
                Check(Reference(count, triangles), pathlib.Path(temporary)).all()
    finish()


main()
