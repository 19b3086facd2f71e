# SPDX-License-Identifier: Apache-2.0
"""Kernels as trees: types, expressions, statements, functions. Every node is text in two languages, OpenCL C for
the devices and Python for the reference interpreter. The text is made only when a file is written, so that the
minimiser can cut anywhere."""
import re
from typing import NamedTuple

INTEGERS = {"char": (8, True), "uchar": (8, False), "short": (16, True), "ushort": (16, False),
            "int": (32, True), "uint": (32, False), "long": (64, True), "ulong": (64, False)}
FLOATS = {"half": 16, "float": 32, "double": 64}
STEP = "    "


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


def filled_python(form, parts):
    return re.sub(r"@(\d)", lambda m: parts[int(m[1])].python(), form)


class Expr:
    """`form` is text in which @0, @1 ... stand for the parts; so is `meaning`, in Python."""

    def __init__(self, type_, form, meaning, *parts):
        self.type, self.form, self.meaning, self.parts = type_, form, meaning, list(parts)

    def text(self):
        return filled(self.form, self.parts)

    def python(self):
        return filled_python(self.meaning, self.parts)


def indented(text, indent):
    return [indent + line for line in text.split("\n")]


class Line:
    """A statement without statements inside. `declares` names the variable it declares, if any."""

    def __init__(self, form, meaning, *parts, declares=None):
        self.form, self.meaning, self.parts, self.declares, self.bodies = form, meaning, list(parts), declares, []

    def lines(self, indent):
        return [indent + filled(self.form, self.parts)]

    def python_lines(self, indent):
        return indented(filled_python(self.meaning, self.parts), indent)


class Block:
    """Statements with text before, between and after the bodies; expressions stand only before. `meanings`
    are what stands before each body in Python."""

    def __init__(self, pieces, meanings, parts, bodies, declares=None):
        self.pieces, self.meanings, self.parts, self.bodies, self.declares = pieces, meanings, list(parts), bodies, declares

    def lines(self, indent):
        out = [indent + filled(self.pieces[0], self.parts)]
        for piece, body in zip(self.pieces[1:], self.bodies):
            for statement in body:
                out += statement.lines(indent + STEP)
            out.append(indent + piece)
        return out

    def python_lines(self, indent):
        out = []
        for meaning, body in zip(self.meanings, self.bodies):
            out += indented(filled_python(meaning, self.parts), indent) + [indent + STEP + "pass"]
            for statement in body:
                out += statement.python_lines(indent + STEP)
        return out


class Function:
    """`head` is everything before the brace; NAME stands for the kernel's own name."""

    def __init__(self, head, meaning, body, result=None):
        self.head, self.meaning, self.body, self.result = head, meaning, body, result

    def text(self):
        lines = [self.head + " {"]
        for statement in self.body:
            lines += statement.lines(STEP)
        if self.result is not None:
            lines.append(f"    return {self.result.text()};")
        return "\n".join(lines + ["}"])

    def python(self):
        lines = [self.meaning]
        for statement in self.body:
            lines += statement.python_lines(STEP)
        if self.result is not None:
            lines.append(f"    return {self.result.python()}")
        return "\n".join(lines)


class Kernel:
    def __init__(self, seed, kind, functions, main, sub_group_size=None):
        self.seed, self.kind, self.functions, self.main, self.sub_group_size = seed, kind, functions, main, sub_group_size

    def text(self, name):
        """Helpers nobody calls are left out."""
        texts, below = [], self.main.text()
        for function in reversed(self.functions):
            if re.search(r"(NAME_f\d+)\(", function.head)[1] + "(" in below:
                texts.insert(0, function.text())
                below += texts[0]
        return "\n".join(texts + [self.main.text()]).replace("NAME", name)

    def python(self, name):
        return "\n".join(f.python() for f in [*self.functions, self.main]).replace("NAME", name) + "\n"
