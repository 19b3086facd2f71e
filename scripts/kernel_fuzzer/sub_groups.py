# SPDX-License-Identifier: Apache-2.0
"""Sub-groups: random statements that use them, and what each operation gives, from its definition: a function of
what the members of one sub-group brought. Nothing is assumed of how they run. A member that takes no part
brings ABSENT."""
import functools

from .arithmetic import INFINITY, limits
from .expressions import UINT
from .tree import Block, Expr, Line, Type

ABSENT = object()
TYPES = ("int", "uint", "int", "uint", "long", "ulong", "float", "half", "double", "short", "ushort", "char", "uchar")
SHUFFLED = ("int", "uint", "float", "half", "short", "ushort", "long", "ulong", "double")


def present(values):
    return [v for v in values if v is not ABSENT]


def reducing(operation):
    def result(values):
        total = functools.reduce(operation, present(values))
        return [total] * len(values)
    return result


def scanning(operation, identity, inclusive):
    def result(values):
        total, results = identity, []
        for value in values:
            before = total
            total = total if value is ABSENT else operation(total, value)
            results.append(total if inclusive else before)
        return results
    return result


def clustered(operation, size):
    def result(values):
        clusters = [values[i:i + size] for i in range(0, len(values), size)]
        return [r for cluster in clusters for r in reducing(operation)(cluster)]
    return result


def shuffling(place):
    """Members bring (value, i); member `lane` gets the value of member place(lane, i)."""
    return lambda values: [values[place(lane, i) & (len(values) - 1)][0] for lane, (_, i) in enumerate(values)]


def shuffled_down(values):
    """Members bring (current, next, delta): both vectors one behind the other, moved down."""
    both = [v[0] for v in values] + [v[1] for v in values]
    return [both[lane + v[2]] for lane, v in enumerate(values)]


def shuffled_up(values):
    """Members bring (previous, current, delta)."""
    both = [v[0] for v in values] + [v[1] for v in values]
    return [both[len(values) + lane - v[2]] for lane, v in enumerate(values)]


def broadcasting(member):
    return lambda values: [values[member]] * len(values)


def first(values):
    return [present(values)[0]] * len(values)


def elected(values):
    lowest = next(i for i, v in enumerate(values) if v is not ABSENT)
    return [int(i == lowest) for i in range(len(values))]


def every(values):
    return [int(all(present(values)))] * len(values)


def some(values):
    return [int(any(present(values)))] * len(values)


def all_equal(values):
    here = present(values)
    return [int(all(v == here[0] for v in here))] * len(values)


def ballot(values):
    bits = sum(1 << i for i, v in enumerate(values) if v is not ABSENT and v)
    return [(bits, 0, 0, 0)] * len(values)


def counted(bits_before):
    """Of a ballot, how many bits are set among the first bits_before(lane) ones."""
    return lambda values: [bin(v[0] & ((1 << bits_before(lane, len(values))) - 1)).count("1") for lane, v in enumerate(values)]


IDENTITY = {"add": lambda base: 0 if base not in ("half", "float", "double") else 0.0,
            "min": lambda base: INFINITY if base in ("half", "float", "double") else limits(base)[1],
            "max": lambda base: -INFINITY if base in ("half", "float", "double") else limits(base)[0],
            "mul": lambda base: 1, "and": lambda base: -1 if limits(base)[0] else limits(base)[1],
            "or": lambda base: 0, "xor": lambda base: 0}


class SubGroups:
    """The part of a kernel's statements that the members of a sub-group reach together."""

    def scalar(self, bases):
        base = self.random.choice(bases)
        if self.expressions.build.integers_only:
            base = {"half": "ushort", "float": "uint", "double": "ulong"}.get(base, base)
        return Type(base)

    def member_value(self, t):
        """Sums and products of floats must not depend on their order: small whole numbers, no NaN, no -0."""
        if not t.is_float:
            return self.value(t)
        return Expr(t, f"convert_{t}(@0 & 31)", f"convert_{t.base}__int(@0 & 31)", self.value(Type("int")))

    def sub_group_statement(self, size):
        kinds = [self.arithmetic, self.arithmetic, self.broadcast, self.shuffle, self.shuffle, self.vote, self.ballots,
                 self.some_members, self.some_members]
        if size < 32:  # Intel's compiler refuses block reads in SIMD32
            kinds.append(self.block)
        made = self.random.choice(kinds)(size)
        if self.random.random() < 0.25 and len(made) > 1:
            times = self.random.randint(2, 3)
            return made[:-1] + [Block([f"for (uint r = 0u; r < {times}u; ++r) {{", "}"], [f"for r in range({times}):"], [], [[made[-1]]], declares="r")]
        return made

    def received(self, t, form, function, *values):
        """`v = form` for a new variable v."""
        name, declared = self.variable(t)
        brought = "@0" if len(values) == 1 else "(" + ", ".join(f"@{i}" for i in range(len(values))) + ")"
        return [declared, Line(f"{name} = {form};", f"{name} = yield ({function}, {brought})", *values)]

    def operation(self, uniform, t):
        """(name, Python) of a reduction or scan."""
        names = ["add", "min", "max"]
        if not uniform and not t.is_float:
            names += ["mul", "and", "or", "xor"]
        name, kind = self.random.choice(names), self.random.choice(["reduce", "scan_inclusive", "scan_exclusive"])
        python = f"fm{name[1:]}" if t.is_float and name in ("min", "max") else f"{name}_{t.base}"
        if kind == "reduce":
            return f"{kind}_{name}", f"reducing({python})"
        return f"{kind}_{name}", f"scanning({python}, IDENTITY['{name}']('{t.base}'), {kind == 'scan_inclusive'})"

    def arithmetic(self, size):
        t = self.scalar(TYPES)
        if self.random.random() < 0.2:
            cluster, name = self.random.choice([c for c in (1, 2, 4, 8, 16, 32) if c <= size]), self.random.choice(["add", "min", "max"])
            python = f"fm{name[1:]}" if t.is_float and name != "add" else f"{name}_{t.base}"
            return self.received(t, f"sub_group_clustered_reduce_{name}(@0, {cluster}u)", f"clustered({python}, {cluster})", self.member_value(t))
        name, python = self.operation(True, t)
        return self.received(t, f"sub_group_{name}(@0)", python, self.member_value(t))

    def broadcast(self, size):
        t, member = self.scalar(TYPES), self.random.randrange(size)
        return self.received(t, f"sub_group_broadcast(@0, {member}u)", f"broadcasting({member})", self.value(t))

    def shuffle(self, size):
        t = self.scalar(SHUFFLED)
        kind, index = self.random.randrange(6), self.value(UINT)
        if kind >= 2 and t.base in ("int", "uint", "float"):
            t = t.wide(self.random.choice((1, 1, 2, 3, 4, 8, 16)))
        within = f"@1 & {size - 1}u"
        if kind == 0:
            return self.received(t, f"sub_group_shuffle(@0, {within})", "shuffling(lambda lane, i: i)", self.value(t), index)
        if kind == 1:
            return self.received(t, f"sub_group_shuffle_xor(@0, {within})", "shuffling(lambda lane, i: lane ^ i)", self.value(t), index)
        if kind == 2:
            return self.received(t, f"intel_sub_group_shuffle(@0, {within})", "shuffling(lambda lane, i: i)", self.value(t), index)
        if kind == 3:
            return self.received(t, f"intel_sub_group_shuffle_xor(@0, {within})", "shuffling(lambda lane, i: lane ^ i)", self.value(t), index)
        direction = "down" if kind == 4 else "up"
        delta = Expr(UINT, f"(@0 & {size - 1}u)", f"(@0 & {size - 1})", index)
        return self.received(t, f"intel_sub_group_shuffle_{direction}(@0, @1, @2)", f"shuffled_{direction}", self.value(t), self.value(t), delta)

    def vote(self, size):
        name, function = self.random.choice([("sub_group_any", "some"), ("sub_group_all", "every"),
                                             ("sub_group_non_uniform_any", "some"), ("sub_group_non_uniform_all", "every")])
        condition = self.condition()
        if self.random.random() < 0.3:
            t = Type(self.random.choice(["int", "uint", "long", "short"]))
            return self.received(Type("int"), "(sub_group_non_uniform_all_equal(@0) != 0)", "all_equal", self.value(t))
        return self.received(Type("int"), f"({name}(@0) != 0)", function, condition)

    def ballots(self, size):
        """A ballot, then something asked of it."""
        votes = self.received(Type("uint", 4), "sub_group_ballot(@0)", "ballot", self.condition())
        name = self.expressions.variables[-1][0]
        asked, before = self.random.choice([("bit_count", "n"), ("inclusive_scan", "lane + 1"), ("exclusive_scan", "lane")])
        ballot_of = Expr(Type("uint", 4), name, name)
        return votes + self.received(UINT, f"sub_group_ballot_{asked}(@0)", f"counted(lambda lane, n: {before})", ballot_of)

    def some_members(self, size):
        """Operations that only the members of a branch take part in."""
        t = self.scalar(TYPES)
        name, declared = self.variable(t)
        kind = self.random.randrange(4)
        if kind == 0:
            t, form, function, value = t, "sub_group_broadcast_first(@1)", "first", self.value(t)
        elif kind == 1:
            form, function, value = f"({t})(sub_group_elect() != 0)", f"with_type(elected, convert_{t}__int)", Expr(UINT, "0u", "0")
        else:
            operation, function = self.operation(False, t)
            form, value = f"sub_group_non_uniform_{operation}(@1)", self.member_value(t)
        line = Line(f"if (@0) {name} = {form};", f"if @0:\n    {name} = yield ({function}, @1)\nelse:\n    yield ({function}, ABSENT)",
                    self.condition(), value)
        return [declared, line]

    def block(self, size):
        """Reads and writes of a whole sub-group at once. The place is the same for all members."""
        n, start = self.random.choice((1, 2, 4, 8)), 4 * self.random.randrange(64)
        t = Type("uint", n)
        place = f"(get_group_id(0) * 64u + get_sub_group_id() * {size}u + {start}u) & 511u"
        python = f"(G * 64 + L // {size} * {size} + {start} & 511)"
        at = [f"IN_uint[{python} + {k * size} + L % {size}]" for k in range(n)]
        value = at[0] if n == 1 else f"({', '.join(at)})"
        name, declared = self.variable(t)
        read = Line(f"{name} = intel_sub_group_block_read{n if n > 1 else ''}(in + ({place}));", f"{name} = {value}")
        if self.random.random() < 0.5:
            return [declared, read]
        back, also = self.variable(UINT)
        fence = "barrier(CLK_GLOBAL_MEM_FENCE);"
        written = Line(f"intel_sub_group_block_write(out + (I - get_sub_group_local_id()), @0); {fence} {back} = out[(I & ~63u) | (@1 & 63u)]; {fence}",
                       f"out[I] = @0\nyield\n{back} = out[(I & ~63) | (@1 & 63)]\nyield", self.value(UINT), self.value(UINT))
        return [declared, read, also, written]


def with_type(function, convert):
    return lambda values: [convert(v) for v in function(values)]
