// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "interconnect/kernel/block.h"
#include "interconnect/kernel/sockets.h"
#include "interconnect/kernel/stage_protocols.h"

namespace gen9::raster {

struct RasterSockets {
    AnyTarget<ObjectProtocol>& object_in;
    AnyInitiator<PixelProtocol>& pixel_out;
};
struct RasterSetup {
    unsigned slice = 0, slices = 1;  ///< it scans the parts of the screen that its slice owns
};
/// Rasteriser of a slice.
class RasterBlock : public BlockWith<RasterSockets, RasterSetup> {
  protected:
    using BlockWith::BlockWith;
};

}  // namespace gen9::raster
