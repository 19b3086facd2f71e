// SPDX-License-Identifier: Apache-2.0
#include "urb/core.h"

#include <bit>
#include <cstring>

#include "common/bits.h"

namespace gen9::urb {
namespace {

constexpr unsigned kMaxPhases = 8;
constexpr unsigned kSlots = 8;  ///< of the SIMD8 messages
constexpr std::uint32_t kHandleBytes = 64;
// Offsets of all but HWord messages count OWords (URB-11).
constexpr std::uint32_t kOWordBytes = 16, kLastOWord = 2047;

std::uint32_t dword(const Grf& grf, unsigned index) {
    return load<std::uint32_t>(grf.bytes + 4 * index);
}
// URB-18, URB-33: 14 bits; atomics show 16 (URB-30).
std::uint32_t handle(const Grf& header, unsigned index, unsigned high_bit = 13) {
    return bits(dword(header, index), high_bit, 0u);
}

/// The fields of the descriptor that all messages have (URB-09, URB-10).
struct Descriptor {
    Opcode opcode;
    std::uint32_t global_offset;
    bool bit15, per_slot;  ///< swizzle or channel mask phase; slot offsets

    explicit Descriptor(std::uint32_t value)
        : opcode(static_cast<Opcode>(bits(value, 3u, 0u))),
          global_offset(bits(value, 14u, 4u)),
          bit15(bits(value, 15u, 15u)),
          per_slot(bits(value, 17u, 17u)) {}
    bool simd8() const { return opcode == Opcode::WriteSimd8 || opcode == Opcode::ReadSimd8; }
    bool write() const {
        return opcode == Opcode::WriteHWord || opcode == Opcode::WriteOWord ||
               opcode == Opcode::WriteSimd8;
    }
    bool atomic() const {
        return opcode == Opcode::AtomicMov || opcode == Opcode::AtomicInc ||
               opcode == Opcode::AtomicAdd;
    }
    bool oword() const { return opcode == Opcode::WriteOWord || opcode == Opcode::ReadOWord; }
    bool hword() const { return opcode == Opcode::WriteHWord || opcode == Opcode::ReadHWord; }
    /// Bytes an offset counts, and the largest sum of offsets (URB-11).
    std::uint32_t unit() const { return hword() ? 32 : kOWordBytes; }
    std::uint32_t last_offset() const { return hword() ? 1023 : kLastOWord; }
    /// Registers in front of the data.
    unsigned prefix() const { return 1 + (simd8() ? per_slot + bit15 : 0); }
};

/// Collects elements, line by line.
class Builder {
  public:
    explicit Builder(Plan& plan) : plan_(plan) {}

    void add(std::uint32_t address, unsigned reg, unsigned index) {
        const std::uint32_t line = address & ~(kLineBytes - 1);
        LineGroup* group = nullptr;
        if (!plan_.groups.empty() && plan_.groups.back().line == line) {
            group = &plan_.groups.back();
        } else {
            for (LineGroup& known : plan_.groups)
                if (known.line == line) group = &known;
        }
        if (group == nullptr) {
            group = &plan_.groups.emplace_back();
            group->line = line;
        }
        group->bytes |= std::uint64_t{0xF} << (address - line);
        group->elements.push_back(
            {address, static_cast<std::uint8_t>(reg), static_cast<std::uint8_t>(index)});
    }
    /// The place that offset units from a handle lead to; a sum out of range is named and used as
    /// it is.
    std::uint32_t start(const Descriptor& d, std::uint32_t entry, std::uint32_t slot_offset) {
        const std::uint32_t offset = d.global_offset + (d.per_slot ? slot_offset : 0);
        if (offset > d.last_offset() && plan_.problem.empty())
            plan_.problem = "offset " + std::to_string(offset) + "; the last is " +
                            std::to_string(d.last_offset()) + " (URB-11)";
        return entry * kHandleBytes + offset * d.unit();
    }

  private:
    Plan& plan_;
};

// URB-23..URB-28.
void plan_entries(const Message& message, const Descriptor& d, unsigned phases, Builder& builder) {
    const Grf& header = message.payload[0];
    const bool interleaved = d.bit15;
    const unsigned enabled = message.execution_mask & bits(dword(header, 5), 15u, 8u);
    const unsigned half = bits(dword(header, 5), 16u, 16u);
    std::uint32_t start[2] = {};
    for (unsigned entry = 0; entry <= (interleaved ? 1u : 0u); ++entry)
        start[entry] = builder.start(d, handle(header, entry), dword(header, 3 + entry));
    for (unsigned phase = 0; phase < phases; ++phase) {
        const unsigned reg = d.write() ? 1 + phase : phase;
        for (unsigned lane = 0; lane < 8; ++lane) {
            if (!(enabled >> lane & 1)) continue;
            if (interleaved)
                builder.add(start[lane / 4] + 16 * phase + 4 * (lane % 4), reg, lane);
            else if (!d.oword())
                builder.add(start[0] + 32 * phase + 4 * lane, reg, lane);
            else if (lane / 4 == half)
                builder.add(start[0] + 4 * (lane % 4), reg, lane);
        }
    }
}

// URB-33..URB-37: data phase j holds DWord j of each slot's vertex.
void plan_simd8(const Message& message, const Descriptor& d, unsigned phases, Builder& builder) {
    const unsigned mask_register = 1 + d.per_slot;
    for (unsigned slot = 0; slot < kSlots; ++slot) {
        if (!(message.execution_mask >> slot & 1)) continue;
        const std::uint32_t offset = d.per_slot ? dword(message.payload[1], slot) : 0;
        const std::uint32_t start = builder.start(d, handle(message.payload[0], slot), offset);
        const std::uint32_t mask =
            d.bit15 ? bits(dword(message.payload[mask_register], slot), 23u, 16u) : 0xFF;
        for (unsigned phase = 0; phase < phases; ++phase)
            if (mask >> phase & 1)
                builder.add(start + 4 * phase, d.write() ? d.prefix() + phase : phase, slot);
    }
}

// URB-29, URB-30.
void plan_atomic(const Message& message, const Descriptor& d, const Settings& settings, Plan& plan,
                 Builder& builder) {
    const Grf& header = message.payload[0];
    plan.operand = dword(header, 2);
    switch (d.opcode) {
        case Opcode::AtomicInc:
            plan.op = AtomicOp::Inc;
            break;
        case Opcode::AtomicAdd:
            plan.op = AtomicOp::Add;
            break;
        default:
            plan.op = AtomicOp::Mov;
            if (!settings.mov_writes_operand) plan.operand = 0;
            break;
    }
    builder.add(handle(header, 0, 15) * kHandleBytes + 4 * d.global_offset, 0, 0);
}

/// Why a message has no meaning; empty: it has one. `phases`: of data (URB-17).
std::string refusal(const Message& message, const Descriptor& d, unsigned& phases) {
    const auto registers = [](unsigned n) { return std::to_string(n) + " registers"; };
    phases = 0;
    if (d.opcode > Opcode::ReadSimd8)
        return "reserved opcode " + std::to_string(static_cast<unsigned>(d.opcode)) + " (URB-08)";
    if (!message.header_present) return "header present must be 1 (URB-07)";
    if (d.atomic()) {
        if (message.length != 1)
            return "an atomic is its header alone, not " + registers(message.length);
        if (d.bit15 || d.per_slot) return "an atomic has neither swizzle nor slot offsets (URB-30)";
        const unsigned answer = d.opcode == Opcode::AtomicMov ? 0 : 1;
        if (message.response_length != answer)
            return "its response is " + std::to_string(answer) + " registers, not " +
                   std::to_string(message.response_length);
        return {};
    }
    if (message.length < d.prefix())
        return registers(message.length) + " hold no header of " + registers(d.prefix());
    if (d.write()) {
        phases = message.length - d.prefix();
        if (message.response_length != 0) return "a write has no response";
    } else {
        phases = message.response_length;
        if (message.length != d.prefix())
            return "a read sends " + registers(d.prefix()) + ", not " + registers(message.length);
    }
    const unsigned most = d.oword() ? 1 : kMaxPhases;
    // A write that ends its thread and nothing else: compilers send it (Public: mesa brw_fs).
    if (phases == 0 && d.write() && d.simd8() && message.end_of_thread) return {};
    if (phases == 0 || phases > most)
        return std::to_string(phases) + " data phases; 1 to " + std::to_string(most) +
               " are allowed";
    return {};
}

}  // namespace

std::optional<Simd8Form> simd8_form(const SendForm& form) {
    const Descriptor d(form.descriptor);
    if (!d.simd8() || !form.header_present || form.length < d.prefix()) return std::nullopt;
    const unsigned phases = d.write() ? form.length - d.prefix() : form.response_length;
    const bool ends = bits(form.extended_descriptor, 5, 5) != 0;
    const bool whole = d.write() ? form.response_length == 0 : form.length == d.prefix() && !ends;
    if (!whole || phases == 0 || phases > kMaxPhases) return std::nullopt;
    return Simd8Form{d.write(),
                     d.per_slot,
                     d.bit15,
                     ends,
                     static_cast<std::uint8_t>(d.prefix()),
                     static_cast<std::uint8_t>(phases),
                     d.global_offset};
}

namespace {

/// The lines that a message accesses, each counted once.
class LineCount {
  public:
    void add(std::uint32_t byte) {
        const std::uint32_t line = byte / kLineBytes;
        // Entries mostly follow each other.
        if (count_ != 0 && line <= greatest_)
            for (unsigned i = count_; i > 0; --i)
                if (lines_[i - 1] == line) return;
        greatest_ = count_ == 0 ? line : std::max(greatest_, line);
        lines_[count_++] = line;
    }
    unsigned count() const { return count_; }

  private:
    std::array<std::uint32_t, 2 * kSlots> lines_;
    unsigned count_ = 0;
    std::uint32_t greatest_ = 0;
};

/// A slot's data: DWords of the registers, which lie side by side in the URB.
struct SlotData {
    std::uint8_t* host;
    std::uint8_t slot, phases;  ///< of the phases a bit each
};

void move_dword(bool write, std::uint8_t* host, std::uint8_t* of_register) {
    write ? std::memcpy(host, of_register, 4) : std::memcpy(of_register, host, 4);
}
template <bool write>
void move_slots(std::span<const SlotData> slots, unsigned phases,
                const std::array<std::uint8_t*, kSlots>& registers) {
    const unsigned all = (1u << phases) - 1;
    for (const SlotData& data : slots) {
        if (data.phases == all)
            for (unsigned phase = 0; phase < phases; ++phase)
                move_dword(write, data.host + 4 * phase, registers[phase] + 4 * data.slot);
        else
            for (std::uint32_t left = data.phases; left != 0; left &= left - 1) {
                const auto phase = static_cast<unsigned>(std::countr_zero(left));
                move_dword(write, data.host + 4 * phase, registers[phase] + 4 * data.slot);
            }
    }
}

}  // namespace

std::optional<unsigned> run_simd8(const Simd8Form& form, const PayloadParts& payload,
                                  std::uint32_t mask, std::span<std::uint8_t> urb, Grf* response) {
    std::array<SlotData, kSlots> slots;
    unsigned count = 0;
    LineCount lines;
    for (std::uint32_t left = mask & ((1u << kSlots) - 1); left != 0; left &= left - 1) {
        const auto slot = static_cast<unsigned>(std::countr_zero(left));
        const std::uint32_t slot_offset = form.per_slot ? dword(payload[1], slot) : 0;
        const std::uint32_t offset = form.global_offset + slot_offset;
        const std::uint32_t start = handle(payload[0], slot) * kHandleBytes + offset * kOWordBytes;
        if (offset > kLastOWord || start + 4 * form.phases > urb.size()) return std::nullopt;
        std::uint32_t phases = (1u << form.phases) - 1;
        if (form.masked) phases &= bits(dword(payload[1 + form.per_slot], slot), 23u, 16u);
        if (phases == 0) continue;
        lines.add(start + 4 * static_cast<unsigned>(std::countr_zero(phases)));
        lines.add(start + 4 * static_cast<unsigned>(std::bit_width(phases) - 1));
        slots[count++] = {urb.data() + start, static_cast<std::uint8_t>(slot),
                          static_cast<std::uint8_t>(phases)};
    }
    std::array<std::uint8_t*, kSlots> registers;
    for (unsigned phase = 0; phase < form.phases; ++phase)
        // Registers of the payload are only read.
        registers[phase] = form.write
                               ? const_cast<std::uint8_t*>(payload[form.prefix + phase].bytes)
                               : response[phase].bytes;
    const std::span moved(slots.data(), count);
    form.write ? move_slots<true>(moved, form.phases, registers)
               : move_slots<false>(moved, form.phases, registers);
    return lines.count();
}

void Plan::clear() {
    kind = Kind::Nothing;
    groups.clear();
    problem.clear();
    refused = false;
}

void make_plan(const Message& message, const Settings& settings, Plan& plan) {
    plan.clear();
    const Descriptor d(message.descriptor);
    unsigned phases = 0;
    plan.problem = refusal(message, d, phases);
    if (!plan.problem.empty()) {
        plan.refused = true;
        return;
    }
    const bool may_end = d.write() && message.sender && message.sender->of_geometry;
    if (message.end_of_thread && !may_end)
        plan.problem = d.write() ? "only threads of the geometry stages end by a URB write (URB-16)"
                                 : "a read or atomic cannot end its thread (URB-16)";
    Builder builder(plan);
    if (d.atomic()) {
        plan.kind = Plan::Kind::Atomic;
        plan_atomic(message, d, settings, plan, builder);
    } else {
        plan.kind = d.write() ? Plan::Kind::Write : Plan::Kind::Read;
        if (d.simd8())
            plan_simd8(message, d, phases, builder);
        else
            plan_entries(message, d, phases, builder);
    }
}

void gather(const LineGroup& group, const Message& message, std::uint8_t* line) {
    for (const Element& e : group.elements)
        std::memcpy(line + (e.address - group.line), message.payload[e.reg].bytes + 4 * e.dword, 4);
}

void scatter(const LineGroup& group, const std::uint8_t* line, Message& message) {
    for (const Element& e : group.elements) {
        std::memcpy(message.response[e.reg].bytes + 4 * e.dword, line + (e.address - group.line),
                    4);
        message.response_enable[e.reg] |= 0xFu << 4 * e.dword;
    }
}

void answer_atomic(std::uint64_t returned, Message& message) {
    if (message.response_length == 0) return;
    store(message.response[0].bytes, static_cast<std::uint32_t>(returned));
    message.response_enable[0] = 0xF;
}

}  // namespace gen9::urb
