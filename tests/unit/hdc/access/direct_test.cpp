// SPDX-License-Identifier: Apache-2.0
// A direct message does what the message does by a plan, or nothing.
#include "hdc/access/direct.h"

#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <map>
#include <random>
#include <set>

#include "formats/format.h"
#include "interconnect/payload/plain_messages.h"
#include "tests/unit/hdc/bench.h"

namespace gen9::hdc {
namespace {

using test::Bench;
using test::Send;
using test::SurfaceBits;
using Random = std::mt19937;

constexpr std::uint32_t kBufferBytes = 8192;
constexpr TraceId kCause = 0;

SendForm form_of(const Message& m) {
    return {m.descriptor,     m.extended_descriptor, static_cast<std::uint8_t>(m.sfid),
            m.length,         m.first_length,        m.response_length,
            m.header_present, m.eight_wide};
}

/// The registers that a response leaves.
std::vector<std::uint8_t> written(const Message& m) {
    std::vector<std::uint8_t> registers(std::size_t{m.response_length} * kGrfBytes, 0xEE);
    for (std::size_t i = 0; i < registers.size(); ++i)
        if (m.response_enable[i / kGrfBytes] >> i % kGrfBytes & 1)
            registers[i] = m.response[i / kGrfBytes].bytes[i % kGrfBytes];
    return registers;
}

std::string counters(const HdcStats& stats) {
    StatRegistry registry;
    registry.add(stats);
    return serialize(registry.to_json());
}

/// Two data ports in the same state: one by plans, one by direct messages.
struct Both {
    Bench planned, bench;
    TypedTargets typed;
    DirectPort direct{bench.core, bench.driver, typed};
    Both() {
        for (Bench* each : {&planned, &bench}) {
            each->bind(0, SurfaceBits::buffer(Bench::kData, kBufferBytes));
            for (std::size_t i = 0; i < each->memory.kSize - 0x80000; ++i)
                each->memory.bytes[0x80000 + i] = static_cast<std::uint8_t>(i * 7 + i / 251);
            for (std::size_t i = 0; i < each->memory.slm_bytes.size(); ++i)
                each->memory.slm_bytes[i] = static_cast<std::uint8_t>(i * 5 + i / 13);
            // The surface's state is at hand when a message has used it.
            each->run(Send(Sfid::DataPort1, 0x02106E00, 0xFF).add(std::vector<std::uint32_t>(8)));
        }
    }
    /// Whether the direct way was taken; both ways must have done the same if so. Every second
    /// message comes once more: its site knows then where its memory is.
    bool same(const Send& send) {
        const auto site = direct.site(form_of(send.message));
        if (site == nullptr) return false;
        if (!same(send, *site)) return false;
        return ++asked % 2 != 0 || (same(send, *site) && same_in_window(send, *site));
    }
    unsigned moved[2] = {};  ///< messages with some slots off, and with all on
    unsigned asked = 0;

  private:
    /// By what compiled code calls, if it may.
    bool same_in_window(const Send& send, DirectSite& site) {
        auto* const plain_site = dynamic_cast<PlainDirectSite*>(&site);
        if (plain_site == nullptr || send.message.execution_mask == 0) return true;
        PlainMessages& plain = plain_site->plain;
        if (plain.form.slots == 0 || plain.host == nullptr || *plain.findings != plain.found)
            return true;
        EXPECT_NE(plain.move, nullptr);
        const bool ran = same(send, site, &plain);
        moved[(send.message.execution_mask & 0xFF) == 0xFF] += ran;
        return true;
    }
    static bool move(PlainMessages& plain, const Message& m, std::vector<Grf>& response,
                     std::uint32_t slm_base) {
        const Grf* const first = m.payload.data();
        const unsigned from = plain.form.facts & PlainMessages::kSecond ? m.first_length : 0u;
        // What is written is read from there, and never written.
        std::uint8_t* const data =
            plain.form.facts & PlainMessages::kReads
                ? response[0].bytes
                : const_cast<std::uint8_t*>(first[from + plain.form.data].bytes);
        // Blocks need the mask to be whole, whatever they are asked by.
        const std::uint32_t slots = (1u << plain.form.slots) - 1;
        const bool all = (m.execution_mask & slots) == slots;
        return (all ? plain.move_all : plain.move)(plain, m.execution_mask, first->bytes, data,
                                                   slm_base);
    }
    bool same(const Send& send, DirectSite& site, PlainMessages* plain = nullptr) {
        const std::string before = counters(bench.statistics);
        const Message& m = send.message;
        std::vector<Grf> response(m.response_length + 1u);
        for (Grf& grf : response)
            std::memset(grf.bytes, 0xEE, kGrfBytes);
        const bool ran = plain != nullptr
                             ? move(*plain, m, response, bench.sender.slm_base)
                             : site.run({bench.sender, kCause}, m.execution_mask, m.payload.data(),
                                        m.payload.data() + m.first_length, response.data());
        std::vector<std::uint8_t> answer(bytes_from(response[0]),
                                         bytes_from(response[0]) + m.response_length * kGrfBytes);
        direct.settle(kCause);
        EXPECT_EQ(response.back().bytes[0], 0xEE) << "written behind the response";
        if (!ran) {
            EXPECT_EQ(counters(bench.statistics), before);
            EXPECT_TRUE(bench.memory.bytes == planned.memory.bytes);
            EXPECT_TRUE(bench.memory.slm_bytes == planned.memory.slm_bytes);
            return false;
        }
        const std::size_t reports = planned.reporter.entries().size();
        EXPECT_EQ(answer, written(planned.run(send).message)) << to_text(m);
        planned.kept.clear();
        EXPECT_EQ(planned.reporter.entries().size(), reports) << "what is reported is not direct";
        EXPECT_EQ(counters(bench.statistics), counters(planned.statistics)) << to_text(m);
        EXPECT_TRUE(bench.memory.bytes == planned.memory.bytes) << to_text(m);
        EXPECT_TRUE(bench.memory.slm_bytes == planned.memory.slm_bytes) << to_text(m);
        return true;
    }
};

/// A message of slots with any mask and places, mostly legal ones.
Send random_message(Random& random) {
    constexpr Sfid kPorts[] = {Sfid::DataPort0, Sfid::DataPort1, Sfid::ConstantCache};
    constexpr std::uint8_t kIndices[] = {
        0, 0, 0, kSlmIndex, kStatelessCoherent, kStatelessNonCoherent};
    for (;;) {
        Send send(kPorts[random() % 3], (random() & 0x7FF00) | kIndices[random() % 6]);
        Message& m = send.message;
        m.header_present = m.descriptor >> 19 & 1;
        m.length = static_cast<std::uint8_t>(1 + random() % 12);
        test::fit_response(m);
        const Decoded d = decode(m.sfid, m.descriptor, m.length, m.response_length, false);
        if (!d.ok() || d.header || d.slots < 8) continue;
        m.first_length = random() % 2 ? m.length : d.address_registers;
        m.execution_mask = random() % 3 ? 0xFFFF : random() % 8 ? random() & 0xFFFF : 0;
        for (auto& grf : m.payload)
            for (auto& byte : grf.bytes)
                byte = static_cast<std::uint8_t>(random());
        const unsigned size =
            d.row->shape == Shape::Untyped ? d.channel_count * 4u : d.elements * d.element_bytes;
        const unsigned step = d.row->shape == Shape::DwordScattered ? 1 : size;
        const std::uint64_t base = d.wide_address ? Bench::kData : 0;
        const std::uint64_t first = random() % (kBufferBytes / 4) * 2 / size * step;
        const unsigned pattern = random() % 4;
        for (unsigned slot = 0; slot < d.slots; ++slot) {
            std::uint64_t offset = first;
            if (pattern == 1) offset += slot * step;
            if (pattern >= 2) offset = random() % (kBufferBytes / 2) / size * step;
            if (pattern == 3 && random() % 64 == 0) offset = random() % 2 ? offset + 1 : random();
            std::uint8_t* const at = m.payload[0].bytes;
            if (d.wide_address)
                store(at + slot * 8, base + offset);
            else
                store(at + slot * 4, static_cast<std::uint32_t>(offset));
        }
        return send;
    }
}

TEST(Direct, RandomMessagesDoTheSameAsByAPlan) {
    Random random(34);
    Both both;
    std::map<Shape, unsigned> direct;
    unsigned partial = 0, local = 0, split = 0, refused = 0;
    for (unsigned n = 0; n < 3000 && !HasFailure(); ++n) {
        const Send send = random_message(random);
        if (!both.same(send)) {
            ++refused;
            continue;
        }
        const Message& m = send.message;
        const Decoded d = decode(m.sfid, m.descriptor, m.length, m.response_length, false);
        ++direct[d.row->shape];
        partial += m.execution_mask != 0xFFFF;
        local += d.model == AddressModel::Slm;
        split += m.first_length != m.length;
    }
    for (const Shape shape : {Shape::ByteScattered, Shape::DwordScattered, Shape::Untyped,
                              Shape::A64Scattered, Shape::AtomicInt, Shape::AtomicFloat})
        EXPECT_GT(direct[shape], 10u) << static_cast<int>(shape);
    EXPECT_GT(partial, 150u);
    EXPECT_GT(local, 50u);
    EXPECT_GT(split, 50u);
    EXPECT_GT(refused, 25u);
    EXPECT_GT(both.moved[0], 100u);
    EXPECT_GT(both.moved[1], 300u);
}

/// A block message with any mask, mostly a full one, and any place, mostly a legal one.
Send random_block(Random& random) {
    constexpr Sfid kPorts[] = {Sfid::DataPort0, Sfid::DataPort1, Sfid::ConstantCache};
    constexpr std::uint8_t kIndices[] = {
        0, 0, 0, kSlmIndex, kStatelessCoherent, kStatelessNonCoherent};
    for (;;) {
        Send send(kPorts[random() % 3], (random() & 0x7FF00) | 1u << 19 | kIndices[random() % 6]);
        Message& m = send.message;
        m.header_present = true;
        m.length = static_cast<std::uint8_t>(1 + random() % 9);
        test::fit_response(m);
        const Decoded d = decode(m.sfid, m.descriptor, m.length, m.response_length, true);
        if (!d.ok() || d.block_bytes == 0 || d.row->pair) continue;
        m.first_length = random() % 2 ? m.length : 1;
        m.execution_mask = random() % 2 ? 0xFFFF : random() % 3 ? 0xFF : random() & 0xFFFF;
        for (auto& grf : m.payload)
            for (auto& byte : grf.bytes)
                byte = static_cast<std::uint8_t>(random());
        std::uint8_t* const header = m.payload[0].bytes;
        const unsigned unit = d.byte_offset ? 4 : 16;
        std::uint64_t offset = random() % (kBufferBytes / 2) / unit * unit;
        if (random() % 16 == 0) offset = random() % 2 ? offset + 2 : random();
        if (d.model == AddressModel::A64)
            store(header, Bench::kData + offset);
        else
            store(header + 8, static_cast<std::uint32_t>(d.byte_offset ? offset : offset / 16));
        store(header + 20, static_cast<std::uint32_t>(random() % 0x2000));
        return send;
    }
}

TEST(Direct, RandomBlocksDoTheSameAsByAPlan) {
    Random random(36);
    Both both;
    std::map<Shape, unsigned> direct;
    unsigned narrow = 0, split = 0, constants = 0;
    for (unsigned n = 0; n < 3000 && !HasFailure(); ++n) {
        const Send send = random_block(random);
        if (!both.same(send)) continue;
        const Message& m = send.message;
        const Decoded d = decode(m.sfid, m.descriptor, m.length, m.response_length, true);
        ++direct[d.row->shape];
        narrow += d.block_bytes == 16;
        split += m.first_length != m.length;
        constants += m.sfid == Sfid::ConstantCache;
    }
    for (const Shape shape : {Shape::OwordBlock, Shape::ScratchBlock, Shape::A64Block})
        EXPECT_GT(direct[shape], 20u) << static_cast<int>(shape);
    EXPECT_GT(both.moved[1], 100u);
    EXPECT_GT(narrow, 30u);
    EXPECT_GT(split, 50u);
    EXPECT_GT(constants, 30u);
}

/// A typed surface of any format, shape and channel order.
SurfaceBits random_image(Random& random) {
    namespace state = packets::render_surface_state;
    const auto& formats = formats::formats();
    unsigned code;
    do
        code = formats[random() % formats.size()].code;
    while (find_format(code) == nullptr);
    constexpr unsigned kTypes[] = {state::SURFTYPE_1D, state::SURFTYPE_2D, state::SURFTYPE_2D,
                                   state::SURFTYPE_3D, state::SURFTYPE_BUFFER};
    const unsigned type = kTypes[random() % std::size(kTypes)];
    const bool flat = type == state::SURFTYPE_1D || type == state::SURFTYPE_BUFFER;
    SurfaceBits s = SurfaceBits::image(type, code, Bench::kData, 64, flat ? 1 : 32,
                                       type == state::SURFTYPE_3D ? 3 : 1, 1024);
    constexpr unsigned kTilings[] = {state::LINEAR, state::XMAJOR, state::YMAJOR};
    if (!flat && type != state::SURFTYPE_3D) s.set(state::TileMode, kTilings[random() % 3]);
    if (type == state::SURFTYPE_3D) s.set(state::SurfaceQPitch, 32 / 4);
    if (random() % 3 == 0) {
        const packets::Field* const fields[] = {
            &state::ShaderChannelSelectRed, &state::ShaderChannelSelectGreen,
            &state::ShaderChannelSelectBlue, &state::ShaderChannelSelectAlpha};
        constexpr unsigned kSelects[] = {state::SCS_ZERO,  state::SCS_ONE,  state::SCS_RED,
                                         state::SCS_GREEN, state::SCS_BLUE, state::SCS_ALPHA};
        if (random() % 2 == 0)
            for (const packets::Field* const field : fields)
                s.set(*field, kSelects[random() % std::size(kSelects)]);
        else
            s.set(*fields[0], state::SCS_BLUE).set(*fields[2], state::SCS_RED);
    }
    return s;
}

Send random_typed(Random& random) {
    for (;;) {
        Send send(Sfid::DataPort1, (random() % 2 ? 0x05u : 0x0Du) << 14 | (random() & 0x83F00) | 1);
        Message& m = send.message;
        m.header_present = m.descriptor >> 19 & 1;
        m.length = static_cast<std::uint8_t>(1 + random() % 9);
        test::fit_response(m);
        const Decoded d =
            decode(m.sfid, m.descriptor, m.length, m.response_length, m.header_present);
        if (!d.ok() || d.slots != 8) continue;
        m.first_length = random() % 2 ? m.length : static_cast<std::uint8_t>(random() % m.length);
        if (m.first_length == 0) m.first_length = 1;
        m.execution_mask = random() % 3 ? 0xFFFF : random() & 0xFFFF;
        m.eight_wide = random() % 2 != 0;
        for (auto& grf : m.payload)
            for (unsigned n = 0; n < 8; ++n) {
                // Floats about the ends of what is clamped, and any bits.
                const float value = (static_cast<float>(random() % 4096) - 1024) / 1024;
                store(grf.bytes + n * 4, random() % 4 ? std::bit_cast<std::uint32_t>(value)
                                                      : static_cast<std::uint32_t>(random()));
            }
        const std::uint32_t first = random() % 60;
        const std::uint32_t edge = random() % 16 == 0 ? 60 : 0;
        for (unsigned n = 0; n < d.address_registers; ++n)
            for (unsigned slot = 0; slot < 8; ++slot)
                store(m.payload[d.address_at() + n].bytes + slot * 4,
                      n == 0   ? (first + slot) % 64 + edge
                      : n == 1 ? static_cast<std::uint32_t>(random() % 32)
                      : n == 2 ? static_cast<std::uint32_t>(random() % 3)
                               : 0u);
        return send;
    }
}

TEST(Direct, RandomTypedMessagesDoTheSameAsByAPlan) {
    Random random(35);
    Both both;
    unsigned reads = 0, writes = 0, partial = 0, headers = 0;
    std::set<unsigned> formats;
    SurfaceBits surface;
    for (unsigned n = 0; n < 4000 && !HasFailure(); ++n) {
        // Where elements lie is known from the second message on a surface on.
        const bool anew = n % 4 == 0;
        if (anew) surface = random_image(random);
        // The state is at hand when a message has used it.
        Send use(Sfid::DataPort1, 0x02106E01, 0);
        use.message.execution_mask = 1;
        for (Bench* const each : {&both.planned, &both.bench}) {
            if (!anew) break;
            each->bind(1, surface);
            each->run(Send(use).add(std::vector<std::uint32_t>(8)));
            each->kept.clear();
        }
        const Send send = random_typed(random);
        SCOPED_TRACE(
            find_format(packets::render_surface_state::SurfaceFormat.get(surface.dwords))->name);
        SCOPED_TRACE(surface.dwords[7]);
        if (!both.same(send)) continue;
        const Message& m = send.message;
        const Decoded d =
            decode(m.sfid, m.descriptor, m.length, m.response_length, m.header_present);
        ++(d.row->operation == Operation::Read ? reads : writes);
        partial += d.channels != 0xF;
        headers += d.header;
        formats.insert(packets::render_surface_state::SurfaceFormat.get(surface.dwords));
    }
    EXPECT_GT(reads, 300u);
    EXPECT_GT(writes, 300u);
    EXPECT_GT(partial, 200u);
    EXPECT_GT(headers, 100u);
    EXPECT_GT(formats.size(), 40u);
}

TEST(Direct, PlainMessagesAreCountedWhenTheCallerSettles) {
    Both both;
    Send send(Sfid::DataPort1, 0x02106E00, 0xFF);
    send.add(test::ramp<std::uint32_t>(8, 64, 4));
    const auto site = both.direct.site(form_of(send.message));
    ASSERT_NE(site, nullptr);
    both.bench.run(send);
    const std::uint64_t messages = both.bench.statistics.messages.value(),
                        read = both.bench.statistics.bytes_read.value();
    Grf response{};
    for (unsigned n = 0; n < 3; ++n)
        ASSERT_TRUE(site->run({both.bench.sender, kCause}, 0xFF, send.message.payload.data(),
                              nullptr, &response));
    for (unsigned again = 0; again < 2; ++again) {
        both.direct.settle(kCause);
        EXPECT_EQ(both.bench.statistics.messages.value(), messages + 3);
        EXPECT_EQ(both.bench.statistics.bytes_read.value(), read + 3 * 32);
    }
}

/// Where code that knows the window only finds what an offset names; null: outside.
const std::uint8_t* place_in_window(const PlainMessages& plain, std::uint64_t offset,
                                    std::uint64_t local) {
    if (plain.form.facts & PlainMessages::kScaled) offset *= 4;
    const std::uint64_t at =
        plain.form.facts & PlainMessages::kLocal ? offset + local : offset - plain.begin;
    return at < plain.room_one ? plain.host + at : nullptr;
}

/// Runs a site's message as often as it takes for the pages of its memory to be joined.
bool run_often(DirectSite& site, Both& both, const Message& m, Grf* response) {
    bool ran = true;
    for (unsigned n = 0; n < 16 && ran; ++n)
        ran = site.run({both.bench.sender, kCause}, m.execution_mask, m.payload.data(),
                       m.payload.data() + m.first_length, response);
    both.direct.settle(kCause);
    return ran;
}

TEST(Direct, TheWindowOfPlainMessagesIsWhatTheyMoveIn) {
    Random random(35);
    Both both;
    unsigned found[2] = {};
    for (unsigned n = 0; n < 3000 && !HasFailure(); ++n) {
        const Send send = random_message(random);
        const Message& m = send.message;
        const auto site = both.direct.site(form_of(m));
        auto* const plain_site = dynamic_cast<PlainDirectSite*>(site.get());
        if (m.execution_mask == 0 || plain_site == nullptr || plain_site->plain.form.slots == 0)
            continue;
        std::vector<Grf> response(m.response_length + 1u);
        if (!run_often(*site, both, m, response.data())) continue;
        const Grf *const first = m.payload.data(), *const second = first + m.first_length;
        const PlainMessages& plain = plain_site->plain;
        const bool reads = plain.form.facts & PlainMessages::kReads,
                   wide = plain.form.facts & PlainMessages::kWide;
        const Grf* const data =
            reads ? response.data()
                  : (plain.form.facts & PlainMessages::kSecond ? second : first) + plain.form.data;
        // The last of several slots at one place stays.
        std::map<std::uint64_t, unsigned> slot_at;
        if (plain.form.facts & PlainMessages::kMoved) continue;
        for (unsigned slot = 0; slot < plain.form.slots; ++slot) {
            if (!(m.execution_mask >> slot & 1)) continue;
            const std::uint64_t offset = wide ? load<std::uint64_t>(bytes_from(*first) + slot * 8)
                                              : load<std::uint32_t>(bytes_from(*first) + slot * 4);
            slot_at[offset] = slot;
        }
        for (const auto& [offset, slot] : slot_at) {
            const std::uint8_t* const place =
                place_in_window(plain, offset, both.bench.sender.slm_base);
            if (place == nullptr) continue;
            ++found[reads];
            for (std::size_t item = 0; item < plain.form.items; ++item)
                EXPECT_EQ(
                    load<std::uint32_t>(place + 4 * item),
                    load<std::uint32_t>(bytes_from(*data) + 4 * (item * plain.form.slots + slot)))
                    << to_text(m);
        }
        EXPECT_EQ(*plain.findings, plain.found);
        const bool bound = plain.form.facts & PlainMessages::kBound;
        EXPECT_TRUE(!bound || plain.state == both.bench.sender.state.get());
    }
    EXPECT_GT(found[0], 200u);
    EXPECT_GT(found[1], 200u);
}

TEST(Direct, AWindowOfPlainMessagesEndsWithTheSurfaceAndTheStateCache) {
    Both both;
    Send send(Sfid::DataPort1, 0x02106E00, 0xFF);
    send.add(test::ramp<std::uint32_t>(8, 64, 4));
    const auto site = both.direct.site(form_of(send.message));
    Grf response[2];
    ASSERT_TRUE(run_often(*site, both, send.message, response));
    const PlainMessages& plain = dynamic_cast<PlainDirectSite&>(*site).plain;
    EXPECT_EQ(plain.form, (PlainMessages::Form{PlainMessages::kReads | PlainMessages::kAligned |
                                                   PlainMessages::kBound | PlainMessages::kSecond,
                                               8, 1, 0}));
    EXPECT_LE(plain.begin + plain.room_one, kBufferBytes - 3);
    EXPECT_EQ(plain.room_all, plain.room_one - 28);
    EXPECT_EQ(plain.host, both.bench.memory.at(Bench::kData + plain.begin));
    EXPECT_EQ(*plain.findings, plain.found);
    both.bench.core.invalidate();
    EXPECT_NE(*plain.findings, plain.found);
    const std::uint64_t before = *plain.findings;
    both.bench.core.set_slm_enabled(false);
    EXPECT_NE(*plain.findings, before);
}

TEST(Direct, WhatIsKnownOfASurfaceEndsWithTheStateCache) {
    Both both;
    Send send(Sfid::DataPort1, 0x02106E00, 0xFF);
    send.add(test::ramp<std::uint32_t>(8, 64, 4));
    const auto site = both.direct.site(form_of(send.message));
    ASSERT_NE(site, nullptr);
    Grf response{};
    const auto run = [&] {
        return site->run({both.bench.sender, kCause}, 0xFF, send.message.payload.data(), nullptr,
                         &response);
    };
    ASSERT_TRUE(run());
    EXPECT_EQ(std::memcmp(response.bytes, both.bench.memory.at(Bench::kData + 64), 32), 0);
    both.bench.bind(0, SurfaceBits::buffer(Bench::kData + 0x1000, kBufferBytes));
    EXPECT_FALSE(run()) << "the new state is not at hand";
    both.bench.run(send);
    ASSERT_TRUE(run());
    EXPECT_EQ(std::memcmp(response.bytes, both.bench.memory.at(Bench::kData + 0x1040), 32), 0);
    both.bench.memory.grant = false;
    both.bench.driver.invalidate();
    EXPECT_FALSE(run()) << "host pointers have been withdrawn";
}

TEST(Direct, WithoutSlmAMessageToItIsLeftToThePlan) {
    Both both;
    Send send(Sfid::DataPort1, 0x02106EFE, 0xFF);
    send.add(test::ramp<std::uint32_t>(8, 64, 4));
    const auto site = both.direct.site(form_of(send.message));
    ASSERT_NE(site, nullptr);
    Grf response{};
    const auto run = [&] {
        return site->run({both.bench.sender, kCause}, 0xFF, send.message.payload.data(), nullptr,
                         &response);
    };
    EXPECT_TRUE(run());
    both.bench.core.set_slm_enabled(false);
    EXPECT_FALSE(run());
    both.bench.core.set_slm_enabled(true);
    both.bench.sender.slm_size = 0;
    EXPECT_FALSE(run());
}

}  // namespace
}  // namespace gen9::hdc
