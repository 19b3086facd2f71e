# SPDX-License-Identifier: Apache-2.0
"""What OpenCL's scalar operations give, in plain Python: the arithmetic of the reference interpreter.

Integers are ints within their type; half, float and double are Python floats that their type holds. Every
result is rounded once, from the exact value, by `rounded`; only where a double's own operation is known to
round the same (24 bits and fewer: + - * / and sqrt) is that used instead."""
import math
import struct

from .tree import INTEGERS

ROUNDINGS = ("_rte", "_rtz", "_rtp", "_rtn")
# precision, exponents of the smallest and the largest normal number, struct codes of value and bits
FORMATS = {"half": (11, -14, 15, "<e", "<H"), "float": (24, -126, 127, "<f", "<I"), "double": (53, -1022, 1023, "<d", "<Q")}
CODES = {"char": "b", "uchar": "B", "short": "h", "ushort": "H", "int": "i", "uint": "I", "long": "q", "ulong": "Q",
         "half": "e", "float": "f", "double": "d"}
WIDENING = 0x1000000  # changes a dividend of 32 bits and more: see quotient() of prelude.py
NAN, INFINITY = float("nan"), float("inf")


def limits(base):
    bits, signed = INTEGERS[base]
    return (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if signed else (0, (1 << bits) - 1)


def rounded(numerator, exponent, base, mode="_rte"):
    """numerator * 2**exponent, rounded once."""
    if numerator == 0:
        return 0.0
    precision, least, greatest = FORMATS[base][:3]
    negative, magnitude = numerator < 0, abs(numerator)
    unit = max(magnitude.bit_length() - 1 + exponent, least) - (precision - 1)
    shift = unit - exponent
    if shift > 0:
        kept, rest, middle = magnitude >> shift, magnitude & ((1 << shift) - 1), 1 << (shift - 1)
        away = {"_rte": rest > middle or (rest == middle and kept & 1), "_rtz": False,
                "_rtp": rest and not negative, "_rtn": rest and negative}[mode]
        kept += 1 if away else 0
    else:
        kept = magnitude << -shift
    if kept.bit_length() + unit > greatest + 1:
        beyond = mode == "_rte" or mode == ("_rtn" if negative else "_rtp")
        result = INFINITY if beyond else math.ldexp((1 << precision) - 1, greatest - precision + 1)
    else:
        result = math.ldexp(kept, unit)
    return -result if negative else result


def exact(x):
    """A finite float as (numerator, exponent of two)."""
    numerator, denominator = x.as_integer_ratio()
    return numerator, 1 - denominator.bit_length()


def nearest(base):
    """Rounds a double to the type."""
    if base == "double":
        return lambda x: x
    code = FORMATS[base][3]

    def round_to(x):
        try:
            return struct.unpack(code, struct.pack(code, x))[0]
        except OverflowError:
            return math.copysign(INFINITY, x)
    return round_to


def ordinary(x):
    return x - x == 0.0


def fused(a, b, c, base):
    if not (ordinary(a) and ordinary(b) and ordinary(c)):
        return a * b + c if ordinary(a * b) or not (ordinary(a) and ordinary(b)) else c
    if a == 0.0 or b == 0.0:
        return a * b + c
    (p, i), (q, j), (r, k) = exact(a), exact(b), exact(c)
    low = min(i + j, k)
    return rounded((p * q << (i + j - low)) + (r << (k - low)), low, base)


def half_away(x):
    return math.copysign(math.floor(abs(x) + 0.5) if abs(x) < 2.0**52 else abs(x), x)


def integral(function):
    """floor and the like: of a float, keeping what is no number and the sign of zero."""
    return lambda x: math.copysign(float(function(x)), x) if ordinary(x) else x


def scaled(base):
    def ldexp(x, n):
        if not ordinary(x) or x == 0.0:
            return x
        numerator, exponent = exact(x)
        return rounded(numerator, exponent + n, base)
    return ldexp


def fmin(a, b):
    return b if a != a else a if b != b else min(a, b)


def fmax(a, b):
    return b if a != a else a if b != b else max(a, b)


def floating_operations(base):
    to = nearest(base)
    least = math.ldexp(1.0, FORMATS[base][1])
    return {
        "add": lambda a, b: to(a + b), "sub": lambda a, b: to(a - b), "mul": lambda a, b: to(a * b),
        "div": lambda a, b: to(a / (b or 3.0)), "sqrt": lambda a: to(math.sqrt(a)) if a == a else a,
        "fma": lambda a, b, c: fused(a, b, c, base), "fmin": fmin, "fmax": fmax, "fabs": abs, "neg": lambda a: -a,
        "floor": integral(math.floor), "ceil": integral(math.ceil), "trunc": integral(math.trunc), "rint": integral(round),
        "round": integral(half_away), "sign": lambda a: 0.0 if a != a else math.copysign(1.0, a) if a else a,
        "ldexp": scaled(base), "copysign": math.copysign,
        "fdim": lambda a, b: a + b if a != a or b != b else to(a - b) if a > b else 0.0,
        "step": lambda edge, x: 0.0 if x < edge else 1.0,
        "isnormal": lambda a: ordinary(a) and abs(a) >= least,
    }


def truncated(a, b):
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def remainder(a, b):
    return a - b * truncated(a, b)


def integer_operations(base):
    bits, signed = INTEGERS[base]
    low, high = limits(base)
    mask = (1 << bits) - 1
    widening = WIDENING if bits >= 32 else 0

    def wrap(x):
        x &= mask
        return x - mask - 1 if x > high else x

    def clamp(x):
        return low if x < low else high if x > high else x

    def divisor(b):
        return 3 if b | 1 == -1 else b | 1

    def rotate(a, b):
        a, b = a & mask, b & (bits - 1)
        return wrap(a << b | a >> (bits - b))

    return {
        "wrap": wrap, "sat": clamp,
        "add": lambda a, b: wrap(a + b), "sub": lambda a, b: wrap(a - b), "mul": lambda a, b: wrap(a * b),
        "difference": lambda a, b: wrap((a | 1) - b), "product": lambda a, b: wrap((a & ~2) * (b & ~2)),
        "and": lambda a, b: a & b, "or": lambda a, b: a | b, "xor": lambda a, b: a ^ b, "not": lambda a: wrap(~a),
        "shl": lambda a, b: wrap(a << (b & (bits - 1))), "shr": lambda a, b: a >> (b & (bits - 1)),
        "div": lambda a, b: truncated(a ^ widening, divisor(b)), "rem": lambda a, b: remainder(a ^ widening, divisor(b)),
        "min": min, "max": max, "add_sat": lambda a, b: clamp(a + b), "sub_sat": lambda a, b: clamp(a - b),
        "mul_hi": lambda a, b: a * b >> bits, "mad_hi": lambda a, b, c: wrap((a * b >> bits) + c),
        "mad_sat": lambda a, b, c: clamp(a * b + c), "hadd": lambda a, b: (a + b) >> 1, "rhadd": lambda a, b: (a + b + 1) >> 1,
        "rotate": rotate, "rotate_odd": lambda a, b: rotate(a, b | 1), "abs": abs, "abs_diff": lambda a, b: abs(a - b), "popcount": lambda a: bin(a & mask).count("1"),
        "clz": lambda a: bits - (a & mask).bit_length(), "bitselect": lambda a, b, c: wrap(a & ~c | b & c),
        "clamp": lambda a, b, c: min(max(a, b), c), "upsample": lambda a, b: a << (bits // 2) | b,
        "mad24": lambda a, b, c: wrap((a >> 18) * (b >> 18) + (c >> 2)),
        "mad_sat_small": lambda a, b, c: ((a >> 32) | 1) * ((b >> 32) | 1) + (c >> 1),
    }


def atomic_operations(base):
    """What is left in a cell that held a."""
    operations = integer_operations(base)
    found = {name: operations[name] for name in ("add", "sub", "min", "max", "and", "or", "xor")}
    return found | {"inc": lambda a: operations["wrap"](a + 1), "dec": lambda a: operations["wrap"](a - 1), "xchg": lambda a, b: b,
                    "cmpxchg": lambda a, b, c: c if a == b else a}


def conversion(to, source, suffix):
    """convert_<to><suffix> of a <source>: suffix is an optional _sat, then an optional rounding mode."""
    saturated, mode = suffix.startswith("_sat"), suffix.removeprefix("_sat")
    if to in INTEGERS:
        operations = integer_operations(to)
        if source in INTEGERS:
            return operations["sat" if saturated else "wrap"]
        low, high = limits(to)
        whole = {"": math.trunc, "_rtz": math.trunc, "_rte": round, "_rtp": math.ceil, "_rtn": math.floor}[mode]

        def to_integer(x):
            if x != x:
                return 0
            return operations["sat"](whole(x)) if ordinary(x) else high if x > 0 else low
        return to_integer
    mode = mode or "_rte"
    if source in INTEGERS:
        return lambda x: rounded(x, 0, to, mode)
    return lambda x: rounded(*exact(x), to, mode) if ordinary(x) and x != 0.0 else x


def bits_of(x, base):
    return struct.unpack(FORMATS[base][4], struct.pack(FORMATS[base][3], x))[0]


def folded(base):
    """What fold_<base> of prelude.py gives."""
    if base == "half":
        return lambda x: 0x7E00 if x != x else bits_of(x, "half") if x else 0
    if base == "float":
        return lambda x: 0x7FC00000 if x != x else bits_of(x, "float") if x else 0

    def both_halves(bits):
        return ((bits >> 32) * 3 & 0xFFFFFFFF) ^ (bits & 0xFFFFFFFF)
    if base == "double":
        return lambda x: 0x7FF80000 if x != x else both_halves(bits_of(x, "double")) if x else 0
    if INTEGERS[base][0] == 64:
        return lambda x: both_halves(x & (1 << 64) - 1)
    return lambda x: x & 0xFFFFFFFF
