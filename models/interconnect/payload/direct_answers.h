// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <memory>

#include "interconnect/payload/direct_message.h"

namespace gen9 {

/// A sender (an EU) of direct messages that are answered later is one of these.
class DirectAnswers {
  public:
    /// A message of this thread has been taken. Its answer comes after the call that took it.
    virtual void expect(const ThreadSideband& thread) = 0;
    /// The answer to a message of `message.sender`: notifications and no registers, or it is given
    /// back. The message is its target's.
    virtual void answer(const Message& message) = 0;
    /// The usual answer to a message of this thread: notification n0.0.
    virtual void notify(const ThreadSideband& thread) = 0;

  protected:
    ~DirectAnswers() = default;
};

/// A DirectFunction of one initiator whose messages are answered later.
class AnswersLater {
  public:
    /// As DirectFunction::site, for the send at `ip`, which is relative to the instruction base. The
    /// answers go to `sender`, which lives as long as the target does.
    virtual std::unique_ptr<DirectSite> site_at(const SendForm& form, std::uint32_t ip,
                                                DirectAnswers& sender) = 0;

  protected:
    ~AnswersLater() = default;
};

}  // namespace gen9
