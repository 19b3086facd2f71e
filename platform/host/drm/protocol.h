// SPDX-License-Identifier: Apache-2.0
/// What the library in a program and its server in gen9sim say to each other.
/// Role     a folder holds the tree of device files, the facts about the device and a Unix socket
///          (SOCK_SEQPACKET). Every message has the same form and no answer: what the program must
///          learn stands in a page of memory that both have mapped.
/// Order    messages take effect in the order of sending; a submission has ended before the next
///          message is looked at.
#pragma once
#include <atomic>
#include <cstdint>
#include <type_traits>

namespace gen9::drm {

inline constexpr std::uint32_t kVersion = 6;
/// Names within the folder that kFolderVariable names.
inline constexpr const char* kTreeName = "tree";
inline constexpr const char* kFactsName = "facts";
inline constexpr const char* kSocketName = "socket";
/// A folder of the programs' own: the configurations of the performance counters that they added,
/// a file each.
inline constexpr const char* kCounterSetsName = "counters";
/// In the tree: a folder for each of these, with its number.
inline constexpr const char* kMetricsFolder =
    "/sys/devices/pci0000:00/0000:00:02.0/drm/card0/metrics";
/// Who is no superuser gets no more reports in a second (Public: Linux i915, oa_max_sample_rate).
inline constexpr std::uint64_t kMaxReportHz = 100'000;

inline constexpr std::uint64_t kPage = 4096;
/// Graphics addresses have 48 bits.
inline constexpr std::uint64_t kAddressSpaceBytes = std::uint64_t{1} << 48;

/// A session has room for so many. The library refuses a request that needs more (ENOMEM); a
/// session that is asked for more all the same ends.
inline constexpr std::uint32_t kMaxContexts = 16384;
/// All buffers that have been used and are there have so much together: each counts by memory_of().
inline constexpr std::uint64_t kMaxBufferMemory = std::uint64_t{756} << 30;
/// Physical memory that a buffer takes at most: a large one begins at the same place within 2 MB
/// as its address.
constexpr std::uint64_t memory_of(std::uint64_t size) {
    constexpr std::uint64_t kLarge = 2 << 20;
    return size < kLarge ? size : (size + kLarge - 1) / kLarge * kLarge + kLarge;
}

/// The device, as its product describes it: contents of the file of facts.
struct Facts {
    std::uint32_t version = kVersion;
    std::uint32_t device_id = 0, revision = 0;
    std::uint32_t slices = 0, subslices = 0, eus = 0;  ///< of the device, a slice, a subslice
    std::uint32_t timestamp_hz = 0;
    std::uint32_t reserved = 0;
    std::uint64_t memory_bytes = 0;  ///< that a program is told of
};
static_assert(std::is_trivially_copyable_v<Facts> && sizeof(Facts) == 40);

/// Classes of engines have i915's numbers; all others are carried out without time.
inline constexpr std::uint32_t kRenderEngine = 0;

enum class Kind : std::uint32_t {
    Hello = 1,    ///< number: kVersion; id: the process; descriptor: the page of progress
    Buffer,       ///< id, size: a new one, without memory; number: 1: made by another process
    Part,         ///< id, address (offset in the buffer), size, offset (in the file); descriptor
    BufferGone,   ///< id; with it go its places in all address spaces
    Bind,         ///< vm, id, address: the buffer is there, and nothing else and nowhere else
    VmGone,       ///< vm
    ContextGone,  ///< context
    Submit,       ///< id: class of the engine; context, vm, address of the batch, its number;
                  ///< offset: the enqueue it belongs to, from 1; 0: unknown
    Wake,         ///< descriptor: closed when everything before has ended
    StreamOpen,   ///< a stream of performance reports; id: OACONTROL, with the layout of reports;
                  ///< number: OACTXCONTROL; context: only its reports, and where it comes and goes;
                  ///< kNoContext: all; descriptor: a socket (SOCK_SEQPACKET) that takes records
    StreamSet,    ///< id, number: a register of the counters' configuration, and its value
    StreamRun,    ///< number: 1: the counters count and report, 0: they do not
    StreamMore,   ///< the program has taken all records that it was sent
    StreamGone    ///< the stream
};
/// No number of a context.
inline constexpr std::uint32_t kNoContext = ~0u;

struct Message {
    Kind kind{};
    std::uint32_t id = 0, vm = 0, context = 0;
    std::uint64_t address = 0, size = 0, offset = 0, number = 0;
};
static_assert(std::is_trivially_copyable_v<Message> && sizeof(Message) == 48);

/// The page that server and program share. The program maps it before it says hello.
struct Progress {
    std::atomic<std::uint32_t> changed;    ///< a futex; counts changes of the other members
    std::atomic<std::uint32_t> lost;       ///< 1: the engine has stopped for good
    std::atomic<std::uint64_t> completed;  ///< number of the last submission that has ended
    std::atomic<std::uint64_t> timestamp;  ///< register TIMESTAMP at that time
    std::atomic<std::uint64_t> lost_in;    ///< the submission in which it stopped; before `lost`
    /// Not 0: the engine waits for memory that the program may write. Counts such waits.
    std::atomic<std::uint64_t> engine_waits;
    /// Set by the program: in that wait, all of its threads wait as well.
    std::atomic<std::uint64_t> program_waits;
};
static_assert(std::atomic<std::uint64_t>::is_always_lock_free && sizeof(Progress) <= kPage);

}  // namespace gen9::drm
