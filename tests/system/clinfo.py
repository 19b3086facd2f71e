# SPDX-License-Identifier: Apache-2.0
"""clinfo.py GEN9SIM: clinfo, unchanged, lists the device."""
import re
import sys

from checks import expect, finish, run

done = run(sys.argv[1], "run", "--", "clinfo")
expect(done.returncode == 0, f"status {done.returncode}: {done.stderr}")
expect("Intel(R)" in done.stdout and "Device Type" in done.stdout, "no Intel device listed:\n" + done.stdout[:2000])
expect(re.search(r"Max clock frequency +1150MHz", done.stdout), "the device's clock is not the model's")
expect("GPU" in done.stdout, "the device is no GPU")
finish()
