# SPDX-License-Identifier: Apache-2.0
"""Random expressions whose value OpenCL defines to the bit: signed arithmetic wraps in unsigned, shift
counts are masked, only correctly rounded float operations, NaNs never turned into bits as they are."""
import struct

from .tree import Expr, FLOATS, INTEGERS, Type

UINT, INT, FLOAT, USHORT = Type("uint"), Type("int"), Type("float"), Type("ushort")
WIDTHS = (1, 1, 1, 1, 2, 2, 3, 4, 4, 8, 16)
ROUNDINGS = ("", "_rte", "_rtz", "_rtp", "_rtn")


def literal(random, t):
    """A constant, as often as not one where arithmetic turns."""
    if t.n > 1:
        if random.random() < 0.5:
            return Expr(t, f"({t})({literal(random, t.element()).form})")
        return Expr(t, f"({t})({', '.join(literal(random, t.element()).form for _ in range(t.n))})")
    if t.is_float:
        value = random.choice([0.0, 1.0, -1.0, 0.5, 1.5, -2.75, 1e10, -3e-5, 255.5, 2.0**-20, random.uniform(-1000, 1000)])
        if t.bits == 32:
            value = struct.unpack("f", struct.pack("f", value))[0]
        text = value.hex() + ("f" if t.bits == 32 else "")
        return Expr(t, f"({text})" if value < 0 else text)
    top = 1 << t.bits
    value = random.choice([0, 1, 2, 3, 7, top - 1, top >> 1, (top >> 1) - 1, 1 << random.randrange(t.bits), random.randrange(top)])
    return Expr(t, f"(({t})0x{value:x}{'ul' if t.bits == 64 else 'u'})")


def simplest(t):
    """What the minimiser puts in place of an expression."""
    return Expr(t, f"({t})({1 if t.n == 1 and not t.is_float else 0})")


class Expressions:
    """Makes expressions over the variables, arrays and functions in scope."""

    def __init__(self, random):
        self.random = random
        self.variables = []  # (name, type)
        self.arrays = []     # (name, element type, length): read with any index
        self.functions = []  # (name, result type, argument types)
        # D-11: a conversion that Intel's compiler sinks out of a loop, its value being wanted only afterwards,
        # loses its rounding mode and its saturation. So loops have neither, nor functions, which loops may call.
        self.modes = True

    def rounding(self):
        mode = self.random.choice(ROUNDINGS)
        return mode if self.modes else ""

    def some_type(self, widths=WIDTHS):
        base = self.random.choice([*INTEGERS, "int", "uint", "float", "float", "double"])
        return Type(base, self.random.choice(widths))

    def make(self, t, depth):
        if depth <= 0 or self.random.random() < 0.08:
            return self.leaf(t)
        calls = [f for f in self.functions if f[1] == t]
        if calls and self.random.random() < 0.3:
            name, _, arguments = self.random.choice(calls)
            return Expr(t, f"{name}(in, {', '.join(f'@{i}' for i in range(len(arguments)))})",
                        *(self.make(a, depth - 1) for a in arguments))
        if self.random.random() < 0.25:
            return self.rearranged(t, depth)
        return self.floating(t, depth) if t.is_float else self.integer(t, depth)

    def leaf(self, t):
        random = self.random
        known = [name for name, type_ in self.variables if type_ == t]
        if known and random.random() < 0.7:
            return Expr(t, random.choice(known))
        arrays = [a for a in self.arrays if a[1] == t]
        if arrays and random.random() < 0.6:
            name, _, length = random.choice(arrays)
            return Expr(t, f"{name}[@0 & {length - 1}u]", self.leaf(UINT))
        if random.random() < 0.2:
            return literal(random, t)
        if t.is_float:
            source = t.of(random.choice(["int", "uint", "short", "char"]))
            scale = literal(random, t.element()).form if random.random() < 0.3 else f"0x1p-{random.randrange(24)}{'f' if t.bits == 32 else ''}"
            return Expr(t, f"(convert_{t}(@0) * {scale})", self.leaf(source))
        return self.loaded(t)

    def loaded(self, t):
        """Something from the input buffer, through a pointer to whatever type is wanted."""
        offset = self.random.randrange(64)
        if t.n > 1:
            count = 4096 * 8 // t.bits // t.n
            if self.random.random() < 0.6:
                others = [v for v in self.variables if v[1].n == t.n and not v[1].is_float]
                if others:
                    name, type_ = self.random.choice(others)
                    return Expr(t, f"convert_{t}({name})")
            return Expr(t, f"vload{t.n}((I + {offset}u) % {count}u, (global const {t.base} *)in)")
        if t == UINT:
            return Expr(t, f"in[(I + {offset}u) & 1023u]")
        if self.random.random() < 0.5:
            return Expr(t, f"(({t})in[(I + {offset}u) & 1023u])")
        return Expr(t, f"((global const {t} *)in)[(I * {self.random.choice([1, 2, 3])}u + {offset}u) & {4096 * 8 // t.bits - 1}u]")

    def condition(self, depth):
        """An int that is 0 or 1."""
        random = self.random
        kind = random.randrange(8)
        if kind == 0 and depth > 0:
            return Expr(INT, f"(@0 {random.choice(['&&', '||'])} @1)", self.condition(depth - 1), self.condition(depth - 1))
        if kind == 1:
            return Expr(INT, f"((@0 & {1 << random.randrange(6)}u) != 0u)", self.make(UINT, depth - 1))
        if kind == 2 and depth > 0:
            t = self.some_type((2, 3, 4))
            compare = self.compared(t, depth - 1)
            return Expr(INT, f"{random.choice(['any', 'all'])}(@0)", compare)
        return self.compared(self.some_type((1,)), depth - 1)

    def compared(self, t, depth):
        """A comparison of two values of type t; the result's type follows from t."""
        random = self.random
        result = INT if t.n == 1 else t.integer()
        if t.is_float and random.random() < 0.5:
            if random.random() < 0.3:
                return Expr(result, f"{random.choice(['isnan', 'isinf', 'isfinite', 'isnormal'])}(@0)", self.make(t, depth))
            name = random.choice(["isequal", "isnotequal", "isgreater", "isgreaterequal", "isless", "islessequal",
                                  "islessgreater", "isordered", "isunordered"])
            return Expr(result, f"{name}(@0, @1)", self.make(t, depth), self.make(t, depth))
        return Expr(result, f"(@0 {random.choice(['<', '>', '<=', '>=', '==', '!='])} @1)", self.make(t, depth), self.make(t, depth))

    def rearranged(self, t, depth):
        """Moves values without calculating: choices, swizzles, parts of vectors."""
        random, d = self.random, depth - 1
        kind = random.randrange(5)
        if kind == 0 and t.n == 1:
            return Expr(t, f"(({t})(@0 ? @1 : @2))", self.condition(d), self.make(t, d), self.make(t, d))
        if kind == 0:
            return Expr(t, "select(@0, @1, @2)", self.make(t, d), self.make(t, d), self.compared(t, d - 1))
        if kind == 1 and t.n <= 8 and t.n != 3:
            return Expr(t, f"@0.{random.choice(['lo', 'hi', 'even', 'odd'])}", self.named(t.wide(2 * t.n), d))
        if kind == 2 and t.n > 1 and t.n != 3:
            half = t.wide(t.n // 2)
            return Expr(t, f"({t})(@0, @1)", self.make(half, d), self.make(half, d))
        if kind == 3 and t.n in (2, 3, 4):
            return Expr(t, "@0." + "".join(random.choice("xyzw"[:t.n]) for _ in range(t.n)), self.named(t, d))
        if kind == 4 and t.n > 1 and t.n != 3:
            return Expr(t, "shuffle(@0, @1)", self.make(t.wide(random.choice((2, 4, 8))), d), self.make(t.unsigned(), d))
        if t.n == 1:
            n = random.choice((2, 3, 4, 8, 16))
            return Expr(t, f"@0.s{random.randrange(n):x}", self.named(t.wide(n), d))
        return self.leaf(t)

    def named(self, t, depth):
        return Expr(t, "(@0)", self.make(t, depth))

    def integer(self, t, depth):
        random, d = self.random, depth - 1
        small = t.n == 1 and t.bits < 32
        a, b = (lambda: self.make(t, d)), (lambda: self.make(t, d))
        kind = random.randrange(16)
        if kind <= 1:
            operator = random.choice("+-*")
            if small:
                return Expr(t, f"(({t})((uint)@0 {operator} (uint)@1))", a(), b())
            if t.signed:
                return Expr(t, f"as_{t}(as_{t.unsigned()}(@0) {operator} as_{t.unsigned()}(@1))", a(), b())
            return Expr(t, f"(@0 {operator} @1)", a(), b())
        if kind == 2:
            form = random.choice([f"(@0 {operator} @1)" for operator in "&|^"] + ["(~@0)"])
            form = f"(({t}){form})" if small else form
            return Expr(t, form, a()) if "@1" not in form else Expr(t, form, a(), b())
        if kind == 3:
            return self.shifted(t, d)
        if kind == 4:
            return Expr(t, f"{random.choice(['div', 'rem'])}_{t}(@0, @1)", a(), b())
        if kind in (5, 6):
            name = random.choice(["min", "max", "add_sat", "sub_sat", "mul_hi", "hadd", "rhadd", "rotate"])
            return Expr(t, f"{name}(@0, @1)", a(), b())
        if kind == 7:
            if not t.signed and random.random() < 0.5:
                source = random.choice([t, t.integer()])
                if random.random() < 0.5:
                    return Expr(t, "abs(@0)", self.make(source, d))
                # PoCL subtracts in the signed type: halves keep that from overflowing
                half = f"({source})(@{{}} >> 1)" if source.signed else "@{}"
                return Expr(t, f"abs_diff({half.format(0)}, {half.format(1)})", self.make(source, d), self.make(source, d))
            return Expr(t, f"{random.choice(['popcount', 'clz'])}(@0)", a())
        if kind == 8:
            name = random.choice(["mad_sat", "mad_hi", "bitselect"])
            if name == "mad_sat" and t.base == "long":
                # D-11: Intel's mad_sat(long) takes the sign of the product from the signs of its factors, 0 * -1
                # being negative, and does not saturate the sum: nothing is left to saturate, and no factor is 0.
                return Expr(t, "mad_sat(@0 >> 32 | 1, @1 >> 32 | 1, @2 >> 1)", a(), b(), self.make(t, d))
            return Expr(t, f"{name}(@0, @1, @2)", a(), b(), self.make(t, d))
        if kind in (9, 10):
            source = t.of(random.choice([base for base in INTEGERS if base != t.base]))
            saturation = random.choice(["", "_sat"])
            return Expr(t, f"convert_{t}{saturation if self.modes else ''}(@0)", self.make(source, d))
        if kind in (11, 12):
            return self.from_float(t, d)
        if kind == 13 and t == INT:
            return self.condition(d)
        if kind == 13 and t.n > 1 and t.signed:
            sources = [base for base in [*INTEGERS, *FLOATS] if t.of(base).bits == t.bits]
            return self.compared(t.of(random.choice(sources)), d)
        if kind == 14 and t.bits > 8:
            halves = {16: "char", 32: "short", 64: "int"}[t.bits]
            return Expr(t, "upsample(@0, @1)", self.make(t.of(halves if t.signed else "u" + halves), d), self.make(t.of("u" + halves), d))
        if kind == 15:
            sources = [Type(base, n) for base in INTEGERS for n in (1, 2, 4, 8, 16)
                       if INTEGERS[base][0] * n == t.bits * t.n and base != t.base]
            if sources and t.n != 3:
                return Expr(t, f"as_{t}(@0)", self.make(random.choice(sources), d))
        if t == USHORT:
            return Expr(t, f"{random.choice(['to_half', 'to_half_rtz'])}(@0)", self.make(FLOAT, d))
        if t.bits == 32:
            return Expr(t, "mad24(@0 >> 18, @1 >> 18, @2 >> 2)", a(), b(), self.make(t, d))
        return Expr(t, f"clamp(@0, ({t})(({t.base})5), ({t})(({t.base})100))", a())

    def shifted(self, t, d):
        a, b, mask = self.make(t, d), self.make(t, d), f"({t})(({t.base}){t.bits - 1})"
        if self.random.random() < 0.5:
            return Expr(t, f"(({t})(@0 >> (@1 & {mask})))" if t.n == 1 else f"(@0 >> (@1 & {mask}))", a, b)
        if t.n == 1 and t.bits < 32:
            return Expr(t, f"(({t})((uint)@0 << (@1 & {mask})))", a, b)
        return Expr(t, f"as_{t}(as_{t.unsigned()}(@0) << as_{t.unsigned()}(@1 & {mask}))", a, b)

    def from_float(self, t, d):
        source, rounding = t.of(self.random.choice([*FLOATS])), self.rounding()
        if (self.random.random() < 0.6 or t.bits == 64) and self.modes:
            return Expr(t, f"convert_{t}_sat{rounding}(@0)", self.make(source, d))
        suffix = "f" if source.bits == 32 else ""
        low = f"-0x1.8p{t.bits - 2}{suffix}" if t.signed else f"0.0{suffix}"
        high = f"0x1.8p{t.bits - 2 if t.signed else t.bits - 1}{suffix}"
        return Expr(t, f"convert_{t}{rounding}(fmin(fmax(@0, {low}), {high}))", self.make(source, d))

    def floating(self, t, depth):
        random, d = self.random, depth - 1
        zero = "0.0f" if t.bits == 32 else "0.0"
        a = lambda: self.make(t, d)
        kind = random.randrange(12)
        if kind <= 2:
            operator = random.choice("+-*")
            # D-11: Intel's compiler makes -x of a difference whose left side it finds to be constant 0.0:
            # -0 instead of +0 where x is 0. Adding +0 leaves +0 of both.
            form = f"((@0 - @1) + {zero})" if operator == "-" else f"(@0 {operator} @1)"
            return Expr(t, form, a(), a())
        if kind == 3:
            return Expr(t, "(@0 / @1)", a(), a())
        if kind == 4:
            return Expr(t, "fma(@0, @1, @2)", a(), a(), a())
        if kind == 5:
            return Expr(t, "sqrt(fabs(@0))", a())
        if kind == 6:  # either zero may come out of (-0, +0): adding +0 leaves one of them
            return Expr(t, f"({random.choice(['fmin', 'fmax'])}(@0, @1) + {zero})", a(), a())
        if kind == 7:  # Intel's compiler loses the sign of zero in some of these
            name = random.choice(["floor", "ceil", "trunc", "rint", "round", "sign", "fabs"])
            return Expr(t, f"({name}(@0) + {zero})" if name != "fabs" else "fabs(@0)", a())
        if kind == 8:
            source = t.of(random.choice([*INTEGERS]))
            return Expr(t, f"convert_{t}{self.rounding()}(@0)", self.make(source, d))
        if kind == 9:
            other = t.of("double" if t.bits == 32 else "float")
            return Expr(t, f"convert_{t}{self.rounding()}(@0)", self.make(other, d))
        if kind == 10:
            return Expr(t, "ldexp(@0, (@1 & 31) - 16)", a(), self.make(t.of("int"), d))
        if kind == 11 and t == FLOAT:
            return Expr(t, "from_half(@0)", self.make(USHORT, d))
        return Expr(t, "(-@0)", a())
