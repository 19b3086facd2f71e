// SPDX-License-Identifier: Apache-2.0
/// A device with the extensions that no other program of ours uses, and what a case of
/// vulkan_features does with it: compute shaders on words that both sides see.
#pragma once
#include <functional>
#include <initializer_list>
#include <string>
#include <vector>

#include "tests/system/drm/mesa/vulkan_machine.h"

namespace advertised {

using vulkan::check;
using vulkan::Machine;
using vulkan::make;
using vulkan::Words;

using Binding = VkDescriptorSetLayoutBinding;
inline constexpr std::uint32_t kItems = 256, kGroup = 64, kWords = 4096;
inline constexpr auto kGeneral = VK_IMAGE_LAYOUT_GENERAL;
inline constexpr VkFlags kCompute = VK_SHADER_STAGE_COMPUTE_BIT;
inline constexpr VkFlags kStorage =
    VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT |
    VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT | VK_BUFFER_USAGE_STORAGE_TEXEL_BUFFER_BIT |
    VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT;

/// One binding of a set's layout, for compute shaders.
inline Binding binding(std::uint32_t number, VkDescriptorType type, std::uint32_t count = 1,
                       const VkSampler* samplers = nullptr) {
    return {number, type, count, kCompute, samplers};
}

/// A picture of one level and sample.
inline VkImageCreateInfo picture(VkFormat format, std::uint32_t width, std::uint32_t height,
                                 VkImageUsageFlags usage, std::uint32_t layers = 1) {
    auto info = make<VkImageCreateInfo>(VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO);
    info.imageType = VK_IMAGE_TYPE_2D;
    info.format = format;
    info.extent = {width, height, 1};
    info.mipLevels = 1;
    info.arrayLayers = layers;
    info.samples = VK_SAMPLE_COUNT_1_BIT;
    info.usage = usage | VK_IMAGE_USAGE_TRANSFER_DST_BIT;
    return info;
}

class Lab {
  public:
    Lab(const Machine& machine, const std::string& shaders);
    Lab(const Lab&) = delete;
    Lab& operator=(const Lab&) = delete;

    VkDescriptorSetLayout set_layout(const std::vector<Binding>& bindings,
                                     VkDescriptorSetLayoutCreateFlags flags = 0,
                                     const void* chain = nullptr);
    VkPipelineLayout layout(const std::vector<VkDescriptorSetLayout>& sets);
    /// Tries to make one, which a flag may forbid.
    VkResult try_pipeline(const std::string& shader, VkPipelineLayout layout, const void* chain,
                          VkPipelineCreateFlags flags, VkPipelineCache cache,
                          VkPipeline& made) const;
    VkPipeline pipeline(const std::string& shader, VkPipelineLayout layout,
                        const void* chain = nullptr, VkPipelineCreateFlags flags = 0);
    [[nodiscard]] std::vector<std::uint32_t> code(const std::string& shader) const;
    VkDescriptorSet set(VkDescriptorSetLayout layout, const void* chain = nullptr);
    void give(VkDescriptorSet set, std::uint32_t binding, VkDescriptorType type, VkBuffer buffer,
              std::uint32_t element = 0, VkDeviceSize offset = 0,
              VkDeviceSize range = VK_WHOLE_SIZE);
    void give(VkDescriptorSet set, std::uint32_t binding, VkDescriptorType type, VkImageView view,
              VkSampler sampler, VkImageLayout layout, std::uint32_t element = 0);
    void give(VkDescriptorSet set, std::uint32_t binding, VkDescriptorType type,
              VkBufferView texels, std::uint32_t element = 0);
    VkBufferView texels(VkBuffer buffer, VkFormat format, VkDeviceSize offset, VkDeviceSize range);
    VkImage image(const VkImageCreateInfo& info);  ///< with memory of the device's
    VkImageView view(VkImage image, VkFormat format, std::uint32_t layers = 1,
                     const void* chain = nullptr);
    /// Fills an image, or a plane of it, that then has the general layout.
    void fill(VkCommandBuffer commands, VkImage image, VkImageAspectFlags aspect,
              const VkExtent3D& size, std::uint32_t layers, VkBuffer texels, VkDeviceSize offset);
    void to_general(VkCommandBuffer commands, VkImage image, VkImageAspectFlags aspect,
                    std::uint32_t layers = 1);

    /// Records, submits and waits; the host sees what was written.
    void submit(const std::function<void(VkCommandBuffer)>& record);
    VkCommandBuffer begin();
    void end(VkCommandBuffer commands);
    void submit(VkCommandBuffer commands);
    void dispatch(VkCommandBuffer commands, VkPipeline pipeline, VkPipelineLayout layout,
                  const std::vector<VkDescriptorSet>& sets, std::uint32_t groups);
    void barrier(VkCommandBuffer commands);
    /// `groups` groups of a shader that needs no set beside `words`.
    void run(const std::string& shader, std::uint32_t groups = kItems / kGroup);

    /// An extension's command.
    template <class Function>
    Function function(const char* name) const {
        const auto found = reinterpret_cast<Function>(vkGetDeviceProcAddr(m.device, name));
        if (!found) check(VK_ERROR_EXTENSION_NOT_PRESENT, name);
        return found;
    }

    /// Notes what is wrong.
    void expect(bool right, const std::string& what) {
        if (!right && wrong.empty()) wrong = what;
    }
    /// A word of the result.
    void expect_word(std::uint32_t place, std::uint32_t must_be);

    const Machine& m;
    Words from, to;  ///< random words; zeroes before each case
    VkDescriptorSetLayout words_layout{};
    VkPipelineLayout words_only{};
    VkDescriptorSet words{};  ///< set 0: `from` at binding 0, `to` at binding 1
    std::string shaders;      ///< their folder
    std::string wrong{};
    unsigned dispatches = 0;  ///< that were recorded, each to be done once

  private:
    VkDescriptorPool pool_{};
};

struct Case {
    const char* name;
    const char* extension;  ///< that a device must have; null: of Vulkan 1.3
    void (*run)(Lab&);
};
/// Those of one file, each.
std::vector<Case> shader_cases();
std::vector<Case> descriptor_cases();
std::vector<Case> image_cases();
std::vector<Case> sharing_cases();
std::vector<Case> buffer_cases();
std::vector<Case> place_cases();
std::vector<Case> device_cases();

}  // namespace advertised
