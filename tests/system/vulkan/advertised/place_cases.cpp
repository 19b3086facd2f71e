// SPDX-License-Identifier: Apache-2.0
// Places: behind the ends of buffers, between the usual alignments, at addresses of the program's
// choice, and groups that do not begin at zero.
#include <algorithm>
#include <span>

#include "tests/system/vulkan/advertised/lab.h"

namespace advertised {
namespace {

constexpr auto kBuffer = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
constexpr auto kConstants = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER;
constexpr auto kTexels = VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER;
constexpr auto kStoredTexels = VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER;

/// A part of a buffer: what lies behind its end is none of the shader's business.
struct Part {
    std::uint32_t first, count;  ///< in words
    [[nodiscard]] VkDeviceSize offset() const { return VkDeviceSize{4} * first; }
    [[nodiscard]] VkDeviceSize range() const { return VkDeviceSize{4} * count; }
};

/// Writes behind the end change nothing. Reads there give zero, or, without VK_EXT_robustness2,
/// a word of the buffer.
void read_and_write_outside(Lab& on_usual, bool second) {
    const Machine machine("", false, {.robust_buffers = true, .robust_2 = second});
    Lab lab(machine, on_usual.shaders);
    constexpr Part kStored{256, 77}, kOfConstants{512, 80}, kOfTexels{1024, 55}, kWritten{64, 50};
    const Words written(machine, kWords, kStorage);
    std::fill_n(written.data, kWords, 0xABCDEF01u);
    const VkDescriptorSetLayout layout = lab.set_layout(
        {binding(0, kBuffer), binding(1, kConstants), binding(2, kTexels), binding(3, kBuffer)});
    const VkPipelineLayout both = lab.layout({lab.words_layout, layout});
    const VkDescriptorSet set = lab.set(layout);
    const VkBuffer from = lab.from.buffer;
    lab.give(set, 0, kBuffer, from, 0, kStored.offset(), kStored.range());
    lab.give(set, 1, kConstants, from, 0, kOfConstants.offset(), kOfConstants.range());
    lab.give(set, 2, kTexels,
             lab.texels(from, VK_FORMAT_R32_UINT, kOfTexels.offset(), kOfTexels.range()));
    lab.give(set, 3, kBuffer, written.buffer, 0, kWritten.offset(), kWritten.range());
    lab.submit([&](VkCommandBuffer c) {
        lab.dispatch(c, lab.pipeline("outside_buffers", both), both, {lab.words, set},
                     kItems / kGroup);
    });
    const std::span words(lab.from.data, kWords);
    for (std::uint32_t i = 0; i < kItems; ++i) {
        const std::uint32_t at = i < 250 ? i : i * 100000;
        const std::uint32_t places[] = {at, at / 4 % 64 * 4 + at % 4, at};
        const Part parts[] = {kStored, kOfConstants, kOfTexels};
        for (std::uint32_t k = 0; k < 3; ++k) {
            const std::uint32_t read = lab.to.data[4 * i + k];
            if (places[k] < parts[k].count)
                lab.expect_word(4 * i + k, words[parts[k].first + places[k]]);
            else if (second || k == 2 || std::ranges::find(words, read) == words.end())
                lab.expect_word(4 * i + k, 0);
        }
    }
    for (std::uint32_t i = 0; i < kWords; ++i) {
        const bool inside = i >= kWritten.first && i < kWritten.first + kWritten.count;
        lab.expect(written.data[i] == (inside ? i - kWritten.first : 0xABCDEF01u),
                   "a word that was written, " + std::to_string(i));
    }
    on_usual.expect(lab.wrong.empty(), lab.wrong);
    on_usual.dispatches += lab.dispatches;
}
void outside_buffers(Lab& lab) {
    read_and_write_outside(lab, false);
    read_and_write_outside(lab, true);
}

/// Views of buffers that begin at any texel.
void odd_texels(Lab& lab) {
    auto aligned = make<VkPhysicalDeviceTexelBufferAlignmentProperties>(
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TEXEL_BUFFER_ALIGNMENT_PROPERTIES);
    auto properties =
        make<VkPhysicalDeviceProperties2>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2);
    properties.pNext = &aligned;
    vkGetPhysicalDeviceProperties2(lab.m.physical, &properties);
    lab.expect((aligned.uniformTexelBufferOffsetSingleTexelAlignment ||
                aligned.uniformTexelBufferOffsetAlignmentBytes == 1) &&
                   aligned.storageTexelBufferOffsetSingleTexelAlignment,
               "views of buffers begin at any texel");
    const VkDescriptorSetLayout layout = lab.set_layout(
        {binding(0, kTexels), binding(1, kTexels), binding(2, kTexels), binding(3, kStoredTexels)});
    const VkPipelineLayout both = lab.layout({lab.words_layout, layout});
    const VkDescriptorSet set = lab.set(layout);
    constexpr VkDeviceSize kByte = 37, kHalf = 1026, kColor = 2052, kKept = 4108;
    const VkBuffer from = lab.from.buffer, to = lab.to.buffer;
    lab.give(set, 0, kTexels, lab.texels(from, VK_FORMAT_R8_UINT, kByte, kItems));
    lab.give(set, 1, kTexels, lab.texels(from, VK_FORMAT_R16_UINT, kHalf, 2 * kItems));
    lab.give(set, 2, kTexels, lab.texels(from, VK_FORMAT_R8G8B8A8_UNORM, kColor, 4 * kItems));
    lab.give(set, 3, kStoredTexels, lab.texels(to, VK_FORMAT_R32_UINT, kKept, 4 * kItems));
    for (std::uint32_t i = 0; i < kItems; ++i)
        lab.to.data[kKept / 4 + i] = i * 7;
    lab.submit([&](VkCommandBuffer c) {
        lab.dispatch(c, lab.pipeline("odd_texels", both), both, {lab.words, set}, kItems / kGroup);
    });
    const auto* const bytes = reinterpret_cast<const unsigned char*>(lab.from.data);
    for (std::uint32_t i = 0; i < kItems; ++i) {
        lab.expect_word(3 * i, bytes[kByte + i]);
        std::uint16_t half = 0;
        std::memcpy(&half, bytes + kHalf + 2 * i, sizeof half);
        lab.expect_word(3 * i + 1, half);
        lab.expect_word(3 * i + 2, lab.from.data[kColor / 4 + i]);
        lab.expect_word(kKept / 4 + i, i * 7 + 1);
    }
}

/// A buffer, and what a later run needs to have it at the same place again.
class Placed {
  public:
    struct Places {
        std::uint64_t buffer = 0, memory = 0;
        VkDeviceAddress address = 0;
    };
    Placed(const Machine& m, const Places& wanted) : m_(m) {
        auto of_place = make<VkBufferOpaqueCaptureAddressCreateInfo>(
            VK_STRUCTURE_TYPE_BUFFER_OPAQUE_CAPTURE_ADDRESS_CREATE_INFO);
        of_place.opaqueCaptureAddress = wanted.buffer;
        auto info = make<VkBufferCreateInfo>(VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO);
        info.pNext = &of_place;
        info.flags = VK_BUFFER_CREATE_DEVICE_ADDRESS_CAPTURE_REPLAY_BIT;
        info.size = VkDeviceSize{4} * kItems;
        info.usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;
        check(vkCreateBuffer(m.device, &info, nullptr, &buffer_), "a buffer");
        VkMemoryRequirements needs;
        vkGetBufferMemoryRequirements(m.device, buffer_, &needs);
        auto of_memory = make<VkMemoryOpaqueCaptureAddressAllocateInfo>(
            VK_STRUCTURE_TYPE_MEMORY_OPAQUE_CAPTURE_ADDRESS_ALLOCATE_INFO);
        of_memory.opaqueCaptureAddress = wanted.memory;
        auto flags = make<VkMemoryAllocateFlagsInfo>(VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO);
        flags.pNext = &of_memory;
        flags.flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT |
                      VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_CAPTURE_REPLAY_BIT;
        auto of = make<VkMemoryAllocateInfo>(VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO);
        of.pNext = &flags;
        of.allocationSize = needs.size;
        while (!(needs.memoryTypeBits >> of.memoryTypeIndex & 1))
            ++of.memoryTypeIndex;
        check(vkAllocateMemory(m.device, &of, nullptr, &memory_), "memory at a place");
        check(vkBindBufferMemory(m.device, buffer_, memory_, 0), "a buffer's memory");
        void* at = nullptr;
        check(vkMapMemory(m.device, memory_, 0, VK_WHOLE_SIZE, 0, &at), "a map");
        data = static_cast<std::uint32_t*>(at);
    }
    Placed(const Placed&) = delete;
    Placed& operator=(const Placed&) = delete;
    ~Placed() {
        vkDestroyBuffer(m_.device, buffer_, nullptr);
        vkFreeMemory(m_.device, memory_, nullptr);
    }
    [[nodiscard]] Places places() const {
        auto buffer = make<VkBufferDeviceAddressInfo>(VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO);
        buffer.buffer = buffer_;
        auto memory = make<VkDeviceMemoryOpaqueCaptureAddressInfo>(
            VK_STRUCTURE_TYPE_DEVICE_MEMORY_OPAQUE_CAPTURE_ADDRESS_INFO);
        memory.memory = memory_;
        return {vkGetBufferOpaqueCaptureAddress(m_.device, &buffer),
                vkGetDeviceMemoryOpaqueCaptureAddress(m_.device, &memory),
                vkGetBufferDeviceAddress(m_.device, &buffer)};
    }
    std::uint32_t* data = nullptr;

  private:
    const Machine& m_;
    VkBuffer buffer_{};
    VkDeviceMemory memory_{};
};

/// Buffers that are made again where they were, in another order.
void replayed_addresses(Lab& lab) {
    struct Pushed {
        VkDeviceAddress address;
        std::uint16_t factor;
        std::uint8_t more;
    };
    const VkPushConstantRange range{kCompute, 0, sizeof(Pushed)};
    auto info = make<VkPipelineLayoutCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO);
    info.setLayoutCount = 1;
    info.pSetLayouts = &lab.words_layout;
    info.pushConstantRangeCount = 1;
    info.pPushConstantRanges = &range;
    VkPipelineLayout layout{};
    check(vkCreatePipelineLayout(lab.m.device, &info, nullptr, &layout), "a layout");
    const VkPipeline by_address = lab.pipeline("by_address", layout);
    const auto run = [&](const Placed& placed, VkDeviceAddress address) {
        for (std::uint32_t i = 0; i < kItems; ++i)
            placed.data[i] = i * i;
        lab.submit([&](VkCommandBuffer c) {
            const Pushed pushed{address, 40503, 211};
            vkCmdPushConstants(c, layout, kCompute, 0, sizeof pushed, &pushed);
            lab.dispatch(c, by_address, layout, {lab.words}, kItems / kGroup);
        });
        for (std::uint32_t i = 0; i < kItems; ++i)
            lab.expect(placed.data[i] == i * i * 40503 + lab.from.data[i] + 211,
                       "a word at an address");
    };
    Placed::Places places[2];
    {
        const Placed first(lab.m, {}), second(lab.m, {});
        places[0] = first.places();
        places[1] = second.places();
        lab.expect(places[0].address && places[0].address != places[1].address, "their addresses");
        run(first, places[0].address);
        run(second, places[1].address);
    }
    // The place that was second is taken first.
    const Placed second(lab.m, places[1]), first(lab.m, places[0]);
    lab.expect(second.places().address == places[1].address, "the second is elsewhere");
    lab.expect(first.places().address == places[0].address, "the first is elsewhere");
    run(second, places[1].address);
    run(first, places[0].address);
}

/// Groups of a dispatch that begins behind zero, on all devices of a group of one.
void later_groups(Lab& lab) {
    std::uint32_t count = 0;
    check(vkEnumeratePhysicalDeviceGroups(lab.m.instance, &count, nullptr), "groups of devices");
    lab.expect(count == 1, "how many groups of devices there are");
    const VkPipeline sums =
        lab.pipeline("sums", lab.words_only, nullptr, VK_PIPELINE_CREATE_DISPATCH_BASE_BIT);
    lab.submit([&](VkCommandBuffer c) {
        vkCmdSetDeviceMask(c, 1);
        lab.dispatch(c, sums, lab.words_only, {lab.words}, 1);
        vkCmdDispatchBase(c, 2, 0, 0, 2, 1, 1);
        ++lab.dispatches;
    });
    for (std::uint32_t i = 0; i < kItems; ++i)
        lab.expect_word(i, i / kGroup == 1 ? 0 : lab.from.data[i] + i);
}

}  // namespace

std::vector<Case> place_cases() {
    return {{"outside_buffers", VK_EXT_ROBUSTNESS_2_EXTENSION_NAME, outside_buffers},
            {"odd_texels", VK_EXT_TEXEL_BUFFER_ALIGNMENT_EXTENSION_NAME, odd_texels},
            {"replayed_addresses", VK_EXT_BUFFER_DEVICE_ADDRESS_EXTENSION_NAME, replayed_addresses},
            {"later_groups", VK_KHR_DEVICE_GROUP_EXTENSION_NAME, later_groups}};
}

}  // namespace advertised
