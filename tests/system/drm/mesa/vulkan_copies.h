// SPDX-License-Identifier: Apache-2.0
/// What a program does to buffers beside its dispatches: copies, fills, updates.
#pragma once
#include <cstdint>
#include <cstdio>
#include <functional>

#include "tests/system/drm/mesa/vulkan_machine.h"

namespace vulkan {

/// Runs commands and waits for them.
inline void run_commands(const Machine& m, const std::function<void(VkCommandBuffer)>& record) {
    auto give = make<VkCommandBufferAllocateInfo>(VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO);
    give.commandPool = m.commands;
    give.commandBufferCount = 1;
    VkCommandBuffer commands{};
    check(vkAllocateCommandBuffers(m.device, &give, &commands), "a command buffer");
    const auto begin = make<VkCommandBufferBeginInfo>(VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO);
    vkBeginCommandBuffer(commands, &begin);
    record(commands);
    check(vkEndCommandBuffer(commands), "commands");
    auto info = make<VkSubmitInfo>(VK_STRUCTURE_TYPE_SUBMIT_INFO);
    info.commandBufferCount = 1;
    info.pCommandBuffers = &commands;
    check(vkQueueSubmit(m.queue, 1, &info, VK_NULL_HANDLE), "vkQueueSubmit");
    check(vkQueueWaitIdle(m.queue), "vkQueueWaitIdle");
}

/// Counts the words that are wrong.
inline std::uint32_t wrong_words(const char* what, const Words& of, std::uint32_t count,
                                 const std::function<std::uint32_t(std::uint32_t)>& must_be) {
    std::uint32_t wrong = 0;
    for (std::uint32_t i = 0; i < count; ++i)
        wrong += of.data[i] != must_be(i);
    std::printf("%s: %u of %u words wrong\n", what, wrong, count);
    return wrong;
}

inline int copies(const Machine& m) {
    constexpr std::uint32_t kWords = 1024, kFill = 0xDEADBEEF;
    constexpr VkBufferUsageFlags kUsage =
        VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT;
    const Words from(m, kWords, kUsage), whole(m, kWords, kUsage), pieces(m, kWords, kUsage),
        filled(m, kWords, kUsage);
    const auto value = [](std::uint32_t i) { return i * 7 + 1; };
    std::uint32_t update[64];
    for (std::uint32_t i = 0; i < kWords; ++i) {
        from.data[i] = value(i);
        whole.data[i] = pieces.data[i] = filled.data[i] = 0;
    }
    for (std::uint32_t i = 0; i < 64; ++i)
        update[i] = 1000 + i;

    run_commands(m, [&](VkCommandBuffer c) {
        const VkBufferCopy all{0, 0, kWords * 4};
        vkCmdCopyBuffer(c, from.buffer, whole.buffer, 1, &all);
        // 100 words from 1 to 3, and 9 from 250 to 500.
        const VkBufferCopy two[] = {{4, 12, 400}, {1000, 2000, 36}};
        vkCmdCopyBuffer(c, from.buffer, pieces.buffer, 2, two);
    });
    run_commands(m, [&](VkCommandBuffer c) {
        vkCmdFillBuffer(c, filled.buffer, 16, (kWords - 8) * 4, kFill);
    });
    run_commands(m, [&](VkCommandBuffer c) {
        vkCmdUpdateBuffer(c, filled.buffer, 256, sizeof update, update);
    });

    std::uint32_t wrong = wrong_words("vkCmdCopyBuffer", whole, kWords, value);
    wrong += wrong_words("vkCmdCopyBuffer, pieces", pieces, kWords, [&](std::uint32_t i) {
        if (i >= 3 && i < 103) return value(i - 2);
        return i >= 500 && i < 509 ? value(i - 250) : 0;
    });
    wrong +=
        wrong_words("vkCmdFillBuffer and vkCmdUpdateBuffer", filled, kWords, [&](std::uint32_t i) {
            if (i >= 64 && i < 128) return update[i - 64];
            return i < 4 || i >= kWords - 4 ? 0 : kFill;
        });
    return wrong ? 1 : 0;
}

}  // namespace vulkan
