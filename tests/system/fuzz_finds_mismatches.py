# SPDX-License-Identifier: Apache-2.0
"""fuzz_finds_mismatches.py FUZZ_KERNELS GEN9SIM CORPUS FOLDER: a wrong model is found out, of every kind of kernel,
and so is a wrong reference interpreter. The kinds take turns.

The model is stood in for by a script that runs the real one and spoils the result of every kernel whose
text calls a certain function. The harness must fail, and cut the kernel down without losing the call."""
import pathlib
import re
import sys

from checks import expect, finish, has_its_turn, run

SPOILT = r'''#!{python}
import pathlib, re, subprocess, sys
done = subprocess.run(["{gen9sim}", *sys.argv[1:]], capture_output=True, text=True)
path = next(a for a in sys.argv if a.endswith(".cl"))
texts = re.split(r"^// kernel (k\d+)", pathlib.Path(path).read_text(), flags=re.M)
calls = {{name: "{call}" in text for name, text in zip(texts[1::2], texts[2::2])}}
def spoil(match):
    return match[1] + ("0" * 16 if calls[match[1].split()[0]] else match[2])
sys.stdout.write(re.sub(r"^(k\d+ +)([0-9a-f]{{16}})", spoil, done.stdout, flags=re.M))
sys.stderr.write(done.stderr)
sys.exit(done.returncode)
'''

fuzz, gen9sim, corpus, folder = (str(pathlib.Path(a).resolve()) for a in sys.argv[1:])
keep = pathlib.Path(folder)
keep.mkdir(parents=True, exist_ok=True)


def finds_a_wrong_model(kind, call):
    for old in keep.glob("*seed*"):
        old.unlink()
    spoilt = keep / "spoilt"
    spoilt.write_text(SPOILT.format(python=sys.executable, gen9sim=gen9sim, call=call))
    spoilt.chmod(0o755)
    programs = ["--kind", kind, "--gen9sim", gen9sim, "--corpus", corpus]
    printed = run(sys.executable, fuzz, "--count", 40, "--per-file", 40, "--print", *programs).stdout
    seed, whole = next((re.match(r"k\d+: [a-z-]+ seed (\d+)", text)[1], text) for text in printed.split("// kernel ")[1:]
                       if call in text)
    done = run(sys.executable, fuzz, *programs, "--seed", seed, "--count", 1, "--keep", keep, "--gen9sim", spoilt,
               "--minimise-seconds", 60)
    expect(done.returncode == 1, f"status {done.returncode}: {done.stdout}{done.stderr}")
    expect("1 differ" in done.stdout, done.stdout)
    reproducers = sorted(keep.glob(f"*seed{seed}.cl"))
    expect(reproducers, "no reproducer")
    if reproducers:
        text = reproducers[0].read_text().split("// kernel k0", 1)[1]
        expect(call in text, f"the reproducer lost what was wrong:\n{text}")
        expect(len(text) * 10 < len(whole) * 9, f"{len(whole)} characters cut down to {len(text)} only:\n{text}")
        expect("model 0000000000000000" in reproducers[0].with_suffix(".txt").read_text(), "no outputs beside the reproducer")


def finds_a_wrong_reference():
    """A reference whose fma rounds twice and whose sum leaves one out differs from the real model."""
    sys.path.insert(0, str(pathlib.Path(fuzz).parent))
    from kernel_fuzzer import devices, kernels, reference, sub_groups
    names = reference.names()
    spoilt = (("half", "fma_half", lambda a, b, c: names["add_half"](names["mul_half"](a, b), c)),
              ("sub-groups", "reducing", lambda operation: sub_groups.reducing(lambda a, b: a)))
    for index, (kind, name, wrong) in enumerate(spoilt):
        if not has_its_turn(index, len(spoilt)):
            continue
        right = names[name]
        made = next(k for k in (kernels.kernel(seed, kind) for seed in range(1, 200))
                    if re.search(rf"\b{name}\b", k.main.python()))
        for function, differs in ((right, []), (wrong, [0])):
            names[name] = function
            pair = devices.Devices(gen9sim, corpus, "functional", 300)
            found = pair.differing([made])
            expect(found == differs, f"{kind} seed {made.seed}, {'spoilt' if differs else 'right'} {name}: {found}")
            pair.close()
        names[name] = right


KINDS = (("host", "popcount("), ("memory", "atom_"), ("half", "convert_half"), ("sub-groups", "intel_sub_group_shuffle"))
for index, (kind, call) in enumerate(KINDS):
    if has_its_turn(index, len(KINDS)):
        finds_a_wrong_model(kind, call)
finds_a_wrong_reference()
finish()
