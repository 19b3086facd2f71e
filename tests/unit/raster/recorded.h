// SPDX-License-Identifier: Apache-2.0
/// State of a recorded submission of Mesa's iris driver (Public: Mesa 22.3.6): a clear by a
/// rectangle and a textured triangle, 64 x 64 pixels. Pointers are those of the test's memory.
#pragma once
#include "tests/unit/raster/pipe.h"

namespace gen9::test {

inline Commands iris_start() {
    Commands c;
    c({0x79000002, 0x00000000, 0xffffffff, 0x00000000});  // DRAWING_RECTANGLE
    c({0x791c0007, 0xc75a7599, 0xb3dbad36, 0x2c42816e, 0x10eff408, 0xf1bf173d, 0x53d97b95,
       0xae2ae662, 0x008844cc});                                       // SAMPLE_PATTERN
    c({0x790a0001, 0, 0})({0x784c0000, 0})({0x78520003, 0, 0, 0, 0});  // AA_LINE .. HZ_OP
    c({0x79060000, 0});                                                // POLY_STIPPLE_OFFSET
    c({0x78050006, 0xe0040000, 0, 0, 0, 4, 0, 0});                     // DEPTH_BUFFER
    return c;
}

inline Commands iris_clear() {
    Commands c = iris_start();
    c({0x780d0000, 0x00000000})({0x78180000, 0x00000001});               // MULTISAMPLE, MASK
    c({0x78100007, 0, 0, 0, 0, 0, 0, 0, 0});                             // VS
    c({0x78120002, 0x00000000, 0x00000200, 0x00000000});                 // CLIP
    c({0x78130002, 0, 0, 0})({0x78500003, 0x00010000, 0, 0, 0});         // SF, RASTER
    c({0x781f0004, 0x30400820, 0, 0x00000001, 0xffffffff, 0xffffffff});  // SBE
    c({0x78140000, 0})({0x784f0000, 0x80000100});                        // WM, PS_EXTRA
    return c;
}

inline Commands iris_triangle() {
    Commands c = iris_start();
    c({0x78210000, Pipe::kViewport});                                    // SF_CLIP viewports
    c({0x780d0000, 0x00000000})({0x78180000, 0x0000ffff});               // MULTISAMPLE, MASK
    c({0x78100007, 0xffffb000, 0, 0, 0, 0, 0x00200800, 0xa7800405, 0});  // VS
    c({0x784f0000, 0x80000100});                                         // PS_EXTRA
    c({0x78120002, 0x00060400, 0x94000026, 0x0003ffe0});                 // CLIP
    c({0x78500003, 0x04010001, 0, 0, 0});                                // RASTER
    c({0x78130002, 0x00080402, 0x00000000, 0x4c004808});                 // SF
    c({0x78140000, 0x80000844});                                         // WM
    c({0x781f0004, 0x30700820, 0, 0, 0xffffffff, 0xffffffff});           // SBE
    c({0x78510009, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0});                       // SBE_SWIZ
    c({0x780f0000, Pipe::kScissor})({0x79080001, 0, 0});                 // SCISSOR, LINE_STIPPLE
    return c;
}

/// The same with positions in pixels: nothing is clipped, transformed or culled.
inline Commands on_screen() {
    Commands c = iris_triangle();
    c({0x78120002, 0, 0x00000200, 0});                                     // CLIP
    c({0x78130002, 0, 0, 0x4c004808})({0x78500003, 0x00010000, 0, 0, 0});  // SF, RASTER
    return c;
}

}  // namespace gen9::test
