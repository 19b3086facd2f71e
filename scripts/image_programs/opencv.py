# SPDX-License-Identifier: Apache-2.0
"""opencv.py CASE cpu|opencl OUT: runs a function of OpenCV and writes what it gives.
opencv.py CASE compare FOUND EXPECTED TOLERANCE: says what is further off; nothing if nothing is."""
import sys

import cv2
import numpy

case, how, *rest = sys.argv[1:]


def picture(kind=numpy.uint8, seed=7, width=96, height=64):
    """Slopes, edges and noise."""
    y, x = numpy.mgrid[0:height, 0:width]
    waves = 96 + 60 * numpy.sin(x / 5.0 + seed) * numpy.cos(y / 7.0) + 50 * ((x // 12 + y // 9) % 2)
    noise = numpy.random.default_rng(seed).integers(0, 20, (height, width))
    return numpy.clip(waves + noise, 0, 255).astype(kind)


def pyramid_flow(wrap):
    first = picture(seed=3)
    second = numpy.roll(first, (1, 2), (0, 1))
    y, x = numpy.mgrid[16:48:8, 16:80:8]
    points = numpy.stack([x.ravel(), y.ravel()], 1).astype(numpy.float32)[None]
    moved, status, _ = cv2.calcOpticalFlowPyrLK(wrap(first), wrap(second), wrap(points), None, winSize=(9, 9), maxLevel=2)
    get = lambda value: value.get() if isinstance(value, cv2.UMat) else value
    return numpy.where(get(status).reshape(-1, 1) != 0, get(moved).reshape(-1, 2), 0)


def remap(wrap):
    y, x = numpy.mgrid[0:64, 0:96].astype(numpy.float32)
    return cv2.remap(wrap(picture()), wrap(x * 0.9 + 3 * numpy.sin(y / 9)), wrap(y * 0.95 + 2), cv2.INTER_LINEAR,
                     borderMode=cv2.BORDER_CONSTANT)


TURN = numpy.float32([[0.9, -0.25, 12.5], [0.25, 0.9, -6.25]])
TILT = numpy.float32([[0.9, -0.2, 10], [0.15, 0.95, -4], [0.0006, -0.0004, 1]])
CASES = {
    "resize": lambda wrap: cv2.resize(wrap(picture()), (70, 50), interpolation=cv2.INTER_LINEAR),
    "resize_float": lambda wrap: cv2.resize(wrap(picture(numpy.float32)), (150, 110), interpolation=cv2.INTER_LINEAR),
    "resize_half": lambda wrap: cv2.resize(wrap(picture()), (48, 32), interpolation=cv2.INTER_LINEAR),
    # Floats: with bytes OpenCV gives Intel's devices a kernel whose coordinates are of single precision.
    "warp_affine": lambda wrap: cv2.warpAffine(wrap(picture(numpy.float32)), TURN, (96, 64), flags=cv2.INTER_LINEAR),
    "warp_perspective": lambda wrap: cv2.warpPerspective(wrap(picture()), TILT, (96, 64), flags=cv2.INTER_LINEAR),
    "remap": remap,
    "gaussian": lambda wrap: cv2.GaussianBlur(wrap(picture()), (5, 5), 1.2),
    "median": lambda wrap: cv2.medianBlur(wrap(picture()), 5),
    "pyramid_flow": pyramid_flow,
}


def compare(found_path, expected_path, tolerance):
    found, expected = (numpy.load(path) for path in (found_path, expected_path))
    if found.shape != expected.shape:
        return f"shape {found.shape}, {expected.shape} expected"
    off = numpy.abs(found.astype(numpy.float64) - expected.astype(numpy.float64))
    wrong = numpy.argwhere(~(off <= float(tolerance)))
    if not len(wrong):
        return ""
    at = tuple(int(i) for i in wrong[0])
    return (f"{len(wrong)} of {off.size} values are off by more than {tolerance}, at most by {off.max():g}; "
            f"value {at} is {found[at]}, {expected[at]} expected")


if how == "compare":
    print(compare(*rest))
    sys.exit(0)
cv2.ocl.setUseOpenCL(how == "opencl")
if how == "opencl" and not cv2.ocl.haveOpenCL():
    sys.exit("OpenCV finds no OpenCL device")
result = CASES[case](cv2.UMat if how == "opencl" else lambda array: array)
with open(rest[0], "wb") as out:
    numpy.save(out, result.get() if isinstance(result, cv2.UMat) else result)
