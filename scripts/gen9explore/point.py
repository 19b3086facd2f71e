# SPDX-License-Identifier: Apache-2.0
"""point.py FOLDER KEY: runs one point of an exploration. A job of the workflow; imports nothing that takes long.

Leaves results/KEY.json, or failed/KEY.txt with one line."""
import json
import os
import pathlib
import subprocess
import sys


def main(folder, key):
    folder = pathlib.Path(folder)
    point = json.loads((folder / "jobs" / f"{key}.json").read_text())
    result, part, failure = folder / "results" / f"{key}.json", folder / "results" / f"part-{key}.json", folder / "failed" / f"{key}.txt"
    failure.unlink(missing_ok=True)
    try:
        done = subprocess.run([*point["command"][:-1], "--stats", str(part), point["command"][-1]], capture_output=True, text=True,
                              errors="replace", stdin=subprocess.DEVNULL)
        if done.returncode == 0:
            json.loads(part.read_text())
            os.replace(part, result)
            return 0
        ended = f"signal {-done.returncode}" if done.returncode < 0 else f"status {done.returncode}"
        said = [line for line in done.stderr.splitlines() if line.startswith("gen9sim: ")]
        text = said[0] if said else f"gen9sim ended with {ended}"
    except (OSError, ValueError) as error:
        text = f"{type(error).__name__}: {error}"
    part.unlink(missing_ok=True)
    failure.write_text(text.removeprefix("gen9sim: ") + "\n")
    return 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
