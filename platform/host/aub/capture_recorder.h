// SPDX-License-Identifier: Apache-2.0
/// An engine that records what it is given, and what it computed, as a capture that checks itself.
/// Role     registers, entries and memory are recorded as a door writes them. Of memory that a
///          program shares, the pages that have changed are recorded before each submission. After
///          it, the pages that the engine has changed are recorded as compares.
/// Order    replayed, the capture gives an engine the same memory at the same physical addresses
///          before each submission. So programs whose host code depends on results replay
///          faithfully.
/// Not here memory of the engine's own (rings, images, status pages: all that the GGTT maps) and
///          times that the command streamer wrote are not compared: they differ between machines.
///          Nor is memory that another process has made: its own machine may draw there meanwhile.
///          What a program writes while the engine runs counts as written by the engine.
/// Spec     Public: Mesa (intel_dump_gpu, aub_write.c); docs/blocks/host.md
#pragma once
#include <array>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "platform/host/aub/aub_writer.h"
#include "platform/host/engine.h"

namespace gen9::platform {

class CaptureRecorder final : public Engine {
  public:
    using Log = std::function<void(const std::string&)>;
    /// `comment` is kept in the file. A file that cannot be written ends the recording, not the
    /// run.
    CaptureRecorder(std::unique_ptr<Engine> engine, std::string path, const std::string& comment,
                    Log log);

    /// The running engine fills bytes in memory, at a GGTT or PPGTT address, with what depends on
    /// time.
    void wrote_time(bool global, GpuAddr address, std::size_t bytes) {
        times_written_.push_back({global, address, bytes});
    }
    /// Completes the file and says what is in it; without a submission there is none. False: the
    /// capture is not complete, as has been logged. Call once, at the end.
    bool finish();

    void write_register(std::uint32_t offset, std::uint32_t value) override;
    std::uint32_t read_register(std::uint32_t offset) override {
        return engine_->read_register(offset);
    }
    void write_gtt(std::uint32_t index, std::uint64_t entry) override;
    std::uint64_t read_gtt(std::uint32_t index) override { return engine_->read_gtt(index); }
    void write_memory(PhysAddr address, std::span<const std::uint8_t> bytes) override;
    void read_memory(PhysAddr address, std::span<std::uint8_t> bytes) override {
        engine_->read_memory(address, bytes);
    }
    bool attach_memory(PhysAddr address, std::span<std::uint8_t> bytes) override;
    void others_write(PhysAddr address, std::uint64_t bytes) override;
    void detach_memory(PhysAddr address, std::uint64_t bytes) override;
    void run() override;
    bool stopped() const override { return engine_->stopped(); }
    bool goes_on(std::uint64_t steps) override { return engine_->goes_on(steps); }
    bool waits_for_host() const override { return engine_->waits_for_host(); }
    bool may_go_on() override { return engine_->may_go_on(); }
    void give_up_waiting(const std::string& why) override { engine_->give_up_waiting(why); }
    std::string describe_waiting() const override { return engine_->describe_waiting(); }
    void interrupt() noexcept override { engine_->interrupt(); }

  private:
    using Page = std::array<std::uint8_t, kPageBytes>;
    struct TimeWritten {
        bool global;
        GpuAddr address;
        std::size_t bytes;
    };
    template <class Write>
    void record(Write&& write);
    bool shared(std::uint64_t page) const;
    std::vector<std::uint64_t> pages() const;
    void record_changes();
    void record_results();
    void note_times();
    void compare(std::uint64_t page, const Page& bytes);
    void forget_times(std::uint64_t address, std::uint64_t bytes);

    std::unique_ptr<Engine> engine_;
    std::string path_;
    Log log_;
    std::optional<AubWriter> writer_;  ///< none once the file could not be written
    /// These are hashes of what a replay's memory holds, by page number; 0 where it is not known.
    std::map<std::uint64_t, std::uint64_t> held_;
    std::map<std::uint64_t, std::span<std::uint8_t>> shared_;  ///< by first page number
    std::set<std::uint64_t> global_;                           ///< pages that the GGTT maps,
    std::set<std::uint64_t> of_others_;                        ///< and that others may write
    std::vector<TimeWritten> times_written_;                   ///< in the submission under way
    std::map<std::uint64_t, std::uint64_t> times_;             ///< bytes by physical address
    std::uint32_t submit_writes_ = 0, descriptor_ = 0;
    bool submitted_ = false;
    std::uint64_t submissions_ = 0, compares_ = 0;
};

}  // namespace gen9::platform
