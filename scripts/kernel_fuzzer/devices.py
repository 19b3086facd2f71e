# SPDX-License-Identifier: Apache-2.0
"""Runs a file of kernels on PoCL and on the model and says which kernels differ."""
import os
import pathlib
import re
import shutil
import subprocess
import tempfile

from .prelude import prelude


class Outcome:
    """What one device did with a file: a hash per kernel, or how it failed."""

    def __init__(self, status, stdout, stderr):
        self.status, self.stderr = status, stderr
        self.hashes = dict(re.findall(r"^(k\d+) +([0-9a-f]{16}) ", stdout, re.M))
        self.values = {}
        for name, index, value in re.findall(r"^  (k\d+)\[(\d+)\] = ([0-9a-f]{8})$", stdout, re.M):
            self.values.setdefault(name, {})[int(index)] = value
        self.refused = "do not build" in stderr

    def of(self, name):
        if self.refused:
            return "does not build"
        return self.hashes.get(name) or f"no result, status {self.status}"


class GeneratorBug(Exception):
    """Neither device's compiler takes the file."""


class Devices:
    def __init__(self, gen9sim, corpus, timing, timeout):
        pattern = sorted(p for p in pathlib.Path("/etc/OpenCL/vendors").glob("*.icd") if "pocl" in p.name)
        if not pattern:
            raise SystemExit("fuzz-kernels: PoCL is not installed (scripts/setup installs it)")
        self.folder = tempfile.TemporaryDirectory(prefix="fuzz-kernels-")
        self.pocl = {"OCL_ICD_VENDORS": str(pattern[0]), "POCL_CACHE_DIR": self.folder.name, "POCL_KERNEL_CACHE": "0"}
        self.model = [gen9sim, "run", "--no-progress", "--timing", timing, "--"]
        self.corpus, self.timeout, self.files = corpus, timeout, 0
        self.crashed = []  # seeds of kernels on which Intel's compiler itself crashes

    @staticmethod
    def source(kernels):
        body = "".join(f"\n// kernel k{i}: seed {k.seed}\n{k.text(f'k{i}')}\n" for i, k in enumerate(kernels))
        return prelude(body) + body

    def start(self, command, environment):
        return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=self.folder.name,
                                start_new_session=True, env={**os.environ, **environment})

    def finish(self, process):
        try:
            return Outcome(*(lambda out: (process.returncode, *out))(process.communicate(timeout=self.timeout)))
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, 9)
            process.communicate()
            return Outcome("timed out", "", "")

    def run(self, path, names=(), dump=False):
        """(PoCL's outcome, the model's), both at work at once."""
        environment = {"CORPUS_DUMP": "1"} if dump else {}
        command = [self.corpus, str(path), *names]
        started = [self.start(command, {**self.pocl, **environment}), self.start(self.model + command, environment)]
        return tuple(self.finish(process) for process in started)

    def compiler_crashes(self, path):
        """Whether Intel's offline compiler, the same without the model, dies of this file by a signal."""
        ocloc = shutil.which("ocloc")
        if ocloc is None:
            return False
        done = subprocess.run([ocloc, "compile", "-file", str(path), "-device", "skl", "-options", "-cl-std=CL1.2",
                               "-out_dir", self.folder.name], capture_output=True, timeout=self.timeout)
        return done.returncode < 0 or done.returncode in (134, 139)

    def write(self, kernels):
        self.files += 1
        path = pathlib.Path(self.folder.name) / f"file{self.files}.cl"
        path.write_text(self.source(kernels))
        return path

    def differing(self, kernels):
        """Indices of the kernels on which the devices disagree."""
        path = self.write(kernels)
        names = [f"k{i}" for i in range(len(kernels))]
        pocl, model = self.run(path)
        if pocl.refused and model.refused:
            raise GeneratorBug(f"{path.read_text()}\n{pocl.stderr[-3000:]}")
        if pocl.status == 0 and model.status == 0:
            return [i for i, name in enumerate(names) if pocl.of(name) != model.of(name)]
        if len(kernels) == 1:
            if model.status != 0 and self.compiler_crashes(path):
                self.crashed.append(kernels[0].seed)
                return []
            return [0]
        return [i for i in range(len(kernels)) if self.differing([kernels[i]])]
