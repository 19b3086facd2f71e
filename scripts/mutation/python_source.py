# SPDX-License-Identifier: Apache-2.0
"""Finds in a Python source what may be mutated, and how. Each mutant replaces a stretch of the text."""
import ast

from .parser import Mutant, squeezed

OTHER_SIGN = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "and": "or", "or": "and", "+": "-", "-": "+",
              "*": "+", "/": "*", "//": "*", "%": "//", "**": "*", "&": "|", "|": "&", "^": "|", "in": "not in", "not in": "in",
              "is": "is not", "is not": "is", "+=": "-=", "-=": "+=", "*=": "+=", "/=": "*=", "|=": "&=", "&=": "|="}
OTHER_NAME = {"min": "max", "max": "min", "any": "all", "all": "any"}


class PythonParser:
    def __init__(self, file, source):
        self.file, self.bytes = file, source.encode()
        self.starts = [0]
        for line in self.bytes.splitlines(keepends=True):
            self.starts.append(self.starts[-1] + len(line))
        self.mutants = []
        self.visit(ast.parse(source))
        self.mutants.sort(key=lambda mutant: mutant.start)

    def at(self, node):
        return self.starts[node.lineno - 1] + node.col_offset

    def end(self, node):
        return self.starts[node.end_lineno - 1] + node.end_col_offset

    def add(self, start, end, text):
        """Positions are counted in characters from here on, as the text is changed."""
        line = self.bytes.count(b"\n", 0, start) + 1
        first = self.bytes.rfind(b"\n", 0, start) + 1
        last = self.bytes.find(b"\n", end)
        last = len(self.bytes) if last < 0 else last
        part = [piece.decode() for piece in (self.bytes[first:start], self.bytes[start:end], self.bytes[end:last])]
        begin = len(self.bytes[:start].decode())
        self.mutants.append(Mutant(self.file, line, squeezed("".join(part)), squeezed(part[0] + text + part[2]), begin,
                                   begin + len(part[1]), text))

    def sign_between(self, left, right):
        """The operator between two operands, parentheses and comments aside."""
        start, end = self.end(left), self.at(right)
        gap = self.bytes[start:end].decode()
        words = [w for w in gap.replace("(", " ").replace(")", " ").replace("\\", " ").split()]
        sign = " ".join(words)
        if sign in OTHER_SIGN:
            place = start + gap.index(words[0])
            stop = start + gap.rindex(words[-1]) + len(words[-1])
            self.add(place, stop, OTHER_SIGN[sign])

    def negate(self, test):
        self.add(self.at(test), self.end(test), f"(not ({self.bytes[self.at(test):self.end(test)].decode()}))")

    def visit(self, node):
        if isinstance(node, (ast.JoinedStr, ast.Import, ast.ImportFrom)):  # the parts of an f-string have no place of their own
            return
        getattr(self, "on_" + type(node).__name__, lambda _: None)(node)
        for child in ast.iter_child_nodes(node):
            self.visit(child)

    def on_Compare(self, node):
        for left, right in zip([node.left, *node.comparators], node.comparators):
            self.sign_between(left, right)

    def on_BoolOp(self, node):
        for left, right in zip(node.values, node.values[1:]):
            self.sign_between(left, right)

    def on_BinOp(self, node):
        self.sign_between(node.left, node.right)

    def on_AugAssign(self, node):
        self.sign_between(node.target, node.value)
        self.add(self.at(node), self.end(node), "pass")

    def on_UnaryOp(self, node):
        if isinstance(node.op, ast.Not):
            self.add(self.at(node), self.at(node.operand), "")

    def on_Constant(self, node):
        if isinstance(node.value, bool):
            self.add(self.at(node), self.end(node), str(not node.value))
        elif isinstance(node.value, (int, float)):
            for other in (node.value + 1, node.value - 1):
                self.add(self.at(node), self.end(node), str(other) if other >= 0 else f"({other})")

    def on_Name(self, node):
        if node.id in OTHER_NAME and isinstance(node.ctx, ast.Load):
            self.add(self.at(node), self.end(node), OTHER_NAME[node.id])

    def on_If(self, node):
        self.negate(node.test)

    on_While = on_IfExp = on_If

    def on_comprehension(self, node):
        for test in node.ifs:
            self.negate(test)

    def on_Expr(self, node):
        if not isinstance(node.value, ast.Constant):  # a text is documentation
            self.add(self.at(node), self.end(node), "pass")

    def on_Raise(self, node):
        self.add(self.at(node), self.end(node), "pass")

    on_Continue = on_Break = on_Raise

    def on_Return(self, node):
        if node.value is not None and not (isinstance(node.value, ast.Constant) and node.value.value is None):
            self.add(self.at(node), self.end(node), "return None")
