// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/eu/sequence_fuzzer.h"

#include <algorithm>
#include <cstring>
#include <random>
#include <sstream>
#include <utility>

#include "common/register_bytes.h"
#include "eu/jit/host.h"
#include "isa/text/disassemble.h"
#include "tests/fuzz/eu/word_fuzzer.h"

namespace gen9::eu::test {
namespace {

constexpr std::size_t kNowhere = ~std::size_t{0};

/// What a message does here, by itself or as a call.
void answer(Thread& thread) {
    auto* const words = thread.grf[20].bytes;
    store(words + 12, load<std::uint32_t>(words + 12) * 3 + 1);
    store(words + 16, load<std::uint32_t>(words + 16) * 5 + thread.send_mask);
}

bool sends(const DecodedInstruction& d) {
    using enum isa::Opcode;
    const isa::Opcode opcode = d.instruction.opcode;
    return opcode == Send || opcode == Sends || opcode == Sendc || opcode == Sendsc;
}

/// Executes an instruction; a thread that waits for a notification has it. A message goes to the
/// port, if there is one. False: the thread does not go on.
bool step(Thread& thread, const DecodedInstruction& d, Port* port = nullptr) {
    Outcome outcome = execute(thread, d);
    if (outcome == Outcome::Wait && d.instruction.opcode == isa::Opcode::Wait) {
        thread.notification = {2, 2, 2, 2};
        outcome = execute(thread, d);
    }
    if (outcome == Outcome::Send || outcome == Outcome::End)
        port != nullptr ? port->deliver(thread, d) : answer(thread);
    return outcome == Outcome::Next || outcome == Outcome::Send || outcome == Outcome::Exception;
}

/// Calls of messages; those of some masks are not carried out.
struct FakeSite : DirectSite {
    Thread* thread = nullptr;
    std::uint64_t called = 0;
    bool run(const DirectSender&, std::uint32_t mask, const Grf*, const Grf*, Grf*) override {
        if (mask % 8 == 3) return false;
        thread->send_mask = mask;
        answer(*thread);
        ++called;
        return true;
    }
};

struct FakeMessages : Messages {
    std::uint64_t begin = 0, leave_at = 0;
    bool left = false, ended = false, waits = false, has_site = false, wrong = false;
    FakeSite site;
    std::vector<DirectSite*> sites;
    std::uint32_t called = 0;
    Port* const port;
    const DirectSender sender;
    FakeMessages(const Thread& thread, Port* to)
        : port(to), sender{thread.sideband, Port::kCause} {}
    bool send(Thread& thread, const DecodedInstruction& d, unsigned, Cycles now) override {
        // Whoever must wait for other threads is not to send.
        const Outcome outcome = execute(thread, d);
        wrong |= outcome != Outcome::Send && outcome != Outcome::End;
        port != nullptr ? port->deliver(thread, d) : answer(thread);
        ended = outcome != Outcome::Send;
        left = ended || begin + now.value == leave_at;
        return !left;
    }
    void wait(Thread&, const DecodedInstruction&, Cycles) override { waits = true; }
    Direct direct(unsigned most) override {
        if (port != nullptr)
            return {port->sites(), &sender, &called, port->plain(), &port->epoch()};
        sites.assign(most + 1u, has_site ? &site : nullptr);
        return {sites.data(), nullptr, &called};
    }
};

std::vector<jit::Level> levels_of_host() {
    std::vector<jit::Level> found;
    for (const jit::Level level : {jit::Level::Avx2, jit::Level::Avx512})
        if (level <= jit::host_level()) found.push_back(level);
    return found;
}

bool is_nan(const std::uint8_t* bytes, isa::Type type) {
    switch (type) {
        case isa::Type::F:
            return (load<std::uint32_t>(bytes) & 0x7FFFFFFF) > 0x7F800000;
        case isa::Type::HF:
            return (load<std::uint16_t>(bytes) & 0x7FFF) > 0x7C00;
        default:
            return (load<std::uint64_t>(bytes) & 0x7FFF'FFFF'FFFF'FFFF) > 0x7FF0'0000'0000'0000;
    }
}

/// Is there a NaN where the instruction may have written one?
bool holds_nan(const Thread& thread, const isa::Instruction& in) {
    if (!isa::is_float(in.dst.type)) return false;
    const unsigned size = isa::size_bytes(in.dst.type);
    const auto any = [&](const std::uint8_t* bytes, std::size_t count) {
        for (std::size_t at = 0; at + size <= count; at += size)
            if (is_nan(bytes + at, in.dst.type)) return true;
        return false;
    };
    if (in.acc_write || in.dst.file == isa::RegFile::Arf) {
        for (const auto& acc : thread.acc)
            if (any(acc.data(), acc.size())) return true;
    }
    return any(thread.grf[0].bytes, sizeof thread.grf);
}

}  // namespace

const char* difference(const Thread& a, const Thread& b) {
    const auto same = [&](const auto& x, const auto& y) {
        return std::memcmp(&x, &y, sizeof x) == 0;
    };
    if (!same(a.grf, b.grf)) return "general registers";
    if (a.ip != b.ip) return "ip";
    if (a.active != b.active || a.waiting != b.waiting || !same(a.channel_ip, b.channel_ip) ||
        a.dispatch_mask != b.dispatch_mask)
        return "channels";
    if (a.wake_ip != b.wake_ip || a.low_ip != b.low_ip) return "where channels wait";
    if (a.call_mask != b.call_mask) return "channels of a call";
    if (a.send_mask != b.send_mask) return "channels of a message";
    if (!same(a.control, b.control)) return "cr0";
    if (!same(a.flag, b.flag)) return "flags";
    if (!same(a.address, b.address)) return "a0";
    if (!same(a.notification, b.notification)) return "n0";
    if (!same(a.acc, b.acc)) return "accumulators";
    if (!same(a.special_acc, b.special_acc)) return "acc2 to acc9";
    if (!same(a.state, b.state) || !same(a.hardware_state, b.hardware_state)) return "sr";
    if (!same(a.stack, b.stack)) return "sp";
    if (!same(a.dependency, b.dependency)) return "tdr";
    if (!same(a.timestamp, b.timestamp) || !same(a.debug, b.debug)) return "tm or dbg";
    return a.routine != b.routine ? "system routine" : nullptr;
}

void SequenceCounts::add(const Thread& thread, const isa::Instruction& in) {
    ++opcodes[static_cast<std::size_t>(in.opcode)];
    ++predicates[static_cast<std::size_t>(in.pred_ctrl) % predicates.size()];
    ++conditions[static_cast<std::size_t>(in.cond_mod) % conditions.size()];
    ++exec_sizes[in.exec_size];
    ++channel_offsets[in.channel_offset];
    align16 += in.align16;
    saturated += in.saturate;
    const bool sends = in.opcode == isa::Opcode::Send || in.opcode == isa::Opcode::Sends;
    messages += sends;
    waits += in.opcode == isa::Opcode::Wait;
    some_channels += thread.active != ~0u;
    flushes += isa::is_float(in.dst.type) && (thread.control[0] & cr0::kFloatDenormals) == 0;
    if (sends || in.source_count == 0) return;
    ++destinations[static_cast<std::size_t>(in.dst.type)];
    const auto operand = [&](const isa::Operand& o) {
        indirect += o.indirect;
        several_indices += o.multi_indirect;
        architecture += o.file == isa::RegFile::Arf && !o.is_null();
        accumulators += o.is_arf(isa::Arf::Accumulator);
    };
    operand(in.dst);
    for (unsigned i = 0; i < in.source_count; ++i) {
        operand(in.src[i]);
        ++sources[static_cast<std::size_t>(in.src[i].type)];
        modified += in.src[i].negate || in.src[i].absolute;
        immediates += in.src[i].file == isa::RegFile::Imm;
    }
}

const DecodedInstruction* SequenceFuzzer::Code::find(const std::vector<DecodedInstruction>& of,
                                                     std::uint32_t ip) const {
    const auto found = std::ranges::lower_bound(of, ip, {}, &DecodedInstruction::ip);
    return found != of.end() && found->ip == ip ? &*found : nullptr;
}

void SequenceFuzzer::take(const std::vector<isa::Instruction>& all) {
    code_.general.resize(all.size());
    code_.fast.resize(all.size());
    std::uint32_t ip = first_ip_;
    for (std::size_t i = 0; i < all.size(); ++i) {
        code_.general[i].ip = ip;
        take_one(i, all[i]);
        ip += all[i].length_bytes;
    }
}
void SequenceFuzzer::take_one(std::size_t place, const isa::Instruction& in) {
    const std::uint32_t ip = code_.general[place].ip;
    code_.general[place] = prepare_general(in, ip);
    code_.fast[place] = prepare(in, ip);
}

/// Do its other ways of execution give a NaN other bits? Whatever else they do is wrong.
bool SequenceFuzzer::has_open_nan(const Thread& before, std::size_t place, const Thread& after,
                                  std::string& found) {
    const DecodedInstruction& fast = code_.fast[place];
    const isa::Instruction& in = fast.instruction;
    if (in.opcode == isa::Opcode::Wait) return false;
    bool open = false;
    auto thread = std::make_unique<Thread>();
    const auto look = [&](const char* way) {
        if (difference(*thread, after) == nullptr) return;
        open = true;
        const char* const other = differs(*thread, after, in);
        // Accumulators have no tolerance there.
        if (other == nullptr || std::strcmp(other, "accumulators") == 0) return;
        found = isa::disassemble(in, fast.ip) + ": other " + other + " " + way;
    };
    *thread = before;
    step(*thread, fast);
    look("by its specialised function");
    const bool right_modes = fast.fast.masked != nullptr &&
                             (before.control[0] & fast.fast.modes) == fast.fast.modes_wanted;
    if (right_modes) {
        *thread = before;
        {
            const HostFlush flush((fast.fast.keeps_denormals & ~before.control[0]) != 0);
            fast.fast.masked(*thread, fast);
        }
        advance(*thread, fast.next_ip);
        look("by its specialised function for some channels");
    }
    for (const jit::Level level : levels_of_host()) {
        const jit::Part part{&fast, fast.ip, fast.next_ip};
        const auto region = jit::CompiledRegion::make({&part, 1}, before.control[0], level);
        if (region == nullptr || !region->has(before.ip) || !region->runs_now(before)) continue;
        *thread = before;
        FakeMessages messages(*thread, nullptr);
        region->run(*thread, messages, Cycles(), 1);
        look("compiled alone");
    }
    return open;
}

bool SequenceFuzzer::settle(std::uint64_t count, std::string& found) {
    if (ports_ == nullptr) return settle(count, 0, found);
    for (unsigned sender = 0; sender < PortSetup::kThreads; ++sender)
        if (!settle(count, sender, found)) return false;
    return true;
}

bool SequenceFuzzer::settle(std::uint64_t count, unsigned sender, std::string& found) {
    auto thread = std::make_unique<Thread>(*start_), before = std::make_unique<Thread>(),
         other = std::make_unique<Thread>();
    Port* const port = ports_ != nullptr ? &ports_->settling : nullptr;
    if (port != nullptr) port->begin(*thread, setup_, sender);
    for (std::uint64_t done = 0; done < count; ++done) {
        const DecodedInstruction* const d = code_.find(code_.general, thread->ip);
        if (d == nullptr) return true;
        *before = *other = *thread;
        const bool goes_on = step(*thread, *d, port);
        // Nor is a message carried out twice.
        if (port != nullptr && sends(*d)) {
            if (!goes_on) return true;
            continue;
        }
        const auto place = static_cast<std::size_t>(d - code_.general.data());
        step(*other, code_.fast[place]);
        const bool asks =
            holds_nan(*thread, d->instruction) || difference(*thread, *other) != nullptr;
        if (asks && has_open_nan(*before, place, *thread, found)) {
            isa::Instruction nothing = d->instruction;
            nothing = {};
            nothing.opcode = isa::Opcode::Nop;
            nothing.length_bytes = d->instruction.length_bytes;
            nothing.compacted = d->instruction.compacted;
            take_one(place, nothing);
            ++counts_.taken_out;
            return false;
        }
        if (!goes_on) return true;
    }
    return true;
}

/// Runs the code by the region where it runs now, and else one instruction at a time, as an EU does.
/// Gives the instructions executed.
std::uint64_t SequenceFuzzer::run_compiled(const jit::CompiledRegion& region, Thread& thread,
                                           std::uint64_t count, std::mt19937_64& random) {
    Port* const port = ports_ != nullptr ? &ports_->compiled : nullptr;
    FakeMessages messages(thread, port);
    messages.site.thread = &thread;
    messages.leave_at = random() % 4 == 0 ? random() % 64 : ~std::uint64_t{0};
    messages.has_site = random() % 2 == 0;
    std::uint64_t done = 0;
    while (done < count) {
        const DecodedInstruction* const next = code_.find(code_.fast, thread.ip);
        if (next == nullptr) break;
        if (region.has(thread.ip) && done + region.size() <= count && region.runs_now(thread)) {
            messages.begin = done;
            if (port != nullptr && random() % 16 == 0) port->move();
            const CodeRegion::Run ran = region.run(thread, messages, Cycles(), count - done);
            done += ran.instructions;
            counts_.compiled += ran.instructions;
            if (std::exchange(messages.waits, false)) {
                // A send that waits for other threads does so for good.
                const DecodedInstruction* const there = code_.find(code_.fast, thread.ip);
                if (there == nullptr || there->instruction.opcode != isa::Opcode::Wait) {
                    ++done;
                    break;
                }
                thread.notification = {2, 2, 2, 2};
                continue;
            }
            no_code_ |= ran.instructions == 0 && !ran.left;
            wrong_message_ |= messages.wrong;
            if (ran.left || ran.instructions == 0) break;
            continue;
        }
        ++done;
        if (!step(thread, *next, port)) break;
    }
    direct_ = messages.called;
    return done;
}

std::string SequenceFuzzer::compare(const std::vector<jit::Part>& parts, jit::Level level,
                                    std::uint64_t seed, bool counts) {
    const auto region = jit::CompiledRegion::make(parts, start_->control[0], level);
    if (region == nullptr) return {};
    std::mt19937_64 random(seed);
    if (ports_ == nullptr) return compare(*region, level, 0, random, counts);
    ports_->compiled.make_sites(code_.fast);
    std::string found;
    for (unsigned sender = 0; sender < PortSetup::kThreads && found.empty(); ++sender)
        found = compare(*region, level, sender, random, counts);
    if (found.empty() && !Port::counts_alike(ports_->compiled, ports_->stepped))
        found = "other counters of the data port";
    if (found.empty()) return found;
    // What a difference has left is none of the next one's.
    kept_ports_.reset();
    set_up_ports();
    return found;
}

std::string SequenceFuzzer::compare(const jit::CompiledRegion& region, jit::Level level,
                                    unsigned sender, std::mt19937_64& random, bool counts) {
    const std::uint64_t most = 100 + random() % 100;
    auto thread = std::make_unique<Thread>(*start_), reference = std::make_unique<Thread>(*start_);
    Port *compiled = nullptr, *stepped = nullptr;
    if (ports_ != nullptr) {
        compiled = &ports_->compiled;
        stepped = &ports_->stepped;
        compiled->begin(*thread, setup_, sender);
        stepped->begin(*reference, setup_, sender);
        compiled->sent = stepped->sent = 0;
    }
    const std::uint64_t count = run_compiled(region, *thread, most, random);
    for (std::uint64_t done = 0; done < count; ++done) {
        const DecodedInstruction* const d = code_.find(code_.general, reference->ip);
        if (d == nullptr) return "executes more than there is";
        if (counts && region.has(reference->ip)) counts_.add(*reference, d->instruction);
        step(*reference, *d, stepped);
    }
    counts_.executed += count;
    if (std::exchange(no_code_, false)) return "no code is made";
    if (std::exchange(wrong_message_, false)) return "a message that must wait is sent";
    const char* what = nullptr;
    if (compiled != nullptr) {
        compiled->count_plain(counts_.plain);
        compiled->settle();
        counts_.sent += stepped->sent;
        counts_.direct += direct_;
        if (thread->places.owner != 0) ++counts_.kept;
        what = stepped->sent != compiled->sent + direct_ ? "number of messages"
                                                         : Port::difference(*compiled, *stepped);
        // Where the code sends, it is nobody's.
        thread->send_mask = reference->send_mask;
    }
    if (const char* const other = difference(*thread, *reference)) what = other;
    if (what == nullptr) return {};
    std::ostringstream text;
    text << "other " << what << " after " << count << " instructions, level " << int(level);
    for (unsigned i = 0; i < kGrfCount * 8; ++i) {
        const auto a = load<std::uint32_t>(bytes_from(thread->grf[0]) + 4 * i),
                   b = load<std::uint32_t>(bytes_from(reference->grf[0]) + 4 * i);
        if (a != b)
            text << "\n  r" << i / 8 << "." << i % 8 << std::hex << " 0x" << a << ", not 0x" << b
                 << std::dec;
    }
    return text.str();
}

/// The parts without which the difference is not there.
std::string SequenceFuzzer::reduced(std::vector<jit::Part> parts, jit::Level level,
                                    std::uint64_t seed) {
    std::string found = compare(parts, level, seed, false);
    for (jit::Part& part : parts) {
        const DecodedInstruction* const kept = std::exchange(part.instruction, nullptr);
        const std::string without = compare(parts, level, seed, false);
        if (without.empty())
            part.instruction = kept;
        else
            found = without;
    }
    std::ostringstream text;
    text << found << std::hex << "\n  cr0 0x" << start_->control[0] << " active 0x"
         << start_->active << "\n";
    for (const jit::Part& part : parts)
        if (part.instruction != nullptr)
            text << "  0x" << part.ip << ": "
                 << isa::disassemble(part.instruction->instruction, part.ip) << "\n";
    return text.str();
}

std::string SequenceFuzzer::compare(jit::Level level, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    std::vector<jit::Part> parts;
    for (const DecodedInstruction& d : code_.fast) {
        // Some are not ready.
        const bool ready = random() % 40 != 0 || parts.empty();
        parts.push_back(
            {ready ? &d : nullptr, d.ip, d.next_ip, static_cast<unsigned>(&d - code_.fast.data())});
    }
    return compare(parts, level, seed, true).empty() ? std::string() : reduced(parts, level, seed);
}

void SequenceFuzzer::set_up_ports() {
    if (kept_ports_ == nullptr) kept_ports_ = std::make_unique<Ports>();
    ports_ = kept_ports_.get();
    for (Port* const port : {&ports_->compiled, &ports_->stepped, &ports_->settling})
        port->set_up(setup_);
}

std::string SequenceFuzzer::run(std::uint64_t seed, bool messages) {
    ++counts_.sequences;
    SequenceGenerator generate(seed, messages);
    first_ip_ = 16 * (1 + generate.below(64));
    if (messages) setup_ = generate.port_setup();
    take(generate.code(first_ip_));
    generate.start(*start_, first_ip_, code_.fast.back().next_ip);
    ports_ = nullptr;
    if (messages) set_up_ports();
    std::string found;
    while (!settle(200, found)) {
    }
    for (const jit::Level level : levels_of_host()) {
        if (!found.empty()) break;
        found = compare(level, seed);
    }
    return found;
}

}  // namespace gen9::eu::test
