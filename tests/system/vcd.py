# SPDX-License-Identifier: Apache-2.0
"""A small reader of VCD files, written from IEEE 1364 and not from the program that wrote them."""


class Vcd:
    """Variables by full name; `changes[name]` is a list of (time, value), numbers as int, words as str, unknown as None."""

    def __init__(self, path):
        self.changes, self.kinds, self.end = {}, {}, 0
        by_code, scopes = {}, []
        with open(path) as file:
            lines = iter(file)
            words = []
            for line in lines:
                words += line.split()
                if not words or words[-1] != "$end":
                    continue
                if words[0] == "$scope":
                    scopes.append(words[2])
                elif words[0] == "$upscope":
                    scopes.pop()
                elif words[0] == "$var":
                    name = ".".join([*scopes, words[4]])
                    self.kinds[name] = (words[1], int(words[2]))
                    by_code.setdefault(words[3], []).append(self.changes.setdefault(name, []))
                elif words[0] == "$timescale":
                    assert "".join(words[1:-1]) == "1ps", words
                elif words[0] == "$enddefinitions":
                    break
                words = []
            assert not scopes, "scopes are not closed"
            time = 0
            for line in lines:
                first = line[0]
                if first == "#":
                    later = int(line[1:])
                    assert later >= time, f"time goes back to {later}"
                    time = later
                elif first in "01x":
                    for changes in by_code[line[1:].strip()]:
                        changes.append((time, None if first == "x" else int(first)))
                elif first in "bs":
                    value, code = line[1:].split()
                    value = value if first == "s" else int(value, 2) if "x" not in value else None
                    for changes in by_code[code]:
                        changes.append((time, None if value == "x" else value))
                else:
                    assert first == "$", line
            self.end = time

    def spans(self, name):
        """(begin, end, value) of each value."""
        changes = self.changes[name]
        for (begin, value), (end, _) in zip(changes, [*changes[1:], (self.end, None)]):
            if end > begin:
                yield begin, end, value

    def time_at(self, name, value):
        """How long the variable had the value."""
        return sum(end - begin for begin, end, seen in self.spans(name) if seen == value)

    def value(self, name, time):
        """The value at a time."""
        found = None
        for begin, value in self.changes[name]:
            if begin > time:
                break
            found = value
        return found
