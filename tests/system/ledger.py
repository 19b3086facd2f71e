# SPDX-License-Identifier: Apache-2.0
"""ledger.py SOURCES: the ledger's rows of the areas below are named by tests or left out with a reason; and
scripts/check-ledger finds what is not, in a small ledger of its own."""
import pathlib
import shutil
import subprocess
import sys
import tempfile

from checks import expect, finish

root = pathlib.Path(sys.argv[1])
AREAS = "FF,VF,VS,HS,TE,DS,GS,SOL,CL,SF,WM,PS,DZ,CC,RT,PI,CS,RS,URB,SMP"
LEDGER = """id,area,rank,feature,facts,seed_ref,guide
AA-01,AA,core,named,,,
AA-02,AA,3d,left out,,,
AA-03,AA,timing,left out with it,,,
AA-04,AA,3d,open,,,
AA-05,AA,rare,open,,,
BB-01,BB,core,another area,,,
"""
PAGE = """## Rows without a unit test
| why | rows |
|---|---|
| AA-04 is not meant | AA-02 to AA-03 |

## Other rows
| rows | what |
|---|---|
| AA-04 | nor here |
"""


def check(scripts, *options):
    run = subprocess.run([sys.executable, str(scripts / "check-ledger"), "--sources", "--open", *options],
                         capture_output=True, text=True, check=False)
    return run.returncode, (run.stdout + run.stderr).splitlines()


status, lines = check(root / "scripts", "--area", AREAS)
expect(status == 0, "open rows: " + "; ".join(lines))

with tempfile.TemporaryDirectory() as name:
    tree = pathlib.Path(name)
    for folder in ("scripts", "docs/blocks", "tests"):
        (tree / folder).mkdir(parents=True)
    shutil.copy(root / "scripts/check-ledger", tree / "scripts")
    (tree / "docs/ledger.csv").write_text(LEDGER)
    (tree / "docs/blocks" / "aa.md").write_text(PAGE)
    (tree / "docs/deviations.md").write_text("## Not modelled\n| what | rows |\n|---|---|\n| all | BB-01 |\n")
    test = tree / "tests/aa_test.cpp"

    def with_rows(rows, *options):
        test.write_text(f'TEST(A, B) {{\n    GEN9_COVERS("{rows} "\n                "AA-01");\n}}\n')
        return check(tree / "scripts", *options)

    status, lines = with_rows("", "--area", "AA,BB")
    expect(status == 1 and len(lines) == 1 and "AA-04" in lines[0], f"one row is open: {lines}")
    expect(with_rows("AA-04") == (0, []), "none is open")
    expect(with_rows("", "--area", "BB") == (0, []), "of the area asked for none is open")
    status, lines = with_rows("AA-04 AA-03")
    expect(status == 1 and "leaves out AA-03" in "".join(lines), f"a row that a test covers is left out: {lines}")
    status, lines = with_rows("AA-04 AA-99")
    expect(status == 1 and "no such ledger row: AA-99" in "".join(lines), f"a test names no row: {lines}")
finish()
