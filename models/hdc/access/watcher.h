// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <functional>

#include "hdc/plan/plan.h"
#include "interconnect/payload/message.h"

namespace gen9::hdc {

/// Is told of what each message does to memory, before it does it. Functional mode: no message is
/// then a call, and all have plans.
class AccessWatcher {
  public:
    virtual ~AccessWatcher() = default;
    /// Finds what stands at an index of the sender's binding table; null: it cannot be read.
    using SurfaceAt = std::function<const Surface*(std::uint8_t index)>;
    virtual void accesses(const Message& message, const Plan& plan, const SurfaceAt& surface) = 0;
};

}  // namespace gen9::hdc
