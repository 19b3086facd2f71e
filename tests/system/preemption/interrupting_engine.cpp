// SPDX-License-Identifier: Apache-2.0
#include "tests/system/preemption/interrupting_engine.h"

#include <array>
#include <cstring>

#include "platform/host/address_space.h"

namespace gen9::platform::test {
namespace {

// Where the second context lies: addresses that drivers' captures leave alone.
constexpr std::uint64_t kPhysical = 0xF0'0000'0000;
constexpr std::uint32_t kGlobal = 0xE000'0000, kPages = 0x20, kRing = 0x12000;
constexpr std::uint32_t kImage = 0x1000;
// And the save area's pages and page tables.
constexpr std::uint64_t kSavePhysical = kPhysical + 0x100'0000, kTables = kPhysical + 0x80'0000;
constexpr std::uint64_t kSaveBytes = 2 << 20;  // PRE-12: GT2
constexpr std::uint64_t kTableBits = 0xFFFF'FFFF'F000;
constexpr std::uint32_t kPdp0 = 0x2270, kCsrBaseAddress = 0x61040001;
constexpr std::uint32_t kExeclistStatus = 0x2234, kActive = 3u << 17;

}  // namespace

struct InterruptingEngine::Intruder : sc_core::sc_module {
    explicit Intruder(InterruptingEngine& engine)
        : sc_module(sc_core::sc_module_name("intruder")), engine_(engine) {
        SC_HAS_PROCESS(Intruder);
        SC_THREAD(run);
    }
    void run() {
        while (true) {
            wait(armed);
            while (true) {
                // Asked to wait anew, it forgets what it waited for.
                wait(after, armed);
                if (!armed.triggered()) break;
            }
            if (engine_.active()) engine_.intrude();
        }
    }
    sc_core::sc_event armed;
    sc_core::sc_time after;

  private:
    InterruptingEngine& engine_;
};

InterruptingEngine::InterruptingEngine(RunOptions options, std::uint64_t seed, double first_ns)
    : intruder_(seed ? std::make_unique<Intruder>(*this) : nullptr),
      simulation_(std::make_unique<Simulation>(std::move(options))),
      random_(seed),
      first_ns_(first_ns) {
    for (std::uint32_t page = 0; page < kPages; ++page)
        simulation_->write_gtt(kGlobal / kPageBytes + page, (kPhysical + page * kPageBytes) | 1);
}

InterruptingEngine::~InterruptingEngine() = default;

void InterruptingEngine::put(std::uint64_t at, const std::vector<std::uint32_t>& words) {
    simulation_->write_memory(
        PhysAddr(kPhysical + at),
        {reinterpret_cast<const std::uint8_t*>(words.data()), 4 * words.size()});
}

void InterruptingEngine::find_save_area(std::span<const std::uint8_t> bytes) {
    for (std::size_t at = 0; at + 12 <= bytes.size(); at += 4) {
        std::array<std::uint32_t, 3> words;
        std::memcpy(words.data(), &bytes[at], sizeof words);
        if (words[0] == kCsrBaseAddress && words[1] % kPageBytes == 0)
            save_area_ = words[1] | std::uint64_t{words[2]} << 32;
    }
}

std::uint64_t InterruptingEngine::next_table(std::uint64_t table, unsigned index,
                                             std::uint64_t fresh) {
    std::array<std::uint8_t, 8> bytes;
    simulation_->read_memory(PhysAddr(table + 8 * index), bytes);
    std::uint64_t entry;
    std::memcpy(&entry, bytes.data(), sizeof entry);
    if (entry & 1) return entry & kTableBits;
    if (fresh == 0) fresh = kTables + kPageBytes * fresh_tables_++;
    entry = fresh | 3;
    std::memcpy(bytes.data(), &entry, sizeof entry);
    simulation_->write_memory(PhysAddr(table + 8 * index), bytes);
    return fresh;
}

void InterruptingEngine::map_save_area() {
    if (save_area_ == 0 || !mapped_.insert(save_area_).second) return;
    const std::uint64_t root = (simulation_->read_register(kPdp0) & 0xFFFFF000u) |
                               std::uint64_t{simulation_->read_register(kPdp0 + 4)} << 32;
    if (root == 0) return void(mapped_.erase(save_area_));
    for (std::uint64_t offset = 0; offset < kSaveBytes; offset += kPageBytes) {
        const std::uint64_t address = save_area_ + offset;
        std::uint64_t table = root;
        for (const unsigned shift : {39u, 30u, 21u})
            table = next_table(table, address >> shift & 511, 0);
        next_table(table, address >> 12 & 511, kSavePhysical + offset);
    }
}

bool InterruptingEngine::active() {
    return simulation_->read_register(kExeclistStatus) & kActive;
}

void InterruptingEngine::intrude() {
    const std::vector<std::uint32_t> commands = {
        0x69040302,                                                  // PIPELINE_SELECT: GPGPU
        0x11000003, 0x2600,     0xDEAD0001, 0x2604,     0xDEAD0002,  // R0
        0x11000001, 0xE404,     0,                                   // TD_CTL2
        0x70000007, 0,          0,          0x00100200, 0,          0x01000000,
        0,          0,          0,                                      // MEDIA_VFE_STATE
        0x7A000004, 0x00100000, 0,          0,          0,          0,  // PIPE_CONTROL: CS stall
        0};
    put(kRing, commands);
    std::vector<std::uint32_t> image(0x51, 0);
    const auto tail = static_cast<std::uint32_t>(4 * commands.size() & ~7u);
    // CTXT_SR_CTL inhibits the restore of the rest.
    const std::array<std::uint32_t, 10> pairs = {
        0x2244, 0x00010001, 0x2034, 0, 0x2030, tail, 0x2038, kGlobal + kRing, 0x203C, 0x1001};
    image[1] = 0x11001009;
    std::copy(pairs.begin(), pairs.end(), image.begin() + 2);
    put(kImage, image);
    map_save_area();
    intruded_ = true;
    ++interruptions_;
    for (const std::uint32_t word : {0u, 0u, 0x777u, kGlobal | 0x119})
        simulation_->write_register(kExeclistSubmitPort, word);
}

void InterruptingEngine::write_register(std::uint32_t offset, std::uint32_t value) {
    if (offset == kExeclistSubmitPort) {
        if (port_.size() == kWritesPerSubmission) port_.clear();
        port_.push_back(value);
        submitted_ = port_.size() == kWritesPerSubmission;
    }
    simulation_->write_register(offset, value);
}

void InterruptingEngine::write_gtt(std::uint32_t index, std::uint64_t entry) {
    global_.insert(entry >> 12 & 0xFFF'FFFF);
    simulation_->write_gtt(index, entry);
}

void InterruptingEngine::write_memory(PhysAddr address, std::span<const std::uint8_t> bytes) {
    for (std::uint64_t page = address.value >> 12; page <= (address.value + bytes.size() - 1) >> 12;
         ++page)
        written_.insert(page);
    find_save_area(bytes);
    simulation_->write_memory(address, bytes);
}

void InterruptingEngine::run() {
    double most = first_ns_;
    do {
        intruded_ = false;
        if (intruder_ && submitted_) {
            intruder_->after = sc_core::sc_time(std::uniform_real_distribution<>(0, most)(random_),
                                                sc_core::SC_NS);
            intruder_->armed.notify(sc_core::SC_ZERO_TIME);
            most *= 2;
        }
        submitted_ = false;
        simulation_->run();
        map_save_area();  // the tables are to be the same in every run
        if (intruded_ && !stopped())
            for (const std::uint32_t word : std::vector(port_))
                write_register(kExeclistSubmitPort, word);
    } while (intruded_ && !stopped());
}

std::uint64_t InterruptingEngine::memory_hash() {
    std::uint64_t hash = 1469598103934665603u;  // FNV-1a
    std::array<std::uint8_t, kPageBytes> bytes;
    for (const std::uint64_t page : written_) {
        if (global_.contains(page)) continue;
        simulation_->read_memory(PhysAddr(page << 12), bytes);
        for (const std::uint8_t byte : bytes)
            hash = (hash ^ byte) * 1099511628211u;
    }
    return hash;
}

}  // namespace gen9::platform::test
