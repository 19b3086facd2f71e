// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <systemc>
#include <vector>

#include "interconnect/sockets.h"

namespace gen9::platform {

/// RegisterMap: decodes register addresses to the blocks that own them.
/// Role     passes an access to the owner of its range, a write to all that own it, a read to the
///          first; registers nobody owns are kept and read back, as the driver expects of controls
///          that have no effect on results
/// Sockets  reg_in    target     base protocol, 32-bit
///          owner n   initiator  to a block that owns registers
class RegisterMap : public sc_core::sc_module {
  public:
    explicit RegisterMap(sc_core::sc_module_name name);
    TargetSocket<MemoryProtocol> reg_in{"reg_in"};
    struct Range {
        std::uint32_t first, last;  ///< byte offsets, both included
    };
    /// Makes a socket for the registers of these ranges; bind it to their owner.
    InitiatorSocket<MemoryProtocol>& owner(std::vector<Range> ranges);

  private:
    struct Owner {
        std::vector<Range> ranges;
        std::unique_ptr<InitiatorSocket<MemoryProtocol>> out;
    };
    void access(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
    std::vector<Owner> owners_;
    std::map<std::uint64_t, std::uint32_t> kept_;
};

}  // namespace gen9::platform
