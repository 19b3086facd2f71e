# SPDX-License-Identifier: Apache-2.0
"""fuzz_finds_mismatches.py FUZZ_KERNELS GEN9SIM CORPUS FOLDER: a model with a wrong popcount is found out.

The model is stood in for by a script that runs the real one and spoils the result of every kernel whose
text calls popcount. The harness must fail, and cut the kernel down without losing the call."""
import pathlib
import re
import sys

from checks import expect, finish, run

SPOILT = r'''#!{python}
import pathlib, re, subprocess, sys
done = subprocess.run(["{gen9sim}", *sys.argv[1:]], capture_output=True, text=True)
path = next(a for a in sys.argv if a.endswith(".cl"))
texts = re.split(r"^// kernel (k\d+)", pathlib.Path(path).read_text(), flags=re.M)
calls = {{name: "popcount(" in text for name, text in zip(texts[1::2], texts[2::2])}}
def spoil(match):
    return match[1] + ("0" * 16 if calls[match[1].split()[0]] else match[2])
sys.stdout.write(re.sub(r"^(k\d+ +)([0-9a-f]{{16}})", spoil, done.stdout, flags=re.M))
sys.stderr.write(done.stderr)
sys.exit(done.returncode)
'''

fuzz, gen9sim, corpus, folder = sys.argv[1:]
keep = pathlib.Path(folder)
keep.mkdir(parents=True, exist_ok=True)
for old in keep.glob("seed*"):
    old.unlink()
spoilt = keep / "spoilt"
spoilt.write_text(SPOILT.format(python=sys.executable, gen9sim=gen9sim))
spoilt.chmod(0o755)
programs = ["--gen9sim", gen9sim, "--corpus", corpus]
printed = run(sys.executable, fuzz, "--count", 40, "--per-file", 40, "--print", *programs).stdout
seed, whole = next((re.match(r"k\d+: seed (\d+)", text)[1], text) for text in printed.split("// kernel ")[1:]
                   if "popcount(" in text)
done = run(sys.executable, fuzz, "--seed", seed, "--count", 1, "--keep", keep, "--gen9sim", spoilt, "--corpus", corpus,
           "--minimise-seconds", 60)
expect(done.returncode == 1, f"status {done.returncode}: {done.stdout}{done.stderr}")
expect("1 differ" in done.stdout, done.stdout)
reproducer = keep / f"seed{seed}.cl"
expect(reproducer.exists(), "no reproducer")
if reproducer.exists():
    text = reproducer.read_text().split("// kernel k0", 1)[1]
    expect("popcount(" in text, f"the reproducer lost what was wrong:\n{text}")
    expect(len(text) * 2 < len(whole), f"{len(whole)} characters cut down to {len(text)} only:\n{text}")
    expect("model 0000000000000000" in reproducer.with_suffix(".txt").read_text(), "no outputs beside the reproducer")
finish()
