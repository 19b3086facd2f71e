// SPDX-License-Identifier: Apache-2.0
// Reads of every image format in every kind of image, through every sampler, at ordinary and odd
// places, against OpenCL's formulas.
//   image_reads [all]     all: every sampler for every format; otherwise a few, chosen at random
#include "image_kinds.h"

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

constexpr int kPlaces = 128;

/// Inside, edges of texels and a hair beside them, outside, far, and what is no number.
std::vector<float> coordinates(int size, bool normalized, std::uint32_t seed) {
    std::vector<float> all;
    const float scale = normalized ? 1.0f / static_cast<float>(size) : 1.0f;
    const auto edge = [&](int k) {
        const float at =
            normalized ? static_cast<float>(k) / static_cast<float>(size) : static_cast<float>(k);
        all.insert(all.end(), {at, std::nextafter(at, -9e9f), std::nextafter(at, 9e9f)});
    };
    for (int k : {-size - 1, -1, 0, 1, size / 2, size / 2 + 1, size - 1, size, size + 1, 2 * size})
        edge(k);
    for (int k : {-1, 0, size / 2, size - 1, size})
        all.push_back((static_cast<float>(k) + 0.5f) * scale);
    all.insert(all.end(),
               {-0.0f, 1e-40f, -1e-40f, 1e9f, -1e9f, 3e38f, -3e38f, NAN, INFINITY, -INFINITY});
    Numbers numbers(seed);
    while (all.size() < kPlaces)
        all.push_back((numbers.unit() * 2.5f - 0.75f) * static_cast<float>(size) * scale);
    for (std::size_t i = all.size() - 1; i > 0; --i)
        std::swap(all[i], all[numbers.below(static_cast<std::uint32_t>(i + 1))]);
    return all;
}

/// Coordinates of an axis that is a layer.
std::vector<float> layers(int count, std::uint32_t seed) {
    Numbers numbers(seed);
    std::vector<float> all(kPlaces);
    for (int i = 0; i < kPlaces; ++i)
        all[i] = static_cast<float>(static_cast<int>(numbers.below(8 * (count + 3)))) / 8 - 1.5f;
    all[5] = -1e9f, all[6] = 1e9f;
    return all;
}

struct Case {
    OpenClProgram& program;
    Verdict& verdict;
    const Kind& kind;
    const Picture& picture;
    cl_mem image;

    cl_kernel kernel(const char* suffix) const {
        const Format& f = picture.format;
        const char* const values = f.is_integer() ? (f.is_signed() ? "_i" : "_ui") : "_f";
        return program.kernel(
            (std::string(kind.name) + (f.is_depth() ? "_depth" : "") + values + suffix).c_str());
    }

    /// For integers that clamp, Intel's compiler finds the texel itself, in single precision.
    Axis axis(float coordinate, int size, const Mode& mode) const {
        const bool by_compiler =
            picture.format.is_integer() && mode.address == CL_ADDRESS_CLAMP && mode.normalized;
        if (!by_compiler) return reference::axis(double{coordinate}, size, mode);
        const float texel = coordinate * static_cast<float>(size);
        return reference::axis(double{texel}, size, {mode.address, mode.linear, false});
    }

    void compare(cl_mem values, const std::vector<std::array<float, 4>>& places, const Mode& mode,
                 const std::string& how) {
        const unsigned parts = picture.format.is_depth() ? 1 : 4;
        const auto found = program.read<std::uint32_t>(values, kPlaces * parts);
        for (int i = 0; i < kPlaces; ++i) {
            const auto& p = places[i];
            // Texels that no int can count repeat in no defined way.
            const auto undefined = [&](int n) {
                return n < kind.filtered && std::fabs(p[n]) > 2e9 / kind.size[n] && mode.repeats();
            };
            if (undefined(0) || undefined(1) || undefined(2)) continue;
            Axis axes[3];
            for (int n = 0; n < 3; ++n) {
                if (n < kind.filtered) axes[n] = axis(p[n], kind.size[n], mode);
                if (n == kind.filtered && kind.layers)
                    axes[n].index[0] = reference::layer(p[n], kind.size[n]);
            }
            const Texel expected = picture.filtered(axes[0], axes[1], axes[2]);
            for (unsigned c = 0; c < parts; ++c)
                compare_value(found[i * parts + c], expected[c], mode,
                              picture.format.name() + " " + kind.name + " " + how + " at (" +
                                  std::to_string(p[0]) + ", " + std::to_string(p[1]) + ", " +
                                  std::to_string(p[2]) + ") channel " + std::to_string(c));
        }
    }

    /// Exact where nothing is filtered; sRGB and sums within some units of the last place of 1.
    void compare_value(std::uint32_t bits, double expected, const Mode& mode,
                       const std::string& what) {
        if (picture.format.is_signed())
            return verdict.equal(static_cast<std::int32_t>(bits),
                                 static_cast<std::int32_t>(expected), 0, what.c_str());
        if (picture.format.is_integer())
            return verdict.equal(bits, static_cast<std::uint32_t>(expected), 0, what.c_str());
        float found;
        std::memcpy(&found, &bits, sizeof found);
        if (mode.linear || picture.format.is_srgb())
            return verdict.close(found, expected, 1e-6, 0, what.c_str());
        verdict.equal(found, static_cast<float>(expected), 0, what.c_str());
    }

    void with_sampler(const Mode& mode, bool by_integers, std::uint32_t seed) {
        const cl_sampler how = sampler_of(program, mode);
        std::vector<std::array<float, 4>> places(kPlaces);
        for (int n = 0; n < 3; ++n) {
            const auto axis = n < kind.filtered
                                  ? coordinates(kind.size[n], mode.normalized, seed + n)
                                  : layers(kind.size[n], seed + n);
            for (int i = 0; i < kPlaces; ++i)
                places[i][n] = by_integers ? whole(axis[i]) : axis[i];
        }
        const cl_mem values = program.buffer(std::vector<std::uint32_t>(kPlaces * 4));
        const cl_kernel kernel_to_run = kernel(by_integers ? "_int" : "");
        if (by_integers) {
            std::vector<std::array<cl_int, 4>> numbers(kPlaces);
            for (int i = 0; i < kPlaces; ++i)
                for (int n = 0; n < 4; ++n)
                    numbers[i][n] = static_cast<cl_int>(places[i][n]);
            program.arguments(kernel_to_run, image, how, program.buffer(numbers), values);
        } else {
            program.arguments(kernel_to_run, image, how, program.buffer(places), values);
        }
        program.run(kernel_to_run, {kPlaces});
        compare(values, places, mode, mode.name() + (by_integers ? " by integers" : ""));
        clReleaseSampler(how);
    }
    static float whole(float value) {
        return std::isnan(value) ? 0 : std::trunc(std::clamp(value, -5e5f, 5e5f));
    }

    /// Without a sampler only places inside are defined.
    void without_sampler(std::uint32_t seed) {
        Numbers numbers(seed);
        std::vector<std::array<cl_int, 4>> inside(kPlaces);
        std::vector<std::array<float, 4>> places(kPlaces);
        for (int i = 0; i < kPlaces; ++i)
            for (int n = 0; n < 3; ++n)
                places[i][n] = static_cast<float>(
                    inside[i][n] = static_cast<cl_int>(numbers.below(kind.size[n])));
        const cl_mem values = program.buffer(std::vector<std::uint32_t>(kPlaces * 4));
        const cl_kernel bare = kernel("_bare");
        program.arguments(bare, image, program.buffer(inside), values);
        program.run(bare, {kPlaces});
        // A buffer's texels are found as those of an axis.
        Kind shape = kind;
        if (!shape.filtered) shape.filtered = 1;
        Case{program, verdict, shape, picture, image}.compare(
            values, places, {CL_ADDRESS_CLAMP, false, false}, "without sampler");
    }
};

std::vector<Mode> modes(const Format& format) {
    std::vector<Mode> all;
    for (const cl_addressing_mode address : {CL_ADDRESS_CLAMP, CL_ADDRESS_CLAMP_TO_EDGE,
                                             CL_ADDRESS_REPEAT, CL_ADDRESS_MIRRORED_REPEAT})
        for (const bool linear : {false, true})
            for (const bool normalized : {false, true})
                if (!linear || !format.is_integer()) all.push_back({address, linear, normalized});
    return all;
}

void reads(int dimension, bool every, Verdict& verdict) {
    OpenClProgram program("image_reads.cl", ("-DDIMENSION=" + std::to_string(dimension)).c_str());
    std::uint32_t seed = 100;
    Numbers numbers(dimension);
    for (const Kind& kind : kKinds) {
        if (kind.dimension != dimension) continue;
        for (const Format& format : formats(program, kind, CL_MEM_READ_ONLY)) {
            const Picture picture(format, kind.size, ++seed);
            Case test{program, verdict, kind, picture, image_of(program, kind, picture)};
            test.without_sampler(++seed);
            if (kind.filtered) {
                const auto all = modes(format);
                const auto chosen = numbers.below(static_cast<std::uint32_t>(all.size()));
                const auto by_integers = numbers.below(4) == 0;
                for (std::uint32_t i = 0; i < all.size(); ++i) {
                    if (every || (i == chosen && !by_integers))
                        test.with_sampler(all[i], false, seed += 3);
                    if ((every || (i == chosen && by_integers)) && !all[i].normalized &&
                        !all[i].repeats())
                        test.with_sampler(all[i], true, seed += 3);
                }
            }
            clReleaseMemObject(test.image);
        }
    }
}

}  // namespace

int main(int argc, char** argv) {
    const bool every = argc > 1 && std::string(argv[1]) == "all";
    if (argc > 2 || (argc > 1 && !every)) OpenClProgram::fail("usage: image_reads [all]");
    Verdict verdict;
    for (int dimension = 1; dimension <= 4; ++dimension)
        reads(dimension, every, verdict);
    return verdict.finish("image_reads");
}
