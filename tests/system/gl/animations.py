# SPDX-License-Identifier: Apache-2.0
"""animations.py GEN9SIM GL_SPEED: the scenes that scripts/compare-speed times have on the model the mean colour that llvmpipe
gives them; a picture of 4096 x 4096 takes no more memory than its surfaces have bytes. Proves that the model drew."""
import os
import pathlib
import re
import resource
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from checks import expect, finish, run  # noqa: E402

gen9sim, program = sys.argv[1:]
CLEAR = (26, 26, 51)
# Colour, depth with stencil, and what the program reads back, of 4096 x 4096 pixels.
LARGE_BYTES = 4096 * 4096 * (4 + 4 + 4)


def most_memory():
    """Of the largest process so far, in bytes."""
    return 1024 * resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss


for scene in ("cube", "gears", "terrain", "tessellated", "geometry", "samples", "large"):
    means = {}
    small = most_memory()
    for driver, before, variables in (("Mesa Intel", [gen9sim, "run", "--timing", "functional", "--"], {}),
                                      ("llvmpipe", [], {"LIBGL_ALWAYS_SOFTWARE": "1"})):
        done = run(*before, program, scene, 2, environment=variables)
        found = re.search(r"mean (\S+) (\S+) (\S+)", done.stdout)
        expect(done.returncode == 0 and found and f"renderer: {driver}" in done.stdout, f"{scene}: {done.stdout}{done.stderr}")
        if scene == "large" and before:
            grown = most_memory() - small
            expect(64e6 < grown < LARGE_BYTES, f"{scene}: {grown / 1e6:.0f} MB more than the others, for {LARGE_BYTES / 1e6:.0f} MB of surfaces")
        means[driver] = [float(word) for word in found.groups()] if found else []
    pairs = list(zip(means["llvmpipe"], means["Mesa Intel"]))
    expect(len(pairs) == 3 and all(abs(a - b) < 0.2 for a, b in pairs), f"{scene}: {means}")
    expect(any(abs(a - c) > 1 for (a, _), c in zip(pairs, CLEAR)), f"{scene}: nothing is drawn")
bad = run(program, "nothing", 2, environment=os.environ)
expect(bad.returncode == 2 and "Scenes: cube" in bad.stderr, f"a scene that is not there: {bad.stderr}")
finish()
