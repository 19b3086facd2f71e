# SPDX-License-Identifier: Apache-2.0
"""media_messages.py GEN9SIM MODE PROGRAM: the media sampler (media_scales.py) and motion estimation (media_searches.py), driven by
Intel's media runtime (CM, on the iHD driver). Surfaces, the scaler's tables and the pictures of a search are states of the driver;
the kernels send the messages and store what comes back, register by register. What must be there is worked out in integers.
"""
import os
import pathlib
import subprocess
import sys
import tempfile

here = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(here.parent), str(here.parent / "media")]
from checks import expect, finish  # noqa: E402
from media_scales import directs, grids, scales  # noqa: E402
from media_searches import searches  # noqa: E402


def main():
    gen9sim, mode, program = sys.argv[1:]
    # The same messages in time: some of each.
    made = (scales() + grids() + directs())[::1 if mode == "functional" else 5] + searches()
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        jobs, expected = "", []
        for n, job in enumerate(made):
            line, content = job.write(folder, n)
            jobs += line
            expected.append(content)
        done = subprocess.run([gen9sim, "run", "--door", "drm", "--timing", mode, "--", program], input=jobs,
                              cwd=folder, capture_output=True, text=True, timeout=280, env=dict(os.environ, LIBVA_DRIVER_NAME="iHD"))
        expect(done.returncode == 0, f"{mode}: status {done.returncode}: {done.stdout}{done.stderr}")
        expect("Intel iHD driver" in done.stdout, f"{mode}: {done.stdout}")
        for n, job in enumerate(made):
            out = folder / f"{n}.out"
            if out.exists():
                job.check(out.read_bytes(), expected[n], mode)
            else:
                expect(False, f"{mode}, {job.name}: nothing came out")
    finish()


if __name__ == "__main__":
    main()
