// SPDX-License-Identifier: Apache-2.0
#include "platform/host/drm/ring_contexts.h"

#include <array>
#include <utility>

#include "common/bits.h"
#include "common/check.h"
#include "platform/host/address_space.h"
#include "platform/host/drm/protocol.h"
#include "platform/host/graphics_memory.h"

namespace gen9::drm {
namespace {

using platform::ContextImage;

constexpr std::uint32_t kStatusPage = 1;  // its number in the global table
constexpr std::uint32_t kRingPages = 4, kImagePages = 23;
constexpr std::uint32_t kContextPages = kRingPages + kImagePages;
constexpr std::uint32_t kRingBytes = kRingPages * kPage;
static_assert(kMaxContexts * kContextPages < platform::kGgttEntries - kStatusPage);

// Offsets in the status page.
constexpr std::uint32_t kSeqno = 0x100, kScratch = 0x180;

// Registers of the render engine (Public: Linux i915, intel_engine_regs.h).
constexpr std::uint32_t kHwsPga = 0x2080, kGfxMode = 0x229C, kMocs = 0xC800, kL3Mocs = 0xB020,
                        kPrivatePat = 0x40E0;
constexpr std::uint32_t kEnableExeclists = 0x8000'8000, kEnable48Bit = 0x0080'0080;

// Commands.
constexpr std::uint32_t kPipeControl = 0x7A00'0004, kUserInterrupt = 0x0100'0000, kNoop = 0;
constexpr std::uint32_t kLoadRegisters = 0x1100'0000;
constexpr std::uint32_t kStartBatch = 0x1880'0101;  // PPGTT, three DWords
// PIPE_CONTROL: all read caches and translations, before a batch; with a write, which a TLB
// invalidation needs, to global memory.
constexpr std::uint32_t kInvalidate = 0x0114'4C1C;
constexpr std::uint32_t kFlushCaches = 0x0010'1021;  // render target, depth and data caches
constexpr std::uint32_t kWriteSeqno = 0x0110'4080;   // command streamer stall, write

/// Descriptor: valid, legacy context of 48 bits, privileged.
constexpr std::uint32_t kDescriptor = 0x119;

constexpr std::uint32_t low(std::uint64_t value) {
    return static_cast<std::uint32_t>(value);
}
constexpr std::uint32_t high(std::uint64_t value) {
    return static_cast<std::uint32_t>(value >> 32);
}

/// Registers of a new context, from the first DWord of its image (003:1831).
std::vector<std::uint32_t> image_of(std::uint32_t ring_start, PhysAddr root) {
    std::vector<std::uint32_t> image{kNoop, 0x1100'101B, 0x2244, 0x0009'0008};
    const auto set = [&](std::uint32_t offset, std::uint32_t value) {
        image.push_back(offset);
        image.push_back(value);
    };
    set(0x2034, 0);
    set(0x2030, 0);
    set(0x2038, ring_start);
    set(0x203C, (kRingPages - 1) << 12 | 1);
    for (const std::uint32_t offset :
         {0x2168, 0x2140, 0x2110, 0x211C, 0x2114, 0x2118, 0x21C0, 0x21C4, 0x21C8})
        set(offset, 0);
    image.insert(image.end(), {kNoop, kNoop, kNoop, 0x1100'1011, 0x23A8, 0});
    for (std::uint32_t offset = 0x228C; offset > 0x2274; offset -= 4)
        set(offset, 0);
    set(0x2274, high(root.value));
    set(0x2270, low(root.value));
    image.insert(image.end(), 13, kNoop);
    image.insert(image.end(), {0x1100'0001, 0x20C8, 0x8000'0088});
    return image;
}

}  // namespace

RingContexts::RingContexts(platform::Engine& engine, Ranges& physical)
    : engine_(engine),
      physical_(physical),
      global_(kStatusPage + 1, platform::kGgttEntries),
      status_(*physical.take(kPage, kPage)) {
    map_global(kStatusPage, status_, 1);
    set_registers();
}

void RingContexts::set_registers() {
    // Memory object control states, the tables of Linux: 0 uncached, 1 by the page, 2 cached; 63
    // for evictions of L3; all others as 1.
    for (unsigned i = 0; i < 64; ++i)
        engine_.write_register(kMocs + 4 * i, i == 0    ? 0x09
                                              : i == 2  ? 0x3B
                                              : i == 63 ? 0x37
                                                        : 0x30);
    const auto l3 = [](unsigned i) { return i == 0 || i == 63 ? 0x10u : 0x30u; };
    for (unsigned i = 0; i < 32; ++i)
        engine_.write_register(kL3Mocs + 4 * i, l3(2 * i) | l3(2 * i + 1) << 16);
    engine_.write_register(kPrivatePat, 0x0003'0907);
    engine_.write_register(kPrivatePat + 4, 0x3B2B'1B0B);
    engine_.write_register(kGfxMode, kEnableExeclists | kEnable48Bit);
    engine_.write_register(kHwsPga, kStatusPage * kPage);
}

void RingContexts::map_global(std::uint32_t page, PhysAddr memory, std::uint32_t pages) {
    for (std::uint32_t i = 0; i < pages; ++i)
        engine_.write_gtt(page + i, (memory.value + i * kPage) | 1);
}

void RingContexts::put(PhysAddr address, std::span<const std::uint32_t> dwords) {
    engine_.write_memory(
        address, {reinterpret_cast<const std::uint8_t*>(dwords.data()), dwords.size_bytes()});
}

/// Commands of one submission lie in one piece: the rest of a ring that is too short is NOOPs.
void RingContexts::put_ring(Context& context, std::span<const std::uint32_t> dwords) {
    const auto bytes = static_cast<std::uint32_t>(dwords.size_bytes());
    if (context.tail + bytes >= kRingBytes) {
        const std::vector<std::uint32_t> rest((kRingBytes - context.tail) / 4, kNoop);
        put(context.memory + context.tail, rest);
        context.tail = 0;
    }
    put(context.memory + context.tail, dwords);
    context.tail += bytes;
}

RingContexts::Context RingContexts::make(PhysAddr root) {
    Context context;
    if (spare_.empty()) {
        const auto page = global_.take(kContextPages, 1);
        const auto memory = physical_.take(kContextPages * kPage, kPage);
        if (!page || !memory) throw UserError("the program has too many contexts");
        context.first_page = static_cast<std::uint32_t>(*page);
        context.memory = PhysAddr(*memory);
        map_global(context.first_page, context.memory, kContextPages);
    } else {
        context = spare_.back();
        spare_.pop_back();
        context.tail = 0;
        context.settings = 0;
    }
    context.root = root;
    const std::vector<std::uint32_t> zeros(kImagePages * kPage / 4, 0);
    put(context.memory + kRingBytes, zeros);
    const auto image = image_of(static_cast<std::uint32_t>(context.first_page * kPage), root);
    put(context.memory + kRingBytes + kPage, image);
    return context;
}

RingContexts::GlobalMemory RingContexts::take_global(std::uint32_t bytes, std::uint32_t alignment) {
    const auto pages = static_cast<std::uint32_t>(bytes / kPage);
    const auto page = global_.take(pages, alignment / kPage);
    const auto memory = physical_.take(bytes, kPage);
    if (!page || !memory) throw UserError("there is no memory for the performance reports");
    map_global(static_cast<std::uint32_t>(*page), PhysAddr(*memory), pages);
    return {static_cast<std::uint32_t>(*page * kPage), bytes, PhysAddr(*memory)};
}

void RingContexts::set_in_each(const std::vector<std::uint32_t>& registers) {
    settings_ = {kLoadRegisters | static_cast<std::uint32_t>(registers.size() - 1)};
    settings_.insert(settings_.end(), registers.begin(), registers.end());
    if (settings_.size() % 2) settings_.push_back(kNoop);  // a tail is in QWords
    ++settings_number_;
}

bool RingContexts::submit(std::uint32_t id, PhysAddr root, std::uint64_t batch,
                          std::uint64_t number, const std::function<bool()>& wait_for_host) {
    auto found = contexts_.find(id);
    if (found == contexts_.end()) found = contexts_.emplace(id, make(root)).first;
    Context& context = found->second;
    const PhysAddr image = context.memory + kRingBytes;
    if (context.root != root) {
        context.root = root;
        const std::uint32_t halves[] = {high(root.value), low(root.value)};
        put(image + ContextImage::kPdp0High, {halves, 1});
        put(image + ContextImage::kPdp0Low, {halves + 1, 1});
    }
    const auto status = static_cast<std::uint32_t>(kStatusPage * kPage);
    std::vector<std::uint32_t> commands;
    if (std::exchange(context.settings, settings_number_) != settings_number_) commands = settings_;
    commands.insert(commands.end(), pause_, kNoop);
    const std::uint32_t around[] = {kPipeControl,
                                    0,
                                    0,
                                    0,
                                    0,
                                    0,  // what the hardware wants before a VF invalidation
                                    kPipeControl,
                                    kInvalidate,
                                    status + kScratch,
                                    0,
                                    0,
                                    0,  //
                                    kStartBatch,
                                    low(batch),
                                    high(batch),
                                    kNoop,  //
                                    kPipeControl,
                                    kFlushCaches,
                                    0,
                                    0,
                                    0,
                                    0,  //
                                    kPipeControl,
                                    kWriteSeqno,
                                    status + kSeqno,
                                    0,
                                    low(number),
                                    high(number),  //
                                    kUserInterrupt,
                                    kNoop};
    commands.insert(commands.end(), std::begin(around), std::end(around));
    put_ring(context, commands);
    const std::uint32_t tail[] = {context.tail};
    put(image + ContextImage::kRingTail, tail);
    const auto image_page = context.first_page + kRingPages;
    for (const std::uint32_t value :
         {0u, 0u, id + 1, static_cast<std::uint32_t>(image_page * kPage) | kDescriptor})
        engine_.write_register(platform::kExeclistSubmitPort, value);
    engine_.run();
    while (engine_.waits_for_host() && wait_for_host())
        engine_.run();
    std::uint8_t written[8];
    engine_.read_memory(status_ + kSeqno, written);
    return load<std::uint64_t>(written) == number;
}

void RingContexts::remove(std::uint32_t id) {
    const auto found = contexts_.find(id);
    if (found == contexts_.end()) return;
    spare_.push_back(found->second);
    contexts_.erase(found);
}

}  // namespace gen9::drm
