# SPDX-License-Identifier: Apache-2.0
"""Kernels as trees: types, expressions, statements, functions. Text is made only when a file is written,
so that the minimiser can cut anywhere."""
import re
from typing import NamedTuple

INTEGERS = {"char": (8, True), "uchar": (8, False), "short": (16, True), "ushort": (16, False),
            "int": (32, True), "uint": (32, False), "long": (64, True), "ulong": (64, False)}
FLOATS = {"float": 32, "double": 64}


class Type(NamedTuple):
    """A scalar (n is 1) or a vector of n elements."""
    base: str
    n: int = 1

    def __str__(self):
        return self.base if self.n == 1 else f"{self.base}{self.n}"

    @property
    def bits(self):
        return FLOATS[self.base] if self.is_float else INTEGERS[self.base][0]

    @property
    def is_float(self):
        return self.base in FLOATS

    @property
    def signed(self):
        return self.is_float or INTEGERS[self.base][1]

    def element(self):
        return Type(self.base)

    def of(self, base):
        """As many elements of another kind."""
        return Type(base, self.n)

    def wide(self, n):
        return Type(self.base, n)

    def unsigned(self):
        return self.of({8: "uchar", 16: "ushort", 32: "uint", 64: "ulong"}[self.bits])

    def integer(self):
        """The signed integers of the same size: what comparing vectors of this type gives."""
        return self.of({8: "char", 16: "short", 32: "int", 64: "long"}[self.bits])


def filled(form, parts):
    return re.sub(r"@(\d)", lambda m: parts[int(m[1])].text(), form)


class Expr:
    """`form` is text in which @0, @1 ... stand for the parts."""

    def __init__(self, type_, form, *parts):
        self.type, self.form, self.parts = type_, form, list(parts)

    def text(self):
        return filled(self.form, self.parts)


class Line:
    """A statement without statements inside. `declares` names the variable it declares, if any."""

    def __init__(self, form, *parts, declares=None):
        self.form, self.parts, self.declares, self.bodies = form, list(parts), declares, []

    def lines(self, indent):
        return [indent + filled(self.form, self.parts)]


class Block:
    """Statements with text before, between and after the bodies; expressions stand only before."""

    def __init__(self, pieces, parts, bodies, declares=None):
        self.pieces, self.parts, self.bodies, self.declares = pieces, list(parts), bodies, declares

    def lines(self, indent):
        out = [indent + filled(self.pieces[0], self.parts)]
        for piece, body in zip(self.pieces[1:], self.bodies):
            for statement in body:
                out += statement.lines(indent + "    ")
            out.append(indent + piece)
        return out


class Function:
    """A helper: `head` is everything before the brace; NAME stands for the kernel's own name."""

    def __init__(self, head, body, result=None):
        self.head, self.body, self.result = head, body, result

    def text(self):
        lines = [self.head + " {"]
        for statement in self.body:
            lines += statement.lines("    ")
        if self.result is not None:
            lines.append(f"    return {self.result.text()};")
        return "\n".join(lines + ["}"])


class Kernel:
    def __init__(self, seed, functions, main):
        self.seed, self.functions, self.main = seed, functions, main

    def text(self, name):
        """Helpers nobody calls are left out."""
        texts, below = [], self.main.text()
        for function in reversed(self.functions):
            if re.search(r"(NAME_f\d+)\(", function.head)[1] + "(" in below:
                texts.insert(0, function.text())
                below += texts[0]
        return "\n".join(texts + [self.main.text()]).replace("NAME", name)
