// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <memory>

#include "interconnect/payload/message.h"

namespace gen9 {

/// What a send instruction says of all its messages: the facts of a Message that do not depend on
/// the thread.
struct SendForm {
    std::uint32_t descriptor = 0, extended_descriptor = 0;
    std::uint8_t sfid = 0;
    std::uint8_t length = 0, first_length = 0, response_length = 0;
    bool header_present = false, eight_wide = false;
};

/// Who sends direct messages.
struct DirectSender {
    const ThreadSideband& thread;
    TraceId cause;                 ///< names the work that the messages serve, and no transaction
    bool alternate_float = false;  ///< as Message::alternate_float
};

/// One send instruction of an EU, as the target of its messages knows it. Belongs to the EU.
class DirectSite {
  public:
    virtual ~DirectSite() = default;
    /// Carries a message out at once, as b_transport would: memory, response, counters (see
    /// DirectFunction::settle). The payload
    /// is `first_length` registers from `first` on and the others from `second` on; the response
    /// goes to `response`, which may overlap them, without what byte enables would leave out.
    /// `mask`: as Message::execution_mask. The message is not one of a system routine.
    /// False: nothing has been done or counted, and the message is to be sent.
    virtual bool run(const DirectSender& sender, std::uint32_t mask, const Grf* first,
                     const Grf* second, Grf* response) = 0;
};

/// Takes messages of functional mode as calls. A target grants it to the initiator bound to its
/// socket (direct_function in sockets.h).
class DirectFunction {
  public:
    virtual ~DirectFunction() = default;
    /// For an instruction whose messages have this form; null: they are always sent.
    virtual std::unique_ptr<DirectSite> site(const SendForm& form) = 0;
    /// A site may leave calls uncounted until this is called with their cause: when a thread of the
    /// initiator has ended, before it calls for another cause, before statistics are read.
    virtual void settle(TraceId) {}
    /// Do its sites leave calls uncounted?
    virtual bool counts_later() const { return false; }
};

}  // namespace gen9
