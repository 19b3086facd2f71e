# SPDX-License-Identifier: Apache-2.0
"""Helpers that random kernels call so that every result is defined to the bit: division that cannot trap, bits of a
float whose NaNs have one form and whose zeros no sign, half precision through memory. D-11, D-13: Intel's compiler
takes one zero for the other in many places (0.0 - x, fabs(-x), constants); so the sign of zero counts nowhere."""
import re

from .arithmetic import WIDENING
from .tree import FLOATS, INTEGERS, Type

HEAD = """#pragma OPENCL FP_CONTRACT OFF
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#define I ((uint)get_global_id(0))
#define L ((uint)get_local_id(0))
"""
FIXED = {
    "to_half": "ushort to_half(float x) { ushort h; vstore_half(x, 0, (half *)&h); return isnan(x) ? (ushort)0x7E00 : h == (ushort)0x8000 ? (ushort)0 : h; }",
    "to_half_rtz": "ushort to_half_rtz(float x) { ushort h; vstore_half_rtz(x, 0, (half *)&h); return isnan(x) ? (ushort)0x7E00 : h == (ushort)0x8000 ? (ushort)0 : h; }",
    "from_half": "float from_half(ushort h) { ushort v = h; return vload_half(0, (half *)&v); }",
}


def quotient(kind, t):
    """Division by a b that is not 0 nor, of signed integers, -1. D-13: Intel's compiler makes an unsigned division of a
    signed byte or word by what was an unsigned one (no dividend of 32 bits and more is either), and whether a product of
    bytes is 0 it asks of the word (so integers are made odd, not compared with 0)."""
    three, dividend = f"({t})({t.base})3", "a"
    if t.is_float:
        safe = f"select(b, {three}, b == ({t})({t.base})0)" if t.n > 1 else f"(b == ({t})0 ? {three} : b)"
    else:
        odd = f"({t})(b | ({t})({t.base})1)"
        minus_one = f"{odd} == ({t})({t.base})(-1)"
        safe = odd if not t.signed else f"select({odd}, {three}, {minus_one})" if t.n > 1 else f"({minus_one} ? {three} : {odd})"
        dividend = f"(a ^ ({t})({t.base})0x{WIDENING:x})" if t.bits >= 32 else "a"
    return f"{t} {kind}_{t}({t} a, {t} b) {{ return ({t})({dividend} {'/' if kind == 'div' else '%'} {safe}); }}"


def fold(t):
    """A uint that depends on every bit of x."""
    if t.n > 1:
        terms = " ".join(f"r = r * 31u + fold_{t.base}(x.s{k:x});" for k in range(t.n))
        return f"uint fold_{t}({t} x) {{ uint r = 7u; {terms} return r; }}"
    body = {"half": "isnan(x) ? 0x7E00u : x == (half)0 ? 0u : (uint)as_ushort(x)",
            "float": "isnan(x) ? 0x7FC00000u : x == 0.0f ? 0u : as_uint(x)",
            "double": "isnan(x) ? 0x7FF80000u : x == 0.0 ? 0u : (uint)(as_ulong(x) >> 32) * 3u ^ (uint)as_ulong(x)",
            "long": "(uint)((ulong)x >> 32) * 3u ^ (uint)x", "ulong": "(uint)(x >> 32) * 3u ^ (uint)x"}
    return f"uint fold_{t}({t} x) {{ return {body.get(t.base, '(uint)x')}; }}"


def bits(t):
    """The bits of halves, all NaNs alike."""
    unsigned = t.unsigned()
    body = "isnan(x) ? (ushort)0x7E00 : x == (half)0 ? (ushort)0 : as_ushort(x)" if t.n == 1 else \
        f"select(select(as_{unsigned}(x), ({unsigned})(ushort)0x7E00, isnan(x)), ({unsigned})(ushort)0, x == ({t})(half)0)"
    return f"{unsigned} bits_{t}({t} x) {{ return {body}; }}"


def given(t):
    """For Build.unoptimised: what the compiler does not see to be constant."""
    return f"{t} given_{t}({t} x) {{ return x; }}"


def type_named(name):
    base, n = re.fullmatch(r"([a-z]+)(\d*)", name).groups()
    return Type(base, int(n or 1))


def prelude(text):
    """The definitions that `text` uses, and only those."""
    names = "|".join([*INTEGERS, *FLOATS])
    used = {m[0] for m in re.finditer(rf"\b(?:fold|div|rem|bits|given)_(?:{names})\d*\b", text)}
    used |= {f"fold_{type_named(u[5:]).base}" for u in used if u.startswith("fold_")}
    definitions = [FIXED[name] for name in FIXED if re.search(rf"\b{name}\(", text)]
    for name in sorted(used, key=lambda u: (len(u), u)):
        kind, t = name.split("_")[0], type_named(name.split("_")[1])
        definitions.append(fold(t) if kind == "fold" else bits(t) if kind == "bits" else given(t) if kind == "given" else quotient(kind, t))
    extension = "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n" if re.search(r"\bhalf\d*\b", re.sub(r"half \*\)", "", text)) else ""
    if "atom_" in text:
        extension += "".join(f"#pragma OPENCL EXTENSION cl_khr_int64_{kind}_atomics : enable\n" for kind in ("base", "extended"))
    return HEAD + extension + "".join(d + "\n" for d in definitions)
