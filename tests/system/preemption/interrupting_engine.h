// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <set>
#include <systemc>
#include <vector>

#include "platform/run/simulation.h"

namespace gen9::platform::test {

/// A machine on which a second context takes the engine from whatever is submitted, at random
/// cycles, and leaves the media and 3D state, registers, caches and SLM in disorder. What was interrupted
/// is submitted again, as a driver does, until it ends undisturbed.
class InterruptingEngine : public Engine {
  public:
    struct PageHash {
        std::uint64_t page, hash;
    };

    /// The module that interrupts has to exist before the machine is elaborated. `seed` 0: nobody
    /// interrupts. `first_ns`: most time until the first interruption of a submission; it doubles
    /// with each. `work`: rounds that each of 56 threads of the second context counts; 0: it has
    /// none of these.
    InterruptingEngine(RunOptions options, std::uint64_t seed, double first_ns,
                       std::uint32_t work = 0);
    ~InterruptingEngine() override;

    void write_register(std::uint32_t offset, std::uint32_t value) override;
    std::uint32_t read_register(std::uint32_t offset) override {
        return simulation_->read_register(offset);
    }
    void write_gtt(std::uint32_t index, std::uint64_t entry) override;
    std::uint64_t read_gtt(std::uint32_t index) override { return simulation_->read_gtt(index); }
    void write_memory(PhysAddr address, std::span<const std::uint8_t> bytes) override;
    void read_memory(PhysAddr address, std::span<std::uint8_t> bytes) override {
        simulation_->read_memory(address, bytes);
    }
    void run() override;
    bool stopped() const override { return simulation_->stopped(); }

    Simulation& simulation() { return *simulation_; }
    unsigned interruptions() const { return interruptions_; }
    /// Of every page the host has written but those in the GGTT, where contexts and rings lie, the
    /// context save area, and scratch memory, which belongs to slots and not to threads.
    std::vector<PageHash> page_hashes();
    /// The preemption level in place of what the capture's driver chose (CS_CHICKEN1 bits 2:1).
    std::optional<std::uint32_t> level;
    /// May draws be stopped between objects (bit 0)? Likewise.
    std::optional<bool> parts_draws;

  private:
    static constexpr std::uint32_t kWorkGroups = 56;
    struct Intruder;
    bool active();
    void intrude();
    void add_work(std::vector<std::uint32_t>& commands);
    void put(std::uint64_t at, const std::vector<std::uint32_t>& words);
    /// The context save area and scratch memory, as commands that the host writes name them.
    void find_areas(std::span<const std::uint8_t> bytes);
    void leave_out_scratch();
    /// The directory of the capture's context; 0: another one's is loaded.
    std::uint64_t root();
    /// Gives the context save area the pages that captures leave out: a driver that records maps
    /// the first few only, for nothing ever preempts a recording.
    void map_save_area();
    std::vector<std::uint8_t> at_level(std::span<const std::uint8_t> bytes) const;
    std::uint64_t next_table(std::uint64_t table, unsigned index, std::uint64_t fresh);

    std::unique_ptr<Intruder> intruder_;
    std::unique_ptr<Simulation> simulation_;
    std::mt19937_64 random_;
    const double first_ns_;
    const std::uint32_t work_;
    std::vector<std::uint32_t> port_;  ///< the last submission, or the part there is of it
    std::set<std::uint64_t> written_, not_compared_;
    std::uint64_t save_area_ = 0, fresh_tables_ = 0, general_base_ = 0;
    std::map<std::uint64_t, std::uint64_t> scratch_;  ///< bytes, by address
    std::set<std::uint64_t> mapped_;
    unsigned interruptions_ = 0;
    bool submitted_ = false, intruded_ = false;
};

}  // namespace gen9::platform::test
