# SPDX-License-Identifier: Apache-2.0
"""Random expressions whose value OpenCL defines to the bit: values that move and compare. What calculates
is in operations.py."""
import struct

from .build import Build
from .images import ImageReads
from .operations import Operations, lifted
from .tree import Expr, FLOATS, INTEGERS, Type

UINT, INT, USHORT = Type("uint"), Type("int"), Type("ushort")
WIDTHS = (1, 1, 1, 1, 2, 2, 3, 4, 4, 8, 16)
COMPARISONS = {"<": "lt", ">": "gt", "<=": "le", ">=": "ge", "==": "eq", "!=": "ne"}


def float_text(value, base):
    """A float constant that is exactly `value`."""
    if base == "half":
        return f"as_half((ushort)0x{struct.unpack('<H', struct.pack('<e', value))[0]:x}u)"
    text = value.hex() + ("f" if base == "float" else "")
    return f"({text})" if value < 0 else text


def literal(random, t):
    """A constant, as often as not one where arithmetic turns."""
    if t.n > 1:
        if random.random() < 0.5:
            element = literal(random, t.element())
            return Expr(t, f"({t})({element.form})", f"(({element.meaning},) * {t.n})")
        elements = [literal(random, t.element()) for _ in range(t.n)]
        return Expr(t, f"({t})({', '.join(e.form for e in elements)})", f"({', '.join(e.meaning for e in elements)})")
    if t.is_float:
        far = (1e10, -3e-5) if t.bits > 16 else (65504.0, -3e-7)
        value = random.choice([0.0, 1.0, -1.0, 0.5, 1.5, -2.75, *far, 255.5, 2.0**-20, random.uniform(-1000, 1000)])
        if t.bits < 64:
            code = {16: "e", 32: "f"}[t.bits]
            value = struct.unpack(code, struct.pack(code, value))[0]
        return Expr(t, float_text(value, t.base), repr(value))
    top = 1 << t.bits
    value = random.choice([0, 1, 2, 3, 7, top - 1, top >> 1, (top >> 1) - 1, 1 << random.randrange(t.bits), random.randrange(top)])
    python = value - top if t.signed and value >= top >> 1 else value
    return Expr(t, f"(({t})0x{value:x}{'ul' if t.bits == 64 else 'u'})", f"({python})")


def simplest(t):
    """What the minimiser puts in place of an expression."""
    value = 1 if t.n == 1 and not t.is_float else 0
    python = "0.0" if t.is_float else str(value)
    return Expr(t, f"({t})({value})", python if t.n == 1 else f"(({python},) * {t.n})")


class Expressions(Operations, ImageReads):
    """Makes expressions over the variables, arrays and functions in scope."""

    def __init__(self, random, halves, build=Build()):
        self.random, self.halves, self.build = random, halves, build
        self.floats = [] if build.integers_only else [*FLOATS] if halves else ["float", "double"]
        self.variables = []  # (name, type)
        self.arrays = []     # (name, element type, length): read with any index
        self.functions = []  # (name, result type, argument types)
        # D-13: a conversion that Intel's compiler sinks out of a loop, its value being wanted only afterwards,
        # loses its rounding mode and its saturation. So loops have neither, nor functions, which loops may call.
        self.modes = True

    def some_type(self, widths=WIDTHS):
        base = self.random.choice([*INTEGERS, "int", "uint", "float", "float", "double"] + ["half"] * (12 if self.halves else 0))
        if base in FLOATS and base not in self.floats:
            base = {"half": "ushort", "float": "uint", "double": "ulong"}[base]
        return Type(base, self.random.choice(widths))

    def make(self, t, depth):
        if depth > 0 and self.reads_image(t):
            return self.image_read(t, depth)
        if depth <= 0 or self.random.random() < 0.08:
            return self.leaf(t)
        calls = [f for f in self.functions if f[1] == t]
        if calls and self.random.random() < 0.3:
            name, _, arguments = self.random.choice(calls)
            values = ", ".join(f"@{i}" for i in range(len(arguments)))
            return Expr(t, f"{name}(in, {values})", f"{name}(I, {values})", *(self.make(a, depth - 1) for a in arguments))
        if self.random.random() < 0.25:
            return self.rearranged(t, depth)
        return self.floating(t, depth) if t.is_float else self.integer(t, depth)

    def leaf(self, t):
        random = self.random
        known = [name for name, type_ in self.variables if type_ == t]
        if known and random.random() < 0.7:
            name = random.choice(known)
            return Expr(t, name, name)
        arrays = [a for a in self.arrays if a[1] == t]
        if arrays and random.random() < 0.6:
            name, _, length = random.choice(arrays)
            return Expr(t, f"{name}[@0 & {length - 1}u]", f"{name}[@0 & {length - 1}]", self.leaf(UINT))
        if random.random() < 0.2:
            value = literal(random, t)
            if t.n > 1 and self.build.unoptimised:
                value.form = f"given_{t}({value.form})"
            return value
        if t.is_float and (t.bits > 16 or random.random() < 0.4):
            source = t.of(random.choice(["int", "uint", "short", "char"]))
            scale = literal(random, t.element())
            if random.random() < 0.7:
                value = 2.0 ** -random.randrange(24)
                scale = Expr(t.element(), float_text(value, t.base), repr(value))
            convert = f"convert_{t.base}__{source.base}"
            product = f"mul_{t.base}({convert}(@0), {scale.meaning})" if t.n == 1 else \
                f"each(mul_{t.base}, each({convert}, @0), ({scale.meaning},) * {t.n})"
            return Expr(t, f"(convert_{t}(@0) * {scale.form})", product, self.leaf(source))
        return self.loaded(t)

    def loaded(self, t):
        """Something from the input buffer, through a pointer to whatever type is wanted."""
        offset = self.random.randrange(64)
        if t.n > 1:
            count = 4096 * 8 // t.bits // t.n
            if self.random.random() < 0.6 and not t.is_float:
                others = [v for v in self.variables if v[1].n == t.n and not v[1].is_float]
                if others:
                    name, type_ = self.random.choice(others)
                    return Expr(t, f"convert_{t}({name})", f"each(convert_{t.base}__{type_.base}, {name})")
            return Expr(t, f"vload{t.n}((I + {offset}u) % {count}u, (global const {t.base} *)in)",
                        f"vload(IN_{t.base}, {t.n}, (I + {offset}) % {count})")
        word = f"in[(I + {offset}u) & 1023u]", f"IN_uint[(I + {offset}) & 1023]"
        if t == UINT:
            return Expr(t, *word)
        if self.random.random() < 0.5 and not t.is_float:
            return Expr(t, f"(({t}){word[0]})", f"convert_{t}__uint({word[1]})")
        stride, mask = self.random.choice([1, 2, 3]), 4096 * 8 // t.bits - 1
        return Expr(t, f"((global const {t} *)in)[(I * {stride}u + {offset}u) & {mask}u]",
                    f"IN_{t}[(I * {stride} + {offset}) & {mask}]")

    def condition(self, depth):
        """An int that is 0 or 1."""
        random = self.random
        kind = random.randrange(8)
        if kind == 0 and depth > 0:
            c, python = random.choice([("&&", "and"), ("||", "or")])
            return Expr(INT, f"(@0 {c} @1)", f"(@0 {python} @1)", self.condition(depth - 1), self.condition(depth - 1))
        if kind == 1:
            bit = 1 << random.randrange(6)
            return Expr(INT, f"((@0 & {bit}u) != 0u)", f"int((@0 & {bit}) != 0)", self.make(UINT, depth - 1))
        if kind == 2 and depth > 0:
            compare, name = self.compared(self.some_type((2, 3, 4)), depth - 1), random.choice(["any", "all"])
            return Expr(INT, f"{name}(@0)", f"{name}_negative(@0)", compare)
        return self.compared(self.some_type((1,)), depth - 1)

    def compared(self, t, depth):
        """A comparison of two values of type t; the result's type follows from t."""
        random = self.random
        result = INT if t.n == 1 else t.integer()
        truth = "int({})" if t.n == 1 else "truth({})"
        if t.is_float and random.random() < 0.5:
            if random.random() < 0.3:
                name = random.choice(["isnan", "isinf", "isfinite", "isnormal"])
                meaning = truth.format(lifted(f"isnormal_{t.base}" if name == "isnormal" else name, t, 1))
                return Expr(result, f"{name}(@0)", meaning, self.make(t, depth))
            name = random.choice(["isequal", "isnotequal", "isgreater", "isgreaterequal", "isless", "islessequal",
                                  "islessgreater", "isordered", "isunordered"])
            return Expr(result, f"{name}(@0, @1)", truth.format(lifted(name, t, 2)), self.make(t, depth), self.make(t, depth))
        operator = random.choice([*COMPARISONS])
        if t.is_float:
            form, name = f"(@0 {operator} @1)", COMPARISONS[operator]
        else:  # not 0: see Operations.sum_or_product
            form, name = f"((@0 | ({t.base})1) {operator} @1)", "odd_" + COMPARISONS[operator]
        return Expr(result, form, truth.format(lifted(name, t, 2)), self.make(t, depth), self.make(t, depth))

    def rearranged(self, t, depth):
        """Moves values without calculating: choices, swizzles, parts of vectors."""
        random, d = self.random, depth - 1
        kind = random.randrange(5)
        if kind == 0 and t.n == 1:
            return Expr(t, f"(({t})(@0 ? @1 : @2))", "(@1 if @0 else @2)", self.condition(d), self.make(t, d), self.make(t, d))
        if kind == 0:
            return Expr(t, "select(@0, @1, @2)", "each(select, @0, @1, @2)", self.make(t, d), self.make(t, d), self.compared(t, d - 1))
        if kind == 1 and t.n <= 8 and t.n != 3:
            part = random.choice(["lo", "hi", "even", "odd"])
            span = {"lo": f":{t.n}", "hi": f"{t.n}:", "even": "::2", "odd": "1::2"}[part] if t.n > 1 else int(part in ("hi", "odd"))
            return Expr(t, f"(@0).{part}", f"@0[{span}]", self.make(t.wide(2 * t.n), d))
        if kind == 2 and t.n > 1 and t.n != 3:
            half = t.wide(t.n // 2)
            return Expr(t, f"({t})(@0, @1)", "(@0, @1)" if t.n == 2 else "(*@0, *@1)", self.make(half, d), self.make(half, d))
        if kind == 3 and t.n in (2, 3, 4):
            chosen = [random.randrange(t.n) for _ in range(t.n)]
            return Expr(t, "(@0)." + "".join("xyzw"[k] for k in chosen), f"shuffle(@0, {tuple(chosen)})", self.make(t, d))
        if kind == 4 and t.n > 1 and t.n != 3:
            return Expr(t, "shuffle(@0, @1)", "shuffle(@0, @1)", self.make(t.wide(random.choice((2, 4, 8))), d), self.make(t.unsigned(), d))
        if t.n == 1:
            n = random.choice((2, 3, 4, 8, 16))
            k = random.randrange(n)
            return Expr(t, f"(@0).s{k:x}", f"@0[{k}]", self.make(t.wide(n), d))
        return self.leaf(t)
