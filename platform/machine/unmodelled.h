// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <systemc>
#include <vector>

#include "common/environment.h"
#include "interconnect/kernel/clock.h"
#include "interconnect/kernel/message_server.h"
#include "interconnect/kernel/sockets.h"

namespace gen9::platform {

/// Unmodelled: stands where a shared function will be.
/// Role     answers every message with zeros, so that its thread goes on, and reports the function
///          as not modelled by its ledger row
/// Sockets  msg_in[n]  target  Message  one per EU
class Unmodelled : public sc_core::sc_module {
  public:
    Unmodelled(sc_core::sc_module_name name, Environment& env, const Clock& clock, unsigned eus,
               const char* ledger_id, const char* function);
    MessageSockets msg_in;
    std::vector<AnyTarget<MessageProtocol>*> sockets() {
        return every<AnyTarget<MessageProtocol>>(msg_in);
    }

  private:
    void answer(Message& message);
    Environment& env_;
    const Clock& clock_;
    MessagePorts ports_{msg_in, env_, clock_};
    const char *ledger_id_, *function_;
};

}  // namespace gen9::platform
