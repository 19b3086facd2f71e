# SPDX-License-Identifier: Apache-2.0
"""request_table.py SOURCE: the table of requests in docs/blocks/host-drm.md names every ioctl that the preloaded library
tells from others, and no other."""
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from checks import expect, finish  # noqa: E402

source = pathlib.Path(sys.argv[1])
library = source / "platform" / "host" / "drm" / "library"
code = "\n".join(file.read_text() for file in sorted(library.rglob("*.cpp")))
# Labels of the switches over request numbers. Values inside a request (parameters, capabilities, topics) have other prefixes.
labels = re.findall(r"case\s+(?:_IOC_NR|number_of)?\(?(?:DRM_IOCTL_|DRM_I915_)?((?<=_)\w+|SYNC_IOC_\w+)\)?:", code)
answered = {label for label in labels if not label.startswith(("QUERY_", "PERF_PROP_"))}
expect(len(answered) > 50, f"only {len(answered)} requests found in {library}")

page = (source / "docs" / "blocks" / "host-drm.md").read_text()
rows = re.search(r"## Requests\n\n\| request \|.*\n\|[-|]+\n((?:\|.*\n)+)", page)
named = [name for row in rows[1].splitlines() for name in row.split("|")[1].strip().split(", ")] if rows else []
expect(len(named) == len(set(named)), f"named twice: {sorted(n for n in set(named) if named.count(n) > 1)}")
# A range of numbers, and all that is left.
named = set(named)
for whole in ("MODE_*", "others"):
    expect(whole in named, f"no row for {whole}")
    named.discard(whole)
expect(answered <= named, f"answered, and not in the table: {sorted(answered - named)}")
expect(named <= answered, f"in the table, and not answered: {sorted(named - answered)}")
finish()
