# SPDX-License-Identifier: Apache-2.0
"""Random kernels: statements, helper functions, local and private arrays around random expressions."""
from random import Random

from .expressions import Expressions, UINT
from .tree import Block, Expr, Function, Kernel, Line, Type


class Statements:
    """Makes the statements of one function; every value ends in the uint variable `acc`."""

    def __init__(self, random, functions=(), depth=3):
        self.random, self.depth = random, depth
        self.expressions = Expressions(random)
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
        line = Line(f"{t} {name} = @0;", self.value(t), declares=name)
        self.expressions.variables.append((name, t))
        return line

    @staticmethod
    def marked(name, t):
        return Line(f"acc = acc * 31u + fold_{t}(@0);", Expr(t, name))

    def assign(self):
        known = [v for v in self.expressions.variables if v[0] not in self.reserved]
        if not known or self.random.random() < 0.35:
            t = self.expressions.some_type()
            return Line(f"acc = acc * 33u ^ fold_{t}(@0);", self.value(t))
        name, t = self.random.choice(known)
        return Line(f"{name} = @0;", self.value(t))

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
            return Block(["if (@0) {", "}"], [self.condition()], [[Line(random.choice(["break;", "continue;"]))]])
        if nesting == 0 or random.random() < 0.45:
            return self.declare() if random.random() < 0.3 else self.assign()
        kind, size = random.randrange(5), random.randint(1, 3)
        if kind == 0:
            return Block(["if (@0) {", "}"], [self.condition()], [self.body(size, nesting - 1, in_loop)])
        if kind == 1:
            return Block(["if (@0) {", "} else {", "}"], [self.condition()],
                         [self.body(size, nesting - 1, in_loop), self.body(random.randint(1, 2), nesting - 1, in_loop)])
        if kind == 2:
            return self.counted(size, nesting)
        if kind == 3:
            name = self.fresh("w")
            bound = self.expressions.make(UINT, 2)
            return Block([f"for (uint {name} = @0 & 7u; {name};) {{ --{name};", "}"], [bound],
                         [self.body(size, nesting - 1, True)], declares=name)
        cases = random.randint(2, 4)
        # D-11: of `x % 2u` with x from a byte Intel's compiler makes a test for x != 0.
        modulus = max(3, cases + random.randint(0, 2))
        pieces = [f"switch (@0 % {modulus}u) {{ case 0u: {{"]
        for k in range(1, cases):
            pieces.append(f"}} {random.choice(['break; ', 'break; ', ''])}{'default' if k == cases - 1 else f'case {k}u'}: {{")
        bodies = [self.body(random.randint(1, 2), nesting - 1, False) for _ in range(cases)]
        return Block(pieces + ["} }"], [self.value(UINT)], bodies)

    def counted(self, size, nesting):
        name = self.fresh("i")
        bound = self.expressions.make(UINT, 2)
        known = list(self.expressions.variables)
        self.expressions.variables.append((name, UINT))
        self.reserved.add(name)
        body = self.body(size, nesting - 1, True)
        self.expressions.variables = known
        return Block([f"for (uint {name} = 0u; {name} < (@0 & 7u); ++{name}) {{", "}"], [bound], [body], declares=name)

    def private_array(self):
        """Filled, written at an index nobody knows in advance, then open for reading."""
        t, name, length = self.expressions.some_type((1, 1, 1, 2, 4)), self.fresh("p"), self.random.choice((4, 8, 16))
        filled = Line(f"{t} {name}[{length}]; for (uint k = 0u; k < {length}u; ++k) {name}[k] = @0;", self.value(t), declares=name)
        self.expressions.arrays.append((name, t, length))
        return [filled] + [Line(f"{name}[@0 & {length - 1}u] = @1;", self.value(UINT), self.value(t)) for _ in range(2)]

    def local_exchange(self):
        """Every work-item writes its element, then reads another's; sometimes in a uniform loop. Write,
        barriers and read are one statement, so that the minimiser cannot make a race of them."""
        t, name, to = self.expressions.some_type((1, 1, 2, 3, 4)), self.fresh("l"), self.fresh("v")
        before = [Line(f"local {t} {name}[64];", declares=name), Line(f"{t} {to} = @0;", self.value(t), declares=to)]
        self.expressions.variables.append((to, t))
        fence = "barrier(CLK_LOCAL_MEM_FENCE);"
        exchange = Line(f"{name}[L] = @0; {fence} {to} = {name}[@1 & 63u]; {fence}", self.value(t), self.value(UINT))
        if self.random.random() < 0.4:
            return before + [Block([f"for (uint r = 0u; r < {self.random.randint(2, 3)}u; ++r) {{", "}"], [], [[exchange]], declares="r")]
        return before + [exchange]


def helper(random, name, known):
    """A function of two or three values, with a loop or a branch in it and perhaps an early return."""
    made = Statements(random, known, depth=2)
    made.expressions.modes = False
    arguments = [made.expressions.some_type((1, 1, 2, 4)) for _ in range(random.randint(1, 3))]
    result = made.expressions.some_type((1, 1, 1, 2, 4))
    made.expressions.variables = [(f"a{i}", t) for i, t in enumerate(arguments)] + [("acc", UINT)]
    body = [Line("uint acc = 1u;", declares="acc")] + [made.statement(1, False) for _ in range(random.randint(1, 3))]
    if random.random() < 0.4:
        body.append(Block(["if (@0) {", "}"], [made.condition()], [[Line("return @0;", made.value(result))]]))
    body.append(made.declare(result))
    head = f"{result} {name}(global const uint *in, {', '.join(f'{t} a{i}' for i, t in enumerate(arguments))})"
    last = made.expressions.variables[-1][0]
    operator, mark = ("+", "acc & 7u") if result.is_float else ("^", "acc")
    returned = Expr(result, f"({result})({last} {operator} ({result})(({result.base})({mark})))")
    return Function(head, body, returned), (name, result, arguments)


def kernel(seed):
    """The kernel of a seed: always the same."""
    random = Random(seed)
    functions, known = [], []
    for i in range(random.choice((0, 0, 1, 2))):
        function, (name, result, arguments) = helper(random, f"NAME_f{i}", known)
        functions.append(function)
        known.append((name, result, arguments))
    made = Statements(random, known)
    body = [Line("uint acc = in[I];", declares="acc")]
    made.expressions.variables = [("acc", UINT)]
    body += [made.declare() for _ in range(random.randint(1, 4))]
    if random.random() < 0.3:
        body += made.private_array()
    for _ in range(random.randint(1, 4)):
        if random.random() < 0.2:
            body += made.local_exchange()
        body.append(made.statement(random.randint(1, 3), False))
    if random.random() < 0.2:  # after the last barrier
        leave = [Line("out[I] = fold_uint(@0);", made.value(UINT)), Line("return;")]
        body += [Block(["if (@0) {", "}"], [made.condition()], [leave]), made.statement(2, False)]
    for name, t in made.expressions.variables[1:]:
        body.append(made.marked(name, t))
    body.append(Line("out[I] = acc;"))
    return Kernel(seed, functions, Function("kernel void NAME(global const uint *in, global uint *out)", body))
