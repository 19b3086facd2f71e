# SPDX-License-Identifier: Apache-2.0
"""Expressions of a SPEC: random ones, computed here from the same choices, and what is none."""
import math
import random

from checks import expect

VALUES = {"c": 6, "a.b": 3, "e.f.g": 7, "half": 0.5}
TWO = {"+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b, "/": lambda a, b: a / b, "//": lambda a, b: a // b, "%": lambda a, b: a % b}
ORDER = {"<": lambda a, b: a < b, "<=": lambda a, b: not b < a, ">": lambda a, b: b < a, ">=": lambda a, b: not a < b,
         "==": lambda a, b: not a != b, "!=": lambda a, b: not a == b}
CALLS = {"min": lambda a, b: a if a < b else b, "max": lambda a, b: b if a < b else a}
ONE = {"sqrt": lambda a: math.pow(a, 0.5), "log2": lambda a: math.log(a) / math.log(2), "abs": lambda a: -a if a < 0 else a}
draw = random.Random(5)


def made(depth):
    """(text, the names in it, a function that computes it)"""
    if depth == 0:
        number, name = draw.randrange(5), draw.choice(list(VALUES))
        return draw.choice([(str(number), set(), lambda: number), (name, {name}, lambda: VALUES[name])])
    kind = draw.choice(["two", "two", "order", "chain", "not", "minus", "both", "either", "call", "function"])
    (a, of_a, first), (b, of_b, second) = made(depth - 1), made(draw.randrange(depth))
    if kind == "two":
        sign = draw.choice(list(TWO))
        return f"({a} {sign} {b})", of_a | of_b, lambda: TWO[sign](first(), second())
    if kind == "order":
        sign = draw.choice(list(ORDER))
        return f"({a} {sign} {b})", of_a | of_b, lambda: ORDER[sign](first(), second())
    if kind == "chain":
        one, other = draw.choice(list(ORDER)), draw.choice(list(ORDER))
        c, of_c, third = made(draw.randrange(depth))

        def chain():
            values = first(), second(), third()
            return ORDER[one](*values[:2]) and ORDER[other](*values[1:])
        return f"({a} {one} {b} {other} {c})", of_a | of_b | of_c, chain
    if kind in ("not", "minus"):
        return (f"(not {a})", of_a, lambda: not first()) if kind == "not" else (f"(-{a})", of_a, lambda: -first())
    if kind in ("both", "either"):
        return (f"({a} and {b})", of_a | of_b, lambda: bool(first() and second())) if kind == "both" else \
            (f"({a} or {b})", of_a | of_b, lambda: bool(first() or second()))
    if kind == "call":
        name = draw.choice(list(CALLS))
        return f"{name}({a}, {b})", of_a | of_b, lambda: CALLS[name](first(), second())
    name = draw.choice(list(ONE))
    return f"{name}({a})", of_a, lambda: ONE[name](first())


def check(refused):
    """`refused`: of explore_parts."""
    from gen9explore.expressions import Expression
    nothing = 0
    for _ in range(700):
        text, names, compute = made(draw.randrange(5))
        one = Expression(text, "here")
        expect(one.names() == names, f"{text}: {one.names()}")
        try:
            wanted = compute()
        except (ArithmeticError, ValueError):
            nothing += 1
            refused(text, ("here", text, "has no value"), one.value, VALUES.get)
            continue
        found = one.value(VALUES.get)
        expect(math.isclose(found, wanted, rel_tol=1e-9, abs_tol=1e-9), f"{text}: {found}, not {wanted}")
    expect(20 < nothing < 350, f"{nothing} random expressions without a value")
    expect(Expression("kind == 'ddr4' and 2", "here").value({"kind": "ddr4"}.get) is True, "words are compared")
    for text in ("a +", "(", "a = 1", "", "\0"):
        refused(text, ("here", "is not an expression"), Expression, text, "here")
    for text in ("a ** 2", "1 << 3", "~1", "a in b", "[1]", "f(1)", "a.f(1)", "min(1, key=2)", "lambda: 1", "True if a else 1", "None", "b'1'", "f(1).x"):
        refused(text, ("here", "is not allowed in an expression"), Expression(text, "here").value, lambda name: 1)
    refused("a call's part", ("is not allowed",), Expression("f(1).x", "here").names)
    refused("a word and a number", ("has no value",), Expression("'a' < 1", "here").value, VALUES.get)
    refused("deeper than can be", ("here",), lambda: Expression("-" * 50000 + "1", "here").value(VALUES.get))
