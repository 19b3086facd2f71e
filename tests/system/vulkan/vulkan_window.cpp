// SPDX-License-Identifier: Apache-2.0
/// vulkan_window FRAMES: a window of X11 whose pictures have views of two formats: its left half is
/// cleared as plain numbers, its right half as linear ones. From the second frame on a square that
/// is a step further is all that changes, and the window system is told so.
#include <vulkan/vulkan.h>
#include <xcb/xcb.h>

#include <vulkan/vulkan_xcb.h>  // behind what it is of

#include <cstdlib>
#include <vector>

#include "tests/system/drm/mesa/vulkan_machine.h"

namespace {

using vulkan::check;
using vulkan::make;

constexpr std::uint32_t kWidth = 240, kHeight = 160, kSquare = 30;
constexpr VkFormat kPlain = VK_FORMAT_B8G8R8A8_UNORM, kLinear = VK_FORMAT_B8G8R8A8_SRGB;

struct Window {
    xcb_connection_t* connection = xcb_connect(nullptr, nullptr);
    xcb_window_t window = xcb_generate_id(connection);

    Window() {
        if (xcb_connection_has_error(connection)) check(VK_ERROR_INITIALIZATION_FAILED, "X11");
        const xcb_screen_t* screen = xcb_setup_roots_iterator(xcb_get_setup(connection)).data;
        const std::uint32_t black = screen->black_pixel;
        xcb_create_window(connection, XCB_COPY_FROM_PARENT, window, screen->root, 0, 0, kWidth,
                          kHeight, 0, XCB_WINDOW_CLASS_INPUT_OUTPUT, screen->root_visual,
                          XCB_CW_BACK_PIXEL, &black);
        xcb_map_window(connection, window);
        xcb_flush(connection);
    }
};

class Program {
  public:
    Program() {
        const char* const of_instance[] = {VK_KHR_SURFACE_EXTENSION_NAME,
                                           VK_KHR_XCB_SURFACE_EXTENSION_NAME};
        auto application = make<VkApplicationInfo>(VK_STRUCTURE_TYPE_APPLICATION_INFO);
        application.apiVersion = VK_API_VERSION_1_3;
        auto info = make<VkInstanceCreateInfo>(VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO);
        info.pApplicationInfo = &application;
        info.enabledExtensionCount = 2;
        info.ppEnabledExtensionNames = of_instance;
        check(vkCreateInstance(&info, nullptr, &instance_), "vkCreateInstance");
        std::uint32_t count = 1;
        VkPhysicalDevice physical{};
        vkEnumeratePhysicalDevices(instance_, &count, &physical);
        if (count == 0) check(VK_ERROR_DEVICE_LOST, "finding a device");
        VkPhysicalDeviceProperties properties;
        vkGetPhysicalDeviceProperties(physical, &properties);
        std::printf("%s\n", properties.deviceName);
        make_device(physical);
        make_swapchain();
    }
    void show(std::uint32_t frame) {
        std::uint32_t number = 0;
        check(vkAcquireNextImageKHR(device_, swapchain_, ~0ull, VK_NULL_HANDLE, fence_, &number),
              "a picture to draw");
        vkWaitForFences(device_, 1, &fence_, VK_TRUE, ~0ull);
        vkResetFences(device_, 1, &fence_);
        const VkRect2D square{{static_cast<std::int32_t>(5 + 10 * frame % 200), 60},
                              {kSquare, kSquare}};
        draw(number, square);
        const VkRectLayerKHR changed{square.offset, square.extent, 0};
        const VkPresentRegionKHR region{1, &changed};
        auto regions = make<VkPresentRegionsKHR>(VK_STRUCTURE_TYPE_PRESENT_REGIONS_KHR);
        regions.swapchainCount = 1;
        regions.pRegions = &region;
        auto info = make<VkPresentInfoKHR>(VK_STRUCTURE_TYPE_PRESENT_INFO_KHR);
        if (frame > 0) info.pNext = &regions;
        info.swapchainCount = 1;
        info.pSwapchains = &swapchain_;
        info.pImageIndices = &number;
        const VkResult shown = vkQueuePresentKHR(queue_, &info);
        if (shown != VK_SUBOPTIMAL_KHR) check(shown, "a picture to show");
    }

  private:
    void make_device(VkPhysicalDevice physical) {
        const char* const extensions[] = {
            VK_KHR_SWAPCHAIN_EXTENSION_NAME, VK_KHR_SWAPCHAIN_MUTABLE_FORMAT_EXTENSION_NAME,
            VK_KHR_IMAGE_FORMAT_LIST_EXTENSION_NAME, VK_KHR_INCREMENTAL_PRESENT_EXTENSION_NAME};
        const float priority = 1;
        auto of_queue = make<VkDeviceQueueCreateInfo>(VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO);
        of_queue.queueCount = 1;
        of_queue.pQueuePriorities = &priority;
        auto of13 = make<VkPhysicalDeviceVulkan13Features>(
            VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES);
        of13.dynamicRendering = VK_TRUE;
        auto info = make<VkDeviceCreateInfo>(VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO);
        info.pNext = &of13;
        info.queueCreateInfoCount = 1;
        info.pQueueCreateInfos = &of_queue;
        info.enabledExtensionCount = 4;
        info.ppEnabledExtensionNames = extensions;
        check(vkCreateDevice(physical, &info, nullptr, &device_), "vkCreateDevice");
        vkGetDeviceQueue(device_, 0, 0, &queue_);
        auto of_surface =
            make<VkXcbSurfaceCreateInfoKHR>(VK_STRUCTURE_TYPE_XCB_SURFACE_CREATE_INFO_KHR);
        of_surface.connection = window_.connection;
        of_surface.window = window_.window;
        check(vkCreateXcbSurfaceKHR(instance_, &of_surface, nullptr, &surface_), "a surface");
        VkBool32 presents = VK_FALSE;
        vkGetPhysicalDeviceSurfaceSupportKHR(physical, 0, surface_, &presents);
        if (!presents) check(VK_ERROR_FEATURE_NOT_PRESENT, "a queue that presents");
        auto of_pool = make<VkCommandPoolCreateInfo>(VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO);
        check(vkCreateCommandPool(device_, &of_pool, nullptr, &pool_), "a command pool");
        const auto of_fence = make<VkFenceCreateInfo>(VK_STRUCTURE_TYPE_FENCE_CREATE_INFO);
        check(vkCreateFence(device_, &of_fence, nullptr, &fence_), "a fence");
    }
    void make_swapchain() {
        const VkFormat formats[] = {kPlain, kLinear};
        auto list =
            make<VkImageFormatListCreateInfo>(VK_STRUCTURE_TYPE_IMAGE_FORMAT_LIST_CREATE_INFO);
        list.viewFormatCount = 2;
        list.pViewFormats = formats;
        auto info = make<VkSwapchainCreateInfoKHR>(VK_STRUCTURE_TYPE_SWAPCHAIN_CREATE_INFO_KHR);
        info.pNext = &list;
        info.flags = VK_SWAPCHAIN_CREATE_MUTABLE_FORMAT_BIT_KHR;
        info.surface = surface_;
        info.minImageCount = 3;
        info.imageFormat = kPlain;
        info.imageExtent = {kWidth, kHeight};
        info.imageArrayLayers = 1;
        info.imageUsage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT;
        info.preTransform = VK_SURFACE_TRANSFORM_IDENTITY_BIT_KHR;
        info.compositeAlpha = VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR;
        info.presentMode = VK_PRESENT_MODE_FIFO_KHR;
        check(vkCreateSwapchainKHR(device_, &info, nullptr, &swapchain_), "a swapchain");
        std::uint32_t count = 0;
        vkGetSwapchainImagesKHR(device_, swapchain_, &count, nullptr);
        images_.resize(count);
        vkGetSwapchainImagesKHR(device_, swapchain_, &count, images_.data());
        for (const VkImage image : images_)
            for (const VkFormat format : formats) {
                auto of_view =
                    make<VkImageViewCreateInfo>(VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO);
                of_view.image = image;
                of_view.viewType = VK_IMAGE_VIEW_TYPE_2D;
                of_view.format = format;
                of_view.subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
                VkImageView view{};
                check(vkCreateImageView(device_, &of_view, nullptr, &view), "a view");
                views_.push_back(view);
            }
    }
    void to(VkCommandBuffer commands, VkImage image, VkImageLayout before, VkImageLayout after) {
        auto barrier = make<VkImageMemoryBarrier>(VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER);
        barrier.srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT;
        barrier.dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT;
        barrier.oldLayout = before;
        barrier.newLayout = after;
        barrier.srcQueueFamilyIndex = barrier.dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
        barrier.image = image;
        barrier.subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
        constexpr auto kAll = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
        vkCmdPipelineBarrier(commands, kAll, kAll, 0, 0, nullptr, 0, nullptr, 1, &barrier);
    }
    static void clear(VkCommandBuffer commands, VkImageView view, const VkRect2D& area,
                      const VkClearColorValue& color) {
        auto target = make<VkRenderingAttachmentInfo>(VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO);
        target.imageView = view;
        target.imageLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL;
        target.loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
        target.storeOp = VK_ATTACHMENT_STORE_OP_STORE;
        target.clearValue.color = color;
        auto info = make<VkRenderingInfo>(VK_STRUCTURE_TYPE_RENDERING_INFO);
        info.renderArea = area;
        info.layerCount = 1;
        info.colorAttachmentCount = 1;
        info.pColorAttachments = &target;
        vkCmdBeginRendering(commands, &info);
        vkCmdEndRendering(commands);
    }
    void draw(std::uint32_t number, const VkRect2D& square) {
        auto wanted =
            make<VkCommandBufferAllocateInfo>(VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO);
        wanted.commandPool = pool_;
        wanted.commandBufferCount = 1;
        VkCommandBuffer commands{};
        check(vkAllocateCommandBuffers(device_, &wanted, &commands), "a command buffer");
        const auto begins =
            make<VkCommandBufferBeginInfo>(VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO);
        check(vkBeginCommandBuffer(commands, &begins), "a command buffer");
        const VkImageView plain = views_[2 * number], linear = views_[2 * number + 1];
        const VkClearColorValue color{{0.25f, 0.5f, 0.75f, 1}}, red{{1, 0, 0, 1}};
        constexpr std::uint32_t kHalf = kWidth / 2;
        constexpr auto kDrawn = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL;
        to(commands, images_[number], VK_IMAGE_LAYOUT_UNDEFINED, kDrawn);
        clear(commands, plain, {{0, 0}, {kHalf, kHeight}}, color);
        to(commands, images_[number], kDrawn, kDrawn);
        clear(commands, linear, {{kHalf, 0}, {kWidth - kHalf, kHeight}}, color);
        to(commands, images_[number], kDrawn, kDrawn);
        clear(commands, plain, square, red);
        to(commands, images_[number], kDrawn, VK_IMAGE_LAYOUT_PRESENT_SRC_KHR);
        check(vkEndCommandBuffer(commands), "a command buffer's end");
        auto info = make<VkSubmitInfo>(VK_STRUCTURE_TYPE_SUBMIT_INFO);
        info.commandBufferCount = 1;
        info.pCommandBuffers = &commands;
        check(vkQueueSubmit(queue_, 1, &info, VK_NULL_HANDLE), "a submission");
        check(vkQueueWaitIdle(queue_), "waiting for the queue");
        vkFreeCommandBuffers(device_, pool_, 1, &commands);
    }

    Window window_;
    VkInstance instance_{};
    VkDevice device_{};
    VkQueue queue_{};
    VkSurfaceKHR surface_{};
    VkCommandPool pool_{};
    VkFence fence_{};
    VkSwapchainKHR swapchain_{};
    std::vector<VkImage> images_;
    std::vector<VkImageView> views_;  ///< two of each image
};

}  // namespace

int main(int count, char** words) {
    const int frames = count == 2 ? std::atoi(words[1]) : 0;
    if (frames < 1) return 2;
    Program program;
    for (int frame = 0; frame < frames; ++frame)
        program.show(static_cast<std::uint32_t>(frame));
    std::printf("%d frames\n", frames);
    return 0;
}
