# SPDX-License-Identifier: Apache-2.0
"""A package of Python: each mutant is written into the copy, and the test scripts run as a person runs them."""
import os
import pathlib
import sys

from .project import Failure
from .python_source import PythonParser
from .run import Run

# Debian's, which has the packages that the scripts need.
DEBIAN = pathlib.Path("/usr/bin/python3")
PYTHON = DEBIAN if DEBIAN.exists() else pathlib.Path(sys.executable)


class PythonRun(Run):
    parser = PythonParser

    def test_all(self, project):
        project.copy()
        installed = self.root / "build" / "scipy"  # by scripts/setup, where the scripts look for it
        if installed.is_dir():
            (project.source / "build").mkdir(exist_ok=True)
            (project.source / "build" / "scipy").unlink(missing_ok=True)
            (project.source / "build" / "scipy").symlink_to(installed)
        scripts = self.options.tests.split(",")
        seconds = {}
        for script in scripts:
            outcome = self.test(project, script, 600)
            if outcome.status:
                raise Failure(f"{script} fails without a mutation:\n{outcome.text[-2000:]}")
            seconds[script] = outcome.seconds
        self.say(f"{self.block}: {len(self.mutants)} of {len(self.all)} mutants; {', '.join(scripts)}")
        for mutant in self.mutants:
            if mutant.result:
                continue
            if self.stop():
                return
            source = self.sources[mutant.file]
            project.write(mutant.file, (source[:mutant.start] + mutant.text + source[mutant.end:]).encode())
            mutant.result = self.try_scripts(project, scripts, seconds)
            project.write(mutant.file, source.encode())
            self.progress(mutant)

    def try_scripts(self, project, scripts, seconds):
        for script in scripts:
            outcome = self.test(project, script, 5 + 10 * seconds[script])
            if outcome.late:
                return "timeout"
            if outcome.status:
                return "killed"
        return "survived"

    def test(self, project, script, cpu_seconds):
        """A script is told where the project is. What was compiled of another mutant must not be taken for this one's."""
        return project.run([PYTHON, project.source / script, project.source], cwd=project.source, cpu_seconds=cpu_seconds,
                           PYTHONDONTWRITEBYTECODE="1", MPLBACKEND="Agg", TMPDIR=os.environ.get("TMPDIR", "/tmp"))
