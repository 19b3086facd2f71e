# SPDX-License-Identifier: Apache-2.0
"""Random reads of images whose values OpenCL defines to the bit, and what they give, in Python. The images hold the
bytes of the input buffer (tests/system/opencl/algorithms/corpus.cpp). Coordinates are fractions that a float holds exactly; a
linear filter's shares are eighths, and its sum is asked for as the integer it is then."""
import math
import struct

from .tree import Expr, Type

UINT = Type("uint")
PARAMETERS = ("read_only image2d_t bytes, read_only image2d_t colours, read_only image2d_array_t pairs, "
              "read_only image3d_t cells, read_only image1d_buffer_t line")
# Channels, their code for struct, width, height, depth or layers.
SHAPES = {"bytes": (4, "B", 32, 32, 1), "colours": (4, "B", 32, 32, 1), "pairs": (2, "H", 16, 16, 4),
          "cells": (4, "H", 8, 8, 8), "line": (1, "I", 1024, 1, 1)}
AXES = {"bytes": 2, "colours": 2, "pairs": 2, "cells": 3, "line": 1}  # those that a sampler's modes concern
MODES = {"clamp": "CLK_ADDRESS_CLAMP", "edge": "CLK_ADDRESS_CLAMP_TO_EDGE", "repeat": "CLK_ADDRESS_REPEAT",
         "mirror": "CLK_ADDRESS_MIRRORED_REPEAT"}


def wrapped(index, size, mode):
    """The texel an index stands for; None beyond the border."""
    if mode == "repeat":
        return index % size
    if mode == "mirror":
        return min(index % (2 * size), 2 * size - 1 - index % (2 * size))
    return min(max(index, 0), size - 1) if mode == "edge" else index if 0 <= index < size else None


def texel(data, name, indices):
    channels, code, width, height, _ = SHAPES[name]
    x, y, z = indices
    memory = (0,) * channels
    if None not in indices:
        size = channels * struct.calcsize(code)
        memory = struct.unpack_from(f"<{channels}{code}", data, ((z * height + y) * width + x) * size)
    return (*memory, *(0, 0, 0, 1)[channels:])


def places(name, mode, steps, per_texel):
    """Coordinates in steps of 1/per_texel texel, each axis with its size."""
    axes, sizes = AXES[name], SHAPES[name][2:]
    return [(step / per_texel, size, mode if axis < axes else "layer")
            for axis, (step, size) in enumerate(zip((*steps, 0, 0)[:3], sizes))]


def layer(at, count):
    return min(max(round(at), 0), count - 1)  # halves to the even one, as rint


def nearest(data, name, mode, per_texel, *steps):
    return texel(data, name, [layer(at, size) if how == "layer" else wrapped(math.floor(at), size, how)
                              for at, size, how in places(name, mode, steps, per_texel)])


def linear64(data, name, mode, per_texel, *steps):
    """64 times the filtered bytes of a two-dimensional image."""
    (x, width, _), (y, height, _) = places(name, mode, steps, per_texel)[:2]
    sums = [0, 0, 0, 0]
    for j in (0, 1):
        for i in (0, 1):
            left, top = math.floor(x - 0.5), math.floor(y - 0.5)
            weight = abs(1 - i - (x - 0.5 - left)) * abs(1 - j - (y - 0.5 - top)) * 64
            found = texel(data, name, [wrapped(left + i, width, mode), wrapped(top + j, height, mode), 0])
            sums = [s + int(weight) * f for s, f in zip(sums, found)]
    return tuple(sums)


def colour(values):
    return tuple(struct.unpack("<f", struct.pack("<f", v / 255))[0] for v in values)


def functions(data):
    """What a kernel's Python may call."""
    return {"image_nearest": lambda *a: nearest(data, *a), "image_linear64": lambda *a: linear64(data, *a), "image_colour": colour}


class ImageReads:
    """The part of a kernel's expressions that reads images: values of one or four uints or floats."""
    images = False

    def reads_image(self, t):
        return self.images and t.base in ("uint", "float") and t.n in (1, 4) and self.random.random() < 0.3

    def image_read(self, t, depth):
        random, wide = self.random, t.wide(4)
        if t.base == "float":
            read = self.read("colours", random.random() < 0.5, depth)
            value = Expr(wide, f"read_imagef({read.form})", f"image_colour(image_nearest({read.meaning}))", *read.parts)
        elif random.random() < 0.25:
            read = self.read("colours", False, depth, 8)
            value = Expr(wide, f"convert_uint4_rte(read_imagef({read.form}) * 16320.0f)", f"image_linear64({read.meaning})", *read.parts)
        else:
            read = self.read(random.choice(["bytes", "bytes", "pairs", "cells", "line"]), random.random() < 0.4, depth)
            value = Expr(wide, f"read_imageui({read.form})", f"image_nearest({read.meaning})", *read.parts)
        if t.n == 4:
            return value
        k = random.randrange(4)
        return Expr(t, f"(@0).s{k:x}", f"@0[{k}]", value)

    def read(self, name, inside, depth, per_texel=4):
        """Arguments of a read: by integers inside without a sampler; else anywhere near, by integers or in steps of a
        part of a texel, normalized or not."""
        random = self.random
        sizes = [size for size in SHAPES[name][2:] if size > 1]
        parts = [self.make(UINT, depth - 1) for _ in sizes]
        if name == "line" or inside:
            own = [f"(int)(@{i} & {size - 1}u)" for i, size in enumerate(sizes)]
            meaning = ", ".join(f"@{i} & {size - 1}" for i, size in enumerate(sizes))
            return Expr(UINT, f"{name}, {self.vector('int', own)}", f"'{name}', 'clamp', 1, {meaning}", *parts)
        linear = per_texel == 8
        by_integers = not linear and random.random() < 0.3
        per_texel = 1 if by_integers else per_texel
        normalized = not by_integers and random.random() < 0.5
        mode = random.choice([*MODES] if normalized else ["clamp", "edge"])
        steps = [(2 * size * per_texel, size * per_texel // 2) for size in sizes]
        meaning = ", ".join(f"(@{i} & {count - 1}) - {before}" for i, (count, before) in enumerate(steps))
        own = [f"((int)(@{i} & {count - 1}u) - {before})" for i, (count, before) in enumerate(steps)]
        if not by_integers:
            axes = AXES[name]
            own = [f"{step} / {per_texel * (size if normalized and axis < axes else 1)}.0f"
                   for axis, (step, size) in enumerate(zip(own, sizes))]
        sampler = (f"CLK_NORMALIZED_COORDS_{'TRUE' if normalized else 'FALSE'} | {MODES[mode]} | "
                   f"CLK_FILTER_{'LINEAR' if linear else 'NEAREST'}")
        kind = "int" if by_integers else "float"
        return Expr(UINT, f"{name}, {sampler}, {self.vector(kind, own)}", f"'{name}', '{mode}', {per_texel}, {meaning}", *parts)

    @staticmethod
    def vector(base, parts):
        if len(parts) == 1:
            return parts[0]
        return f"({Type(base, 2 if len(parts) == 2 else 4)})({', '.join([*parts, '0'] if len(parts) == 3 else parts)})"
