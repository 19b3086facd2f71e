// SPDX-License-Identifier: Apache-2.0
/// Compute shaders of Vulkan on random data. What they leave is written into files, so that the
/// same program on another driver tells what is right.
///
///   vulkan_shaders DRIVER RESULTS SEED SHADERS [NAME...]
///
/// DRIVER: a word of the device's name; RESULTS: a folder for a file of 32 bit words for each case;
/// SHADERS: the folder of the shaders; NAME: how names of cases begin (all). What subgroups do
/// depends on their size: by Intel's driver, it is compared with the same sums on the processor.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "tests/system/drm/mesa/subgroup_reference.h"
#include "tests/system/drm/mesa/vulkan_cases.h"
#include "tests/system/drm/mesa/vulkan_machine.h"

namespace {

using namespace vulkan;

constexpr std::uint32_t kRandomWords = 8192, kResultWords = 1 << 16;
constexpr VkFlags kStage = VK_SHADER_STAGE_COMPUTE_BIT;

class Program {
  public:
    Program(const char* driver, std::string results, unsigned seed, std::string shaders)
        : m_(driver), results_(std::move(results)), shaders_(std::move(shaders)), random_(seed) {
        for (std::uint32_t i = 0; i < kRandomWords; ++i)
            from_.data[i] = constants_.data[i % 4096] = moved_.data[i % 4096] =
                static_cast<std::uint32_t>(random_());
        for (auto& part : parts_)
            for (std::uint32_t i = 0; i < 256; ++i)
                part.data[i] = static_cast<std::uint32_t>(random_());
        make_layouts();
        make_texels();
    }
    bool run(const Case& of);
    unsigned dispatches() const { return dispatches_; }

  private:
    using Binding = VkDescriptorSetLayoutBinding;
    void make_layouts();
    VkDescriptorSetLayout layout_of(const std::vector<Binding>& bindings);
    VkDescriptorSet new_set(unsigned number);
    VkDescriptorSet new_image_set();
    void make_texels();
    VkImage new_image(const Image& want);
    VkSampler new_sampler(VkFilter filter, VkSamplerAddressMode outside);
    void bind_buffer(VkDescriptorSet set, std::uint32_t binding, VkDescriptorType type,
                     const std::vector<VkDescriptorBufferInfo>& buffers);
    void bind_image(VkDescriptorSet set, VkImageView view, VkSampler sampler);
    VkPipeline pipeline(const std::string& shader, std::uint32_t group, std::uint32_t subgroup);
    void dispatch(VkCommandBuffer c, const Case& of, const Step& step, VkDescriptorSet images);
    void give_image(VkCommandBuffer c, const Case& of, VkDescriptorSet images);
    VkImageView view(VkImage image, const Image& of, std::uint32_t first, std::uint32_t count);
    bool check_subgroups(const Case& of) const;

    Machine m_;
    std::string results_, shaders_;
    std::mt19937 random_;
    static constexpr VkFlags kStorage =
        VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT |
        VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT | VK_BUFFER_USAGE_STORAGE_TEXEL_BUFFER_BIT |
        VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;
    Words from_{m_, kRandomWords, kStorage}, to_{m_, kResultWords, kStorage},
        constants_{m_, 4096, VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT},
        moved_{m_, 4096, VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT},
        parts_[3] = {{m_, 256, kStorage}, {m_, 256, kStorage}, {m_, 256, kStorage}},
        addressed_{m_, 8192 + 64, kStorage};
    VkDescriptorSetLayout layouts_[4]{};
    VkDescriptorSet buffers_{}, more_[2]{};
    VkPipelineLayout layout_{};
    VkDescriptorPool pool_{};
    unsigned dispatches_ = 0;
    VkBufferView texels_[2]{};
    VkImageView some_view_{};  ///< where a case has no image
    VkSampler some_sampler_{};
};

VkDescriptorSetLayout Program::layout_of(const std::vector<Binding>& bindings) {
    auto info =
        make<VkDescriptorSetLayoutCreateInfo>(VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO);
    info.bindingCount = static_cast<std::uint32_t>(bindings.size());
    info.pBindings = bindings.data();
    VkDescriptorSetLayout made{};
    check(vkCreateDescriptorSetLayout(m_.device, &info, nullptr, &made), "a set's layout");
    return made;
}

VkDescriptorSet Program::new_set(unsigned number) {
    auto give = make<VkDescriptorSetAllocateInfo>(VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO);
    give.descriptorPool = pool_;
    give.descriptorSetCount = 1;
    give.pSetLayouts = &layouts_[number];
    VkDescriptorSet made{};
    check(vkAllocateDescriptorSets(m_.device, &give, &made), "a set");
    return made;
}

void Program::bind_buffer(VkDescriptorSet set, std::uint32_t binding, VkDescriptorType type,
                          const std::vector<VkDescriptorBufferInfo>& buffers) {
    auto write = make<VkWriteDescriptorSet>(VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET);
    write.dstSet = set;
    write.dstBinding = binding;
    write.descriptorCount = static_cast<std::uint32_t>(buffers.size());
    write.descriptorType = type;
    write.pBufferInfo = buffers.data();
    vkUpdateDescriptorSets(m_.device, 1, &write, 0, nullptr);
}

void Program::bind_image(VkDescriptorSet set, VkImageView view, VkSampler sampler) {
    const VkDescriptorImageInfo image{sampler, view, VK_IMAGE_LAYOUT_GENERAL};
    auto write = make<VkWriteDescriptorSet>(VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET);
    write.dstSet = set;
    write.dstBinding = sampler ? 1 : 0;
    write.descriptorCount = 1;
    write.descriptorType =
        sampler ? VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER : VK_DESCRIPTOR_TYPE_STORAGE_IMAGE;
    write.pImageInfo = &image;
    vkUpdateDescriptorSets(m_.device, 1, &write, 0, nullptr);
}

void Program::make_layouts() {
    const auto binding = [](std::uint32_t number, VkDescriptorType type, std::uint32_t count = 1) {
        return Binding{number, type, count, kStage, nullptr};
    };
    constexpr auto kBuffer = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
    constexpr auto kUniform = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER;
    constexpr auto kMoved = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC;
    layouts_[0] = layout_of({binding(0, kBuffer), binding(1, kBuffer)});
    layouts_[1] = layout_of({binding(0, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE),
                             binding(1, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER),
                             binding(2, VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER),
                             binding(3, VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER)});
    layouts_[2] = layout_of({binding(0, kUniform), binding(1, kBuffer, 3)});
    layouts_[3] = layout_of({binding(0, kMoved)});
    const VkPushConstantRange range{kStage, 0, 16};
    auto info = make<VkPipelineLayoutCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO);
    info.setLayoutCount = 4;
    info.pSetLayouts = layouts_;
    info.pushConstantRangeCount = 1;
    info.pPushConstantRanges = &range;
    check(vkCreatePipelineLayout(m_.device, &info, nullptr, &layout_), "a layout");

    constexpr std::uint32_t kMany = 1000;
    std::vector<VkDescriptorPoolSize> sizes;
    for (const auto type :
         {kBuffer, kUniform, kMoved, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE,
          VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER,
          VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER})
        sizes.push_back({type, kMany});
    auto of_pool = make<VkDescriptorPoolCreateInfo>(VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO);
    of_pool.maxSets = kMany;
    of_pool.poolSizeCount = static_cast<std::uint32_t>(sizes.size());
    of_pool.pPoolSizes = sizes.data();
    check(vkCreateDescriptorPool(m_.device, &of_pool, nullptr, &pool_), "a pool");
    buffers_ = new_set(0);
    more_[0] = new_set(2);
    more_[1] = new_set(3);
    bind_buffer(buffers_, 0, kBuffer, {{from_.buffer, 0, VK_WHOLE_SIZE}});
    bind_buffer(buffers_, 1, kBuffer, {{to_.buffer, 0, VK_WHOLE_SIZE}});
    bind_buffer(more_[0], 0, kUniform, {{constants_.buffer, 256, 1024}});
    bind_buffer(more_[0], 1, kBuffer,
                {{parts_[0].buffer, 0, VK_WHOLE_SIZE},
                 {parts_[1].buffer, 0, 800},
                 {parts_[2].buffer, 0, VK_WHOLE_SIZE}});
    bind_buffer(more_[1], 0, kMoved, {{moved_.buffer, 0, 256}});
}

VkPipeline Program::pipeline(const std::string& shader, std::uint32_t group,
                             std::uint32_t subgroup) {
    std::ifstream file(shaders_ + "/" + shader + ".spv", std::ios::binary);
    const std::vector<char> code{std::istreambuf_iterator<char>(file), {}};
    if (code.empty()) {
        std::fprintf(stderr, "no shader %s\n", shader.c_str());
        std::exit(1);
    }
    auto of_module = make<VkShaderModuleCreateInfo>(VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO);
    of_module.codeSize = code.size();
    of_module.pCode = reinterpret_cast<const std::uint32_t*>(code.data());
    const struct {
        std::uint32_t group, second, negative;
        float factor;
    } special{group, 13, 1, 2.75f};
    const VkSpecializationMapEntry entries[] = {{0, 0, 4}, {1, 4, 4}, {2, 8, 4}, {3, 12, 4}};
    const VkSpecializationInfo of_special{4, entries, sizeof special, &special};
    auto size = make<VkPipelineShaderStageRequiredSubgroupSizeCreateInfo>(
        VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO);
    size.requiredSubgroupSize = subgroup;
    auto info = make<VkComputePipelineCreateInfo>(VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO);
    info.stage =
        make<VkPipelineShaderStageCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO);
    info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
    info.stage.pName = "main";
    info.stage.pSpecializationInfo = &of_special;
    if (subgroup) {
        info.stage.pNext = &size;
        info.stage.flags = VK_PIPELINE_SHADER_STAGE_CREATE_REQUIRE_FULL_SUBGROUPS_BIT;
    }
    check(vkCreateShaderModule(m_.device, &of_module, nullptr, &info.stage.module), "a shader");
    info.layout = layout_;
    VkPipeline made{};
    check(vkCreateComputePipelines(m_.device, VK_NULL_HANDLE, 1, &info, nullptr, &made),
          "a pipeline");
    vkDestroyShaderModule(m_.device, info.stage.module, nullptr);
    return made;
}

void Program::dispatch(VkCommandBuffer c, const Case& of, const Step& step,
                       VkDescriptorSet images) {
    std::uint32_t numbers[4];
    std::memcpy(numbers, step.numbers, sizeof numbers);
    if (of.name == "addresses") {
        auto info = make<VkBufferDeviceAddressInfo>(VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO);
        info.buffer = addressed_.buffer;
        const std::uint64_t address = vkGetBufferDeviceAddress(m_.device, &info);
        numbers[0] = static_cast<std::uint32_t>(address);
        numbers[1] = static_cast<std::uint32_t>(address >> 32);
    }
    vkCmdBindPipeline(c, VK_PIPELINE_BIND_POINT_COMPUTE,
                      pipeline(shader_of(of, step), step.group, of.subgroup));
    const VkDescriptorSet sets[] = {buffers_, images, more_[0], more_[1]};
    const std::uint32_t moved = 512;
    vkCmdBindDescriptorSets(c, VK_PIPELINE_BIND_POINT_COMPUTE, layout_, 0, 4, sets, 1, &moved);
    vkCmdPushConstants(c, layout_, kStage, 0, sizeof numbers, numbers);
    ++dispatches_;
    if (step.indirect)
        vkCmdDispatchIndirect(c, to_.buffer, 0);
    else
        vkCmdDispatch(c, (step.items + step.group - 1) / step.group, 1, 1);
    auto barrier = make<VkMemoryBarrier>(VK_STRUCTURE_TYPE_MEMORY_BARRIER);
    barrier.srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT;
    barrier.dstAccessMask = VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT |
                            VK_ACCESS_HOST_READ_BIT | VK_ACCESS_INDIRECT_COMMAND_READ_BIT;
    vkCmdPipelineBarrier(c, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                         VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_HOST_BIT |
                             VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT,
                         0, 1, &barrier, 0, nullptr, 0, nullptr);
}

VkImageView Program::view(VkImage image, const Image& of, std::uint32_t first,
                          std::uint32_t count) {
    auto info = make<VkImageViewCreateInfo>(VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO);
    info.image = image;
    info.viewType = of.view();
    info.format = of.format;
    info.subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, first, count, 0, of.layers};
    VkImageView made{};
    check(vkCreateImageView(m_.device, &info, nullptr, &made), "a view");
    return made;
}

VkImage Program::new_image(const Image& want) {
    auto info = make<VkImageCreateInfo>(VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO);
    info.imageType = want.depth > 1 ? VK_IMAGE_TYPE_3D : VK_IMAGE_TYPE_2D;
    info.format = want.format;
    info.extent = {want.width, want.height, want.depth};
    info.mipLevels = want.levels;
    info.arrayLayers = want.layers;
    info.samples = VK_SAMPLE_COUNT_1_BIT;
    info.usage = VK_IMAGE_USAGE_STORAGE_BIT | VK_IMAGE_USAGE_SAMPLED_BIT;
    VkImage image{};
    check(vkCreateImage(m_.device, &info, nullptr, &image), "an image");
    VkMemoryRequirements memory;
    vkGetImageMemoryRequirements(m_.device, image, &memory);
    check(vkBindImageMemory(m_.device, image,
                            m_.memory(memory, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT), 0),
          "an image's memory");
    return image;
}

VkSampler Program::new_sampler(VkFilter filter, VkSamplerAddressMode outside) {
    auto of_sampler = make<VkSamplerCreateInfo>(VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO);
    of_sampler.magFilter = of_sampler.minFilter = filter;
    of_sampler.mipmapMode =
        filter == VK_FILTER_LINEAR ? VK_SAMPLER_MIPMAP_MODE_LINEAR : VK_SAMPLER_MIPMAP_MODE_NEAREST;
    of_sampler.addressModeU = of_sampler.addressModeV = of_sampler.addressModeW = outside;
    of_sampler.maxLod = VK_LOD_CLAMP_NONE;
    of_sampler.borderColor = VK_BORDER_COLOR_FLOAT_OPAQUE_WHITE;
    VkSampler sampler{};
    check(vkCreateSampler(m_.device, &of_sampler, nullptr, &sampler), "a sampler");
    return sampler;
}

/// What the set of images holds in every case: buffers as texels, and some image.
void Program::make_texels() {
    auto info = make<VkBufferViewCreateInfo>(VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO);
    const std::pair<VkBuffer, VkFormat> want[] = {{from_.buffer, VK_FORMAT_R8G8B8A8_UNORM},
                                                  {to_.buffer, VK_FORMAT_R8G8B8A8_UINT}};
    for (unsigned i = 0; i < 2; ++i) {
        info.buffer = want[i].first;
        info.format = want[i].second;
        info.range = VK_WHOLE_SIZE;
        check(vkCreateBufferView(m_.device, &info, nullptr, &texels_[i]), "a buffer's view");
    }
    const Image some{VK_FORMAT_R8G8B8A8_UNORM, 4, 4};
    some_view_ = view(new_image(some), some, 0, 1);
    some_sampler_ = new_sampler(VK_FILTER_NEAREST, VK_SAMPLER_ADDRESS_MODE_REPEAT);
}

VkDescriptorSet Program::new_image_set() {
    const VkDescriptorSet set = new_set(1);
    bind_image(set, some_view_, VK_NULL_HANDLE);
    bind_image(set, some_view_, some_sampler_);
    for (unsigned i = 0; i < 2; ++i) {
        auto write = make<VkWriteDescriptorSet>(VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET);
        write.dstSet = set;
        write.dstBinding = 2 + i;
        write.descriptorCount = 1;
        write.descriptorType =
            i ? VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER : VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER;
        write.pTexelBufferView = &texels_[i];
        vkUpdateDescriptorSets(m_.device, 1, &write, 0, nullptr);
    }
    return set;
}

/// Makes the image, fills its levels, and gives it to `images`.
void Program::give_image(VkCommandBuffer c, const Case& of, VkDescriptorSet images) {
    const Image& want = of.image;
    VkImage image = new_image(want);
    auto barrier = make<VkImageMemoryBarrier>(VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER);
    barrier.newLayout = VK_IMAGE_LAYOUT_GENERAL;
    barrier.dstAccessMask = VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_SHADER_READ_BIT;
    barrier.srcQueueFamilyIndex = barrier.dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
    barrier.image = image;
    barrier.subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, want.levels, 0, want.layers};
    vkCmdPipelineBarrier(c, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                         0, 0, nullptr, 0, nullptr, 1, &barrier);
    for (std::uint32_t level = 0; level < want.levels; ++level) {
        const VkDescriptorSet one = new_image_set();
        bind_image(one, view(image, want, level, 1), VK_NULL_HANDLE);
        const auto smaller = [=](std::uint32_t size) { return std::max(1u, size >> level); };
        Step step{want.fill};
        step.numbers[0] = smaller(want.width);
        step.numbers[1] = smaller(want.height);
        step.numbers[2] = want.layers > 1 ? want.layers : smaller(want.depth);
        step.numbers[3] = static_cast<std::uint32_t>(random_() % 4096);
        step.items = step.numbers[0] * step.numbers[1] * step.numbers[2];
        dispatch(c, of, step, one);
    }
    bind_image(images, view(image, want, 0, 1), VK_NULL_HANDLE);
    bind_image(images, view(image, want, 0, want.levels), new_sampler(of.filter, of.outside));
}

bool Program::check_subgroups(const Case& of) const {
    const std::string wrong = subgroups::wrong(from_.data, to_.data, 512, of.subgroup);
    if (!wrong.empty()) std::printf("%s: %s\n", of.name.c_str(), wrong.c_str());
    return wrong.empty();
}

bool Program::run(const Case& of) {
    random_.seed(static_cast<unsigned>(of.name.size()));
    std::fill_n(to_.data, kResultWords, 0);
    to_.data[1] = to_.data[3] = ~0u;  // minimum and conjunction of the atomic operations
    for (std::uint32_t i = 0; i < 4096; ++i) {
        addressed_.data[i] = from_.data[4095 - i] % 4096;
        addressed_.data[4096 + i] = 0;
    }
    auto give = make<VkCommandBufferAllocateInfo>(VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO);
    give.commandPool = m_.commands;
    give.commandBufferCount = 1;
    VkCommandBuffer c{};
    check(vkAllocateCommandBuffers(m_.device, &give, &c), "a command buffer");
    const auto begin = make<VkCommandBufferBeginInfo>(VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO);
    vkBeginCommandBuffer(c, &begin);
    const VkDescriptorSet images = new_image_set();
    if (of.image.format) give_image(c, of, images);
    for (const Step& step : of.steps)
        dispatch(c, of, step, images);
    check(vkEndCommandBuffer(c), "commands");
    auto info = make<VkSubmitInfo>(VK_STRUCTURE_TYPE_SUBMIT_INFO);
    info.commandBufferCount = 1;
    info.pCommandBuffers = &c;
    check(vkQueueSubmit(m_.queue, 1, &info, VK_NULL_HANDLE), "vkQueueSubmit");
    check(vkQueueWaitIdle(m_.queue), "vkQueueWaitIdle");
    if (of.subgroup) return check_subgroups(of);
    std::ofstream file(results_ + "/" + of.name, std::ios::binary);
    file.write(reinterpret_cast<const char*>(to_.data), std::streamsize{4} * of.words);
    if (of.name == "addresses")
        file.write(reinterpret_cast<const char*>(addressed_.data), std::streamsize{4} * 8193);
    return file.good();
}

}  // namespace

int main(int count, char** values) {
    constexpr int kFirstName = 5;
    if (count < kFirstName) return 2;
    const bool of_intel = std::strcmp(values[1], "Intel") == 0;
    Program program(values[1], values[2], static_cast<unsigned>(std::atoi(values[3])), values[4]);
    bool right = true;
    for (const Case& of : all_cases()) {
        bool wanted = count == kFirstName;
        for (int i = kFirstName; i < count; ++i)
            wanted = wanted || of.name.rfind(values[i], 0) == 0;
        if (wanted && (of_intel || !of.subgroup)) right = program.run(of) && right;
    }
    std::printf("%u dispatches\n", program.dispatches());
    return right ? 0 : 1;
}
