# SPDX-License-Identifier: Apache-2.0
"""finds_moves.py VALIDATE...: a row whose figure is not the table's fails, and so do an unknown row and one without figures."""
import pathlib
import re
import subprocess
import sys
import tempfile

TABLE = pathlib.Path(__file__).parent / "rows.toml"
ROW = "W-27"
failures = 0


def expect(condition, text, done):
    global failures
    if not condition:
        failures += 1
        print(f"FAILED: {text}\n{done.stdout}{done.stderr}")


def validate(factor, *options):
    """--check of one row, its figures in the table multiplied by a factor."""
    text = TABLE.read_text()
    start = text.index(f'id = "{ROW}"')
    line = re.compile(r"^now = \[([^],]*)", re.M).search(text, start)
    with tempfile.TemporaryDirectory() as folder:
        table = pathlib.Path(folder) / "rows.toml"
        table.write_text(f"{text[:line.start()]}now = [{float(line[1]) * factor}{text[line.end():]}")
        return subprocess.run([*sys.argv[1:], "--table", str(table), "--check", *options], capture_output=True, text=True)


for factor, moved in ((1.0, False), (1.015, False), (0.975, True), (1.025, True)):
    done = validate(factor, "--only", ROW)
    expect((f"{ROW}, size 1" in done.stdout) == moved, f"figures times {factor}", done)
    # A table that the page does not show fails as well, so only the unchanged one passes.
    expect(done.returncode == (factor != 1.0), f"status {done.returncode} with figures times {factor}", done)
done = validate(1.0, "--only", "W-0")
expect(done.returncode == 2 and "W-0" in done.stderr, "unknown row", done)
with tempfile.TemporaryDirectory() as folder:
    table = pathlib.Path(folder) / "rows.toml"
    text = TABLE.read_text()
    start = text.index("now = ", text.index(f'id = "{ROW}"'))
    table.write_text(text[:start] + text[text.index("\n", start):])
    done = subprocess.run([*sys.argv[1:], "--table", str(table), "--shown"], capture_output=True, text=True)
    expect(done.returncode == 1 and f"row {ROW} has no figures" in done.stderr, "row without figures", done)
print("failed" if failures else "passed")
sys.exit(1 if failures else 0)
