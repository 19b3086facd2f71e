// SPDX-License-Identifier: Apache-2.0
// Random streams of the commands that work on registers, memory and batches, against their rules
// written down plainly: each command is made together with what it does.
#include <gtest/gtest.h>

#include <array>
#include <deque>
#include <functional>
#include <map>
#include <random>

#include "tests/support/sample.h"
#include "tests/unit/cs/stream.h"

namespace gen9::random_streams {
namespace {

using namespace test;

enum class Flow { Next, End, ToRing, Jump, Call };
constexpr unsigned kDwords = 64;          ///< of data, in each address space
constexpr std::uint32_t kOnPage = 0x400;  ///< the status pages' first byte that is free
constexpr std::uint32_t kResult = 0x2418, kResult1 = 0x241C, kResult2 = 0x23BC, kNopid = 0x2094;
constexpr std::uint32_t kOffset = 0x2158;

/// A batch in the PPGTT may write these (the tables of privilege.cpp), and not those.
constexpr std::uint32_t kUser[] = {0x2400,  0x2404,   0x2408,   0x240C, 0x2410, 0x2414,
                                   kResult, kResult1, kResult2, 0x5280, 0x5288, 0x7004};
constexpr std::uint32_t kKernel[] = {0x2054, 0x2058, 0x20A0, 0x2050, 0x9400};
constexpr bool is_masked(std::uint32_t offset) {
    return offset == 0x7004 || offset == 0x2050;
}

struct Plain {
    std::map<std::uint32_t, std::uint32_t> registers;
    std::array<std::array<std::uint32_t, kDwords>, 2> memory{};   ///< PPGTT, GGTT
    std::array<std::map<std::uint32_t, std::uint32_t>, 2> pages;  ///< own and global status page
    std::uint64_t a = 0, b = 0, accumulator = 0;                  ///< of the ALU
    bool zero = false, carry = false, skipping = false;
    std::uint64_t errors = 0;

    std::uint64_t read64(std::uint32_t offset) {
        return std::uint64_t{registers[offset + 4]} << 32 | registers[offset];
    }
    void write64(std::uint32_t offset, std::uint64_t value) {
        registers[offset] = low(value);
        registers[offset + 4] = high(value);
    }
    void write(std::uint32_t offset, std::uint32_t value, bool privileged, unsigned keeps = 0) {
        bool may = privileged || (offset >= 0x2600 && offset < 0x2680) || offset == kOffset;
        for (const std::uint32_t user : kUser)
            may = may || user == offset;
        if (!may) {
            ++errors;
            return;
        }
        std::uint32_t changes = 0;
        for (unsigned byte = 0; byte < 4; ++byte)
            if (!(keeps >> byte & 1)) changes |= 0xFFu << 8 * byte;
        if (is_masked(offset)) changes = value >> 16 & (changes >> 16) & changes & 0xFFFF;
        std::uint32_t& held = registers[offset];
        held = (held & ~changes) | (value & changes);
    }
    bool alu(std::uint32_t instruction) {
        const std::uint32_t opcode = instruction >> 20, first = instruction >> 10 & 0x3FF,
                            second = instruction & 0x3FF;
        const bool loads = opcode == 0x080 || opcode == 0x480 || opcode == 0x081 || opcode == 0x481;
        if (loads) {
            const bool of_register = opcode == 0x080 || opcode == 0x480;
            if ((first != 0x20 && first != 0x21) || (of_register && second > 15)) return false;
            std::uint64_t value = of_register ? read64(0x2600 + 8 * second) : 0;
            if (opcode >= 0x480) value = ~value;
            (first == 0x20 ? a : b) = value;
            return true;
        }
        if (opcode >= 0x100 && opcode <= 0x104) {
            const std::uint64_t results[] = {a + b, a - b, a & b, a | b, a ^ b};
            accumulator = results[opcode - 0x100];
            carry = opcode == 0x100 ? accumulator < a : opcode == 0x101 && a < b;
            zero = accumulator == 0;
            return true;
        }
        if (opcode == 0x180 || opcode == 0x580) {
            if (first > 15 || second < 0x31 || second > 0x33) return false;
            const std::uint64_t values[] = {accumulator, zero ? ~0ull : 0, carry ? ~0ull : 0};
            const std::uint64_t value = values[second - 0x31];
            write64(0x2600 + 8 * first, opcode == 0x580 ? ~value : value);
            return true;
        }
        return opcode == 0;
    }
};

struct Batch;
struct Command {
    Words words;
    std::function<Flow(Plain&)> effect;
    const Batch* to = nullptr;  ///< of a start
};
struct Batch {
    std::uint64_t address = 0;
    bool global = false;  ///< in the GGTT
    unsigned level = 0;
    std::vector<Command> commands;
};

struct Maker {
    std::mt19937 random;
    std::deque<Batch> batches;

    explicit Maker(unsigned seed) : random(seed) {}
    unsigned below(unsigned end) { return static_cast<unsigned>(random() % end); }
    bool chance() { return below(2) != 0; }
    std::uint32_t any() {
        // Small ones, so that values meet, and any.
        return chance() ? below(4) : static_cast<std::uint32_t>(random());
    }
    std::uint32_t readable() {
        switch (below(4)) {
            case 0:
                return kKernel[below(std::size(kKernel))];
            case 1:
                return kUser[below(std::size(kUser))];
            case 2:
                return kNopid;
            default:
                return 0x2600 + 4 * below(32);
        }
    }
    std::uint32_t writable() {
        return below(4) == 0   ? kKernel[below(std::size(kKernel))]
               : below(3) == 0 ? kUser[below(std::size(kUser))]
                               : 0x2600 + 4 * below(32);
    }
    /// Bits 63:48 of an address do not count.
    std::uint32_t upper() { return chance() ? 0 : static_cast<std::uint32_t>(random()) << 16; }

    void store(Batch& to) {
        const unsigned at = below(kDwords - 4), count = 1 + below(4);
        const bool global = chance(), qword = chance();
        std::vector<std::uint32_t> values;
        for (unsigned i = 0; i < count; ++i)
            values.push_back(any());
        Words words{0x10000000u | global << 22 | qword << 21 | (1 + count), low(kData + 4 * at),
                    upper()};
        append(words, values);
        const bool there = global && to.global;
        if (qword) values.resize(count / 2 * 2);
        to.commands.push_back({words, [=](Plain& p) {
                                   for (unsigned i = 0; i < values.size(); ++i)
                                       p.memory[there][at + i] = values[i];
                                   return Flow::Next;
                               }});
    }
    void store_index(Batch& to) {
        const std::uint32_t at = kOnPage + 4 * below((0x1000 - kOnPage) / 4);
        const unsigned count = 1 + below(3);
        const bool own = chance();
        Words words{0x10800000u | own << 21 | count, at};
        for (unsigned i = 0; i < count; ++i)
            words.push_back(any());
        to.commands.push_back({words, [=](Plain& p) {
                                   for (unsigned i = 0; i < std::min(count, 2u); ++i)
                                       if (at + 4 * i < 0x1000)
                                           p.pages[!own][at + 4 * i] = words[2 + i];
                                   return Flow::Next;
                               }});
    }
    void load_registers(Batch& to, bool scoped = false) {
        const unsigned pairs = 1 + below(3), keeps = chance() ? 0 : below(16);
        Words words{0x11000000u | keeps << 8 | (2 * pairs - 1)};
        for (unsigned i = 0; i < pairs; ++i)
            append(words, {writable(), any()});
        const bool privileged = to.global;
        to.commands.push_back({words, [=](Plain& p) {
                                   for (unsigned i = 0; i < pairs && !(scoped && p.skipping); ++i)
                                       p.write(words[1 + 2 * i], words[2 + 2 * i], privileged,
                                               keeps);
                                   return Flow::Next;
                               }});
    }
    void store_register(Batch& to) {
        const std::uint32_t offset = readable();
        const unsigned at = below(kDwords);
        const bool global = chance(), predicated = chance(), there = global && to.global;
        to.commands.push_back(
            {{0x12000002u | global << 22 | predicated << 21, offset, low(kData + 4 * at), upper()},
             [=](Plain& p) {
                 if (!predicated || (p.registers[kResult] & 1))
                     p.memory[there][at] = p.registers[offset];
                 return Flow::Next;
             }});
    }
    void load_register(Batch& to) {
        const std::uint32_t offset = writable();
        const unsigned at = below(kDwords);
        const bool global = chance(), privileged = to.global, there = global && privileged;
        to.commands.push_back(
            {{0x14800002u | global << 22, offset, low(kData + 4 * at), upper()}, [=](Plain& p) {
                 p.write(offset, p.memory[there][at], privileged);
                 return Flow::Next;
             }});
    }
    void move_register(Batch& to) {
        const std::uint32_t from = readable(), offset = writable();
        const bool privileged = to.global;
        to.commands.push_back({{0x15000001, from, offset}, [=](Plain& p) {
                                   p.write(offset, p.registers[from], privileged);
                                   return Flow::Next;
                               }});
    }
    void copy(Batch& to) {
        const unsigned from = below(kDwords), at = below(kDwords);
        const bool global_from = chance(), global_to = chance(), privileged = to.global;
        to.commands.push_back({{0x17000003u | global_from << 22 | global_to << 21,
                                low(kData + 4 * at), upper(), low(kData + 4 * from), upper()},
                               [=](Plain& p) {
                                   p.memory[global_to && privileged][at] =
                                       p.memory[global_from && privileged][from];
                                   return Flow::Next;
                               }});
    }
    void math(Batch& to) {
        constexpr std::uint32_t kOpcodes[] = {0x000, 0x080, 0x480, 0x081, 0x481, 0x100, 0x101,
                                              0x102, 0x103, 0x104, 0x180, 0x580, 0x180, 0x105};
        constexpr std::uint32_t kOther[] = {0x10, 0x1F, 0x20, 0x21, 0x30, 0x31, 0x32, 0x33, 0x34};
        Words words{0};
        for (unsigned n = 4 + below(12); n != 0; --n) {
            const std::uint32_t opcode = kOpcodes[below(std::size(kOpcodes))];
            std::uint32_t first = opcode & 0x100 ? below(16) : 0x20 + below(2), second = below(16);
            if ((opcode & 0x180) == 0x180) second = 0x31 + below(3);
            if (below(10) == 0) first = kOther[below(std::size(kOther))];
            if (below(10) == 0) second = kOther[below(std::size(kOther))];
            words.push_back(opcode << 20 | first << 10 | second);
        }
        words[0] = 0x0D000000u | static_cast<std::uint32_t>(words.size() - 2);
        to.commands.push_back({words, [=](Plain& p) {
                                   for (std::size_t i = 1; i < words.size(); ++i)
                                       p.errors += !p.alu(words[i]);
                                   return Flow::Next;
                               }});
    }
    void predicate(Batch& to) {
        const unsigned compare = below(4), combine = below(4), load = below(4);
        to.commands.push_back(
            {{0x06000000u | load << 6 | combine << 3 | compare}, [=](Plain& p) {
                 const std::uint64_t zero = p.read64(0x2400), one = p.read64(0x2408);
                 const bool compared[] = {true, false, zero == one, zero - one == p.read64(0x2410)};
                 const bool before = p.registers[kResult] & 1, is = compared[compare];
                 const bool combined[] = {is, before && is, before || is, before != is};
                 if (load == 1) ++p.errors;
                 if (load == 0) p.registers[kResult] = before;
                 if (load >= 2) p.registers[kResult] = combined[combine] != (load == 3);
                 return Flow::Next;
             }});
    }
    void scope(Batch& to) {
        const unsigned mode = below(16);
        to.commands.push_back({{0x00800000u | mode}, [=](Plain& p) {
                                   const bool one = p.registers[kResult] & 1,
                                              two = p.registers[kResult2] & 1;
                                   p.skipping = (mode == 1 && !two) || (mode == 2 && two) ||
                                                (mode == 3 && !one) || (mode == 4 && one) ||
                                                mode == 6 || mode == 7 || mode == 15;
                                   p.errors += mode >= 8 && mode <= 14;
                                   return Flow::Next;
                               }});
        for (unsigned n = below(3); n != 0; --n)
            load_registers(to, true);
        if (below(3) == 0) noop(to, true);
        if (below(4) == 0) {
            // It may not stand there, and is executed.
            store(to);
            to.commands.back().effect = [effect = to.commands.back().effect](Plain& p) {
                p.errors += p.skipping;
                return effect(p);
            };
        }
        to.commands.push_back({{0x00800000u}, [](Plain& p) {
                                   p.skipping = false;
                                   return Flow::Next;
                               }});
    }
    void noop(Batch& to, bool scoped = false) {
        const std::uint32_t id = static_cast<std::uint32_t>(random()) & 0x3FFFFF;
        const bool writes = chance();
        to.commands.push_back({{std::uint32_t{writes} << 22 | id}, [=](Plain& p) {
                                   if (writes && !(scoped && p.skipping)) p.registers[kNopid] = id;
                                   return Flow::Next;
                               }});
    }
    /// A wait that is over at once: a value is stored before it.
    void semaphore(Batch& to) {
        const unsigned at = below(kDwords), compare = below(8);
        const bool global = chance(), there = global && to.global;
        const std::uint32_t value = 1 + below(1000);
        const std::uint32_t less = value - 1, more = value + 1;
        const std::uint32_t passing[] = {
            less,  chance() ? less : value, more,  chance() ? more : value,
            value, chance() ? less : more,  any(), any()};
        to.commands.push_back(
            {{0x10000002u | global << 22, low(kData + 4 * at), 0, value}, [=](Plain& p) {
                 p.memory[there][at] = value;
                 return Flow::Next;
             }});
        to.commands.push_back({{0x0E008002u | global << 22 | compare << 12, passing[compare],
                                low(kData + 4 * at), upper()},
                               [=](Plain& p) {
                                   p.errors += compare > 5;
                                   return Flow::Next;
                               }});
    }
    void flush(Batch& to) {
        const unsigned operation = below(3), at = 2 * below(kDwords / 2);
        const bool indexed = below(3) == 0, global = chance(), long_one = chance();
        const std::uint32_t on_page = kOnPage + 8 * below((0x1000 - kOnPage) / 8);
        Words words{0x13000000u | operation << 14 | indexed << 21 | (2u + long_one),
                    (indexed ? on_page : low(kData + 4 * at)) | global << 2, indexed ? 0 : upper(),
                    any()};
        if (long_one) words.push_back(any());
        const bool there = global && to.global;
        // A short command that is indexed has an upper half of zero.
        to.commands.push_back({words, [=](Plain& p) {
                                   p.errors += operation == 2;
                                   if (operation != 1) return Flow::Next;
                                   const std::uint32_t upper_half = long_one ? words[4] : 0;
                                   if (indexed) {
                                       p.pages[global][on_page] = words[3];
                                       p.pages[global][on_page + 4] = upper_half;
                                       return Flow::Next;
                                   }
                                   p.memory[there][at] = words[3];
                                   if (long_one) p.memory[there][at + 1] = upper_half;
                                   return Flow::Next;
                               }});
    }
    void pipe_control(Batch& to) {
        const unsigned at = 2 * below(kDwords / 2);
        const bool global = chance(), indexed = below(3) == 0, privileged = to.global;
        const std::uint32_t on_page = kOnPage + 8 * below((0x1000 - kOnPage) / 8);
        const std::uint32_t first = any(), second = any();
        if (below(3) == 0) {
            const std::uint32_t offset = writable();
            to.commands.push_back(
                {{0x7A000004, 0x00900000, offset, 0, first, second}, [=](Plain& p) {
                     p.write(offset, first, privileged);
                     return Flow::Next;
                 }});
            return;
        }
        to.commands.push_back(
            {{0x7A000004, 0x00104000u | global << 24 | indexed << 21,
              indexed ? on_page : low(kData + 4 * at), indexed ? 0 : upper(), first, second},
             [=](Plain& p) {
                 if (indexed) {
                     p.pages[global][on_page] = first;
                     p.pages[global][on_page + 4] = second;
                 } else {
                     p.memory[global && privileged][at] = first;
                     p.memory[global && privileged][at + 1] = second;
                 }
                 return Flow::Next;
             }});
    }
    void conditional_end(Batch& to) {
        const unsigned at = 2 * below(kDwords / 2);
        const bool global = chance(), compares = chance(), masked = chance(),
                   there = global && to.global;
        const std::uint32_t limit = any();
        to.commands.push_back({{0x1B000002u | global << 22 | compares << 21 | masked << 19, limit,
                                low(kData + 4 * at), upper()},
                               [=](Plain& p) {
                                   const std::uint32_t value =
                                       masked ? p.memory[there][at] & p.memory[there][at + 1]
                                              : p.memory[there][at];
                                   return compares && value <= limit ? Flow::ToRing : Flow::Next;
                               }});
    }
    void start(Batch& to, bool calls) {
        const bool in_ppgtt = chance(), predicated = chance(), adds = chance();
        // A batch of the PPGTT has none in the GGTT.
        const Batch& batch =
            make(to.level + (to.level == 0 || calls ? 1 : 0), !in_ppgtt && to.global);
        std::uint64_t address = batch.address;
        if (adds) {
            const std::uint32_t offset = static_cast<std::uint32_t>(random()) % 0x1000;
            address -= offset & ~3u;
            to.commands.push_back({{0x11000001, kOffset, offset}, [=](Plain& p) {
                                       p.registers[kOffset] = offset;
                                       return Flow::Next;
                                   }});
        }
        to.commands.push_back({{0x18800001u | in_ppgtt << 8 | predicated << 15 | adds << 16 |
                                    std::uint32_t{calls && to.level != 0} << 22,
                                low(address), high(address)},
                               [=](Plain& p) {
                                   if (predicated && !(p.registers[kResult1] & 1))
                                       return Flow::Next;
                                   return calls || to.level == 0 ? Flow::Call : Flow::Jump;
                               },
                               &batch});
    }
    void add(Batch& to) {
        using Make = void (Maker::*)(Batch&);
        constexpr Make kMakes[] = {
            &Maker::store,         &Maker::store_index,   &Maker::store_register,
            &Maker::load_register, &Maker::move_register, &Maker::copy,
            &Maker::math,          &Maker::predicate,     &Maker::scope,
            &Maker::semaphore,     &Maker::flush,         &Maker::pipe_control};
        const unsigned kind = below(std::size(kMakes) + 4);
        if (kind < std::size(kMakes)) return (this->*kMakes[kind])(to);
        if (kind == std::size(kMakes) && to.level != 0) return conditional_end(to);
        if (kind == std::size(kMakes) + 1) return noop(to);
        if (kind == std::size(kMakes) + 2 && to.level < 2 && batches.size() < 20)
            return start(to, true);
        load_registers(to);
    }
    /// The ring is of level 0.
    const Batch& make(unsigned level, bool global) {
        Batch& batch = batches.emplace_back();
        batch.address = level == 0 ? kRing : kBatch + 0x1000 * batches.size();
        batch.global = global;
        batch.level = level;
        for (unsigned n = level == 0 ? 25 : 3 + below(15); n != 0; --n)
            add(batch);
        if (level == 0) return batch;
        if (below(3) == 0 && batches.size() < 20) start(batch, false);
        batch.commands.push_back({kEnd, [](Plain&) { return Flow::End; }});
        return batch;
    }
};

/// What follows a batch: what called it, or the ring.
Flow execute(const Batch& batch, Plain& plain) {
    for (const Command& command : batch.commands) {
        Flow flow = command.effect(plain);
        if (flow == Flow::Jump) return execute(*command.to, plain);
        if (flow == Flow::Call) flow = execute(*command.to, plain);
        if (flow == Flow::ToRing && batch.level != 0) return flow;
        if (flow == Flow::End && command.to == nullptr) return flow;
    }
    return Flow::End;
}

Words words_of(const Batch& batch) {
    Words words;
    for (const Command& command : batch.commands)
        append(words, command.words);
    return words;
}

TEST(RandomStreams, DoWhatTheirCommandsSay) {
    for (unsigned round = 0; round < gen9::test::rounds(300); ++round) {
        Maker maker(round);
        const Batch& ring = maker.make(0, true);
        Engine engine;
        Plain plain;
        for (const bool global : {false, true})
            for (unsigned i = 0; i < kDwords; ++i) {
                plain.memory[global][i] = maker.any();
                (global ? engine.ggtt : engine.ppgtt)
                    .put<std::uint32_t>(kData + 4 * i, plain.memory[global][i]);
            }
        for (const Batch& batch : maker.batches)
            (batch.global ? engine.ggtt : engine.ppgtt).put(batch.address, words_of(batch));
        for (const std::uint32_t page : {kContext, kStatusPage})
            for (std::uint32_t at = kOnPage; at < 0x1000; at += 4)
                plain.pages[page == kStatusPage][at] = engine.ggtt.get<std::uint32_t>(page + at);
        for (const std::uint32_t offset : kKernel)
            plain.registers[offset] = engine.core.read_register(offset);
        engine.run_ring(words_of(ring));
        execute(ring, plain);
        ASSERT_TRUE(engine.core.idle()) << round << ": " << engine.core.describe();
        for (unsigned n = 0; n < 32; ++n)
            ASSERT_EQ(engine.core.read_register(0x2600 + 4 * n), plain.registers[0x2600 + 4 * n])
                << "GPR " << n << " of round " << round;
        for (const std::uint32_t offset : kUser)
            ASSERT_EQ(engine.core.read_register(offset), plain.registers[offset])
                << std::hex << offset << " of round " << std::dec << round;
        for (const std::uint32_t offset : kKernel)
            ASSERT_EQ(engine.core.read_register(offset), plain.registers[offset])
                << std::hex << offset << " of round " << std::dec << round;
        ASSERT_EQ(engine.core.read_register(kNopid), plain.registers[kNopid]) << round;
        for (const bool global : {false, true})
            for (unsigned i = 0; i < kDwords; ++i)
                ASSERT_EQ((global ? engine.ggtt : engine.ppgtt).get<std::uint32_t>(kData + 4 * i),
                          plain.memory[global][i])
                    << i << (global ? " in the GGTT" : "") << " of round " << round;
        for (const std::uint32_t page : {kContext, kStatusPage})
            for (std::uint32_t at = kOnPage; at < 0x1000; at += 4)
                ASSERT_EQ(engine.ggtt.get<std::uint32_t>(page + at),
                          plain.pages[page == kStatusPage][at])
                    << std::hex << page + at << " of round " << std::dec << round;
        ASSERT_EQ(engine.environment.reporter.guest_errors(), plain.errors) << round;
    }
}

}  // namespace
}  // namespace gen9::random_streams
