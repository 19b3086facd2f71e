# SPDX-License-Identifier: Apache-2.0
"""motion_golden.py GEN9SIM MODE PROGRAM [FOLDER [SET...]]: motion estimation against what real parts returned. FOLDER holds their results,
clip.xz and a file for each set (search, cost, hme, intra); status 77 when it does not. They are not part of the repository."""
import lzma
import pathlib
import subprocess
import sys
import tempfile

gen9sim, mode, program = sys.argv[1:4]
folder, sets = "".join(sys.argv[4:5]), sys.argv[5:]
NAMES = ("clip", "search", "cost", "hme", "intra")
if not folder or not all(pathlib.Path(folder, name + ".xz").exists() for name in NAMES):
    print(f"no results of real parts in '{folder}'")
    sys.exit(77)
with tempfile.TemporaryDirectory() as data:
    for name in NAMES:
        pathlib.Path(data, name).write_bytes(lzma.decompress(pathlib.Path(folder, name + ".xz").read_bytes()))
    sys.exit(subprocess.run([gen9sim, "run", "--timing", mode, "--", program, data, *sets]).returncode)
