// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>

#include "platform/cosim/axi.h"

class Vgen9_axi_memory;
class VerilatedContext;

namespace gen9::memory {
class PhysicalMemory;
}

namespace gen9::platform {

/// The memory controller as RTL (rtl/gen9_axi_memory.sv); its devices are the machine's physical
/// memory.
class AxiMemoryRtl : public AxiTarget {
  public:
    explicit AxiMemoryRtl(memory::PhysicalMemory& memory);
    ~AxiMemoryRtl() override;
    void edge(AxiPins& pins) override;

  private:
    void clock();
    std::unique_ptr<VerilatedContext> context_;
    std::unique_ptr<Vgen9_axi_memory> rtl_;
};

}  // namespace gen9::platform
