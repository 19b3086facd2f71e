// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <deque>
#include <memory>
#include <string>
#include <systemc>
#include <vector>

#include "eu/fetch/program.h"
#include "l3/front/module.h"
#include "memory/gti/gti.h"
#include "memory/physical_memory.h"
#include "platform/machine/slice.h"
#include "tests/support/environment.h"
#include "tests/support/memory_initiator.h"

namespace gen9::litmus {

/// Where a thread runs.
struct Place {
    unsigned subslice = 0, eu = 0, slot = 0;
};

/// What a thread is given: its code's address and the first dwords of r0, r1 and r2.
struct Start {
    Place place;
    std::uint32_t ip = 0;
    std::array<std::array<std::uint32_t, 8>, 3> registers{};
    unsigned later = 0;         ///< cycles after the others
    unsigned slm_subslice = 0;  ///< whose SLM it has (ThreadSideband::slm_base)
};

/// Everything behind the thread spawner, as the platform wires it, with the test in the spawner's
/// place: three subslices of two EUs, L3, GTI, LLC and DRAM. Timed mode.
/// Graphics addresses below 1 GB are physical ones; kAlias above them names the same memory again.
class Machine : public sc_core::sc_module {
  public:
    static constexpr std::uint32_t kCode = 0x200000;
    static constexpr std::uint32_t kAlias = 0x40000000;
    static constexpr std::uint32_t kStates = 0x400000;
    static constexpr unsigned kSubslices = 3, kEus = 2;

    explicit Machine(std::vector<std::string> settings, sc_core::sc_module_name name = "machine");
    ~Machine() override;

    void load(std::uint32_t ip, const std::vector<std::uint8_t>& bytes);
    /// Surface 0 of all threads: 16 texels of R32_UINT from an address on.
    void bind_texels(std::uint32_t address);
    /// Runs the threads, which share their subslices' SLM and barrier 0, until nothing is under
    /// way. False if that does not come about.
    [[nodiscard]] bool run(const std::vector<Start>& threads);
    /// Has a line in L3, as if somebody had read it.
    void warm(std::uint32_t address);
    /// Somebody else reads a line, `later` cycles from now: for a while it is on its way to L3.
    void touch(std::uint32_t address, unsigned later);
    /// As everybody behind L3 sees it.
    std::uint32_t read(std::uint32_t address);
    /// As the host sees it, past all caches.
    void host_write(std::uint32_t address, std::uint32_t value);
    std::uint32_t host_read(std::uint32_t address) const;
    void control(const CacheControl& control);
    Reporter& reporter() { return test_.reporter; }
    std::uint64_t now() const { return clock_.now().value; }

  private:
    static constexpr unsigned kPixelClients = 3;
    /// Clients of L3 before the engines that save local memory.
    static constexpr unsigned kClients = 1 + 5 * kSubslices + kPixelClients;

    platform::Subslice& subslice(unsigned index) { return slices_.front().subslices[index]; }
    /// Engines that save local memory; nobody asks them to.
    unsigned savers();
    void wire();
    void wire_pixels();
    void wire_messages(const eu::EuSockets& eu);
    void map_memory();
    bool quiet();

    test::TestEnvironment test_;
    platform::Topology topology_;
    Clock clock_;
    memory::PhysicalMemory memory_;
    eu::Program program_;
    platform::Slices slices_;
    std::deque<platform::Place<platform::BankBlock>> l3_banks_;
    l3::L3 l3_;
    memory::Gti gti_;
    platform::Place<platform::LlcBlock> llc_;
    platform::Place<platform::DramBlock> dram_;
    test::MemoryInitiator reader_;  ///< in the place of the spawner's memory socket
    std::deque<InitiatorSocket<DispatchProtocol>> thread_out_;
    std::deque<InitiatorSocket<MemoryProtocol>> barrier_out_, control_out_, register_out_;
    std::deque<TargetSocket<MessageProtocol>> spawner_in_;
    InitiatorSocket<ObjectProtocol> object_out_{"object_out"};
    TargetSocket<ThreadRequestProtocol> request_in_{"request_in"};
    std::vector<std::unique_ptr<platform::Jitter>> bank_jitter_;
    std::deque<ThreadDispatch> dispatches_;
    PipelineStatePtr state_;
    std::size_t running_ = 0;
    MemoryPool pool_;
};

}  // namespace gen9::litmus
