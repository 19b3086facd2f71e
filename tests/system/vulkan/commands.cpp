// SPDX-License-Identifier: Apache-2.0
// Render passes, command buffers, indirect draws, queries.
#include "scene_shaders.h"
#include "tests/system/vulkan/scene.h"

namespace scenes {
namespace {

Look plain() {
    return {.vertex = plain_vert, .fragment = plain_frag, .input = plain_vertices()};
}
VkAttachmentDescription attachment(VkFormat format, VkAttachmentLoadOp load, VkImageLayout before,
                                   VkImageLayout after) {
    return {0,
            format,
            VK_SAMPLE_COUNT_1_BIT,
            load,
            VK_ATTACHMENT_STORE_OP_STORE,
            load,
            VK_ATTACHMENT_STORE_OP_STORE,
            before,
            after};
}
struct Pass {
    VkRenderPass pass{};
    VkFramebuffer frame{};
};
Pass render_pass(Canvas& c, const std::vector<VkAttachmentDescription>& attachments,
                 const std::vector<VkSubpassDescription>& subpasses,
                 const std::vector<VkSubpassDependency>& dependencies,
                 const std::vector<VkImageView>& views) {
    Pass made;
    auto info = make<VkRenderPassCreateInfo>(VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO);
    info.attachmentCount = static_cast<std::uint32_t>(attachments.size());
    info.pAttachments = attachments.data();
    info.subpassCount = static_cast<std::uint32_t>(subpasses.size());
    info.pSubpasses = subpasses.data();
    info.dependencyCount = static_cast<std::uint32_t>(dependencies.size());
    info.pDependencies = dependencies.data();
    check(vkCreateRenderPass(c.device, &info, nullptr, &made.pass), "a render pass");
    auto of_frame = make<VkFramebufferCreateInfo>(VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO);
    of_frame.renderPass = made.pass;
    of_frame.attachmentCount = static_cast<std::uint32_t>(views.size());
    of_frame.pAttachments = views.data();
    of_frame.width = of_frame.height = kSize;
    of_frame.layers = 1;
    check(vkCreateFramebuffer(c.device, &of_frame, nullptr, &made.frame), "a framebuffer");
    c.later([device = c.device, made] {
        vkDestroyFramebuffer(device, made.frame, nullptr);
        vkDestroyRenderPass(device, made.pass, nullptr);
    });
    return made;
}
void begin(Canvas& c, const Pass& pass, const std::vector<VkClearValue>& values,
           VkRect2D area = {{0, 0}, {kSize, kSize}},
           VkSubpassContents contents = VK_SUBPASS_CONTENTS_INLINE) {
    auto info = make<VkRenderPassBeginInfo>(VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO);
    info.renderPass = pass.pass;
    info.framebuffer = pass.frame;
    info.renderArea = area;
    info.clearValueCount = static_cast<std::uint32_t>(values.size());
    info.pClearValues = values.data();
    vkCmdBeginRenderPass(c.commands, &info, contents);
    if (contents == VK_SUBPASS_CONTENTS_INLINE) c.whole_viewport();
}
constexpr VkAttachmentReference kColor{0, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL};
VkSubpassDescription one_color() {
    VkSubpassDescription made{};
    made.colorAttachmentCount = 1;
    made.pColorAttachments = &kColor;
    return made;
}
VkClearValue value(const Color& color) {
    VkClearValue made;
    std::memcpy(made.color.float32, color.data(), 16);
    return made;
}
Pass simple_pass(Canvas& c, VkAttachmentLoadOp load) {
    const auto before = load == VK_ATTACHMENT_LOAD_OP_LOAD
                            ? VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL
                            : VK_IMAGE_LAYOUT_UNDEFINED;
    c.target.layout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL;
    return render_pass(c, {attachment(kTargetFormat, load, before, c.target.layout)}, {one_color()},
                       {}, {c.target.view});
}
/// The clear of the whole, then of a part.
void cleared_by_load(Canvas& c) {
    const Pass pass = simple_pass(c, VK_ATTACHMENT_LOAD_OP_CLEAR);
    begin(c, pass, {value({0.2f, 0.4f, 0.6f, 0.8f})});
    vkCmdEndRenderPass(c.commands);
}
void part_cleared(Canvas& c) {
    c.begin();
    c.end();
    c.wait_for_all();
    auto one = make<VkRenderingAttachmentInfo>(VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO);
    one.imageView = c.target.view;
    one.imageLayout = c.target.layout;
    one.loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
    one.storeOp = VK_ATTACHMENT_STORE_OP_STORE;
    one.clearValue = value({0.9f, 0.3f, 0.1f, 0.5f});
    auto info = make<VkRenderingInfo>(VK_STRUCTURE_TYPE_RENDERING_INFO);
    info.renderArea = {{5, 9}, {37, 41}};
    info.layerCount = info.colorAttachmentCount = 1;
    info.pColorAttachments = &one;
    vkCmdBeginRendering(c.commands, &info);
    vkCmdEndRendering(c.commands);
}
void kept_by_load(Canvas& c) {
    Pass pass = simple_pass(c, VK_ATTACHMENT_LOAD_OP_CLEAR);
    begin(c, pass, {value(kBackground)});
    Look look = plain();
    look.pass = pass.pass;
    c.use(look);
    c.rectangle(-0.8f, -0.8f, 0.2f, 0.2f, 0, kRed);
    vkCmdEndRenderPass(c.commands);
    c.wait_for_all();
    pass = simple_pass(c, VK_ATTACHMENT_LOAD_OP_LOAD);
    begin(c, pass, {});
    look.pass = pass.pass;
    c.use(look);
    c.rectangle(-0.2f, -0.2f, 0.8f, 0.8f, 0, kGreen);
    vkCmdEndRenderPass(c.commands);
}
void cleared_attachments(Canvas& c) {
    Image depth = c.image({.format = VK_FORMAT_D24_UNORM_S8_UINT,
                           .usage = VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT});
    c.begin({&c.target}, &depth);
    VkClearAttachment what{VK_IMAGE_ASPECT_COLOR_BIT, 0, value({1, 0.2f, 0.4f, 0.6f})};
    const VkClearRect some[] = {
        {{{3, 5}, {20, 30}}, 0, 1}, {{{31, 33}, {33, 31}}, 0, 1}, {{{40, 1}, {1, 1}}, 0, 1}};
    vkCmdClearAttachments(c.commands, 1, &what, 3, some);
    what.aspectMask = VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT;
    what.clearValue.depthStencil = {0.25f, 9};
    const VkClearRect part{{{10, 10}, {40, 20}}, 0, 1};
    vkCmdClearAttachments(c.commands, 1, &what, 1, &part);
    Look look = plain();
    look.depth_format = depth.kind.format;
    look.depth.depthTestEnable = VK_TRUE;
    look.depth.depthCompareOp = VK_COMPARE_OP_LESS;
    c.use(look);
    c.rectangle(-0.9f, -0.1f, 0.9f, 0.1f, 0.5f, kGreen);
    look.depth.depthTestEnable = VK_FALSE;
    look.depth.stencilTestEnable = VK_TRUE;
    look.depth.front = look.depth.back = {VK_STENCIL_OP_KEEP,
                                          VK_STENCIL_OP_KEEP,
                                          VK_STENCIL_OP_KEEP,
                                          VK_COMPARE_OP_EQUAL,
                                          0xFF,
                                          0,
                                          9};
    c.use(look);
    c.rectangle(-0.1f, -0.9f, 0.1f, 0.9f, 0.5f, kBlue);
    c.end();
}
/// Two subpasses: the second reads what the first drew, at its own pixel.
void input_attachments(Canvas& c) {
    constexpr VkImageUsageFlags usage =
        VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT;
    Image first = c.image({.usage = usage});
    Image depth = c.image({.format = VK_FORMAT_D32_SFLOAT,
                           .usage = VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT |
                                    VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT});
    const VkAttachmentReference color{0, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL},
        deep{1, VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL},
        result{2, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL};
    const VkAttachmentReference inputs[] = {{0, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL},
                                            {1, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL}};
    std::vector<VkSubpassDescription> subpasses(2);
    subpasses[0].colorAttachmentCount = subpasses[1].colorAttachmentCount = 1;
    subpasses[0].pColorAttachments = &color;
    subpasses[0].pDepthStencilAttachment = &deep;
    subpasses[1].pColorAttachments = &result;
    subpasses[1].inputAttachmentCount = 2;
    subpasses[1].pInputAttachments = inputs;
    const VkSubpassDependency dependency{
        0,
        1,
        VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT | VK_PIPELINE_STAGE_LATE_FRAGMENT_TESTS_BIT,
        VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT,
        VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT | VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT,
        VK_ACCESS_INPUT_ATTACHMENT_READ_BIT,
        VK_DEPENDENCY_BY_REGION_BIT};
    const auto clear = VK_ATTACHMENT_LOAD_OP_CLEAR;
    const Pass pass =
        render_pass(c,
                    {attachment(kTargetFormat, clear, VK_IMAGE_LAYOUT_UNDEFINED,
                                VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL),
                     attachment(VK_FORMAT_D32_SFLOAT, clear, VK_IMAGE_LAYOUT_UNDEFINED,
                                VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL),
                     attachment(kTargetFormat, clear, VK_IMAGE_LAYOUT_UNDEFINED,
                                VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL)},
                    subpasses, {dependency}, {first.view, depth.view, c.target.view});
    c.target.layout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL;
    VkClearValue far{};
    far.depthStencil = {0.75f, 0};
    begin(c, pass, {value(kBackground), far, value(kWhite)});
    Look look = plain();
    look.pass = pass.pass;
    look.depth.depthTestEnable = look.depth.depthWriteEnable = VK_TRUE;
    look.depth.depthCompareOp = VK_COMPARE_OP_LESS;
    c.use(look);
    c.rectangle(-0.8f, -0.8f, 0.3f, 0.3f, 0.5f, {1, 0.5f, 0, 1});
    c.rectangle(-0.2f, -0.3f, 0.8f, 0.8f, 0.25f, {0, 0.75f, 0.25f, 1});
    vkCmdNextSubpass(c.commands, VK_SUBPASS_CONTENTS_INLINE);
    c.use({.vertex = full_vert, .fragment = inputs_frag, .pass = pass.pass, .subpass = 1});
    first.layout = depth.layout = VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL;
    c.bind({.inputs = {&first, &depth}});
    c.draw(3);
    vkCmdEndRenderPass(c.commands);
}
void secondary(Canvas& c) {
    const Pass pass = simple_pass(c, VK_ATTACHMENT_LOAD_OP_CLEAR);
    auto wanted = make<VkCommandBufferAllocateInfo>(VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO);
    wanted.commandPool = c.machine.commands;
    wanted.level = VK_COMMAND_BUFFER_LEVEL_SECONDARY;
    wanted.commandBufferCount = 2;
    VkCommandBuffer seconds[2];
    check(vkAllocateCommandBuffers(c.device, &wanted, seconds), "secondary command buffers");
    c.later([&machine = c.machine, a = seconds[0], b = seconds[1]] {
        const VkCommandBuffer both[] = {a, b};
        vkFreeCommandBuffers(machine.device, machine.commands, 2, both);
    });
    const VkCommandBuffer primary = c.commands;
    Look look = plain();
    look.pass = pass.pass;
    for (int i = 0; i < 2; ++i) {
        auto inherited =
            make<VkCommandBufferInheritanceInfo>(VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO);
        inherited.renderPass = pass.pass;
        auto info = make<VkCommandBufferBeginInfo>(VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO);
        info.flags = VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT |
                     VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT;
        info.pInheritanceInfo = &inherited;
        c.commands = seconds[i];
        check(vkBeginCommandBuffer(c.commands, &info), "a secondary command buffer");
        c.whole_viewport();
        c.use(look);
        const float x = static_cast<float>(i) * 0.6f;
        c.rectangle(-0.8f + x, -0.8f + x, 0.1f + x, 0.1f + x, 0, i ? kGreen : kRed);
        check(vkEndCommandBuffer(c.commands), "a secondary command buffer's end");
    }
    c.commands = primary;
    begin(c, pass, {value(kBackground)}, {{0, 0}, {kSize, kSize}},
          VK_SUBPASS_CONTENTS_SECONDARY_COMMAND_BUFFERS);
    const VkCommandBuffer order[] = {seconds[1], seconds[0]};
    vkCmdExecuteCommands(c.commands, 2, order);
    vkCmdEndRenderPass(c.commands);
}
void indirect(Canvas& c) {
    const std::vector<VkDrawIndirectCommand> plain_draws{{4, 3, 0, 0}, {4, 0, 0, 0}, {4, 5, 4, 2}};
    const std::vector<std::uint32_t> indices{0, 1, 2, 3, 7, 6, 5, 4};
    const std::vector<VkDrawIndexedIndirectCommand> indexed_draws{{4, 2, 0, 0, 3}, {4, 4, 4, 4, 1}};
    c.begin();
    const Look look{.vertex = draws_vert,
                    .fragment = flat_frag,
                    .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP};
    c.use(look);
    vkCmdDrawIndirect(c.commands, c.buffer(plain_draws).buffer, 0, 3,
                      sizeof(VkDrawIndirectCommand));
    const VkViewport below{0, 16, 64, 64, 0, 1};
    vkCmdSetViewport(c.commands, 0, 1, &below);
    vkCmdBindIndexBuffer(c.commands, c.buffer(indices).buffer, 0, VK_INDEX_TYPE_UINT32);
    vkCmdDrawIndexedIndirect(c.commands, c.buffer(indexed_draws).buffer, 0, 2,
                             sizeof(VkDrawIndexedIndirectCommand));
    c.end();
}
void indirect_count(Canvas& c) {
    std::vector<VkDrawIndirectCommand> draws;
    for (std::uint32_t i = 0; i < 4; ++i)
        draws.push_back({4, 2 + i, 0, i});
    const std::vector<std::uint32_t> counts{7, 3, 1};
    c.begin();
    c.use({.vertex = draws_vert,
           .fragment = flat_frag,
           .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP});
    const Buffer all = c.buffer(draws);
    vkCmdDrawIndirectCount(c.commands, all.buffer, 0, c.buffer(counts).buffer, 4, 4,
                           sizeof(VkDrawIndirectCommand));
    c.end();
}
VkQueryPool queries(Canvas& c, VkQueryType type, std::uint32_t count) {
    auto info = make<VkQueryPoolCreateInfo>(VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO);
    info.queryType = type;
    info.queryCount = count;
    VkQueryPool made{};
    check(vkCreateQueryPool(c.device, &info, nullptr, &made), "a query pool");
    c.later([device = c.device, made] { vkDestroyQueryPool(device, made, nullptr); });
    vkCmdResetQueryPool(c.commands, made, 0, count);
    return made;
}
/// Exact numbers of samples that pass, copied on the device and drawn as bars.
void occlusion(Canvas& c) {
    Image depth = c.image(
        {.format = VK_FORMAT_D16_UNORM, .usage = VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT});
    const VkQueryPool pool = queries(c, VK_QUERY_TYPE_OCCLUSION, 8);
    c.begin({&c.target}, &depth);
    Look look = plain();
    look.depth_format = depth.kind.format;
    look.depth.depthTestEnable = look.depth.depthWriteEnable = VK_TRUE;
    look.depth.depthCompareOp = VK_COMPARE_OP_LESS;
    c.use(look);
    for (std::uint32_t i = 0; i < 8; ++i) {
        vkCmdBeginQuery(c.commands, pool, i, VK_QUERY_CONTROL_PRECISE_BIT);
        const float step = static_cast<float>(i) / 8;
        if (i != 3)
            c.rectangle(-0.9f, -0.9f, 0.8f - step, 0.8f - step,
                        0.3f + (i % 2 ? step / 4 : -step / 4), {step, 1 - step, 0, 1});
        if (i == 5)
            c.draw_plain({-3, -1, 0.01f, 1, 1, 1, 1,     1, 1, -0.5f, 0.01f, 1,
                          1,  1,  1,     1, 0, 4, 0.01f, 1, 1, 1,     1,     1});
        vkCmdEndQuery(c.commands, pool, i);
    }
    c.end();
    const Buffer counts = c.buffer(32);
    vkCmdCopyQueryPoolResults(c.commands, pool, 0, 8, counts.buffer, 0, 4,
                              VK_QUERY_RESULT_WAIT_BIT);
    c.wait_for_all();
    c.begin();
    c.use({.vertex = full_vert, .fragment = bars_frag});
    c.bind({.storage = {counts}});
    c.push(std::uint32_t{4096});
    c.draw(3);
    c.end();
}
/// Green if time goes on around draws.
void timestamps(Canvas& c) {
    const VkQueryPool pool = queries(c, VK_QUERY_TYPE_TIMESTAMP, 3);
    vkCmdWriteTimestamp(c.commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, pool, 0);
    c.begin();
    c.use(plain());
    c.rectangle(-0.9f, -0.9f, 0, 0, 0, kRed);
    vkCmdWriteTimestamp(c.commands, VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT, pool, 1);
    c.rectangle(-0.5f, -0.5f, 0.9f, 0.2f, 0, kBlue);
    c.end();
    vkCmdWriteTimestamp(c.commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, pool, 2);
    c.submit();
    std::uint64_t times[3] = {};
    check(vkGetQueryPoolResults(c.device, pool, 0, 3, sizeof times, times, 8,
                                VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT),
          "times");
    c.begin({&c.target}, nullptr, false);
    c.use(plain());
    c.rectangle(-0.9f, 0.4f, 0.9f, 0.9f, 0,
                times[0] > 0 && times[0] <= times[1] && times[1] <= times[2] ? kGreen : kRed);
    c.end();
}
/// One pipeline, whose state is given by commands.
void dynamic_states(Canvas& c) {
    Image depth = c.image({.format = VK_FORMAT_D24_UNORM_S8_UINT,
                           .usage = VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT});
    c.begin({&c.target}, &depth);
    Look look = plain();
    look.depth_format = depth.kind.format;
    look.dynamic = {VK_DYNAMIC_STATE_CULL_MODE,           VK_DYNAMIC_STATE_FRONT_FACE,
                    VK_DYNAMIC_STATE_PRIMITIVE_TOPOLOGY,  VK_DYNAMIC_STATE_DEPTH_TEST_ENABLE,
                    VK_DYNAMIC_STATE_DEPTH_WRITE_ENABLE,  VK_DYNAMIC_STATE_DEPTH_COMPARE_OP,
                    VK_DYNAMIC_STATE_STENCIL_TEST_ENABLE, VK_DYNAMIC_STATE_STENCIL_OP,
                    VK_DYNAMIC_STATE_STENCIL_REFERENCE,   VK_DYNAMIC_STATE_STENCIL_COMPARE_MASK,
                    VK_DYNAMIC_STATE_STENCIL_WRITE_MASK};
    c.use(look);
    for (int i = 0; i < 8; ++i) {
        vkCmdSetCullMode(c.commands, i & 1 ? VK_CULL_MODE_BACK_BIT : VK_CULL_MODE_NONE);
        vkCmdSetFrontFace(c.commands,
                          i & 2 ? VK_FRONT_FACE_CLOCKWISE : VK_FRONT_FACE_COUNTER_CLOCKWISE);
        vkCmdSetPrimitiveTopology(c.commands, i & 4 ? VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP
                                                    : VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST);
        vkCmdSetDepthTestEnable(c.commands, i & 1);
        vkCmdSetDepthWriteEnable(c.commands, i & 1);
        vkCmdSetDepthCompareOp(c.commands, i & 2 ? VK_COMPARE_OP_GREATER : VK_COMPARE_OP_LESS);
        vkCmdSetStencilTestEnable(c.commands, i >= 2);
        vkCmdSetStencilOp(c.commands, VK_STENCIL_FACE_FRONT_AND_BACK, VK_STENCIL_OP_KEEP,
                          VK_STENCIL_OP_INCREMENT_AND_WRAP, VK_STENCIL_OP_KEEP,
                          i == 6 ? VK_COMPARE_OP_EQUAL : VK_COMPARE_OP_ALWAYS);
        vkCmdSetStencilReference(c.commands, VK_STENCIL_FACE_FRONT_AND_BACK, 2);
        vkCmdSetStencilCompareMask(c.commands, VK_STENCIL_FACE_FRONT_AND_BACK, 3);
        vkCmdSetStencilWriteMask(c.commands, VK_STENCIL_FACE_FRONT_AND_BACK, 0xFF);
        const float step = static_cast<float>(i) / 8;
        c.rectangle(-0.9f + step, -0.9f + step, 0.3f + step, 0.1f + step, 0.9f - step * 0.5f,
                    {step, 1 - step, static_cast<float>(i & 1), 1});
    }
    c.end();
}

}  // namespace

std::vector<Scene> commands() {
    return {
        {"cleared_by_load", "the clear of a render pass", 0, cleared_by_load},
        {"part_cleared", "a clear of a part", 1, part_cleared},
        {"kept_by_load", "a render pass that keeps what is there", 0, kept_by_load},
        {"cleared_attachments", "clears within a render pass", 0, cleared_attachments},
        {"input_attachments", "a subpass that reads what the one before drew", 1,
         input_attachments},
        {"secondary", "secondary command buffers", 0, secondary},
        {"indirect", "draws whose numbers are in memory", 1, indirect},
        {"indirect_count", "how many draws is in memory", 1, indirect_count},
        {"occlusion", "exact occlusion queries", 0, occlusion},
        {"timestamps", "timestamps around draws", 0, timestamps},
        {"dynamic_states", "state by commands", 0, dynamic_states},
    };
}

}  // namespace scenes
