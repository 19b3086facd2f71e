// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>

#include "interconnect/kernel/memory_transaction.h"
#include "interconnect/kernel/sockets.h"

namespace gen9 {

/// The URB's bytes in host memory, for functional mode, as they are granted to a socket of a block.
class GrantedUrb {
  public:
    explicit GrantedUrb(InitiatorSocket<MemoryProtocol>& socket) : socket_(socket) {}
    GrantedUrb(const GrantedUrb&) = delete;

    /// From address 0 on; none: they are not granted. To be asked for again before each access.
    std::span<std::uint8_t> bytes() {
        if (bytes_.empty()) [[unlikely]]
            ask();
        return bytes_;
    }
    /// To be called whenever a grant of the socket is taken back.
    void forget() { bytes_ = {}; }

  private:
    void ask() {
        MemoryTransaction asked{nullptr};
        asked.access(tlm::TLM_WRITE_COMMAND, 0, 1);
        asked.attributes.space = AddressSpace::Urb;
        asked.attributes.requester = Requester::Urb;
        tlm::tlm_dmi dmi;
        if (socket_->get_direct_mem_ptr(asked, dmi) && dmi.is_read_write_allowed() &&
            dmi.get_start_address() == 0)
            bytes_ = {dmi.get_dmi_ptr(), dmi.get_end_address() + 1};
    }

    InitiatorSocket<MemoryProtocol>& socket_;
    std::span<std::uint8_t> bytes_;
};

}  // namespace gen9
