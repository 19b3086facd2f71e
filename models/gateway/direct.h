// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "interconnect/payload/direct_answers.h"

namespace gen9::gateway {

class Gateway;

/// Messages that a gateway makes of calls, used again when they have been answered.
class DirectMessages {
  public:
    Message& get() {
        if (free_.empty()) {
            all_.push_back(std::make_unique_for_overwrite<Message>());
            all_.back()->reset();
            free_.push_back(all_.back().get());
        }
        Message& message = *free_.back();
        free_.pop_back();
        return message;
    }
    void put(Message& message) { free_.push_back(&message); }

  private:
    std::vector<std::unique_ptr<Message>> all_;
    std::vector<Message*> free_;
};

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
