// SPDX-License-Identifier: Apache-2.0
#include "platform/host/kernel_finder.h"

#include <algorithm>

#include "common/bits.h"
#include "common/check.h"
#include "platform/host/address_space.h"

namespace gen9::platform {
namespace {

// A stream may be damaged or go in circles.
constexpr unsigned kMaxCommands = 1'000'000;
constexpr std::size_t kMaxDepth = 4;
constexpr std::size_t kMaxKernelBytes = 1 << 20;

constexpr std::uint32_t kExeclistStatus = 0x2234;
constexpr std::uint32_t kIdle = 0x100;
constexpr std::uint32_t kDescriptorBytes = 32;  // INTERFACE_DESCRIPTOR_DATA

/// Header bits that name a command, and its number of DWords.
struct Command {
    enum Name { Other, BatchStart, BatchEnd, StateBaseAddress, DescriptorLoad, Walker } name;
    unsigned dwords;
};

Command decode(std::uint32_t header) {
    constexpr std::uint32_t kMi = 0, kRender = 3;
    const unsigned length8 = bits(header, 7, 0) + 2;
    if (bits(header, 31, 29) == kMi) {
        const auto opcode = bits(header, 28, 23);
        if (opcode == 0x0A) return {Command::BatchEnd, 1};
        if (opcode == 0x31) return {Command::BatchStart, length8};
        return {Command::Other, opcode < 0x10 ? 1 : length8};
    }
    if (bits(header, 31, 29) != kRender) return {Command::Other, length8};
    switch (bits(header, 31, 16)) {
        case 0x6101:
            return {Command::StateBaseAddress, length8};
        case 0x6904:
            return {Command::Other, 1};  // PIPELINE_SELECT
        case 0x7002:
            return {Command::DescriptorLoad, bits(header, 15, 0) + 2};
        case 0x7105:
            return {Command::Walker, length8};
        default:
            break;
    }
    const bool media = bits(header, 28, 27) == 2;
    return {Command::Other, media ? bits(header, 15, 0) + 2 : length8};
}

}  // namespace

KernelFinder::KernelFinder()
    : memory_([]() -> std::unique_ptr<Engine> {
          throw InternalError("a kernel finder never runs an engine");
      }),
      graphics_(memory_) {}

void KernelFinder::write_register(std::uint32_t offset, std::uint32_t value) {
    if (offset != kExeclistSubmitPort) return;
    submit_port_.push_back(value);
    if (submit_port_.size() < kWritesPerSubmission) return;
    // The order of writes: context 1 high, low, context 0 high, low. Context 0 runs first.
    follow(submit_port_[3]);
    follow(submit_port_[1]);
    submit_port_.clear();
}

std::uint32_t KernelFinder::read_register(std::uint32_t offset) {
    return offset == kExeclistStatus ? kIdle : 0;
}

std::optional<PhysAddr> KernelFinder::translate(const Place& place) const {
    return place.ppgtt ? graphics_.ppgtt(place.address) : graphics_.ggtt(place.address);
}

std::uint32_t KernelFinder::dword(const Place& place, unsigned index) const {
    const auto at = translate({place.ppgtt, place.address + 4 * index});
    return at ? graphics_.read<std::uint32_t>(*at) : 0;
}

std::uint64_t KernelFinder::qword(const Place& place, unsigned index) const {
    return dword(place, index) | std::uint64_t{dword(place, index + 1)} << 32;
}

void KernelFinder::follow(std::uint32_t descriptor_low) {
    if (bits(descriptor_low, 0, 0) == 0) return;
    graphics_.use_context(descriptor_low);
    const Place image{false, descriptor_low & ~0xFFFu};
    const auto field = [&](std::uint32_t offset) { return dword(image, offset / 4); };
    const std::uint64_t ring = field(ContextImage::kRingStart) & ~0xFFFu;
    const std::uint32_t head = field(ContextImage::kRingHead),
                        tail = field(ContextImage::kRingTail);
    const Place end{false, ring + tail};
    std::vector<Place> stack{{false, ring + head}};
    for (unsigned count = 0; count < kMaxCommands && !stack.empty(); ++count) {
        if (stack.size() == 1 && stack[0].address >= end.address) break;
        if (!step(stack)) break;
    }
    // As the engine would: the next submission goes on from here.
    if (const auto at = graphics_.ggtt(image.address + ContextImage::kRingHead)) {
        std::uint8_t bytes[4];
        store(bytes, tail);
        memory_.write_memory(*at, bytes);
    }
}

/// Reads one command; false when the stream cannot be followed further.
bool KernelFinder::step(std::vector<Place>& stack) {
    const Place place = stack.back();
    if (!translate(place)) return false;
    const std::uint32_t header = dword(place, 0);
    const Command command = decode(header);
    stack.back().address += 4 * command.dwords;
    switch (command.name) {
        case Command::BatchEnd:
            stack.pop_back();
            break;
        case Command::BatchStart: {
            const Place target{bits(header, 8, 8) != 0, qword(place, 1) & ~3ull};
            const bool second_level = bits(header, 22, 22) != 0;
            if (stack.size() == 1 || second_level)
                stack.push_back(target);
            else
                stack.back() = target;
            return stack.size() <= kMaxDepth;
        }
        case Command::StateBaseAddress: {
            // Each base is modified only when bit 0 of its low DWord is set.
            const auto take = [&](unsigned index, std::uint64_t& base) {
                const std::uint64_t value = qword(place, index);
                if (value & 1) base = value & ~0xFFFull;
            };
            take(6, dynamic_base_);
            take(10, instruction_base_);
            break;
        }
        case Command::DescriptorLoad:
            descriptors_ = dynamic_base_ + dword(place, 3);
            break;
        case Command::Walker:
            start_kernel(bits(dword(place, 1), 5, 0) * kDescriptorBytes);
            break;
        case Command::Other:
            break;
    }
    return true;
}

void KernelFinder::start_kernel(std::uint32_t descriptor_offset) {
    const Place descriptor{true, descriptors_ + descriptor_offset};
    const std::uint64_t pointer =
        (dword(descriptor, 0) & ~0x3Fu) | std::uint64_t{dword(descriptor, 1) & 0xFFFF} << 32;
    const std::uint64_t start = instruction_base_ + pointer;
    KernelText kernel{"", start, {}};
    while (kernel.bytes.size() < kMaxKernelBytes) {
        const std::uint64_t at = start + kernel.bytes.size();
        const auto physical = graphics_.ppgtt(at);
        if (!physical) break;
        const std::size_t size = kernel.bytes.size(), count = kPageBytes - at % kPageBytes;
        kernel.bytes.resize(size + count);
        memory_.read_memory(*physical, std::span(kernel.bytes).subspan(size));
        const std::size_t length = kernel_length(kernel.bytes);
        if (length >= kernel.bytes.size()) continue;
        kernel.bytes.resize(length);
        break;
    }
    // A driver uses memory again: the same address may hold another kernel later.
    const auto same = [&](const KernelText& known) {
        return known.address == start && known.bytes == kernel.bytes;
    };
    if (kernel.bytes.empty() || std::any_of(kernels_.begin(), kernels_.end(), same)) return;
    kernels_.push_back(std::move(kernel));
}

}  // namespace gen9::platform
