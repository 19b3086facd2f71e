// SPDX-License-Identifier: Apache-2.0
#include "urb/core.h"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "interconnect/payload/lane_access.h"
#include "tests/support/covers.h"
#include "tests/unit/urb/messages.h"

namespace gen9::urb::test {
namespace {

constexpr std::uint32_t kOld = 0xCCCCCCCC;

/// A URB of 1 MB and whoever does what plans say.
struct Machine {
    std::vector<std::uint8_t> urb = std::vector<std::uint8_t>(1 << 20, 0xEE);
    Settings settings;
    Plan plan;

    std::uint32_t at(std::uint32_t address) const {
        return load<std::uint32_t>(urb.data() + address);
    }
    void put(std::uint32_t address, std::uint32_t value) { store(urb.data() + address, value); }
    Message run(Message m) {
        for (Grf& grf : m.response)
            std::memset(grf.bytes, 0xCC, kGrfBytes);
        make_plan(m, settings, plan);
        for (const LineGroup& group : plan.groups) {
            std::uint8_t* const line = &urb[group.line];
            std::uint8_t data[kLineBytes];
            if (plan.kind == Plan::Kind::Write) {
                gather(group, m, data);
                for (unsigned i = 0; i < kLineBytes; ++i)
                    if (group.bytes >> i & 1) line[i] = data[i];
            } else if (plan.kind == Plan::Kind::Read) {
                scatter(group, line, m);
            } else {
                LaneAccess lanes;
                lanes.kind = LaneAccess::Kind::Atomic;
                lanes.op = plan.op;
                lanes.count = 1;
                lanes.offset[0] = group.elements[0].address - group.line;
                lanes.source0[0] = plan.operand;
                perform_lanes(lanes, {line, kLineBytes}, 0);
                answer_atomic(lanes.result[0], m);
            }
        }
        return m;
    }
    std::string problem(const Message& m) {
        make_plan(m, settings, plan);
        return plan.problem;
    }
};

std::uint32_t response(const Message& m, unsigned reg, unsigned dword) {
    const unsigned enabled = m.response_enable[reg] >> 4 * dword & 0xF;
    EXPECT_TRUE(enabled == 0 || enabled == 0xF);
    return enabled ? load<std::uint32_t>(m.response[reg].bytes + 4 * dword) : kOld;
}

TEST(Urb, HandleCountsLinesAndOffsetsCountTheUnitOfTheMessage) {
    GEN9_COVERS("URB-01 URB-06 URB-11 URB-12 URB-18 URB-30 FF-48");
    Machine m;
    m.run(make(kWriteHWord, 0, 3, {header(5), counting(100)}));
    EXPECT_EQ(m.at(5 * 64 + 3 * 32), 100u);
    m.run(make(kWriteOWord, 0, 3, {header(6), counting(200)}));
    EXPECT_EQ(m.at(6 * 64 + 3 * 16), 200u);
    m.run(make(kWriteSimd8, 0, 3, {row({7}), counting(300)}, 0, 1));
    EXPECT_EQ(m.at(7 * 64 + 3 * 16), 300u);
    m.put(8 * 64 + 3 * 4, 41);
    m.run(make(kInc, 0, 3, {row({8})}, 1));
    EXPECT_EQ(m.at(8 * 64 + 3 * 4), 42u);
    // 14 bits of handle; 16 in atomics.
    m.run(make(kWriteHWord, 0, 0, {header(0xFFFFC000 + 9), counting(400)}));
    EXPECT_EQ(m.at(9 * 64), 400u);
    make_plan(make(kInc, 0, 0, {row({0xABCD8001})}, 1), m.settings, m.plan);
    EXPECT_EQ(m.plan.groups.at(0).line, 0x8001u * 64);
}

TEST(Urb, HWordPhasesFillConsecutiveRows) {
    GEN9_COVERS("URB-23 URB-25");
    Machine m;
    m.run(make(kWriteHWord, 0, 1, {header(2), counting(0), counting(8), counting(16)}));
    for (unsigned i = 0; i < 24; ++i)
        EXPECT_EQ(m.at(2 * 64 + 32 + 4 * i), i);
    EXPECT_EQ(m.at(2 * 64 + 32 + 4 * 24), 0xEEEEEEEEu);
    const Message back = m.run(make(kReadHWord, 0, 1, {header(2)}, 3));
    for (unsigned i = 0; i < 24; ++i)
        EXPECT_EQ(response(back, i / 8, i % 8), i);
}

TEST(Urb, InterleavedPhasesGoToTwoEntriesByHalves) {
    GEN9_COVERS("URB-09 URB-18 URB-19 URB-24 URB-25");
    Machine m;
    m.run(make(kWriteHWord, kSwizzle | kPerSlot, 1,
               {header(10, 20, 2, 4), counting(0), counting(8)}));
    for (unsigned i = 0; i < 4; ++i) {
        EXPECT_EQ(m.at(10 * 64 + 3 * 32 + 4 * i), i);
        EXPECT_EQ(m.at(10 * 64 + 3 * 32 + 16 + 4 * i), 8 + i);
        EXPECT_EQ(m.at(20 * 64 + 5 * 32 + 4 * i), 4 + i);
        EXPECT_EQ(m.at(20 * 64 + 5 * 32 + 16 + 4 * i), 12 + i);
    }
    const Message back = m.run(make(kReadHWord, kSwizzle | kPerSlot, 1, {header(10, 20, 2, 4)}, 2));
    for (unsigned i = 0; i < 16; ++i)
        EXPECT_EQ(response(back, i / 8, i % 8), i);
}

TEST(Urb, SlotOffsetsCountOnlyWithTheirBit) {
    GEN9_COVERS("URB-13 URB-19");
    Machine m;
    m.run(make(kWriteHWord, 0, 1, {header(1, 0, 7, 7), counting(50)}));
    EXPECT_EQ(m.at(64 + 32), 50u);
    m.run(make(kWriteHWord, kPerSlot, 1, {header(1, 0, 7, 9), counting(60)}));
    EXPECT_EQ(m.at(64 + 8 * 32), 60u);
}

TEST(Urb, OWordUsesTheHalfOfTheRegisterTheHeaderNames) {
    GEN9_COVERS("URB-21 URB-26 URB-28");
    Machine m;
    for (const bool high : {false, true}) {
        m.run(make(kWriteOWord, 0, high, {header(3, 0, 0, 0, 0xFF, high), counting(70)}));
        for (unsigned i = 0; i < 4; ++i)
            EXPECT_EQ(m.at(3 * 64 + 16 * high + 4 * i), 70 + 4 * high + i);
        const Message back = m.run(make(kReadOWord, 0, high, {header(3, 0, 0, 0, 0xFF, high)}, 1));
        for (unsigned i = 0; i < 8; ++i)
            EXPECT_EQ(response(back, 0, i), i / 4 == high ? 70 + i : kOld);
    }
}

TEST(Urb, InterleavedOWordsGoToTwoEntries) {
    GEN9_COVERS("URB-27 URB-28");
    Machine m;
    m.run(make(kWriteOWord, kSwizzle, 2, {header(3, 4), counting(80)}));
    EXPECT_EQ(m.at(3 * 64 + 32), 80u);
    EXPECT_EQ(m.at(3 * 64 + 48), 0xEEEEEEEEu);
    EXPECT_EQ(m.at(4 * 64 + 32), 84u);
    const Message back = m.run(make(kReadOWord, kSwizzle, 2, {header(3, 4)}, 1));
    for (unsigned i = 0; i < 8; ++i)
        EXPECT_EQ(response(back, 0, i), 80 + i);
}

TEST(Urb, OneDwordEnableIsExecutionMaskAndChannelMask) {
    GEN9_COVERS("URB-14 URB-20 URB-25");
    for (const std::uint32_t flags : {0u, kSwizzle}) {
        Machine m;
        m.run(make(kWriteHWord, flags, 0, {header(0, 8, 0, 0, 0xB7), counting(0), counting(8)}, 0,
                   0xFF5E));
        const Message back = m.run(make(kReadHWord, flags, 0, {header(0, 8)}, 2));
        const Message part = m.run(make(kReadHWord, flags, 0, {header(0, 8, 0, 0, 0x3F)}, 2, 0xF3));
        for (unsigned i = 0; i < 16; ++i) {
            const std::uint32_t stored = (0xB7u & 0x5Eu) >> i % 8 & 1 ? i : 0xEEEEEEEE;
            EXPECT_EQ(response(back, i / 8, i % 8), stored) << i;
            EXPECT_EQ(response(part, i / 8, i % 8), 0x33u >> i % 8 & 1 ? stored : kOld) << i;
        }
    }
}

TEST(Urb, AtomicsReturnTheOldValueInOneDword) {
    GEN9_COVERS("URB-14 URB-29 URB-30 URB-31");
    Machine m;
    m.put(64 + 20, 0xFFFFFFFF);
    // Scalar: whatever the execution mask.
    Message back = m.run(make(kInc, 0, 5, {row({1, 0, 9})}, 1, 0));
    EXPECT_EQ(response(back, 0, 0), 0xFFFFFFFFu);
    EXPECT_EQ(back.response_enable[0], 0xFu);
    EXPECT_EQ(m.at(64 + 20), 0u);
    back = m.run(make(kAdd, 0, 5, {row({1, 0, 9})}, 1));
    EXPECT_EQ(response(back, 0, 0), 0u);
    EXPECT_EQ(m.at(64 + 20), 9u);
    m.run(make(kMov, 0, 5, {row({1, 0, 0})}));
    EXPECT_EQ(m.at(64 + 20), 0u);
    m.put(64 + 20, 5);
    m.run(make(kMov, 0, 5, {row({1, 0, 77})}));
    EXPECT_EQ(m.at(64 + 20), 0u) << "the table's new value";
    m.settings.mov_writes_operand = true;
    m.run(make(kMov, 0, 5, {row({1, 0, 77})}));
    EXPECT_EQ(m.at(64 + 20), 77u);
}

TEST(Urb, Simd8KeepsAVertexPerSlotTogether) {
    GEN9_COVERS("URB-10 URB-14 URB-33 URB-36 URB-37");
    Machine m;
    std::vector<Grf> payload = {row({0, 8, 16, 24, 32, 40, 48, 0xC000 + 56})};
    for (unsigned phase = 0; phase < 8; ++phase)
        payload.push_back(counting(8 * phase));
    m.run(make(kWriteSimd8, 0, 2, payload));
    for (unsigned slot = 0; slot < 8; ++slot)
        for (unsigned j = 0; j < 8; ++j)
            EXPECT_EQ(m.at(slot * 512 + 32 + 4 * j), 8 * j + slot);
    const Message back = m.run(make(kReadSimd8, 0, 2, {payload[0]}, 8, 0x7F));
    for (unsigned slot = 0; slot < 8; ++slot)
        for (unsigned j = 0; j < 8; ++j)
            EXPECT_EQ(response(back, j, slot), slot < 7 ? 8 * j + slot : kOld);
}

TEST(Urb, Simd8OffsetPhaseComesFirstThenTheMaskPhase) {
    GEN9_COVERS("URB-10 URB-34 URB-35");
    const Grf handles = row({0, 8, 16, 24, 32, 40, 48, 56});
    const Grf offsets = row({0, 1, 2, 3, 4, 5, 6, 7});
    // Only bits 23:16 mask; slot k writes DATA[k] alone.
    const Grf masks = row({0xFF01FFFF, 0xFF02FFFF, 0xFF04FFFF, 0xFF08FFFF, 0xFF10FFFF, 0xFF20FFFF,
                           0xFF40FFFF, 0xFF80FFFF});
    for (const std::uint32_t flags : {kPerSlot, kMaskPhase, kPerSlot | kMaskPhase}) {
        Machine m;
        std::vector<Grf> payload = {handles};
        if (flags & kPerSlot) payload.push_back(offsets);
        if (flags & kMaskPhase) payload.push_back(masks);
        for (unsigned j = 0; j < 8; ++j)
            payload.push_back(counting(8 * j));
        m.run(make(kWriteSimd8, flags, 0, payload));
        for (unsigned slot = 0; slot < 8; ++slot)
            for (unsigned j = 0; j < 8; ++j) {
                const bool written = !(flags & kMaskPhase) || j == slot;
                const unsigned start = slot * 512 + (flags & kPerSlot ? 16 * slot : 0);
                EXPECT_EQ(m.at(start + 4 * j), written ? 8 * j + slot : 0xEEEEEEEEu)
                    << slot << " " << j;
            }
    }
}

// Every legal message against the address rules written down once more, DWord by DWord.
TEST(Urb, RandomMessagesMatchAPlainReading) {
    GEN9_COVERS("URB-04 URB-12 URB-17");
    std::mt19937 random(7);
    Machine m;
    std::vector<std::uint8_t> expected = m.urb;
    for (unsigned n = 0; n < 20000; ++n) {
        const Message sent = random_message(random, 64 * (n % 128));
        const Message back = m.run(sent);
        ASSERT_EQ(m.plan.problem, "") << to_text(sent);
        const std::uint32_t op = sent.descriptor & 15, global = sent.descriptor >> 4 & 0x7FF;
        const bool bit15 = sent.descriptor >> 15 & 1, bit17 = sent.descriptor >> 17 & 1;
        const auto dw = [&](unsigned reg, unsigned i) {
            return load<std::uint32_t>(sent.payload[reg].bytes + 4 * i);
        };
        const auto word = [&](std::uint32_t address) {
            return load<std::uint32_t>(expected.data() + address);
        };
        std::array<std::array<std::uint32_t, 8>, 8> answer;
        for (auto& reg : answer)
            reg.fill(kOld);
        if (op >= kMov && op <= kAdd) {
            const std::uint32_t address = (dw(0, 0) & 0xFFFF) * 64 + 4 * global;
            const std::uint32_t old = word(address);
            const std::uint32_t next[] = {0, old + 1, old + dw(0, 2)};
            store(expected.data() + address, next[op - kMov]);
            if (op != kMov) answer[0][0] = old;
        } else {
            const bool simd8 = op >= kWriteSimd8;
            const bool write = op < kReadHWord || op == kWriteSimd8;
            const unsigned prefix = 1 + (simd8 ? bit15 + bit17 : 0);
            const unsigned phases = write ? sent.length - prefix : sent.response_length;
            for (unsigned phase = 0; phase < phases; ++phase)
                for (unsigned i = 0; i < 8; ++i) {
                    std::uint32_t address = 0;
                    bool on = sent.execution_mask >> i & 1;
                    if (simd8) {
                        const unsigned offset = global + (bit17 ? dw(1, i) : 0);
                        address = (dw(0, i) & 0x3FFF) * 64 + 16 * offset + 4 * phase;
                        if (bit15) on &= dw(1 + bit17, i) >> (16 + phase) & 1;
                    } else {
                        const bool oword = op == kWriteOWord || op == kReadOWord;
                        const unsigned entry = bit15 ? i / 4 : 0;
                        const unsigned offset = global + (bit17 ? dw(0, 3 + entry) : 0);
                        address = (dw(0, entry) & 0x3FFF) * 64 + offset * (oword ? 16 : 32);
                        address +=
                            bit15 ? 16 * phase + 4 * (i % 4) : 32 * phase + 4 * (oword ? i % 4 : i);
                        on &= dw(0, 5) >> (8 + i) & 1;
                        if (oword && !bit15) on &= i / 4 == (dw(0, 5) >> 16 & 1);
                    }
                    if (!on) continue;
                    if (write)
                        store(expected.data() + address, dw(prefix + phase, i));
                    else
                        answer[phase][i] = word(address);
                }
        }
        ASSERT_EQ(m.urb, expected) << to_text(sent);
        for (unsigned reg = 0; reg < back.response_length; ++reg)
            for (unsigned i = 0; i < 8; ++i)
                ASSERT_EQ(response(back, reg, i), answer[reg][i]) << to_text(sent);
    }
}

SendForm form_of(const Message& m, unsigned first_length) {
    SendForm form;
    form.descriptor = m.descriptor;
    form.extended_descriptor = m.end_of_thread ? 1u << 5 : 0;
    form.sfid = static_cast<std::uint8_t>(m.sfid);
    form.length = m.length;
    form.first_length = static_cast<std::uint8_t>(first_length);
    form.response_length = m.response_length;
    form.header_present = m.header_present;
    return form;
}

// The URB may end early, slots may share an entry, registers lie in two parts, and a response may lie
// over its payload.
TEST(Urb, ASimd8MessageCarriedOutInTheUrbDoesWhatItsPlanDoes) {
    GEN9_COVERS("URB-33 URB-34 URB-11 URB-15");
    std::mt19937 random(11);
    const auto one_in = [&](unsigned n) { return random() % n == 0; };
    Machine m;
    unsigned carried_out = 0, left = 0;
    for (unsigned n = 0; n < 20000; ++n) {
        Message sent = random_message(random, 64 * (n % 128));
        const std::uint32_t op = sent.descriptor & 15;
        if (op >= kWriteSimd8 && one_in(3)) {
            auto* const slots = sent.payload[0].bytes;
            std::memcpy(slots + 4 * (random() % 8), slots + 4 * (random() % 8), 4);
        }
        if (one_in(8)) sent.descriptor ^= (random() % 2048 & ~7u) << 4;
        if (one_in(8)) sent.descriptor |= 0x7F8u << 4;
        if (one_in(20)) sent.header_present = false;
        if (one_in(20)) sent.response_length = static_cast<std::uint8_t>(random() % 10);
        if (one_in(20)) sent.length = static_cast<std::uint8_t>(random() % 12);
        sent.end_of_thread = one_in(10);
        const unsigned first_length = static_cast<unsigned>(random() % (sent.length + 1u));
        const auto form = simd8_form(form_of(sent, first_length));
        make_plan(sent, m.settings, m.plan);
        if (op < kWriteSimd8 || m.plan.refused) {
            ASSERT_FALSE(form) << to_text(sent);
            continue;
        }
        const unsigned prefix =
            1 + ((sent.descriptor & kMaskPhase) != 0) + ((sent.descriptor & kPerSlot) != 0);
        const bool no_data = op == kWriteSimd8 && sent.length == prefix;
        if (no_data || (op == kReadSimd8 && sent.end_of_thread)) {
            ASSERT_FALSE(form) << to_text(sent);
            continue;
        }
        ASSERT_TRUE(form) << to_text(sent);
        ASSERT_EQ(form->ends, sent.end_of_thread);
        // Parts that are not side by side.
        std::array<Grf, 12> first, second, answer;
        std::copy_n(sent.payload.begin(), first_length, first.begin());
        std::copy_n(sent.payload.begin() + first_length, sent.length - first_length,
                    second.begin());
        for (Grf& grf : answer)
            std::memset(grf.bytes, 0xCC, kGrfBytes);
        const std::size_t size = one_in(2) ? m.urb.size() : random() % (128u << 10);
        std::vector<std::uint8_t> urb(m.urb.begin(), m.urb.begin() + size);
        const auto before = urb;
        const bool over_itself = op == kReadSimd8 && one_in(3);
        Grf* const to = over_itself ? first.data() : answer.data();
        if (over_itself) std::copy_n(sent.payload.begin(), sent.length, first.begin());
        const PayloadParts parts{first.data(), second.data(),
                                 over_itself ? sent.length : first_length};
        const auto lines = run_simd8(*form, parts, sent.execution_mask, urb, to);
        if (!lines) {
            ++left;
            ASSERT_EQ(urb, before);
            // Whatever is not within is: an offset, or an entry's place.
            const auto reaches_out = [&](unsigned slot) {
                const bool masked = sent.descriptor & kMaskPhase,
                           per_slot = sent.descriptor & kPerSlot;
                const auto dw = [&](unsigned reg) {
                    return load<std::uint32_t>(sent.payload[reg].bytes + 4 * slot);
                };
                const unsigned offset = (sent.descriptor >> 4 & 0x7FF) + (per_slot ? dw(1) : 0);
                const unsigned phases =
                    op == kReadSimd8 ? sent.response_length : sent.length - 1 - masked - per_slot;
                return (sent.execution_mask >> slot & 1) != 0 &&
                       (offset > 2047 || (dw(0) & 0x3FFF) * 64 + 16 * offset + 4 * phases > size);
            };
            bool beyond = false;
            for (unsigned slot = 0; slot < 8; ++slot)
                beyond |= reaches_out(slot);
            ASSERT_TRUE(beyond) << to_text(sent);
            continue;
        }
        ++carried_out;
        ASSERT_EQ(m.plan.problem.find("URB-11"), std::string::npos);
        ASSERT_EQ(*lines, m.plan.groups.size()) << to_text(sent);
        const Message back = m.run(sent);
        ASSERT_TRUE(std::equal(urb.begin(), urb.end(), m.urb.begin())) << to_text(sent);
        for (unsigned reg = 0; reg < back.response_length; ++reg)
            for (unsigned i = 0; i < 8; ++i) {
                const std::uint32_t old = over_itself && reg < sent.length
                                              ? load<std::uint32_t>(sent.payload[reg].bytes + 4 * i)
                                          : over_itself ? load<std::uint32_t>(to[reg].bytes + 4 * i)
                                                        : kOld;
                const bool given = (back.response_enable[reg] >> 4 * i & 0xF) != 0;
                ASSERT_EQ(load<std::uint32_t>(to[reg].bytes + 4 * i),
                          given ? response(back, reg, i) : old)
                    << to_text(sent);
            }
    }
    EXPECT_GT(carried_out, 2000u);
    EXPECT_GT(left, 300u);
}

TEST(Urb, WhatHasNoMeaningIsRefused) {
    GEN9_COVERS("URB-07 URB-08 URB-17 URB-28 URB-29 URB-30");
    Machine m;
    const auto refused = [&](const Message& message) {
        m.problem(message);
        EXPECT_EQ(m.plan.refused, !m.plan.problem.empty()) << m.plan.problem;
        EXPECT_TRUE(!m.plan.refused || m.plan.groups.empty());
        return m.plan.refused;
    };
    const Grf h = header(1), data = counting(0);
    EXPECT_FALSE(refused(make(kWriteHWord, 0, 0, {h, data})));
    Message headless = make(kWriteHWord, 0, 0, {h, data});
    headless.header_present = false;
    EXPECT_TRUE(refused(headless));
    for (std::uint32_t op = 9; op < 16; ++op)
        EXPECT_TRUE(refused(make(op, 0, 0, {h}, 1)));
    EXPECT_TRUE(refused(make(kWriteHWord, 0, 0, {h})));
    EXPECT_TRUE(refused(make(kWriteHWord, 0, 0, {h, data}, 1)));
    EXPECT_FALSE(refused(make(kWriteHWord, 0, 0, std::vector<Grf>(9, h))));
    EXPECT_TRUE(refused(make(kWriteHWord, 0, 0, std::vector<Grf>(10, h))));
    EXPECT_TRUE(refused(make(kWriteOWord, 0, 0, {h, data, data})));
    EXPECT_TRUE(refused(make(kReadHWord, 0, 0, {h, data}, 1)));
    EXPECT_TRUE(refused(make(kReadHWord, 0, 0, {h}, 0)));
    EXPECT_FALSE(refused(make(kReadHWord, 0, 0, {h}, 8)));
    EXPECT_TRUE(refused(make(kReadHWord, 0, 0, {h}, 9)));
    EXPECT_TRUE(refused(make(kReadOWord, 0, 0, {h}, 2)));
    EXPECT_TRUE(refused(make(kReadSimd8, kPerSlot, 0, {h}, 1)));
    EXPECT_FALSE(refused(make(kReadSimd8, kPerSlot, 0, {h, row({})}, 1)));
    EXPECT_TRUE(refused(make(kWriteSimd8, kPerSlot | kMaskPhase, 0, {h, data, data})));
    EXPECT_TRUE(refused(make(kInc, 0, 0, {h}, 0)));
    EXPECT_TRUE(refused(make(kMov, 0, 0, {h}, 1)));
    EXPECT_TRUE(refused(make(kAdd, kSwizzle, 0, {h}, 1)));
    EXPECT_TRUE(refused(make(kAdd, kPerSlot, 0, {h}, 1)));
    EXPECT_TRUE(refused(make(kAdd, 0, 0, {h, data}, 1)));
}

TEST(Urb, OffsetsBeyondTheirRangeAreNamed) {
    GEN9_COVERS("URB-09 URB-11");
    Machine m;
    const auto ok = [&](const Message& message) { return m.problem(message).empty(); };
    const Grf data = counting(0);
    EXPECT_TRUE(ok(make(kWriteHWord, kPerSlot, 23, {header(0, 0, 1000), data})));
    EXPECT_FALSE(ok(make(kWriteHWord, kPerSlot, 24, {header(0, 0, 1000), data})));
    EXPECT_TRUE(ok(make(kWriteOWord, kPerSlot, 47, {header(0, 0, 2000), data})));
    EXPECT_FALSE(ok(make(kWriteOWord, kPerSlot, 48, {header(0, 0, 2000), data})));
    EXPECT_FALSE(ok(make(kWriteSimd8, kPerSlot, 2047, {row({}), row({1}), data})));
}

TEST(Urb, OnlyGeometryThreadsEndByAWriteAndNobodyByAReadOrAtomic) {
    GEN9_COVERS("URB-16 FF-34");
    Machine m;
    for (Message message :
         {make(kWriteHWord, 0, 0, {header(1), counting(0)}), make(kReadHWord, 0, 0, {header(1)}, 1),
          make(kInc, 0, 0, {row({})}, 1)}) {
        EXPECT_EQ(m.problem(message), "");
        message.end_of_thread = true;
        EXPECT_NE(m.problem(message), "");
        EXPECT_FALSE(m.plan.refused);
        ThreadSideband vertex;
        vertex.of_geometry = true;
        message.sender = &vertex;
        EXPECT_EQ(m.problem(message) == "", m.plan.kind == Plan::Kind::Write);
    }
    // The end alone.
    Message end = make(kWriteSimd8, 0, 0, {row({1})});
    EXPECT_NE(m.problem(end), "");
    ThreadSideband vertex;
    vertex.of_geometry = true;
    end.sender = &vertex;
    end.end_of_thread = true;
    EXPECT_EQ(m.problem(end), "");
    EXPECT_TRUE(m.plan.groups.empty());
}

// Whatever is sent: nothing outside of the 16 bits of handle and its offsets is touched.
TEST(Urb, RandomBitsNeverLeadOutside) {
    std::mt19937 random(3);
    Machine m;
    for (unsigned n = 0; n < 100000; ++n) {
        std::vector<Grf> payload(random() % 16);
        for (Grf& grf : payload)
            grf = random_row(random);
        Message message = make(static_cast<std::uint32_t>(random()) & 0xFFFFF, 0, 0, payload,
                               random() % 17, static_cast<std::uint32_t>(random()));
        message.header_present = random() % 4 != 0;
        message.end_of_thread = random() % 16 == 0;
        make_plan(message, m.settings, m.plan);
        for (const LineGroup& group : m.plan.groups) {
            std::uint8_t line[kLineBytes] = {};
            ASSERT_EQ(group.line % kLineBytes, 0u);
            for (const Element& e : group.elements)
                ASSERT_EQ((e.address - group.line) & ~0x3Cu, 0u);
            if (m.plan.kind == Plan::Kind::Write) gather(group, message, line);
            if (m.plan.kind == Plan::Kind::Read) scatter(group, line, message);
        }
    }
}

}  // namespace
}  // namespace gen9::urb::test
