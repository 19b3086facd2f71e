// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <deque>
#include <optional>
#include <vector>

#include "common/environment.h"
#include "interconnect/kernel/granted_urb.h"
#include "interconnect/kernel/host_pages.h"
#include "interconnect/kernel/memory_transaction.h"
#include "interconnect/kernel/message_server.h"

namespace gen9 {

/// Reads and writes of a fixed function, of any length, in groups that end together. In timed mode
/// one line leaves in an interval, in the order in which they were asked for, and answers come in
/// any; in functional mode all is done in the call.
class LineTraffic {
  public:
    using Group = unsigned;

    /// Takes the socket's `on_backward` for itself. The block runs when a group ends, and when the
    /// next line can leave: it calls `step` then.
    LineTraffic(InitiatorSocket<MemoryProtocol>& socket, const Environment& env, const Clock& clock,
                Wakeup& wakeup, Cycles interval = Cycles(1));
    /// From now on functional mode reads and writes the URB, or memory, where it lies, if that is
    /// granted. Both take the socket's `on_invalidate`, too.
    void take_urb_directly();
    /// `requester`: of all its accesses.
    void take_memory_directly(Requester requester);

    Group open();
    /// `into` lives until the group has ended. `who`: requester, space, MOCS and id.
    void read(Group group, std::uint64_t address, void* into, unsigned bytes,
              const MemoryAttributes& who);
    void write(Group group, std::uint64_t address, const void* from, unsigned bytes,
               const MemoryAttributes& who);
    /// Up to a line; bytes whose bit is set.
    void write_bytes(Group group, std::uint64_t line, const void* from, std::uint64_t enabled,
                     const MemoryAttributes& who);
    /// Sends, and asks for the cycle in which there is something to do next.
    void step(Cycles now);

    bool over(Group group, Cycles now) const {
        return groups_[group].pending == 0 && groups_[group].complete <= now;
    }
    /// Some of it is not mapped: read as zeros, or not written.
    bool failed(Group group) const { return groups_[group].failed; }
    /// It is over; its number may be given again.
    void close(Group group);
    /// Lines asked for that have not left.
    std::size_t queued() const { return queue_.size(); }
    bool idle() const { return open_ == 0; }

  private:
    struct State {
        unsigned pending = 0;
        Cycles complete;
        bool failed = false;
    };
    struct Line {
        Group group = 0;
        std::uint8_t* into = nullptr;  ///< of a read
        MemoryTransaction* transaction = nullptr;
    };
    void add(Group group, tlm::tlm_command command, std::uint64_t address, std::uint8_t* bytes,
             unsigned size, std::uint64_t enabled, const MemoryAttributes& who);
    void forget_grants();
    /// Finds a line's bytes in host memory, in functional mode; null: they are not granted.
    std::uint8_t* granted(bool writes, std::uint64_t address, unsigned size,
                          const MemoryAttributes& who);
    void answered(MemoryTransaction& transaction, Cycles at);

    InitiatorSocket<MemoryProtocol>& socket_;
    const Environment& env_;
    const Clock& clock_;
    Wakeup& wakeup_;
    MemoryPool pool_;
    std::optional<GrantedUrb> urb_;
    std::optional<HostPages> pages_;
    LineRequests requests_;
    std::vector<State> groups_;
    std::vector<Group> free_groups_;
    std::vector<Line> lines_;
    std::vector<std::uint32_t> free_lines_;
    std::deque<std::uint32_t> queue_;
    unsigned open_ = 0;
};

}  // namespace gen9
