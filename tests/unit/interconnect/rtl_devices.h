// SPDX-License-Identifier: Apache-2.0
// Modules with RTL behind them, for the contract suite.
#pragma once
#include "memory/perform.h"
#include "platform/cosim/axi_bridge.h"
#include "platform/cosim/axi_memory_rtl.h"
#include "platform/cosim/beside.h"
#include "platform/cosim/slm_rtl.h"
#include "tests/unit/interconnect/memory_devices.h"

namespace gen9::test {

struct RtlSlmDevice : MemoryDevice {
    platform::SlmRtl slm{"slm", environment.environment, clock};
    RtlSlmDevice(sc_core::sc_module_name name, Timing timing)
        : MemoryDevice(name, timing, {"slm.queue=1"}) {
        traffic.lane_accesses = true;
    }
    void bind(std::deque<InitiatorSocket<MemoryProtocol>>& from) override {
        from[0].bind(slm.mem_in);
    }
    bool idle() const override { return slm.idle(); }
};

/// The model beside its RTL: a difference ends the test.
struct BesideSlmDevice : MemoryDevice {
    platform::Beside beside{"beside", environment.environment, clock};
    slm::Slm model{"model", environment.environment, clock};
    platform::SlmRtl rtl{"rtl", environment.environment, clock};
    BesideSlmDevice(sc_core::sc_module_name name, Timing timing)
        : MemoryDevice(name, timing, {"model.queue=1", "rtl.queue=1"}) {
        traffic.lane_accesses = true;
        beside.model_out.bind(model.mem_in);
        beside.rtl_out.bind(rtl.mem_in);
    }
    void bind(std::deque<InitiatorSocket<MemoryProtocol>>& from) override {
        from[0].bind(beside.mem_in);
    }
    bool idle() const override { return beside.idle() && rtl.idle(); }
};

struct RtlDramDevice : MemoryDevice {
    memory::PhysicalMemory bytes;
    platform::AxiBridge dram{"dram", environment.environment, clock,
                             std::make_unique<platform::AxiMemoryRtl>(bytes),
                             [this](tlm::tlm_generic_payload& payload) {
                                 return memory::perform_debug(bytes, payload);
                             }};
    RtlDramDevice(sc_core::sc_module_name name, Timing timing)
        : MemoryDevice(name, timing, {"dram.queue=1"}) {}
    void bind(std::deque<InitiatorSocket<MemoryProtocol>>& from) override {
        from[0].bind(dram.mem_in);
    }
    bool idle() const override { return dram.idle(); }
};

}  // namespace gen9::test
