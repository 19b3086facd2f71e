// SPDX-License-Identifier: Apache-2.0
#include "platform/host/program/kernel_finder.h"

#include <algorithm>

#include "common/bits.h"
#include "common/check.h"
#include "packets/commands.h"
#include "packets/media.h"
#include "packets/mi.h"
#include "packets/state.h"
#include "platform/host/address_space.h"

namespace gen9::platform {
namespace {

// A stream may be damaged or go in circles.
constexpr unsigned kMaxCommands = 200'000;
constexpr std::size_t kMaxDepth = 4;
constexpr std::size_t kMaxCommandDwords = 32;  // no command looked at here is longer
constexpr std::size_t kMaxKernelBytes = 1 << 20;

constexpr std::uint32_t kExeclistStatus = 0x2234;
constexpr std::uint32_t kIdle = 0x100;
constexpr std::uint32_t kDescriptorBytes = 32;  // INTERFACE_DESCRIPTOR_DATA

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

std::uint32_t KernelFinder::dword(const Place& place, std::size_t index) const {
    const auto at = translate({place.ppgtt, place.address + 4 * index});
    return at ? graphics_.read<std::uint32_t>(*at) : 0;
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
    const auto* row = packets::find_command(header);
    if (!row) return false;
    command_.resize(std::min<std::size_t>(row->dwords(header), kMaxCommandDwords));
    for (std::size_t i = 0; i < command_.size(); ++i)
        command_[i] = dword(place, i);
    stack.back().address += 4 * std::uint64_t{row->dwords(header)};
    if (row->command == packets::Command::MI_BATCH_BUFFER_END) stack.pop_back();
    if (row->command == packets::Command::MI_BATCH_BUFFER_START) return enter_batch(stack);
    if (row->command == packets::Command::STATE_BASE_ADDRESS) take_bases();
    if (row->command == packets::Command::MEDIA_INTERFACE_DESCRIPTOR_LOAD) {
        using namespace packets::MEDIA_INTERFACE_DESCRIPTOR_LOAD;
        descriptors_ = dynamic_base_ + InterfaceDescriptorDataStartAddress.get(command_);
    }
    if (row->command == packets::Command::GPGPU_WALKER)
        start_kernel(packets::GPGPU_WALKER::InterfaceDescriptorOffset.get(command_));
    return true;
}

bool KernelFinder::enter_batch(std::vector<Place>& stack) const {
    using namespace packets::MI_BATCH_BUFFER_START;
    const Place target{AddressSpaceIndicator.get(command_) != 0,
                       BatchBufferStartAddress.get(command_)};
    if (stack.size() == 1 || SecondLevelBatchBuffer.get(command_) != 0)
        stack.push_back(target);
    else
        stack.back() = target;
    return stack.size() <= kMaxDepth;
}

void KernelFinder::take_bases() {
    using namespace packets::STATE_BASE_ADDRESS;
    if (DynamicStateBaseAddressModifyEnable.get(command_))
        dynamic_base_ = DynamicStateBaseAddress.get(command_);
    if (InstructionBaseAddressModifyEnable.get(command_))
        instruction_base_ = InstructionBaseAddress.get(command_);
}

void KernelFinder::start_kernel(std::uint64_t descriptor_index) {
    const Place descriptor{true, descriptors_ + descriptor_index * kDescriptorBytes};
    const std::uint32_t words[] = {dword(descriptor, 0), dword(descriptor, 1)};
    const std::uint64_t start =
        instruction_base_ + packets::INTERFACE_DESCRIPTOR_DATA::KernelStartPointer.get(words);
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
