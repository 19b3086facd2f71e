# SPDX-License-Identifier: Apache-2.0
"""lattice_arithmetic.py LATTICE.CL: two steps of the program of W-41, in each of its formats, are two steps of the
textbook's method (one relaxation time, periodic borders), computed here in double; the third format is what its
comment says, for every code and for values between codes. Runs on the first OpenCL device."""
import pathlib
import sys

import numpy
import pyopencl

SIDE, RATE = 16, 1 / 3.5
OPTIONS = ["-cl-finite-math-only", "-cl-no-signed-zeros", "-cl-mad-enable", f"-DSIDE={SIDE}u"]
source = pathlib.Path(sys.argv[1]).read_text()
context = pyopencl.Context([pyopencl.get_platforms()[0].get_devices()[0]])
queue = pyopencl.CommandQueue(context)

# The 19 velocities and their weights: at rest, along an axis, along a diagonal of a face.
VELOCITIES = numpy.array([(0, 0, 0), (1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1),
                          (1, 1, 0), (-1, -1, 0), (1, 0, 1), (-1, 0, -1), (0, 1, 1), (0, -1, -1),
                          (1, -1, 0), (-1, 1, 0), (1, 0, -1), (-1, 0, 1), (0, 1, -1), (0, -1, 1)])
WEIGHTS = numpy.array([(1 / 3, 1 / 18, 1 / 36)[abs(v).sum()] for v in VELOCITIES])


def moved(values, velocity):
    """What each cell gets of an array [z, y, x] when everything moves by `velocity` (x, y, z)."""
    return numpy.roll(values, tuple(velocity[::-1]), (0, 1, 2))


def step(f):
    """Collision, then streaming, of populations f[direction, z, y, x]."""
    density = f.sum(0)
    u = numpy.clip(numpy.einsum("ic,izyx->czyx", VELOCITIES, f) / density, -3**-0.5, 3**-0.5)
    along = numpy.einsum("ic,czyx->izyx", VELOCITIES, u)
    weighed = WEIGHTS[:, None, None, None] * density
    equilibrium = weighed * (1 + 3 * along + 4.5 * along**2 - 1.5 * (u**2).sum(0))
    return numpy.array([moved(one, v) for one, v in zip(f + RATE * (equilibrium - f), VELOCITIES)])


def stored(f):
    """The program's arrays before an even step, of values without their weights: those of a pair of opposite
    directions are in each other's array, those of the second with the neighbour that they came from."""
    values = f - WEIGHTS[:, None, None, None]
    arrays = values.copy()
    for i in range(1, 19, 2):
        arrays[i + 1], arrays[i] = values[i], moved(values[i + 1], VELOCITIES[i])
    return arrays


def program(options):
    return pyopencl.Program(context, source + CODES).build(OPTIONS + options)


CODES = """
#ifdef CUSTOM
kernel void codes(global const ushort* from, global float* values, global const float* asked, global ushort* rounded) {
    const uint n = get_global_id(0);
    values[n] = get(from, n);
    put(rounded, n, asked[n]);
}
#endif
"""
FLAGS = pyopencl.mem_flags
random = numpy.random.default_rng(19)
failed = []


def expect(condition, what):
    if not condition:
        failed.append(what)


def buffer(array):
    return pyopencl.Buffer(context, FLAGS.READ_WRITE | FLAGS.COPY_HOST_PTR, hostbuf=array)


def values_of(codes):
    """The third format: sign, 4 bits of exponent (bias 15), 11 of fraction."""
    exponent, fraction = codes >> 11 & 15, (codes & 0x7FF).astype(float)
    magnitude = numpy.where(exponent, 2.0 ** (exponent - 15.0) * (1 + fraction / 2048), fraction * 2.0**-25)
    return numpy.where(codes & 0x8000, -magnitude, magnitude)


def third_format():
    codes = numpy.arange(65536, dtype=numpy.uint16)
    values = values_of(codes.astype(int))
    # Every code itself; then what lies between one and the next: its middle goes away from zero.
    positive = values[:0x8000]
    between = positive[:-1] + random.choice([0.1, 0.499, 0.5, 0.6, 0.9], 0x7FFF) * numpy.diff(positive)
    nearest = numpy.arange(0x7FFF) + (between - positive[:-1] >= 0.5 * numpy.diff(positive))
    for what, asked, wanted in (("codes", values, codes), ("above", numpy.append(between, between), numpy.append(nearest, nearest)),
                                ("below", numpy.append(-between, -between), numpy.append(nearest, nearest) | 0x8000)):
        count = len(asked)
        got, rounded = numpy.empty(count, numpy.float32), numpy.empty(count, numpy.uint16)
        device = [buffer(codes[:count]), buffer(got), buffer(asked.astype(numpy.float32)), buffer(rounded)]
        program(["-DCUSTOM"]).codes(queue, (count,), None, *device)
        pyopencl.enqueue_copy(queue, got, device[1])
        pyopencl.enqueue_copy(queue, rounded, device[3])
        expect((got == values[:count]).all(), f"third format: {(got != values[:count]).sum()} codes are read otherwise")
        wrong = numpy.flatnonzero((rounded != wanted) & ~((rounded & 0x7FFF) + (wanted & 0x7FFF) == 0))
        expect(not len(wrong), f"third format, {what}: {len(wrong)} values are written otherwise, as "
                               f"{[(asked[n], hex(rounded[n]), hex(wanted[n])) for n in wrong[:3]]}")


def steps(what, options, encoded, decoded, tolerance):
    # A fluid that moves; one cell is beyond the limit of velocity.
    f = WEIGHTS[:, None, None, None] * (1 + random.uniform(-0.2, 0.2, (19, SIDE, SIDE, SIDE)))
    f[1, 3, 5, 7] += 1.5
    values = encoded(stored(f))
    f = decoded(values.ravel()).reshape(f.shape)  # what the program starts from
    for i in range(1, 19, 2):
        f[i], f[i + 1] = f[i + 1].copy(), moved(f[i], -VELOCITIES[i])
    f = f + WEIGHTS[:, None, None, None]
    device, flags = buffer(values), buffer(numpy.zeros(SIDE**3, numpy.uint8))
    made = program(options)
    for odd in (0, 1):
        made.lattice(queue, (SIDE**3,), (64,), device, flags, numpy.uint32(0), numpy.uint32(odd))
    got = numpy.empty_like(values)
    pyopencl.enqueue_copy(queue, got, device)
    difference = abs(decoded(got.ravel()).reshape(f.shape) - stored(step(step(f))))
    print(f"{what}: largest difference {difference.max():.2e}")
    expect(difference.max() < tolerance, f"{what}: largest difference {difference.max()}")


def to_third(values):
    magnitudes = values_of(numpy.arange(0x8000))
    code = numpy.searchsorted(magnitudes, abs(values))
    return (code | numpy.where(values < 0, 0x8000, 0)).astype(numpy.uint16)


third_format()
# Tolerances: a rounding of values below 2, which is half of the last place there, in the one format or the other.
steps("float", [], lambda v: v.astype(numpy.float32), lambda v: v.astype(float), 1e-6)
steps("half", ["-DHALF"], lambda v: (v * 2.0**15).astype(numpy.float16), lambda v: v.astype(float) * 2.0**-15, 5e-4)
steps("third format", ["-DCUSTOM"], to_third, lambda v: values_of(v.astype(int)), 2.5e-4)
if failed:
    sys.exit("failed:\n" + "\n".join(failed))
print("passed")
