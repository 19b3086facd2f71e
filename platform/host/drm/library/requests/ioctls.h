// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <drm.h>
#include <i915_drm.h>

#include "platform/host/drm/library/objects/objects.h"

namespace gen9::drm {

/// A call of the program: its file, the request's number and the length and place of its argument.
/// All answers are 0 or an error number.
struct Call {
    Device& all;
    File& file;
    Lock& lock;
    unsigned number;
    unsigned size;
    void* argument;
    int result = 0;  ///< what the call gives where it does not fail
    template <class Argument>
    Argument& as() const {
        return *static_cast<Argument*>(argument);
    }
};

/// A chain may have so many, as in the kernel driver, which so ends one that has no end.
inline constexpr unsigned kMaxExtensions = 512;

/// Any request of the device's files.
int answer(Call& call);

// Rooms of it.
int answer_parameter(Call& call);
int answer_query(Call& call);
int answer_context(Call& call, unsigned driver_number);
int answer_buffer(Call& call, unsigned driver_number);
int answer_sync(Call& call);
int execute(Call& call);
int open_stream(Call& call);
int add_counters(Call& call);
int remove_counters(Call& call);
/// Bytes that the item has, or an error, negative.
int query_counters(const drm_i915_query_item& item);
int share_buffer(Call& call);
int accept_buffer(Call& call);

/// The context of a slot, by its number in the process, and the class of its engine.
int hardware_context(Device& all, Context& context, std::uint32_t slot, std::uint32_t& number,
                     std::uint32_t& engine);

/// A request of a stream of performance reports, if the descriptor is one. `result`: what the call
/// gives.
int answer_stream(int descriptor, unsigned long request, std::uintptr_t argument, int& result,
                  bool& here);
/// read() of such a stream: as many whole records as there is room for.
ssize_t read_stream(int descriptor, void* to, std::size_t size, bool& here);

/// A descriptor that poll finds readable when a submission has ended; -1: no room.
int make_sync_file(Device& all, std::uint64_t number);
/// Says which submission a sync file is the end of; EINVAL when it is none. One of another process
/// has ended on return, and gives 0.
int read_sync_file(Device& all, int descriptor, std::uint64_t& number, Lock& lock);
/// A request of sync files, if the descriptor is one.
int answer_sync_file(int descriptor, unsigned long request, void* argument, bool& here);

}  // namespace gen9::drm
