# SPDX-License-Identifier: Apache-2.0
"""An exploration: the points of a SPEC in a folder, run and tabulated."""
import hashlib
import json
import math
import pathlib

from . import designs, workflow
from .errors import UserError
from .model import digest_of, text_of


class Exploration:
    def __init__(self, spec, model, folder):
        self.spec, self.model, self.folder = spec, model, pathlib.Path(folder).resolve()
        self.points, self.by_key = [], {}
        self.captures, self.digests = {}, {}
        self.refused = []  # (product, parameter, value, sentence): values of no machine that differs by them alone

    def prepare(self):
        """Folder, captures and settings, checked before the first point is run."""
        (self.folder / "jobs").mkdir(parents=True, exist_ok=True)
        for product in self.spec.products:
            for name, values in self.spec.parameters.items():
                self.model.look_up(product, name)
                for value in dict.fromkeys(map(text_of, values)):
                    if sentence := self.model.refusal(product, {name: value}):
                        if "is not allowed" in sentence:  # whatever the others are
                            raise UserError(sentence)
                        self.refused.append((product, name, value, sentence))
            for name in self.spec.derived:
                self.model.look_up(product, name)
            for program, given in self.spec.programs.items():
                capture = given.get("capture") or self.model.record(product, given["command"], self.folder / "captures")
                self.captures[program, product] = capture
                if capture not in self.digests:
                    self.digests[capture] = digest_of(capture)
                    self.model.check_capture(capture)

    def look_up(self, product, settings):
        def value(name):
            for given, setting in settings.items():
                if given == name or given.endswith("." + name) or name.endswith("." + given):
                    return setting
            return self.model.look_up(product, name)
        return value

    def all_settings(self, point):
        """The settings of a point, with the product's own values of the parameters it leaves alone."""
        own = {name: self.model.look_up(point["product"], name) for name in self.spec.parameters if name not in point["settings"]}
        return {name: (own | point["settings"])[name] for name in [*self.spec.parameters, *self.spec.derived]}

    def settings_of(self, product, choice):
        """The choice with what follows from it, or None when a constraint excludes it."""
        settings = dict(choice)
        for name, expression in self.spec.derived.items():
            value = expression.value(self.look_up(product, settings))
            settings[name] = int(value) if isinstance(value, (bool, float)) and value == int(value) else value
        if not all(constraint.value(self.look_up(product, settings)) for constraint in self.spec.constraints):
            return None
        return settings

    def add(self, choices):
        """Makes the points of these choices; gives those of each choice, a list that is empty where it is excluded."""
        made = []
        for choice in choices:
            made.append([])
            for product in self.spec.products:
                settings = self.settings_of(product, choice)
                if settings is None:
                    continue
                for program in self.spec.programs:
                    made[-1].append(self.point(program, product, settings))
        return made

    def point(self, program, product, settings):
        capture = self.captures[program, product]
        words = [f"{name}={text_of(value)}" for name, value in sorted(settings.items())]
        known = [self.model.digest, self.digests[capture], product, self.spec.timing, *words]
        key = hashlib.sha256("\0".join(known).encode()).hexdigest()[:20]
        key_here = (program, key)
        if key_here not in self.by_key:
            command = [str(self.model.path), "replay", "--timing", self.spec.timing, "--device", product]
            for word in words:
                command += ["--set", word]
            point = {"point": len(self.points), "key": key, "program": program, "product": product, "settings": settings,
                     "command": [*command, str(capture)]}
            self.points.append(point)
            self.by_key[key_here] = point
            job = self.folder / "jobs" / f"{key}.json"
            if not job.exists():
                job.write_text(json.dumps({"command": point["command"]}) + "\n")
        return self.by_key[key_here]

    def run(self, jobs=None, profile=None, quiet=False):
        if self.spec.design == "search":
            designs.search(self.spec, lambda choices: self.costs(choices, jobs, profile, quiet))
        else:
            self.add(designs.choices(self.spec))
            if not self.points:
                raise UserError(f"'{self.spec.path}': the constraints exclude every point")
            self.check_refused()
            self.run_points(self.points, jobs, profile, quiet)

    def check_refused(self):
        """A value that the product alone does not take must fit in some point; points in which it does not will fail."""
        for product, name, value, sentence in self.refused:
            having = [point["settings"] for point in self.points if point["product"] == product and text_of(point["settings"].get(name)) == value]
            if having and all(self.model.refusal(product, settings) for settings in having):
                raise UserError(sentence)

    def run_points(self, points, jobs, profile, quiet):
        workflow.run(self.folder, list(dict.fromkeys(point["key"] for point in points)), jobs, profile, quiet)

    def costs(self, choices, jobs, profile, quiet):
        """The geometric mean of the objective over programs and products; infinite where a point failed or is excluded."""
        made = self.add(choices)
        self.run_points([point for points in made for point in points], jobs, profile, quiet)
        return [self.mean_objective(points) for points in made]

    def mean_objective(self, points):
        values = [self.objective(point) for point in points]
        if not values or any(value is None or value <= 0 for value in values):
            return math.inf
        return math.exp(sum(map(math.log, values)) / len(values))

    def statistics(self, point):
        try:
            return json.loads((self.folder / "results" / f"{point['key']}.json").read_text())
        except FileNotFoundError:
            return None
        except ValueError:
            raise UserError(f"'{self.folder}/results/{point['key']}.json' is damaged: remove it and run again") from None

    def failure(self, point):
        path = self.folder / "failed" / f"{point['key']}.txt"
        return path.read_text().strip() if path.exists() else "not run"

    def cost(self, point):
        if self.spec.cost is None:
            return None
        return self.spec.cost.value(self.look_up(point["product"], point["settings"]))

    def objective(self, point):
        statistics = self.statistics(point)
        if statistics is None:
            return None
        totals, cost = statistics["totals"], self.cost(point)
        machine = self.look_up(point["product"], point["settings"])

        def value(name):
            if name == "cost" and cost is not None:
                return cost
            return totals[name] if name in totals else machine(name)
        return self.spec.objective.value(value)
