// SPDX-License-Identifier: Apache-2.0
/// Finds the kernels in a command stream without executing them.
/// Role     an engine that only keeps memory and, on each submission, reads the ring and its
///          batches to learn which kernel every GPGPU_WALKER starts.
/// Not here whatever else commands do. Registers read as an engine that is idle.
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "platform/host/deferred_engine.h"
#include "platform/host/graphics_memory.h"
#include "platform/host/program/device_binary.h"

namespace gen9::platform {

class KernelFinder final : public Engine {
  public:
    KernelFinder();

    /// Kernels that differ in address or contents, in the order they were first started.
    const std::vector<KernelText>& kernels() const { return kernels_; }

    void write_register(std::uint32_t offset, std::uint32_t value) override;
    std::uint32_t read_register(std::uint32_t offset) override;
    void write_gtt(std::uint32_t index, std::uint64_t entry) override {
        memory_.write_gtt(index, entry);
    }
    std::uint64_t read_gtt(std::uint32_t index) override { return memory_.read_gtt(index); }
    void write_memory(PhysAddr address, std::span<const std::uint8_t> bytes) override {
        memory_.write_memory(address, bytes);
    }
    void read_memory(PhysAddr address, std::span<std::uint8_t> bytes) override {
        memory_.read_memory(address, bytes);
    }
    void run() override {}
    bool stopped() const override { return false; }

  private:
    /// A place in the stream: commands are fetched from GGTT or PPGTT.
    struct Place {
        bool ppgtt = false;
        std::uint64_t address = 0;
    };
    void follow(std::uint32_t descriptor_low);
    bool step(std::vector<Place>& stack);
    bool enter_batch(std::vector<Place>& stack) const;
    void take_bases();
    void start_kernel(std::uint64_t descriptor_index);
    std::optional<PhysAddr> translate(const Place& place) const;
    std::uint32_t dword(const Place& place, std::size_t index) const;

    DeferredEngine memory_;
    GraphicsMemory graphics_;
    std::vector<std::uint32_t> submit_port_;
    std::vector<KernelText> kernels_;
    std::vector<std::uint32_t> command_;
    std::uint64_t instruction_base_ = 0, dynamic_base_ = 0, descriptors_ = 0;
};

}  // namespace gen9::platform
