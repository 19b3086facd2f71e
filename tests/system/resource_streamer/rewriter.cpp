// SPDX-License-Identifier: Apache-2.0
#include "tests/system/resource_streamer/rewriter.h"

#include <fstream>
#include <random>
#include <sstream>
#include <stdexcept>

#include "packets/commands.h"
#include "tests/unit/rs/commands.h"

namespace gen9::test {

Draw Draw::load(const std::string& path) {
    std::ifstream file(path);
    if (!file) throw std::runtime_error("no file " + path);
    Draw draw;
    std::string line, word;
    std::getline(file, line);
    std::istringstream(line) >> word >> std::hex >> draw.batch >> std::dec >> draw.batch_bytes;
    while (std::getline(file, line)) {
        std::istringstream text(line);
        std::getline(text, word, ':');
        std::vector<std::uint32_t>& words = draw.lines[std::stoull(word, nullptr, 16)];
        while (text >> word)
            words.push_back(static_cast<std::uint32_t>(std::stoul(word, nullptr, 16)));
    }
    return draw;
}

std::uint32_t Draw::dword(std::uint64_t address) const {
    const auto found = lines.find(address & ~63ull);
    return found == lines.end() ? 0 : found->second.at((address & 63) / 4);
}

namespace {

constexpr std::uint64_t kAddress = 0xFFFF'FFFF'FFFF;

/// The stage of a command of group 78h by its sub-opcode, in the order of edits and gathers.
int stage_of(std::uint32_t sub_opcode, std::uint32_t first,
             const std::array<std::uint32_t, 5>& stages) {
    return sub_opcode >= first && sub_opcode < first + 5
               ? static_cast<int>(stages[sub_opcode - first])
               : -1;
}

struct Rewriter {
    const Draw& draw;
    std::mt19937 random;
    Rewritten out;
    std::uint64_t surface_base = 0;
    std::map<std::uint64_t, std::uint32_t> heap;  ///< surface state -> its place in 64 bytes
    std::uint32_t heap_used = 1, table_at = 0, gather_at = 0, marks = 0;

    void emit(const Words& words) { append(out.batch, words); }
    std::uint64_t mark() {
        const std::uint64_t at = Rewritten::kMarks + 4ull * marks++;
        emit({0x10000002, low(at), high(at), marks});
        return at;
    }
    /// Puts a state into the heap.
    std::uint32_t place(const Words& state) {
        out.memory[Rewritten::kHeap + 64ull * heap_used] = state;
        return heap_used++;
    }
    std::uint32_t move(std::uint64_t address) {
        const auto [entry, is_new] = heap.try_emplace(address, 0);
        if (is_new) {
            Words state;
            for (unsigned i = 0; i < 16; ++i)
                state.push_back(draw.dword(address + 4 * i));
            entry->second = place(state);
        }
        return entry->second;
    }

    // The driver gives no table's length: it ends with its first empty entry, or where the next
    // table of 32 bytes begins.
    void table(std::uint32_t stage, std::uint32_t pointer) {
        const std::uint64_t at = surface_base + (pointer & 0xFFE0);
        ExpectedTable expected{Rewritten::kTables + table_at, {}, 0};
        Words entries;
        for (std::uint32_t i = 0; i < 8; ++i) {
            const std::uint32_t entry = draw.dword(at + 4 * i) & ~63u;
            if (entry == 0) break;
            const std::uint64_t state = (surface_base + entry) & kAddress;
            expected.states.push_back(state);
            entries.push_back(i << 16 | move(state));
        }
        emit(edit(stage, entries, 0xFFFF));
        emit(pointers(stage, table_at));
        expected.mark = mark();
        out.tables.push_back(expected);
        table_at += 64;
    }

    void constants(std::uint32_t stage, const Words& command) {
        constexpr std::uint32_t kBlock = 15;
        ExpectedConstants expected{Rewritten::kGathers + gather_at, {}, 0};
        Words entries, elements;
        std::uint32_t valid = 0;
        for (std::uint32_t n = 0; n < 4; ++n) {
            const std::uint32_t rows = command[1 + n / 2] >> 16 * (n % 2) & 0xFFFF;
            if (rows == 0) continue;
            const std::uint64_t source =
                (std::uint64_t{command[4 + 2 * n]} << 32 | (command[3 + 2 * n] & ~31u)) & kAddress;
            entries.push_back((16 * kBlock + n) << 16 |
                              place(buffer_surface(source, 2 * rows, 16)));
            valid |= 1u << n;
            for (std::uint32_t i = 0; i < 8 * rows; ++i)
                expected.values.push_back(draw.dword(source + 4 * i));
            for (std::uint32_t i = 0; i < 2 * rows; ++i) {
                // The 16 bytes at once, or their parts one after the other.
                const std::uint32_t cut = random() % 4;
                const std::uint32_t head = (1u << cut) - 1;
                if (head != 0) elements.push_back(element(n, head, i));
                elements.push_back(element(n, 0xF & ~head, i));
            }
        }
        emit(edit(stage, entries));
        emit(gather(stage, valid, gather_at, elements, kBlock << 12));
        expected.mark = mark();
        out.constants.push_back(expected);
        gather_at += static_cast<std::uint32_t>(4 * expected.values.size() + 63) / 64 * 64;
    }

    void command(Words words) {
        const std::uint32_t opcode = words[0] >> 16, sub_opcode = opcode & 0xFF;
        if (opcode == 0x6101) {
            if (words[4] & 1)
                surface_base = (std::uint64_t{words[5]} << 32 | (words[4] & ~0xFFFu)) & kAddress;
            words[4] &= ~1u;  // the base stays that of the heap (RS-34)
            return emit(words);
        }
        if (opcode >> 8 != 0x78) return emit(words);
        const int pointer = stage_of(sub_opcode, 0x26, {kVs, kHs, kDs, kGs, kPs});
        if (pointer >= 0) return table(static_cast<std::uint32_t>(pointer), words[1]);
        const bool pushes = words.size() == 11 && (words[1] | words[2]) != 0;
        int stage = stage_of(sub_opcode, 0x15, {kVs, kGs, kPs, 9, kHs});
        if (sub_opcode == 0x1A) stage = kDs;
        if (stage >= 0 && stage < 5 && pushes)
            return constants(static_cast<std::uint32_t>(stage), words);
        emit(words);
    }

    void run() {
        emit({0x69040300});
        emit(surface_base_command());
        emit(table_pool(Rewritten::kTables, Rewritten::kPoolPages));
        emit(gather_pool(Rewritten::kGathers, Rewritten::kPoolPages));
        for (std::uint64_t at = draw.batch; at < draw.batch + draw.batch_bytes;) {
            const packets::CommandRow* row = packets::find_command(draw.dword(at));
            if (row == nullptr) throw std::runtime_error("no command in the captured batch");
            Words words;
            for (std::uint32_t i = 0; i < row->dwords(draw.dword(at)); ++i)
                words.push_back(draw.dword(at + 4ull * i));
            at += 4 * words.size();
            command(words);
        }
    }
    static Words surface_base_command() { return test::surface_base(Rewritten::kHeap); }
};

}  // namespace

Rewritten rewrite(const Draw& draw, unsigned seed) {
    Rewriter rewriter{draw, std::mt19937(seed), {}, 0, {}};
    rewriter.run();
    return rewriter.out;
}

}  // namespace gen9::test
