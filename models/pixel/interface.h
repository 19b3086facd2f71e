// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "interconnect/kernel/block.h"
#include "interconnect/kernel/sockets.h"
#include "interconnect/kernel/stage_protocols.h"
#include "interconnect/kernel/thread_request_protocol.h"

namespace gen9::pixel {

struct DepthSockets {
    AnyTarget<PixelProtocol>& pixel_in;
    AnyTarget<DepthTestProtocol>& late_in;  ///< tests of the render target's writes
    AnyTarget<MemoryProtocol>& control_in;  ///< flushes
    AnyInitiator<MemoryProtocol>& mem_out;
    AnyInitiator<PixelProtocol>& pixel_out;
};
/// Depth and stencil unit of a slice.
class DepthBlock : public BlockWith<DepthSockets> {
  protected:
    using BlockWith::BlockWith;
};

struct PixelDispatchSockets {
    AnyTarget<PixelProtocol>& pixel_in;
    AnyInitiator<MemoryProtocol>& mem_out;  ///< push constants
    AnyInitiator<ThreadRequestProtocol>& request_out;
};
struct PixelDispatchSetup {
    ThreadTopology topology{};
    unsigned slice = 0;
    std::uint32_t subslices = 1;  ///< those of its slice, by flat number: a bit each
};
/// Pixel shader dispatch of a slice.
class PixelDispatchBlock : public BlockWith<PixelDispatchSockets, PixelDispatchSetup> {
  protected:
    using BlockWith::BlockWith;
};

struct RenderTargetSockets {
    std::vector<AnyTarget<MessageProtocol>*> msg_in;  ///< by EU of the slice, then by sampler
    AnyTarget<MemoryProtocol>& control_in;            ///< flushes
    AnyInitiator<MemoryProtocol>& mem_out;            ///< targets, and states in memory
    AnyInitiator<DepthTestProtocol>& late_out;
};
struct RenderTargetSetup {
    unsigned eus;           ///< of the slice
    unsigned samplers = 0;  ///< that send it their results
};
/// Render target data port of a slice, with the colour calculator.
class RenderTargetBlock : public BlockWith<RenderTargetSockets, RenderTargetSetup> {
  protected:
    using BlockWith::BlockWith;
};

}  // namespace gen9::pixel
