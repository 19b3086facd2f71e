#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""status.py JOB: tells Snakemake how a job of Slurm stands."""
import re
import subprocess
import sys

done = subprocess.run(["scontrol", "--oneliner", "show", "job", sys.argv[1]], capture_output=True, text=True)
state = re.search(r"JobState=(\w+)", done.stdout)
if done.returncode or not state or state[1] in ("PENDING", "RUNNING", "CONFIGURING", "COMPLETING", "SUSPENDED"):
    # A job that Slurm has forgotten has ended; the workflow looks at its files.
    print("success" if "Invalid job id" in done.stderr else "running")
else:
    print("success" if state[1] == "COMPLETED" else "failed")
