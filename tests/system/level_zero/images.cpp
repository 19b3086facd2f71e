// SPDX-License-Identifier: Apache-2.0
// Image copies of Level Zero: from memory to an image, of a region to another image, and back, in
// 1D, 2D and 3D images, 2D arrays, and texels of 8 to 128 bits. What comes back must be what went
// in, and what lies around the region must be as it was.
#include <cstring>
#include <vector>

#include "tests/system/level_zero/device.h"

namespace {

using level_zero::check;

struct Kind {
    const char* name;
    ze_image_type_t type;
    std::uint32_t width, height, depth;
    std::uint32_t layers = 1;  ///< of an array; they count as its depth
    std::uint32_t slices() const { return depth * layers; }
};
constexpr Kind kKinds[] = {{"1D", ZE_IMAGE_TYPE_1D, 53, 1, 1},
                           {"2D", ZE_IMAGE_TYPE_2D, 37, 21, 1},
                           {"3D", ZE_IMAGE_TYPE_3D, 19, 11, 7},
                           {"2D array", ZE_IMAGE_TYPE_2DARRAY, 37, 21, 1, 5}};
struct Format {
    ze_image_format_layout_t layout;
    ze_image_format_type_t type;
    unsigned bytes;
};
constexpr Format kFormats[] = {{ZE_IMAGE_FORMAT_LAYOUT_8, ZE_IMAGE_FORMAT_TYPE_UINT, 1},
                               {ZE_IMAGE_FORMAT_LAYOUT_16, ZE_IMAGE_FORMAT_TYPE_UNORM, 2},
                               {ZE_IMAGE_FORMAT_LAYOUT_8_8_8_8, ZE_IMAGE_FORMAT_TYPE_UNORM, 4},
                               {ZE_IMAGE_FORMAT_LAYOUT_16_16_16_16, ZE_IMAGE_FORMAT_TYPE_SINT, 8},
                               {ZE_IMAGE_FORMAT_LAYOUT_32_32_32_32, ZE_IMAGE_FORMAT_TYPE_UINT, 16}};

class Machine {
  public:
    ze_image_handle_t image(const Kind& kind, const Format& format) {
        ze_image_desc_t desc{};
        desc.stype = ZE_STRUCTURE_TYPE_IMAGE_DESC;
        desc.type = kind.type;
        desc.width = kind.width;
        desc.height = kind.height;
        desc.depth = kind.depth;
        desc.arraylevels = kind.layers;
        desc.format = {format.layout,
                       format.type,
                       ZE_IMAGE_FORMAT_SWIZZLE_R,
                       ZE_IMAGE_FORMAT_SWIZZLE_G,
                       ZE_IMAGE_FORMAT_SWIZZLE_B,
                       ZE_IMAGE_FORMAT_SWIZZLE_A};
        ze_image_handle_t made;
        check(zeImageCreate(device_.context, device_.device, &desc, &made), "zeImageCreate");
        return made;
    }
    void write(ze_image_handle_t to, const Kind& kind, const std::vector<unsigned char>& texels) {
        unsigned char* const memory = host_memory(texels.size());
        std::memcpy(memory, texels.data(), texels.size());
        const ze_image_region_t region = whole(kind);
        check(
            zeCommandListAppendImageCopyFromMemory(list_, to, memory, &region, nullptr, 0, nullptr),
            "zeCommandListAppendImageCopyFromMemory");
        zeMemFree(device_.context, memory);
    }
    std::vector<unsigned char> read(ze_image_handle_t from, const Kind& kind, std::size_t bytes) {
        unsigned char* const memory = host_memory(bytes);
        const ze_image_region_t region = whole(kind);
        check(
            zeCommandListAppendImageCopyToMemory(list_, memory, from, &region, nullptr, 0, nullptr),
            "zeCommandListAppendImageCopyToMemory");
        const std::vector<unsigned char> texels(memory, memory + bytes);
        zeMemFree(device_.context, memory);
        return texels;
    }
    void copy(ze_image_handle_t to, ze_image_handle_t from, const ze_image_region_t& to_region,
              const ze_image_region_t& from_region) {
        check(zeCommandListAppendImageCopyRegion(list_, to, from, &to_region, &from_region, nullptr,
                                                 0, nullptr),
              "zeCommandListAppendImageCopyRegion");
    }

  private:
    /// Without a region the driver copies the first layer of an array.
    static ze_image_region_t whole(const Kind& kind) {
        return {0, 0, 0, kind.width, kind.height, kind.slices()};
    }
    /// Of pointers that are not its own the driver maps the first layer of an array.
    unsigned char* host_memory(std::size_t bytes) const {
        return static_cast<unsigned char*>(device_.host_memory(bytes));
    }

    level_zero::Device device_;
    ze_command_list_handle_t list_ = device_.immediate_list(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
};

std::vector<unsigned char> noise(std::size_t bytes, std::uint32_t seed) {
    std::vector<unsigned char> out(bytes);
    for (unsigned char& byte : out)
        byte = static_cast<unsigned char>((seed = seed * 1664525u + 1013904223u) >> 24);
    return out;
}

/// Texels that differ from what they should be.
std::size_t wrong_texels(const char* what, const Kind& kind, const Format& format,
                         const std::vector<unsigned char>& found,
                         const std::vector<unsigned char>& expected) {
    std::size_t wrong = 0;
    for (std::size_t at = 0; at < expected.size(); at += format.bytes)
        wrong += std::memcmp(&found[at], &expected[at], format.bytes) != 0;
    if (wrong)
        std::fprintf(stderr, "  %s, %s of %u bytes: %zu texels differ\n", what, kind.name,
                     format.bytes, wrong);
    return wrong;
}

std::size_t try_image(Machine& machine, const Kind& kind, const Format& format) {
    const std::size_t bytes = std::size_t{kind.width} * kind.height * kind.slices() * format.bytes;
    const ze_image_handle_t first = machine.image(kind, format),
                            second = machine.image(kind, format);
    const auto one = noise(bytes, 1), two = noise(bytes, 2);
    machine.write(first, kind, one);
    machine.write(second, kind, two);
    std::size_t wrong =
        wrong_texels("there and back", kind, format, machine.read(first, kind, bytes), one);
    // A region of half the size goes elsewhere in the other image.
    const std::uint32_t w = kind.width / 2, h = (kind.height + 1) / 2, d = (kind.slices() + 1) / 2;
    const ze_image_region_t from{1, 0, 0, w, h, d};
    const ze_image_region_t to{kind.width - w, kind.height - h, kind.slices() - d, w, h, d};
    machine.copy(second, first, to, from);
    auto expected = two;
    const auto at = [&](std::uint32_t x, std::uint32_t y, std::uint32_t z) {
        return ((std::size_t{z} * kind.height + y) * kind.width + x) * format.bytes;
    };
    for (std::uint32_t z = 0; z < d; ++z)
        for (std::uint32_t y = 0; y < h; ++y)
            std::memcpy(&expected[at(to.originX, to.originY + y, to.originZ + z)],
                        &one[at(from.originX, y, z)], std::size_t{w} * format.bytes);
    return wrong +
           wrong_texels("region", kind, format, machine.read(second, kind, bytes), expected);
}

}  // namespace

int main() {
    Machine machine;
    std::size_t wrong = 0, images = 0;
    for (const Kind& kind : kKinds)
        for (const Format& format : kFormats) {
            wrong += try_image(machine, kind, format);
            ++images;
        }
    std::printf("level_zero_images: %zu images, %zu texels differ: %s\n", images, wrong,
                wrong ? "FAIL" : "PASS");
    return wrong ? 1 : 0;
}
