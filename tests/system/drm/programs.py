# SPDX-License-Identifier: Apache-2.0
"""programs.py GEN9SIM PROGRAM: an OpenCL program of Debian's, unchanged, is right by the kernel interface, and the model
did its work. PROGRAM: pyopencl, hashcat-md5 or hashcat-sha512. Status 77 when it is not installed."""
import hashlib
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from checks import expect, finish  # noqa: E402

gen9sim, name = sys.argv[1:]
here = pathlib.Path(__file__).resolve().parent
PYTHON = "/usr/bin/python3"  # for which Debian's modules are installed
WORDS = ["hello", "abc", "password", "secret"]


def on_model(folder, *words):
    """The program's output and the launches that the model counted."""
    statistics = folder / "run.json"
    environment = dict(os.environ, HOME=str(folder), XDG_DATA_HOME=str(folder), XDG_CACHE_HOME=str(folder))
    done = subprocess.run([gen9sim, "run", "--door", "drm", "--timing", "functional", "--stats", statistics, "--", *words],
                          env=environment, cwd=folder, capture_output=True, text=True, timeout=1500)
    expect(done.returncode == 0, f"status {done.returncode}: {done.stdout[-2000:]}{done.stderr[-2000:]}")
    launches = json.loads(statistics.read_text())["kernels"] if statistics.exists() else []
    expect(launches, "the model ran nothing")
    return done.stdout


def pyopencl(folder):
    if subprocess.run([PYTHON, "-c", "import pyopencl"], capture_output=True).returncode:
        sys.exit(77)
    expect("PASS" in on_model(folder, PYTHON, here / "pyopencl_program.py"), "no PASS")


def hashcat(folder, mode, digest, *attack):
    """Finds the word of a digest."""
    if not shutil.which("hashcat"):
        sys.exit(77)
    (folder / "hash").write_text(digest + "\n")
    found = folder / "found"
    on_model(folder, "hashcat", "-m", mode, "-D", "2", "-n", "1", "-u", "1", "-T", "32", "--force", "--potfile-disable",
             "--outfile", found, folder / "hash", *attack)
    expect(found.exists() and found.read_text().strip() == f"{digest}:secret", "the word was not found")


def md5(folder):
    (folder / "words").write_text("\n".join(WORDS) + "\n")
    hashcat(folder, "0", hashlib.md5(b"secret").hexdigest(), "-a", "0", folder / "words")


def sha512(folder):
    """Of the kernels for SHA-512, Intel's compiler is done soonest with the optimised ones for masks, one word to a channel."""
    hashcat(folder, "1700", hashlib.sha512(b"secret").hexdigest(), "-a", "3", "-O", "--backend-vector-width", "1", "secr?l?l")


with tempfile.TemporaryDirectory() as temporary:
    {"pyopencl": pyopencl,
     "hashcat-md5": md5,
     "hashcat-sha512": sha512}[name](pathlib.Path(temporary))
finish()
