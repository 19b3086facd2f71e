// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <systemc>
#include <unordered_map>
#include <vector>

#include "common/environment.h"
#include "interconnect/kernel/sockets.h"

namespace gen9::platform {

/// RegisterMap: decodes register addresses to the blocks that own them.
/// Role     passes an access to the owner of its range; registers nobody owns are kept and read
///          back, as the driver expects of controls that have no effect on results; those that
///          switch on what is not modelled are reported
/// Sockets  reg_in      target     base protocol, 32-bit
///          owner n     initiator  to a block that owns registers
///          listener n  initiator  to a block that is told of writes to another's registers
class RegisterMap : public sc_core::sc_module {
  public:
    RegisterMap(sc_core::sc_module_name name, Environment& env);
    ~RegisterMap() override;
    TargetSocket<MemoryProtocol> reg_in{"reg_in"};
    struct Range {
        std::uint32_t first, last;  ///< byte offsets, both included
    };
    /// Makes a socket for the registers of these ranges; bind it to their owner.
    InitiatorSocket<MemoryProtocol>& owner(std::vector<Range> ranges);
    /// Makes a socket for one more block that sees the writes to these, after their owner.
    InitiatorSocket<MemoryProtocol>& listener(std::vector<Range> ranges);

  private:
    struct Owner {
        std::vector<Range> ranges;
        std::unique_ptr<InitiatorSocket<MemoryProtocol>> out;
        bool has(std::uint64_t offset) const;
    };
    /// Who owns a register and who is told of writes to it.
    struct Route {
        const Owner* owner = nullptr;
        std::vector<const Owner*> listeners;
    };
    /// Null: nobody owns it.
    const Route* route(std::uint64_t offset);
    InitiatorSocket<MemoryProtocol>& add(std::vector<Owner>& to, const char* kind,
                                         std::vector<Range> ranges);
    void access(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
    void keep(tlm::tlm_generic_payload& payload);

    Environment& env_;
    std::vector<Owner> owners_, listeners_;
    std::unordered_map<std::uint64_t, Route> routes_;  ///< of owned registers in use, by offset
    std::map<std::uint64_t, std::uint32_t> kept_;
};

}  // namespace gen9::platform
