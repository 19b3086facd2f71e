# SPDX-License-Identifier: Apache-2.0
"""Expressions of a SPEC: arithmetic and comparisons of numbers and of dotted names (eu.threads * 2 <= 14)."""
import ast
import math
import operator

from .errors import UserError

OPERATORS = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv, ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod, ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt, ast.GtE: operator.ge, ast.Eq: operator.eq,
    ast.NotEq: operator.ne, ast.USub: operator.neg, ast.Not: operator.not_,
}
FUNCTIONS = {"min": min, "max": max, "sqrt": math.sqrt, "log2": math.log2, "abs": abs}


class Expression:
    def __init__(self, text, where):
        self.text, self.where = str(text), where
        try:
            self.tree = ast.parse(self.text, mode="eval").body
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            raise UserError(f"{where}: '{self.text}' is not an expression") from None

    def names(self):
        """The dotted names it needs."""
        found = set()
        pending = [self.tree]
        while pending:
            node = pending.pop()
            if isinstance(node, (ast.Name, ast.Attribute)):
                found.add(self.dotted(node))
            elif isinstance(node, ast.Call):
                pending += node.args
            else:
                pending += ast.iter_child_nodes(node)
        return found

    def value(self, look_up):
        """`look_up` gives the value of a dotted name or raises UserError."""
        try:
            return self.evaluate(self.tree, look_up)
        except (ArithmeticError, TypeError, ValueError, RecursionError) as error:
            raise UserError(f"{self.where}: '{self.text}' has no value: {error}") from None

    def dotted(self, node):
        if isinstance(node, ast.Name):
            return node.id
        if isinstance(node, ast.Attribute):
            return f"{self.dotted(node.value)}.{node.attr}"
        raise UserError(f"{self.where}: '{ast.unparse(node)}' is not allowed in an expression")

    def evaluate(self, node, look_up):
        if isinstance(node, ast.Constant) and isinstance(node.value, (int, float, str)):
            return node.value
        if isinstance(node, (ast.Name, ast.Attribute)):
            return look_up(self.dotted(node))
        if isinstance(node, ast.BinOp) and type(node.op) in OPERATORS:
            return OPERATORS[type(node.op)](self.evaluate(node.left, look_up), self.evaluate(node.right, look_up))
        if isinstance(node, ast.UnaryOp) and type(node.op) in OPERATORS:
            return OPERATORS[type(node.op)](self.evaluate(node.operand, look_up))
        if isinstance(node, ast.BoolOp):
            values = (self.evaluate(value, look_up) for value in node.values)
            return all(values) if isinstance(node.op, ast.And) else any(values)
        if isinstance(node, ast.Compare) and all(type(op) in OPERATORS for op in node.ops):
            values = [self.evaluate(value, look_up) for value in (node.left, *node.comparators)]
            return all(OPERATORS[type(op)](a, b) for op, a, b in zip(node.ops, values, values[1:]))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in FUNCTIONS and not node.keywords:
            return FUNCTIONS[node.func.id](*(self.evaluate(argument, look_up) for argument in node.args))
        raise UserError(f"{self.where}: '{ast.unparse(node)}' is not allowed in an expression")
