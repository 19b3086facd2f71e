// SPDX-License-Identifier: Apache-2.0
/// An engine that is built when software first gives it work or asks it something.
/// Role     drivers open connections they never use, and write tables long before the first kernel.
///          Until a submission or a register read, writes are kept here; then the engine is built
///          and given them, so that an unused connection costs nothing and leaves no files.
/// Order    before there is work nothing can observe the order of writes to different places;
///          registers are handed over in the order they were written.
#pragma once
#include <array>
#include <functional>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

#include "platform/host/engine.h"

namespace gen9::platform {

class DeferredEngine final : public Engine {
  public:
    using Build = std::function<std::unique_ptr<Engine>()>;
    explicit DeferredEngine(Build build) : build_(std::move(build)) {}

    /// The engine, or null if it was never needed.
    Engine* built() const { return engine_.get(); }

    void write_register(std::uint32_t offset, std::uint32_t value) override;
    std::uint32_t read_register(std::uint32_t offset) override;
    void write_gtt(std::uint32_t index, std::uint64_t entry) override;
    std::uint64_t read_gtt(std::uint32_t index) override;
    void write_memory(PhysAddr address, std::span<const std::uint8_t> bytes) override;
    void read_memory(PhysAddr address, std::span<std::uint8_t> bytes) override;
    void run() override;
    bool stopped() const override { return engine_ && engine_->stopped(); }
    bool waits_for_host() const override { return engine_ && engine_->waits_for_host(); }
    bool may_go_on() override { return need().may_go_on(); }
    void give_up_waiting(const std::string& why) override { need().give_up_waiting(why); }
    std::string describe_waiting() const override {
        return engine_ ? engine_->describe_waiting() : std::string();
    }

  private:
    using Page = std::array<std::uint8_t, kPageBytes>;
    Engine& need();

    Build build_;
    std::unique_ptr<Engine> engine_;
    std::unordered_map<std::uint64_t, std::unique_ptr<Page>> pages_;  ///< by page number
    std::unordered_map<std::uint32_t, std::uint64_t> gtt_;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> registers_;
};

}  // namespace gen9::platform
