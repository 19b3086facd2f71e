// SPDX-License-Identifier: Apache-2.0
// Programs of images: limited by samplers and their caches, or by memory.
#include "images.h"

namespace {

constexpr const char* kReadAndWrite = "-cl-std=CL2.0";

}  // namespace

/// Width and height of the texture, rows of 672 pixels: W-48. The amount is lookups.
void textures(const Sizes& sizes) {
    Measured program("images.cl", kReadAndWrite);
    const std::size_t width = sizes[0], height = sizes[1], rows = sizes[2];
    constexpr std::size_t kAcross = 672;  // with 64 rows, 16 waves of threads of 16
    const Image texture(program, CL_UNORM_INT8, width, height);
    const cl_mem out = program.room(16 * kAcross);
    // The published program repeats a launch too: the caches have what they can hold.
    for (unsigned time = 0; time < 2; ++time)
        program.launch("eight_reads", {kAcross, rows}, {8, 8}, *texture, out, -1e20f);
    program.report("lookups", 8.0 * static_cast<double>(kAcross * rows));
}

/// Rows of 3072 texels of 16 bytes: W-46. Amounts are bytes read and written.
void changed_images(const Sizes& sizes) {
    Measured program("images.cl", kReadAndWrite);
    constexpr std::size_t kAcross = 3072;
    const Image few(program, CL_FLOAT, 64, 64), all(program, CL_FLOAT, kAcross, sizes[0]);
    struct Change {
        const char *label, *kernel;
        std::size_t side;
    };
    for (const Change change :
         {Change{"rows8", "change_by_rows", 8}, Change{"rows16", "change_by_rows", 16},
          Change{"columns8", "change_by_columns", 8}}) {
        program.launch(change.kernel, {64, 64}, {change.side, change.side}, *few);
        program.launch(change.kernel, {kAcross, sizes[0]}, {change.side, change.side}, *all);
        program.report(change.label, 2.0 * 16 * static_cast<double>(kAcross * sizes[0]));
    }
}

/// Rows of the result: W-47. Amounts are bytes read and written.
void halved_images(const Sizes& sizes) {
    Measured program("images.cl", kReadAndWrite);
    struct Halving {
        const char *label, *kernel;
        cl_channel_type type;
        std::size_t across, texel;  // of the result; bytes
    };
    for (const Halving one : {Halving{"texels4", "halve_by_sampler", CL_UNORM_INT8, 4096, 4},
                              Halving{"texels8", "halve_by_sampler", CL_UNORM_INT16, 2048, 8},
                              Halving{"loads4", "halve_by_loads", CL_UNORM_INT8, 4096, 4}}) {
        const std::string kernel = one.kernel;
        for (const std::size_t across : {std::size_t{64}, one.across}) {
            const std::size_t rows = across == 64 ? 64 : sizes[0];
            const Image from(program, one.type, 2 * across, 2 * rows),
                to(program, one.type, across, rows);
            const cl_float2 size = {{static_cast<float>(across), static_cast<float>(rows)}};
            if (kernel == "halve_by_loads")
                program.launch(one.kernel, {across, rows}, {8, 16}, *from, *to);
            else
                program.launch(one.kernel, {across, rows}, {8, 16}, *from, *to, size);
        }
        program.report(one.label, 5.0 * static_cast<double>(one.texel * one.across * sizes[0]));
    }
}
