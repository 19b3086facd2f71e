# SPDX-License-Identifier: Apache-2.0
"""added_parts.py SOURCES: the table of docs/extending.md, which says what files the addition of a part touches, holds for parts
that the machine has: what names them outside their own folders is what the table says. A register or a command that is a row
and nothing else is one that no other source names."""
import pathlib
import re
import sys

from checks import expect, finish

root = pathlib.Path(sys.argv[1])
sources = {str(path.relative_to(root)): path.read_text() for part in ("models", "platform") for path in sorted((root / part).rglob("*"))
           if path.suffix in (".h", ".cpp") or path.name == "CMakeLists.txt"}
words = {}
for source, text in sources.items():
    for word in set(re.findall(r"\w+", text)):
        words.setdefault(word, set()).add(source)


def table():
    """Files of each row, by what it adds. A row with 'besides' has those of the row above it too."""
    rows, before = {}, set()
    for line in (root / "docs/extending.md").read_text().splitlines():
        row = re.fullmatch(r"\| (.+) \| (\d+) \| (.+) \|", line)
        if not row:
            continue
        files = set(re.findall(r"`([^`]+)`", row[3])) | (before if row[3].startswith("besides") else set())
        expect(int(row[2]) == len(files), f"'{row[1]}': {row[2]} files, and {len(files)} are named")
        rows[row[1]] = before = files
    return rows


def block_in(folder, block, member):
    """Files outside its folder in which the machine knows a block: its list, its headers, its interface, its member."""
    lists = {"models/CMakeLists.txt"} if re.search(rf"\b{folder}\b", sources["models/CMakeLists.txt"]) else set()
    headers = rf'#include "{folder}/(module|interface)\.h"'
    # Who uses the machine's member (gpu->media) is no part of the machine.
    known = rf"{headers}|\b{block}\b|(?<!>)\b{member}->"
    return lists | {name for name, text in sources.items() if not name.startswith(f"models/{folder}/")
                    and re.search(known if name.startswith("platform/") else headers, text)}


rows = table()
by_name = {"platform/blocks.h", "platform/machine/block_models.cpp"}
function = rows["a message function of a subslice"]
chosen = rows["the same as a block whose model is chosen by name"]
client = rows["a client of the thread dispatcher"]

found = block_in("interpolator", "InterpolatorBlock", "interpolator")
expect(found == chosen, f"the pixel interpolator is known to {sorted(found)}, the table says {sorted(chosen)}")
expect(chosen - function == by_name | {"platform/machine/subslice.h"}, f"a model chosen by name adds {sorted(chosen - function)}")
found = block_in("media", "MediaBlock", "media")
expect(found == client | by_name, f"the media front end is known to {sorted(found)}, the table says {sorted(client | by_name)}")

registers = re.findall(r'^    \{"(\w+)", 0x[0-9A-F]+, ', sources["models/cs/registers/registers.cpp"], re.M)
alone = [name for name in registers if words[name] == rows["a register of the command streamer"]]
expect(len(alone) >= 20, f"{len(alone)} of {len(registers)} plain registers are rows and nothing else")
commands = re.findall(r'^    \{"(3DSTATE_\w+)", \w+, (0x[0-9A-F]+), .*Command::Other, .*\bin\(', sources["models/packets/commands.cpp"], re.M)
alone = [name for name, header in commands if words[name] | words[header] == rows["a 3D state command"]]
expect(len(alone) >= 5, f"{len(alone)} of {len(commands)} state commands are rows and nothing else")
finish()
