// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/eu/word_fuzzer.h"

#include <algorithm>
#include <cstring>
#include <iomanip>
#include <sstream>

#include "common/bits.h"
#include "eu/thread/float_control.h"
#include "eu/thread/masks.h"
#include "isa/format/encode.h"
#include "isa/text/disassemble.h"

namespace gen9::eu::test {
namespace {

constexpr const char* kOutcomes[] = {"next", "send", "end", "wait", "fault", "exception"};

std::string hex(std::span<const std::uint8_t> bytes) {
    std::ostringstream out;
    for (const std::uint8_t byte : bytes)
        out << std::hex << std::setw(2) << std::setfill('0') << unsigned{byte};
    return out.str();
}

template <class T>
bool same(const T& a, const T& b) {
    return std::memcmp(&a, &b, sizeof a) == 0;
}

bool is_nan(std::uint64_t bits, isa::Type type) {
    if (type == isa::Type::F) return (bits & 0x7FFFFFFF) > 0x7F800000;
    if (type == isa::Type::HF) return (bits & 0x7FFF) > 0x7C00;
    return (bits & 0x7FFF'FFFF'FFFF'FFFF) > 0x7FF0'0000'0000'0000;
}

/// The same registers, NaN of any payload and sign being one (guide 3.1 item 5).
bool same_registers(const Thread& a, const Thread& b, const isa::Operand& dst) {
    if (std::memcmp(a.grf.data(), b.grf.data(), sizeof a.grf) == 0) return true;
    if (!isa::is_float(dst.type)) return false;
    const unsigned size = isa::size_bytes(dst.type);
    const auto* left = a.grf[0].bytes;
    const auto* right = b.grf[0].bytes;
    for (std::size_t at = 0; at < sizeof a.grf; at += size) {
        std::uint64_t x = 0, y = 0;
        std::memcpy(&x, left + at, size);
        std::memcpy(&y, right + at, size);
        if (x != y && !(is_nan(x, dst.type) && is_nan(y, dst.type))) return false;
    }
    return true;
}

}  // namespace

const char* differs(const Thread& a, const Thread& b, const isa::Instruction& in) {
    if (!same_registers(a, b, in.dst)) return "registers";
    if (a.ip != b.ip || a.active != b.active || a.waiting != b.waiting) return "channels";
    if (a.flag != b.flag) return "flags";
    if (a.acc != b.acc || a.special_acc != b.special_acc) return "accumulators";
    return a.address != b.address || a.control != b.control ? "state" : nullptr;
}

const char* touched(const Thread& before, const Thread& after, const isa::Instruction& in) {
    const isa::OpcodeInfo& row = isa::info(in.opcode);
    const bool to_arf = in.dst.file == isa::RegFile::Arf;
    const auto to = [&](isa::Arf kind) { return in.dst.is_arf(kind); };
    const bool accumulates = in.acc_write || to(isa::Arf::Accumulator) ||
                             row.has(isa::kAccWriteRequired) || row.has(isa::kSpecialAcc) ||
                             in.opcode == isa::Opcode::Math;
    const bool conditions =
        in.cond_mod != isa::CondMod::None || in.opcode == isa::Opcode::Math || to(isa::Arf::Flag);
    if (!accumulates && !same(before.acc, after.acc)) return "an accumulator";
    if (!accumulates && !same(before.special_acc, after.special_acc)) return "acc2 to acc9";
    if (!to(isa::Arf::Address) && !same(before.address, after.address)) return "a0";
    if (!to(isa::Arf::StackPointer) && !same(before.stack, after.stack)) return "sp";
    if (!to(isa::Arf::ThreadDependency) && !same(before.dependency, after.dependency)) return "tdr";
    if (!conditions && !same(before.flag, after.flag)) return "a flag";
    if (to_arf && !same(before.grf, after.grf)) return "a general register";
    return before.sideband.state != after.sideband.state ? "the sideband" : nullptr;
}

std::string FuzzCounts::text() const {
    std::ostringstream out;
    out << words << " words, " << decoded << " decoded, " << specialised
        << " with a specialised function; outcomes";
    for (std::size_t i = 0; i < outcomes.size(); ++i)
        out << ' ' << kOutcomes[i] << ' ' << outcomes[i];
    out << '\n';
    for (const auto& [why, number] : refusals)
        out << "  refused: " << why << ": " << number << '\n';
    out << kernels << " kernels, " << instructions << " instructions, " << messages << " messages, "
        << data_port_messages << " to the data port; endings";
    for (std::size_t i = 0; i < endings.size(); ++i)
        out << ' ' << (i == 0 ? "limit" : kOutcomes[i]) << ' ' << endings[i];
    out << '\n';
    for (const std::string& failure : first_failures)
        out << "FAILURE: " << failure << '\n';
    out << failures << " failures\n";
    return out.str();
}

WordFuzzer::WordFuzzer(std::uint64_t seed) : random_(seed), generate_(seed ^ 0x5EED) {
    constexpr unsigned kPool = 32;
    for (unsigned i = 0; i < kPool; ++i) {
        pool_.push_back(std::make_unique<Thread>());
        randomise(*pool_.back());
    }
    namespace state = packets::render_surface_state;
    using hdc::test::Bench;
    using hdc::test::SurfaceBits;
    port_->reporter.log = [](const std::string&) {};
    for (unsigned i = 0; i < 4; ++i)
        port_->bind(i, SurfaceBits::buffer(Bench::kData + 0x4000 * i, 0x1000 << i));
    port_->bind(4, SurfaceBits::image(1, 0x0C7, Bench::kData, 64, 16, 1, 256));
}

void WordFuzzer::fail(const std::string& what) {
    ++counts_.failures;
    if (counts_.first_failures.size() >= 20) return;
    const isa::DecodeResult result = isa::decode(current_);
    counts_.first_failures.push_back(
        what + ": " + hex(current_) + " " +
        (result.ok ? isa::disassemble(result.instruction) : result.why));
}

/// Everything an instruction can read: registers full of small and wild numbers, channels anywhere,
/// any mode.
void WordFuzzer::randomise(Thread& thread) {
    for (unsigned reg = 0; reg < kGrfCount; ++reg)
        for (unsigned i = 0; i < kGrfBytes; i += 8) {
            const std::uint64_t noise = random_();
            const std::uint64_t narrow = (noise & 0x0000'0FFF'0000'0FFF);
            store(thread.grf[reg].bytes + i, random_() % 3 == 0 ? narrow : noise);
        }
    for (auto& acc : thread.acc)
        for (auto& byte : acc)
            byte = static_cast<std::uint8_t>(random_());
    for (auto& acc : thread.special_acc)
        for (auto& bits : acc)
            bits = random_() & 3;
    // EU-073: only the first two are whole.
    for (std::size_t i = 0; i < thread.address.size(); ++i)
        thread.address[i] = static_cast<std::uint16_t>(random_() & (i < 2 ? 0xFFFF : 0xFFF));
    for (auto& flag : thread.flag)
        flag = static_cast<std::uint32_t>(random_());
    thread.control[0] = static_cast<std::uint32_t>(random_() % 4 == 0 ? random_() : 0) |
                        (random_() % 2 == 0 ? cr0::kFloatDenormals : 0);
    for (auto& count : thread.notification)
        count = random_() % 3;
    thread.ip = static_cast<std::uint32_t>(random_() % 0x10000) & ~7u;
    thread.dispatch_mask = static_cast<std::uint32_t>(random_() % 4 == 0 ? random_() : 0xFFFFFFFF);
    const auto split = static_cast<std::uint32_t>(random_() % 2 == 0 ? ~0ull : random_());
    thread.active = thread.dispatch_mask & split;
    thread.waiting = thread.dispatch_mask & ~split;
    for (auto& ip : thread.channel_ip)
        ip = static_cast<std::uint32_t>(random_() % 0x10000) & ~7u;
    thread.call_mask = static_cast<std::uint32_t>(random_() % 2 == 0 ? random_() : 0);
    thread.sideband.state = port_->state;
    resynchronise(thread);
}

isa::Instruction WordFuzzer::legal() {
    const auto table = isa::opcode_table();
    const isa::OpcodeInfo& row = table[random_() % table.size()];
    const auto forms = isa::test::forms_of(row);
    return generate_.make(row, forms[random_() % forms.size()],
                          static_cast<std::uint32_t>(random_() % 64 * 16), 1024);
}

WordFuzzer::Word WordFuzzer::draw() {
    Word word;
    store(word.data(), random_());
    store(word.data() + 8, random_());
    const auto table = isa::opcode_table();
    switch (random_() % 6) {
        case 0:
            return word;  // noise
        case 1:           // an opcode there is, in either length
            word[0] = table[random_() % table.size()].code;
            return word;
        case 2: {  // no reserved ThreadCtrl, PredCtrl, ExecSize: further into the decoder
            word[0] = table[random_() % table.size()].code;
            word[1] &= 0x7F;
            word[2] = static_cast<std::uint8_t>((random_() % 6) << 5 | (word[2] & 0x17));
            word[3] &= 0xD5;
            return word;
        }
        case 3:
            return isa::encode(legal());
        case 4: {  // a legal one with damage
            word = isa::encode(legal());
            for (std::uint64_t flips = 1 + random_() % 6; flips > 0; --flips)
                word[random_() % 16] ^= static_cast<std::uint8_t>(1u << random_() % 8);
            return word;
        }
        default: {  // compact
            word[0] = table[random_() % table.size()].code;
            word[3] = static_cast<std::uint8_t>((word[3] & 0xE0) | 0x20);
            return word;
        }
    }
}

/// What decodes has a text, and survives encoding.
void WordFuzzer::check_text(const isa::DecodeResult& result) {
    if (isa::disassemble(result.instruction, 0x40).empty()) fail("no text");
    isa::Instruction native = result.instruction;
    native.compacted = false;
    native.length_bytes = 16;
    const isa::DecodeResult again = isa::decode(isa::encode(result.instruction));
    if (!again.ok || !(again.instruction == native)) fail("does not survive encoding");
}

void WordFuzzer::word(const Word& bytes) {
    ++counts_.words;
    current_ = bytes;
    const isa::DecodeResult result = isa::decode(current_);
    if (result.ok) {
        ++counts_.decoded;
        check_text(result);
    } else {
        ++counts_.refusals[result.why];
        if (result.instruction.opcode != isa::Opcode::Illegal || *result.why == '\0')
            fail("refused without a reason");
    }
    execute_both(current_, result);
}

void WordFuzzer::execute_both(const Word& word, const isa::DecodeResult& decoded) {
    const isa::Instruction& in = decoded.instruction;
    const Thread& start = *pool_[random_() % pool_.size()];
    *general_ = *fast_ = start;
    std::string why;
    const DecodedInstruction fast = prepare(word, start.ip, &why);
    // What does not decode has one form only.
    const DecodedInstruction general = decoded.ok ? prepare_general(in, start.ip) : fast;
    counts_.specialised += fast.fast.masked != nullptr || fast.execute != general.execute ? 1 : 0;
    const Outcome expected = execute(*general_, general);
    const Outcome outcome = execute(*fast_, fast);
    ++counts_.outcomes[static_cast<std::size_t>(outcome)];
    if (outcome != expected) fail("another outcome by the specialised function");
    if (const char* what = differs(*general_, *fast_, in))
        fail(std::string("by the specialised function other ") + what);
    if (const char* what = touched(start, *fast_, in)) fail(std::string("touched ") + what);
    if (outcome == Outcome::Fault && why.empty() && in.opcode != isa::Opcode::Illegal)
        fail("illegal without a reason");
    if ((fast_->active & ~start.dispatch_mask) != 0 && !in.dst.is_arf(isa::Arf::ChannelEnable))
        fail("channels that were never dispatched");
    if (outcome != Outcome::Send && outcome != Outcome::End) return;
    build_message(*fast_, fast, *message_);
    check_message(*message_);
    for (unsigned i = 0; i < message_->response_length; ++i)
        message_->response_enable[i] = static_cast<std::uint32_t>(random_());
    write_back(*fast_, *message_);
}

void WordFuzzer::check_message(const Message& message) {
    if (message.length > Message::kMaxPayload || message.first_length > message.length)
        fail("a message longer than there is room");
    if (message.response_length > Message::kMaxResponse)
        fail("a response longer than there is room");
}

std::vector<std::uint8_t> WordFuzzer::random_kernel() {
    std::vector<std::uint8_t> kernel;
    const unsigned count = 8 + static_cast<unsigned>(random_() % 56);
    for (unsigned i = 0; i < count; ++i) {
        const auto table = isa::opcode_table();
        const isa::OpcodeInfo& row = table[random_() % table.size()];
        const auto forms = isa::test::forms_of(row);
        const isa::Instruction in =
            generate_.make(row, forms[random_() % forms.size()], 16 * i, 16 * count);
        const auto bytes = isa::encode(in);
        kernel.insert(kernel.end(), bytes.begin(), bytes.end());
    }
    return kernel;
}

void WordFuzzer::damage(std::vector<std::uint8_t>& kernel) {
    for (std::uint64_t left = 1 + random_() % 4; left > 0; --left) {
        const std::size_t at = random_() % kernel.size();
        switch (random_() % 5) {
            case 0:
                kernel[at] ^= static_cast<std::uint8_t>(1u << random_() % 8);
                break;
            case 1:
                kernel[at] = static_cast<std::uint8_t>(random_());
                break;
            case 2: {  // an instruction from elsewhere in the kernel
                const std::size_t from = random_() % (kernel.size() / 8) * 8, to = at / 8 * 8;
                const std::size_t size =
                    std::min<std::size_t>({16, kernel.size() - from, kernel.size() - to});
                std::memmove(&kernel[to], &kernel[from], size);
                break;
            }
            case 3: {  // a random word
                const Word word = draw();
                const std::size_t to = at / 8 * 8;
                std::memcpy(&kernel[to], word.data(),
                            std::min<std::size_t>(16, kernel.size() - to));
                break;
            }
            default:  // the end missing
                kernel.resize(std::max<std::size_t>(8, random_() % 8 == 0 ? at : kernel.size()));
        }
    }
}

void WordFuzzer::deliver(Thread& thread, const DecodedInstruction& instruction) {
    build_message(thread, instruction, *message_);
    check_message(*message_);
    ++counts_.messages;
    if (port_of(static_cast<std::uint8_t>(message_->sfid)) == MessagePort::DataPort) {
        ++counts_.data_port_messages;
        message_->sender = &port_->sender;
        port_->carry_out(*message_, hdc::kPlanOnly);
    } else {
        for (unsigned i = 0; i < message_->response_length; ++i) {
            message_->response_enable[i] =
                random_() % 2 == 0 ? ~0u : static_cast<std::uint32_t>(random_());
            store(message_->response[i].bytes + random_() % 25, random_());
        }
    }
    if (message_->response_length != 0) write_back(thread, *message_);
}

void WordFuzzer::kernel(std::span<const std::uint8_t> original, unsigned limit) {
    ++counts_.kernels;
    std::vector<std::uint8_t> bytes(original.begin(), original.end());
    damage(bytes);
    Thread& thread = *fast_;
    ThreadDispatch dispatch;
    dispatch.dispatch_mask =
        random_() % 4 == 0 ? static_cast<std::uint32_t>(random_()) : 0xFFFFFFFF;
    dispatch.payload_registers = 16;
    dispatch.sideband.state = port_->state;
    for (unsigned reg = 0; reg < dispatch.payload_registers; ++reg)
        for (unsigned i = 0; i < kGrfBytes; i += 4)
            store(dispatch.payload[reg].bytes + i,
                  static_cast<std::uint32_t>(random_() % 4 == 0
                                                 ? random_()
                                                 : hdc::test::Bench::kData + random_() % 0x4000));
    thread.start(dispatch);
    for (unsigned steps = 0; steps < limit; ++steps) {
        ++counts_.instructions;
        std::fill(current_.begin(), current_.end(), 0);
        // Beyond the end there are zeros, which are illegal.
        if (thread.ip < bytes.size())
            std::memcpy(current_.data(), &bytes[thread.ip],
                        std::min<std::size_t>(16, bytes.size() - thread.ip));
        const DecodedInstruction instruction = prepare(current_, thread.ip);
        const Outcome outcome = execute(thread, instruction);
        if (outcome == Outcome::Next || outcome == Outcome::Exception) continue;
        if (outcome == Outcome::Send) {
            deliver(thread, instruction);
            continue;
        }
        if (outcome == Outcome::Wait && instruction.instruction.opcode == isa::Opcode::Wait) {
            thread.notification = {1, 1, 1, 1};
            continue;
        }
        if (outcome == Outcome::End) deliver(thread, instruction);
        ++counts_.endings[static_cast<std::size_t>(outcome)];
        port_->reporter = Reporter();
        port_->reporter.log = [](const std::string&) {};
        return;
    }
    ++counts_.endings[0];
}

}  // namespace gen9::eu::test
