# SPDX-License-Identifier: Apache-2.0
"""What gen9sim says of its machines and captures."""
import functools
import hashlib
import pathlib
import re
import subprocess
import tempfile

from .errors import UserError


def text_of(value):
    """A value as gen9sim takes it."""
    return "[" + ",".join(map(str, value)) + "]" if isinstance(value, list) else str(value)


def digest_of(path):
    digest = hashlib.sha256()
    try:
        with open(path, "rb") as file:
            while block := file.read(1 << 20):
                digest.update(block)
    except OSError as error:
        raise UserError(f"cannot read '{path}': {error.strerror}") from None
    return digest.hexdigest()


def last_line(text):
    lines = [line for line in text.splitlines() if line.strip()]
    return lines[-1].strip() if lines else "it said nothing"


class Model:
    def __init__(self, gen9sim):
        self.path = pathlib.Path(gen9sim).resolve()
        if not self.path.is_file():
            raise UserError(f"'{gen9sim}' does not exist: scripts/build release gen9sim makes it")
        self.digest = digest_of(self.path)

    def run(self, *words):
        return subprocess.run([str(self.path), *map(str, words)], capture_output=True, text=True, errors="replace", start_new_session=True)

    @functools.cache
    def parameters(self, product):
        """Full names and values of a product's parameters."""
        done = self.run("params", "--device", product)
        if done.returncode:
            raise UserError(last_line(done.stderr).removeprefix("gen9sim: "))
        found = {}
        for line in done.stdout.splitlines():
            if match := re.match(r"([a-z]\S*\.\S+) = (\S+)", line):
                found[match[1]] = int(match[2]) if match[2].isdigit() else match[2]
        return found

    def look_up(self, product, name):
        """The value of the parameter that a name, which may leave out leading parts, stands for."""
        values = {value for full, value in self.parameters(product).items() if full == name or full.endswith("." + name)}
        if len(values) != 1:
            raise UserError(f"'{name}' is {'several parameters' if values else 'not a parameter'} of {product} (gen9sim params lists them)")
        return values.pop()

    def refusal(self, product, settings):
        """Why there is no such machine, in a sentence, or None."""
        words = [word for name, value in settings.items() for word in ("--set", f"{name}={text_of(value)}")]
        done = self.run("params", "--device", product, *words)
        return f"{product}: " + last_line(done.stderr).removeprefix("gen9sim: ") if done.returncode else None

    def check_capture(self, path):
        done = self.run("replay", "--timing", "functional", path)
        if done.returncode == 2:
            raise UserError(last_line(done.stderr).removeprefix("gen9sim: "))

    def record(self, product, command, folder):
        """Records a run of a command once for each product: what it submits while it computes, and its results."""
        program = pathlib.Path(command[0])
        known = ["run", self.digest, product, *command, digest_of(program) if program.is_file() else ""]
        path = folder / (hashlib.sha256("\0".join(known).encode()).hexdigest()[:16] + ".aub.zst")
        if path.is_file():
            return path
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder, prefix="part-") as part:
            done = self.run("run", "--device", product, "--timing", "functional", "--no-progress", "--record", pathlib.Path(part) / path.name, "--", *command)
            made = sorted(pathlib.Path(part).iterdir())
            said = [line for line in done.stderr.splitlines() if line.startswith("gen9sim: ") and not line.startswith("gen9sim: recorded")]
            if done.returncode:
                reason = f"status {done.returncode}: " + (said[-1].removeprefix("gen9sim: ") if said else last_line(done.stdout))
            elif len(made) != 1:
                reason = f"it runs on {len(made)} machines; a program of an exploration runs on one" if made else "it submits no work"
            else:
                made[0].rename(path)
                return path
        raise UserError(f"'{' '.join(command)}' cannot be recorded: {reason}")
