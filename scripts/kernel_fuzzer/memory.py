# SPDX-License-Identifier: Apache-2.0
"""Random statements that write memory in one width and read it in another: the work-items of a group fill a piece each,
of global or local memory, with stores and vectors of all widths and halves, then read anywhere; atomics of 64 bits;
private memory through a union. Nobody reads what another wrote without a barrier between, nor, where C's aliasing
rules ask, by another type. And what the accesses do, in Python: memory is bytes."""
import struct

from .arithmetic import CODES
from .expressions import UINT
from .tree import Expr, INTEGERS, Line, Type

ITEMS = 64
PIECES = (4, 8, 12, 16, 24, 32, 48)  # bytes of each work-item
ROUNDINGS = ("", "_rte", "_rtz", "_rtp", "_rtn")
WIDE = ("add", "sub", "min", "max", "and", "or", "xor", "inc", "dec")


class Words:
    """Some words of a buffer as bytes."""

    def __init__(self, words, start, count):
        self.words, self.start, self.count = words, start, count

    def __getitem__(self, span):
        return struct.pack(f"<{self.count}I", *self.words[self.start:self.start + self.count])[span]

    def __setitem__(self, span, raw):
        changed = bytearray(self[:])
        changed[span] = raw
        self.words[self.start:self.start + self.count] = struct.unpack(f"<{self.count}I", changed)


def load(memory, base, n, at):
    size = struct.calcsize(CODES[base])
    got = struct.unpack(f"<{n}{CODES[base]}", memory[at:at + n * size])
    return got if n > 1 else got[0]


def store(memory, base, n, at, value):
    values = value if n > 1 else (value,)
    raw = struct.pack(f"<{n}{CODES[base]}", *values)
    memory[at:at + len(raw)] = raw


def store_half(convert, memory, n, at, value):
    store(memory, "half", n, at, tuple(map(convert, value)) if n > 1 else convert(value))


class MemoryAccess:
    """The part of a kernel's statements that mixes widths."""

    def memory_statement(self):
        return self.random.choice([self.pieces, self.pieces, self.pieces, self.wide_atomics, self.union])()

    def place(self, size):
        """(declarations, space, C name of its bytes, Python name, bytes of each work-item, fence)."""
        name = self.fresh("q")
        if self.random.random() < 0.35:
            declared = Line(f"global uchar *{name} = (global uchar *)(out + (I & ~63u));", f"{name} = Words(out, I & ~63, 64)", declares=name)
            return [declared], "global", name, 4, "barrier(CLK_GLOBAL_MEM_FENCE);"
        declared = Line(f"local uchar {name}[{size * ITEMS}] __attribute__((aligned(16)));",
                        f"{name} = shared('{name}', {size * ITEMS})", declares=name)
        words = size * ITEMS // 4
        filled = Line(f"for (uint k = L; k < {words}u; k += 64u) ((local uint *){name})[k] = k * 0x9E3779B9u; barrier(CLK_LOCAL_MEM_FENCE);",
                      f"for k in range(L, {words}, 64):\n    store({name}, 'uint', 1, k * 4, k * 0x9E3779B9 & 0xFFFFFFFF)\nyield")
        return [declared, filled], "local", name, size, "barrier(CLK_LOCAL_MEM_FENCE);"

    def half_value(self, n):
        """A float that is neither tiny nor too large for a half."""
        t, sign, scale = Type("float", n), self.random.choice(("", "-")), self.random.randrange(11)
        value = f"(convert_{t}((@0 & {Type('uint', n)}(0x7FFFu)) | {Type('uint', n)}(1u)) * {sign}{(2.0 ** -scale).hex()}f)"
        value = value.replace(f"{Type('uint', n)}(", f"({Type('uint', n)})(")
        one = f"({sign}2.0 ** -{scale}) * float({{}} & 0x7FFF | 1)"
        return Expr(t, value, one.format("@0") if n == 1 else f"tuple({one.format('x')} for x in @0)", self.value(Type("uint", n)))

    def stores(self, space, name, size):
        """Text, Python and parts of the stores that fill most of a piece; no byte is stored twice."""
        random, at, forms, meanings, parts = self.random, 0, [], [], []
        while at < size and len(parts) < 5:
            fitting = [(base, n) for base in [*INTEGERS, "half"] for n in (1, 2, 3, 4, 8, 16)
                       for width in [2 if base == "half" else INTEGERS[base][0] // 8]
                       if at % width == 0 and at + n * width <= size]
            base, n = random.choice(fitting)
            width = 2 if base == "half" else INTEGERS[base][0] // 8
            if random.random() < 0.8:
                pointer, here = f"({space} {base} *)(w + {at})", f"at + {at}"
                value = f"@{len(parts)}"
                if base == "half":
                    mode = random.choice(ROUNDINGS)
                    forms.append(f"vstore_half{n if n > 1 else ''}{mode}({value}, 0, {pointer});")
                    meanings.append(f"store_half(convert_half{mode}__float, {name}, {n}, {here}, {value})")
                    parts.append(self.half_value(n))
                else:
                    forms.append(f"*({pointer}) = {value};" if n == 1 else f"vstore{n}({value}, 0, {pointer});")
                    meanings.append(f"store({name}, '{base}', {n}, {here}, {value})")
                    parts.append(self.value(Type(base, n)))
                if random.random() < 0.3:
                    forms[-1] = f"if (@{len(parts)}) {forms[-1]}"
                    meanings[-1] = f"if @{len(parts)}:\n    {meanings[-1]}"
                    parts.append(self.condition())
            at += n * width
        return forms, meanings, parts

    def pieces(self):
        random = self.random
        before, space, name, size, fence = self.place(random.choice(PIECES))
        slot, slot_python = random.choice([(f"(L ^ {m}u)", f"(L ^ {m})") for m in (0, 1, 21, 63)] + [("(L * 5u + 3u & 63u)", "(L * 5 + 3 & 63)")])
        forms, meanings, parts = self.stores(space, name, size)
        forms = [f"{{ {space} uchar *w = {name} + {slot} * {size}u;", *forms, "}", fence]
        meanings = [f"at = {slot_python} * {size}", *meanings, "yield"]
        for _ in range(random.randint(1, 3)):
            t, half = self.expressions.some_type(), random.random() < 0.2
            t = t.of("float") if half else t
            base, width = ("half", 2) if half else (t.base, t.bits // 8)
            places = size * ITEMS // width - t.n + 1
            to, declared = self.variable(t)
            before.append(declared)
            index = f"@{len(parts)} % {places}u"
            pointer = f"({space} {base} *){name} + {index}"
            suffix = t.n if t.n > 1 else ""
            forms.append(f"{to} = vload_half{suffix}(0, {pointer});" if half else
                         f"{to} = *({pointer});" if t.n == 1 else f"{to} = vload{suffix}(0, {pointer});")
            meanings.append(f"{to} = load({name}, '{base}', {t.n}, @{len(parts)} % {places} * {width})")
            parts.append(self.value(UINT))
        return before + [Line(" ".join([*forms, fence]), "\n".join([*meanings, "yield"]), *parts)]

    def wide_atomics(self):
        """On 32 cells of 64 bits of the group's part of `out`."""
        random, t, cells = self.random, Type(self.random.choice(["long", "ulong"])), self.fresh("q")
        alone = random.random() < 0.4
        operation = random.choice([*WIDE, "xchg", "cmpxchg"] if alone else WIDE)
        values = {"inc": "", "dec": "", "cmpxchg": ", @2, @3"}.get(operation, ", @2")
        fence, mask = "barrier(CLK_GLOBAL_MEM_FENCE);", random.randrange(32)
        index, where = (f"L ^ {mask}u", f"L ^ {mask}") if alone else ("@1 & 31u", "@1 & 31")
        to, declared = self.variable(t)
        place = Line(f"global {t} *{cells} = (global {t} *)(out + (I & ~63u));", f"{cells} = Words(out, I & ~63, 64)", declares=cells)
        gets, got, only, then = (f"{to} = ", f"{to} = old", "if (L < 32u) ", "if L < 32:\n    ") if alone else ("", "pass", "", "if True:\n    ")
        line = Line(f"if (L < 32u) {cells}[L] = @0; {fence} {only}{gets}atom_{operation}(&{cells}[{index}]{values}); {fence} acc ^= (uint){cells}[@4 & 31u]; {fence}",
                    f"if L < 32:\n    store({cells}, '{t}', 1, L * 8, @0)\nyield\n{then}k = ({where}) * 8\n    old = load({cells}, '{t}', 1, k)\n"
                    f"    store({cells}, '{t}', 1, k, atomic_{operation}_{t}(old{values}))\n    {got}\nyield\n"
                    f"acc ^= load({cells}, '{t}', 1, (@4 & 31) * 8) & 0xFFFFFFFF\nyield",
                    self.value(t), self.value(UINT), self.value(t), self.value(t), self.value(UINT))
        return [place, declared, line]

    def union(self):
        """Private memory, written and read as bytes and as wider members at places nobody knows in advance. Only bytes
        may be mixed with others: of arrays in unions clang assumes that elements of two other types do not overlap."""
        random, name, size = self.random, self.fresh("u"), self.random.choice((16, 32, 64))
        wide = Type(random.choice(["ushort", "uint", "ulong"]))
        width = wide.bits // 8
        declared = Line(f"union {{ uchar b[{size}]; {wide} w[{size // width}]; }} {name}; "
                        f"for (uint k = 0u; k < {size // width}u; ++k) {name}.w[k] = ({wide})(@0 + k);",
                        f"{name} = bytearray({size})\nfor k in range({size // width}):\n    store({name}, '{wide}', 1, k * {width}, wrap_{wide}(@0 + k))",
                        self.value(wide), declares=name)
        statements = [declared]
        for _ in range(random.randint(2, 4)):
            member = random.choice("bw")
            t = wide if member == "w" else Type("uchar")
            places = size * 8 // t.bits
            statements.append(Line(f"{name}.{member}[@0 & {places - 1}u] = @1;",
                                   f"store({name}, '{t}', 1, (@0 & {places - 1}) * {t.bits // 8}, @1)", self.value(UINT), self.value(t)))
            member = random.choice("bw")
            t = wide if member == "w" else Type("uchar")
            places = size * 8 // t.bits
            read = Expr(t, f"{name}.{member}[@0 & {places - 1}u]", f"load({name}, '{t}', 1, (@0 & {places - 1}) * {t.bits // 8})", self.value(UINT))
            statements.append(self.into_acc(read))
        return statements
