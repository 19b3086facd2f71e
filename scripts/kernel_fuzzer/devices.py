# SPDX-License-Identifier: Apache-2.0
"""Runs a file of kernels on the model and on what it is compared with, and says which kernels differ. Kernels of
kind "host" are compared with PoCL, the others, which PoCL cannot run or crashes on (memory), with the reference
interpreter."""
import concurrent.futures
import os
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile
import threading

from . import reference
from .build import Build
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


def interpreted(kernels):
    """What the reference says of the kernels of a file."""
    outcome = Outcome(0, "", "")
    for i, kernel in enumerate(kernels):
        words = reference.expected(kernel)
        outcome.hashes[f"k{i}"] = reference.corpus_hash(words)
        outcome.values[f"k{i}"] = {place: f"{word:08x}" for place, word in enumerate(words)}
    return outcome


class GeneratorBug(Exception):
    """No compiler takes the file."""


class Devices:
    def __init__(self, gen9sim, corpus, timing, timeout, build=Build(), settings=()):
        pattern = sorted(p for p in pathlib.Path("/etc/OpenCL/vendors").glob("*.icd") if "pocl" in p.name)
        if not pattern:
            raise SystemExit("fuzz-kernels: PoCL is not installed (scripts/setup installs it)")
        self.folder = tempfile.TemporaryDirectory(prefix="fuzz-kernels-")
        self.pocl = {"OCL_ICD_VENDORS": str(pattern[0]), "POCL_CACHE_DIR": self.folder.name, "POCL_KERNEL_CACHE": "0"}
        self.model = [gen9sim, "run", "--no-progress", "--timing", timing, *(f"--set={s}" for s in settings), "--"]
        self.corpus, self.timeout, self.files, self.lock = corpus, timeout, 0, threading.Lock()
        self.build = build
        self.crashed = []  # seeds of kernels on which Intel's compiler itself crashes
        self.interpreter = concurrent.futures.ProcessPoolExecutor(1)

    def close(self):
        self.interpreter.shutdown(cancel_futures=True)
        self.folder.cleanup()

    def source(self, kernels):
        body = "".join(f"\n// kernel k{i}: {k.kind} seed {k.seed}\n{k.text(f'k{i}')}\n" for i, k in enumerate(kernels))
        return f"// compiler options: {self.options(kernels)}\n" + prelude(body) + body

    def options(self, kernels):
        return self.build.options(kernels[0].kind)

    def start(self, command, environment):
        return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=self.folder.name,
                                start_new_session=True, env={**os.environ, **environment})

    def finish(self, process):
        try:
            return Outcome(*(lambda out: (process.returncode, *out))(process.communicate(timeout=self.timeout)))
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            return Outcome("timed out", "", "")

    def pocl_alone(self, kernels):
        environment = {**self.pocl, "CORPUS_OPTIONS": self.build.plain(kernels[0].kind)}
        return self.finish(self.start([self.corpus, str(self.write(kernels))], environment))

    def run(self, path, kernels, dump=False):
        """(what is expected, the model's outcome), both at work at once."""
        environment = {"CORPUS_DUMP": "1"} if dump else {}
        command = [self.corpus, str(path)]
        model = self.start(self.model + command, {"CORPUS_OPTIONS": self.options(kernels), **environment})
        if kernels[0].kind == "host":
            expected = self.finish(self.start(command, {**self.pocl, "CORPUS_OPTIONS": self.build.plain(kernels[0].kind), **environment}))
        else:
            expected = self.interpreter.submit(interpreted, kernels).result()
        return expected, self.finish(model)

    def compiler_crashes(self, path, kernels):
        """Whether Intel's offline compiler, the same without the model, dies of this file by a signal."""
        ocloc = shutil.which("ocloc")
        if ocloc is None:
            return False
        done = subprocess.run([ocloc, "compile", "-file", str(path), "-device", "skl", "-options", self.options(kernels),
                               "-out_dir", self.folder.name], capture_output=True, timeout=self.timeout)
        return done.returncode < 0 or done.returncode in (134, 139)

    def write(self, kernels):
        with self.lock:
            self.files += 1
            path = pathlib.Path(self.folder.name) / f"file{self.files}.cl"
        path.write_text(self.source(kernels))
        return path

    def differing(self, kernels):
        """Indices of the kernels on which the devices disagree. All are of one kind."""
        path = self.write(kernels)
        names = [f"k{i}" for i in range(len(kernels))]
        expected, model = self.run(path, kernels)
        if model.refused and (expected.refused or (kernels[0].kind != "host" and len(kernels) == 1)):
            raise GeneratorBug(f"{path.read_text()}\n{model.stderr[-3000:]}")
        if expected.status == 0 and model.status == 0:
            return [i for i, name in enumerate(names) if expected.of(name) != model.of(name)]
        if len(kernels) == 1:
            if model.status != 0 and self.compiler_crashes(path, kernels):
                self.crashed.append(kernels[0].seed)
                return []
            return [0]
        return [i for i in range(len(kernels)) if self.differing([kernels[i]])]
