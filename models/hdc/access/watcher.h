// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "hdc/plan/plan.h"
#include "interconnect/payload/message.h"

namespace gen9::hdc {

/// Is told of what each message does to memory, before it does it. Functional mode: no message is
/// then a call, and all have plans.
class AccessWatcher {
  public:
    virtual ~AccessWatcher() = default;
    virtual void accesses(const Message& message, const Plan& plan) = 0;
};

}  // namespace gen9::hdc
