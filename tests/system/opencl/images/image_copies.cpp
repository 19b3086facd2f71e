// SPDX-License-Identifier: Apache-2.0
// What a host does with images: writes, reads, copies, fills and maps of regions, in every format
// and every kind of image, followed byte by byte.
//   image_copies [all]     all: every format; otherwise every third, each kind others
#include "image_kinds.h"

using reference::Format;
using reference::Kind;
using reference::kKinds;
using reference::Picture;

namespace {

using Place = std::array<std::size_t, 3>;

struct Region {
    Place origin, size;
    std::size_t texels() const { return size[0] * size[1] * size[2]; }
};

/// An image and what its memory must hold.
struct Image {
    OpenClProgram& program;
    Picture picture;
    cl_mem memory;
    Image(OpenClProgram& p, const Kind& kind, const Format& format, std::uint32_t seed)
        : program(p),
          picture(format, kind.size, seed),
          memory(image_of(p, kind, picture, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR)) {}
    ~Image() { clReleaseMemObject(memory); }
    Image(const Image&) = delete;
    Image& operator=(const Image&) = delete;

    /// Calls back with the offset in the image and the index in the region of each row.
    template <class Action>
    void rows(const Region& region, Action action) const {
        for (std::size_t z = 0; z < region.size[2]; ++z)
            for (std::size_t y = 0; y < region.size[1]; ++y) {
                const std::size_t row =
                    (region.origin[2] + z) * picture.size[1] + region.origin[1] + y;
                action((row * picture.size[0] + region.origin[0]) * picture.format.bytes(), y, z);
            }
    }
    void expect_rows(const Region& region, const unsigned char* data, std::size_t row_pitch,
                     std::size_t slice_pitch) {
        rows(region, [&](std::size_t offset, std::size_t y, std::size_t z) {
            std::memcpy(&picture.bytes[offset], data + z * slice_pitch + y * row_pitch,
                        region.size[0] * picture.format.bytes());
        });
    }
    std::vector<unsigned char> rows_of(const Region& region) const {
        std::vector<unsigned char> all;
        rows(region, [&](std::size_t offset, std::size_t, std::size_t) {
            all.insert(all.end(), &picture.bytes[offset],
                       &picture.bytes[offset] + region.size[0] * picture.format.bytes());
        });
        return all;
    }
};

struct Test {
    OpenClProgram& program;
    const Kind& kind;
    Verdict& verdict;
    Numbers numbers;

    Region some() {
        Region region;
        for (int n = 0; n < 3; ++n) {
            const auto whole = static_cast<std::uint32_t>(kind.size[n]);
            region.origin[n] = numbers.below(whole);
            region.size[n] =
                1 + numbers.below(whole - static_cast<std::uint32_t>(region.origin[n]));
        }
        return region;
    }
    std::vector<unsigned char> noise(std::size_t bytes) {
        std::vector<unsigned char> all(bytes);
        for (unsigned char& byte : all)
            byte = static_cast<unsigned char>(numbers.below(256));
        return all;
    }

    void compare(const Image& image, const char* what) {
        const Region whole{
            {}, {std::size_t(kind.size[0]), std::size_t(kind.size[1]), std::size_t(kind.size[2])}};
        std::vector<unsigned char> found(image.picture.bytes.size());
        const std::string name = image.picture.format.name() + " " + kind.name + " " + what;
        OpenClProgram::check(
            clEnqueueReadImage(program.queue(), image.memory, CL_TRUE, whole.origin.data(),
                               whole.size.data(), 0, 0, found.data(), 0, nullptr, nullptr),
            name.c_str());
        for (std::size_t i = 0; i < found.size(); ++i)
            verdict.equal<unsigned>(found[i], image.picture.bytes[i], i, name.c_str());
    }

    /// With pitches of the host's own.
    void write(Image& image) {
        const Region region = some();
        const bool pitched =
            kind.type != CL_MEM_OBJECT_IMAGE1D && kind.type != CL_MEM_OBJECT_IMAGE1D_BUFFER;
        const std::size_t bytes = image.picture.format.bytes();
        std::size_t row = (region.size[0] + 3) * bytes, slice = row * (region.size[1] + 2);
        if (kind.type == CL_MEM_OBJECT_IMAGE1D_ARRAY) slice = row;
        const auto data = noise(row * (region.size[1] + 2) * region.size[2]);
        const bool slices = kind.type != CL_MEM_OBJECT_IMAGE2D && pitched;
        OpenClProgram::check(
            clEnqueueWriteImage(program.queue(), image.memory, CL_TRUE, region.origin.data(),
                                region.size.data(), pitched ? row : 0, slices ? slice : 0,
                                data.data(), 0, nullptr, nullptr),
            "clEnqueueWriteImage");
        image.expect_rows(region, data.data(), row, slice);
        compare(image, "write");
    }
    void read_region(Image& image) {
        const Region region = some();
        std::vector<unsigned char> found(region.texels() * image.picture.format.bytes());
        OpenClProgram::check(
            clEnqueueReadImage(program.queue(), image.memory, CL_TRUE, region.origin.data(),
                               region.size.data(), 0, 0, found.data(), 0, nullptr, nullptr),
            "clEnqueueReadImage");
        const auto expected = image.rows_of(region);
        const std::string name = image.picture.format.name() + " " + kind.name + " read";
        for (std::size_t i = 0; i < found.size(); ++i)
            verdict.equal<unsigned>(found[i], expected[i], i, name.c_str());
    }
    void copy(Image& from, Image& to) {
        const Region source = some();
        Region target = source;
        for (int n = 0; n < 3; ++n)
            target.origin[n] =
                numbers.below(static_cast<std::uint32_t>(kind.size[n] - source.size[n] + 1));
        OpenClProgram::check(
            clEnqueueCopyImage(program.queue(), from.memory, to.memory, source.origin.data(),
                               target.origin.data(), source.size.data(), 0, nullptr, nullptr),
            "clEnqueueCopyImage");
        const auto rows = from.rows_of(source);
        const std::size_t row = source.size[0] * to.picture.format.bytes();
        to.expect_rows(target, rows.data(), row, row * source.size[1]);
        compare(to, "copy");
    }
    void through_buffer(Image& image) {
        constexpr std::size_t kOffset = 48;
        const Region region = some();
        const std::size_t row = region.size[0] * image.picture.format.bytes();
        const auto data = noise(kOffset + region.texels() * image.picture.format.bytes());
        const cl_mem buffer = program.buffer(data);
        OpenClProgram::check(clEnqueueCopyBufferToImage(program.queue(), buffer, image.memory,
                                                        kOffset, region.origin.data(),
                                                        region.size.data(), 0, nullptr, nullptr),
                             "clEnqueueCopyBufferToImage");
        image.expect_rows(region, data.data() + kOffset, row, row * region.size[1]);
        compare(image, "copy from buffer");
        const Region other = some();
        auto expected = image.rows_of(other);
        const cl_mem target = program.buffer(std::vector<unsigned char>(expected.size() + kOffset));
        OpenClProgram::check(
            clEnqueueCopyImageToBuffer(program.queue(), image.memory, target, other.origin.data(),
                                       other.size.data(), kOffset, 0, nullptr, nullptr),
            "clEnqueueCopyImageToBuffer");
        expected.insert(expected.begin(), kOffset, 0);
        const auto found = program.read<unsigned char>(target, expected.size());
        const std::string name = image.picture.format.name() + " " + kind.name + " copy to buffer";
        for (std::size_t i = 0; i < found.size(); ++i)
            verdict.equal<unsigned>(found[i], expected[i], i, name.c_str());
    }
    /// The colour of one of the image's own texels: it has exactly one form in memory.
    void fill(Image& image) {
        const Format& f = image.picture.format;
        const Region region = some();
        const std::size_t index = 2 + numbers.below(8);
        const reference::Texel colour = image.picture.texels[index];
        cl_uint bits[4];
        for (int c = 0; c < 4; ++c) {
            const auto real = static_cast<float>(colour[c]);
            const auto integer = static_cast<std::uint32_t>(static_cast<std::int64_t>(colour[c]));
            std::memcpy(&bits[c], f.is_integer() ? static_cast<const void*>(&integer) : &real, 4);
        }
        OpenClProgram::check(
            clEnqueueFillImage(program.queue(), image.memory, bits, region.origin.data(),
                               region.size.data(), 0, nullptr, nullptr),
            "clEnqueueFillImage");
        std::vector<unsigned char> texel(&image.picture.bytes[index * f.bytes()],
                                         &image.picture.bytes[(index + 1) * f.bytes()]);
        // -1 has two forms in a signed normalised channel.
        const bool snorm8 = f.type == CL_SNORM_INT8, snorm16 = f.type == CL_SNORM_INT16;
        for (std::size_t i = 0; i < texel.size(); ++i)
            if ((snorm8 || (snorm16 && i % 2 == 1 && texel[i - 1] == 0)) && texel[i] == 0x80)
                texel[snorm8 ? i : i - 1] = snorm8 ? 0x81 : 1;
        std::vector<unsigned char> row;
        for (std::size_t i = 0; i < region.size[0]; ++i)
            row.insert(row.end(), texel.begin(), texel.end());
        image.expect_rows(region, row.data(), 0, 0);
        compare(image, "fill");
    }
    void map(Image& image) {
        const Region region = some();
        cl_int error;
        std::size_t row_pitch = 0, slice_pitch = 0;
        void* const pointer =
            clEnqueueMapImage(program.queue(), image.memory, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE,
                              region.origin.data(), region.size.data(), &row_pitch, &slice_pitch, 0,
                              nullptr, nullptr, &error);
        OpenClProgram::check(error, "clEnqueueMapImage");
        auto* const bytes = static_cast<unsigned char*>(pointer);
        const std::size_t width = region.size[0] * image.picture.format.bytes();
        const std::string name = image.picture.format.name() + " " + kind.name + " map";
        if (kind.type == CL_MEM_OBJECT_IMAGE1D_ARRAY) row_pitch = slice_pitch;
        image.rows(region, [&](std::size_t offset, std::size_t y, std::size_t z) {
            unsigned char* const row = bytes + z * slice_pitch + y * row_pitch;
            for (std::size_t i = 0; i < width; ++i) {
                verdict.equal<unsigned>(row[i], image.picture.bytes[offset + i], i, name.c_str());
                image.picture.bytes[offset + i] = row[i] =
                    static_cast<unsigned char>(row[i] ^ (i * 7 + y));
            }
        });
        OpenClProgram::check(
            clEnqueueUnmapMemObject(program.queue(), image.memory, pointer, 0, nullptr, nullptr),
            "clEnqueueUnmapMemObject");
        compare(image, "unmap");
    }
};

}  // namespace

int main(int argc, char** argv) {
    const bool every = argc > 1 && std::string(argv[1]) == "all";
    if (argc > 2 || (argc > 1 && !every)) OpenClProgram::fail("usage: image_copies [all]");
    OpenClProgram program(OpenClProgram::Source{"kernel void nothing() {}"});
    Verdict verdict;
    std::uint32_t seed = 1;
    for (const Kind& kind : kKinds)
        for (const Format& format : formats(program, kind, CL_MEM_READ_ONLY)) {
            if (++seed % 3 != 0 && !every) continue;
            Test test{program, kind, verdict, Numbers(seed)};
            Image first(program, kind, format, seed), second(program, kind, format, seed + 1000);
            test.compare(first, "create");
            // Colours first: later contents are random bits, and no number has all of them.
            test.fill(first);
            test.write(first);
            test.read_region(first);
            test.copy(second, first);
            test.through_buffer(first);
            test.map(first);
        }
    return verdict.finish("image_copies");
}
