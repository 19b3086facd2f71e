// SPDX-License-Identifier: Apache-2.0
/// What a program has at the device: open files, and in each handles of buffers, contexts, address
/// spaces and synchronisation objects.
/// Order    everything under the library's one lock; only waits release it
#pragma once
#include <sys/types.h>

#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <queue>
#include <unordered_map>
#include <vector>

#include "platform/host/drm/bindings.h"
#include "platform/host/drm/library/objects/connection.h"
#include "platform/host/drm/library/objects/slabs.h"
#include "platform/host/drm/library/objects/tiling.h"
#include "platform/host/drm/protocol.h"

namespace gen9::drm {

/// Objects by handle: the lowest free number from 1, as programs index arrays by it.
template <class Object>
class Handles {
  public:
    std::uint32_t add(std::shared_ptr<Object> object) {
        std::uint32_t handle = static_cast<std::uint32_t>(objects_.size() + 1);
        if (!free_.empty()) {
            handle = free_.top();
            free_.pop();
            objects_[handle - 1] = std::move(object);
        } else {
            objects_.push_back(std::move(object));
        }
        return handle;
    }
    std::shared_ptr<Object> find(std::uint32_t handle) const {
        return handle == 0 || handle > objects_.size() ? nullptr : objects_[handle - 1];
    }
    /// Another object for a handle that is there.
    void replace(std::uint32_t handle, std::shared_ptr<Object> object) {
        objects_[handle - 1] = std::move(object);
    }
    bool remove(std::uint32_t handle) {
        if (!find(handle)) return false;
        objects_[handle - 1].reset();
        free_.push(handle);
        return true;
    }

  private:
    std::vector<std::shared_ptr<Object>> objects_;
    std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, std::greater<>> free_;
};

/// A buffer: files in memory, one after the other. Most have one or, before they are used, none
/// (buffer_memory.h); memory of the program's own that became a buffer may have several.
struct Buffer {
    struct Part {
        std::shared_ptr<OwnDescriptor> file;
        std::uint64_t file_offset = 0, size = 0;
    };
    Buffer(std::uint32_t number, std::uint64_t bytes) : id(number), size(bytes) {}
    ~Buffer();
    Buffer(const Buffer&) = delete;
    Buffer& operator=(const Buffer&) = delete;

    const std::uint32_t id;  ///< of the process; never used twice
    const std::uint64_t size;
    /// It lies in a slab no more.
    void give_back_slot();

    std::vector<Part> parts;
    Slabs::Slot slot;           ///< where it lies in a slab
    std::uint32_t slot_of = 0;  ///< generation of the connection whose slab that is
    bool of_user = false;       ///< the program's own memory
    bool unreachable = false;   ///< memory of the program's that cannot be shared
    bool shared = false;        ///< other processes may have it
    bool of_another = false;    ///< one of them has made it
    std::uint64_t user_address = 0, changes_seen = 0;  ///< of such memory (user_memory.cpp)
    std::uint32_t sent_to = 0;     ///< generation of the connection that knows it
    std::uint64_t last_use = 0;    ///< number of the last submission that names it,
    std::uint64_t last_write = 0;  ///< and of the last that may write it
    std::uint32_t caching = 1;
    Tiling tiling;           ///< while it has no file of its own (tiling.h)
    std::uint32_t name = 0;  ///< by GEM_FLINK
    dev_t file_device = 0;   ///< by which a descriptor of it is known
    ino_t file_inode = 0;
    std::shared_ptr<OwnDescriptor> rows;  ///< a buffer with tiles, as the aperture shows it,
    bool rows_written = false;            ///< where the program may have written
};

/// An address space.
struct Vm {
    explicit Vm(std::uint32_t number) : id(number) {}
    ~Vm();
    Vm(const Vm&) = delete;
    Vm& operator=(const Vm&) = delete;
    const std::uint32_t id;  ///< of the process
    Bindings bindings;
    std::uint32_t generation = 0;
};

struct EngineSlot {
    std::uint16_t type = 0, instance = 0;
};

struct Context {
    Context() = default;
    ~Context();
    Context(const Context&) = delete;
    Context& operator=(const Context&) = delete;
    std::shared_ptr<Vm> vm;
    bool has_engines = false;
    std::vector<EngineSlot> engines;
    std::map<std::uint32_t, std::uint32_t> hardware;  ///< by slot: number of the process
    std::uint32_t generation = 0;                     ///< of the connection that has these
    std::deque<std::uint64_t> submissions;            ///< whose good end has not been seen
    bool refused = false;  ///< a submission was, as the context is a parent's
    std::int64_t priority = 0;
    bool recoverable = true, bannable = true, persistent = true, no_error_capture = false;
};

/// A fence that is the end of a submission (0: in the past), at each point of a time line. A binary
/// object has point 0 only.
struct SyncObject {
    std::map<std::uint64_t, std::uint64_t> fences;  ///< point to number of a submission
    void set(std::uint64_t point, std::uint64_t number);
    void reset() { fences.clear(); }
    /// The fence that signals this point; null: nobody has promised it.
    const std::uint64_t* find(std::uint64_t point) const;
};

/// A stream of performance reports: the program's end of a socket.
struct PerfStream {
    PerfStream() = default;
    ~PerfStream();
    PerfStream(const PerfStream&) = delete;
    PerfStream& operator=(const PerfStream&) = delete;
    std::uint32_t generation = 0;  ///< of the connection
    ino_t inode = 0;               ///< by which a descriptor of it is known
    std::uint64_t set = 0;         ///< number of what is counted
    bool enabled = false;
};

/// An open of the node.
struct File {
    int minor = 0;
    std::uint32_t generation = 0;  ///< of the connection; a forked child cannot go on with it
    Handles<Buffer> buffers;
    std::unordered_map<std::uint32_t, std::uint32_t> handle_of;  ///< by a buffer's id
    Handles<Vm> vms;
    Handles<Context> contexts;
    std::shared_ptr<Context> default_context;
    Handles<SyncObject> syncs;
    std::shared_ptr<Context> context(std::uint32_t id) const {
        return id == 0 ? default_context : contexts.find(id);
    }
};

/// All of this process.
struct Device {
    std::mutex mutex;
    Connection connection;
    std::map<int, std::shared_ptr<File>> files;          ///< by descriptor
    std::map<int, std::shared_ptr<PerfStream>> streams;  ///< by descriptor
    /// There has been a stream: until then, no read is looked at.
    std::atomic<bool> any_stream{false};
    std::unordered_map<std::uint32_t, std::weak_ptr<Buffer>> buffers;
    std::unordered_map<std::uint32_t, std::weak_ptr<Buffer>> names;
    std::map<std::pair<dev_t, ino_t>, std::weak_ptr<Buffer>> by_inode;
    std::map<std::pair<dev_t, ino_t>, std::shared_ptr<SyncObject>> shared_syncs;
    Slabs slabs;
    /// Buffers that have a file of their own, and how many may: the program needs descriptors as
    /// well, and the machine has a mapping for each.
    std::uint64_t own_files = 0, most_files = 0;
    /// The machine holds so much for this process's connection (protocol.h).
    std::uint64_t buffer_memory = 0;
    std::uint32_t contexts = 0;
    std::uint32_t next_buffer = 1, next_vm = 1, next_context = 1, next_name = 1;
    Facts facts;
    bool has_facts = false;
    /// This belongs to that process. A child of vfork() has the same memory, but files of its own:
    /// what it closes before it starts a program stays open here.
    std::atomic<pid_t> process{0};

    std::shared_ptr<Buffer> make_buffer(std::uint64_t size);
    std::shared_ptr<Vm> make_vm() { return std::make_shared<Vm>(next_vm++); }
    std::shared_ptr<File> open(int descriptor, int minor);
    /// The file of a descriptor, null if it is none of ours. One that came from another process or
    /// through exec is found by its inode.
    /// A number that was closed without a word is no file of ours any more.
    std::shared_ptr<File> file_of(int descriptor, bool adopt);
    /// In the same way; null: it is none.
    std::shared_ptr<PerfStream> stream_of(int descriptor);
    /// The machine has one OA unit. Streams that were closed without a word end here.
    bool has_stream();
    void closed(int descriptor) { closed(descriptor, descriptor); }
    void closed(int first, int last);
    void duplicated(int from, int to);
    /// False without the file of facts.
    bool read_facts();
};

/// Never ends: programs use the device while they exit.
Device& device();

}  // namespace gen9::drm
