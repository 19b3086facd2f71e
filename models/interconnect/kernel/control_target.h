// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <utility>

#include "interconnect/kernel/memory_transaction.h"
#include "interconnect/kernel/sockets.h"

namespace gen9 {

/// The `control_in` of a block: flushes, invalidations and settling reach it by b_transport.
class ControlTarget : public TargetSocket<MemoryProtocol> {
  public:
    using Action = std::function<void(const MemoryAttributes&, sc_core::sc_time& delay)>;
    using TargetSocket::TargetSocket;

    /// Acts on a control that asks for one of the things in `heeded`. Nothing else means anything
    /// to the block, so an initiator need not send it.
    void takes(const CacheControl& heeded, Action action) {
        heeded_ = heeded.bits();
        on_blocking = [this, action = std::move(action)](Payload& payload,
                                                         sc_core::sc_time& delay) {
            const MemoryAttributes& attributes = attributes_of(payload);
            if (attributes.control.bits() & heeded_) action(attributes, delay);
            payload.set_response_status(tlm::TLM_OK_RESPONSE);
        };
    }
    ControlBits heeds() const override { return heeded_; }

  private:
    ControlBits heeded_ = 0;
};

}  // namespace gen9
