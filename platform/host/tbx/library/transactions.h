// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <thread>

#include "platform/host/tbx/tbx_protocol.h"

namespace gen9::tbx_library {

/// Follows the bytes of one direction of a TBX connection and knows where messages end.
class MessageEnds {
  public:
    /// Takes bytes that were sent or received; at most those of the message under way are looked
    /// at. Returns how many were taken.
    std::size_t take(const std::uint8_t* bytes, std::size_t count);
    bool at_end() const { return held_ == 0 && left_ == 0; }
    /// Does the other side answer the message that has ended last?
    bool wants_answer() const { return wants_answer_; }

  private:
    void begin_message();
    /// Header, and as much of the body as tells how long the rest is.
    std::uint8_t head_[24];
    std::size_t held_ = 0;
    std::uint64_t left_ = 0;  ///< bytes behind the head
    bool wants_answer_ = false;
};

/// The transactions of a connection: a message with its answer, if it wants one, is of one thread.
/// Role     the driver sends a message in pieces and reads its answer later, and its threads poll
///          for results while others submit: without this, pieces of two transactions mix.
class Transactions {
  public:
    /// Before a thread sends or receives: waits until no other thread is in a transaction.
    void enter();
    /// For the thread that has entered: what it is at, if the other side has not been told and the
    /// next byte sent begins a message.
    bool must_tell(std::uint32_t launch);
    /// After it has; the transaction that has ended with these bytes is left.
    void sent(const void* bytes, std::size_t count);
    void received(const void* bytes, std::size_t count);
    /// The connection is gone: nothing will end any more.
    void fail();

  private:
    std::mutex mutex_;
    std::condition_variable free_;
    std::thread::id owner_;
    MessageEnds out_, in_;
    unsigned answers_ = 0;    ///< that are still to come
    std::uint32_t told_ = 0;  ///< launch
    bool failed_ = false;
    void leave_if_done();
};

}  // namespace gen9::tbx_library
