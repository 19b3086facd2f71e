// SPDX-License-Identifier: Apache-2.0
// Pictures of several planes, and places outside of pictures.
#include <array>
#include <bit>
#include <cmath>

#include "tests/system/vulkan/advertised/lab.h"

namespace advertised {
namespace {

constexpr auto kPicture = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
constexpr int kSide = 16;

/// How a picture keeps brightness and colour, and how it is looked at.
struct Planes {
    VkFormat format;
    int planes, across, down;  ///< texels that share a colour
    VkSamplerYcbcrModelConversion model;
    VkSamplerYcbcrRange range;
    VkFilter filter;
    VkChromaLocation location;
    std::uint32_t layers = 1;
};

/// The bytes of a picture's layer as Y, Cb and Cr of each place that has one.
class Bytes {
  public:
    Bytes(const Planes& kind, const std::uint32_t* words, std::uint32_t layer)
        : kind_(kind), words_(words), layer_(static_cast<int>(layer)) {}
    /// Channel 0: Y, 1: Cb, 2: Cr, at a place of its plane.
    [[nodiscard]] double at(int channel, int x, int y) const {
        const int width = channel ? kSide / kind_.across : kSide,
                  height = channel ? kSide / kind_.down : kSide;
        x = std::clamp(x, 0, width - 1);
        y = std::clamp(y, 0, height - 1);
        if (kind_.planes == 1)  // Y Cb Y Cr
            return byte(0, 2 * kSide * kSide,
                        channel ? 4 * (y * width + x) + 2 * channel - 1 : 2 * (y * width + x));
        if (channel == 0) return byte(0, kSide * kSide, y * width + x);
        const int size = width * height;
        if (kind_.planes == 3) return byte(channel, size, y * width + x);
        return byte(1, 2 * size, 2 * (y * width + x) + channel - 1);
    }
    /// Where a plane's layers begin in `from`.
    static int first(int plane) { return 4096 * plane; }

  private:
    [[nodiscard]] double byte(int plane, int layer_size, int at) const {
        const int place = first(plane) + layer_ * layer_size + at;
        return words_[place / 4] >> 8 * (place % 4) & 0xFF;
    }
    const Planes& kind_;
    const std::uint32_t* words_;
    int layer_;
};

/// Red, green and blue at a texel, by the formulas of Vulkan's chapter on samplers.
std::array<double, 3> color_of(const Planes& kind, const Bytes& bytes, int x, int y) {
    double channels[3] = {bytes.at(0, x, y)};
    for (int k = 1; k < 3; ++k) {
        double sum = 0;
        // Where the texel's middle is among those of the colours.
        const auto place = [&](int at, int shared) {
            if (shared == 1) return static_cast<double>(at);
            return kind.location == VK_CHROMA_LOCATION_MIDPOINT ? (at - 0.5) / 2 : at / 2.0;
        };
        const double u = place(x, kind.across), v = place(y, kind.down);
        const int left = static_cast<int>(std::floor(u)), top = static_cast<int>(std::floor(v));
        if (kind.filter == VK_FILTER_NEAREST)
            sum = bytes.at(k, x / kind.across, y / kind.down);
        else
            for (int i = 0; i < 4; ++i)
                sum += bytes.at(k, left + (i & 1), top + (i >> 1)) *
                       (i & 1 ? u - left : left + 1 - u) * (i >> 1 ? v - top : top + 1 - v);
        channels[k] = sum;
    }
    if (kind.model == VK_SAMPLER_YCBCR_MODEL_CONVERSION_RGB_IDENTITY)
        return {channels[2] / 255, channels[0] / 255, channels[1] / 255};
    const bool full = kind.range == VK_SAMPLER_YCBCR_RANGE_ITU_FULL;
    const double light = full ? channels[0] / 255 : (channels[0] - 16) / 219,
                 blue = (channels[1] - 128) / (full ? 255 : 224),
                 red = (channels[2] - 128) / (full ? 255 : 224);
    if (kind.model == VK_SAMPLER_YCBCR_MODEL_CONVERSION_YCBCR_IDENTITY)
        return {red + 0.5, light, blue + 0.5};
    const bool old = kind.model == VK_SAMPLER_YCBCR_MODEL_CONVERSION_YCBCR_601;
    const double of_red = old ? 0.299 : 0.2126, of_blue = old ? 0.114 : 0.0722;
    const double r = light + 2 * (1 - of_red) * red, b = light + 2 * (1 - of_blue) * blue;
    return {r, (light - of_red * r - of_blue * b) / (1 - of_red - of_blue), b};
}

void look(Lab& lab, const Planes& kind) {
    auto of_conversion = make<VkSamplerYcbcrConversionCreateInfo>(
        VK_STRUCTURE_TYPE_SAMPLER_YCBCR_CONVERSION_CREATE_INFO);
    of_conversion.format = kind.format;
    of_conversion.ycbcrModel = kind.model;
    of_conversion.ycbcrRange = kind.range;
    of_conversion.xChromaOffset = of_conversion.yChromaOffset = kind.location;
    of_conversion.chromaFilter = kind.filter;
    auto conversion =
        make<VkSamplerYcbcrConversionInfo>(VK_STRUCTURE_TYPE_SAMPLER_YCBCR_CONVERSION_INFO);
    check(vkCreateSamplerYcbcrConversion(lab.m.device, &of_conversion, nullptr,
                                         &conversion.conversion),
          "a conversion");
    auto of_sampler = make<VkSamplerCreateInfo>(VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO);
    of_sampler.pNext = &conversion;
    of_sampler.magFilter = of_sampler.minFilter = kind.filter;
    of_sampler.addressModeU = of_sampler.addressModeV = of_sampler.addressModeW =
        VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE;
    VkSampler sampler{};
    check(vkCreateSampler(lab.m.device, &of_sampler, nullptr, &sampler), "a sampler");
    const VkDescriptorSetLayout layout = lab.set_layout({binding(0, kPicture, 1, &sampler)});
    const VkPipelineLayout both = lab.layout({lab.words_layout, layout});
    const VkDescriptorSet set = lab.set(layout);
    VkImageCreateInfo info =
        picture(kind.format, kSide, kSide, VK_IMAGE_USAGE_SAMPLED_BIT, kind.layers);
    const VkImage image = lab.image(info);
    auto of_view = make<VkImageViewCreateInfo>(VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO);
    of_view.pNext = &conversion;
    of_view.image = image;
    of_view.viewType = VK_IMAGE_VIEW_TYPE_2D_ARRAY;
    of_view.format = kind.format;
    of_view.subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, kind.layers};
    VkImageView view{};
    check(vkCreateImageView(lab.m.device, &of_view, nullptr, &view), "a view");
    lab.give(set, 0, kPicture, view, VK_NULL_HANDLE, kGeneral);
    lab.submit([&](VkCommandBuffer c) {
        lab.to_general(c, image, VK_IMAGE_ASPECT_COLOR_BIT, kind.layers);
        for (int plane = 0; plane < kind.planes; ++plane) {
            const auto across = static_cast<std::uint32_t>(plane ? kind.across : 1),
                       down = static_cast<std::uint32_t>(plane ? kind.down : 1);
            VkBufferImageCopy region{};
            region.bufferOffset = static_cast<VkDeviceSize>(Bytes::first(plane));
            region.imageSubresource = {
                kind.planes == 1 ? VkImageAspectFlags{VK_IMAGE_ASPECT_COLOR_BIT}
                                 : VkImageAspectFlags{VK_IMAGE_ASPECT_PLANE_0_BIT} << plane,
                0, 0, kind.layers};
            region.imageExtent = {kSide / across, kSide / down, 1};
            vkCmdCopyBufferToImage(c, lab.from.buffer, image, kGeneral, 1, &region);
        }
        lab.barrier(c);
        lab.dispatch(c, lab.pipeline("ycbcr", both), both, {lab.words, set},
                     kind.layers * kSide * kSide / kGroup);
    });
    for (std::uint32_t layer = 0; layer < kind.layers; ++layer)
        for (int i = 0; i < kSide * kSide; ++i) {
            const auto must_be =
                color_of(kind, Bytes(kind, lab.from.data, layer), i % kSide, i / kSide);
            for (int k = 0; k < 3; ++k) {
                const int place = 3 * (static_cast<int>(layer) * kSide * kSide + i) + k;
                const double is = std::bit_cast<float>(lab.to.data[place]);
                char text[96];
                std::snprintf(text, sizeof text,
                              "format %d, layer %u: [%d, %d].%d is %f, must be %f", kind.format,
                              layer, i % kSide, i / kSide, k, is, must_be[k]);
                // The driver's matrices have four digits; filters weigh in eight bits.
                const double far = kind.filter == VK_FILTER_NEAREST ? 1e-4 : 1.0 / 256;
                lab.expect(std::abs(is - must_be[static_cast<unsigned>(k)]) <= far, text);
            }
        }
}

constexpr auto kIdentity = VK_SAMPLER_YCBCR_MODEL_CONVERSION_RGB_IDENTITY;
constexpr auto kOf601 = VK_SAMPLER_YCBCR_MODEL_CONVERSION_YCBCR_601;
constexpr auto kOf709 = VK_SAMPLER_YCBCR_MODEL_CONVERSION_YCBCR_709;
constexpr auto kFull = VK_SAMPLER_YCBCR_RANGE_ITU_FULL;
constexpr auto kNarrow = VK_SAMPLER_YCBCR_RANGE_ITU_NARROW;
constexpr auto kMiddle = VK_CHROMA_LOCATION_MIDPOINT;

void ycbcr(Lab& lab) {
    constexpr auto kTwo = VK_FORMAT_G8_B8R8_2PLANE_420_UNORM;
    look(lab, {kTwo, 2, 2, 2, kIdentity, kFull, VK_FILTER_NEAREST, kMiddle});
    look(lab, {kTwo, 2, 2, 2, kOf601, kNarrow, VK_FILTER_LINEAR, kMiddle});
    look(lab, {VK_FORMAT_G8_B8_R8_3PLANE_422_UNORM, 3, 2, 1, kOf709, kFull, VK_FILTER_LINEAR,
               VK_CHROMA_LOCATION_COSITED_EVEN});
    look(lab, {VK_FORMAT_G8_B8_R8_3PLANE_444_UNORM, 3, 1, 1, kOf709, kNarrow, VK_FILTER_NEAREST,
               kMiddle});
    look(lab, {VK_FORMAT_G8B8G8R8_422_UNORM, 1, 2, 1, kIdentity, kFull, VK_FILTER_NEAREST,
               VK_CHROMA_LOCATION_COSITED_EVEN});
}
void ycbcr_layers(Lab& lab) {
    look(lab, {VK_FORMAT_G8_B8_R8_3PLANE_420_UNORM, 3, 2, 2, kIdentity, kFull, VK_FILTER_NEAREST,
               kMiddle, 3});
}

/// Reads outside are zero, with an alpha of zero or, without VK_EXT_robustness2, one; writes there
/// change nothing.
void look_outside(Lab& on_usual, bool second) {
    const Machine machine("", false, {.robust_images = true, .robust_2 = second});
    Lab lab(machine, on_usual.shaders);
    constexpr VkExtent3D kSize{13, 7, 1};
    constexpr auto kFormat = VK_FORMAT_R8G8B8A8_UNORM;
    constexpr auto kStored = VK_DESCRIPTOR_TYPE_STORAGE_IMAGE;
    const VkDescriptorSetLayout layout =
        lab.set_layout({binding(0, kStored), binding(1, kPicture), binding(2, kStored)});
    const VkPipelineLayout both = lab.layout({lab.words_layout, layout});
    const VkDescriptorSet set = lab.set(layout);
    auto of_sampler = make<VkSamplerCreateInfo>(VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO);
    VkSampler sampler{};
    check(vkCreateSampler(machine.device, &of_sampler, nullptr, &sampler), "a sampler");
    VkImage images[3];
    for (std::uint32_t k = 0; k < 3; ++k) {
        images[k] = lab.image(picture(kFormat, kSize.width, kSize.height,
                                      VK_IMAGE_USAGE_STORAGE_BIT | VK_IMAGE_USAGE_SAMPLED_BIT |
                                          VK_IMAGE_USAGE_TRANSFER_SRC_BIT));
        lab.give(set, k, k == 1 ? kPicture : kStored, lab.view(images[k], kFormat), sampler,
                 kGeneral);
    }
    constexpr std::uint32_t kTexels = 13 * 7, kRead = 1024;
    lab.submit([&](VkCommandBuffer c) {
        for (std::uint32_t k = 0; k < 3; ++k)
            lab.fill(c, images[k], VK_IMAGE_ASPECT_COLOR_BIT, kSize, 1, lab.from.buffer,
                     4 * kTexels * k);
        lab.dispatch(c, lab.pipeline("outside", both), both, {lab.words, set}, kItems / kGroup);
        VkBufferImageCopy region{};
        region.bufferOffset = 4 * kRead;
        region.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
        region.imageExtent = kSize;
        vkCmdCopyImageToBuffer(c, images[2], kGeneral, lab.to.buffer, 1, &region);
    });
    for (std::uint32_t i = 0; i < kItems; ++i) {
        const std::uint32_t x = i % 16 - 1, y = i / 16 - 1;
        const bool inside = x < kSize.width && y < kSize.height;
        for (std::uint32_t k = 0; k < 2; ++k)
            if (inside)
                lab.expect_word(2 * i + k, lab.from.data[kTexels * k + y * kSize.width + x]);
            else if (second || lab.to.data[2 * i + k] != 0xFF000000u)
                lab.expect_word(2 * i + k, 0);
    }
    for (std::uint32_t i = 0; i < kTexels; ++i)
        lab.expect_word(kRead + i, 0x00FF00FFu);
    on_usual.expect(lab.wrong.empty(), lab.wrong);
    on_usual.dispatches += lab.dispatches;
}
void outside(Lab& lab) {
    look_outside(lab, false);
    look_outside(lab, true);
}

/// Moves one aspect of a picture from a layout to another.
void move(VkCommandBuffer commands, VkImage image, VkImageAspectFlags aspect, VkImageLayout before,
          VkImageLayout after) {
    auto barrier = make<VkImageMemoryBarrier>(VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER);
    barrier.srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT;
    barrier.dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT;
    barrier.oldLayout = before;
    barrier.newLayout = after;
    barrier.srcQueueFamilyIndex = barrier.dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
    barrier.image = image;
    barrier.subresourceRange = {aspect, 0, 1, 0, 1};
    constexpr auto kAll = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
    vkCmdPipelineBarrier(commands, kAll, kAll, 0, 0, nullptr, 0, nullptr, 1, &barrier);
}

/// Depth and stencil of one picture have uses and layouts of their own: depth is read by a shader while
/// stencil is copied out.
void aspects(Lab& lab) {
    constexpr VkExtent3D kExtent{kSide, kSide, 1};
    constexpr auto kDepth = VK_IMAGE_ASPECT_DEPTH_BIT, kStencil = VK_IMAGE_ASPECT_STENCIL_BIT;
    constexpr auto kOut = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
                   kIn = VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, kNone = VK_IMAGE_LAYOUT_UNDEFINED,
                   kRead = VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_OPTIMAL;
    constexpr auto kFormat = VK_FORMAT_D32_SFLOAT_S8_UINT;
    auto of_stencil =
        make<VkImageStencilUsageCreateInfo>(VK_STRUCTURE_TYPE_IMAGE_STENCIL_USAGE_CREATE_INFO);
    of_stencil.stencilUsage = VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT;
    VkImageCreateInfo of_image = picture(kFormat, kSide, kSide, VK_IMAGE_USAGE_SAMPLED_BIT);
    of_image.pNext = &of_stencil;
    const VkImage image = lab.image(of_image);
    const Words depths(lab.m, kItems, kStorage);
    for (std::uint32_t i = 0; i < kItems; ++i)
        depths.data[i] = std::bit_cast<std::uint32_t>(static_cast<float>(i * 37 % 256) / 300);
    auto of_view = make<VkImageViewCreateInfo>(VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO);
    of_view.image = image;
    of_view.viewType = VK_IMAGE_VIEW_TYPE_2D;
    of_view.format = kFormat;
    of_view.subresourceRange = {kDepth, 0, 1, 0, 1};
    VkImageView view{};
    check(vkCreateImageView(lab.m.device, &of_view, nullptr, &view), "a view");
    const auto of_sampler = make<VkSamplerCreateInfo>(VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO);
    VkSampler sampler{};
    check(vkCreateSampler(lab.m.device, &of_sampler, nullptr, &sampler), "a sampler");
    const VkDescriptorSetLayout layout = lab.set_layout({binding(0, kPicture)});
    const VkPipelineLayout both = lab.layout({lab.words_layout, layout});
    const VkDescriptorSet set = lab.set(layout);
    lab.give(set, 0, kPicture, view, sampler, kRead);
    lab.submit([&](VkCommandBuffer c) {
        VkBufferImageCopy region{};
        region.imageExtent = kExtent;
        move(c, image, kStencil, kNone, kIn);
        region.imageSubresource = {kStencil, 0, 0, 1};
        vkCmdCopyBufferToImage(c, lab.from.buffer, image, kIn, 1, &region);
        move(c, image, kDepth, kNone, kIn);
        region.imageSubresource.aspectMask = kDepth;
        vkCmdCopyBufferToImage(c, depths.buffer, image, kIn, 1, &region);
        move(c, image, kDepth, kIn, kRead);
        move(c, image, kStencil, kIn, kOut);
        lab.dispatch(c, lab.pipeline("depth", both), both, {lab.words, set}, kItems / kGroup);
        region.imageSubresource.aspectMask = kStencil;
        region.bufferOffset = VkDeviceSize{4} * kItems;
        vkCmdCopyImageToBuffer(c, image, kOut, lab.to.buffer, 1, &region);
    });
    for (std::uint32_t i = 0; i < kItems; ++i)
        lab.expect_word(i, depths.data[i]);
    for (std::uint32_t i = 0; i < kItems / 4; ++i)
        lab.expect_word(kItems + i, lab.from.data[i]);
}

/// The shader's own least level of detail: levels of one shade each, between which it is linear.
void least_of_shader(Lab& lab) {
    constexpr std::uint32_t kLevels = 6, kWidth = 32;
    VkImageCreateInfo info =
        picture(VK_FORMAT_R32_SFLOAT, kWidth, kWidth, VK_IMAGE_USAGE_SAMPLED_BIT);
    info.mipLevels = kLevels;
    const VkImage image = lab.image(info);
    auto of_view = make<VkImageViewCreateInfo>(VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO);
    of_view.image = image;
    of_view.viewType = VK_IMAGE_VIEW_TYPE_2D;
    of_view.format = info.format;
    of_view.subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, kLevels, 0, 1};
    VkImageView view{};
    check(vkCreateImageView(lab.m.device, &of_view, nullptr, &view), "a view");
    auto of_sampler = make<VkSamplerCreateInfo>(VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO);
    of_sampler.mipmapMode = VK_SAMPLER_MIPMAP_MODE_LINEAR;
    of_sampler.maxLod = kLevels;
    VkSampler sampler{};
    check(vkCreateSampler(lab.m.device, &of_sampler, nullptr, &sampler), "a sampler");
    const VkDescriptorSetLayout layout = lab.set_layout({binding(0, kPicture)});
    const VkPipelineLayout both = lab.layout({lab.words_layout, layout});
    const VkDescriptorSet set = lab.set(layout);
    lab.give(set, 0, kPicture, view, sampler, kGeneral);
    lab.submit([&](VkCommandBuffer c) {
        auto barrier = make<VkImageMemoryBarrier>(VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER);
        barrier.dstAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT;
        barrier.newLayout = kGeneral;
        barrier.srcQueueFamilyIndex = barrier.dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
        barrier.image = image;
        barrier.subresourceRange = of_view.subresourceRange;
        vkCmdPipelineBarrier(c, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT,
                             0, 0, nullptr, 0, nullptr, 1, &barrier);
        for (std::uint32_t level = 0; level < kLevels; ++level) {
            const VkClearColorValue shade{{static_cast<float>(level * level)}};
            const VkImageSubresourceRange one{VK_IMAGE_ASPECT_COLOR_BIT, level, 1, 0, 1};
            vkCmdClearColorImage(c, image, kGeneral, &shade, 1, &one);
        }
        lab.barrier(c);
        lab.dispatch(c, lab.pipeline("least_of_shader", both), both, {lab.words, set}, 2);
    });
    for (std::uint32_t i = 0; i < 2 * kGroup; ++i) {
        const double least = static_cast<double>(i / 6) * 0.25 - 0.5;
        const double level = std::clamp<double>(std::max<double>(i % 6, least), 0, kLevels - 1);
        const double below = std::floor(level), part = level - below;
        const double must_be = below * below * (1 - part) + (below + 1) * (below + 1) * part;
        const double is = std::bit_cast<float>(lab.to.data[i]);
        char text[64];
        std::snprintf(text, sizeof text, "%u is %f, must be %f", i, is, must_be);
        lab.expect(std::abs(is - must_be) < 0.01, text);
    }
}

}  // namespace

std::vector<Case> image_cases() {
    return {{"ycbcr", VK_KHR_SAMPLER_YCBCR_CONVERSION_EXTENSION_NAME, ycbcr},
            {"ycbcr_layers", VK_EXT_YCBCR_IMAGE_ARRAYS_EXTENSION_NAME, ycbcr_layers},
            {"outside", VK_EXT_IMAGE_ROBUSTNESS_EXTENSION_NAME, outside},
            {"aspects", VK_KHR_SEPARATE_DEPTH_STENCIL_LAYOUTS_EXTENSION_NAME, aspects},
            // shaderResourceMinLod, which comes with it
            {"least_of_shader", VK_EXT_IMAGE_VIEW_MIN_LOD_EXTENSION_NAME, least_of_shader}};
}

}  // namespace advertised
