// SPDX-License-Identifier: Apache-2.0
// Pictures in buffers of the kernel's, which other programs could have as well.
#include <drm_fourcc.h>

#include "tests/system/vulkan/advertised/lab.h"

namespace advertised {
namespace {

constexpr auto kDmaBuf = VK_EXTERNAL_MEMORY_HANDLE_TYPE_DMA_BUF_BIT_EXT;
constexpr auto kTexels = VK_FORMAT_R8G8B8A8_UNORM;
constexpr std::uint32_t kWidth = 50, kHeight = 40;

VkImageCreateInfo shared_picture(const void* chain) {
    VkImageCreateInfo info = picture(kTexels, kWidth, kHeight,
                                     VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_SAMPLED_BIT);
    info.pNext = chain;
    info.tiling = VK_IMAGE_TILING_DRM_FORMAT_MODIFIER_EXT;
    return info;
}
std::vector<VkDrmFormatModifierPropertiesEXT> modifiers(const Lab& lab) {
    auto list = make<VkDrmFormatModifierPropertiesListEXT>(
        VK_STRUCTURE_TYPE_DRM_FORMAT_MODIFIER_PROPERTIES_LIST_EXT);
    auto properties = make<VkFormatProperties2>(VK_STRUCTURE_TYPE_FORMAT_PROPERTIES_2);
    properties.pNext = &list;
    vkGetPhysicalDeviceFormatProperties2(lab.m.physical, kTexels, &properties);
    std::vector<VkDrmFormatModifierPropertiesEXT> all(list.drmFormatModifierCount);
    list.pDrmFormatModifierProperties = all.data();
    vkGetPhysicalDeviceFormatProperties2(lab.m.physical, kTexels, &properties);
    return all;
}
/// A picture goes to another user of its memory, or comes from there.
void pass(VkCommandBuffer c, VkImage image, VkImageLayout before, std::uint32_t from,
          std::uint32_t to) {
    auto barrier = make<VkImageMemoryBarrier>(VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER);
    barrier.srcAccessMask = barrier.dstAccessMask =
        VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT;
    barrier.oldLayout = before;
    barrier.newLayout = kGeneral;
    barrier.srcQueueFamilyIndex = from;
    barrier.dstQueueFamilyIndex = to;
    barrier.image = image;
    barrier.subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
    vkCmdPipelineBarrier(c, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                         0, 0, nullptr, 0, nullptr, 1, &barrier);
}
VkDeviceMemory give_memory(const Lab& lab, VkImage image, const void* chain) {
    VkMemoryRequirements wanted;
    vkGetImageMemoryRequirements(lab.m.device, image, &wanted);
    auto alone =
        make<VkMemoryDedicatedAllocateInfo>(VK_STRUCTURE_TYPE_MEMORY_DEDICATED_ALLOCATE_INFO);
    alone.pNext = chain;
    alone.image = image;
    auto info = make<VkMemoryAllocateInfo>(VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO);
    info.pNext = &alone;
    info.allocationSize = wanted.size;
    while (!(wanted.memoryTypeBits >> info.memoryTypeIndex & 1))
        ++info.memoryTypeIndex;
    VkDeviceMemory made{};
    check(vkAllocateMemory(lab.m.device, &info, nullptr, &made), "shared memory");
    check(vkBindImageMemory(lab.m.device, image, made, 0), "a picture's shared memory");
    return made;
}

/// A picture is made with a modifier and filled; a second one is made of its buffer, by the layout
/// that the first one tells, and read.
void share(Lab& lab, const VkDrmFormatModifierPropertiesEXT& kind) {
    auto outer =
        make<VkExternalMemoryImageCreateInfo>(VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_IMAGE_CREATE_INFO);
    outer.handleTypes = kDmaBuf;
    auto list = make<VkImageDrmFormatModifierListCreateInfoEXT>(
        VK_STRUCTURE_TYPE_IMAGE_DRM_FORMAT_MODIFIER_LIST_CREATE_INFO_EXT);
    list.pNext = &outer;
    list.drmFormatModifierCount = 1;
    list.pDrmFormatModifiers = &kind.drmFormatModifier;
    VkImageCreateInfo info = shared_picture(&list);
    VkImage first{}, second{};
    check(vkCreateImage(lab.m.device, &info, nullptr, &first), "a picture with a modifier");
    auto chosen = make<VkImageDrmFormatModifierPropertiesEXT>(
        VK_STRUCTURE_TYPE_IMAGE_DRM_FORMAT_MODIFIER_PROPERTIES_EXT);
    check(lab.function<PFN_vkGetImageDrmFormatModifierPropertiesEXT>(
              "vkGetImageDrmFormatModifierPropertiesEXT")(lab.m.device, first, &chosen),
          "a picture's modifier");
    lab.expect(chosen.drmFormatModifier == kind.drmFormatModifier, "another modifier");
    auto out = make<VkExportMemoryAllocateInfo>(VK_STRUCTURE_TYPE_EXPORT_MEMORY_ALLOCATE_INFO);
    out.handleTypes = kDmaBuf;
    auto get = make<VkMemoryGetFdInfoKHR>(VK_STRUCTURE_TYPE_MEMORY_GET_FD_INFO_KHR);
    get.memory = give_memory(lab, first, &out);
    get.handleType = kDmaBuf;
    auto in = make<VkImportMemoryFdInfoKHR>(VK_STRUCTURE_TYPE_IMPORT_MEMORY_FD_INFO_KHR);
    in.handleType = kDmaBuf;
    check(lab.function<PFN_vkGetMemoryFdKHR>("vkGetMemoryFdKHR")(lab.m.device, &get, &in.fd),
          "a memory's descriptor");
    auto types = make<VkMemoryFdPropertiesKHR>(VK_STRUCTURE_TYPE_MEMORY_FD_PROPERTIES_KHR);
    check(lab.function<PFN_vkGetMemoryFdPropertiesKHR>("vkGetMemoryFdPropertiesKHR")(
              lab.m.device, kDmaBuf, in.fd, &types),
          "what a descriptor is of");
    lab.expect(types.memoryTypeBits != 0, "no memory for a descriptor");

    std::vector<VkSubresourceLayout> planes(kind.drmFormatModifierPlaneCount);
    for (std::uint32_t k = 0; k < planes.size(); ++k) {
        const VkImageSubresource plane{
            VkImageAspectFlags{VK_IMAGE_ASPECT_MEMORY_PLANE_0_BIT_EXT} << k, 0, 0};
        vkGetImageSubresourceLayout(lab.m.device, first, &plane, &planes[k]);
        planes[k].size = 0;
    }
    lab.expect(planes[0].rowPitch >= 4 * kWidth, "a row is too short");
    auto places = make<VkImageDrmFormatModifierExplicitCreateInfoEXT>(
        VK_STRUCTURE_TYPE_IMAGE_DRM_FORMAT_MODIFIER_EXPLICIT_CREATE_INFO_EXT);
    places.pNext = &outer;
    places.drmFormatModifier = kind.drmFormatModifier;
    places.drmFormatModifierPlaneCount = kind.drmFormatModifierPlaneCount;
    places.pPlaneLayouts = planes.data();
    info = shared_picture(&places);
    check(vkCreateImage(lab.m.device, &info, nullptr, &second), "a picture of a descriptor");
    const VkDeviceMemory taken = give_memory(lab, second, &in);

    std::fill_n(lab.to.data, kWidth * kHeight, 0);
    VkBufferImageCopy whole{};
    whole.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
    whole.imageExtent = {kWidth, kHeight, 1};
    lab.submit([&](VkCommandBuffer c) {
        lab.fill(c, first, VK_IMAGE_ASPECT_COLOR_BIT, whole.imageExtent, 1, lab.from.buffer, 0);
        pass(c, first, kGeneral, 0, VK_QUEUE_FAMILY_FOREIGN_EXT);
    });
    lab.submit([&](VkCommandBuffer c) {
        pass(c, second, kGeneral, VK_QUEUE_FAMILY_FOREIGN_EXT, 0);
        vkCmdCopyImageToBuffer(c, second, kGeneral, lab.to.buffer, 1, &whole);
    });
    for (std::uint32_t i = 0; i < kWidth * kHeight; ++i)
        lab.expect_word(i, lab.from.data[i]);
    vkDestroyImage(lab.m.device, first, nullptr);
    vkDestroyImage(lab.m.device, second, nullptr);
    vkFreeMemory(lab.m.device, get.memory, nullptr);
    vkFreeMemory(lab.m.device, taken, nullptr);
}

void modified(Lab& lab) {
    bool plain = false, tiled = false;
    for (const auto& kind : modifiers(lab)) {
        plain = plain || kind.drmFormatModifier == DRM_FORMAT_MOD_LINEAR;
        tiled = tiled || kind.drmFormatModifier == I915_FORMAT_MOD_Y_TILED;
        share(lab, kind);
    }
    lab.expect(plain && tiled, "the modifiers of a texel");
}

}  // namespace

std::vector<Case> buffer_cases() {
    return {{"modified", VK_EXT_IMAGE_DRM_FORMAT_MODIFIER_EXTENSION_NAME, modified}};
}

}  // namespace advertised
