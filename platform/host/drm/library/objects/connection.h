// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <optional>

#include "platform/host/drm/library/process/blocked.h"
#include "platform/host/drm/protocol.h"

namespace gen9::drm {

using Lock = std::unique_lock<std::mutex>;

/// An open file of the library's own: closed with it, not seen by programs that the program starts,
/// and of a high number, so that those who use select() have the low ones.
class OwnDescriptor {
  public:
    OwnDescriptor() = default;
    explicit OwnDescriptor(int descriptor);
    /// Another descriptor of the same file.
    static OwnDescriptor of(int descriptor);
    OwnDescriptor(OwnDescriptor&& other) noexcept;
    OwnDescriptor& operator=(OwnDescriptor&& other) noexcept;
    ~OwnDescriptor();
    int get() const { return descriptor_; }
    explicit operator bool() const { return descriptor_ >= 0; }
    /// The lowest number from `from` on that a file of the library's own has; -1: none has. The
    /// program does not know of these files, and must not close them.
    static int next(int from);

  private:
    void hold(int descriptor);
    void release();
    int descriptor_ = -1;
};

/// A file of zeros in memory that nobody can shrink; none when there is no room.
OwnDescriptor make_memory(const char* name, std::uint64_t bytes);

/// This process's connection to its machine. All under the library's lock, which the waits release.
class Connection {
  public:
    /// Connects, if this is the first time, so that the machine's process can get ready while the
    /// program goes on. Nothing is said before there is something to say.
    void reach();
    /// Queues a message; false when there is no machine (any more).
    bool send(const Message& message, int descriptor = -1);
    /// Waits until all that is queued is under way.
    void flush(Lock& lock);
    /// Counts submissions; 0 is the time before the first.
    std::uint64_t next_number() { return ++submitted_; }
    std::uint64_t submitted() const { return submitted_; }
    bool completed(std::uint64_t number) const;
    /// All submissions to this one have ended well.
    std::uint64_t ended_well() const;
    bool lost() const { return lost_ || (progress_ && progress_->lost); }
    /// A number that no other connection has.
    std::uint64_t token() const { return token_; }
    std::uint64_t timestamp() const { return progress_ ? progress_->timestamp.load() : 0; }
    /// Waits for the end of a submission until a time (CLOCK_MONOTONIC, nanoseconds); false: it has
    /// not ended.
    bool wait(std::uint64_t number, std::int64_t deadline, Lock& lock);
    /// Waits for the end of a submission, or until the engine waits for the program.
    void wait_for_end_or_host(std::uint64_t number, Lock& lock);
    /// While the engine waits for memory that the program may write: tells it if no thread of the
    /// program can. Called now and then by a thread that waits.
    void look_at_threads();
    /// The process shares memory with others, who may write it.
    void shares_memory() { shares_memory_ = true; }
    /// The process is a child that was forked: the machine is the parent's.
    void forget();
    std::uint32_t generation() const { return generation_; }

  private:
    friend class EndlessWait;
    struct Outgoing {
        Message message;
        OwnDescriptor descriptor;
    };
    static std::uint64_t make_token();
    bool connect();
    bool transmit(const Message& message, int descriptor, int flags);
    bool drain();
    void look_after_peer();

    OwnDescriptor socket_;
    Progress* progress_ = nullptr;
    std::deque<Outgoing> queue_;
    std::uint64_t submitted_ = 0;
    std::uint64_t token_ = make_token();
    std::uint32_t generation_ = 1;
    bool reached_ = false, tried_ = false, lost_ = false, shares_memory_ = false;
    std::map<pid_t, std::uint64_t> endless_;  ///< threads in an EndlessWait, and which
    std::uint64_t endless_waits_ = 0;
    /// The last look at the program's threads: of which wait of the engine's, and when.
    std::optional<ThreadsLook> look_;
    std::uint64_t look_wait_ = 0;
    std::int64_t look_at_ = 0;
};

/// As long as it lives, its thread waits for the engine and will do nothing else, if the deadline
/// is so far away that nobody lives to see it. Under the library's lock.
class EndlessWait {
  public:
    EndlessWait(Connection& connection, std::int64_t deadline);
    ~EndlessWait();
    EndlessWait(const EndlessWait&) = delete;
    EndlessWait& operator=(const EndlessWait&) = delete;

  private:
    Connection& connection_;
    pid_t thread_ = 0;
};

std::int64_t monotonic_ns();

}  // namespace gen9::drm
