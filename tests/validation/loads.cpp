// SPDX-License-Identifier: Apache-2.0
// Programs of loads that the first cache holds: limited by the data port or the samplers.
#include "images.h"

namespace {

constexpr const char* kOptions = "-cl-std=CL2.0";
constexpr std::size_t kGroup = 256;
constexpr double kLoads = 256;  ///< of a work-item, as in loads.cl

struct Format {
    const char* label;
    cl_channel_order order;
    cl_channel_type type;
    const char* kernel;
};

}  // namespace

/// Groups of 256 work-items: 3T-7 to 3T-10. The amount is loads.
void loads_of_memory(const Sizes& sizes) {
    Measured program("loads.cl", kOptions);
    const cl_mem in = program.floats(4 * 2 * kGroup), out = program.room(4 * kGroup * sizes[0]);
    for (const char* kernel : {"memory_1", "memory_1_random", "memory_2", "memory_4"}) {
        for (unsigned time = 0; time < 2; ++time)
            program.launch(kernel, {kGroup * sizes[0]}, {kGroup}, in, out, cl_uint{0}, cl_uint{0});
        program.report(kernel, kLoads * static_cast<double>(kGroup * sizes[0]));
    }
}

/// Groups of 256 work-items: 3T-5.
void loads_of_texel_buffers(const Sizes& sizes) {
    Measured program("loads.cl", kOptions);
    const cl_mem out = program.room(4 * kGroup * sizes[0]);
    for (const Format& format : {Format{"r32f", CL_R, CL_FLOAT, "texels_1_buffer"},
                                 Format{"rgba32f", CL_RGBA, CL_FLOAT, "texels_4_buffer"}}) {
        const cl_mem memory = program.floats(4 * 2 * kGroup);
        const Image texels(program, {format.order, format.type}, 2 * kGroup, memory);
        for (unsigned time = 0; time < 2; ++time)
            program.launch(format.kernel, {kGroup * sizes[0]}, {kGroup}, *texels, out, cl_uint{0},
                           cl_uint{0});
        program.report(format.label, kLoads * static_cast<double>(kGroup * sizes[0]));
    }
}

/// Groups of 16 x 16 work-items: 3T-1 to 3T-3.
void loads_of_texels(const Sizes& sizes) {
    Measured program("loads.cl", kOptions);
    const cl_mem out = program.room(4 * kGroup * sizes[0]);
    for (const Format& format :
         {Format{"r8", CL_R, CL_UNORM_INT8, "texels_1"}, Format{"r32f", CL_R, CL_FLOAT, "texels_1"},
          Format{"rgba8", CL_RGBA, CL_UNORM_INT8, "texels_4"},
          Format{"rgba16f", CL_RGBA, CL_HALF_FLOAT, "texels_4"},
          Format{"rg32f", CL_RG, CL_FLOAT, "texels_2"}}) {
        const Image image(program, {format.order, format.type}, 32, 32);
        for (unsigned time = 0; time < 2; ++time)
            program.launch(format.kernel, {16, 16 * sizes[0]}, {16, 16}, *image, out, cl_uint{0},
                           cl_uint{0});
        program.report(format.label, kLoads * static_cast<double>(kGroup * sizes[0]));
    }
}
