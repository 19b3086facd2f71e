// SPDX-License-Identifier: Apache-2.0
#include "tests/litmus/command_machine.h"

#include "common/bits.h"
#include "common/check.h"
#include "packets/media.h"
#include "packets/state.h"
#include "packets/surface_state.h"
#include "tests/unit/cs/driver.h"

namespace gen9::litmus {
namespace {

constexpr std::uint32_t kPml4 = 0x1000, kPdp = 0x2000, kPd = 0x3000;
constexpr std::uint32_t kIndirect = 0x500000, kIndirectBytes = 0x40000;
constexpr std::uint32_t kCodeBytes = 4096, kDescriptors = 4, kBatchBytes = 0x2000, kBatchCount = 64;
constexpr std::uint32_t kRingBytes = 0x4000;
constexpr std::uint32_t kPresent = 3, kLarge = 0x80;
constexpr std::uint32_t kMocs = 2;  // write back everywhere (Linux's table)

// The streamer's accesses act in the cycle in which they are made, not up to ahead_cycles before
// it. Words that threads write stay in L3, so that a missing flush is seen.
std::vector<std::string> with_topology(std::vector<std::string> settings) {
    const char* const own[] = {
        "machine.gpu.subslices=2",       "machine.gpu.eus=2",
        "machine.gpu.l3_banks=2",        "machine.gpu.cs.privilege=all",
        "machine.gpu.cs.ahead_cycles=1", "machine.gpu.l3.write_misses=allocate"};
    settings.insert(settings.begin(), std::begin(own), std::end(own));
    return settings;
}

}  // namespace

Words operator+(Words a, const Words& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
}

Words CommandMachine::state_base_address() {
    namespace row = packets::STATE_BASE_ADDRESS;
    const auto base = [](std::uint32_t address) { return address | kMocs << 5 | 1; };
    Words words(19);
    words[0] = row::kHeader;
    words[1] = base(0);
    words[3] = kMocs << 17;
    words[4] = base(kSurfaces);
    words[6] = base(kStates);
    words[8] = base(kIndirect);
    words[10] = base(kCode);
    for (unsigned size = 12; size < 16; ++size)
        words[size] = 0xFFFFF001;
    return words;
}

CommandMachine::CommandMachine(std::vector<std::string> settings, Timing timing,
                               sc_core::sc_module_name module_name)
    : sc_core::sc_module(module_name),
      test_(timing, with_topology(std::move(settings))),
      gpu_("gpu", test_.environment) {
    test_.config.check_all_used();
    host_.bind(gpu_.cs->sockets().reg_in);
    gpu_.cs->on_interrupt = [this](unsigned bit, const sc_core::sc_time& later) {
        constexpr unsigned kNotify = 4;
        if (bit == kNotify) notified_at_ = sc_core::sc_time_stamp() + later;
    };
}

// Four levels of page tables map the first GB in pages of 2 MB. Global addresses are physical ones.
void CommandMachine::start() {
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    write(kPml4, Words{kPdp | kPresent, 0});
    write(kPdp, Words{kPd | kPresent, 0});
    for (std::uint32_t page = 0; page < 512; ++page)
        write(place_of_page(page << 21), Words{page_at(page << 21), 0});
    test::FakeMemory image;
    test::write_context(image, test::kContext, test::kRing, kPml4);
    for (std::uint32_t at = 0; at < 0x11000; at += 4)
        write(test::kContext + at, image.get<std::uint32_t>(test::kContext + at));
    for (std::uint32_t page = 0; page < 0x100; ++page)
        GEN9_CHECK(gpu_.gti->write_gtt(page, page << 12 | 1), "the table has room");
    for (const auto& [offset, value] : test::driver_registers())
        write_register(offset, value);
    put_into_ring({0x11000001, 0x2244, 0x00010000});
    const Words commands = Words{0x69041312, 0x7A000004, 0x00100000, 0, 0, 0, 0} +
                           Words{0x70000007, 0, 0, 0x00A70100, 0, 0x07820000, 0, 0, 0} +
                           state_base_address() + Words{0x70020002, 0, 32 * kDescriptors, 0};
    Draw draw(1);
    GEN9_CHECK(run(commands, false, draw), "the first batch ends");
    GEN9_CHECK(!test_.reporter.failed(), trouble());
}

void CommandMachine::write(std::uint32_t address, const Words& words) {
    for (std::size_t i = 0; i < words.size(); ++i)
        write(address + static_cast<std::uint32_t>(4 * i), words[i]);
}

void CommandMachine::write(std::uint32_t address, std::uint32_t value) {
    std::uint8_t bytes[4];
    store(bytes, value);
    GEN9_CHECK(gpu_.memory.write(PhysAddr(address), bytes), "the address is in memory");
}

std::uint32_t CommandMachine::read(std::uint32_t address) const {
    std::uint8_t bytes[4];
    GEN9_CHECK(gpu_.memory.read(PhysAddr(address), bytes), "the address is in memory");
    return gen9::load<std::uint32_t>(bytes);
}

std::uint32_t CommandMachine::seen_by_threads(std::uint32_t address) {
    MemoryTransaction* transaction = pool_.get();
    transaction->access(tlm::TLM_READ_COMMAND, address, 4);
    const unsigned length = gpu_.media->sockets().mem_out->transport_dbg(*transaction);
    GEN9_CHECK(length == 4, "the address is mapped");
    const auto value = gen9::load<std::uint32_t>(transaction->data);
    transaction->release();
    return value;
}

void CommandMachine::write_register(std::uint32_t offset, std::uint32_t value) {
    MemoryTransaction* transaction = pool_.get();
    transaction->access(tlm::TLM_WRITE_COMMAND, offset, 4);
    store(transaction->data, value);
    sc_core::sc_time delay;
    host_->b_transport(*transaction, delay);
    transaction->release();
}

std::uint32_t CommandMachine::read_register(std::uint32_t offset) {
    MemoryTransaction* transaction = pool_.get();
    transaction->access(tlm::TLM_READ_COMMAND, offset, 4);
    sc_core::sc_time delay;
    host_->b_transport(*transaction, delay);
    const auto value = gen9::load<std::uint32_t>(transaction->data);
    transaction->release();
    return value;
}

bool CommandMachine::notified() {
    const bool now = notified_at_ && *notified_at_ <= sc_core::sc_time_stamp();
    if (now) notified_at_.reset();
    return now;
}

std::uint32_t CommandMachine::place_of_page(std::uint32_t address) {
    return kPd + 8 * (address >> 21);
}

std::uint32_t CommandMachine::page_at(std::uint32_t place) {
    return place >> 21 << 21 | kLarge | kPresent;
}

void CommandMachine::bind(std::uint32_t address) {
    namespace state = packets::render_surface_state;
    constexpr std::uint32_t kR32Uint = 0x0D7, kRed = 4, kElements = 16;
    Words surface(state::kDwords);
    state::SurfaceType.set(surface, state::SURFTYPE_BUFFER);
    state::SurfaceFormat.set(surface, kR32Uint);
    state::Width.set(surface, kElements - 1);
    state::SurfacePitch.set(surface, 3);
    state::ShaderChannelSelectRed.set(surface, kRed);
    state::MemoryObjectControlState.set(surface, kMocs << 1);
    state::SurfaceBaseAddress.set(surface, address);
    write(kSurfaces + 64, surface);
    write(kSurfaces, Words{64});
}

// The rest of the ring is filled with commands without effect when they would not fit.
void CommandMachine::put_into_ring(const Words& ring) {
    const auto bytes = static_cast<std::uint32_t>(4 * ring.size());
    if (tail_ + bytes + 64 > kRingBytes) {
        for (; tail_ < kRingBytes; tail_ += 4)
            write(test::kRing + tail_, 0u);
        tail_ = 0;
    }
    write(test::kRing + tail_, ring);
    tail_ += bytes;
    if (tail_ % 8 != 0) {
        write(test::kRing + tail_, 0u);
        tail_ += 4;
    }
}

void CommandMachine::submit() {
    write(test::kContext + 0x101C, tail_);
    for (const std::uint32_t value : test::submission())
        write_register(0x2230, value);
}

void CommandMachine::load(unsigned number, const Code& code) {
    namespace row = packets::INTERFACE_DESCRIPTOR_DATA;
    GEN9_CHECK(number < kDescriptors, "there are so many descriptors");
    const auto bytes = code.bytes();
    GEN9_CHECK(bytes.size() <= kCodeBytes, "the program is short");
    GEN9_CHECK(gpu_.memory.write(PhysAddr(kCode + number * kCodeBytes), bytes), "in memory");
    Words descriptor(8);
    row::KernelStartPointer.set(descriptor, number * kCodeBytes);
    row::CrossThreadConstantDataReadLength.set(descriptor, 2);
    row::NumberofThreadsinGPGPUThreadGroup.set(descriptor, 1);
    write(kStates + 32 * number, descriptor);
}

Words CommandMachine::walker(unsigned number, const std::vector<std::uint32_t>& variables,
                             std::uint32_t results) {
    namespace row = packets::GPGPU_WALKER;
    payload_ = (payload_ + 64) % kIndirectBytes;
    write(kIndirect + payload_, variables);
    write(kIndirect + payload_ + 32, results);
    Words words(15);
    words[0] = row::kHeader;
    row::InterfaceDescriptorOffset.set(words, number);
    row::IndirectDataLength.set(words, 64);
    row::IndirectDataStartAddress.set(words, payload_);
    for (const unsigned dimension : {7, 10, 12})
        words[dimension] = 1;
    words[13] = 0xFF;
    words[14] = ~0u;
    return words;
}

void CommandMachine::give(const Words& batch, bool with_streamer) {
    GEN9_CHECK(4 * batch.size() + 32 <= kBatchBytes, "the batch is short");
    batch_ = kBatches + (batch_ - kBatches + kBatchBytes) % (kBatchCount * kBatchBytes);
    // A stall with a flush, and the end.
    write(batch_, batch + Words{0x7A000004, 0x00100020, 0, 0, 0, 0, 0x05000000, 0});
    put_into_ring({0x18800101 | (with_streamer ? 0x400u : 0), batch_, 0});
    submit();
}

bool CommandMachine::run_alone(const Words& batch, bool with_streamer, std::uint64_t cycles,
                               std::uint64_t commands) {
    give(batch, with_streamer);
    constexpr std::uint64_t kStep = 5000;
    const std::uint64_t before = parsed();
    for (std::uint64_t passed = 0;
         passed < cycles && parsed() - before < commands && !idle() && !stopped(); passed += kStep)
        sc_core::sc_start(gpu_.clock.time(Cycles(kStep)));
    return idle();
}

bool CommandMachine::run(const Words& batch, bool with_streamer, Draw& draw,
                         const std::function<void()>& host) {
    give(batch, with_streamer);
    constexpr unsigned kSteps = 20000, kMostCycles = 40;
    for (unsigned step = 0; step < kSteps; ++step) {
        sc_core::sc_start(gpu_.clock.time(Cycles(1 + draw(kMostCycles))));
        if (host) host();
        if (idle()) return true;
    }
    return false;
}

}  // namespace gen9::litmus
