# SPDX-License-Identifier: Apache-2.0
"""animations.py GEN9SIM GL_SPEED: the scenes that scripts/compare-speed times have on the model the mean colour that llvmpipe
gives them. Proves that the model drew."""
import os
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from checks import expect, finish, run  # noqa: E402

gen9sim, program = sys.argv[1:]
CLEAR = (26, 26, 51)
for scene in ("cube", "gears", "terrain", "tessellated", "geometry", "samples"):
    means = {}
    for driver, before, variables in (("llvmpipe", [], {"LIBGL_ALWAYS_SOFTWARE": "1"}),
                                      ("Mesa Intel", [gen9sim, "run", "--timing", "functional", "--"], {})):
        done = run(*before, program, scene, 2, environment=variables)
        found = re.search(r"mean (\S+) (\S+) (\S+)", done.stdout)
        expect(done.returncode == 0 and found and f"renderer: {driver}" in done.stdout, f"{scene}: {done.stdout}{done.stderr}")
        means[driver] = [float(word) for word in found.groups()] if found else []
    pairs = list(zip(means["llvmpipe"], means["Mesa Intel"]))
    expect(len(pairs) == 3 and all(abs(a - b) < 0.2 for a, b in pairs), f"{scene}: {means}")
    expect(any(abs(a - c) > 1 for (a, _), c in zip(pairs, CLEAR)), f"{scene}: nothing is drawn")
bad = run(program, "nothing", 2, environment=os.environ)
expect(bad.returncode == 2 and "Scenes: cube" in bad.stderr, f"a scene that is not there: {bad.stderr}")
finish()
