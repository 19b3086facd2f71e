# SPDX-License-Identifier: Apache-2.0
"""Finds in a C++ source what may be mutated, and how.

A mutant whose place can hold both forms at once (a statement, a condition, the value of a variable) has a
site: all mutants of a build's sites are compiled together and chosen when the test runs. The choice at a soft
site (constexpr functions, members' first values) is the unchanged form wherever the compiler computes it, so
that a soft mutant which no test reaches is compiled alone, as is one without a site (a table, a constant).
"""
import re
from dataclasses import dataclass, field

from .tokens import CLOSES, Tokens

OTHER_SIGN = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "&&": "||", "||": "&&",
              "+": "-", "-": "+", "*": "+", "/": "*", "%": "/", "&": "|", "|": "&", "^": "|", "<<": ">>", ">>": "<<",
              "+=": "-=", "-=": "+=", "|=": "&=", "&=": "|=", "*=": "+=", "<<=": ">>=", ">>=": "<<="}
OTHER_NAME = {"true": "false", "false": "true"}
# A set of parameters, counters or signals declares them with their text; what uses them is mutated.
DECLARED = {"ParamSet", "StatSet", "SignalSet"}
# What these say is no behaviour of the model, or is checked when it is compiled.
SKIPPED = {"GEN9_CHECK", "static_assert", "assert", "using", "typedef", "struct", "class", "enum", "union", "throw",
           "goto", "friend", "extern"}
BUILT_IN = {"const", "auto", "unsigned", "signed", "int", "bool", "char", "short", "long", "float", "double", "static",
            "constexpr", "volatile", "thread_local"}
CONSTANT = re.compile(r"[A-Z]\w*$")


@dataclass(eq=False)
class Site:
    form: str  # statement, condition or value
    start: int
    end: int
    soft: bool = False
    mutants: list = field(default_factory=list)


@dataclass(eq=False)
class Mutant:
    file: str
    line: int
    before: str  # the source lines it touches, on one line
    after: str
    start: int
    end: int
    text: str  # instead of source[start:end]
    site: Site = None
    result: str = ""
    id: int = 0

    @property
    def key(self):
        return self.file, self.before, self.after


def squeezed(text):
    return " ".join(text.split())


class Parser:
    def __init__(self, file, source):
        self.file, self.source = file, source
        self.t = Tokens(source)
        self.mutants = []
        self.members = self.enumerators()
        self.top(0, len(self.t), False)

    def enumerators(self):
        """Qualifier -> the capitalised names this source uses behind it: the values an enum can be swapped for."""
        found = {}
        for i in range(2, len(self.t)):
            if self.is_enumerator(i):
                names = found.setdefault(self.t.text(i - 2), [])
                if self.t.text(i) not in names:
                    names.append(self.t.text(i))
        return found

    def is_enumerator(self, i):
        t = self.t
        return (t.text(i - 1) == "::" and t.kind(i) == "name" and t.kind(i - 2) == "name" and
                CONSTANT.match(t.text(i)) and CONSTANT.match(t.text(i - 2)) and
                t.text(i + 1) not in ("(", "::", "<", "{") and t.kind(i + 1) != "name")

    def add(self, start, end, text, site):
        first = self.source.rfind("\n", 0, start) + 1
        last = self.source.find("\n", end)
        last = len(self.source) if last < 0 else last
        before = squeezed(self.source[first:last])
        after = squeezed(self.source[first:start] + text + self.source[end:last])
        if before == after:
            return
        mutant = Mutant(self.file, self.source.count("\n", 0, start) + 1, before, after, start, end, text, site)
        self.mutants.append(mutant)
        if site:
            site.mutants.append(mutant)

    def site(self, form, i, end, soft):
        return None if i >= end else Site(form, self.t[i].start, self.t[end - 1].end, soft)

    # ---- namespaces and classes ----

    def top(self, i, end, in_class):
        t, begin = self.t, i
        while i < end:
            text = t.text(i)
            if text == ";":
                self.member(begin, i, in_class)
                begin = i = i + 1
            elif text == "{":
                kind = self.kind_of_brace(begin, i)
                names = [t.text(k) for k in range(begin, i)]
                if kind == "scope" and not DECLARED.intersection(names):
                    self.top(i + 1, t.match[i], "namespace" not in names and "extern" not in names)
                elif kind == "function":
                    fixed = any(t.text(k) in ("constexpr", "consteval") for k in range(begin, i))
                    self.initialisers(begin, i)
                    self.block(i + 1, t.match[i], True, fixed)
                i = t.match[i] + 1
                if kind in ("scope", "function"):
                    begin = i
            elif text in ("public", "private", "protected") and t.text(i + 1) == ":":
                begin = i = i + 2
            else:
                i = t.match[i] + 1 if text in CLOSES else i + 1

    def kind_of_brace(self, begin, brace):
        t = self.t
        while t.text(begin) == "template":
            begin = t.after_angles(begin + 1, brace) if t.text(begin + 1) == "<" and not \
                self.source[t[begin + 1].start - 1].isspace() else self.after_spaced_angles(begin + 1)
        names = [t.text(k) for k in range(begin, brace)]
        while names and names[0] in ("inline", "static", "constexpr", "friend", "consteval"):
            names.pop(0)
        if not names or names[0] in ("namespace", "extern"):
            return "scope"
        if names[0] == "enum":
            return "other"
        paren = t.find(begin, brace, ("(", "="))
        called = paren is not None and (t.text(paren) == "(" or "operator" in names)
        if names[0] in ("struct", "class", "union") and not called:
            return "scope"
        if not called:
            return "other"
        if self.colon_of(begin, brace) is not None and (t.kind(brace - 1) == "name" or t.text(brace - 1) == ">"):
            return "other"  # a member's initialiser
        return "function"

    def after_spaced_angles(self, i):
        depth = 0
        while i < len(self.t):
            depth += {"<": 1, ">": -1, ">>": -2}.get(self.t.text(i), 0)
            i += 1
            if depth <= 0:
                break
        return i

    def colon_of(self, begin, brace):
        """The colon before a constructor's initialisers."""
        colon = self.t.find(begin, brace, (":",))
        return colon if colon is not None and self.t.text(colon - 1) == ")" else None

    def initialisers(self, begin, brace):
        colon = self.colon_of(begin, brace)
        while colon is not None and colon < brace:
            bracket = self.t.find(colon + 1, brace, ("(", "{"))
            if bracket is None:
                return
            self.values(bracket + 1, self.t.match[bracket], True)
            colon = self.t.find(self.t.match[bracket] + 1, brace, (",",))

    def member(self, begin, end, in_class):
        """A declaration outside of functions: a table, a constant, a member with a value."""
        t = self.t
        if begin >= end or t.text(begin) in SKIPPED or t.text(begin) == "template":
            return
        equals = t.find(begin, end, ("=",))
        if equals is not None:
            if t.text(equals + 1) in ("0", "default", "delete") and t.find(begin, equals, ("(",)) is not None:
                return
            if in_class and not self.constant(begin, equals):
                self.declarators(equals, end, True)
            else:
                self.data(equals + 1, end)
        else:
            brace = t.find(begin, end, ("{",))
            if brace is not None and in_class and not self.constant(begin, brace):
                self.values(brace + 1, t.match[brace], True)
            elif brace is not None:
                self.data(brace, end)

    def constant(self, begin, end):
        return any(self.t.text(k) in ("static", "constexpr", "thread_local", "inline") for k in range(begin, end))

    def values(self, i, end, soft):
        """Values between commas, each a site of its own; a list in braces has none."""
        t = self.t
        while i < end:
            comma = t.find(i, end, (",",))
            comma = end if comma is None else comma
            listed = t.text(i) in ("{", ".")
            self.expression(i, comma, None if listed else self.site("value", i, comma, soft))
            i = comma + 1

    def declarators(self, equals, end, soft):
        """`= value, name = value, name{value}` of a declaration."""
        t = self.t
        while equals is not None:
            if t.text(equals) == "{":
                comma = t.match[equals] + 1
                self.values(equals + 1, comma - 1, soft)
            else:
                comma = t.find(equals, end, (",",))
                comma = end if comma is None else comma
                self.values(equals + 1, comma, soft)
            equals = t.find(comma, end, ("=", "{"))

    def data(self, i, end):
        self.expression(i, end, None)
        # A name in a row of a table is swapped for the next one that stands at its place in another row.
        columns = {}
        for k in range(i, end):
            if self.t.text(k) in ("{", "(") and self.t.kind(k) == "sign":
                column, name = 0, self.t.text(k - 1)
                for j in self.arguments(k):
                    if self.t.text(j) == ",":
                        column += 1
                    elif (self.t.kind(j) == "name" and CONSTANT.match(self.t.text(j)) and
                          self.t.text(j - 1) in (",", "{", "(") and self.t.text(j + 1) in (",", "}", ")")):
                        columns.setdefault((name, column), []).append(j)
        for places in columns.values():
            names = list(dict.fromkeys(self.t.text(j) for j in places))
            for j in places:
                if len(names) > 1:
                    other = names[(names.index(self.t.text(j)) + 1) % len(names)]
                    self.add(self.t[j].start, self.t[j].end, other, None)

    def arguments(self, bracket):
        i, end = bracket + 1, self.t.match[bracket]
        while i < end:
            yield i
            i = self.t.match[i] + 1 if self.t.kind(i) == "sign" and self.t.text(i) in CLOSES else i + 1

    # ---- statements ----

    def block(self, i, end, tail, fixed):
        """Statements; tail: what ends the block ends the function, so that its return may not be dropped."""
        while i < end:
            i = self.statement(i, end, tail and self.after(i, end) >= end, fixed)

    def after(self, i, end):
        """The index after the statement at i."""
        t, text = self.t, self.t.text(i)
        if text == "{":
            return t.match[i] + 1
        if text in ("if", "while", "for", "switch", "catch"):
            paren = i + 2 if t.text(i + 1) == "constexpr" else i + 1
            i = self.after(self.after_attribute(t.match[paren] + 1), end)
            return self.after(i, end) if text == "if" and t.text(i) == "else" else i
        if text in ("do", "else", "try"):
            return self.after(self.after_attribute(i + 1), end)
        if text in ("case", "default"):
            return t.find(i, end, (":",)) + 1
        semicolon = t.find(i, end, (";",))
        return end if semicolon is None else semicolon + 1

    def statement(self, i, end, tail, fixed):
        t, text = self.t, self.t.text(i)
        if text == ";":
            return i + 1
        if text == "{":
            self.block(i + 1, t.match[i], tail, fixed)
            return t.match[i] + 1
        if text == "if":
            constant = t.text(i + 1) == "constexpr"
            paren = i + 2 if constant else i + 1
            self.condition(paren + 1, t.match[paren], fixed, True, constant)
            i = self.statement(self.after_attribute(t.match[paren] + 1), end, tail, fixed)
            if t.text(i) == "else":
                i = self.statement(self.after_attribute(i + 1), end, tail, fixed)
            return i
        if text in ("while", "for", "switch", "catch"):
            close = t.match[i + 1]
            if text == "while":
                self.condition(i + 2, close, fixed, False)
            elif text == "for":
                first = t.find(i + 2, close, (";",))
                second = first and t.find(first + 1, close, (";",))
                if second:
                    self.simple(i + 2, first, fixed, False)
                    self.condition(first + 1, second, fixed, False)
            return self.statement(self.after_attribute(close + 1), end, False if text != "switch" else tail, fixed)
        if text in ("do", "else", "try"):
            return self.statement(i + 1, end, tail, fixed)
        if text in ("case", "default"):
            return t.find(i, end, (":",)) + 1
        if t.kind(i) == "name" and t.text(i + 1) == ":":
            return i + 2
        semicolon = t.find(i, end, (";",))
        if semicolon is None:
            return end
        if text == "return":
            self.return_statement(i, semicolon, tail, fixed)
        elif text in ("break", "continue"):
            if t.text(semicolon + 1) != "}" or t.text(semicolon + 2) in ("case", "default"):
                self.add(t[i].start, t[semicolon].end, ";", self.site("statement", i, semicolon + 1, fixed))
        elif text not in SKIPPED:
            self.simple(i, semicolon, fixed, True)
        return semicolon + 1

    def after_attribute(self, i):
        return self.t.match[i] + 1 if self.t.text(i) == "[" and self.t.text(i + 1) == "[" else i

    def return_statement(self, i, semicolon, tail, fixed):
        t = self.t
        site = self.site("statement", i, semicolon + 1, fixed)
        self.expression(i + 1, semicolon, site)
        value = self.source[t[i].end:t[semicolon].start].strip()
        if value not in ("", "{}", "true", "false", "0", "nullptr", "std::nullopt"):
            self.add(t[i].start, t[semicolon].end, "return {};", site)
        if not tail:
            self.add(t[i].start, t[semicolon].end, ";", site)

    def condition(self, i, end, fixed, negate, constant=False):
        t = self.t
        semicolon = t.find(i, end, (";",))
        if semicolon is not None:
            self.simple(i, semicolon, fixed, False)
            i = semicolon + 1
        if i >= end or self.declares(i, end):
            equals = t.find(i, end, ("=",))
            if equals is not None:
                self.expression(equals + 1, end, None if constant else self.site("value", equals + 1, end, fixed))
            return
        site = None if constant else self.site("condition", i, end, fixed)
        self.expression(i, end, site)
        if negate:
            start, stop = t[i].start, t[end - 1].end
            self.add(start, stop, f"!({self.source[start:stop]})", site)

    def simple(self, i, semicolon, fixed, deletable):
        """A declaration or an expression, without its semicolon."""
        t = self.t
        if i >= semicolon:
            return
        if not self.declares(i, semicolon):
            site = self.site("statement", i, semicolon + 1, fixed) if deletable else None
            if deletable or fixed:
                self.expression(i, semicolon, site)
            if deletable:
                self.add(t[i].start, t[semicolon].end, ";", site)
            return
        equals = t.find(i, semicolon, ("=",))
        if equals is None:
            begin = t.find(i, semicolon, ("(", "{"))
            if begin is not None:
                self.values(begin + 1, t.match[begin], True)
            return
        if self.constant(i, equals) or t.text(equals + 1) == "{" or \
                semicolon == equals + 2 and deletable and t.text(i) == "const":  # may be a size, or a template's
            self.expression(equals + 1, semicolon, None)
        else:
            self.declarators(equals, semicolon, fixed)

    def declares(self, i, end):
        t = self.t
        if t.text(i) in BUILT_IN:
            return True
        if t.kind(i) != "name" or t.text(i) in ("delete", "new"):
            return False
        i = t.after_angles(i + 1, end)
        while t.text(i) == "::" and t.kind(i + 1) == "name":
            i = t.after_angles(i + 2, end)
        while t.text(i) in ("&", "*", "&&") and not self.source[t[i].start - 1].isspace():
            i += 1
        return i < end and t.kind(i) == "name"

    # ---- expressions ----

    def lambda_body(self, i, end):
        """The opening brace of the body of a lambda that begins at i, or None."""
        t = self.t
        if t.text(i) != "[" or t.text(i + 1) == "[" or t.kind(i - 1) == "name" and t.text(i - 1) != "return" or \
                t.text(i - 1) in (")", "]", "["):
            return None
        i = t.match[i] + 1
        if t.text(i) == "(":
            i = t.match[i] + 1
        while i < end and (t.kind(i) == "name" or t.text(i) in ("->", "::", "&", "*", "<", ">")):
            i += 1
        return i if i < end and t.text(i) == "{" else None

    def expression(self, i, end, site):
        t = self.t
        while i < end:
            body = self.lambda_body(i, end)
            if body is not None:
                fixed = site is None
                self.block(body + 1, t.match[body], True, fixed)
                i = t.match[body] + 1
                continue
            self.token(i, site)
            i += 1

    def token(self, i, site):
        t, token = self.t, self.t[i]

        def instead(text):
            self.add(token.start, token.end, text, site)

        if token.kind == "sign":
            joins_text = token.text == "+" and ("text" in (t.kind(i - 1), t.kind(i + 1)) or
                                                t.text(i + 3) == "to_string")
            if token.text in OTHER_SIGN and t.spaced(i) and not joins_text:
                instead(OTHER_SIGN[token.text])
            elif token.text in ("++", "--"):
                instead("--" if token.text == "++" else "++")
            elif token.text == "!":
                instead("")
        elif token.kind == "number":
            number = re.fullmatch(r"(?:(0[xX])([0-9A-Fa-f']+)|(\d[\d']*))([uUlL]*)", token.text)
            template = t.text(i - 1) == "<" and not t.spaced(i - 1) or t.text(i + 1) == ">" and not t.spaced(i + 1)
            if number and not template and t.text(i - 1) != "[":
                value = int((number[2] or number[3]).replace("'", ""), 16 if number[1] else 10)
                for other in (value + 1, value - 1):
                    if other >= 0:
                        instead((f"0x{other:X}" if number[1] else str(other)) + number[4])
        elif token.text in OTHER_NAME and token.kind == "name":
            instead(OTHER_NAME[token.text])
        elif token.text in ("min", "max") and t.text(i - 1) == "::" and t.text(i - 2) == "std":
            instead("max" if token.text == "min" else "min")
        elif token.kind == "name" and self.is_enumerator(i):
            names = self.members[t.text(i - 2)]
            if len(names) > 1:
                instead(names[(names.index(token.text) + 1) % len(names)])
