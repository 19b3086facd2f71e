# SPDX-License-Identifier: Apache-2.0
"""A private copy of the project: it is mutated, built and tested here, and goes away at the end."""
import concurrent.futures
import fcntl
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import threading
import time
from dataclasses import dataclass, field

from .instrument import HEADER

# What goes beyond an array ends the program, as under the sanitizers with which the tests run usually.
FLAGS = ("-O1 -w -DNDEBUG -D_GLIBCXX_ASSERTIONS -fsanitize=bounds -fsanitize-undefined-trap-on-error")
MEMORY_KBYTES = 8 << 20


class Failure(Exception):
    """The project cannot be mutated: it does not build, or its tests fail unmutated."""


@dataclass
class Case:
    name: str
    program: str
    filter: str
    folder: str
    separate: bool  # SystemC elaborates once in a process, so that its cases need one each
    seconds: float = 0
    reached: bytes = b""
    memory: str = str(MEMORY_KBYTES)  # KB of address space, or unlimited where it needs more


@dataclass
class Outcome:
    status: int
    text: str = ""
    seconds: float = 0
    late: bool = False
    cases: list = field(default_factory=list)


def kill_session(leader):
    """Kills all processes of a session: ninja gives each of its commands a process group of its own."""
    while True:
        members = []
        for stat in pathlib.Path("/proc").glob("[0-9]*/stat"):
            try:
                state, _, _, session = stat.read_text().rpartition(")")[2].split()[:4]
            except (OSError, ValueError):
                continue  # ended meanwhile
            if int(session) == leader and state != "Z":
                members.append(int(stat.parent.name))
        if not members:
            return
        for member in members:
            try:
                os.kill(member, signal.SIGKILL)
            except ProcessLookupError:
                pass
        time.sleep(0.01)


class Project:
    def __init__(self, root, folder, mutated, tests, say):
        self.root, self.folder, self.say = root, folder, say
        self.mutated = mutated  # the folder of the block, whose files are compiled one by one
        self.tests = tests.split(",")  # folders of tests/unit, or programs in one
        self.source, self.build = folder / "source", folder / "build"
        self.running, self.lock = set(), threading.Lock()
        # Only the main thread is interrupted: in another one no process is started that nobody knows of.
        self.starter = concurrent.futures.ThreadPoolExecutor(1)
        folder.mkdir(parents=True, exist_ok=True)
        self.own = open(folder / "lock", "w")
        try:
            fcntl.flock(self.own, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise Failure(f"{folder} is in use by another run") from None

    # ---- processes ----

    def start(self, command, cwd, env):
        with self.lock:
            process = subprocess.Popen([str(c) for c in command], cwd=cwd, stdout=subprocess.PIPE,
                                       stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, start_new_session=True,
                                       env={**os.environ, **env})
            self.running.add(process)
        return process

    def run(self, command, cwd=None, cpu_seconds=None, memory=str(MEMORY_KBYTES), **env):
        """Runs a command in a session of its own; cpu_seconds, and then memory: what it may use."""
        wall = None
        if cpu_seconds:
            command = ["sh", "-c", 'ulimit -t "$0"; ulimit -v "$1"; ulimit -c 0; shift; exec "$@"',
                       str(int(cpu_seconds) + 1), memory, *map(str, command)]
            wall = 60 + 10 * cpu_seconds
        begin = time.monotonic()
        process = self.starter.submit(self.start, command, cwd, env).result()
        late = False
        try:
            output = process.communicate(timeout=wall)[0]
        except BaseException as stopped:  # too late, or the run is stopped: its children go with it
            kill_session(process.pid)
            output = process.communicate()[0]
            late = isinstance(stopped, subprocess.TimeoutExpired)
            if not late:
                raise
        finally:
            with self.lock:
                self.running.discard(process)
        late = late or bool(cpu_seconds) and process.returncode in (-signal.SIGXCPU, -signal.SIGKILL)
        return Outcome(process.returncode, output.decode(errors="replace"), time.monotonic() - begin, late)

    def close(self, keep):
        self.starter.shutdown()
        with self.lock:
            for process in self.running:
                kill_session(process.pid)
        if not keep:
            shutil.rmtree(self.folder, ignore_errors=True)
            for parent in (self.folder.parent, self.folder.parent.parent):
                if parent != self.root and parent.is_dir() and not any(parent.iterdir()):
                    parent.rmdir()

    # ---- the copy ----

    def copy(self):
        """Makes the copy like the tree; what did not change keeps its time."""
        listed = subprocess.run(["git", "-C", self.root, "ls-files", "-z", "-co", "--exclude-standard"],
                                capture_output=True, text=True)
        names = [n for n in listed.stdout.split("\0") if n and (self.root / n).is_file()]
        if listed.returncode or not names:
            names = [str(p.relative_to(self.root)) for p in self.root.rglob("*")
                     if p.is_file() and "build" not in p.relative_to(self.root).parts]
        known = {str(p.relative_to(self.source)) for p in self.source.rglob("*") if p.is_file()}
        for name in known - set(names):
            (self.source / name).unlink()
        for name in names:
            self.write(name, (self.root / name).read_bytes())
            shutil.copymode(self.root / name, self.source / name)

    def write(self, name, content):
        path = self.source / name
        if path.is_file() and path.read_bytes() == content:
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)

    def configure(self):
        self.write("../mutation.h", HEADER.encode())
        linker = "-fuse-ld=lld" if shutil.which("ld.lld") else ""
        outcome = self.run(["cmake", "-S", self.source, "-B", self.build, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=None", f"-DGEN9_UNITY_WITHOUT={self.mutated}",
                            f"-DCMAKE_CXX_FLAGS={FLAGS}", f"-DCMAKE_EXE_LINKER_FLAGS={linker}"])
        if outcome.status:
            raise Failure("cmake: " + outcome.text[-2000:])

    def make(self, jobs):
        targets = [f"tests/unit/{t}/all" if self.is_folder(t) else t.rpartition("/")[2] for t in self.tests]
        # Copies of several blocks have the same compiler cache, whatever the path of each.
        return self.run(["ninja", "-C", self.build, "-k", "0", "-j", jobs, *targets],
                        CCACHE_BASEDIR=str(self.folder), CCACHE_NOHASHDIR="1")

    def is_folder(self, tests):
        return (self.source / "tests" / "unit" / tests).is_dir()

    def places_of_errors(self, text):
        """(file, line) of what the compiler complains about, with the places it was led there from."""
        places = []
        for match in re.finditer(r"^(?:In file included from |\s+from )?([^\s:]+):(\d+):(?:\d+:)? *"
                                 r"(error|note|  required|required|.*required from)?", text, re.M):
            path = pathlib.Path(match[1])
            path = path if path.is_absolute() else self.build / path
            path = pathlib.Path(os.path.normpath(path))
            if match[3] and path.is_relative_to(self.source):
                places.append((str(path.relative_to(self.source)), int(match[2]), match[3] == "error"))
        return places

    # ---- tests ----

    def cases(self):
        found = []
        for tests in self.tests:
            whole = self.is_folder(tests)
            folder, _, program = (tests, "", "") if whole else tests.rpartition("/")
            cases = [c for c in self.cases_of(folder, program) if whole or pathlib.Path(c.program).name == program]
            if not cases:
                raise Failure(f"no tests in tests/unit/{tests}")
            found += cases
        return found

    def cases_of(self, tests, only):
        """`only`: of a folder's programs this one has been built; if empty, all."""
        folder = self.build / "tests" / "unit" / tests
        outcome = self.run(["ctest", "--show-only=json-v1"], cwd=folder)
        try:
            listed = json.loads(outcome.text[outcome.text.index("{"):])["tests"]
        except (ValueError, KeyError):
            raise Failure(f"{tests}: ctest lists no tests: {outcome.text[-500:]}") from None
        found = []
        for test in listed:
            program, *arguments = test.get("command", [""])
            if not program and only:
                continue
            if not program:
                raise Failure(f"{test['name']} has no program")
            properties = {p["name"]: p["value"] for p in test.get("properties", [])}
            where = properties.get("WORKING_DIRECTORY", str(folder))
            systemc = "libsystemc" in self.run(["readelf", "-d", program]).text
            if any(e.startswith("GEN9_REPORTS=") for e in properties.get("ENVIRONMENT", [])):
                found += [Case(name, program, name, where, systemc) for name in self.listed(program, where)]
            else:
                chosen = [a for a in arguments if a.startswith("--gtest_filter=")]
                found.append(Case(test["name"], program, chosen[0].split("=", 1)[1] if chosen else "*", where, systemc))
        return found

    def listed(self, program, folder):
        """The cases of a GoogleTest program."""
        names, suite = [], ""
        for line in self.run([program, "--gtest_list_tests"], cwd=folder).text.splitlines():
            name = line.split("  #")[0]
            if name.startswith("  "):
                names.append(suite + name.strip())
            elif name.endswith("."):
                suite = name
        if not names:
            raise Failure(f"{program} lists no tests")
        return names

    def measure(self, cases, count):
        """Runs every test unmutated: it passes, takes so long, and reaches these mutants."""
        file = self.folder / "reached"
        for case in cases:
            file.write_bytes(bytes(count + 1))
            outcome = self.test([case], 600, MUTANTS_REACHED=str(file))
            if outcome.status:  # some tests take more addresses than any machine has memory
                case.memory = "unlimited"
                outcome = self.test([case], 600, MUTANTS_REACHED=str(file))
            if outcome.status:
                raise Failure(f"{case.name} fails without a mutation:\n{outcome.text[-2000:]}")
            case.seconds, case.reached = outcome.seconds, file.read_bytes()

    def test(self, cases, cpu_seconds, **env):
        """One process for tests of one program, with the same limit."""
        names = ":".join(c.filter for c in cases)
        return self.run([cases[0].program, f"--gtest_filter={names}", "--gtest_fail_fast", "--gtest_brief=1",
                         "--gtest_also_run_disabled_tests"], cwd=cases[0].folder, cpu_seconds=cpu_seconds, memory=cases[0].memory,
                        GEN9_CASES="together", **env)

    def try_tests(self, cases, stop, mutant=0):
        """killed, timeout or survived: what these tests find, the quickest first."""
        together = {}
        for case in cases:
            key = case.separate, case.program, case.memory, case.name if case.separate else ""
            together.setdefault(key, []).append(case)
        for group in sorted(together.values(), key=lambda g: sum(c.seconds for c in g)):
            if stop():
                return ""
            outcome = self.test(group, 5 + 10 * sum(c.seconds for c in group), MUTANT=str(mutant))
            if outcome.late:
                return "timeout"
            if outcome.status:
                return "killed"
        return "survived"
