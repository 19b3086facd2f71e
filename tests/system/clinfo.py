# SPDX-License-Identifier: Apache-2.0
"""clinfo.py GEN9SIM: clinfo, unchanged, lists the device."""
import sys

from checks import expect, finish, run

done = run(sys.argv[1], "run", "--", "clinfo")
expect(done.returncode == 0, f"status {done.returncode}: {done.stderr}")
expect("Intel(R)" in done.stdout and "Device Type" in done.stdout, "no Intel device listed:\n" + done.stdout[:2000])
expect("GPU" in done.stdout, "the device is no GPU")
finish()
