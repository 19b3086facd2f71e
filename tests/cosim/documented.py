#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""documented.py SOURCE BUILD SECTION...: runs every command of these sections of docs/cosimulation.md, one after the
other, in a folder that looks like a clone of the project with its build."""
import pathlib
import re
import subprocess
import sys
import tempfile

source, build = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
page = (source / "docs/cosimulation.md").read_text()
with tempfile.TemporaryDirectory() as folder:
    for name in source.iterdir():
        if name.name not in ("build", "out"):
            (pathlib.Path(folder) / name.name).symlink_to(name)
    (pathlib.Path(folder) / "build").symlink_to(build)
    for title in sys.argv[3:]:
        section = re.search(rf"^## {re.escape(title)}\n(.*?)(?=^## |\Z)", page, re.M | re.S)
        if not section:
            sys.exit(f"docs/cosimulation.md has no section '{title}'")
        lines = [line for block in re.findall(r"^```sh\n(.*?)^```", section[1], re.M | re.S) for line in block.splitlines()]
        if not lines:
            sys.exit(f"no commands in '{title}'")
        for line in lines:
            done = subprocess.run(["bash", "-c", line], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            if done.returncode != 0:
                sys.exit(f"status {done.returncode}: {line}\n{done.stdout[-3000:]}")
            print(line[:100], "\n   ", (done.stdout.splitlines() or [""])[-1])
