// SPDX-License-Identifier: Apache-2.0
#include "tests/system/preemption/interrupting_engine.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "platform/host/address_space.h"

namespace gen9::platform::test {
namespace {

// Where the second context lies: addresses that drivers' captures leave alone.
constexpr std::uint64_t kPhysical = 0xF0'0000'0000;
constexpr std::uint32_t kGlobal = 0xE000'0000, kPages = 0x20, kRing = 0x12000;
constexpr std::uint32_t kImage = 0x1000;
// Its kernels and descriptors, at this address of its own, and its page directory.
constexpr std::uint32_t kKernels = 0x14000, kDescriptors = 0x200, kOverwrite = 0x400;
constexpr std::uint32_t kRoot = 0x15000;
constexpr std::uint64_t kWorkAddress = 0x10000;
// And the save area's pages and page tables.
constexpr std::uint64_t kSavePhysical = kPhysical + 0x100'0000, kTables = kPhysical + 0x80'0000;
constexpr std::uint64_t kSaveBytes = 2 << 20;  // PRE-12: GT2
constexpr std::uint64_t kTableBits = 0xFFFF'FFFF'F000;
constexpr std::uint32_t kPdp0 = 0x2270, kCsrBaseAddress = 0x61040001;
constexpr std::uint32_t kStateBaseAddress = 0x61010011, kMediaVfeState = 0x70000007;
constexpr std::uint64_t kMostThreads = 3 * 8 * 7;  ///< with scratch memory
constexpr std::uint32_t kLoadRegister = 0x11000001, kCsChicken1 = 0x2580;
constexpr std::uint32_t kExeclistStatus = 0x2234, kActive = 3u << 17;

/// A thread that counts down from the fourth DWord (assembled with iga64 -p=9).
constexpr std::array<std::uint32_t, 24> kCountDown = {
    0x00000001, 0x2140060C, 0x00000000, 0,           // mov (1) r10.0:ud N
    0x00000040, 0x21400A2C, 0x0E000140, 0xFFFFFFFF,  // add (1) r10.0:d r10.0:d -1
    0x03000010, 0x20000A24, 0x0E000140, 0x00000000,  // cmp (1) (gt)f0.0 null r10.0:d 0
    0x00010020, 0x34000004, 0x0E001400, 0xFFFFFFD0,  // (f0.0) jmpi -48
    0x00600001, 0x2FE0020C, 0x008D0000, 0x00000000,  // mov (8) r127 r0
    0x07600031, 0x20002204, 0x06000FE0, 0x82000010,  // send: end of thread
};

/// A thread that overwrites 64 KB of shared local memory (assembled likewise).
constexpr std::array<std::uint32_t, 52> kOverwriteSlm = {
    0x00600001, 0x2140264C, 0x00000000, 0x76543210,  // mov (8) r10.0:uw 0x76543210:uv
    0x00600001, 0x2280120C, 0x008D0140, 0x00000000,  // mov (8) r20:ud r10:uw
    0x00600009, 0x2280020C, 0x068D0280, 0x00000002,  // shl (8) r20:ud r20:ud 2
    0x00600040, 0x22A0020C, 0x068D0280, 0x00000020,  // add (8) r21:ud r20:ud 32
    0x00800001, 0x22C0060C, 0x00000000, 0xDEADBEEF,  // mov (16) r22:ud 0xDEADBEEF
    0x00000001, 0x21600E2C, 0x00000000, 0x00000400,  // mov (1) r11.0:d 1024
    0x0C800031, 0x20000204, 0x06000280, 0x08025EFE,  // send: untyped write to surface 254
    0x00800040, 0x2280020C, 0x068D0280, 0x00000040,  // add (16) r20:ud r20:ud 64
    0x00000040, 0x21600A2C, 0x0E000160, 0xFFFFFFFF,  // add (1) r11.0:d r11.0:d -1
    0x03000010, 0x20000A24, 0x0E000160, 0x00000000,  // cmp (1) (gt)f0.0 null r11.0:d 0
    0x00010020, 0x34000004, 0x0E001400, 0xFFFFFFB0,  // (f0.0) jmpi -80
    0x00600001, 0x2FE0020C, 0x008D0000, 0x00000000,  // mov (8) r127 r0
    0x07600031, 0x20002204, 0x06000FE0, 0x82000010,  // send: end of thread
};
constexpr std::uint32_t kAllSlm = 7u << 16;  ///< of a descriptor: 64 KB

void append(std::vector<std::uint32_t>& to, std::initializer_list<std::uint32_t> words) {
    to.insert(to.end(), words);
}

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

InterruptingEngine::InterruptingEngine(RunOptions options, std::uint64_t seed, double first_ns,
                                       std::uint32_t work)
    : intruder_(seed ? std::make_unique<Intruder>(*this) : nullptr),
      simulation_(std::make_unique<Simulation>(std::move(options))),
      random_(seed),
      first_ns_(first_ns),
      work_(work) {
    for (std::uint32_t page = 0; page < kPages; ++page)
        simulation_->write_gtt(kGlobal / kPageBytes + page, (kPhysical + page * kPageBytes) | 1);
}

InterruptingEngine::~InterruptingEngine() = default;

void InterruptingEngine::put(std::uint64_t at, const std::vector<std::uint32_t>& words) {
    simulation_->write_memory(
        PhysAddr(kPhysical + at),
        {reinterpret_cast<const std::uint8_t*>(words.data()), 4 * words.size()});
}

void InterruptingEngine::find_areas(std::span<const std::uint8_t> bytes) {
    for (std::size_t at = 0; at + 12 <= bytes.size(); at += 4) {
        std::array<std::uint32_t, 3> words;
        std::memcpy(words.data(), &bytes[at], sizeof words);
        const std::uint64_t page = (words[1] & 0xFFFFF000) | std::uint64_t{words[2]} << 32;
        if (words[0] == kCsrBaseAddress && words[1] % kPageBytes == 0) save_area_ = page;
        if (words[0] == kStateBaseAddress && (words[1] & 1)) general_base_ = page;
        if (words[0] == kMediaVfeState && (words[1] & ~0xFu) != 0) {
            const std::uint64_t base = words[1] & ~0x3FFu;
            std::uint64_t& bytes_there =
                scratch_[general_base_ + (base | std::uint64_t{words[2] & 0xFFFF} << 32)];
            bytes_there = std::max(bytes_there, kMostThreads << (words[1] & 0xF) << 10);
        }
    }
}

std::vector<std::uint8_t> InterruptingEngine::at_level(std::span<const std::uint8_t> bytes) const {
    std::vector<std::uint8_t> changed(bytes.begin(), bytes.end());
    for (std::size_t at = 0; at + 12 <= bytes.size(); at += 4) {
        std::array<std::uint32_t, 3> words;
        std::memcpy(words.data(), &bytes[at], sizeof words);
        if (words[0] != kLoadRegister || words[1] != kCsChicken1) continue;
        if (level) words[2] = (words[2] & ~6u) | 6u << 16 | *level << 1;
        if (parts_draws) words[2] = (words[2] & ~1u) | 1u << 16 | *parts_draws;
        std::memcpy(&changed[at], words.data(), sizeof words);
    }
    return changed;
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

std::uint64_t InterruptingEngine::root() {
    const std::uint64_t root = (simulation_->read_register(kPdp0) & 0xFFFFF000u) |
                               std::uint64_t{simulation_->read_register(kPdp0 + 4)} << 32;
    return root == kPhysical + kRoot ? 0 : root;
}

void InterruptingEngine::map_save_area() {
    if (save_area_ == 0 || !mapped_.insert(save_area_).second) return;
    const std::uint64_t top = root();
    if (top == 0) return void(mapped_.erase(save_area_));
    for (std::uint64_t offset = 0; offset < kSaveBytes; offset += kPageBytes) {
        const std::uint64_t address = save_area_ + offset;
        std::uint64_t table = top;
        for (const unsigned shift : {39u, 30u, 21u})
            table = next_table(table, address >> shift & 511, 0);
        not_compared_.insert(next_table(table, address >> 12 & 511, kSavePhysical + offset) >> 12);
    }
}

void InterruptingEngine::leave_out_scratch() {
    const std::uint64_t top = root();
    if (top == 0) return;
    for (const auto& [begin, bytes] : scratch_)
        for (std::uint64_t address = begin; address < begin + bytes; address += kPageBytes) {
            std::uint64_t entry = top | 1;
            for (const unsigned shift : {39u, 30u, 21u, 12u}) {
                std::array<std::uint8_t, 8> words;
                simulation_->read_memory(
                    PhysAddr((entry & kTableBits) + 8 * (address >> shift & 511)), words);
                std::memcpy(&entry, words.data(), sizeof entry);
                if (!(entry & 1)) break;
            }
            if (entry & 1) not_compared_.insert((entry & kTableBits) >> 12);
        }
    scratch_.clear();
}

bool InterruptingEngine::active() {
    return simulation_->read_register(kExeclistStatus) & kActive;
}

// Walkers of its own: a thread overwrites shared local memory; others count down.
void InterruptingEngine::add_work(std::vector<std::uint32_t>& commands) {
    std::vector<std::uint32_t> kernel(kCountDown.begin(), kCountDown.end());
    kernel[3] = work_;
    put(kKernels, kernel);
    put(kKernels + kOverwrite, {kOverwriteSlm.begin(), kOverwriteSlm.end()});
    put(kKernels + kDescriptors,
        {0, 0, 0, 0, 0, 0, 1, 0, kOverwrite, 0, 0, 0, 0, 0, 1 | kAllSlm, 0});
    // Tables beside its root: those of the capture are to be the same in every run.
    std::uint64_t table = kPhysical + kRoot;
    for (const unsigned shift : {39u, 30u, 21u})
        table = next_table(table, static_cast<unsigned>(kWorkAddress >> shift & 511),
                           table + kPageBytes);
    next_table(table, static_cast<unsigned>(kWorkAddress >> 12 & 511), kPhysical + kKernels);
    const auto base = static_cast<std::uint32_t>(kWorkAddress | 1);
    const std::uint32_t all = 0xFFFFF001;
    append(commands, {0x11000001, 0x7034, 0x60000321});  // L3CNTLREG: with shared local memory
    append(commands, {0x61010011, 1, 0, 0, 1, 0, base, 0, 1, 0, base, 0, all, all, all, all, 1, 0,
                      0});                                                     // STATE_BASE_ADDRESS
    append(commands, {0x70000007, 0, 0, 0x00A70100, 0, 0x07820000, 0, 0, 0});  // MEDIA_VFE_STATE
    append(commands, {0x70020002, 0, 0x40, kDescriptors});  // MEDIA_INTERFACE_DESCRIPTOR_LOAD
    const auto walk = [&](std::uint32_t descriptor, std::uint32_t groups) {
        append(commands,
               {0x7105000D, descriptor, 0, 0, 0x40000000, 0, 0, groups, 0, 0, 1, 0, 1, ~0u, ~0u});
        append(commands, {0x70040000, 0});  // MEDIA_STATE_FLUSH
    };
    walk(1, 1);
    if (work_ != 0) walk(0, kWorkGroups);
}

void InterruptingEngine::intrude() {
    // State of the 3D pipe: no shaders, no vertex elements, other entries, no samples.
    std::vector<std::uint32_t> commands = {0x69041310};
    append(commands, {0x78100007, 0, 0, 0, 0, 0, 0, 0, 0});           // 3DSTATE_VS
    append(commands, {0x7820000A, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0});  // 3DSTATE_PS
    append(commands, {0x78090001, 0, 0});                             // 3DSTATE_VERTEX_ELEMENTS
    append(commands, {0x78300000, 5u << 25 | 64});                    // 3DSTATE_URB_VS
    append(commands, {0x78180000, 0});                                // 3DSTATE_SAMPLE_MASK
    append(commands, {0x79000002, 0, 0, 0});                          // 3DSTATE_DRAWING_RECTANGLE
    const std::vector<std::uint32_t> media = {
        0x69040302,                                              // PIPELINE_SELECT: GPGPU
        0x11000003, 0x2600, 0xDEAD0001, 0x2604,     0xDEAD0002,  // R0
        0x11000001, 0xE404, 0,                                   // TD_CTL2
        0x70000007, 0,      0,          0x00100200, 0,
        0x01000000, 0,      0,          0};  // MEDIA_VFE_STATE
    commands.insert(commands.end(), media.begin(), media.end());
    add_work(commands);
    append(commands, {0x7A000004, 0x00100000, 0, 0, 0, 0});  // PIPE_CONTROL: CS stall
    if (commands.size() % 2 != 0) commands.push_back(0);
    put(kRing, commands);
    std::vector<std::uint32_t> image(0x51, 0);
    const auto tail = static_cast<std::uint32_t>(4 * commands.size());
    // CTXT_SR_CTL inhibits the restore of the rest.
    const std::array<std::uint32_t, 10> pairs = {
        0x2244, 0x00010001, 0x2034, 0, 0x2030, tail, 0x2038, kGlobal + kRing, 0x203C, 0x1001};
    image[1] = 0x11001009;
    std::copy(pairs.begin(), pairs.end(), image.begin() + 2);
    const std::uint64_t root = kPhysical + kRoot;
    const std::array<std::uint32_t, 4> directory = {
        kPdp0 + 4, static_cast<std::uint32_t>(root >> 32), kPdp0, static_cast<std::uint32_t>(root)};
    image[0x21] = 0x11001003;
    std::copy(directory.begin(), directory.end(), image.begin() + 0x22);
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
    not_compared_.insert(entry >> 12 & 0xFFF'FFFF);
    simulation_->write_gtt(index, entry);
}

void InterruptingEngine::write_memory(PhysAddr address, std::span<const std::uint8_t> bytes) {
    for (std::uint64_t page = address.value >> 12; page <= (address.value + bytes.size() - 1) >> 12;
         ++page)
        written_.insert(page);
    find_areas(bytes);
    if (level || parts_draws)
        simulation_->write_memory(address, at_level(bytes));
    else
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
        leave_out_scratch();
        if (intruded_ && !stopped())
            for (const std::uint32_t word : std::vector(port_))
                write_register(kExeclistSubmitPort, word);
    } while (intruded_ && !stopped());
}

std::vector<InterruptingEngine::PageHash> InterruptingEngine::page_hashes() {
    std::vector<PageHash> hashes;
    std::array<std::uint8_t, kPageBytes> bytes;
    for (const std::uint64_t page : written_) {
        if (not_compared_.contains(page)) continue;
        simulation_->read_memory(PhysAddr(page << 12), bytes);
        std::uint64_t hash = 1469598103934665603u;  // FNV-1a
        for (const std::uint8_t byte : bytes)
            hash = (hash ^ byte) * 1099511628211u;
        hashes.push_back({page, hash});
    }
    return hashes;
}

}  // namespace gen9::platform::test
