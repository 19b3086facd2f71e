// SPDX-License-Identifier: Apache-2.0
// Other ways to give shaders what they read and write.
#include <algorithm>

#include "tests/system/vulkan/advertised/lab.h"

namespace advertised {
namespace {

constexpr auto kBuffer = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
constexpr auto kConstants = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER;

void write_inline(Lab& lab, VkDescriptorSet set, std::uint32_t binding, std::uint32_t first,
                  const std::vector<std::uint32_t>& words) {
    auto data = make<VkWriteDescriptorSetInlineUniformBlock>(
        VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET_INLINE_UNIFORM_BLOCK);
    data.dataSize = static_cast<std::uint32_t>(4 * words.size());
    data.pData = words.data();
    auto write = make<VkWriteDescriptorSet>(VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET);
    write.pNext = &data;
    write.dstSet = set;
    write.dstBinding = binding;
    write.dstArrayElement = 4 * first;
    write.descriptorCount = data.dataSize;
    write.descriptorType = VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK;
    vkUpdateDescriptorSets(lab.m.device, 1, &write, 0, nullptr);
}
/// Two blocks in a set; a part of one is written anew before the second dispatch.
void inline_uniforms(Lab& lab) {
    const VkDescriptorSetLayout layout = lab.set_layout(
        {binding(0, VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK, 128), binding(1, kBuffer),
         binding(2, VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK, 4)});
    const VkDescriptorSet set = lab.set(layout);
    const VkPipelineLayout both = lab.layout({lab.words_layout, layout});
    const VkPipeline pipeline = lab.pipeline("inline_uniforms", both);
    lab.give(set, 1, kBuffer, lab.from.buffer);
    std::vector<std::uint32_t> first(32);
    for (std::uint32_t i = 0; i < 32; ++i)
        first[i] = (i + 1) * 2654435761u;
    write_inline(lab, set, 0, 0, first);
    write_inline(lab, set, 2, 0, {77});
    for (const bool anew : {false, true}) {
        if (anew) {
            std::fill_n(first.begin() + 20, 3, 123456789u);
            write_inline(lab, set, 0, 20, {first.begin() + 20, first.begin() + 23});
        }
        lab.submit([&](VkCommandBuffer c) {
            lab.dispatch(c, pipeline, both, {lab.words, set}, kItems / kGroup);
        });
        for (std::uint32_t i = 0; i < kItems; ++i)
            lab.expect_word(i, (lab.from.data[i] ^ first[i % 8 * 4 + i / 8 % 4]) + first[21] * 77);
    }
}

/// No set at all: three dispatches of one command buffer, each with other buffers.
void pushed(Lab& lab) {
    const VkDescriptorSetLayout layout =
        lab.set_layout({binding(0, kBuffer), binding(1, kBuffer), binding(2, kConstants)},
                       VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT_KHR);
    const VkPipelineLayout whole = lab.layout({layout});
    const VkPipeline pipeline = lab.pipeline("pushed", whole);
    const auto push = lab.function<PFN_vkCmdPushDescriptorSetKHR>("vkCmdPushDescriptorSetKHR");
    lab.submit([&](VkCommandBuffer c) {
        for (std::uint32_t i = 0; i < 3; ++i) {
            // The third changes the words alone.
            const VkDescriptorBufferInfo places[] = {{lab.from.buffer, 1024 * i, VK_WHOLE_SIZE},
                                                     {lab.to.buffer, 1024 * (i & 1), 1024},
                                                     {lab.from.buffer, 8192 + 256 * i, 256}};
            VkWriteDescriptorSet writes[3];
            for (std::uint32_t k = 0; k < 3; ++k) {
                writes[k] = make<VkWriteDescriptorSet>(VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET);
                writes[k].dstBinding = k;
                writes[k].descriptorCount = 1;
                writes[k].descriptorType = k == 2 ? kConstants : kBuffer;
                writes[k].pBufferInfo = &places[k];
            }
            push(c, VK_PIPELINE_BIND_POINT_COMPUTE, whole, 0, i == 2 ? 2 : 3, writes);
            lab.dispatch(c, pipeline, whole, {}, kItems / kGroup);
        }
    });
    const std::uint32_t* from = lab.from.data;
    for (std::uint32_t i = 0; i < kItems; ++i) {
        lab.expect_word(i, from[i] * from[2048] + from[512 + i] * from[2048 + 64]);
        lab.expect_word(kItems + i, from[256 + i] * from[2048 + 64]);
    }
}

/// One binding as a storage buffer, then as constants; a second set has it by a copy.
void mutable_kinds(Lab& lab) {
    const VkDescriptorType types[] = {kBuffer, kConstants, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE};
    const VkMutableDescriptorTypeListEXT lists[] = {{0, nullptr}, {3, types}};
    auto kinds = make<VkMutableDescriptorTypeCreateInfoEXT>(
        VK_STRUCTURE_TYPE_MUTABLE_DESCRIPTOR_TYPE_CREATE_INFO_EXT);
    kinds.mutableDescriptorTypeListCount = 2;
    kinds.pMutableDescriptorTypeLists = lists;
    const VkDescriptorSetLayout layout = lab.set_layout(
        {binding(0, kBuffer), binding(1, VK_DESCRIPTOR_TYPE_MUTABLE_EXT)}, 0, &kinds);
    const VkPipelineLayout both = lab.layout({lab.words_layout, layout});
    const VkDescriptorSet set = lab.set(layout), second = lab.set(layout);
    const auto dispatch = [&](const char* shader, VkDescriptorSet with) {
        lab.submit([&](VkCommandBuffer c) {
            lab.dispatch(c, lab.pipeline(shader, both), both, {lab.words, with}, kItems / kGroup);
        });
    };
    lab.give(set, 1, kBuffer, lab.from.buffer, 0, 2048);
    dispatch("mutable_storage", set);
    lab.give(set, 1, kConstants, lab.from.buffer, 0, 4096);
    dispatch("mutable_uniform", set);
    auto copy = make<VkCopyDescriptorSet>(VK_STRUCTURE_TYPE_COPY_DESCRIPTOR_SET);
    copy.srcSet = set;
    copy.dstSet = second;
    copy.srcBinding = copy.dstBinding = copy.descriptorCount = 1;
    vkUpdateDescriptorSets(lab.m.device, 0, nullptr, 1, &copy);
    dispatch("mutable_uniform", second);
    for (std::uint32_t i = 0; i < kItems; ++i) {
        const std::uint32_t word = lab.from.data[i];
        std::uint32_t value = word * lab.from.data[512 + i];
        for (int k = 0; k < 2; ++k)
            value = value * 3 + word * lab.from.data[1024 + i];
        lab.expect_word(i, value);
    }
}

/// Arrays without a size in the shader, of which half the places hold nothing; what they hold is
/// given after they are bound.
void indexing(Lab& lab) {
    constexpr std::uint32_t kMost = 64, kBuffers = 37, kImages = 5;
    constexpr auto kImage = VK_DESCRIPTOR_TYPE_STORAGE_IMAGE;
    const VkDescriptorBindingFlags flags = VK_DESCRIPTOR_BINDING_UPDATE_AFTER_BIND_BIT |
                                           VK_DESCRIPTOR_BINDING_PARTIALLY_BOUND_BIT |
                                           VK_DESCRIPTOR_BINDING_VARIABLE_DESCRIPTOR_COUNT_BIT;
    auto of_bindings = make<VkDescriptorSetLayoutBindingFlagsCreateInfo>(
        VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_BINDING_FLAGS_CREATE_INFO);
    of_bindings.bindingCount = 1;
    of_bindings.pBindingFlags = &flags;
    auto counts = make<VkDescriptorSetVariableDescriptorCountAllocateInfo>(
        VK_STRUCTURE_TYPE_DESCRIPTOR_SET_VARIABLE_DESCRIPTOR_COUNT_ALLOCATE_INFO);
    counts.descriptorSetCount = 1;
    VkDescriptorSetLayout layouts[2];
    VkDescriptorSet sets[2];
    const std::uint32_t sizes[] = {kBuffers, kImages};
    for (unsigned k = 0; k < 2; ++k) {
        layouts[k] = lab.set_layout({binding(0, k ? kImage : kBuffer, k ? 16 : kMost)},
                                    VK_DESCRIPTOR_SET_LAYOUT_CREATE_UPDATE_AFTER_BIND_POOL_BIT,
                                    &of_bindings);
        counts.pDescriptorCounts = &sizes[k];
        sets[k] = lab.set(layouts[k], &counts);
    }
    const VkPipelineLayout all = lab.layout({lab.words_layout, layouts[0], layouts[1]});
    std::vector<VkImage> images;
    const VkCommandBuffer c = lab.begin();
    for (std::uint32_t k = 0; k < kImages; ++k) {
        images.push_back(lab.image(picture(VK_FORMAT_R32_UINT, 4, 4, VK_IMAGE_USAGE_STORAGE_BIT)));
        lab.fill(c, images[k], VK_IMAGE_ASPECT_COLOR_BIT, {4, 4, 1}, 1, lab.from.buffer,
                 4096 + 64 * k);
    }
    lab.dispatch(c, lab.pipeline("indexing", all), all, {lab.words, sets[0], sets[1]},
                 kItems / kGroup);
    lab.end(c);
    for (std::uint32_t k = 0; k < kBuffers; k += 2)
        lab.give(sets[0], 0, kBuffer, lab.from.buffer, k, 256 * k);
    for (std::uint32_t k = 0; k < kImages; ++k)
        lab.give(sets[1], 0, kImage, lab.view(images[k], VK_FORMAT_R32_UINT), VK_NULL_HANDLE,
                 kGeneral, k);
    lab.submit(c);
    for (std::uint32_t i = 0; i < kItems; ++i) {
        const std::uint32_t* from = lab.from.data;
        const std::uint32_t which = from[i] >> 8;
        lab.expect_word(2 * i, from[64 * (which % 19 * 2) + i % 50]);
        lab.expect_word(2 * i + 1, from[1024 + 16 * (which % 5) + i % 16]);
    }
}

/// Arrays of every kind in one set that is bound before it is given anything; the last place of each
/// is given something else while the shader, which does not look at it, may run.
void late_updates(Lab& lab) {
    constexpr auto kPicture = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER,
                   kImage = VK_DESCRIPTOR_TYPE_STORAGE_IMAGE,
                   kTexels = VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER,
                   kStoredTexels = VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER,
                   kInline = VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK;
    constexpr VkDescriptorType kKinds[] = {kConstants, kBuffer, kPicture,
                                           kImage,     kTexels, kStoredTexels};
    std::vector<Binding> bindings;
    for (std::uint32_t k = 0; k < 6; ++k)
        bindings.push_back(binding(k, kKinds[k], 3));
    bindings.push_back(binding(6, kInline, 16));
    const std::vector<VkDescriptorBindingFlags> flags(
        bindings.size(), VK_DESCRIPTOR_BINDING_UPDATE_AFTER_BIND_BIT |
                             VK_DESCRIPTOR_BINDING_PARTIALLY_BOUND_BIT |
                             VK_DESCRIPTOR_BINDING_UPDATE_UNUSED_WHILE_PENDING_BIT);
    auto of_bindings = make<VkDescriptorSetLayoutBindingFlagsCreateInfo>(
        VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_BINDING_FLAGS_CREATE_INFO);
    of_bindings.bindingCount = static_cast<std::uint32_t>(flags.size());
    of_bindings.pBindingFlags = flags.data();
    const VkDescriptorSetLayout layout = lab.set_layout(
        bindings, VK_DESCRIPTOR_SET_LAYOUT_CREATE_UPDATE_AFTER_BIND_POOL_BIT, &of_bindings);
    const VkPipelineLayout both = lab.layout({lab.words_layout, layout});
    const VkDescriptorSet set = lab.set(layout);
    const auto of_sampler = make<VkSamplerCreateInfo>(VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO);
    VkSampler sampler{};
    check(vkCreateSampler(lab.m.device, &of_sampler, nullptr, &sampler), "a sampler");
    // Everything is of `from`: a kind's elements begin at places of their own.
    const auto place = [](std::uint32_t kind, std::uint32_t element) {
        return 64 * (3 * kind + element + 1);
    };
    std::vector<VkImageView> views;
    const VkCommandBuffer c = lab.begin();
    for (std::uint32_t k = 0; k < 4; ++k) {
        const VkImage image = lab.image(picture(
            VK_FORMAT_R32_UINT, 4, 4, VK_IMAGE_USAGE_STORAGE_BIT | VK_IMAGE_USAGE_SAMPLED_BIT));
        lab.fill(c, image, VK_IMAGE_ASPECT_COLOR_BIT, {4, 4, 1}, 1, lab.from.buffer,
                 4 * place(2 + k / 2, k % 2));
        views.push_back(lab.view(image, VK_FORMAT_R32_UINT));
    }
    lab.dispatch(c, lab.pipeline("late_updates", both), both, {lab.words, set}, kItems / kGroup);
    lab.end(c);
    const auto give = [&](std::uint32_t e, std::uint32_t of) {
        for (const std::uint32_t k : {0u, 1u})
            lab.give(set, k, kKinds[k], lab.from.buffer, e, 4 * place(k, of), 256);
        for (const std::uint32_t k : {2u, 3u})
            lab.give(set, k, kKinds[k], views[2 * (k - 2) + of % 2], sampler, kGeneral, e);
        for (const std::uint32_t k : {4u, 5u})
            lab.give(set, k, kKinds[k],
                     lab.texels(lab.from.buffer, VK_FORMAT_R32_UINT, 4 * place(k, of), 240), e);
    };
    give(0, 0);
    give(1, 1);
    const std::uint32_t which = 1;
    auto words = make<VkWriteDescriptorSetInlineUniformBlock>(
        VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET_INLINE_UNIFORM_BLOCK);
    words.dataSize = sizeof which;
    words.pData = &which;
    auto write = make<VkWriteDescriptorSet>(VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET);
    write.pNext = &words;
    write.dstSet = set;
    write.dstBinding = 6;
    write.descriptorCount = sizeof which;
    write.descriptorType = kInline;
    vkUpdateDescriptorSets(lab.m.device, 1, &write, 0, nullptr);
    auto info = make<VkSubmitInfo>(VK_STRUCTURE_TYPE_SUBMIT_INFO);
    info.commandBufferCount = 1;
    info.pCommandBuffers = &c;
    check(vkQueueSubmit(lab.m.queue, 1, &info, VK_NULL_HANDLE), "a submission");
    give(2, 2);
    check(vkQueueWaitIdle(lab.m.queue), "waiting for the queue");
    for (std::uint32_t i = 0; i < kItems; ++i) {
        const std::uint32_t* const from = lab.from.data;
        const std::uint32_t e = from[i] >> 8 & 1, at = i % 16, few = i % 32;
        const std::uint32_t *some = from + place(0, which), *bytes = some + 8;
        lab.expect_word(6 * i, (some[at / 2] >> 16 * (at % 2) & 0xFFFF) |
                                   (bytes[few / 4] >> 8 * (few % 4) & 0xFF) << 16);
        const std::uint32_t places[] = {0, i % 50, at, at, i % 60, i % 60};
        for (std::uint32_t k = 1; k < 6; ++k)
            lab.expect_word(6 * i + k, from[place(k, e) + places[k]]);
    }
}

}  // namespace

std::vector<Case> descriptor_cases() {
    return {{"inline_uniforms", VK_EXT_INLINE_UNIFORM_BLOCK_EXTENSION_NAME, inline_uniforms},
            {"pushed", VK_KHR_PUSH_DESCRIPTOR_EXTENSION_NAME, pushed},
            {"mutable_kinds", VK_EXT_MUTABLE_DESCRIPTOR_TYPE_EXTENSION_NAME, mutable_kinds},
            {"indexing", VK_EXT_DESCRIPTOR_INDEXING_EXTENSION_NAME, indexing},
            {"late_updates", VK_EXT_DESCRIPTOR_INDEXING_EXTENSION_NAME, late_updates}};
}

}  // namespace advertised
