// SPDX-License-Identifier: Apache-2.0
// Compiled code against the general path: same instructions, same thread.
#include "eu/jit/compiled_region.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <memory>
#include <vector>

#include "common/register_bytes.h"
#include "eu/execute/prepare.h"
#include "interconnect/payload/plain_messages.h"
#include "tests/support/sample.h"
#include "tests/unit/eu/execute/random_thread.h"

namespace gen9::eu::test {
namespace {

std::vector<jit::Level> levels() {
    std::vector<jit::Level> found;
    for (const jit::Level level : {jit::Level::Avx2, jit::Level::Avx512})
        if (level <= jit::host_level()) found.push_back(level);
    return found;
}

/// Random code of `size` instructions: arithmetic of one type, because the bits of a NaN may differ
/// and must not be taken for a number; sends; and branches to anywhere in it.
class RandomCode {
  public:
    RandomCode(Random& random, std::uint32_t first_ip, unsigned size) : first_ip_(first_ip) {
        type_ = random() % 2 ? Type::F : Type::D;
        for (unsigned i = 0; i < size; ++i) {
            Instruction in = random() % 3 == 0 ? branch(random, i, size) : plain(random);
            if (random() % 24 == 0) {
                in = make(Opcode::Mov, 1,
                          arf(isa::Arf::Notification, 0, Type::UD, 4 * (random() % 3)),
                          {imm(random() % 4, Type::UD)});
                in.no_mask = random() % 4;
            }
            if (random() % 12 == 0) {
                in = make(Opcode::Send, 16, null(Type::UD), {grf(10, Type::UD)});
                in.no_mask = random() % 2;
            }
            general_.push_back(prepare_general(in, first_ip + 16 * i));
            fast_.push_back(prepare(in, first_ip + 16 * i));
        }
    }
    std::vector<jit::Part> parts(Random& random) const {
        std::vector<jit::Part> all;
        for (const DecodedInstruction& d : fast_) {
            // Some are not ready.
            const bool ready = random() % 40 != 0 || all.empty();
            all.push_back({ready ? &d : nullptr, d.ip, d.next_ip, 0});
        }
        return all;
    }
    const DecodedInstruction* find(std::uint32_t ip) const {
        const std::uint32_t place = (ip - first_ip_) / 16;
        return ip >= first_ip_ && place < general_.size() ? &general_[place] : nullptr;
    }

  private:
    Instruction branch(Random& random, unsigned place, unsigned size) const {
        constexpr Opcode all[] = {Opcode::If,   Opcode::Else,  Opcode::Endif, Opcode::While,
                                  Opcode::Goto, Opcode::Break, Opcode::Cont,  Opcode::Halt,
                                  Opcode::Jmpi, Opcode::Join,  Opcode::Brd};
        Instruction in =
            make(all[random() % 11], pick(random, {8, 16, 16, 32}), null(Type::UD), {});
        const auto ahead = [&] { return 16 * int(1 + random() % (size - place)); };
        const auto back = [&] { return -16 * int(random() % (place + 1)); };
        in.jip = ahead();
        in.uip = std::max(in.jip, std::int32_t(ahead()));
        if (in.opcode == Opcode::While || (in.opcode == Opcode::Jmpi && random() % 3 == 0))
            in.jip = back();
        if (in.opcode == Opcode::Goto && random() % 2) {
            in.branch_ctrl = true;
            in.uip = back();
        }
        if (in.opcode == Opcode::Jmpi) {
            in.exec_size = 1;
            in.no_mask = true;
        }
        if (random() % 4 != 0) in.pred_ctrl = PredCtrl::Sequential;
        if (random() % 12 == 0) in.pred_ctrl = PredCtrl::Any16H;
        in.pred_invert = random() % 2;
        in.flag_reg = random() % 2;
        in.flag_subreg = in.exec_size == 32 ? 0 : random() % 2;
        return in;
    }

    Instruction plain(Random& random) const {
        constexpr Opcode singles[] = {Opcode::Add,  Opcode::Mul, Opcode::Mov,  Opcode::Sel,
                                      Opcode::Cmp,  Opcode::Mad, Opcode::Rndd, Opcode::Rndz,
                                      Opcode::Rnde, Opcode::Lrp, Opcode::Pln,  Opcode::Frc};
        constexpr Opcode integers[] = {Opcode::Add, Opcode::Mul, Opcode::Mov, Opcode::Sel,
                                       Opcode::Cmp, Opcode::And, Opcode::Or,  Opcode::Xor,
                                       Opcode::Not, Opcode::Shl, Opcode::Shr, Opcode::Asr};
        const bool floats = type_ == Type::F;
        const Opcode opcode = (floats ? singles : integers)[random() % 12];
        const bool three = opcode == Opcode::Mad || opcode == Opcode::Lrp;
        const bool logic = opcode == Opcode::And || opcode == Opcode::Or || opcode == Opcode::Xor ||
                           opcode == Opcode::Not;
        const unsigned size = three || opcode == Opcode::Pln ? pick(random, {8, 16})
                                                             : pick(random, {1, 4, 8, 16, 16});
        // Few registers, so that each instruction reads what others have written.
        const auto type = [&] {
            return floats || random() % 2 ? type_ : random() % 2 ? Type::UD : Type::UW;
        };
        const auto source = [&](bool may_be_immediate) {
            const Type of = type();
            const unsigned reg = 2 * (random() % 8), width = std::min(size, 8u);
            Operand o = region(reg, 0, width, width, size == 1 ? 0 : 1, of);
            switch (random() % 6) {
                case 0:
                    o = scalar(reg, random() % 8, of);
                    break;
                case 1:
                    if (may_be_immediate)
                        return of == Type::UW ? imm(random() % 65536 * 0x10001u, of)
                                              : imm(interesting_word(random), of);
                    break;
                case 2:
                    o = region(reg, 0, 2 * width, width, size == 1 ? 0 : 2, of);
                    break;
                default:
                    break;
            }
            o.negate = random() % 4 == 0;
            o.absolute = !logic && random() % 8 == 0;
            return o;
        };
        Instruction in = make(opcode, size, dst(2 * (random() % 8), floats ? type_ : type()), {});
        if (opcode == Opcode::Pln) {
            in.src[0] = scalar(random() % 16, random() % 2 * 4, Type::F);
            in.src[1] = grf(2 * (random() % 6), Type::F);
            in.source_count = 2;
        } else if (three) {
            in.align16 = true;
            for (Operand& o : in.src) {
                o = grf(2 * (random() % 8), type_);
                o.negate = random() % 4 == 0;
                o.replicate = random() % 4 == 0;
            }
            in.source_count = 3;
            if (random() % 4 == 0) in.dst.chan_enable = random() % 16;
        } else {
            in.source_count = opcode == Opcode::Mov || opcode == Opcode::Not ||
                                      opcode == Opcode::Rndd || opcode == Opcode::Rndz ||
                                      opcode == Opcode::Rnde || opcode == Opcode::Frc
                                  ? 1
                                  : 2;
            for (unsigned i = 0; i < in.source_count; ++i)
                in.src[i] = source(i + 1 == in.source_count && in.source_count == 2);
        }
        constexpr CondMod conditions[] = {CondMod::Z,  CondMod::NZ, CondMod::G,
                                          CondMod::GE, CondMod::L,  CondMod::LE};
        if (opcode == Opcode::Cmp || (random() % 5 == 0 && !three))
            in.cond_mod = conditions[random() % 6];
        if (opcode == Opcode::Cmp && random() % 4 != 0) in.dst = null(in.dst.type);
        if (floats && opcode != Opcode::Cmp) in.saturate = random() % 8 == 0;
        in.no_mask = random() % 4 == 0;
        if (random() % 4 == 0) in.pred_ctrl = random() % 8 ? PredCtrl::Sequential : PredCtrl::Any8H;
        if (opcode == Opcode::Sel)
            in.pred_ctrl = in.cond_mod == CondMod::None ? PredCtrl::Sequential : PredCtrl::None;
        in.pred_invert = random() % 2;
        in.flag_reg = random() % 2;
        in.flag_subreg = random() % 2;
        if (random() % 4 == 0)
            in.channel_offset = size == 16 ? 16 : size == 8 ? 8 * (random() % 4) : 0;
        return in;
    }

    std::uint32_t first_ip_;
    Type type_;
    std::vector<DecodedInstruction> general_, fast_;
};

/// Carries messages out as calls, but for those of some channel masks.
struct FakeSite : DirectSite {
    Thread* thread = nullptr;
    bool run(const DirectSender&, std::uint32_t mask, const Grf* first, const Grf*, Grf*) override;
};

/// Answers a send by a value in r50, which says how much was executed before it: by itself, or as
/// a call of its site.
struct FakeMessages : Messages {
    Thread* thread = nullptr;
    std::uint64_t executed_before = 0;
    std::uint64_t leave_at = ~std::uint64_t{0};
    bool left = false;
    std::vector<DirectSite*> sites;
    std::uint32_t called = 0;
    static void answer(Thread& thread) {
        set<std::uint32_t>(thread, 50, 3, get<std::uint32_t>(thread, 50, 3) * 3 + 1);
        set<std::uint32_t>(thread, 50, 4, get<std::uint32_t>(thread, 50, 4) * 5 + thread.send_mask);
    }
    bool send(Thread& of, const DecodedInstruction& d, unsigned, Cycles now) override {
        EXPECT_EQ(d.execute(of, d), Outcome::Send);
        answer(of);
        left = executed_before + now.value == leave_at;
        return !left;
    }
    FakeSite site;
    bool has_site = false;
    Direct direct(unsigned most) override {
        sites.assign(most + 1u, has_site ? &site : nullptr);
        return {sites.data(), nullptr, &called};
    }
};

bool FakeSite::run(const DirectSender&, std::uint32_t mask, const Grf* first, const Grf*, Grf*) {
    if (mask % 8 == 3) return false;
    EXPECT_EQ(first, &thread->grf[10]);
    thread->send_mask = mask;
    FakeMessages::answer(*thread);
    return true;
}

void take_nans(Thread& thread, const Thread& from) {
    for (unsigned i = 0; i < kGrfCount * 8; ++i) {
        const float a = get<float>(thread, 0, i), b = get<float>(from, 0, i);
        if (std::isnan(a) && std::isnan(b)) set<float>(thread, 0, i, b);
    }
}

/// Runs the code by a region where it runs now, and else one instruction at a time, as an EU does.
/// Gives the instructions executed by the region.
std::uint64_t run(Thread& thread, const RandomCode& code, const jit::CompiledRegion& region,
                  FakeMessages& messages, std::uint64_t count) {
    std::uint64_t done = 0, compiled = 0;
    while (done < count) {
        const DecodedInstruction* const next = code.find(thread.ip);
        if (next == nullptr) break;
        if (region.has(thread.ip) && done + region.size() <= count && region.runs_now(thread)) {
            messages.executed_before = done;
            const CodeRegion::Run ran = region.run(thread, messages, Cycles(), count - done);
            EXPECT_GT(ran.instructions, 0u);
            EXPECT_LE(ran.instructions, count - done);
            done += ran.instructions;
            compiled += ran.instructions;
            EXPECT_EQ(ran.left, messages.left);
            if (ran.left || ran.instructions == 0) break;
            continue;
        }
        if (next->execute(thread, *next) == Outcome::Send) FakeMessages::answer(thread);
        ++done;
    }
    messages.executed_before = done;
    return compiled;
}

TEST(CompiledRegions, DoWhatTheirInstructionsDoOneAfterTheOther) {
    Random random(31);
    std::uint64_t compiled = 0, all = 0, called = 0;
    for (unsigned n = 0; n < gen9::test::rounds(6000); ++n) {
        auto start = random_thread(random);
        // Most kernels run in these modes.
        if (random() % 2) start->control[0] = cr0::kFloatDenormals;
        if (random() % 4 == 0) {
            start->active = ~0u;
            park(*start, random(), start->ip + 16 * (random() % 24));
        }
        const RandomCode code(random, start->ip, 8 + random() % 24);
        const std::vector<jit::Part> parts = code.parts(random);
        for (const jit::Level level : levels()) {
            const auto region = jit::CompiledRegion::make(parts, start->control[0], level);
            if (region == nullptr) continue;
            Thread thread = *start, reference = *start;
            FakeMessages messages;
            messages.site.thread = &thread;
            messages.has_site = random() % 2;
            if (random() % 4 == 0) messages.leave_at = random() % 64;
            compiled += run(thread, code, *region, messages, 200 + random() % 100);
            const std::uint64_t count = messages.executed_before;
            all += count;
            called += messages.called;
            for (std::uint64_t done = 0; done < count; ++done) {
                const DecodedInstruction* const d = code.find(reference.ip);
                ASSERT_NE(d, nullptr);
                if (d->execute(reference, *d) == Outcome::Send) FakeMessages::answer(reference);
            }
            take_nans(thread, reference);
            ASSERT_TRUE(same_state(thread, reference))
                << n << " level " << int(level) << " after " << count;
        }
    }
    if (!levels().empty()) {
        EXPECT_GT(compiled, all / 2);
        EXPECT_GT(called, gen9::test::rounds(6000));
    }
}

/// A window of memory whose messages move slot by slot, and which counts what is a call.
struct WindowSite : PlainDirectSite {
    std::vector<std::uint8_t> memory = std::vector<std::uint8_t>(4096);
    std::uint64_t findings = 7;
    unsigned begun = 0, calls = 0;
    std::size_t local = 0;

    bool is(PlainMessages::Fact fact) const { return (plain.form.facts & fact) != 0; }
    /// Where a slot's items are, from the window's first byte on.
    std::uint64_t place(const Grf* first, unsigned slot) const {
        std::uint64_t offset = 0;
        const unsigned bytes = is(PlainMessages::kWide) ? 8 : 4;
        std::memcpy(&offset, bytes_from(*first) + slot * bytes, bytes);
        if (is(PlainMessages::kScaled)) offset *= 4;
        return is(PlainMessages::kLocal) ? offset + local : offset - plain.begin;
    }
    void move(const Grf* first, const std::uint8_t* data, Grf* response) {
        const unsigned slots = plain.form.slots, items = plain.form.items;
        std::vector<std::uint64_t> places;
        for (unsigned slot = 0; slot < slots; ++slot)
            places.push_back(place(first, slot));
        for (unsigned n = 0; n < items; ++n)
            for (unsigned slot = 0; slot < slots; ++slot) {
                std::uint8_t* const at = memory.data() + places[slot] + 4 * n;
                const unsigned dword = 4 * (n * slots + slot);
                if (is(PlainMessages::kReads))
                    std::memcpy(bytes_from(*response) + dword, at, 4);
                else
                    std::memcpy(at, data + dword, 4);
            }
    }
    bool run(const DirectSender&, std::uint32_t, const Grf*, const Grf*, Grf*) override {
        ++calls;
        return true;
    }
    void begin_count() override { ++begun; }
};

struct WindowMessages : Messages {
    explicit WindowMessages(WindowSite& site) : site_(&site), plain_(&site.plain) {}
    std::uint32_t called = 0;
    bool send(Thread&, const DecodedInstruction&, unsigned, Cycles) override {
        ADD_FAILURE() << "its site takes all messages";
        return true;
    }
    Direct direct(unsigned) override { return {&site_, nullptr, &called, &plain_}; }

  private:
    DirectSite* site_;
    PlainMessages* plain_;
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
        form.items = static_cast<std::uint8_t>(random() % 3 == 0 && reads ? 1 + random() % 4 : 1);
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
        site.plain.findings = &site.findings;
        site.plain.found = site.findings;
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
    /// Is there code for messages that lie so?
    bool has_code() const {
        const PlainMessages::Form& form = site.plain.form;
        const bool reads = site.is(PlainMessages::kReads);
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
    unsigned moved = 0;
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
        const DecodedInstruction d = prepare(in, 0x100);
        const jit::Part part{&d, d.ip, d.next_ip, 0};
        for (const jit::Level level : levels()) {
            auto thread = random_thread(random);
            thread->control[0] = cr0::kFloatDenormals;
            if (random() % 4 != 0) thread->flag[0] = in.pred_invert ? 0 : ~0u;
            auto state = std::make_shared<PipelineState>();
            thread->sideband.state = state;
            thread->sideband.binding_table_offset = 96;
            thread->sideband.slm_base = static_cast<std::uint32_t>(site.local);
            thread->sideband.slm_size = 4096;
            site.plain.state = state.get();
            site.plain.table = 96;
            bool fits = random() % 4 != 0;
            message.set_offsets(random, *thread, fits);
            std::uint32_t slots = in.no_mask ? ~0u : thread->active;
            if (in.pred_ctrl != PredCtrl::None)
                slots &= in.pred_invert ? ~thread->flag[0] : thread->flag[0];
            if (~slots & low_mask(form.slots)) fits = false;
            site.plain.found = site.findings;
            // One of what it was found under has changed.
            switch (random() % 16) {
                case 0:
                    ++site.findings;
                    fits = false;
                    break;
                case 1:
                    if (!site.is(kBound)) break;
                    thread->sideband.binding_table_offset = 0;
                    fits = false;
                    break;
                case 2:
                    if (!site.is(kBound)) break;
                    thread->sideband.state = std::make_shared<PipelineState>();
                    fits = false;
                    break;
                case 3:
                    if (!site.is(kLocal)) break;
                    thread->sideband.slm_size = 0;
                    fits = false;
                    break;
                case 4: {
                    if (!site.is(kAligned)) break;
                    const bool all = random() % 2 || message.lie != Lie::Anywhere;
                    for (unsigned slot = 0; slot < (all ? form.slots : 1u); ++slot)
                        ++bytes_from(
                            thread->grf[PlainMessage::kOffsets])[slot * (site.is(kWide) ? 8 : 4)];
                    fits = false;
                    break;
                }
                default:
                    break;
            }
            fits = fits && message.has_code();
            WindowMessages messages(site);
            const auto region = jit::CompiledRegion::make({&part, 1}, thread->control[0], level);
            ASSERT_NE(region, nullptr);
            Thread expected = *thread;
            const std::vector<std::uint8_t> before = site.memory;
            site.calls = site.begun = 0;
            site.plain.uncounted = random() % 2 ? PlainMessages::kNone : 3;
            const std::uint32_t uncounted = site.plain.uncounted;
            const CodeRegion::Run ran = region->run(*thread, messages, Cycles(), 10);
            ASSERT_EQ(ran.instructions, 1u);
            ASSERT_EQ(messages.called, 1u);
            ASSERT_EQ(site.calls, fits ? 0u : 1u) << n << " level " << int(level);
            ASSERT_EQ(site.plain.uncounted, uncounted + (fits ? 1 : 0));
            ASSERT_EQ(site.begun, fits && uncounted == PlainMessages::kNone ? 1u : 0u);
            std::vector<std::uint8_t> after = site.memory;
            site.memory = before;
            site.plain.host = site.memory.data();
            if (fits) {
                ++moved;
                const unsigned reg =
                    site.is(kSecond) ? PlainMessage::kSecond : PlainMessage::kOffsets;
                site.move(&expected.grf[PlainMessage::kOffsets],
                          expected.grf[reg + form.data].bytes,
                          &expected.grf[PlainMessage::kResponse]);
            }
            ASSERT_EQ(site.memory, after) << n << " level " << int(level);
            expected.ip = thread->ip;
            ASSERT_TRUE(same_state(*thread, expected)) << n << " level " << int(level);
            // Another EU's site may have another form than the code was made for.
            thread->ip = d.ip;
            site.plain.form.data ^= 1;
            site.calls = 0;
            region->run(*thread, messages, Cycles(), 10);
            ASSERT_EQ(site.calls, 1u);
            site.plain.form.data ^= 1;
        }
    }
    EXPECT_GE(moved, levels().size() * gen9::test::rounds(6000) / 4);
}

}  // namespace
}  // namespace gen9::eu::test
