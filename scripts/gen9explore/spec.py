# SPDX-License-Identifier: Apache-2.0
"""The SPEC of an exploration, read and checked."""
import pathlib
import re
import shlex

import yaml

from .errors import UserError
from .expressions import Expression

KEYS = {"programs", "products", "parameters", "constraints", "design", "cost", "objective", "timing"}
DESIGNS = ("full", "one-at-a-time", "latin-hypercube", "sobol", "search")
RANDOM = ("latin-hypercube", "sobol", "search")
MOST_VALUES = 100_000


class Spec:
    """programs: name -> {"capture": path} or {"command": words}; parameters: name -> values; derived: name -> Expression."""

    def __init__(self, path):
        self.path = pathlib.Path(path)
        try:
            text = self.path.read_text()
            data = yaml.safe_load(text)
        except OSError as error:
            raise UserError(f"cannot read '{path}': {error.strerror}") from None
        except (yaml.YAMLError, UnicodeDecodeError, RecursionError) as error:
            place = getattr(error, "problem_mark", None)
            line = f" line {place.line + 1}" if place else ""
            raise UserError(f"'{path}'{line} is not valid YAML: {getattr(error, 'problem', None) or 'it cannot be read'}") from None
        self.data = self.mapping(data, "a SPEC")
        for key in self.data:
            if key not in KEYS:
                self.fail(f"'{key}' is not known; allowed: {', '.join(sorted(KEYS))}")
        self.read_programs()
        self.products = self.words(self.data.get("products", ["skl-gt2"]), "products")
        self.parameters, self.derived = {}, {}
        for name, given in self.mapping(self.data.get("parameters", {}), "parameters").items():
            self.read_parameter(name, given)
        if not self.parameters and len(self.products) < 2:
            self.fail("parameters: at least one, or several products")
        self.constraints = [self.expression(text, "constraints") for text in self.words(self.data.get("constraints", []), "constraints")]
        self.cost = self.expression(self.data["cost"], "cost") if "cost" in self.data else None
        self.objective = self.expression(self.data.get("objective", "cycles"), "objective")
        self.timing = self.data.get("timing", "timed")
        if self.timing not in ("timed", "functional"):
            self.fail(f"timing: '{self.timing}' is not allowed: functional|timed")
        self.read_design()

    def fail(self, text):
        raise UserError(f"'{self.path}': {text}")

    def expression(self, text, where):
        return Expression(text, f"'{self.path}': {where}")

    def mapping(self, value, what):
        if not isinstance(value, dict) or not all(isinstance(key, str) for key in value):
            self.fail(f"{what} must be a mapping of names")
        return value

    def words(self, value, what):
        if not isinstance(value, list) or not all(isinstance(word, (str, int, float)) for word in value):
            self.fail(f"{what} must be a list")
        return [str(word) for word in value]

    def read_programs(self):
        self.programs = {}
        for name, given in self.mapping(self.data.get("programs"), "programs").items():
            if not re.fullmatch(r"[\w.+-]+", name):
                self.fail(f"programs: '{name}' is not a name of letters, digits and _ . + -")
            given = self.mapping(given, f"programs: {name}")
            if set(given) == {"capture"}:
                capture = (self.path.parent / str(given["capture"])).resolve()
                if not capture.is_file():
                    self.fail(f"programs: {name}: the capture '{given['capture']}' does not exist")
                self.programs[name] = {"capture": capture}
            elif set(given) == {"command"}:
                command = given["command"]
                words = shlex.split(command) if isinstance(command, str) else self.words(command, f"programs: {name}: command")
                if not words:
                    self.fail(f"programs: {name}: the command is empty")
                if "/" in words[0]:
                    words[0] = str((self.path.parent / words[0]).resolve())
                self.programs[name] = {"command": words}
            else:
                self.fail(f"programs: {name}: needs either 'capture: FILE' or 'command: WORDS'")
        if not self.programs:
            self.fail("programs: at least one")

    def read_parameter(self, name, given):
        if isinstance(given, dict) and set(given) == {"expression"}:
            self.derived[name] = self.expression(given["expression"], f"parameters: {name}")
            return
        if isinstance(given, dict) and {"from", "to"} <= set(given) <= {"from", "to", "step", "factor"}:
            given = self.steps(name, given)
        if not isinstance(given, list) or not given:
            self.fail(f"parameters: {name}: needs a list of values, a range (from, to and step or factor) or an expression")
        for value in given:
            if isinstance(value, list) and all(isinstance(one, int) for one in value):
                continue
            if not isinstance(value, (int, str)):
                self.fail(f"parameters: {name}: the value {value!r} is not allowed: a whole number, a word or a list of whole numbers")
        self.parameters[name] = given

    def steps(self, name, given):
        low, high, step, factor = given["from"], given["to"], given.get("step"), given.get("factor")
        if "step" not in given and "factor" not in given:
            step = 1
        numbers = [one for one in (low, high, step, factor) if one is not None]
        if not all(isinstance(one, int) and not isinstance(one, bool) for one in numbers) or (step is not None and factor is not None):
            self.fail(f"parameters: {name}: a range has whole numbers from, to, and step or factor")
        if low > high or (step is not None and step < 1) or (factor is not None and (factor < 2 or low < 1)):
            self.fail(f"parameters: {name}: the range from {low} to {high} has no values")
        if step is not None and (high - low) // step >= MOST_VALUES:
            self.fail(f"parameters: {name}: the range has more than {MOST_VALUES} values")
        if step is not None:
            return list(range(low, high + 1, step))
        values = []
        while low <= high:
            values.append(low)
            low *= factor
        return values

    def read_design(self):
        design = self.mapping(self.data.get("design", {"kind": "full"}), "design")
        self.design, self.points, self.seed = design.get("kind"), design.get("points"), design.get("seed", 1)
        for key in design:
            if key not in ("kind", "points", "seed"):
                self.fail(f"design: '{key}' is not known; allowed: kind, points, seed")
        if self.design not in DESIGNS:
            self.fail(f"design: kind '{self.design}' is not allowed: {'|'.join(DESIGNS)}")
        if self.design in RANDOM and not (isinstance(self.points, int) and 0 < self.points <= MOST_VALUES):
            self.fail(f"design: {self.design} needs points: 1..{MOST_VALUES}")
        if not isinstance(self.seed, int) or self.seed < 0:
            self.fail("design: seed must be a whole number from 0 on")
