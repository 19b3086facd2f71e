// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <vector>

#include "platform/host/drm/protocol.h"
#include "platform/host/drm/ring_contexts.h"
#include "platform/host/engine.h"
#include "platform/host/socket.h"

namespace gen9::drm {

/// The stream of performance reports of a program, as the kernel driver has it: the OA unit of the
/// engine set up, and what it writes into its buffer handed on as records.
/// Role     each record goes into the program's socket as one packet. What does not fit stays in
///          the OA unit's buffer; when that is full, reports are lost, which a record says.
/// Errors   what makes no sense is refused: false, and nothing has changed
/// Spec     Public: Linux i915 (i915_perf.c)
class ReportStream {
  public:
    ReportStream(platform::Engine& engine, RingContexts& contexts)
        : engine_(engine), contexts_(contexts) {}

    bool open(const Message& message, platform::FileDescriptor socket);
    bool set(std::uint32_t offset, std::uint64_t value);
    bool run(bool on);
    bool close();
    /// Hands on the reports that there are, as far as the program's socket has room.
    void forward();

  private:
    void start_buffer();
    bool is_for_program(std::vector<std::uint8_t>& report);
    bool send(std::uint32_t type, const std::vector<std::uint8_t>& report);

    platform::Engine& engine_;
    RingContexts& contexts_;
    RingContexts::GlobalMemory buffer_;  ///< of the OA unit
    platform::FileDescriptor socket_;
    std::uint32_t control_ = 0;  ///< OACONTROL while it runs
    std::uint32_t context_ = kNoContext;
    std::vector<std::uint32_t> of_contexts_;  ///< registers that each context has, and their values
    std::uint32_t head_ = 0;                  ///< bytes from the beginning of the buffer
    std::uint32_t last_context_ = 0;
    bool is_open_ = false, runs_ = false;
};

}  // namespace gen9::drm
