// SPDX-License-Identifier: Apache-2.0
/// One connection of a program that found the machine by the kernel interface: its messages carried
/// out on an engine.
/// Role     buffers are mapped here and become physical memory of the machine, where their pages
///          are as large as the session has them; page tables, rings
///          and context images are built in that memory as the kernel driver would; a submission
///          runs the engine until it is idle, and its end is seen in the page of progress.
/// Input    everything may be wrong: ids, sizes, addresses, order, files. What makes no sense ends
///          the session with one sentence. A file that could shrink is refused.
/// Spec     protocol.h; docs/blocks/host-drm.md
#pragma once
#include <sys/types.h>

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>

#include "platform/host/drm/bindings.h"
#include "platform/host/drm/copy_engine.h"
#include "platform/host/drm/host_wait.h"
#include "platform/host/drm/page_tables.h"
#include "platform/host/drm/protocol.h"
#include "platform/host/drm/report_stream.h"
#include "platform/host/drm/ring_contexts.h"
#include "platform/host/socket.h"

namespace gen9::drm {

class DrmSession {
  public:
    using Log = std::function<void(const std::string&)>;
    DrmSession(platform::Engine& engine, Log log, const Frames& frames = PageSize::Large);
    ~DrmSession();
    DrmSession(const DrmSession&) = delete;
    DrmSession& operator=(const DrmSession&) = delete;

    void take(const Message& message, platform::FileDescriptor descriptor);
    platform::OnLaunch on_launch = [](auto, auto) {};
    /// Called now and then while the engine waits for the program: its next messages may be
    /// fetched, but not taken.
    std::function<void()> while_waiting = [] {};
    /// Nothing more will be taken: the peer sent nonsense, or the engine has stopped.
    bool ended() const { return ended_; }
    /// Sentences logged about what the peer sent.
    unsigned complaints() const { return complaints_; }

  private:
    /// A file that is mapped as a whole, for all buffers that lie in it: small ones share one, and
    /// a process may have some ten thousand mappings only.
    struct MappedFile {
        std::uint8_t* host = nullptr;
        std::uint64_t size = 0;
        std::uint64_t buffers = 0;
    };
    using FileName = std::pair<dev_t, ino_t>;
    struct Buffer {
        std::uint64_t size = 0;
        bool of_another = false;       ///< the process that made it may write it at any time
        std::uint8_t* host = nullptr;  ///< null: no memory yet
        FileName file{};               ///< that it lies in as a whole; {}: a mapping of its own
        std::uint64_t taken = 0;       ///< bytes of physical memory, its own last; 0: none yet
        PhysAddr place;                ///< which Frames turns into addresses
    };
    struct Space {
        std::unique_ptr<PageTables> tables;
        Bindings bindings;
    };
    void carry_out(const Message& message, platform::FileDescriptor descriptor);
    void hello(const Message& message, const platform::FileDescriptor& descriptor);
    void add_buffer(const Message& message);
    void add_part(const Message& message, const platform::FileDescriptor& descriptor);
    void remove_buffer(std::uint32_t id);
    void bind(const Message& message);
    bool give_memory(Buffer& buffer, std::uint64_t address);
    bool map_alone(Buffer& buffer);
    void map_whole(Buffer& buffer, const platform::FileDescriptor& file, std::uint64_t offset);
    void unmap(Buffer& buffer);
    bool attach(const Buffer& buffer);
    void detach(const Buffer& buffer);
    void submit(const Message& message);
    void take_stream(const Message& message, platform::FileDescriptor descriptor);
    bool submit_to_other_engine(const Message& message);
    std::span<std::uint8_t> memory_at(std::uint32_t vm, std::uint64_t address);
    std::uint64_t timestamp();
    Space& space(std::uint32_t vm);
    void forget_translations();
    /// Whoever waits learns that this submission and what follows do not end well.
    void lose(std::uint64_t number);
    void tell(std::uint64_t completed);
    void wake();
    void refuse(const std::string& why);

    platform::Engine& engine_;
    Log log_;
    const Frames frames_;
    Ranges driver_memory_;  ///< tables, rings and images, apart from the program's buffers
    Ranges physical_;
    TablePages table_pages_;
    RingContexts contexts_;
    ReportStream stream_;
    std::unordered_map<std::uint32_t, Buffer> buffers_;
    std::map<FileName, MappedFile> files_;
    std::unordered_map<std::uint32_t, Space> spaces_;
    HostWait host_wait_;
    CopyEngine copy_engine_;
    std::uint32_t copying_in_ = 0;  ///< the address space of the batch under way
    Progress* progress_ = nullptr;
    std::uint32_t process_ = 0;
    unsigned complaints_ = 0;
    bool lost_write_said_ = false;
    bool ended_ = false;
};

}  // namespace gen9::drm
