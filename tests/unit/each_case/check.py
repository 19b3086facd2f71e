# SPDX-License-Identifier: Apache-2.0
"""check.py TRIAL_CASES: what a test program says of cases that pass, fail, end it, hang, or pass only alone."""
import os
import pathlib
import subprocess
import sys
import tempfile

NOT_PASSED = {
    "": None,
    "fail": "Trial.DoesIt failed",
    "abort": "Trial.DoesIt was ended by signal 6",
    "spin": "Trial.DoesIt has not ended within 1 seconds of processor time",
    "sleep": "Trial.DoesIt has not ended within 10 seconds",
    "share": "each alone passes; one process of all failed",
}
bad = []
for trial, sentence in NOT_PASSED.items():
    with tempfile.TemporaryDirectory() as reports:
        done = subprocess.run([sys.argv[1]], capture_output=True, text=True,
                              env={**os.environ, "TRIAL": trial, "GEN9_CASE_SECONDS": "1", "GEN9_REPORTS": reports})
        end = done.stdout.strip().splitlines()[-1 if sentence is None else -2:]
        wanted = ["3 cases, 0 not passed"] if sentence is None else ["3 cases, 1 not passed", sentence]
        if end != wanted or done.returncode != (sentence is not None):
            bad.append(f"{trial or 'all pass'}: status {done.returncode}, {end}")
        # One report of all; where that failed, one of each case that could write it.
        names = sorted(path.stem for path in pathlib.Path(reports).iterdir())
        if "all" not in names and trial in ("", "fail", "share") or sentence is not None and "Trial.IsLast" not in names:
            bad.append(f"{trial or 'all pass'}: reports {names}")
sys.exit("\n".join(bad) or 0)
