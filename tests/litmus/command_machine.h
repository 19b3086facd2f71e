// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <systemc>
#include <vector>

#include "platform/machine/gpu.h"
#include "tests/litmus/code.h"
#include "tests/litmus/tally.h"
#include "tests/support/environment.h"

namespace gen9::litmus {

using Words = std::vector<std::uint32_t>;
Words operator+(Words a, const Words& b);

/// The whole machine with a driver's context, to which batches are submitted one after the other.
/// Graphics addresses below 1 GB are physical ones.
class CommandMachine : public sc_core::sc_module {
  public:
    static constexpr std::uint32_t kCode = 0x200000, kStates = 0x400000, kSurfaces = 0x600000,
                                   kTables = 0x700000, kGathers = 0x710000, kBatches = 0x800000;

    explicit CommandMachine(std::vector<std::string> settings, Timing timing = Timing::Timed,
                            sc_core::sc_module_name name = "machine");

    /// What a driver does before its first submission, and that one. Call once, after load().
    void start();
    /// Code that walker(`number`) runs.
    void load(unsigned number, const Code& code);
    /// A walker of one thread, which is given addresses of variables and, for results, another.
    Words walker(unsigned number, const std::vector<std::uint32_t>& variables,
                 std::uint32_t results);
    /// Runs a batch until everything it asks for is done. `host` does what the host does, again and
    /// again every few cycles. False: it does not end.
    [[nodiscard]] bool run(const Words& batch, bool with_streamer, Draw& draw,
                           const std::function<void()>& host = {});
    /// As run(), for so many cycles and commands at most, by a host that does not look at it.
    [[nodiscard]] bool run_alone(const Words& batch, bool with_streamer, std::uint64_t cycles,
                                 std::uint64_t commands = ~std::uint64_t{0});
    bool stopped() const { return gpu_.cs->stopped(); }
    /// Surface 0 of walkers is a buffer of a line. Where its state holds the address, low half.
    void bind(std::uint32_t address);
    static constexpr std::uint32_t kSurfaceAddress = kSurfaces + 64 + 32;
    /// Where the page table says where the 2 MB at an address are, low half, and what it says.
    static std::uint32_t place_of_page(std::uint32_t address);
    static std::uint32_t page_at(std::uint32_t place);
    /// Has the interrupt of PIPE_CONTROL come since this was called last? Let it pass first.
    void let_notify_pass() { write_register(0x20A8, ~(1u << 4)); }
    bool notified();
    std::uint32_t read_register(std::uint32_t offset);
    /// Commands that the streamer has parsed.
    std::uint64_t parsed() const { return test_.stats.sum("gpu.cs.commands"); }
    /// What blocks have counted: StatRegistry::sum.
    std::uint64_t counted(const std::string& pattern) const { return test_.stats.sum(pattern); }
    /// Who waits for what.
    std::string waiting() const { return gpu_.describe_waiting(); }
    /// Memory as the host and the command streamer see it, and as threads do.
    void write(std::uint32_t address, std::uint32_t value);
    std::uint32_t read(std::uint32_t address) const;
    std::uint32_t seen_by_threads(std::uint32_t address);
    Reporter& reporter() { return test_.reporter; }
    /// The first problem that was reported, or nothing.
    std::string trouble() const { return test_.log.empty() ? "" : test_.log.front(); }
    /// The bases that are in force from the start.
    static Words state_base_address();

  private:
    void write(std::uint32_t address, const Words& words);
    void write_register(std::uint32_t offset, std::uint32_t value);
    void put_into_ring(const Words& ring);
    void submit();
    void give(const Words& batch, bool with_streamer);
    bool idle() const { return gpu_.cs->idle() && gpu_.rs->idle(); }

    test::TestEnvironment test_;
    platform::Gpu gpu_;
    InitiatorSocket<MemoryProtocol> host_{"host"};
    MemoryPool pool_;
    std::optional<sc_core::sc_time> notified_at_;
    std::uint32_t tail_ = 0, batch_ = kBatches, payload_ = 0;
};

}  // namespace gen9::litmus
