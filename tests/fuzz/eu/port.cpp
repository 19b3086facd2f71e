// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/eu/port.h"

#include <boost/json.hpp>

#include <algorithm>
#include <bit>
#include <cstring>

#include "common/stats.h"
#include "eu/execute/executor.h"

namespace gen9::eu::test {
namespace {

using hdc::test::Bench;
using hdc::test::FlatMemory;
using hdc::test::SurfaceBits;

constexpr std::uint32_t kOtherTable = 0x2800, kOtherGeneral = 0x1000;

/// Messages of random code come to these parts, counted from the memory's first byte on.
struct Part {
    std::uint64_t begin, end;
};
constexpr Part kWritten[] = {
    {Bench::kGeneralBase - FlatMemory::kBase, Bench::kGeneralBase - FlatMemory::kBase + 0x4000},
    {Bench::kData - FlatMemory::kBase - 0x1000, Bench::kData - FlatMemory::kBase + 0x6000}};

bool goes_to_port(std::uint8_t sfid) {
    switch (static_cast<Sfid>(sfid)) {
        case Sfid::DataPort0:
        case Sfid::DataPort1:
        case Sfid::DataPort2:
        case Sfid::ConstantCache:
            return true;
        default:
            return false;
    }
}

/// Memory begins with these bytes.
const std::vector<std::uint8_t> kBytes = [] {
    std::vector<std::uint8_t> bytes(hdc::kSlmBytes);
    for (std::size_t i = 0; i < bytes.size(); ++i)
        bytes[i] = static_cast<std::uint8_t>(i * 7 + i / 251);
    return bytes;
}();

/// An EU asks for a site under these conditions: a direct message has its registers side by side.
bool may_be_direct(const DecodedInstruction& d) {
    const isa::Instruction& in = d.instruction;
    const MessageForm& form = d.message;
    const auto lies = [](const isa::Operand& operand, unsigned registers) {
        return registers == 0 || (!operand.indirect && operand.reg + registers <= kGrfCount);
    };
    return d.always_sends && goes_to_port(form.sfid) && !in.descriptor_from_a0 &&
           !in.extended_from_a0 && !in.align16 && !in.end_of_thread &&
           lies(in.src[0], form.first_length) && lies(in.src[1], form.length - form.first_length) &&
           lies(in.dst, form.response_length);
}

}  // namespace

void Port::set_up(const PortSetup& setup) {
    bench_.driver.invalidate();
    bench_.state->general_state_size = setup.general_bytes;
    states_[0] = bench_.state;
    states_[1] = std::make_shared<PipelineState>(*bench_.state);
    states_[1]->general_state_base = GpuAddr(Bench::kGeneralBase + kOtherGeneral);
    for (unsigned n = 0; n < PortSetup::kBuffers; ++n) {
        bench_.bind(
            n, SurfaceBits::buffer(Bench::kData + setup.buffers[n].at, setup.buffers[n].bytes));
        // Another binding table has them in another order.
        bench_.memory.put<std::uint32_t>(Bench::kSurfaceBase + kOtherTable + n * 4,
                                         (n + 1) % PortSetup::kBuffers * 64);
    }
    // Their states are at hand when messages have used them.
    for (const std::uint32_t table : {0x2000u, kOtherTable})
        for (unsigned n = 0; n < PortSetup::kBuffers; ++n) {
            bench_.sender.binding_table_offset = table;
            bench_.run(hdc::test::Send(Sfid::DataPort1, 0x02106E00 | n, 0xFF)
                           .add(std::vector<std::uint32_t>(8)));
        }
    bench_.kept.clear();
}

void Port::begin(Thread& thread, const PortSetup& setup, unsigned number) {
    const PortSetup::Sender& sender = setup.senders[number];
    thread.sideband = bench_.sender;
    thread.sideband.state = states_[sender.other_state];
    thread.sideband.binding_table_offset = sender.other_table ? kOtherTable : 0x2000;
    thread.sideband.slm_base = sender.slm_base;
    thread.sideband.slm_size = sender.slm_bytes;
    for (const Part& part : kWritten)
        std::copy_n(kBytes.begin(), part.end - part.begin,
                    bench_.memory.bytes.begin() + static_cast<std::ptrdiff_t>(part.begin));
    std::ranges::copy(kBytes, bench_.memory.slm_bytes.begin());
}

void Port::deliver(Thread& thread, const DecodedInstruction& send) {
    ++sent;
    build_message(thread, send, *message_);
    if (!goes_to_port(static_cast<std::uint8_t>(message_->sfid))) return;
    bench_.carry_out(*message_, hdc::kPlanOnly);
    write_back(thread, *message_);
}

void Port::move() {
    // An access to the old place ends the program.
    bench_.memory.bytes = gen9::test::ZeroedMemory(bench_.memory.bytes);
    bench_.memory.slm_bytes = gen9::test::ZeroedMemory(bench_.memory.slm_bytes);
    bench_.driver.invalidate();
    bench_.core.find_anew();
}

void Port::make_sites(std::span<const DecodedInstruction> code) {
    sites_.clear();
    known_.assign(code.size(), nullptr);
    plain_.assign(code.size(), &no_plain_messages);
    sites_.resize(code.size());
    for (std::size_t n = 0; n < code.size(); ++n) {
        if (!may_be_direct(code[n])) continue;
        const MessageForm& form = code[n].message;
        sites_[n] = direct_.site({form.descriptor, form.extended_descriptor, form.sfid, form.length,
                                  form.first_length, form.response_length, form.header_present,
                                  form.eight_wide});
        known_[n] = sites_[n].get();
        auto* const found = dynamic_cast<PlainDirectSite*>(sites_[n].get());
        if (found != nullptr && found->plain.form.slots != 0 && epoch_.takes(found->plain))
            plain_[n] = &found->plain;
    }
}

void Port::count_plain(PlainCounts& counts) const {
    for (const PlainMessages* const plain : plain_) {
        Plain& count = counts[std::bit_cast<std::uint32_t>(plain->form)];
        count.all_on += plain->uncounted + std::uint32_t{1};
        count.some_on += plain->moved + std::uint32_t{1};
    }
}

std::string Port::counters() const {
    StatRegistry registry;
    registry.add(bench_.statistics);
    return boost::json::serialize(registry.to_json());
}

bool Port::counts_alike(const Port& a, const Port& b) {
    return a.bench_.reporter.entries().size() == b.bench_.reporter.entries().size() &&
           a.counters() == b.counters();
}

const char* Port::difference(const Port& a, const Port& b) {
    const FlatMemory &x = a.bench_.memory, &y = b.bench_.memory;
    for (const Part& part : kWritten)
        if (std::memcmp(x.bytes.data() + part.begin, y.bytes.data() + part.begin,
                        part.end - part.begin) != 0)
            return "memory";
    return x.slm_bytes == y.slm_bytes ? nullptr : "shared local memory";
}

}  // namespace gen9::eu::test
