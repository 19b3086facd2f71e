# SPDX-License-Identifier: Apache-2.0
"""One block: choose mutants, build them, test them, say what survived."""
import concurrent.futures
import random
import time
import tomllib
from dataclasses import dataclass

from .instrument import Writer
from .parser import Parser, squeezed
from .project import Failure, Project

# Parameters, counters and signals are declared with their text; what uses them is mutated.
DECLARATIONS = ("params.h", "stats.h", "signals.h")


@dataclass
class Options:
    sample: int
    seed: int
    minutes: float
    jobs: int
    list: bool
    keep: bool
    tests: str  # folders of tests/unit and programs in them, or scripts
    again: dict  # an earlier report of the block, or nothing


def spread(mutants, seed):
    """All mutants in the order they are taken: files in turn by their size, in a file a line's second after every
    line's first."""
    draw = random.Random(seed)
    ranked = []
    files = {}
    for mutant in mutants:
        files.setdefault(mutant.file, {}).setdefault(mutant.line, []).append(mutant)
    for lines in files.values():
        order = list(lines.values())
        draw.shuffle(order)
        for line in order:
            draw.shuffle(line)
        turns = [m for turn in range(max(map(len, order))) for line in order for m in line[turn:turn + 1]]
        ranked += [((i + draw.random()) / len(turns), m) for i, m in enumerate(turns)]
    return [m for _, m in sorted(ranked, key=lambda r: r[0])]


class Run:
    parser = Parser

    def __init__(self, root, block, files, options):
        self.root, self.block, self.options = root, block, options
        self.sources = {f: (root / f).read_text() for f in files if not f.endswith(DECLARATIONS)}
        self.all = []
        for file, source in self.sources.items():
            try:
                self.all += self.parser(file, source).mutants
            except (ValueError, IndexError, KeyError, TypeError) as error:
                raise Failure(f"{file} is not understood: {error!r}") from error
        self.seed = options.seed
        if options.again:
            self.mutants = self.earlier(options.again)
        else:
            chosen = spread(self.all, options.seed)
            self.mutants = chosen[:options.sample] if options.sample else chosen
        for i, mutant in enumerate(self.mutants):
            mutant.id = i + 1
        self.explained = self.explanations()
        self.deadline = time.monotonic() + 60 * options.minutes if options.minutes else float("inf")
        self.stopped = False

    def earlier(self, report):
        """The mutants of an earlier run; what it killed, or could not compile, keeps its result."""
        self.seed = report["seed"]
        known = {}
        for mutant in self.all:
            known.setdefault(mutant.key, []).append(mutant)
        mutants = []
        for entry in report["mutants"]:
            same = known.get((entry["file"], entry["before"], entry["after"]))
            if same:  # else its line has changed since
                mutant = min(same, key=lambda m: abs(m.line - entry["line"]))
                same.remove(mutant)
                mutants.append(mutant)
                if entry["result"] in ("killed", "timeout", "not compiled"):
                    mutant.result = entry["result"]
        self.say(f"{self.block}: {len(report['mutants']) - len(mutants)} mutants of the earlier run are gone")
        if len(report["mutants"]) == report["of"]:  # it took all, so that those of changed lines belong to it
            mutants += [m for rest in known.values() for m in rest]
        return mutants

    def explanations(self):
        path = self.root / "tests" / "mutation" / "explained.toml"
        entries = tomllib.loads(path.read_text())["survivor"] if path.is_file() else []
        return {(e["file"], squeezed(e["line"]), squeezed(e["becomes"])): e["reason"]
                for e in entries if e["file"] in self.sources}

    def execute(self):
        if self.options.list:
            for mutant in sorted(self.mutants, key=lambda m: (m.file, m.line)):
                self.show(mutant)
            return 0
        folder = self.block if self.block.startswith("platform/") else f"models/{self.block}"
        project = Project(self.root, self.root / "build" / "mutate" / self.block, folder, self.options.tests, self.say)
        try:
            self.test_all(project)
        finally:
            self.stopped = True
            project.close(self.options.keep)
        return self.conclude()

    def say(self, text):
        print(text, flush=True)

    def stop(self):
        return self.stopped or time.monotonic() > self.deadline

    # ---- building and testing ----

    def test_all(self, project):
        project.copy()
        project.configure()
        together = [m for m in self.mutants if m.site and not m.result]
        alone = [m for m in self.mutants if not m.site and not m.result]
        alone += self.build_together(project, together)
        cases = project.cases()
        project.measure(cases, len(self.mutants))
        hidden = [m for m in together if m.site and m.site.soft and not m.result and
                  not any(c.reached[m.id] for c in cases)]
        for mutant in hidden:
            mutant.site = None
        alone += hidden
        self.say(f"{self.block}: {len(self.mutants)} of {len(self.all)} mutants, {len(alone)} of them built alone; "
                 f"{len(cases)} tests")

        def one(mutant):
            reached = [c for c in cases if c.reached[mutant.id]]
            mutant.result = project.try_tests(reached, self.stop, mutant.id) if reached else "unreached"
            self.progress(mutant)

        with concurrent.futures.ThreadPoolExecutor(self.options.jobs) as pool:
            try:
                for future in [pool.submit(one, m) for m in together if m.site and not m.result]:
                    future.result()
            except BaseException:
                self.stopped = True
                pool.shutdown(wait=False, cancel_futures=True)
                raise
        for mutant in sorted(alone, key=lambda m: m.file):
            if not self.stop():
                self.build_alone(project, mutant, cases)
                self.progress(mutant)

    def build_together(self, project, mutants):
        """Compiles all mutants that have sites; those that do not compile leave. Returns those to build alone."""
        alone = []
        while True:
            written = {}
            for file, source in self.sources.items():
                writer = Writer(source, [m for m in mutants if m.file == file and m.site and not m.result],
                                project.folder / "mutation.h")
                written[file] = writer
                project.write(file, writer.text.encode())
            outcome = project.make(self.options.jobs)
            if outcome.status == 0:
                return alone
            places = project.places_of_errors(outcome.text)
            guilty = {written[f].lines[line] for f, line, error in places
                      if error and f in written and line in written[f].lines}
            if not guilty:
                guilty = {written[f].lines[line] for f, line, _ in places if f in written and line in written[f].lines}
            if not guilty:  # the choice itself is what does not compile: a value that must be constant
                files = {f for f, _, _ in places if f in written}
                for form in ("value", "condition", "statement"):
                    guilty = {m for m in mutants if m.file in files and m.site and not m.result and m.site.form == form}
                    if guilty:
                        break
                values = guilty
            else:
                values = {m for m in guilty if m.site.form == "value"}
            if not guilty:
                raise Failure(f"{self.block} does not build:\n{outcome.text[-3000:]}")
            for mutant in guilty:
                if mutant in values:
                    mutant.site = None
                    alone.append(mutant)
                else:
                    mutant.result = "not compiled"

    def build_alone(self, project, mutant, cases):
        source = self.sources[mutant.file]
        project.write(mutant.file, (source[:mutant.start] + mutant.text + source[mutant.end:]).encode())
        outcome = project.make(self.options.jobs)
        mutant.result = "not compiled" if outcome.status else project.try_tests(cases, self.stop)
        project.write(mutant.file, source.encode())

    # ---- the result ----

    def progress(self, mutant):
        if mutant.result in ("survived", "unreached") and mutant.key not in self.explained:
            self.show(mutant)

    def show(self, mutant):
        self.say(f"{mutant.file}:{mutant.line}: {mutant.result}\n  - {mutant.before}\n  + {mutant.after}")

    def count(self, *results):
        return sum(m.result in results for m in self.mutants)

    def survivors(self):
        return [m for m in self.mutants if m.result in ("survived", "unreached") and m.key not in self.explained]

    def stale(self):
        """Explanations whose mutant no longer exists, or is killed."""
        possible = {m.key for m in self.all}
        killed = {m.key for m in self.mutants if m.result in ("killed", "timeout")}
        killed -= {m.key for m in self.mutants if m.result in ("survived", "unreached")}
        return [k for k in self.explained if k not in possible or k in killed]

    def conclude(self):
        for file, before, after in self.stale():
            self.say(f"{file}: an explanation no longer fits\n  - {before}\n  + {after}")
        summary = self.report()
        self.say("{block}: {killed} of {counted} killed ({timeout} by timeout), score {score} %; {survived} survived, "
                 "{explained} explained, {not_compiled} not compiled, {not_run} not run".format(
                     block=self.block, counted=summary["killed"] + summary["survived"],
                     **{k: v for k, v in summary.items() if k != "mutants"}))
        return 1 if self.survivors() or self.stale() else 0

    def report(self):
        killed, survived = self.count("killed", "timeout"), len(self.survivors())
        return {"killed": killed, "timeout": self.count("timeout"), "survived": survived,
                "explained": self.count("survived", "unreached") - survived,
                "not_compiled": self.count("not compiled"), "not_run": self.count(""),
                "score": round(100 * killed / (killed + survived)) if killed + survived else 100,
                "of": len(self.all), "seed": self.seed,
                "mutants": [{"file": m.file, "line": m.line, "before": m.before, "after": m.after,
                             "result": "explained" if m.key in self.explained and
                             m.result in ("survived", "unreached") else m.result or "not run"} for m in self.mutants]}
