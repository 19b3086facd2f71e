// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <vector>

#include "common/signals.h"
#include "interconnect/kernel/clock.h"

namespace gen9::platform {

/// The transactions that pass through one socket, as signals under the socket's name.
class Link {
  public:
    virtual ~Link() = default;
    virtual SignalSet& signals() = 0;
    /// From now on the signals are told. Call when the sockets are bound.
    virtual void connect(const Clock& clock) = 0;
};

/// One for each initiator socket of the model, in the order of construction. Every transaction
/// passes one, also those to modules from elsewhere.
std::vector<std::unique_ptr<Link>> find_links();

}  // namespace gen9::platform
