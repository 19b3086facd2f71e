# SPDX-License-Identifier: Apache-2.0
"""Random statements around random expressions: control flow, private arrays, helper functions."""
from .build import Build
from .expressions import Expressions, UINT
from .tree import Block, Expr, Function, Line


class Statements:
    """Makes the statements of one function; every value ends in the uint variable `acc`."""

    def __init__(self, random, halves, functions=(), depth=3, build=Build()):
        self.random, self.depth = random, depth
        self.expressions = Expressions(random, halves, build)
        self.expressions.functions = list(functions)
        self.count = 0
        self.reserved = set()  # loop counters: never assigned

    def fresh(self, letter):
        self.count += 1
        return f"{letter}{self.count}"

    def value(self, t):
        return self.expressions.make(t, self.random.randint(1, self.depth))

    def condition(self):
        return self.expressions.condition(2)

    def declare(self, t=None):
        t, name = t or self.expressions.some_type(), self.fresh("v")
        line = Line(f"{t} {name} = @0;", f"{name} = @0", self.value(t), declares=name)
        self.expressions.variables.append((name, t))
        return line

    @staticmethod
    def into_acc(value, factor=31, operator="+"):
        t = value.type
        meaning = f"fold_{t.base}(@0)" if t.n == 1 else f"fold(fold_{t.base}, @0)"
        return Line(f"acc = acc * {factor}u {operator} fold_{t}(@0);", f"acc = (acc * {factor} & 0xFFFFFFFF {operator} {meaning}) & 0xFFFFFFFF"
                    if operator == "^" else f"acc = (acc * {factor} + {meaning}) & 0xFFFFFFFF", value)

    def marked(self, name, t):
        return self.into_acc(Expr(t, name, name))

    def assign(self):
        known = [v for v in self.expressions.variables if v[0] not in self.reserved]
        if not known or self.random.random() < 0.35:
            return self.into_acc(self.value(self.expressions.some_type()), 33, "^")
        name, t = self.random.choice(known)
        if t.n > 1 and self.random.random() < 0.3:
            k = self.random.randrange(t.n)
            return Line(f"{name}.s{k:x} = @0;", f"{name} = replaced({name}, {k}, @0)", self.value(t.element()))
        return Line(f"{name} = @0;", f"{name} = @0", self.value(t))

    def body(self, size, nesting, in_loop):
        """Variables declared inside are forgotten at the end, having left their mark on acc."""
        known, reserved, modes = list(self.expressions.variables), set(self.reserved), self.expressions.modes
        self.expressions.modes = modes and not in_loop
        statements = [self.statement(nesting, in_loop) for _ in range(size)]
        statements += [self.marked(name, t) for name, t in self.expressions.variables[len(known):]]
        self.expressions.variables, self.reserved, self.expressions.modes = known, reserved, modes
        return statements

    def statement(self, nesting, in_loop):
        random = self.random
        if in_loop and random.random() < 0.12:
            word = random.choice(["break", "continue"])
            return Block(["if (@0) {", "}"], ["if @0:"], [self.condition()], [[Line(word + ";", word)]])
        if nesting == 0 or random.random() < 0.45:
            return self.declare() if random.random() < 0.3 else self.assign()
        kind, size = random.randrange(6), random.randint(1, 3)
        if kind == 0:
            return Block(["if (@0) {", "}"], ["if @0:"], [self.condition()], [self.body(size, nesting - 1, in_loop)])
        if kind == 1:
            return Block(["if (@0) {", "} else {", "}"], ["if @0:", "else:"], [self.condition()],
                         [self.body(size, nesting - 1, in_loop), self.body(random.randint(1, 2), nesting - 1, in_loop)])
        if kind == 2:
            return self.counted(size, nesting)
        if kind == 3:
            name = self.fresh("w")
            return Block([f"for (uint {name} = @0 & 7u; {name};) {{ --{name};", "}"], [f"{name} = @0 & 7\nwhile {name}:\n    {name} -= 1"],
                         [self.expressions.make(UINT, 2)], [self.body(size, nesting - 1, True)], declares=name)
        if kind == 4:
            name = self.fresh("w")
            return Block([f"uint {name} = 8u; while ({name} && @0) {{ --{name};", "}"], [f"{name} = 8\nwhile {name} and @0:\n    {name} -= 1"],
                         [self.condition()], [self.body(size, nesting - 1, True)], declares=name)
        return self.switch(nesting)

    def switch(self, nesting):
        """Cases that break or fall through; the last is the default."""
        random, cases, name = self.random, self.random.randint(2, 4), self.fresh("s")
        # D-13: of `x % 2u` with x from a byte Intel's compiler makes a test for x != 0.
        modulus = max(3, cases + random.randint(0, 2))
        pieces = [f"switch (@0 % {modulus}u) {{ case 0u: {{"]
        meanings, reached = [f"{name} = @0 % {modulus}\nif {name} == 0:"], f"{name} == 0"
        for k in range(1, cases):
            leaves = random.random() < 0.67
            pieces.append(f"}} {'break; ' if leaves else ''}{'default' if k == cases - 1 else f'case {k}u'}: {{")
            own = f"{name} >= {k}" if k == cases - 1 else f"{name} == {k}"
            reached = own if leaves else f"{reached} or {own}"
            meanings.append(f"if {reached}:")
        bodies = [self.body(random.randint(1, 2), nesting - 1, False) for _ in range(cases)]
        return Block(pieces + ["} }"], meanings, [self.value(UINT)], bodies)

    def counted(self, size, nesting):
        name = self.fresh("i")
        bound = self.expressions.make(UINT, 2)
        known = list(self.expressions.variables)
        self.expressions.variables.append((name, UINT))
        self.reserved.add(name)
        body = self.body(size, nesting - 1, True)
        self.expressions.variables = known
        return Block([f"for (uint {name} = 0u; {name} < (@0 & 7u); ++{name}) {{", "}"],
                     [f"{name} = -1\nwhile ({name} := {name} + 1) < (@0 & 7):"], [bound], [body], declares=name)

    def private_array(self):
        """Filled, written at an index nobody knows in advance, then open for reading."""
        t, name, length = self.expressions.some_type((1, 1, 1, 2, 4)), self.fresh("p"), self.random.choice((4, 8, 16))
        filled = Line(f"{t} {name}[{length}]; for (uint k = 0u; k < {length}u; ++k) {name}[k] = @0;",
                      f"{name} = [@0 for _ in range({length})]", self.value(t), declares=name)
        self.expressions.arrays.append((name, t, length))
        return [filled] + [Line(f"{name}[@0 & {length - 1}u] = @1;", f"{name}[@0 & {length - 1}] = @1", self.value(UINT), self.value(t))
                           for _ in range(2)]


def helper(random, halves, name, known, build):
    """A function of two or three values, with a loop or a branch in it and perhaps an early return."""
    made = Statements(random, halves, known, 2, build)
    made.expressions.modes = False
    arguments = [made.expressions.some_type((1, 1, 2, 4)) for _ in range(random.randint(1, 3))]
    result = made.expressions.some_type((1, 1, 1, 2, 4))
    made.expressions.variables = [(f"a{i}", t) for i, t in enumerate(arguments)] + [("acc", UINT)]
    body = [Line("uint acc = 1u;", "acc = 1", declares="acc")] + [made.statement(1, False) for _ in range(random.randint(1, 3))]
    if random.random() < 0.4:
        body.append(Block(["if (@0) {", "}"], ["if @0:"], [made.condition()], [[Line("return @0;", "return @0", made.value(result))]]))
    body.append(made.declare(result))
    head = f"{result} {name}(global const uint *in, {', '.join(f'{t} a{i}' for i, t in enumerate(arguments))})"
    meaning = f"def {name}(I, {', '.join(f'a{i}' for i in range(len(arguments)))}):"
    last = made.expressions.variables[-1][0]
    operation, mark, number = ("add", "acc & 7u", "acc & 7") if result.is_float else ("xor", "acc", "acc")
    scalar = f"convert_{result.base}__uint({number})"
    python = f"{operation}_{result.base}({last}, {scalar})" if result.n == 1 else \
        f"each({operation}_{result.base}, {last}, ({scalar},) * {result.n})"
    form = f"({result})({last} {'+' if result.is_float else '^'} ({result})(({result.base})({mark})))"
    return Function(head, meaning, body, Expr(result, form, python)), (name, result, arguments)
