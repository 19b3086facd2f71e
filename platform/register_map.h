// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <map>
#include <systemc>
#include <vector>

#include "interconnect/sockets.h"

namespace gen9::platform {

/// RegisterMap: decodes register addresses to the blocks that own them.
/// Role     passes an access to the owner of its range; registers nobody owns are kept and read
///          back, as the driver expects of controls that have no effect on results
/// Sockets  reg_in    target     base protocol, 32-bit
///          range n   initiator  to the owner
class RegisterMap : public sc_core::sc_module {
  public:
    explicit RegisterMap(sc_core::sc_module_name name);
    TargetSocket<MemoryProtocol> reg_in{"reg_in"};
    /// Makes a socket for the registers first..last (byte offsets); bind it to their owner.
    InitiatorSocket<MemoryProtocol>& range(std::uint32_t first, std::uint32_t last);

  private:
    struct Range {
        std::uint32_t first, last;
        std::unique_ptr<InitiatorSocket<MemoryProtocol>> out;
    };
    void access(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
    std::vector<Range> ranges_;
    std::map<std::uint64_t, std::uint32_t> kept_;
};

}  // namespace gen9::platform
