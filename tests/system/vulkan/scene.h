// SPDX-License-Identifier: Apache-2.0
/// Pictures that a program draws by Vulkan, to be held against those of a driver on the processor.
#pragma once
#include <array>
#include <functional>
#include <string>
#include <vector>

#include "tests/system/drm/mesa/vulkan_machine.h"

namespace scenes {

using vulkan::check;
using vulkan::make;

inline constexpr std::uint32_t kSize = 64;
inline constexpr VkFormat kTargetFormat = VK_FORMAT_R8G8B8A8_UNORM;
using Color = std::array<float, 4>;
inline constexpr Color kBackground{0.25f, 0.5f, 0.75f, 1};
inline constexpr Color kRed{1, 0, 0, 1}, kGreen{0, 1, 0, 1}, kBlue{0, 0, 1, 1}, kWhite{1, 1, 1, 1};

/// The SPIR-V of a shader.
struct Code {
    const std::uint32_t* words;
    std::size_t bytes;
    template <std::size_t N>
    Code(const std::uint32_t (&code)[N]) : words(code), bytes(sizeof code) {}
    explicit Code(const std::vector<std::uint32_t>& code)
        : words(code.data()), bytes(code.size() * sizeof code[0]) {}
};

struct Buffer {
    VkBuffer buffer{};
    void* data = nullptr;
    VkDeviceSize bytes = 0;
    template <class T>
    [[nodiscard]] T* as() const {
        return static_cast<T*>(data);
    }
};

struct ImageKind {
    VkFormat format = kTargetFormat;
    std::uint32_t width = kSize, height = kSize, depth = 1, levels = 1, layers = 1;
    VkImageUsageFlags usage = 0;  ///< besides copies and sampling
    VkImageViewType view = VK_IMAGE_VIEW_TYPE_2D;
    VkImageCreateFlags flags = 0;
    VkComponentMapping swizzle{};
    VkSampleCountFlagBits samples = VK_SAMPLE_COUNT_1_BIT;
};
struct Image {
    ImageKind kind;
    VkImage image{};
    VkImageView view{};
    VkImageLayout layout = VK_IMAGE_LAYOUT_UNDEFINED;
    [[nodiscard]] VkImageAspectFlags aspect() const;
};

struct Sampled {
    Image* image;
    VkSampler sampler;
};
/// What shaders see at bindings 0 to 5 of set 0; a second input attachment is at binding 6. The
/// last of each kind also fills the places behind it.
struct Resources {
    std::vector<Buffer> uniforms;
    std::vector<Sampled> textures;
    std::vector<Image*> images;
    std::vector<Buffer> storage;
    std::vector<Image*> inputs;
    VkBufferView texels{};
};

struct Attribute {
    VkFormat format;
    std::uint32_t offset;
    std::uint32_t binding = 0;
};
struct Vertices {
    std::vector<Attribute> attributes;   ///< in order of their locations
    std::vector<std::uint32_t> strides;  ///< of each binding
    bool second_per_instance = false;
};
/// {x, y, z, w, r, g, b, a}
Vertices plain_vertices();

VkPipelineColorBlendAttachmentState no_blending();

/// What a look may change in a pipeline before it is made.
struct States {
    VkPipelineVertexInputStateCreateInfo& input;
    VkPipelineInputAssemblyStateCreateInfo& assembly;
    VkPipelineViewportStateCreateInfo& viewport;
    VkPipelineRasterizationStateCreateInfo& raster;
    VkPipelineMultisampleStateCreateInfo& samples;
};

struct Look {
    Code vertex, fragment;
    Vertices input{};
    VkPrimitiveTopology topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
    bool restart = false;
    VkPolygonMode mode = VK_POLYGON_MODE_FILL;
    VkCullModeFlags cull = VK_CULL_MODE_NONE;
    VkFrontFace front = VK_FRONT_FACE_COUNTER_CLOCKWISE;
    bool depth_clamp = false;
    bool depth_bias = false;
    bool discard = false;                           ///< nothing is rasterised
    VkPipelineDepthStencilStateCreateInfo depth{};  ///< its type may be left out
    std::vector<VkPipelineColorBlendAttachmentState> blends{no_blending()};
    int logic_operation = -1;
    std::vector<VkFormat> targets{kTargetFormat};
    VkFormat depth_format = VK_FORMAT_UNDEFINED;
    std::vector<VkDynamicState> dynamic{};  ///< besides viewport and scissor
    std::uint32_t viewports = 1, views = 0;
    const VkSpecializationInfo* constants = nullptr;
    std::vector<Code> tessellation{};  ///< control and evaluation
    std::uint32_t patch_points = 0;
    std::vector<Code> geometry{};  ///< of one shader
    bool lower_left = false;       ///< the domain's origin
    VkRenderPass pass{};           ///< or dynamic rendering
    std::uint32_t subpass = 0;
    VkSampleCountFlagBits samples = VK_SAMPLE_COUNT_1_BIT;
    VkSampleMask sample_mask = ~0u;
    bool sample_shading = false, alpha_to_coverage = false;
    std::function<void(States&)> change{};
};

/// Records the commands of one scene, draws into `target`, and owns what the scene makes.
class Canvas {
  public:
    explicit Canvas(const vulkan::Machine& machine);
    ~Canvas();
    Canvas(const Canvas&) = delete;
    Canvas& operator=(const Canvas&) = delete;

    Buffer buffer(VkDeviceSize bytes, const void* contents = nullptr);
    template <class T>
    Buffer buffer(const std::vector<T>& contents) {
        return buffer(contents.size() * sizeof(T), contents.data());
    }
    Image image(const ImageKind& kind);
    VkImageView view(const Image& image, VkImageViewType type, VkImageSubresourceRange range);
    VkImageView view(const Image& image, VkImageViewType type, VkImageSubresourceRange range,
                     VkFormat format);
    VkSampler sampler(VkFilter filter,
                      VkSamplerAddressMode mode = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
                      const std::function<void(VkSamplerCreateInfo&)>& change = {});
    VkPipeline pipeline(const Look& look);
    /// Ends something of the scene's when the scene ends.
    void later(std::function<void()> end) { ends_.push_back(std::move(end)); }

    /// Everything before is done and seen by everything after.
    void wait_for_all();
    /// The same, and the image has the layout.
    void to(Image& image, VkImageLayout layout);
    /// Fills a level and layer with texels.
    void fill(Image& image, const Buffer& from, std::uint32_t level = 0, std::uint32_t layer = 0);

    /// Dynamic rendering.
    void begin() { begin({&target}); }
    void begin(const std::vector<Image*>& targets, Image* depth = nullptr, bool clear = true,
               std::uint32_t layers = 1, std::uint32_t views = 0, Image* resolved = nullptr);
    void end() { vkCmdEndRendering(commands); }
    void whole_viewport(std::uint32_t width = kSize, std::uint32_t height = kSize);

    void use(const Look& look) {
        vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline(look));
    }
    void bind(const Resources& resources);
    template <class T>
    void push(const T& value) {
        vkCmdPushConstants(commands, layout, VK_SHADER_STAGE_ALL_GRAPHICS, 0, sizeof value, &value);
    }
    void vertices(const std::vector<float>& data) { vertices(buffer(data)); }
    void vertices(const Buffer& data, std::uint32_t binding = 0);
    /// A command of an extension's.
    template <class Function>
    Function function(const char* name) {
        const auto found = reinterpret_cast<Function>(vkGetDeviceProcAddr(device, name));
        if (!found) check(VK_ERROR_EXTENSION_NOT_PRESENT, name);
        return found;
    }
    void draw(std::uint32_t count, std::uint32_t instances = 1) {
        vkCmdDraw(commands, count, instances, 0, 0);
    }
    /// Triangles or another kind of plain vertices, with the pipeline that is bound.
    void draw_plain(const std::vector<float>& data) {
        vertices(data);
        draw(static_cast<std::uint32_t>(data.size() / 8));
    }
    /// A rectangle of one colour, as six plain vertices.
    void rectangle(float left, float top, float right, float bottom, float depth,
                   const Color& color);
    /// Draws an image by a fragment shader over the whole target.
    void show(Image& image, Code fragment, VkSampler sampler = {});

    void submit();  ///< what is recorded, and waits for it
    std::vector<unsigned char> picture() { return picture(target); }
    std::vector<unsigned char> picture(Image& of);

    const vulkan::Machine& machine;
    VkDevice device;
    VkCommandBuffer commands{};
    VkPipelineLayout layout{};
    VkDescriptorSetLayout set_layout{};
    Image target;

  private:
    void start();
    std::vector<std::function<void()>> ends_;
    VkDescriptorPool pool_{};
    VkPipelineCache cache_{};
};

struct Scene {
    const char* name;
    const char* shows;  ///< the feature
    int tolerance;      ///< steps by which a channel of 8 bits may differ
    void (*draw)(Canvas&);
    int places = 0;  ///< pixels that may differ by more: ends of lines, edges that are clipped
};
/// Those of one file, each.
std::vector<Scene> commands();
std::vector<Scene> shapes();
std::vector<Scene> shading();
std::vector<Scene> textures();
std::vector<Scene> pixels();
std::vector<Scene> samples();
std::vector<Scene> targets();
std::vector<Scene> transfers();
std::vector<Scene> tessellation();
std::vector<Scene> geometry();
std::vector<Scene> queries();
std::vector<Scene> extensions();
std::vector<Scene> limits();
std::vector<Scene> samplers();
std::vector<Scene> features();
std::vector<Scene> further();

/// Draws with shaders of random_shaders.py, files whose names begin with `source`; both targets, one
/// behind the other.
std::vector<unsigned char> draw_random(Canvas& canvas, const std::string& source);

}  // namespace scenes
