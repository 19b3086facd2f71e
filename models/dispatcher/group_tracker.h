// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "common/check.h"
#include "interconnect/payload/saved_thread.h"

namespace gen9::dispatcher {

/// A thread group that holds a barrier or SLM.
struct Group {
    std::uint8_t subslice = 0;    ///< flat; of several, the first
    std::uint32_t subslices = 0;  ///< all it holds a counter and a barrier of; 0: only the one
    bool has_barrier = false;
    bool complete = false;  ///< all its threads have been sent
    bool live = false;
    std::uint8_t barrier = 0;
    std::uint8_t slm = 0;  ///< the flat subslice whose SLM it uses, when it has some
    std::uint8_t slm_granule = 0;
    std::uint16_t slm_kilobytes = 0;
    std::uint16_t outstanding = 0;  ///< threads sent and not retired
    std::uint16_t threads = 0;      ///< of the whole group
    std::array<std::uint32_t, 3> id{};
    std::uint32_t work = 0;  ///< number
};

/// One counter per active group (TD-43): up when a thread is sent, down when it retires. A group is
/// finished when the counter is zero and all threads have been sent; zero alone does not do, for
/// the first threads may end before the last are sent (TD-45).
class GroupTracker {
  public:
    /// `limit`: counters per subslice.
    GroupTracker(unsigned subslices, unsigned limit) : limit_(limit), active_(subslices, 0) {}

    bool has_room(unsigned subslice) const { return active_[subslice] < limit_; }
    unsigned active(unsigned subslice) const { return active_[subslice]; }

    GroupIndex begin(const Group& group) {
        for_each_subslice(group, [this](unsigned s) {
            GEN9_CHECK(has_room(s), "more groups than counters");
            ++active_[s];
        });
        if (free_.empty()) {
            free_.push_back(static_cast<GroupIndex>(groups_.size()));
            groups_.emplace_back();
        }
        const GroupIndex index = free_.back();
        free_.pop_back();
        groups_[index] = group;
        groups_[index].live = true;
        return index;
    }
    void sent(GroupIndex index, bool last) {
        ++groups_[index].outstanding;
        groups_[index].complete |= last;
    }
    /// A thread of the group has retired; true when the group is finished, which the caller then
    /// must `end`.
    bool retired(GroupIndex index) {
        Group& group = groups_[index];
        GEN9_CHECK(group.live && group.outstanding > 0, "a thread retired from no group");
        --group.outstanding;
        return group.outstanding == 0 && group.complete;
    }
    /// No further thread comes; true when the group is finished by that.
    bool complete(GroupIndex index) {
        groups_[index].complete = true;
        return groups_[index].outstanding == 0;
    }
    void end(GroupIndex index) {
        groups_[index].live = false;
        for_each_subslice(groups_[index], [this](unsigned s) { --active_[s]; });
        free_.push_back(index);
    }
    template <typename Act>
    static void for_each_subslice(const Group& group, Act act) {
        for (std::uint32_t left = group.subslices ? group.subslices : 1u << group.subslice; left;
             left &= left - 1)
            act(static_cast<unsigned>(std::countr_zero(left)));
    }
    const Group& operator[](GroupIndex index) const { return groups_[index]; }
    const std::vector<Group>& groups() const { return groups_; }

  private:
    unsigned limit_;
    std::vector<unsigned> active_;
    std::vector<Group> groups_;
    std::vector<GroupIndex> free_;
};

}  // namespace gen9::dispatcher
