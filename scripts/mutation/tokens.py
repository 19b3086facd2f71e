# SPDX-License-Identifier: Apache-2.0
"""C++ source as tokens, as far as mutations need it."""
import re
from typing import NamedTuple

PATTERN = re.compile(r"""
   (?P<space>\s+|//[^\n]*|/\*.*?\*/|\#(?:\\\n|[^\n])*)
 | (?P<text>(?:u8|[uUL])?R"(?P<fence>[^(\s]*)\(.*?\)(?P=fence)"|(?:u8|[uUL])?"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)+')
 | (?P<number>(?:0[xX][0-9A-Fa-f']+|0[bB][01']+|\d[\d']*(?:\.\d*)?(?:[eE][-+]?\d+)?)[uUlLfF]*)
 | (?P<name>[A-Za-z_]\w*)
 | (?P<sign><=>|->\*|<<=|>>=|\.\.\.|::|->|\+\+|--|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|<<|>>|.)
""", re.X | re.S)
CLOSES = {"(": ")", "[": "]", "{": "}"}


class Token(NamedTuple):
    kind: str
    text: str
    start: int
    end: int


class Tokens:
    """The tokens of a source without comments and directives; `match` leads from each bracket to its other half."""

    def __init__(self, source):
        self.source = source
        self.all = [Token(m.lastgroup if m.lastgroup != "fence" else "text", m[0], m.start(), m.end())
                    for m in PATTERN.finditer(source) if m.lastgroup != "space"]
        self.match = {}
        opened = []
        for i, token in enumerate(self.all):
            if token.kind == "sign" and token.text in "([{":
                opened.append(i)
            elif token.kind == "sign" and token.text in ")]}" and opened:
                other = opened.pop()
                if CLOSES[self.all[other].text] != token.text:
                    raise ValueError(f"brackets do not match at character {token.start}")
                self.match[other], self.match[i] = i, other
        if opened:
            raise ValueError(f"a bracket stays open at character {self.all[opened[-1]].start}")

    def __len__(self):
        return len(self.all)

    def __getitem__(self, i):
        return self.all[i]

    def text(self, i):
        """The token's text, or nothing past either end; a literal's text never looks like a sign or a name."""
        if not 0 <= i < len(self.all):
            return ""
        return '""' if self.all[i].kind == "text" else self.all[i].text

    def kind(self, i):
        return self.all[i].kind if 0 <= i < len(self.all) else ""

    def spaced(self, i):
        """Whether white space stands on both sides: the format keeps it around binary operators and nothing else."""
        token = self.all[i]
        return self.source[token.start - 1].isspace() and self.source[token.end:token.end + 1].isspace()

    def find(self, i, end, wanted):
        """The first of the wanted signs in [i, end) outside of any bracket opened there, or None."""
        while i < end:
            text = self.text(i)
            if text in wanted:
                return i
            i = self.match[i] + 1 if self.kind(i) == "sign" and text in CLOSES else i + 1
        return None

    def after_angles(self, i, end):
        """The index after template arguments that begin at i (`<` without a space before it), or i."""
        if self.text(i) != "<" or self.source[self.all[i].start - 1].isspace():
            return i
        depth = 0
        while i < end:
            depth += {"<": 1, ">": -1, ">>": -2}.get(self.text(i), 0)
            i = self.match[i] + 1 if self.kind(i) == "sign" and self.text(i) in CLOSES else i + 1
            if depth <= 0:
                return i
        return i
