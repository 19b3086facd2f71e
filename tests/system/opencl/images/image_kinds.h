// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "image_reference.h"

/// The kinds of images, with odd sizes that need several tiles, and how to make them.
namespace reference {

struct Kind {
    cl_mem_object_type type;
    const char* name;
    int dimension;  ///< of the kernels' file
    std::array<int, 3> size;
    int filtered;  ///< axes
    bool layers;
};
constexpr Kind kKinds[] = {
    {CL_MEM_OBJECT_IMAGE1D, "d1", 1, {61, 1, 1}, 1, false},
    {CL_MEM_OBJECT_IMAGE1D_BUFFER, "d1_buffer", 1, {1000, 1, 1}, 0, false},
    {CL_MEM_OBJECT_IMAGE1D_ARRAY, "d1_array", 1, {37, 5, 1}, 1, true},
    {CL_MEM_OBJECT_IMAGE2D, "d2", 2, {37, 41, 1}, 2, false},
    {CL_MEM_OBJECT_IMAGE3D, "d3", 3, {13, 9, 7}, 3, false},
    {CL_MEM_OBJECT_IMAGE2D_ARRAY, "d2_array", 4, {19, 11, 5}, 2, true},
};

/// Without CL_MEM_COPY_HOST_PTR among the flags nothing but an image buffer has contents.
inline cl_mem image_of(OpenClProgram& program, const Kind& kind, const Picture& picture,
                       cl_mem_flags flags = CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR) {
    const cl_image_format format{picture.format.order, picture.format.type};
    cl_image_desc shape{};
    shape.image_type = kind.type;
    shape.image_width = static_cast<std::size_t>(kind.size[0]);
    const auto y = static_cast<std::size_t>(kind.size[1]),
               z = static_cast<std::size_t>(kind.size[2]);
    if (kind.dimension > 1) shape.image_height = y;
    if (kind.type == CL_MEM_OBJECT_IMAGE3D) shape.image_depth = z;
    if (kind.layers) shape.image_array_size = kind.type == CL_MEM_OBJECT_IMAGE1D_ARRAY ? y : z;
    const bool of_buffer = kind.type == CL_MEM_OBJECT_IMAGE1D_BUFFER;
    if (of_buffer) {
        shape.buffer = program.buffer(picture.bytes);
        flags &= ~cl_mem_flags{CL_MEM_COPY_HOST_PTR};
    }
    cl_int error;
    const cl_mem image = clCreateImage(
        program.context(), flags, &format, &shape,
        flags & CL_MEM_COPY_HOST_PTR ? const_cast<unsigned char*>(picture.bytes.data()) : nullptr,
        &error);
    OpenClProgram::check(error, (picture.format.name() + " " + kind.name).c_str());
    return image;
}

/// Those of the device's formats that OpenCL itself defines.
inline std::vector<Format> formats(OpenClProgram& program, const Kind& kind, cl_mem_flags flags) {
    std::vector<cl_image_format> listed(256);
    cl_uint count = 0;
    OpenClProgram::check(
        clGetSupportedImageFormats(program.context(), flags, kind.type,
                                   static_cast<cl_uint>(listed.size()), listed.data(), &count),
        "clGetSupportedImageFormats");
    std::vector<Format> all;
    for (cl_uint i = 0; i < count; ++i)
        if (const Format f{listed[i].image_channel_order, listed[i].image_channel_data_type};
            f.known())
            all.push_back(f);
    return all;
}

inline cl_sampler sampler_of(OpenClProgram& program, const Mode& mode,
                             std::vector<cl_sampler_properties> more = {}) {
    const cl_uint filter = mode.linear ? CL_FILTER_LINEAR : CL_FILTER_NEAREST;
    std::vector<cl_sampler_properties> properties = {CL_SAMPLER_NORMALIZED_COORDS, mode.normalized,
                                                     CL_SAMPLER_ADDRESSING_MODE,   mode.address,
                                                     CL_SAMPLER_FILTER_MODE,       filter};
    properties.insert(properties.end(), more.begin(), more.end());
    properties.push_back(0);
    cl_int error;
    const cl_sampler made =
        clCreateSamplerWithProperties(program.context(), properties.data(), &error);
    OpenClProgram::check(error, mode.name().c_str());
    return made;
}

}  // namespace reference
