# SPDX-License-Identifier: Apache-2.0
"""Writes a source that holds the forms of many mutants at once; which of them runs is chosen when the program starts."""

# What a source with mutants includes.
HEADER = """#pragma once
#ifdef __cplusplus
#include <cstdlib>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>
namespace mutation {
struct Choice {
    int active = 0;
    char* reached = nullptr;  // a byte for each mutant, in a file
    Choice() {
        if (const char* text = std::getenv("MUTANT")) active = std::atoi(text);
        const char* file = std::getenv("MUTANTS_REACHED");
        if (!file) return;
        const int descriptor = ::open(file, O_RDWR);
        const long size = ::lseek(descriptor, 0, SEEK_END);
        void* bytes = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
        if (bytes != MAP_FAILED) reached = static_cast<char*>(bytes);
        ::close(descriptor);
    }
};
inline Choice choice;
inline bool mutant(int id) {
    if (choice.reached) choice.reached[id] = 1;
    return id == choice.active;
}
/// Where the compiler computes the value, no mutant.
constexpr bool soft(int id) {
    return !__builtin_is_constant_evaluated() && mutant(id);
}
}  // namespace mutation
#endif
"""


class Writer:
    """The text of one source with all mutants of its sites, and which lines of it belong to which mutant."""

    def __init__(self, source, mutants, header):
        self.source, self.out, self.line, self.lines = source, [], 1, {}
        if any(m.site for m in mutants):
            self.put(f'#include "{header}"\n')
        sites = list(dict.fromkeys(m.site for m in mutants if m.site))
        self.chosen = set(mutants)
        self.sites = sorted(sites, key=lambda s: (s.start, -s.end))
        self.copy(0, len(source), self.sites)

    @property
    def text(self):
        return "".join(self.out)

    def put(self, text):
        self.out.append(text)
        self.line += text.count("\n")

    def copy(self, start, end, sites):
        while sites:
            site = sites[0]
            inner = [s for s in sites[1:] if s.end <= site.end]
            self.put(self.source[start:site.start])
            self.alternatives(site, inner)
            start = site.end
            sites = sites[1 + len(inner):]
        self.put(self.source[start:end])

    def alternatives(self, site, inner):
        statement, choice = site.form == "statement", "soft" if site.soft else "mutant"
        self.put("{" if statement else "(")
        for mutant in site.mutants:
            if mutant not in self.chosen:
                continue
            self.put(f"if (::mutation::{choice}({mutant.id})) {{\n" if statement else
                     f"::mutation::{choice}({mutant.id}) ? {'bool' if site.form == 'condition' else ''}(\n")
            first = self.line
            self.put(self.source[site.start:mutant.start] + mutant.text + self.source[mutant.end:site.end])
            for line in range(first, self.line + 1):
                self.lines[line] = mutant
            self.put("\n} else " if statement else "\n) : ")
        self.put("{\n" if statement else "bool(\n" if site.form == "condition" else "(\n")
        self.copy(site.start, site.end, inner)
        self.put("\n}}" if statement else "\n))")
