// SPDX-License-Identifier: Apache-2.0
// Messages carried out without a plan, against the same messages with one.
#include "hdc/plan/usual.h"

#include <gtest/gtest.h>

#include <random>
#include <tuple>

#include "hdc/plan/scattered.h"
#include "tests/support/sample.h"
#include "tests/unit/hdc/bench.h"

namespace gen9::hdc {
namespace {

using test::Bench;
using test::Send;
using test::SurfaceBits;
using Random = std::mt19937;

constexpr std::uint64_t kData = Bench::kData;
constexpr unsigned kSurfaceBytes = 3000;  // ends within a page

unsigned pick(Random& random, std::initializer_list<unsigned> values) {
    return values.begin()[random() % values.size()];
}

/// A message on the surface, on SLM or by 64-bit addresses, its slots evenly spaced or not quite.
Send random_message(Random& random) {
    const bool wide_slots = random() % 2, reads = random() % 2, a64 = random() % 3 == 0;
    const unsigned slots = wide_slots ? 16 : 8;
    const unsigned items = a64 ? 1u << random() % (wide_slots ? 2 : 3) : 1 + random() % 4;
    const unsigned bytes = a64 ? pick(random, {4, 8}) : 4;
    const unsigned data = slots * items * bytes / kGrfBytes;
    const unsigned step =
        pick(random, {0, items * bytes, items * bytes, items * bytes, bytes, 4, 12});
    const unsigned start = pick(random, {0, 64, 4, 2, kSurfaceBytes - 64, kSurfaceBytes - 8, 4000});
    std::uint32_t descriptor;
    if (a64)  // type 10h read, 1Ah write; subtype DWord or QWord
        descriptor = (reads ? 0x10u : 0x1Au) << 14 | wide_slots << 12 |
                     static_cast<unsigned>(std::countr_zero(items)) << 10 |
                     (bytes == 8 ? 2u : 1u) << 8 | 255;
    else  // type 1 read, 9 write; channels that are off have their bit set
        descriptor = (reads ? 1u : 9u) << 14 | (wide_slots ? 1u : 2u) << 12 |
                     (0xFu << items & 0xF) << 8 | (random() % 2 ? 254 : 0);
    if (reads) descriptor |= data << 20;
    const std::uint32_t mask = random() % 4 ? 0xFFFFu : random() & 0xFFFFu;
    Send send(Sfid::DataPort1, descriptor, mask);
    const unsigned odd = random() % 4 == 0 ? random() % slots : slots;
    std::vector<std::uint64_t> addresses;
    for (unsigned slot = 0; slot < slots; ++slot)
        addresses.push_back((a64 ? kData : 0) + start + slot * step + (slot == odd ? 8 : 0));
    if (a64)
        send.add(addresses);
    else
        send.add(std::vector<std::uint32_t>(addresses.begin(), addresses.end()));
    if (!reads) {
        std::vector<std::uint32_t> values(data * 8);
        for (auto& value : values)
            value = random();
        send.add(values);
    }
    return send;
}

/// The same with slots anywhere: near each other, so that some meet, or far; rarely out of bounds
/// or beside the element. One in four messages lacks slots.
Send random_scatter(Random& random) {
    Send send = random_message(random);
    Message& message = send.message;
    const bool a64 = (message.descriptor & 0xFF) == 255;
    const unsigned slots = message.descriptor >> 12 & 1 ? 16 : 8;
    const unsigned reach = pick(random, {64, 1024, a64 ? 8192u : kSurfaceBytes});
    const unsigned wrong = random() % 8 == 0 ? random() % slots : 16;
    // DP-044; without its high bits each is a place in the buffer.
    const std::uint64_t away = random() % 16 == 0 ? 1ull << 48 : 0;
    for (unsigned slot = 0; slot < slots; ++slot) {
        std::uint64_t offset = random() % reach & ~7u;
        if (slot == wrong && a64 && random() % 4 == 0)
            offset += 1ull << 48;
        else if (slot == wrong)
            offset += pick(random, {1, 2, 4, 0x10000, 0x80000000});
        std::uint8_t* const payload = message.payload[0].bytes;
        if (a64)
            store(payload + slot * 8, kData + away + offset);
        else
            store(payload + slot * 4, static_cast<std::uint32_t>(offset));
    }
    return send;
}

struct Side {
    Bench bench;
    explicit Side(unsigned seed) {
        bench.bind(0, SurfaceBits::buffer(kData, kSurfaceBytes));
        bench.sender.slm_size = 65536;
        Random random(seed);
        for (unsigned i = 0; i < 8192; i += 4) {
            bench.memory.put<std::uint32_t>(kData + i, random());
            store(bench.memory.slm_bytes.data() + i, static_cast<std::uint32_t>(random()));
        }
    }
};

/// Plays messages on two sides: in the forms given, and by plans alone. How many were carried out
/// in another form than a plan.
unsigned compare_with_plan(Send (*make)(Random&), Forms forms) {
    constexpr unsigned kMessages = 20000;
    Side direct(1), planned(1);
    Random random(2);
    unsigned done = 0;
    for (unsigned n = 0; n < gen9::test::rounds(kMessages); ++n) {
        Send send = make(random);
        Message a = send.message, b = send.message;
        a.sender = &direct.bench.sender;
        b.sender = &planned.bench.sender;
        direct.bench.carry_out(a, forms);
        done += direct.bench.access.form == Access::Form::Usual ||
                direct.bench.access.form == Access::Form::Scattered;
        planned.bench.carry_out(b, kPlanOnly);
        EXPECT_EQ(a.status, b.status) << n;
        EXPECT_EQ(direct.bench.reporter.guest_errors(), planned.bench.reporter.guest_errors()) << n;
        EXPECT_EQ(a.response_enable, b.response_enable) << n << " " << to_text(b);
        for (unsigned r = 0; r < Message::kMaxResponse; ++r)
            for (unsigned byte = 0; byte < kGrfBytes; ++byte) {
                if (!(b.response_enable[r] >> byte & 1)) continue;
                EXPECT_EQ(a.response[r].bytes[byte], b.response[r].bytes[byte])
                    << n << " " << to_text(b);
            }
        if (n % 100 == 0 || n + 1 == kMessages) {
            EXPECT_EQ(direct.bench.memory.bytes, planned.bench.memory.bytes) << n;
            EXPECT_EQ(direct.bench.memory.slm_bytes, planned.bench.memory.slm_bytes) << n;
            const auto &x = direct.bench.statistics.counters(),
                       &y = planned.bench.statistics.counters();
            for (std::size_t i = 0; i < x.size(); ++i)
                EXPECT_EQ(x[i].value(), y[i].value()) << n << " " << x[i].name;
        }
        if (testing::Test::HasFailure()) break;
    }
    return done;
}

// That many were carried out without a plan shows that two things were compared.
TEST(UsualMessages, DoWhatThePlanWouldHaveDone) {
    EXPECT_GT(compare_with_plan(random_message, {.usual = true}), gen9::test::rounds(4000));
}

TEST(ScatteredMessages, DoWhatThePlanWouldHaveDone) {
    EXPECT_GT(compare_with_plan(random_scatter, {.scattered = true}), gen9::test::rounds(10000));
    // Usual messages are scattered ones as well.
    EXPECT_GT(compare_with_plan(random_message, {.scattered = true}), gen9::test::rounds(4000));
}

/// Sends a request of both, and gives both the same answer.
void compare_request(unsigned index, bool ok, const Access& x, Message& a, const Access& y,
                     Message& b) {
    std::uint8_t sent[2][64] = {};
    LaneAccess lanes[2];
    const Access::Request p = x.request(index, a, sent[0], lanes[0]);
    const Access::Request q = y.request(index, b, sent[1], lanes[1]);
    ASSERT_EQ(std::tie(p.address, p.bytes, p.reads, p.lanes),
              std::tie(q.address, q.bytes, q.reads, q.lanes));
    ASSERT_EQ(std::memcmp(sent[0], sent[1], sizeof sent[0]), 0);
    ASSERT_EQ(lanes[0].count, lanes[1].count);
    if (p.lanes) {
        ASSERT_EQ(lanes[0].kind, lanes[1].kind);
        ASSERT_EQ(lanes[0].width_bytes, lanes[1].width_bytes);
        ASSERT_EQ(lanes[0].offset, lanes[1].offset);
        ASSERT_EQ(lanes[0].source0, lanes[1].source0);
    } else if (!p.reads) {
        ASSERT_EQ(q.written, p.bytes == 64 ? ~0ull : (1ull << p.bytes) - 1) << "without holes";
    }
    std::uint8_t line[64];
    for (unsigned i = 0; i < 64; ++i)
        line[i] = static_cast<std::uint8_t>(index * 64 + i + 1);
    for (unsigned i = 0; i < lanes[0].count; ++i)
        lanes[0].result[i] = lanes[1].result[i] = index * 16 + i + 1;
    x.take(index, {ok, p.address, line, lanes[0]}, a);
    y.take(index, {ok, p.address, line, lanes[1]}, b);
}

TEST(UsualMessages, GoOutInTheRequestsOfThePlan) {
    Side side(1);
    Random random(3);
    unsigned usual = 0, wide = 0, refused = 0;
    Access access, by_plan;
    for (unsigned n = 0; n < 20000; ++n) {
        Send send = random_message(random);
        Message a = send.message, b = send.message;
        a.sender = b.sender = &side.bench.sender;
        side.bench.core.find(a, access, kRequestForms);
        if (access.form != Access::Form::Usual) continue;
        ++usual;
        SCOPED_TRACE(testing::Message() << n << ' ' << to_text(a));
        side.bench.core.find(b, by_plan, kPlanOnly);
        ASSERT_EQ(by_plan.form, Access::Form::Planned);
        by_plan.cut(RequestList::Channels::Together, RequestList::kWholeMessage);
        const MemoryFacts &x = access.facts(), &y = by_plan.facts();
        ASSERT_EQ(std::tie(x.requester, x.slm, x.coherent, x.mocs),
                  std::tie(y.requester, y.slm, y.coherent, y.mocs));
        ASSERT_EQ(access.requests(), by_plan.requests());
        wide += access.slm() && access.requests() > 1;
        const bool ok = access.slm() || random() % 8 != 0;
        for (unsigned i = 0; i < access.requests(); ++i)
            compare_request(i, ok, access, a, by_plan, b);
        ASSERT_EQ(a.response_enable, b.response_enable);
        for (unsigned r = 0; r < a.response_length; ++r)
            ASSERT_EQ(std::memcmp(a.response[r].bytes, b.response[r].bytes, kGrfBytes), 0) << r;
        if (ok || !access.usual.reads) continue;
        ++refused;
        const Grf zeros{};
        for (unsigned r = 0; r < a.response_length; ++r)
            ASSERT_EQ(std::memcmp(a.response[r].bytes, zeros.bytes, kGrfBytes), 0) << r;
    }
    EXPECT_GT(refused, gen9::test::rounds(50));
    EXPECT_GT(wide, gen9::test::rounds(500));
    EXPECT_GT(usual, gen9::test::rounds(2000));
}

/// Finds the usual form, which cannot be carried out; the plan then does it, and counts it once.
void expect_left_to_the_plan(Bench& bench, Message& message) {
    const auto messages = bench.statistics.messages.value();
    const auto accesses = bench.statistics.accesses.value();
    bench.core.find(message, bench.access, kDirectForms);
    ASSERT_EQ(bench.access.form, Access::Form::Usual);
    ASSERT_FALSE(bench.driver.run(bench.access, message));
    bench.core.plan(message, bench.access);
    ASSERT_EQ(bench.access.form, Access::Form::Planned);
    EXPECT_TRUE(bench.driver.run(bench.access, message));
    EXPECT_EQ(bench.statistics.messages.value(), messages + 1);
    EXPECT_EQ(bench.statistics.accesses.value(), accesses + 16);
}

TEST(UsualMessages, AnAccessOverThePageIsLeftToThePlan) {
    Side side(1);
    std::vector<std::uint64_t> addresses;
    for (unsigned slot = 0; slot < 16; ++slot)
        addresses.push_back(kData + kPageBytes - 32 + slot * 4);
    Send send(Sfid::DataPort1, 0x082411FF);
    send.message.sender = &side.bench.sender;
    send.add(addresses);
    expect_left_to_the_plan(side.bench, send.message);
    for (unsigned slot = 0; slot < 16; ++slot)
        EXPECT_EQ(send.dword(slot), side.bench.memory.get<std::uint32_t>(addresses[slot])) << slot;
}

TEST(UsualMessages, BindlessOnesAreLeftToThePlan) {
    constexpr unsigned kBindlessIndex = 252;
    Side side(1);
    Bench& bench = side.bench;
    bench.bind(kBindlessIndex, SurfaceBits::buffer(kData, 64));
    // Another thread's table overlaps: its fourth entry is where that index would find one.
    ThreadSideband other = bench.sender;
    other.binding_table_offset = bench.sender.binding_table_offset + 4 * (kBindlessIndex - 4);
    for (const auto& [sender, index] : {std::pair{&other, 4u}, {&bench.sender, kBindlessIndex}}) {
        Send send(Sfid::DataPort1, 0x04205E00 | index);
        send.message.sender = sender;
        send.add(std::vector<std::uint32_t>(16, 0));
        Message first = send.message;
        bench.carry_out(first, kPlanOnly);
        bench.core.find(send.message, bench.access, {.usual = true});
        EXPECT_EQ(bench.access.form == Access::Form::Usual, index == 4);
    }
}

TEST(UsualMessages, MemoryWithoutDirectAccessIsLeftToThePlan) {
    Side side(1);
    side.bench.memory.grant = false;
    Send send(Sfid::DataPort1, 0x04205E00);
    send.message.sender = &side.bench.sender;
    send.add(std::vector<std::uint32_t>(16, 64));
    Message first = send.message;
    side.bench.core.find(first, side.bench.access, kDirectForms);
    EXPECT_EQ(side.bench.access.form, Access::Form::Planned) << "the surface is not known";
    expect_left_to_the_plan(side.bench, send.message);
}

}  // namespace
}  // namespace gen9::hdc
