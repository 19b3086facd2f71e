# SPDX-License-Identifier: Apache-2.0
"""program_kinds.py GEN9SIM DRM_REQUESTS MISBEHAVE: programs that change their user, environment, root or limits, make
themselves daemons, use what they inherited, cannot be preloaded into or die by a signal work, or are told why not."""
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from checks import expect, finish, run  # noqa: E402

gen9sim, requests, misbehave = sys.argv[1:]
MODE = ("run", "--no-progress", "--timing", "functional", "--")
AS_ROOT = os.geteuid() == 0


def kind(name, status=0, words=(), right=True):
    begin = time.monotonic()
    done = run(gen9sim, *MODE, requests, "program", name)
    expect(done.returncode == status, f"{name}: status {done.returncode}, expected {status}\n{done.stdout}{done.stderr}")
    expect(not right or " 0 wrong answers" in done.stdout, f"{name}: {done.stdout}{done.stderr}")
    for word in words:
        expect(word in done.stderr, f"{name}: '{word}' is not said:\n{done.stderr}")
    said = [line for line in done.stderr.splitlines() if line.startswith("gen9sim: pro") or "the program has" in line]
    expect(bool(words) or not said, f"{name}: {said}")
    return time.monotonic() - begin


for name in ("plain", "environment", "exec", "vfork", "spawn", "system", "daemon"):
    kind(name)
expect(kind("idle-daemon", 0, ("has left processes behind", "drm_requests"), right=False) < 13, "an idle daemon is waited for")
kind("files")
kind("closed", 0, ("that it has closed",))
kind("files-for-ever", 0, ("RLIMIT_FSIZE", "ulimit -f"))
kind("inherited", 0, ("forked", "opens it after fork()"))
kind("killed", 128 + signal.SIGKILL, ("ended by SIGKILL", "want of memory"), right=False)
kind("crashed", 128 + signal.SIGSEGV, ("ended by SIGSEGV",), right=False)
if AS_ROOT:
    kind("user")
    kind("root", 0, ("another root directory",))

# OpenCL in a child that was forked after its parent's first use: the driver's hang check ends its wait.
done = run(gen9sim, *MODE, misbehave, "inherited", timeout=120)
expect(done.returncode == 0 and "PASS" in done.stdout, f"inherited, OpenCL: {done.returncode}\n{done.stdout}{done.stderr}")
expect("opens it after fork()" in done.stderr, f"inherited, OpenCL: not told\n{done.stderr}")

# Programs into which no library can be loaded.
with tempfile.TemporaryDirectory() as folder:
    source, static = pathlib.Path(folder) / "one.c", pathlib.Path(folder) / "static"
    source.write_text("int main(void) { return 0; }")
    if shutil.which("gcc") and subprocess.run(["gcc", "-static", source, "-o", static], capture_output=True).returncode == 0:
        done = run(gen9sim, *MODE, static)
        expect(done.returncode == 0 and "is a static program" in done.stderr, f"static: {done.stderr}")
        script = pathlib.Path(folder) / "script"
        script.write_text(f"#!{static}\n")
        script.chmod(0o755)
        done = run(gen9sim, *MODE, script)
        expect("is a static program" in done.stderr, f"script of a static interpreter: {done.stderr}")
    if AS_ROOT:
        program = pathlib.Path(folder) / "program"
        shutil.copy(shutil.which("true"), program)
        os.chown(program, 65534, 65534)
        program.chmod(0o4755)
        done = run(gen9sim, *MODE, program)
        expect("set-uid" in done.stderr, f"set-uid: {done.stderr}")
finish()
