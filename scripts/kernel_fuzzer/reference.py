# SPDX-License-Identifier: Apache-2.0
"""The plain reference: runs a kernel's own program, in Python, one work-item after the other, and says what the
devices should have left. Work-items wait for each other only where the program says so."""
import functools
import struct

from . import arithmetic, images, memory, sub_groups
from .tree import FLOATS, INTEGERS

COUNT, LOCAL = 1024, 64
MASK = 0xFFFFFFFF


def corpus_input():
    """The input buffer of tests/system/opencl/algorithms/corpus.cpp."""
    state, words = 42, []

    def following():
        nonlocal state
        state = (state * 1664525 + 1013904223) & MASK
        return state
    for i in range(COUNT):
        pattern = (0, MASK, 0x80000000, 0x7FFFFFFF, 1 << (i // 8 & 31), 0x7F800000, 0x3F800000, 100)
        if i % 5 == 4:
            words.append(pattern[i // 5 % 8])
        else:
            a = following()
            words.append(a ^ following() >> 16)
    return words


def reinterpret(source, source_count, to, count, value):
    values = value if source_count > 1 else (value,)
    got = struct.unpack(f"<{count}{arithmetic.CODES[to]}", struct.pack(f"<{source_count}{arithmetic.CODES[source]}", *values))
    return got if count > 1 else got[0]


class View:
    """Words of a buffer as another type."""

    def __init__(self, words, start, wrap):
        self.words, self.start, self.wrap = words, start, wrap

    def __getitem__(self, index):
        return self.wrap(self.words[self.start + index])

    def __setitem__(self, index, value):
        self.words[self.start + index] = value & MASK


def fold(function, values):
    r = 7
    for value in values:
        r = (r * 31 + function(value)) & MASK
    return r


def is_ordered(a, b):
    return a == a and b == b


LANGUAGE = {
    "each": lambda function, *values: tuple(map(function, *values)),
    "truth": lambda values: tuple(-1 if v else 0 for v in values),
    "any_negative": lambda values: int(any(v < 0 for v in values)), "all_negative": lambda values: int(all(v < 0 for v in values)),
    "select": lambda a, b, c: b if c < 0 else a,
    "shuffle": lambda values, mask: tuple(values[m & (len(values) - 1) if len(values) != 3 else m] for m in mask),
    "replaced": lambda values, k, value: (*values[:k], value, *values[k + 1:]),
    "vload": lambda words, n, index: tuple(words[index * n:index * n + n]),
    "reinterpret": reinterpret, "fold": fold, "View": View,
    "halves": lambda values: tuple(v >> 1 for v in values),
    "small_exponents": lambda values: tuple((v & 31) - 16 for v in values),
    "half_of": lambda h: struct.unpack("<e", struct.pack("<H", h))[0],
    "bounded": lambda low, high, convert: lambda x: convert(arithmetic.fmin(arithmetic.fmax(x, low), high)),
    "fmin": arithmetic.fmin, "fmax": arithmetic.fmax,
    "lt": lambda a, b: a < b, "gt": lambda a, b: a > b, "le": lambda a, b: a <= b, "ge": lambda a, b: a >= b,
    "eq": lambda a, b: a == b, "ne": lambda a, b: a != b,
    "odd_lt": lambda a, b: a | 1 < b, "odd_gt": lambda a, b: a | 1 > b, "odd_le": lambda a, b: a | 1 <= b,
    "odd_ge": lambda a, b: a | 1 >= b, "odd_eq": lambda a, b: a | 1 == b, "odd_ne": lambda a, b: a | 1 != b,
    "isequal": lambda a, b: a == b, "isnotequal": lambda a, b: a != b, "isless": lambda a, b: a < b,
    "islessequal": lambda a, b: a <= b, "isgreater": lambda a, b: a > b, "isgreaterequal": lambda a, b: a >= b,
    "islessgreater": lambda a, b: a < b or a > b, "isordered": is_ordered, "isunordered": lambda a, b: not is_ordered(a, b),
    "isnan": lambda a: a != a, "isinf": lambda a: abs(a) == arithmetic.INFINITY, "isfinite": arithmetic.ordinary,
    "nan": arithmetic.NAN, "inf": arithmetic.INFINITY,
}


@functools.lru_cache(1)
def names():
    """Everything a kernel's Python may name."""
    found = dict(LANGUAGE)
    data = struct.pack(f"<{COUNT}I", *corpus_input())
    for base in [*INTEGERS, *FLOATS]:
        code = arithmetic.CODES[base]
        found[f"IN_{base}"] = struct.unpack(f"<{len(data) // struct.calcsize(code)}{code}", data)
        found[f"fold_{base}"] = arithmetic.folded(base)
        operations = arithmetic.integer_operations(base) if base in INTEGERS else arithmetic.floating_operations(base)
        found |= {f"{name}_{base}": function for name, function in operations.items()}
        for source in [*INTEGERS, *FLOATS]:
            for suffix in [s + r for s in ("", "_sat") for r in ("", *arithmetic.ROUNDINGS)]:
                if base in INTEGERS or not suffix.startswith("_sat"):
                    found[f"convert_{base}{suffix}__{source}"] = arithmetic.conversion(base, source, suffix)
    found |= images.functions(data)
    for name in ("Words", "load", "store", "store_half"):
        found[name] = getattr(memory, name)
    for base in ("int", "uint", "long", "ulong"):
        found |= {f"atomic_{name}_{base}": function for name, function in arithmetic.atomic_operations(base).items()}
    return found | {name: value for name, value in vars(sub_groups).items() if not name.startswith("_")}


def meet(waiting, sub_group_size):
    """What the work-items of a group get that have all stopped: at a barrier nothing, else each sub-group's results."""
    if waiting[0] is None:
        if any(w is not None for w in waiting):
            raise RuntimeError("work-items of a group wait for different things")
        return [None] * len(waiting)
    results = []
    for begin in range(0, len(waiting), sub_group_size):
        members = waiting[begin:begin + sub_group_size]
        values = [value for _, value in members]
        if all(value is sub_groups.ABSENT for value in values):
            results += [None] * len(members)
        else:
            results += members[0][0](values)
    return results


def run_group(function, group, out, sub_group_size):
    cells = {}

    def shared(name, size=0):
        """A local array: of an element for each work-item, or so many bytes."""
        return cells.setdefault(name, bytearray(size) if size else [None] * LOCAL)
    items = [function(group * LOCAL + l, l, group, out, shared) for l in range(LOCAL)]
    answers = [None] * LOCAL
    while items:
        waiting = []
        for item, answer in zip(items, answers):
            try:
                waiting.append(item.send(answer))
            except StopIteration:
                pass
        if not waiting:
            return
        if len(waiting) != len(items):
            raise RuntimeError("a work-item ended where others wait")
        answers = meet(waiting, sub_group_size)


def expected(kernel):
    """The output buffer."""
    space = dict(names())
    exec(compile(kernel.python("kernel"), f"seed {kernel.seed}", "exec"), space)  # our own generator's text
    function = space["kernel"]
    out = [0xA5A5A5A5] * COUNT
    for group in range(COUNT // LOCAL):
        run_group(function, group, out, kernel.sub_group_size or LOCAL)
    return out


def corpus_hash(words):
    h = 1469598103934665603
    for word in words:
        h = ((h ^ word) * 1099511628211) & 0xFFFFFFFFFFFFFFFF
    return f"{h:016x}"
