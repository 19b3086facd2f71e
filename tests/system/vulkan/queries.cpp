// SPDX-License-Identifier: Apache-2.0
// Vertices that are written to buffers, counts of what the stages do, and commands that depend on
// values in memory. Counts are also held against those that are worked out here.
#include "scene_shaders.h"
#include "tests/system/vulkan/scene.h"

namespace scenes {
namespace {

class Queries {
  public:
    Queries(Canvas& c, VkQueryType type, std::uint32_t count,
            VkQueryPipelineStatisticFlags statistics = 0)
        : canvas_(c) {
        auto info = make<VkQueryPoolCreateInfo>(VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO);
        info.queryType = type;
        info.queryCount = count;
        info.pipelineStatistics = statistics;
        check(vkCreateQueryPool(c.device, &info, nullptr, &pool), "a query pool");
        c.later([device = c.device, pool = pool] { vkDestroyQueryPool(device, pool, nullptr); });
        vkCmdResetQueryPool(c.commands, pool, 0, count);
    }
    /// `values` of each query.
    [[nodiscard]] std::vector<std::uint64_t> results(std::uint32_t count, unsigned values) const {
        std::vector<std::uint64_t> all(std::size_t{count} * values);
        check(vkGetQueryPoolResults(canvas_.device, pool, 0, count, 8 * all.size(), all.data(),
                                    8 * values, VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT),
              "query results");
        return all;
    }
    VkQueryPool pool{};

  private:
    Canvas& canvas_;
};

/// A row of squares, green where the number is the wanted one. Prints the others.
void judge(Canvas& c, const char* what, const std::vector<std::uint64_t>& have,
           const std::vector<std::uint64_t>& want, float y = 0.8f) {
    c.use({.vertex = plain_vert, .fragment = plain_frag, .input = plain_vertices()});
    for (std::size_t i = 0; i < want.size(); ++i) {
        const float x = -0.95f + 0.15f * static_cast<float>(i);
        const bool good = i < have.size() && have[i] == want[i];
        c.rectangle(x, y, x + 0.1f, y + 0.1f, 0, good ? kGreen : kRed);
        if (!good)
            std::printf("%s %zu: %llu for %llu\n", what, i,
                        static_cast<unsigned long long>(i < have.size() ? have[i] : 0),
                        static_cast<unsigned long long>(want[i]));
    }
}

/// What is captured of vertices lies in its buffers, and is drawn by its count of bytes.
void captured(Canvas& c) {
    const auto bind = c.function<PFN_vkCmdBindTransformFeedbackBuffersEXT>(
        "vkCmdBindTransformFeedbackBuffersEXT");
    const auto begin =
        c.function<PFN_vkCmdBeginTransformFeedbackEXT>("vkCmdBeginTransformFeedbackEXT");
    const auto end = c.function<PFN_vkCmdEndTransformFeedbackEXT>("vkCmdEndTransformFeedbackEXT");
    const auto draw =
        c.function<PFN_vkCmdDrawIndirectByteCountEXT>("vkCmdDrawIndirectByteCountEXT");
    const Buffer vertices = c.buffer(4096), numbers = c.buffer(1024), counters = c.buffer(64);
    const VkBuffer both[] = {vertices.buffer, numbers.buffer};
    const VkDeviceSize from[] = {64, 16}, sizes[] = {4096 - 64, 1024 - 16};
    const VkDeviceSize places[] = {0, 32};
    const VkBuffer counter[] = {counters.buffer, counters.buffer};
    Queries queries(c, VK_QUERY_TYPE_TRANSFORM_FEEDBACK_STREAM_EXT, 2);
    c.begin();
    c.use({.vertex = captured_vert,
           .fragment = plain_frag,
           .input = plain_vertices(),
           .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP});
    c.vertices({-0.9f, -0.9f, 0,     1,    1,     0,    0, 1, 0.1f, -0.7f, 0,     1,    0, 1,
                0,     1,     -0.7f, 0.1f, 0,     1,    0, 0, 1,    1,     -0.1f, 0.2f, 0, 1,
                1,     1,     0,     1,    -0.5f, 0.3f, 0, 1, 0,    1,     1,     1});
    bind(c.commands, 0, 2, both, from, sizes);
    vkCmdBeginQuery(c.commands, queries.pool, 0, 0);
    begin(c.commands, 0, 2, nullptr, nullptr);
    c.draw(4);
    end(c.commands, 0, 2, counter, places);
    vkCmdEndQuery(c.commands, queries.pool, 0);
    c.end();
    c.wait_for_all();
    // It goes on where it was.
    c.begin({&c.target}, nullptr, false);
    c.use({.vertex = captured_vert,
           .fragment = plain_frag,
           .input = plain_vertices(),
           .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP,
           .discard = true});
    bind(c.commands, 0, 2, both, from, sizes);
    vkCmdBeginQuery(c.commands, queries.pool, 1, 0);
    begin(c.commands, 0, 2, counter, places);
    vkCmdDraw(c.commands, 3, 40, 2, 0);
    end(c.commands, 0, 2, counter, places);
    vkCmdEndQuery(c.commands, queries.pool, 1);
    c.end();
    c.wait_for_all();
    c.begin({&c.target}, nullptr, false);
    c.use({.vertex = shifted_vert, .fragment = plain_frag, .input = plain_vertices()});
    vkCmdBindVertexBuffers(c.commands, 0, 1, both, from);
    draw(c.commands, 1, 0, counters.buffer, 0, 0, 32);
    c.end();
    c.submit();
    // The buffers have room for 42 triangles of 96 bytes and 21 of 48.
    const std::vector<std::uint64_t> results = queries.results(2, 2);
    const Buffer sums = c.buffer(32);
    for (unsigned i = 0; i < 1024; ++i)
        sums.as<std::uint32_t>()[i / 256] += vertices.as<std::uint32_t>()[i] % 65521;
    for (unsigned i = 0; i < 256; ++i)
        sums.as<std::uint32_t>()[4 + i / 64] += numbers.as<std::uint32_t>()[i];
    const auto* bytes = counters.as<std::uint32_t>();
    c.begin({&c.target}, nullptr, false);
    judge(c, "primitives written and needed", results, {2, 2, 19, 40});
    judge(c, "bytes written", {bytes[0], bytes[8]}, {21 * 96, 21 * 48}, 0.6f);
    const VkRect2D rows{{0, 0}, {kSize, 4}};
    vkCmdSetScissor(c.commands, 0, 1, &rows);
    c.use({.vertex = full_vert, .fragment = bars_frag});
    c.bind({.storage = {sums}});
    c.push(std::uint32_t{1});
    c.draw(3);
    c.end();
}

/// Two streams of a geometry shader, each in a buffer of its own and with a count of its own.
void captured_streams(Canvas& c) {
    constexpr std::uint32_t kPoints = 8;
    const auto bind = c.function<PFN_vkCmdBindTransformFeedbackBuffersEXT>(
        "vkCmdBindTransformFeedbackBuffersEXT");
    const auto begin =
        c.function<PFN_vkCmdBeginTransformFeedbackEXT>("vkCmdBeginTransformFeedbackEXT");
    const auto end = c.function<PFN_vkCmdEndTransformFeedbackEXT>("vkCmdEndTransformFeedbackEXT");
    const auto count = c.function<PFN_vkCmdBeginQueryIndexedEXT>("vkCmdBeginQueryIndexedEXT");
    const auto counted = c.function<PFN_vkCmdEndQueryIndexedEXT>("vkCmdEndQueryIndexedEXT");
    const Buffer firsts = c.buffer(1024), seconds = c.buffer(1024);
    const VkBuffer both[] = {firsts.buffer, seconds.buffer};
    const VkDeviceSize from[] = {0, 0}, sizes[] = {1024, 1024};
    std::vector<float> data;
    for (std::uint32_t i = 0; i < kPoints; ++i)
        data.insert(data.end(), {0, 0, 0, 1, static_cast<float>(i), 0.5f, -1, 2});
    Queries queries(c, VK_QUERY_TYPE_TRANSFORM_FEEDBACK_STREAM_EXT, 2);
    c.begin();
    Look look{.vertex = plain_vert,
              .fragment = plain_frag,
              .input = plain_vertices(),
              .topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST,
              .discard = true};
    look.geometry = {two_streams_geom};
    c.use(look);
    c.vertices(data);
    bind(c.commands, 0, 2, both, from, sizes);
    count(c.commands, queries.pool, 0, 0, 0);
    count(c.commands, queries.pool, 1, 0, 1);
    begin(c.commands, 0, 0, nullptr, nullptr);
    c.draw(kPoints);
    end(c.commands, 0, 0, nullptr, nullptr);
    counted(c.commands, queries.pool, 1, 1);
    counted(c.commands, queries.pool, 0, 0);
    c.end();
    c.submit();
    std::vector<std::uint64_t> colors, want_colors, words, want_words;
    for (std::uint32_t i = 0; i < kPoints; ++i) {
        colors.push_back(static_cast<std::uint64_t>(firsts.as<float>()[4 * i] * 16));
        want_colors.push_back(std::uint64_t{16} * i);
        for (std::uint32_t k = 0; k < i % 3; ++k)
            want_words.push_back(std::uint64_t{i} << 8 | k);
    }
    for (std::size_t i = 0; i < want_words.size(); ++i)
        words.push_back(std::uint64_t{seconds.as<std::uint32_t>()[2 * i]} << 8 |
                        seconds.as<std::uint32_t>()[2 * i + 1]);
    c.begin({&c.target}, nullptr, false);
    judge(c, "points of streams, written and needed", queries.results(2, 2),
          {kPoints, kPoints, want_words.size(), want_words.size()}, 0.8f);
    judge(c, "the first stream", colors, want_colors, 0.6f);
    judge(c, "the second stream", words, want_words, 0.4f);
    c.end();
}

/// What each stage has done for draws that are easily counted.
void statistics(Canvas& c) {
    Queries generated(c, VK_QUERY_TYPE_PRIMITIVES_GENERATED_EXT, 1);
    Queries queries(c, VK_QUERY_TYPE_PIPELINE_STATISTICS, 3,
                    VK_QUERY_PIPELINE_STATISTIC_INPUT_ASSEMBLY_VERTICES_BIT |
                        VK_QUERY_PIPELINE_STATISTIC_INPUT_ASSEMBLY_PRIMITIVES_BIT |
                        VK_QUERY_PIPELINE_STATISTIC_VERTEX_SHADER_INVOCATIONS_BIT |
                        VK_QUERY_PIPELINE_STATISTIC_CLIPPING_INVOCATIONS_BIT |
                        VK_QUERY_PIPELINE_STATISTIC_CLIPPING_PRIMITIVES_BIT |
                        VK_QUERY_PIPELINE_STATISTIC_FRAGMENT_SHADER_INVOCATIONS_BIT);
    c.begin();
    c.use({.vertex = plain_vert, .fragment = plain_frag, .input = plain_vertices()});
    vkCmdBeginQuery(c.commands, queries.pool, 0, 0);
    c.rectangle(-0.5f, -0.5f, 0.25f, 0, 0, kBlue);  // 24 x 16 pixels
    vkCmdEndQuery(c.commands, queries.pool, 0);
    vkCmdBeginQuery(c.commands, queries.pool, 1, 0);
    vkCmdBeginQuery(c.commands, generated.pool, 0, 0);
    c.rectangle(1.5f, 1.5f, 2, 2, 0, kRed);  // outside
    c.rectangle(0.5f, 0.25f, 0.75f, 0.5f, 0, kGreen);
    vkCmdEndQuery(c.commands, generated.pool, 0);
    vkCmdEndQuery(c.commands, queries.pool, 1);
    vkCmdBeginQuery(c.commands, queries.pool, 2, 0);
    vkCmdEndQuery(c.commands, queries.pool, 2);
    c.end();
    c.submit();
    c.begin({&c.target}, nullptr, false);
    const std::vector<std::uint64_t> have = queries.results(3, 6);
    const auto of = [&](unsigned query, std::uint64_t pixels) {
        std::vector<std::uint64_t> all(have.begin() + 6 * query, have.begin() + 6 * query + 6);
        // Some drivers count pixels of whole blocks.
        if (all[5] >= pixels && all[5] <= 4 * pixels) all[5] = pixels;
        return all;
    };
    judge(c, "statistics of a rectangle", of(0, 24 * 16), {6, 2, 6, 2, 2, 24 * 16}, 0.8f);
    judge(c, "statistics of two", of(1, 8 * 8), {12, 4, 12, 4, 2, 8 * 8}, 0.65f);
    judge(c, "primitives generated", generated.results(1, 1), {4}, 0.35f);
    judge(c, "statistics of nothing", of(2, 0), {0, 0, 0, 0, 0, 0}, 0.5f);
    c.end();
}

/// Draws, clears and their like, as words in memory say.
void conditional(Canvas& c) {
    const auto begin =
        c.function<PFN_vkCmdBeginConditionalRenderingEXT>("vkCmdBeginConditionalRenderingEXT");
    const auto end =
        c.function<PFN_vkCmdEndConditionalRenderingEXT>("vkCmdEndConditionalRenderingEXT");
    const Buffer words = c.buffer(std::vector<std::uint32_t>{0, 1, 0x8000'0000, 0, 7});
    const Buffer draws = c.buffer(std::vector<VkDrawIndirectCommand>{{6, 1, 0, 0}, {6, 1, 6, 0}});
    const Buffer counts = c.buffer(std::vector<std::uint32_t>{2});
    c.begin();
    c.use({.vertex = plain_vert, .fragment = plain_frag, .input = plain_vertices()});
    for (std::uint32_t i = 0; i < 10; ++i) {
        auto info = make<VkConditionalRenderingBeginInfoEXT>(
            VK_STRUCTURE_TYPE_CONDITIONAL_RENDERING_BEGIN_INFO_EXT);
        info.buffer = words.buffer;
        info.offset = VkDeviceSize{4} * (i % 5);
        info.flags = i < 5 ? 0 : VK_CONDITIONAL_RENDERING_INVERTED_BIT_EXT;
        begin(c.commands, &info);
        const float x = -0.95f + 0.19f * static_cast<float>(i);
        c.rectangle(x, -0.9f, x + 0.15f, -0.5f, 0, {0.1f * static_cast<float>(i), 1, 0, 1});
        std::vector<float> data;
        for (int part = 0; part < 2; ++part) {
            const float y = -0.4f + 0.3f * static_cast<float>(part);
            for (const auto& [right, below] :
                 {std::pair{0, 0}, {1, 0}, {0, 1}, {0, 1}, {1, 0}, {1, 1}})
                data.insert(data.end(), {x + (right ? 0.15f : 0.f), y + (below ? 0.2f : 0.f), 0, 1,
                                         1, 0.1f * static_cast<float>(i), 0, 1});
        }
        c.vertices(data);
        vkCmdDrawIndirectCount(c.commands, draws.buffer, 0, counts.buffer, 0, 2,
                               sizeof(VkDrawIndirectCommand));
        VkClearAttachment clear{VK_IMAGE_ASPECT_COLOR_BIT, 0, {}};
        clear.clearValue.color = {{0, 0.1f * static_cast<float>(i), 1, 1}};
        const VkClearRect area{{{static_cast<std::int32_t>(2 + 6 * i), 44}, {5, 12}}, 0, 1};
        vkCmdClearAttachments(c.commands, 1, &clear, 1, &area);
        end(c.commands);
    }
    c.end();
}

bool reads_wide(const Canvas& c) {
    VkFormatProperties properties;
    vkGetPhysicalDeviceFormatProperties(c.machine.physical, VK_FORMAT_R64G64B64A64_SFLOAT,
                                        &properties);
    return properties.bufferFeatures & VK_FORMAT_FEATURE_VERTEX_BUFFER_BIT;
}
/// Attributes of 64 bits, of one to four components; where there are none, the same by floats.
void wide_attributes(Canvas& c) {
    std::vector<double> data;
    std::vector<float> plain;
    for (int i = 0; i < 4; ++i) {
        const double x = i % 2 ? 0.8 : -0.8, y = i / 2 ? 0.7 : -0.7;
        const double v = i;
        data.insert(data.end(),
                    {x, y, 0.125 * v, 1 + 0.25 * v, 1e300 * v, 3, 0.5, 0.0625 * v, 1, -v});
        for (const double value : {x, y, 0.0, 1.0, 0.15625 * v, 0.25 * v, v / 8, 1 - v / 64})
            plain.push_back(static_cast<float>(value));
    }
    c.begin();
    Look look{.vertex = plain_vert,
              .fragment = plain_frag,
              .input = plain_vertices(),
              .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP};
    if (reads_wide(c)) {
        look.vertex = wide_vert;
        look.input = {{{VK_FORMAT_R64G64_SFLOAT, 0},
                       {VK_FORMAT_R64_SFLOAT, 16},
                       {VK_FORMAT_R64G64B64_SFLOAT, 24},
                       {VK_FORMAT_R64G64B64A64_SFLOAT, 48}},
                      {80}};
        c.vertices(c.buffer(data));
    } else {
        c.vertices(plain);
    }
    c.use(look);
    c.draw(4);
    c.end();
}

/// Strips and fans cut by the restart index of each size, each in a part of the target.
void restarts(Canvas& c) {
    struct Size {
        VkIndexType type;
        unsigned bytes;
    };
    constexpr Size kSizes[] = {
        {VK_INDEX_TYPE_UINT8_EXT, 1}, {VK_INDEX_TYPE_UINT16, 2}, {VK_INDEX_TYPE_UINT32, 4}};
    constexpr VkPrimitiveTopology kTopologies[] = {VK_PRIMITIVE_TOPOLOGY_LINE_STRIP,
                                                   VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP,
                                                   VK_PRIMITIVE_TOPOLOGY_TRIANGLE_FAN};
    std::vector<float> data;
    for (int i = 0; i < 10; ++i) {
        const float x = -0.85f + 0.35f * static_cast<float>(i / 2), y = i & 1 ? 0.8f : -0.75f;
        data.insert(data.end(), {x, y, 0, 1, i < 5 ? 1.f : 0.f, 0.125f * static_cast<float>(i),
                                 i & 2 ? 1.f : 0.f, 1});
    }
    // The last one is no vertex: it is cut off, or a strip of too few.
    const std::uint32_t numbers[] = {0, 1, 2, 3, ~0u, 4, 5, ~0u, ~0u, 5, 6, 7, 8, 9, ~0u, 2};
    c.begin();
    c.vertices(data);
    for (int size = 0; size < 3; ++size) {
        std::vector<std::uint8_t> bytes;
        for (const std::uint32_t number : numbers)
            for (unsigned i = 0; i < kSizes[size].bytes; ++i)
                bytes.push_back(static_cast<std::uint8_t>(number >> 8 * i));
        const Buffer indices = c.buffer(bytes);
        vkCmdBindIndexBuffer(c.commands, indices.buffer, 0, kSizes[size].type);
        for (int kind = 0; kind < 3; ++kind) {
            c.use({.vertex = plain_vert,
                   .fragment = plain_frag,
                   .input = plain_vertices(),
                   .topology = kTopologies[kind],
                   .restart = true});
            const VkViewport part{
                static_cast<float>(21 * kind), static_cast<float>(21 * size), 20, 20, 0, 1};
            vkCmdSetViewport(c.commands, 0, 1, &part);
            vkCmdDrawIndexed(c.commands, std::size(numbers), 1, 0, 0, 0);
        }
    }
    c.end();
}

}  // namespace

std::vector<Scene> queries() {
    return {
        {"captured_streams", "streams of a geometry shader in buffers", 0, captured_streams},
        {"captured", "transform feedback, its queries, and draws by its bytes", 1, captured},
        {"statistics", "pipeline statistics", 0, statistics},
        {"conditional", "conditional rendering", 0, conditional},
        {"restarts", "restart indices of each size", 1, restarts},
        {"wide_attributes", "vertex attributes of 64 bits", 1, wide_attributes},
    };
}

}  // namespace scenes
