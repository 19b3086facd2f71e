// SPDX-License-Identifier: Apache-2.0
// Plain messages that compiled code moves by itself, against the same slot by slot.
#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <functional>
#include <memory>
#include <tuple>
#include <utility>
#include <vector>

#include "common/register_bytes.h"
#include "eu/execute/executor.h"
#include "eu/execute/prepare.h"
#include "eu/jit/compiled_region.h"
#include "eu/thread/masks.h"
#include "interconnect/payload/plain_messages.h"
#include "tests/support/sample.h"
#include "tests/unit/eu/execute/random_thread.h"
#include "tests/unit/eu/jit/levels.h"

namespace gen9::eu::test {
namespace {

/// A window of memory whose messages move slot by slot, and which counts what is a call.
struct WindowSite : PlainDirectSite {
    std::vector<std::uint8_t> memory = std::vector<std::uint8_t>(4096);
    std::uint64_t findings = 7;
    unsigned begun = 0, calls = 0, moves = 0;
    std::size_t local = 0;

    WindowSite() {
        plain.findings = &findings;
        plain.found = findings;
        plain.move = move_some;
        plain.move_all = move_all;
    }
    bool is(PlainMessages::Fact fact) const { return (plain.form.facts & fact) != 0; }
    /// Where a slot's items are, from the window's first byte on.
    std::uint64_t place(const std::uint8_t* first, unsigned slot) const {
        std::uint64_t offset = 0;
        const unsigned bytes = is(PlainMessages::kWide) ? 8 : 4;
        std::memcpy(&offset, first + slot * bytes, bytes);
        if (is(PlainMessages::kScaled)) offset *= 4;
        return is(PlainMessages::kLocal) ? offset + local : offset - plain.begin;
    }
    bool fits(const std::uint8_t* first, std::uint32_t mask) const {
        for (unsigned slot = 0; slot < plain.form.slots; ++slot) {
            const std::uint64_t at = place(first, slot);
            if ((mask >> slot & 1) == 0) continue;
            if (at >= plain.room_one || (is(PlainMessages::kAligned) && at % 4 != 0)) return false;
        }
        return (mask & low_mask(plain.form.slots)) != 0;
    }
    /// Slot after slot, and of each item after item.
    void move(const std::uint8_t* first, std::uint32_t mask, std::uint8_t* data) {
        const unsigned slots = plain.form.slots, items = plain.form.items;
        std::vector<std::uint64_t> places;
        for (unsigned slot = 0; slot < slots; ++slot)
            places.push_back(place(first, slot));
        for (unsigned slot = 0; slot < slots; ++slot)
            for (unsigned n = 0; n < items; ++n) {
                if ((mask >> slot & 1) == 0) continue;
                std::uint8_t* const at = memory.data() + places[slot] + 4 * n;
                std::uint8_t* const dword = data + 4 * (n * slots + slot);
                is(PlainMessages::kReads) ? std::memcpy(dword, at, 4) : std::memcpy(at, dword, 4);
            }
    }
    static bool move_some(PlainMessages& plain, std::uint32_t mask, const std::uint8_t* first,
                          std::uint8_t* data, std::uint64_t local) {
        auto& site = static_cast<WindowSite&>(*plain.site);
        if (site.is(PlainMessages::kLocal) && local != site.local) return false;
        if (!site.fits(first, mask)) return false;
        site.move(first, mask, data);
        ++site.moves;
        return true;
    }
    static bool move_all(PlainMessages& plain, std::uint32_t, const std::uint8_t* first,
                         std::uint8_t* data, std::uint64_t local) {
        return move_some(plain, low_mask(plain.form.slots), first, data, local);
    }
    bool run(const DirectSender&, std::uint32_t, const Grf*, const Grf*, Grf*) override {
        ++calls;
        return true;
    }
    void begin_count() override { ++begun; }
};

struct WindowMessages : Messages {
    explicit WindowMessages(WindowSite& site) : site_(&site), plain_(&site.plain) {
        EXPECT_TRUE(epoch_.takes(site.plain));
    }
    std::uint32_t called = 0;
    bool send(Thread&, const DecodedInstruction&, unsigned, Cycles) override {
        ADD_FAILURE() << "its site takes all messages";
        return true;
    }
    Direct direct(unsigned) override { return {&site_, nullptr, &called, &plain_, &epoch_}; }

  private:
    DirectSite* site_;
    PlainMessages* plain_;
    PlainEpoch epoch_;
};

/// How the offsets of a message lie.
enum class Lie : std::uint8_t { Together, OnePlace, Anywhere };

class PlainMessage {
  public:
    static constexpr unsigned kOffsets = 10, kSecond = 30, kResponse = 50;

    explicit PlainMessage(Random& random) {
        using enum PlainMessages::Fact;
        PlainMessages::Form& form = site.plain.form;
        const unsigned space = random() % 4;  // bound, wide, local, scaled
        constexpr PlainMessages::Fact spaces[] = {kBound, kWide, kLocal, kScaled};
        const bool reads = random() % 2, aligned = space != 3 && random() % 4;
        form.facts = static_cast<std::uint8_t>(spaces[space] | (reads ? unsigned{kReads} : 0) |
                                               (aligned ? unsigned{kAligned} : 0));
        form.slots = static_cast<std::uint8_t>(pick(random, {8, 16}));
        form.items = static_cast<std::uint8_t>(random() % 3 == 0 ? 1 + random() % 4 : 1);
        if (random() % 6 == 0) form.facts |= kMoved;
        const unsigned offset_registers = form.slots * (space == 1 ? 8u : 4u) / kGrfBytes;
        if (!site.is(kReads) && random() % 2) form.facts |= kSecond;
        form.data = static_cast<std::uint8_t>(site.is(kSecond) ? random() % 2 : offset_registers);
        site.plain.begin = space == 2 ? 0 : 4096 * (random() % 3);
        site.local = space == 2 ? 256 * (random() % 4) : 0;
        for (std::uint8_t& byte : site.memory)
            byte = static_cast<std::uint8_t>(random());
        // The window is smaller than the memory.
        window_ = 1024 + random() % 2048 / 4 * 4;
        const unsigned bytes = 4u * form.items;
        site.plain.host = site.memory.data();
        site.plain.room_one = window_ - bytes + 1;
        site.plain.room_all = window_ - bytes * form.slots + 1;
        site.plain.room_any = static_cast<std::uint32_t>(site.plain.room_one);
        site.plain.dwords_one = (site.plain.room_one + 3) / 4;
        site.plain.dwords_all = (site.plain.room_all + 3) / 4;
        lie = static_cast<Lie>(random() % 3);
    }

    /// Offsets that fit, or of which one does not.
    void set_offsets(Random& random, Thread& thread, bool fitting) {
        const PlainMessages::Form& form = site.plain.form;
        const bool wide = site.is(PlainMessages::kWide), scaled = site.is(PlainMessages::kScaled);
        const unsigned bytes = 4u * form.items;
        const auto dwords = [&](std::uint64_t room) {
            return (random() % (room - site.local) & ~std::uint64_t{3}) + site.plain.begin;
        };
        std::uint64_t start =
            dwords(lie == Lie::Together ? site.plain.room_all : site.plain.room_one);
        // All slots move out, or one of them.
        if (!fitting && lie != Lie::Anywhere && random() % 2) {
            start = site.plain.begin + window_ - site.local - bytes + 4;
            if (lie == Lie::Together) start -= 4 * (random() % form.slots);
            if (random() % 4 == 0 && site.plain.begin != 0) start = site.plain.begin - 4;
            fitting = true;
        }
        const unsigned wrong = random() % form.slots;
        for (unsigned slot = 0; slot < form.slots; ++slot) {
            std::uint64_t offset = lie == Lie::Together   ? start + slot * 4u
                                   : lie == Lie::OnePlace ? start
                                                          : dwords(site.plain.room_one);
            if (!fitting && slot == wrong) {
                const std::uint64_t end = site.plain.begin + window_ - site.local;
                offset = random() % 2 && site.plain.begin != 0
                             ? site.plain.begin - 4
                             : end - (random() % 2 ? 0 : bytes - 4);
            }
            if (scaled) offset /= 4;
            std::memcpy(bytes_from(thread.grf[kOffsets]) + slot * (wide ? 8 : 4), &offset,
                        wide ? 8 : 4);
        }
    }
    /// Is there code for messages that lie so, if all slots are on?
    bool has_code() const {
        const PlainMessages::Form& form = site.plain.form;
        const bool reads = site.is(PlainMessages::kReads);
        if (site.is(PlainMessages::kMoved) || (!reads && form.items != 1)) return false;
        const bool gathers =
            reads && !site.is(PlainMessages::kWide) && !site.is(PlainMessages::kScaled);
        return gathers || (lie == Lie::Together && form.items == 1) ||
               (lie == Lie::OnePlace && reads);
    }

    WindowSite site;
    Lie lie;

  private:
    std::uint64_t window_;
};

TEST(CompiledRegions, CarryOutPlainMessagesByThemselves) {
    Random random(57);
    unsigned moved = 0, called = 0;
    for (unsigned n = 0; n < gen9::test::rounds(6000); ++n) {
        PlainMessage message(random);
        WindowSite& site = message.site;
        using enum PlainMessages::Fact;
        const PlainMessages::Form form = site.plain.form;
        const bool reads = site.is(kReads);
        Instruction in = make(Opcode::Send, random() % 2 ? 16 : form.slots,
                              reads ? grf(PlainMessage::kResponse, Type::UD) : null(Type::UD),
                              {grf(PlainMessage::kOffsets, Type::UD)});
        if (site.is(kSecond)) {
            in.opcode = Opcode::Sends;
            in.src[1] = grf(PlainMessage::kSecond, Type::UD);
            in.source_count = 2;
        }
        in.no_mask = random() % 2;
        if (random() % 4 == 0) in.pred_ctrl = PredCtrl::Sequential;
        in.pred_invert = random() % 2;
        // Results of the first two are at hand behind the message, however it goes.
        const unsigned width = random() % 2 ? 16 : 8;
        const auto vector = [&](Opcode opcode, unsigned to, unsigned a, unsigned b,
                                std::uint32_t ip, bool negate = false) {
            Instruction made =
                make(opcode, width, dst(to, Type::D), {grf(a, Type::D), grf(b, Type::D)});
            made.src[0].negate = negate;
            return prepare(made, ip);
        };
        const DecodedInstruction d = prepare(in, 0x100);
        const std::array instructions{
            vector(Opcode::Add, 80, 82, 84, 0xE0), vector(Opcode::Xor, 90, 82, 84, 0xF0), d,
            vector(Opcode::Add, 86, 80, 84, 0x110), vector(Opcode::Add, 88, 90, 90, 0x120, true)};
        std::vector<jit::Part> parts;
        for (const DecodedInstruction& each : instructions)
            parts.push_back({&each, each.ip, each.next_ip, 0});
        for (const jit::Level level : levels()) {
            auto thread = random_thread(random);
            // Code may be entered between them.
            const std::size_t begin = random() % 3;
            thread->ip = instructions[begin].ip;
            thread->control[0] = cr0::kFloatDenormals;
            if (random() % 4 != 0) thread->flag[0] = in.pred_invert ? 0 : ~0u;
            auto state = std::make_shared<PipelineState>();
            thread->sideband.state = state;
            thread->sideband.binding_table_offset = 96;
            thread->sideband.slm_base = static_cast<std::uint32_t>(site.local);
            thread->sideband.slm_size = 4096;
            site.plain.state = state.get();
            site.plain.table = 96;
            message.set_offsets(random, *thread, random() % 4 != 0);
            std::uint32_t slots = in.no_mask ? ~0u : thread->active;
            if (in.pred_ctrl != PredCtrl::None)
                slots &= in.pred_invert ? ~thread->flag[0] : thread->flag[0];
            slots &= low_mask(in.exec_size);
            site.plain.found = site.findings;
            site.plain.checked = 0;
            WindowMessages messages(site);
            const auto region = jit::CompiledRegion::make(parts, thread->control[0], level);
            ASSERT_NE(region, nullptr);
            if (random() % 2) {
                // The window has been looked at before.
                const std::vector<std::uint8_t> memory = site.memory;
                Thread earlier = *thread;
                region->run(earlier, messages, Cycles(), 10);
                site.memory = memory;
                site.plain.host = site.memory.data();
                messages.called = 0;
            }
            // One of what it was found under has changed.
            bool good = true;
            switch (random() % 16) {
                case 0:
                    ++site.findings;
                    good = false;
                    break;
                case 1:
                    thread->sideband.binding_table_offset = 0;
                    good = !site.is(kBound);
                    break;
                case 2:
                    thread->sideband.state = std::make_shared<PipelineState>();
                    good = !site.is(kBound);
                    break;
                case 3:
                    if (!site.is(kLocal)) break;
                    thread->sideband.slm_size = 0;
                    good = false;
                    break;
                case 4: {
                    if (!site.is(kAligned)) break;
                    const bool all = random() % 2 || message.lie != Lie::Anywhere;
                    for (unsigned slot = 0; slot < (all ? form.slots : 1u); ++slot)
                        ++bytes_from(
                            thread->grf[PlainMessage::kOffsets])[slot * (site.is(kWide) ? 8 : 4)];
                    break;
                }
                default:
                    break;
            }
            Thread expected = *thread;
            std::uint8_t* const first = expected.grf[PlainMessage::kOffsets].bytes;
            const bool on = (~slots & low_mask(form.slots)) == 0,
                       fits = good && site.fits(first, slots), by_code = on && message.has_code();
            const std::vector<std::uint8_t> before = site.memory;
            site.calls = site.begun = site.moves = 0;
            site.plain.uncounted = random() % 2 ? PlainMessages::kNone : 3;
            const std::uint32_t uncounted = site.plain.uncounted;
            const CodeRegion::Run ran = region->run(*thread, messages, Cycles(), 10);
            ASSERT_EQ(ran.instructions, instructions.size() - begin);
            ASSERT_EQ(messages.called, 1u);
            ASSERT_EQ(site.calls, fits ? 0u : 1u) << n << " level " << int(level);
            ASSERT_EQ(site.moves, fits && !by_code ? 1u : 0u) << n << " level " << int(level);
            ASSERT_EQ(site.plain.uncounted, uncounted + (fits && by_code ? 1 : 0));
            ASSERT_EQ(site.begun, fits && by_code && uncounted == PlainMessages::kNone ? 1u : 0u);
            std::vector<std::uint8_t> after = site.memory;
            site.memory = before;
            site.plain.host = site.memory.data();
            if (fits) {
                ++(by_code ? moved : called);
                const unsigned reg =
                    site.is(kSecond) ? PlainMessage::kSecond : PlainMessage::kOffsets;
                site.move(first, slots,
                          site.is(kReads) ? expected.grf[PlainMessage::kResponse].bytes
                                          : expected.grf[reg + form.data].bytes);
            }
            ASSERT_EQ(site.memory, after) << n << " level " << int(level);
            for (std::size_t i = begin; i < instructions.size(); ++i)
                if (expected.ip = instructions[i].ip; expected.ip != d.ip)
                    execute(expected, instructions[i]);
            expected.ip = thread->ip;
            ASSERT_TRUE(same_state(*thread, expected)) << n << " level " << int(level);
            // Another EU's site may have another form than the code was made for.
            thread->ip = d.ip;
            site.plain.form.data ^= 1;
            site.plain.checked = 0;
            site.calls = 0;
            region->run(*thread, messages, Cycles(), 10);
            ASSERT_EQ(site.calls, 1u);
            site.plain.form.data ^= 1;
        }
    }
    EXPECT_GE(moved, levels().size() * gen9::test::rounds(6000) / 5);
    EXPECT_GE(called, levels().size() * gen9::test::rounds(6000) / 10);
}

/// Two messages in a row, each with a site of its own.
struct TwoMessages : Messages {
    TwoMessages(DirectSite& first, PlainMessages& first_plain, WindowSite& second)
        : sites_{&first, &second}, plain_{&first_plain, &second.plain} {
        const Instruction send =
            make(Opcode::Send, 8, grf(50, Type::UD), {grf(PlainMessage::kOffsets, Type::UD)});
        instructions = {prepare(send, 0), prepare(send, 16),
                        prepare(make(Opcode::Mov, 1, dst(70, Type::UD), {grf(72, Type::UD)}), 32)};
        for (unsigned n = 0; n < instructions.size(); ++n)
            parts.push_back({&instructions[n], instructions[n].ip, instructions[n].next_ip,
                             n < sites_.size() ? n : 0});
        std::memset(bytes_from(thread->grf[PlainMessage::kOffsets]), 0, kGrfBytes);
    }
    /// Compiles them and an instruction behind them, where nothing is known of windows.
    void compile(jit::Level level) {
        EXPECT_TRUE(epoch_.takes(*plain_[1]));
        region = jit::CompiledRegion::make(parts, thread->control[0], level);
        ASSERT_NE(region, nullptr);
    }
    void run(std::uint32_t ip) {
        thread->ip = ip;
        region->run(*thread, *this, Cycles(), 10);
    }
    bool send(Thread& sender, const DecodedInstruction& d, unsigned, Cycles) override {
        called_before = called;
        ++sent;
        if (on_send) on_send();
        sender.ip = d.next_ip;
        return true;
    }
    Direct direct(unsigned) override {
        return {sites_.data(), nullptr, &called, plain_.data(), &epoch_};
    }

    std::vector<DecodedInstruction> instructions;
    std::vector<jit::Part> parts;
    std::unique_ptr<Thread> thread = make_thread();
    std::unique_ptr<jit::CompiledRegion> region;
    std::function<void()> on_send;
    std::uint32_t called = 0, called_before = 0;
    unsigned sent = 0;

  private:
    std::array<DirectSite*, 2> sites_;
    std::array<PlainMessages*, 2> plain_;
    PlainEpoch epoch_;
};
void open_window(WindowSite& site) {
    site.plain.form = {PlainMessages::kReads, 8, 1, 0};
    site.plain.host = site.memory.data();
    site.plain.room_one = site.plain.room_all = site.plain.room_any = 1024;
}

// The first of two messages is a call, behind which there are new findings.
TEST(CompiledRegions, HoldWindowsAgainstWhatACallHasFound) {
    struct Finding : DirectSite {
        std::uint64_t* findings = nullptr;
        bool takes = true;
        void find() const {
            if (findings != nullptr) ++*findings;
        }
        bool run(const DirectSender&, std::uint32_t, const Grf*, const Grf*, Grf*) override {
            if (takes) find();
            return takes;
        }
    };
    for (const jit::Level level : levels())
        for (const bool finds : {false, true})
            for (const bool takes : {true, false}) {
                Finding finding;
                WindowSite window;
                open_window(window);
                if (finds) finding.findings = &window.findings;
                finding.takes = takes;
                TwoMessages messages(finding, no_plain_messages, window);
                messages.on_send = [&finding] { finding.find(); };
                messages.compile(level);
                messages.run(0);
                EXPECT_EQ(window.calls, finds ? 1u : 0u) << takes;
            }
}

// The first of two messages is moved by the code, the other one is sent.
TEST(CompiledRegions, HaveCountedTheirMessagesWhenOneIsSent) {
    struct Refusing : WindowSite {
        bool run(const DirectSender&, std::uint32_t, const Grf*, const Grf*, Grf*) override {
            return false;
        }
    };
    for (const jit::Level level : levels()) {
        WindowSite window;
        Refusing refusing;
        open_window(window);
        open_window(refusing);
        refusing.plain.findings = &window.findings;
        ++refusing.plain.found;  // its window is not good
        TwoMessages messages(window, window.plain, refusing);
        messages.compile(level);
        // By where the code is entered: messages that are moved, messages that are sent.
        for (const auto& [ip, moved, sent] :
             {std::tuple(0u, 1u, 1u), {16u, 0u, 1u}, {32u, 0u, 0u}}) {
            messages.called = messages.sent = messages.called_before = 0;
            messages.run(ip);
            EXPECT_EQ(messages.sent, sent) << ip;
            EXPECT_EQ(messages.called_before, moved) << ip;
            EXPECT_EQ(messages.called, moved) << ip;
        }
        EXPECT_EQ(window.calls, 0u);
    }
}

/// In a loop that does not write its offsets: where the send has found its slots is kept.
class RepeatedSend : public testing::TestWithParam<jit::Level> {
  protected:
    static constexpr unsigned kOffsets = PlainMessage::kOffsets, kOther = 20;

    RepeatedSend() {
        PlainMessages& plain = site_.plain;
        plain.form = {PlainMessages::kReads | PlainMessages::kAligned, 8, 1, 0};
        plain.host = site_.memory.data();
        plain.room_one = plain.room_all = plain.room_any = 1024;
        plain.dwords_one = plain.dwords_all = 256;
        for (std::size_t i = 0; i < site_.memory.size(); ++i)
            site_.memory[i] = static_cast<std::uint8_t>(i * 7 + i / 256);
        Instruction jump = make(Opcode::Jmpi, 1, null(Type::UD), {});
        jump.jip = -32;
        Instruction send = make(Opcode::Send, 8, grf(PlainMessage::kResponse, Type::UD),
                                {grf(kOffsets, Type::UD)});
        send.descriptor = 1u << 25 | 1u << 20;  // a register of offsets, one of data
        jump.pred_ctrl = PredCtrl::Sequential;
        instructions_ = {prepare(make(Opcode::Add, 8, dst(kOffsets, Type::UD),
                                      {grf(kOffsets, Type::UD), grf(kOther, Type::UD)}),
                                 0),
                         prepare(send, 16), prepare(jump, 32)};
        for (const DecodedInstruction& d : instructions_)
            parts_.push_back({&d, d.ip, d.next_ip, 0});
        thread_->flag = {};
        thread_->control[0] = cr0::kFloatDenormals;
        for (unsigned slot = 0; slot < 8; ++slot) {
            store(thread_->grf[kOffsets].bytes + 4 * slot, 4 * slot + 64);
            store(thread_->grf[kOther].bytes + 4 * slot, 32u);
        }
        region_ = jit::CompiledRegion::make(parts_, thread_->control[0], GetParam());
    }
    /// Runs from an instruction on. Where are the DWords from that the send has read?
    unsigned read_from(std::uint32_t ip) {
        thread_->ip = ip;
        region_->run(*thread_, messages_, Cycles(), 10);
        for (unsigned place = 0; place < 1024; place += 4)
            if (std::memcmp(site_.memory.data() + place,
                            thread_->grf[PlainMessage::kResponse].bytes, kGrfBytes) == 0)
                return place;
        return ~0u;
    }

    WindowSite site_;
    WindowMessages messages_{site_};
    std::vector<DecodedInstruction> instructions_;
    std::vector<jit::Part> parts_;
    std::unique_ptr<Thread> thread_ = make_thread();
    std::unique_ptr<jit::CompiledRegion> region_;
};

TEST_P(RepeatedSend, FindsItsSlotsAnewWhenTheRegionWritesTheOffsets) {
    EXPECT_EQ(read_from(16), 64u);
    EXPECT_EQ(read_from(16), 64u);
    EXPECT_EQ(read_from(0), 96u);
    EXPECT_EQ(read_from(0), 128u);
    EXPECT_EQ(site_.calls, 0u);
}

TEST_P(RepeatedSend, FindsItsSlotsAnewWhenAnotherWritesRegisters) {
    EXPECT_EQ(read_from(16), 64u);
    thread_->ip = 0;
    execute(*thread_, instructions_[0]);
    EXPECT_EQ(read_from(16), 96u);
    Message answer;
    answer.destination = kOffsets;
    answer.response_length = 1;
    answer.response_enable[0] = ~0u;
    for (unsigned slot = 0; slot < 8; ++slot)
        store(answer.response[0].bytes + 4 * slot, 4 * slot + 256);
    write_back(*thread_, answer);
    EXPECT_EQ(read_from(16), 256u);
    // Other code of the same thread.
    const auto other = jit::CompiledRegion::make(parts_, thread_->control[0], GetParam());
    thread_->ip = 0;
    other->run(*thread_, messages_, Cycles(), 10);
    EXPECT_EQ(read_from(16), 288u);
}

TEST_P(RepeatedSend, FindsItsSlotsAnewWhenTheWindowIsNotGood) {
    EXPECT_EQ(read_from(16), 64u);
    ++site_.findings;
    read_from(16);
    EXPECT_EQ(site_.calls, 1u);
    site_.plain.found = site_.findings;
    EXPECT_EQ(read_from(16), 64u);
    EXPECT_EQ(site_.calls, 1u);
    thread_->active = 0xF;
    read_from(16);
    EXPECT_EQ(site_.moves, 1u) << "some slots are off";
}

INSTANTIATE_TEST_SUITE_P(Levels, RepeatedSend, testing::ValuesIn(levels()));

}  // namespace
}  // namespace gen9::eu::test
