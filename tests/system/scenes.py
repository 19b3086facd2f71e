# SPDX-License-Identifier: Apache-2.0
"""Programs that draw scenes: which there are, drawing them, and holding two drivers' pictures against each other."""
import os
import subprocess

from checks import expect

WIDTH = 64


class Scenes:
    """The scenes of a program that lists them by name, tolerance of a channel and, if `has_places`, pixels that may differ by more."""

    def __init__(self, program, asked, has_places=False):
        self.program = program
        self.rows = {}
        for line in subprocess.run([program, "list"], check=True, capture_output=True, text=True).stdout.splitlines():
            name, tolerance, rest = line.split(maxsplit=2)
            self.rows[name] = int(tolerance), int(rest.split()[0]) if has_places else 0
        self.names = list(self.rows) if asked == ["all"] else asked

    def draw(self, folder, command, environment):
        """Draws all into a folder; what the program and the command said."""
        folder.mkdir(parents=True, exist_ok=True)
        done = subprocess.run([*command, self.program, str(folder), *self.names], capture_output=True, text=True,
                              env={**os.environ, **environment})
        expect(done.returncode == 0, f"{command[:1]}: status {done.returncode}: {done.stdout}{done.stderr[-3000:]}")
        return done.stdout + done.stderr

    def compare(self, ours, theirs):
        """Each picture of one folder with that of the other."""
        differences = {name: self.differs(name, ours / f"{name}.rgba", theirs / f"{name}.rgba") for name in self.names}
        for name, difference in differences.items():
            expect(difference == "", f"{name}: {difference}")
        print(f"{sum(not difference for difference in differences.values())} of {len(self.names)} scenes are the same")

    def differs(self, name, ours, theirs):
        """Empty, or how a picture differs."""
        if not ours.exists() or not theirs.exists():
            return "there is no picture"
        a, b = ours.read_bytes(), theirs.read_bytes()
        if len(a) != len(b):
            return f"{len(a)} bytes for {len(b)}"
        tolerance, places = self.rows[name]
        wrong = sorted({i // 4 for i, (x, y) in enumerate(zip(a, b)) if abs(x - y) > tolerance})
        if len(wrong) <= places:
            return ""
        place = wrong[0]
        largest = max(abs(x - y) for x, y in zip(a, b))
        return (f"{len(wrong)} pixels, the first at ({place % WIDTH}, {place // WIDTH}): "
                f"{tuple(a[4 * place:4 * place + 4])} for {tuple(b[4 * place:4 * place + 4])}; largest step {largest}")
