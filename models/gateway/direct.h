// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <memory>

#include "interconnect/payload/direct_answers.h"

namespace gen9::gateway {

class Gateway;

/// The barrier messages of one EU as calls (functional mode). A call is queued as a message that is
/// sent would be, for what EUs send in a cycle is put in order when all of it is known; what is
/// saved is the sender's message, the sockets and the checks of what the descriptor says.
class DirectPort final : public DirectFunction, public AnswersLater {
  public:
    DirectPort(Gateway& gateway, unsigned port) : gateway_(gateway), port_(port) {}
    /// A sender that takes no answers sends its messages.
    std::unique_ptr<DirectSite> site(const SendForm&) override { return nullptr; }
    std::unique_ptr<DirectSite> site_at(const SendForm& form, std::uint32_t ip,
                                        DirectAnswers& sender) override;

  private:
    class BarrierSite;
    Gateway& gateway_;
    const unsigned port_;
};

}  // namespace gen9::gateway
