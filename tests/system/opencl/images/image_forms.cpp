// SPDX-License-Identifier: Apache-2.0
// Forms of images beside the plain ones: rows in a buffer, images that a kernel reads and writes,
// levels of detail, packed and planar YUV.
#include "image_kinds.h"
// After the header above, which says for which OpenCL.
#include <CL/cl_ext.h>

using reference::Axis;
using reference::Format;
using reference::image_of;
using reference::Kind;
using reference::kKinds;
using reference::Mode;
using reference::Picture;
using reference::sampler_of;
using reference::Texel;

namespace {

constexpr int kPlaces = 256;
using Places = std::vector<std::array<float, 4>>;

/// Places between -0.25 and 1.25 of the image, in steps that are exact in float.
Places places_around(std::uint32_t seed) {
    Numbers numbers(seed);
    Places places(kPlaces);
    for (auto& place : places)
        for (float& value : place)
            value = static_cast<float>(static_cast<int>(numbers.below(1536)) - 256) / 1024.0f;
    return places;
}

std::vector<std::array<float, 4>> values_of(OpenClProgram& program, const char* kernel_name,
                                            cl_mem image, cl_sampler how, const Places& places) {
    const cl_mem values = program.buffer(Places(kPlaces));
    const cl_kernel kernel = program.kernel(kernel_name);
    program.arguments(kernel, image, how, program.buffer(places), values);
    program.run(kernel, {kPlaces});
    clReleaseSampler(how);
    return program.read<std::array<float, 4>>(values, kPlaces);
}

void compare(const std::vector<std::array<float, 4>>& found, std::size_t i, const Texel& expected,
             double tolerance, Verdict& verdict, const std::string& what) {
    for (std::size_t c = 0; c < 4; ++c)
        verdict.close(found[i][c], expected[c], tolerance, i * 4 + c, what.c_str());
}

cl_mem image_from(OpenClProgram& program, const cl_image_format& format, const cl_image_desc& shape,
                  cl_mem_flags flags, const char* what) {
    cl_int error;
    const cl_mem image = clCreateImage(program.context(), flags, &format, &shape, nullptr, &error);
    OpenClProgram::check(error, what);
    return image;
}

void rows_in_a_buffer(OpenClProgram& program, Verdict& verdict) {
    constexpr std::size_t kPitch = 1024;
    for (const Format& format : {Format{CL_RGBA, CL_UNORM_INT8}, Format{CL_R, CL_UNORM_INT8},
                                 Format{CL_RG, CL_UNORM_INT16}, Format{CL_RGBA, CL_HALF_FLOAT},
                                 Format{CL_R, CL_FLOAT}, Format{CL_RGBA, CL_FLOAT}}) {
        const Picture picture(format, {33, 21, 1}, 3);
        const std::size_t row = 33 * format.bytes();
        std::vector<unsigned char> memory(kPitch * 21, 0xEE);
        for (std::size_t y = 0; y < 21; ++y)
            std::memcpy(&memory[y * kPitch], &picture.bytes[y * row], row);
        cl_image_desc shape{};
        shape.image_type = CL_MEM_OBJECT_IMAGE2D;
        shape.image_width = 33;
        shape.image_height = 21;
        shape.image_row_pitch = kPitch;
        shape.buffer = program.buffer(memory);
        const cl_mem image = image_from(program, {format.order, format.type}, shape,
                                        CL_MEM_READ_ONLY, "clCreateImage of a buffer");
        for (const bool linear : {false, true}) {
            const Mode mode{cl_addressing_mode(linear ? CL_ADDRESS_CLAMP : CL_ADDRESS_REPEAT),
                            linear, true};
            const Places places = places_around(7);
            const auto found =
                values_of(program, "by_sampler", image, sampler_of(program, mode), places);
            for (int i = 0; i < kPlaces; ++i)
                compare(found, i,
                        picture.filtered(reference::axis(places[i][0], 33, mode),
                                         reference::axis(places[i][1], 21, mode), {}),
                        1e-6, verdict, "rows in a buffer: " + format.name() + " " + mode.name());
        }
        clReleaseMemObject(image);
    }
}

/// What the two writes of `twice` leave of a channel, and by how much a float may be off.
double twice(const Format& f, double value) {
    if (f.is_integer()) {
        const double most =
            std::ldexp(1, static_cast<int>(f.channel_bytes() * 8) - f.is_signed()) - 1;
        const double least = f.is_signed() ? -most - 1 : 0;
        const auto add = [&](double to, double by) {
            // Arithmetic of 32 bits wraps before the format clamps.
            const auto sum = static_cast<std::int64_t>(to + by);
            const double wrapped = f.is_signed()
                                       ? static_cast<std::int32_t>(sum)
                                       : static_cast<double>(static_cast<std::uint32_t>(sum));
            return std::clamp(wrapped, least, most);
        };
        return add(add(value, 3), 1);
    }
    const double low = f.type == CL_SNORM_INT8 || f.type == CL_SNORM_INT16 ? -1 : 0;
    const auto kept = [&](double v) { return f.is_float() ? v : std::clamp(v, low, 1.0); };
    return kept(kept(1 - value) * 0.25 + 0.125);
}

void read_and_write(Verdict& verdict) {
    OpenClProgram program("image_forms.cl", "-cl-std=CL3.0 -DREAD_WRITE");
    const Kind& kind = kKinds[3];
    for (const Format& format : formats(program, kind, CL_MEM_KERNEL_READ_AND_WRITE)) {
        if (format.is_depth()) continue;
        Picture picture(format, kind.size, 11);
        const cl_mem image =
            image_of(program, kind, picture, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR);
        const cl_kernel kernel = program.kernel(!format.is_integer() ? "twice_f"
                                                : format.is_signed() ? "twice_i"
                                                                     : "twice_ui");
        program.arguments(kernel, image);
        program.run(kernel, {37, 41});
        std::vector<unsigned char> found(picture.bytes.size());
        const std::size_t origin[3] = {}, size[3] = {37, 41, 1};
        OpenClProgram::check(clEnqueueReadImage(program.queue(), image, CL_TRUE, origin, size, 0, 0,
                                                found.data(), 0, nullptr, nullptr),
                             "clEnqueueReadImage");
        const std::string what = "read and write: " + format.name();
        const double unit = format.is_float() ? (format.type == CL_FLOAT ? 2e-7 : 1.5e-3)
                            : format.is_integer()
                                ? 0
                                : 0.51 / (format.channel_bytes() == 1 ? 127 : 32767);
        for (std::size_t i = 0; i < found.size(); i += format.channel_bytes())
            verdict.close(reference::channel(format, &found[i]),
                          twice(format, reference::channel(format, &picture.bytes[i])), unit, i,
                          what.c_str());
        clReleaseMemObject(image);
    }
}

struct LevelTest {
    OpenClProgram& program;
    Verdict& verdict;
    Kind kind;
    Format format;
    std::vector<Picture> levels{};
    cl_mem image{};

    void make() {
        cl_image_desc shape{};
        shape.image_type = kind.type;
        shape.image_width = kind.size[0];
        if (kind.filtered > 1) shape.image_height = kind.size[1];
        if (kind.filtered > 2) shape.image_depth = kind.size[2];
        if (kind.layers) shape.image_array_size = kind.size[2];
        shape.num_mip_levels = 4;
        image =
            image_from(program, {format.order, format.type}, shape, CL_MEM_READ_WRITE, kind.name);
        for (int level = 0; level < 4; ++level) {
            std::array<int, 3> size = kind.size;
            for (int n = 0; n < kind.filtered; ++n)
                size[n] = std::max(1, size[n] >> level);
            levels.emplace_back(format, size, 30 + level);
        }
        // All are written before any is read back: no level may touch another.
        for (int level = 0; level < 4; ++level)
            transfer(level, [&](const std::size_t* origin, const std::size_t* size) {
                return clEnqueueWriteImage(program.queue(), image, CL_TRUE, origin, size, 0, 0,
                                           levels[level].bytes.data(), 0, nullptr, nullptr);
            });
        read_back();
    }
    void read_back() {
        for (int level = 0; level < 4; ++level) {
            std::vector<unsigned char> found(levels[level].bytes.size());
            transfer(level, [&](const std::size_t* origin, const std::size_t* size) {
                return clEnqueueReadImage(program.queue(), image, CL_TRUE, origin, size, 0, 0,
                                          found.data(), 0, nullptr, nullptr);
            });
            const std::string what = std::string(kind.name) + " level " + std::to_string(level);
            for (std::size_t i = 0; i < found.size(); ++i)
                verdict.equal<unsigned>(found[i], levels[level].bytes[i], i, what.c_str());
        }
    }
    /// Kernels write levels too, and only those.
    void write_level(int level) {
        Picture& picture = levels[level];
        const cl_kernel kernel = program.kernel("write_level");
        program.arguments(kernel, image, level);
        program.run(kernel, {std::size_t(picture.size[0]), std::size_t(picture.size[1])});
        for (int i = 0; i < picture.size[0] * picture.size[1]; ++i) {
            const int values[4] = {i % picture.size[0], i / picture.size[0], level, 255};
            std::copy(std::begin(values), std::end(values), &picture.bytes[i * 4]);
        }
        read_back();
    }
    template <class Action>
    void transfer(int level, Action action) {
        std::size_t origin[4] = {}, size[3];
        origin[kind.layers ? kind.filtered + 1 : kind.filtered] = static_cast<std::size_t>(level);
        for (int n = 0; n < 3; ++n)
            size[n] = static_cast<std::size_t>(levels[level].size[n]);
        OpenClProgram::check(action(origin, size), "transfer of a level");
    }

    Texel at_level(int level, const std::array<float, 4>& place, const Mode& mode) const {
        const Picture& picture = levels[level];
        Axis axes[3];
        for (int n = 0; n < kind.filtered; ++n)
            axes[n] = reference::axis(place[n], picture.size[n], mode);
        if (kind.layers)
            axes[kind.filtered].index[0] = reference::layer(place[kind.filtered], picture.size[2]);
        return picture.filtered(axes[0], axes[1], axes[2]);
    }
    void sample(const char* kernel, bool between_levels, const Mode& mode, double tolerance) {
        float least = 0.25f, most = 2.75f;
        cl_sampler_properties limits[2] = {};
        std::memcpy(&limits[0], &least, sizeof least);
        std::memcpy(&limits[1], &most, sizeof most);
        const cl_uint filter = between_levels ? CL_FILTER_LINEAR : CL_FILTER_NEAREST;
        const cl_sampler how =
            sampler_of(program, mode,
                       {CL_SAMPLER_MIP_FILTER_MODE_KHR, filter, CL_SAMPLER_LOD_MIN_KHR, limits[0],
                        CL_SAMPLER_LOD_MAX_KHR, limits[1]});
        Places places = places_around(13);
        for (int i = 0; i < kPlaces; ++i)
            places[i][3] = static_cast<float>(i % 80) / 16 - 0.96875f;
        const auto found = values_of(program, kernel, image, how, places);
        const std::string what =
            std::string(kernel) + (between_levels ? " between, " : ", ") + mode.name();
        for (int i = 0; i < kPlaces; ++i) {
            const double lod = std::clamp(places[i][3], least, most);
            const int level =
                static_cast<int>(between_levels ? std::floor(lod) : std::floor(lod + 0.5));
            const double share = between_levels ? lod - level : 0;
            const Texel low = at_level(level, places[i], mode);
            const Texel high = at_level(std::min(level + 1, 3), places[i], mode);
            Texel expected;
            for (int c = 0; c < 4; ++c)
                expected[c] = low[c] * (1 - share) + high[c] * share;
            compare(found, i, expected, tolerance, verdict, what);
        }
    }
};

void levels_of_detail(Verdict& verdict) {
    OpenClProgram program("image_forms.cl", "-cl-std=CL2.0 -DMIPS");
    const Kind kinds[] = {{CL_MEM_OBJECT_IMAGE1D, "levels_d1", 0, {52, 1, 1}, 1, false},
                          {CL_MEM_OBJECT_IMAGE2D, "levels_d2", 0, {52, 37, 1}, 2, false},
                          {CL_MEM_OBJECT_IMAGE2D_ARRAY, "levels_d2_array", 0, {30, 19, 5}, 2, true},
                          {CL_MEM_OBJECT_IMAGE3D, "levels_d3", 0, {24, 17, 9}, 3, false}};
    for (const Kind& kind : kinds)
        for (const Format& format : {Format{CL_RGBA, CL_UNORM_INT8}, Format{CL_R, CL_FLOAT}}) {
            LevelTest test{program, verdict, kind, format};
            test.make();
            for (const bool between : {false, true})
                for (const bool linear : {false, true}) {
                    const Mode mode{
                        cl_addressing_mode(linear ? CL_ADDRESS_REPEAT : CL_ADDRESS_CLAMP_TO_EDGE),
                        linear, true};
                    test.sample(kind.name, between, mode, 1e-6);
                    // The level comes from a logarithm, of which the low bits are not defined.
                    if (kind.type == CL_MEM_OBJECT_IMAGE2D && between)
                        test.sample("steps_d2", between, mode,
                                    format.type == CL_FLOAT ? 0.08 : 0.01);
                }
            if (kind.type == CL_MEM_OBJECT_IMAGE2D && format.type == CL_UNORM_INT8)
                for (const int level : {2, 1})
                    test.write_level(level);
            clReleaseMemObject(test.image);
        }
}

/// Where the four bytes of two packed pixels hold Y of the first and second, U and V.
struct Packed {
    cl_channel_order order;
    const char* name;
    int y[2], u, v;
};

void packed_yuv(OpenClProgram& program, Verdict& verdict) {
    for (const Packed& packed :
         {Packed{CL_YUYV_INTEL, "YUYV", {0, 2}, 1, 3}, Packed{CL_UYVY_INTEL, "UYVY", {1, 3}, 0, 2},
          Packed{CL_YVYU_INTEL, "YVYU", {0, 2}, 3, 1},
          Packed{CL_VYUY_INTEL, "VYUY", {1, 3}, 2, 0}}) {
        const Picture bytes({CL_RG, CL_UNORM_INT8}, {34, 18, 1}, 21);
        cl_image_desc shape{};
        shape.image_type = CL_MEM_OBJECT_IMAGE2D;
        shape.image_width = 34;
        shape.image_height = 18;
        const cl_image_format format{packed.order, CL_UNORM_INT8};
        cl_int error;
        const cl_mem image =
            clCreateImage(program.context(), CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, &format,
                          &shape, const_cast<unsigned char*>(bytes.bytes.data()), &error);
        OpenClProgram::check(error, packed.name);
        const Mode mode{CL_ADDRESS_CLAMP_TO_EDGE, false, true};
        const Places places = places_around(17);
        const auto found =
            values_of(program, "by_sampler", image, sampler_of(program, mode), places);
        for (int i = 0; i < kPlaces; ++i) {
            const int x = reference::axis(places[i][0], 34, mode).index[0];
            const int y = reference::axis(places[i][1], 18, mode).index[0];
            const unsigned char* const pair = &bytes.bytes[(y * 34 + (x & ~1)) * 2];
            compare(
                found, i,
                {pair[packed.v] / 255.0, pair[packed.y[x & 1]] / 255.0, pair[packed.u] / 255.0, 1},
                1e-6, verdict, packed.name);
        }
        clReleaseMemObject(image);
    }
}

void planar_yuv(OpenClProgram& program, Verdict& verdict) {
    constexpr int kWidth = 36, kHeight = 28;
    cl_image_desc shape{};
    shape.image_type = CL_MEM_OBJECT_IMAGE2D;
    shape.image_width = kWidth;
    shape.image_height = kHeight;
    const cl_mem whole = image_from(
        program, {CL_NV12_INTEL, CL_UNORM_INT8}, shape,
        CL_MEM_READ_WRITE | CL_MEM_HOST_NO_ACCESS | CL_MEM_ACCESS_FLAGS_UNRESTRICTED_INTEL,
        "clCreateImage of NV12");
    std::vector<Picture> planes;
    for (int plane = 0; plane < 2; ++plane) {
        cl_image_desc part{};
        part.image_type = CL_MEM_OBJECT_IMAGE2D;
        part.mem_object = whole;
        part.image_depth = plane;
        const Format format{cl_channel_order(plane ? CL_RG : CL_R), CL_UNORM_INT8};
        planes.emplace_back(format, std::array{kWidth >> plane, kHeight >> plane, 1}, 40 + plane);
        const cl_mem image = image_from(program, {format.order, format.type}, part,
                                        CL_MEM_READ_WRITE, "plane of NV12");
        const std::size_t origin[3] = {}, size[3] = {std::size_t(kWidth >> plane),
                                                     std::size_t(kHeight >> plane), 1};
        OpenClProgram::check(
            clEnqueueWriteImage(program.queue(), image, CL_TRUE, origin, size, 0, 0,
                                planes[plane].bytes.data(), 0, nullptr, nullptr),
            "clEnqueueWriteImage of a plane");
        clReleaseMemObject(image);
    }
    const Mode mode{CL_ADDRESS_CLAMP_TO_EDGE, false, true};
    const Places places = places_around(19);
    const auto found = values_of(program, "by_sampler", whole, sampler_of(program, mode), places);
    for (int i = 0; i < kPlaces; ++i) {
        const auto at = [&](const Picture& p) {
            return p.at(reference::axis(places[i][0], p.size[0], mode).index[0],
                        reference::axis(places[i][1], p.size[1], mode).index[0], 0);
        };
        compare(found, i, {at(planes[1])[1], at(planes[0])[0], at(planes[1])[0], 1}, 1e-6, verdict,
                "NV12");
    }
    clReleaseMemObject(whole);
}

}  // namespace

int main() {
    Verdict verdict;
    OpenClProgram program("image_forms.cl");
    rows_in_a_buffer(program, verdict);
    packed_yuv(program, verdict);
    planar_yuv(program, verdict);
    read_and_write(verdict);
    levels_of_detail(verdict);
    return verdict.finish("image_forms");
}
