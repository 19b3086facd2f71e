// SPDX-License-Identifier: Apache-2.0
// Shaders and chains of instructions, limited by the EUs.
#include <algorithm>

#include "images.h"

/// Work-items (a multiple of 5376): W-11. Amounts are multiply-adds.
void chains(const Sizes& sizes) {
    Measured program("chains.cl", "-cl-mad-enable");
    constexpr std::size_t kWave = 5376;  // a SIMD32 thread in every slot: each has the code then
    const cl_mem out = program.room(4 * std::max(sizes[0], kWave));
    for (const char* kernel : {"squares", "squares_4", "squares_fma", "squares_vector", "lines"}) {
        for (const std::size_t items : {kWave, sizes[0]})
            program.launch(kernel, {items}, {256}, out, 0.5f, 0.25f);
        program.report(kernel, 2048.0 * static_cast<double>(sizes[0]));
    }
}

/// Rows of 1024 pixels: W-12. Amounts are turns of a pixel.
void faces(const Sizes& sizes) {
    Measured program("shaders.cl", "-cl-mad-enable");
    constexpr std::size_t kAcross = 1024;
    const cl_mem out = program.room(16 * kAcross);
    const cl_float2 size = {{kAcross, kAcross}};
    for (const char* kernel : {"products_group", "branches_group", "matrix_group", "products_own",
                               "branches_own", "matrix_own"}) {
        for (const std::size_t rows : {std::size_t{16}, sizes[0]})
            program.launch(kernel, {kAcross, rows}, {8, 16}, out, size, -1e20f);
        program.report(kernel, 128.0 * static_cast<double>(kAcross * sizes[0]));
    }
}

/// Rows of pixels: W-13. Amounts are pixels.
void noises(const Sizes& sizes) {
    Measured program("shaders.cl", "-cl-mad-enable");
    struct Noise {
        const char* kernel;
        std::size_t side;  // of the published picture
    };
    for (const Noise noise : {Noise{"noise_voronoi2", 2048}, Noise{"noise_voronoi3", 1024},
                              Noise{"noise_smooth3", 512}}) {
        const Image image(program, CL_UNORM_INT8, noise.side, sizes[0]);
        const auto side = static_cast<float>(noise.side);
        const cl_float2 size = {{side, side}};
        for (const std::size_t rows : {std::size_t{8}, sizes[0]})
            program.launch(noise.kernel, {noise.side, rows}, {8, 8}, *image, size);
        program.report(noise.kernel, static_cast<double>(noise.side * sizes[0]));
    }
}
