# SPDX-License-Identifier: Apache-2.0
"""Random statements in which work-items of a group meet: local memory, barriers, atomics. Each is one statement,
so that the minimiser cannot make a race of it."""
from .expressions import UINT
from .tree import Block, Line, Type

COMMUTATIVE = ("add", "sub", "min", "max", "and", "or", "xor", "inc", "dec")


class Sharing:
    """The part of a kernel's statements that work-items reach together."""

    def variable(self, t):
        """A declared variable of a type, to receive what a statement brings."""
        name = self.fresh("v")
        line = Line(f"{t} {name} = @0;", f"{name} = @0", self.value(t), declares=name)
        self.expressions.variables.append((name, t))
        return name, line

    def local_exchange(self):
        """Every work-item writes its element, then reads another's; sometimes in a uniform loop."""
        t, name = self.expressions.some_type((1, 1, 2, 3, 4)), self.fresh("l")
        to, declared = self.variable(t)
        fence = "barrier(CLK_LOCAL_MEM_FENCE);"
        exchange = Line(f"{name}[L] = @0; {fence} {to} = {name}[@1 & 63u]; {fence}",
                        f"{name}[L] = @0\nyield\n{to} = {name}[@1 & 63]\nyield", self.value(t), self.value(UINT))
        before = [Line(f"local {t} {name}[64];", f"{name} = shared('{name}')", declares=name), declared]
        if self.random.random() < 0.4:
            times = self.random.randint(2, 3)
            return before + [Block([f"for (uint r = 0u; r < {times}u; ++r) {{", "}"], [f"for r in range({times}):"], [], [[exchange]], declares="r")]
        return before + [exchange]

    def atomics(self):
        """What many leave in a cell does not depend on their order; nor does what a work-item gets back from a cell
        that nobody else touches."""
        random, t, cells = self.random, Type(self.random.choice(["int", "uint"])), self.fresh("l")
        to, declared = self.variable(t)
        if random.random() < 0.6:
            fence = "barrier(CLK_LOCAL_MEM_FENCE);"
            place = Line(f"local {t} {cells}[64];", f"{cells} = shared('{cells}')", declares=cells)
        else:
            fence = "barrier(CLK_GLOBAL_MEM_FENCE);"
            place = Line(f"global {t} *{cells} = (global {t} *)out + (I & ~63u);", f"{cells} = View(out, I & ~63, wrap_{t})", declares=cells)
        alone = random.random() < 0.4
        operation = random.choice([*COMMUTATIVE, "xchg", "cmpxchg"] if alone else COMMUTATIVE)
        values = {"inc": "", "dec": "", "cmpxchg": ", @2, @3"}.get(operation, ", @2")
        mask = random.randrange(64)
        index, where = (f"L ^ {mask}u", f"L ^ {mask}") if alone else ("@1 & 63u", "@1 & 63")
        gets, got = (f"{to} = ", f"{to} = old") if alone else ("", "pass")
        line = Line(f"{cells}[L] = @0; {fence} {gets}atomic_{operation}(&{cells}[{index}]{values}); {fence} acc ^= (uint){cells}[@4 & 63u]; {fence}",
                    f"{cells}[L] = @0\nyield\nk = {where}\nold = {cells}[k]\n{cells}[k] = atomic_{operation}_{t}(old{values})\n{got}\nyield\n"
                    f"acc ^= {cells}[@4 & 63] & 0xFFFFFFFF\nyield",
                    self.value(t), self.value(UINT), self.value(t), self.value(t), self.value(UINT))
        return [place, declared, line]
