# SPDX-License-Identifier: Apache-2.0
"""What ffmpeg's tonemap_opencl=tonemap=clip:desat=0 makes of a BT.2020 PQ picture: P010 in, NV12 of BT.709 out.

PoCL has no images of two channels, and no filter on the processor works by the same rules, so the picture is computed
from the standards: SMPTE ST 2084 for the light of a code, BT.2020 and BT.709 for their colours, BT.1886 for the display.
"""
import array

BT2020, BT709 = (0.2627, 0.0593), (0.2126, 0.0722)  # shares of red and of blue in luma
TO_BT709 = ((1.660491, -0.587641, -0.072850), (-0.124550, 1.132900, -0.008349), (-0.018151, -0.100579, 1.118730))


def light(code):
    """Light of an ST 2084 code, 1 being 100 candela per square metre."""
    root = max(code, 0) ** (32 / 2523)
    return 100 * (max(root - 0.8359375, 0) / (18.8515625 - 18.6875 * root)) ** (8192 / 1305)


def display(linear):
    """BT.1886 backwards."""
    return max(linear, 0) ** (1 / 2.4)


def luma(rgb):
    red, blue = BT709
    return red * rgb[0] + (1 - red - blue) * rgb[1] + blue * rgb[2]


def mapped(y, u, v):
    """Linear BT.709 colour of a pixel, brighter ones brought to 1. Codes are 16 bits read as a number up to 1."""
    red, blue = BT2020
    y, u, v = (255 * code / 65535 for code in (y, u, v))
    y, u, v = (y - 16) / 219, (u - 128) / 224, (v - 128) / 224
    r, b = y + 2 * (1 - red) * v, y + 2 * (1 - blue) * u
    here = [light(code) for code in (r, (y - red * r - blue * b) / (1 - red - blue), b)]
    there = [sum(share * part for share, part in zip(row, here)) for row in TO_BT709]
    signal = max(*there, 1e-6)
    return [part * min(signal, 1) / signal for part in there]


def reference(p010, width, height):
    words = array.array("H", p010)
    pixels = [mapped(words[j * width + i], *words[(height + j // 2) * width + i // 2 * 2:][:2])
              for j in range(height) for i in range(width)]
    out = bytearray(round(16 + 219 * luma([display(part) for part in pixel])) for pixel in pixels)
    red, blue = BT709
    for j in range(0, height, 2):
        for i in range(0, width, 2):
            four = [pixels[(j + b) * width + i + a] for b in (0, 1) for a in (0, 1)]
            mean = [display(sum(pixel[c] for pixel in four) / 4) for c in range(3)]
            out += bytes(round(128 + 224 * (mean[c] - luma(mean)) / (2 * (1 - share))) for c, share in ((2, blue), (0, red)))
    return bytes(out)
