# SPDX-License-Identifier: Apache-2.0
"""Runs points by Snakemake, on this machine or on a cluster."""
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time

from .errors import UserError

HERE = pathlib.Path(__file__).resolve().parent
SNAKEMAKE = "/usr/bin/snakemake"


class Interrupted(Exception):
    pass


def progress(folder, wanted, begin, done_before):
    """(text, how many have ended)"""
    done = sum((folder / "results" / f"{key}.json").exists() for key in wanted)
    failed = sum((folder / "failed" / f"{key}.txt").exists() for key in wanted)
    ended = done + failed
    text = f"{ended} of {len(wanted)} points"
    if failed:
        text += f", {failed} failed"
    if ended > done_before:
        left = (time.monotonic() - begin) / (ended - done_before) * (len(wanted) - ended)
        text += f", about {left / 60:.0f} min left" if left >= 100 else f", about {left:.0f} s left"
    return text, ended


def run(folder, keys, jobs, profile, quiet):
    """Runs the points that have no result yet. Raises Interrupted, when all that has ended is kept."""
    folder = pathlib.Path(folder)
    for name in ("results", "failed"):
        (folder / name).mkdir(exist_ok=True)
    wanted = [key for key in keys if not (folder / "results" / f"{key}.json").exists()]
    if not wanted:
        return
    snakemake = SNAKEMAKE if os.access(SNAKEMAKE, os.X_OK) else shutil.which("snakemake")
    if not snakemake:
        raise UserError("snakemake is missing: scripts/setup installs it")
    for key in wanted:
        (folder / "failed" / f"{key}.txt").unlink(missing_ok=True)
    (folder / "keys.txt").write_text("\n".join(wanted) + "\n")
    command = [snakemake, "--snakefile", str(HERE / "Snakefile"), "--directory", str(folder), "--keep-going", "--nolock",
               "--rerun-incomplete", "--rerun-triggers", "mtime", "--quiet", "all"]
    if profile:
        own = HERE / profile
        command += ["--profile", str(own if own.is_dir() else profile)]
    if jobs or not profile:
        command += ["--jobs", str(jobs or os.cpu_count())]
    command += ["--config", f"keys={(folder / 'keys.txt').resolve()}", f"python={sys.executable}", f"runner={HERE / 'point.py'}"]
    begin, shown = time.monotonic(), 0
    with open(folder / "snakemake.log", "wb") as log:
        process = subprocess.Popen(command, stdout=log, stderr=log, stdin=subprocess.DEVNULL, start_new_session=True)
        try:
            while process.poll() is None:
                time.sleep(0.2 if time.monotonic() - begin < 5 else 1)
                text, ended = progress(folder, wanted, begin, 0)
                if not quiet and sys.stderr.isatty():
                    print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)
                elif not quiet and ended * 10 // len(wanted) > shown * 10 // len(wanted):
                    print(text, file=sys.stderr, flush=True)
                shown = ended
        except KeyboardInterrupt:
            end(process)
            raise Interrupted(progress(folder, wanted, begin, 0)[0].split(",")[0]) from None
        finally:
            if not quiet and sys.stderr.isatty():
                print("\r\033[K", end="", file=sys.stderr, flush=True)
    text, ended = progress(folder, wanted, begin, 0)
    if ended < len(wanted):
        lines = [line for line in (folder / "snakemake.log").read_text(errors="replace").splitlines() if line.strip()]
        said = next((line for line in reversed(lines) if "rror" in line), lines[-1] if lines else "nothing was said")
        raise UserError(f"the workflow ended after {text}: {said.strip()} ({folder / 'snakemake.log'} says more)")


def end(process):
    """Asks the workflow to end its jobs, and waits."""
    for sign, seconds in ((signal.SIGINT, 10), (signal.SIGTERM, 10), (signal.SIGKILL, None)):
        try:
            os.killpg(process.pid, sign)
            process.wait(seconds)
            return
        except subprocess.TimeoutExpired:
            continue
        except ProcessLookupError:
            return
