# SPDX-License-Identifier: Apache-2.0
"""float_controls.py GEN9SIM MODE VULKAN_SCENES COMPILER: sums, products and halves of floats of 16, 32 and 64 bits in fragment shaders,
rounded to nearest and toward zero, with denormals kept and flushed, as the shader's execution modes say (VK_KHR_shader_float_controls).
Each is the exact value, rounded by whole numbers here."""
import argparse
import os
import pathlib
import subprocess
import sys
import tempfile
from fractions import Fraction

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from checks import expect, finish  # noqa: E402

DRIVER = "/usr/share/vulkan/icd.d/intel_icd.x86_64.json"
HEAD = """#version 450
#extension GL_EXT_spirv_intrinsics : require
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
spirv_execution_mode(extensions=["SPV_KHR_float_controls"], capabilities=[{capability}], {mode}, {width});
layout(location=0) in vec2 at;
layout(location=0) out vec4 low;
layout(location=1) out vec4 high;
vec4 bytes(uint v) {{ return vec4(v & 255u, v >> 8 & 255u, v >> 16 & 255u, v >> 24) / 255.0; }}
uint hash(uint i) {{ i *= 2654435761u; i ^= i >> 15; i *= 2246822519u; return i ^ i >> 13; }}
void main() {{
    uint i = uint(gl_FragCoord.x) + uint(gl_FragCoord.y) * 64u;
    uvec2 a = uvec2(hash(i), hash(i + 10000u)), b = uvec2(hash(i + 20000u), hash(i + 30000u));
{body}
}}
"""
# Execution modes of SPIR-V and their capabilities.
MODES = {"preserve": (4459, 4464), "flush": (4460, 4465), "nearest": (4462, 4467), "zero": (4463, 4468)}
OPERATIONS = {"sum": "x + y", "product": "x * y", "half": "x * HALF"}
# Bits of the exponent and of the mantissa.
SHAPES = {16: (5, 10), 32: (8, 23), 64: (11, 52)}
PIXELS = 4096


def hash32(i):
    i = i * 2654435761 & 0xFFFFFFFF
    i = (i ^ i >> 15) * 2246822519 & 0xFFFFFFFF
    return i ^ i >> 13


class Format:
    def __init__(self, width):
        self.width = width
        self.exponent, self.mantissa = SHAPES[width]
        self.bias = (1 << self.exponent - 1) - 1
        self.sign = 1 << width - 1

    def near_one(self, words):
        """Random bits as a number between 1/16 and 16: the two highest words of its bits stay but for the exponent."""
        bits = words & ((1 << self.width) - 1)
        exponent = self.bias - 4 + (bits >> self.mantissa & 7)
        return bits & ~(((1 << self.exponent) - 1) << self.mantissa) | exponent << self.mantissa

    def small(self, words):
        """A denormal, or a number up to eight times the least normal one."""
        bits = words & ((1 << self.width) - 1)
        return bits & ~(((1 << self.exponent) - 1) << self.mantissa) | (bits >> self.mantissa & 3) << self.mantissa

    def is_denormal(self, bits):
        return bits >> self.mantissa & ((1 << self.exponent) - 1) == 0

    def flushed(self, bits):
        return bits & self.sign if self.is_denormal(bits) else bits

    def value(self, bits):
        exponent, mantissa = bits >> self.mantissa & ((1 << self.exponent) - 1), bits & ((1 << self.mantissa) - 1)
        whole = mantissa if exponent == 0 else mantissa | 1 << self.mantissa
        return (-1 if bits & self.sign else 1) * Fraction(whole) * Fraction(2) ** (max(exponent, 1) - self.bias - self.mantissa)

    def rounded(self, value, sign, to_zero):
        if value == 0:
            return sign
        # The exponent of the magnitude's highest bit, or of the least normal number.
        top, bottom = abs(value).numerator, abs(value).denominator
        exponent = top.bit_length() - bottom.bit_length()
        exponent -= top < bottom << exponent if exponent >= 0 else top << -exponent < bottom
        exponent = max(exponent, 1 - self.bias)
        shift = self.mantissa - exponent
        whole, rest = divmod(top << max(shift, 0), bottom << max(-shift, 0))
        unit = bottom << max(-shift, 0)
        if not to_zero and (rest * 2 > unit or rest * 2 == unit and whole & 1):
            whole += 1
        # A whole mantissa has its highest bit in the exponent, and so has what is carried out of it.
        return sign | (exponent + self.bias - 1 << self.mantissa) + whole


def shader(width, mode, operation):
    small = mode in ("preserve", "flush")
    exponent, mantissa = SHAPES[width]
    word, at = ("y", mantissa - 32) if width == 64 else ("x", mantissa)
    mask = ((1 << exponent) - 1) << at
    keep = f"{{0}}.{word} & {~mask & 0xFFFFFFFF}u"
    new = f"({{0}}.{word} >> {at} & 3u) << {at}" if small else f"({{0}}.{word} >> {at} & 7u) + {(1 << exponent - 1) - 5}u << {at}"
    lines = [f"    {v}.{word} = {keep} | ({new});".format(v) for v in "ab"]
    if width == 16:
        lines += [f"    float16_t {n} = unpackFloat2x16({v}.x).x;" for n, v in zip("xy", "ab")]
        store = "    low = bytes(packFloat2x16(f16vec2(r, 0.0hf)));\n    high = vec4(0.0);"
    elif width == 32:
        lines += [f"    float {n} = uintBitsToFloat({v}.x);" for n, v in zip("xy", "ab")]
        store = "    low = bytes(floatBitsToUint(r));\n    high = vec4(0.0);"
    else:
        lines += [f"    double {n} = packDouble2x32({v});" for n, v in zip("xy", "ab")]
        store = "    low = bytes(unpackDouble2x32(r).x);\n    high = bytes(unpackDouble2x32(r).y);"
    kind, half = {16: ("float16_t", "0.5hf"), 32: ("float", "0.5"), 64: ("double", "0.5lf")}[width]
    lines += [f"    {kind} r = {OPERATIONS[operation].replace('HALF', half)};", store]
    code, capability = MODES[mode]
    return HEAD.format(capability=capability, mode=code, width=width, body="\n".join(lines))


def expected(width, mode, operation, i):
    """The result's bits; None where the sign of zero is open."""
    shape, small = Format(width), mode in ("preserve", "flush")
    words = [hash32(i + first) | hash32(i + first + 10000) << 32 for first in (0, 20000)]
    a, b = (shape.small(w) if small else shape.near_one(w) for w in words)
    if mode == "flush":
        a, b = shape.flushed(a), shape.flushed(b)
    x, y = shape.value(a), shape.value(b)
    value = {"sum": x + y, "product": x * y, "half": x / 2}[operation]
    sign = (a ^ b if operation == "product" else a) & shape.sign if value == 0 or operation != "sum" else shape.sign * (value < 0)
    if value == 0 and operation == "sum":
        return None
    bits = shape.rounded(value, sign, mode == "zero")
    return shape.flushed(bits) if mode == "flush" else bits


def cases():
    for width in SHAPES:
        for mode in ("nearest", "zero"):
            for operation in ("sum", "product"):
                yield width, mode, operation
        # Flushing is not offered for 16 bits.
        for mode in ("preserve", "flush") if width > 16 else ("preserve",):
            for operation in ("sum", "half"):
                yield width, mode, operation


parser = argparse.ArgumentParser()
parser.add_argument("gen9sim")
parser.add_argument("mode")
parser.add_argument("program")
parser.add_argument("compiler")
asked = parser.parse_args()

with tempfile.TemporaryDirectory() as folder:
    root, chosen = pathlib.Path(folder), list(cases())
    for number, case in enumerate(chosen):
        source = root / f"{number}.frag"
        source.write_text(shader(*case))
        (root / f"{number}.how").write_text("triangle")
        done = subprocess.run([asked.compiler, "-V", "--quiet", "--target-env", "vulkan1.2", "-o", f"{source}.spv", str(source)], capture_output=True, text=True)
        expect(done.returncode == 0, f"{case}: {done.stdout}{done.stderr}")
    done = subprocess.run([asked.gen9sim, "run", "--timing", asked.mode, "--", asked.program, "spirv", folder, folder, *map(str, range(len(chosen)))],
                          capture_output=True, text=True, env={**os.environ, "VK_ICD_FILENAMES": DRIVER, "MESA_SHADER_CACHE_DISABLE": "1"})
    expect(done.returncode == 0 and "driver: Intel" in done.stdout, f"status {done.returncode}: {done.stdout[:300]}{done.stderr[-2000:]}")
    same = 0
    for number, case in enumerate(chosen):
        picture = (root / f"{number}.rgba").read_bytes()
        wrong = []
        for i in range(PIXELS):
            got = int.from_bytes(picture[4 * i:4 * i + 4] + picture[4 * (PIXELS + i):4 * (PIXELS + i) + 4], "little") & ((1 << case[0]) - 1)
            wanted = expected(*case, i)
            if wanted is not None and got != wanted:
                wrong.append((i, hex(got), hex(wanted)))
        same += not wrong
        expect(not wrong, f"{case}: {len(wrong)} results of {PIXELS}, the first {wrong[:1]}")
    print(f"{same} of {len(chosen)} kinds of results are exact")
finish()
