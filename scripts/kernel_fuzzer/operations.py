# SPDX-License-Identifier: Apache-2.0
"""Random arithmetic whose value OpenCL defines to the bit: signed arithmetic wraps in unsigned, shift counts are
masked, only correctly rounded float operations, NaNs never turned into bits as they are. Where Intel's compiler
or its library is known to be wrong (docs/deviations.md, D-13) the rule says so and keeps clear."""
from .tree import Expr, INTEGERS, Type

ROUNDINGS = ("", "_rte", "_rtz", "_rtp", "_rtn")


def lifted(name, t, count):
    """The Python call of a scalar function on `count` values of type t."""
    values = ", ".join(f"@{i}" for i in range(count))
    return f"{name}({values})" if t.n == 1 else f"each({name}, {values})"


class Operations:
    """The half of Expressions that calculates."""

    def rounding(self):
        mode = self.random.choice(ROUNDINGS)
        return mode if self.modes else ""

    def some_float(self, but=None):
        return self.random.choice([base for base in self.floats if base != but])

    def integer(self, t, depth):
        random, d = self.random, depth - 1
        small = t.n == 1 and t.bits < 32
        kind = random.randrange(16)
        if kind <= 1:
            return self.sum_or_product(t, d, small)
        if kind == 2:
            return self.logic(t, d, small)
        if kind == 3:
            return self.shifted(t, d)
        if kind == 4:
            name = random.choice(["div", "rem"])
            if t.signed and t.bits < 32:  # D-13: see quotient() of prelude.py
                return self.call(t, "hadd", f"hadd_{t.base}", d, 2)
            return self.call(t, f"{name}_{t}", f"{name}_{t.base}", d, 2)
        if kind in (5, 6):
            name = random.choice(["min", "max", "add_sat", "sub_sat", "mul_hi", "hadd", "rhadd", "rotate"])
            if name in ("add_sat", "sub_sat") and t.base == "long":  # D-13: saturated to the wrong side, or not at all
                name = "hadd"
            if name == "rotate":  # D-13: by what is known to be a multiple of the width it is left undefined
                return Expr(t, f"rotate(@0, ({t})(@1 | ({t.base})1))", lifted(f"rotate_odd_{t.base}", t, 2), self.make(t, d), self.make(t, d))
            if name == "sub_sat" and self.build.unoptimised:  # D-13: of a constant, it is saturated as the sum is
                name = "rhadd"
            # D-13: Intel's compiler extends as_short(mul_hi(ushort, ushort)) by zeros.
            name = "hadd" if name == "mul_hi" and not t.signed and t.bits < 32 else name
            return self.call(t, name, f"{name}_{t.base}", d, 2)
        if kind == 7:
            if not t.signed and random.random() < 0.5:
                return self.distance(t, d)
            name = random.choice(["popcount", "clz"])
            return self.call(t, name, f"{name}_{t.base}", d, 1)
        if kind == 8:
            name = random.choice(["mad_sat", "mad_hi", "bitselect"])
            if name == "mad_hi" and not t.signed and t.bits < 32:  # D-13: as mul_hi, and of ushorts it loses the highest bit
                name = "bitselect"
            if name == "mad_sat" and t.base == "long":
                # D-13: Intel's mad_sat(long) takes the sign of the product from the signs of its factors, 0 * -1
                # being negative, and does not saturate the sum: nothing is left to saturate, and no factor is 0.
                return Expr(t, "mad_sat(@0 >> 32 | 1, @1 >> 32 | 1, @2 >> 1)", lifted("mad_sat_small_long", t, 3),
                            *(self.make(t, d) for _ in range(3)))
            return self.call(t, name, f"{name}_{t.base}", d, 3)
        if kind in (9, 10):
            source = t.of(random.choice([base for base in INTEGERS if base != t.base]))
            suffix = random.choice(["", "_sat"]) + self.rounding()  # a rounding mode changes no integer
            suffix = suffix if self.modes else ""
            return Expr(t, f"convert_{t}{suffix}(@0)", lifted(f"convert_{t.base}{suffix}__{source.base}", t, 1), self.make(source, d))
        if kind in (11, 12) and self.floats:
            return self.from_float(t, d)
        if kind == 13 and t == Type("int"):
            return self.condition(d)
        if kind == 13 and t.n > 1 and t.signed:
            sources = [base for base in [*INTEGERS, *self.floats] if t.of(base).bits == t.bits]
            return self.compared(t.of(random.choice(sources)), d)
        if kind == 14 and t.bits > 8:
            low = {16: "uchar", 32: "ushort", 64: "uint"}[t.bits]
            return Expr(t, "upsample(@0, @1)", lifted(f"upsample_{t.base}", t, 2),
                        self.make(t.of(low[1:] if t.signed else low), d), self.make(t.of(low), d))
        if kind == 15:
            sources = [Type(base, n) for base in INTEGERS for n in (1, 2, 4, 8, 16)
                       if INTEGERS[base][0] * n == t.bits * t.n and base != t.base]
            if sources and t.n != 3:
                source = random.choice(sources)
                return Expr(t, f"as_{t}(@0)", f"reinterpret('{source.base}', {source.n}, '{t.base}', {t.n}, @0)", self.make(source, d))
        if t.base == "ushort" and self.halves and random.random() < 0.5:
            return Expr(t, f"bits_{t.of('half')}(@0)", lifted("fold_half", t, 1), self.make(t.of("half"), d))
        if t == Type("ushort") and self.floats:
            mode = random.choice(["", "_rtz"])
            return Expr(t, f"to_half{mode}(@0)", f"fold_half(convert_half{mode}__float(@0))", self.make(Type("float"), d))
        if t.bits == 32:
            return Expr(t, "mad24(@0 >> 18, @1 >> 18, @2 >> 2)", lifted(f"mad24_{t.base}", t, 3), *(self.make(t, d) for _ in range(3)))
        bounds = "5, 100" if t.n == 1 else f"(5,) * {t.n}, (100,) * {t.n}"
        return Expr(t, f"clamp(@0, ({t})(({t.base})5), ({t})(({t.base})100))",
                    lifted(f"clamp_{t.base}", t, 1).replace("@0", f"@0, {bounds}"), self.make(t, d))

    def call(self, t, name, meaning, d, count):
        values = ", ".join(f"@{i}" for i in range(count))
        return Expr(t, f"{name}({values})", lifted(meaning, t, count), *(self.make(t, d) for _ in range(count)))

    def sum_or_product(self, t, d, small):
        """D-13: where a negated value is compared, Intel's compiler negates in the comparison, where the least integer has
        a negation (003:19686); as it makes x == -y of x + y == 0. So nothing is subtracted from 0 or multiplied by -1."""
        operator, name = self.random.choice([("+", "add"), ("-", "difference"), ("*", "product")])
        left = f"(@0 | ({t.base})1)" if operator == "-" else f"(@0 & ({t.base})(-3))" if operator == "*" else "@0"
        right = f"(@1 & ({t.base})(-3))" if operator == "*" else "@1"
        form = f"({left} {operator} {right})"
        if small:
            form = f"(({t})((uint){left} {operator} (uint){right}))"
        elif t.signed:
            form = f"as_{t}(as_{t.unsigned()}({left}) {operator} as_{t.unsigned()}({right}))"
        return Expr(t, form, lifted(f"{name}_{t.base}", t, 2), self.make(t, d), self.make(t, d))

    def logic(self, t, d, small):
        form, name = self.random.choice([("(@0 & @1)", "and"), ("(@0 | @1)", "or"), ("(@0 ^ @1)", "xor"), ("(~@0)", "not")])
        count = 1 if name == "not" else 2
        return Expr(t, f"(({t}){form})" if small else form, lifted(f"{name}_{t.base}", t, count), *(self.make(t, d) for _ in range(count)))

    def distance(self, t, d):
        source = self.random.choice([t, t.integer()])
        if self.random.random() < 0.5:
            return Expr(t, "abs(@0)", lifted(f"abs_{t.base}", t, 1), self.make(source, d))
        # PoCL subtracts in the signed type: halves keep that from overflowing
        half = f"({source})(@{{}} >> 1)" if source.signed else "@{}"
        meaning = lifted(f"abs_diff_{t.base}", t, 2)
        if source.signed:
            meaning = f"abs_diff_{t.base}(@0 >> 1, @1 >> 1)" if t.n == 1 else f"each(abs_diff_{t.base}, halves(@0), halves(@1))"
        return Expr(t, f"abs_diff({half.format(0)}, {half.format(1)})", meaning, self.make(source, d), self.make(source, d))

    def shifted(self, t, d):
        a, b, mask = self.make(t, d), self.make(t, d), f"({t})(({t.base}){t.bits - 1})"
        if self.random.random() < 0.5:
            form = f"(({t})(@0 >> (@1 & {mask})))" if t.n == 1 else f"(@0 >> (@1 & {mask}))"
            return Expr(t, form, lifted(f"shr_{t.base}", t, 2), a, b)
        form = f"as_{t}(as_{t.unsigned()}(@0) << as_{t.unsigned()}(@1 & {mask}))"
        if t.n == 1 and t.bits < 32:
            form = f"(({t})((uint)@0 << (@1 & {mask})))"
        return Expr(t, form, lifted(f"shl_{t.base}", t, 2), a, b)

    def from_float(self, t, d):
        source, rounding = t.of(self.some_float()), self.rounding()
        if (self.random.random() < 0.6 or t.bits == 64) and self.modes:
            return Expr(t, f"convert_{t}_sat{rounding}(@0)", lifted(f"convert_{t.base}_sat{rounding}__{source.base}", t, 1), self.make(source, d))
        # within the integer's range, and a NaN becomes the lower bound
        low, high = (-1.5 * 2.0**(t.bits - 2) if t.signed else 0.0), 1.5 * 2.0**(t.bits - (2 if t.signed else 1))
        if source.bits == 16 and t.bits > 16:
            low, high = max(low, -65504.0), 65504.0
        suffix = {16: "", 32: "f", 64: ""}[source.bits]
        texts = [f"(half){v}f" if source.bits == 16 else f"{v.hex()}{suffix}" for v in (low, high)]
        bounded = lifted(f"bounded({low}, {high}, convert_{t.base}{rounding}__{source.base})", t, 1)
        return Expr(t, f"convert_{t}{rounding}(fmin(fmax(@0, {texts[0]}), {texts[1]}))", bounded, self.make(source, d))

    def floating(self, t, depth):
        random, d = self.random, depth - 1
        base = t.base
        kind = random.randrange(14)
        if kind <= 2:
            operator, name = random.choice([("+", "add"), ("-", "sub"), ("*", "mul")])
            return Expr(t, f"(@0 {operator} @1)", lifted(f"{name}_{base}", t, 2), self.make(t, d), self.make(t, d))
        if kind == 3:
            return self.call(t, f"div_{t}", f"div_{base}", d, 2)
        if kind == 4:
            return self.call(t, "fma", f"fma_{base}", d, 3)
        if kind == 5:
            return Expr(t, "sqrt(fabs(@0))", lifted(f"sqrt_{base}", t, 1).replace("@0", "abs(@0)" if t.n == 1 else "each(abs, @0)"), self.make(t, d))
        if kind == 6:
            name = random.choice(["fmin", "fmax"])
            return self.call(t, name, name, d, 2)
        if kind == 7:
            name = random.choice(["floor", "ceil", "trunc", "rint", "round", "sign", "fabs"])
            return self.call(t, name, f"{name}_{base}", d, 1)
        if kind == 8:
            source, mode = t.of(random.choice([*INTEGERS])), self.rounding()
            return Expr(t, f"convert_{t}{mode}(@0)", lifted(f"convert_{base}{mode}__{source.base}", t, 1), self.make(source, d))
        if kind == 9:
            other, mode = t.of(self.some_float(but=base)), self.rounding()
            return Expr(t, f"convert_{t}{mode}(@0)", lifted(f"convert_{base}{mode}__{other.base}", t, 1), self.make(other, d))
        if kind == 10:
            scale = "(@1 & 31) - 16" if t.n == 1 else "small_exponents(@1)"
            return Expr(t, "ldexp(@0, (@1 & 31) - 16)", lifted(f"ldexp_{base}", t, 2).replace("@1", scale), self.make(t, d), self.make(t.of("int"), d))
        if kind == 11 and t == Type("float"):
            return Expr(t, "from_half(@0)", "half_of(@0)", self.make(Type("ushort"), d))
        if kind == 12:
            return self.call(t, "fdim", f"fdim_{base}", d, 2)
        if kind == 13:
            return self.call(t, "step", f"step_{base}", d, 2)
        if t.n > 1 and self.build.unoptimised:  # see Build.unoptimised
            return Expr(t, f"(({t})(({base})0) - @0)", lifted(f"neg_{base}", t, 1), self.make(t, d))
        return Expr(t, "(-@0)", lifted(f"neg_{base}", t, 1), self.make(t, d))
