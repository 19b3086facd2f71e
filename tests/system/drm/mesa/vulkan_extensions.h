// SPDX-License-Identifier: Apache-2.0
/// Extensions that change what drawing asks of the engine.
#pragma once
#include <vulkan/vulkan.h>

namespace vulkan {

/// Features of extensions; those that a device offers are switched on.
class OfExtensions {
    template <class Features, VkStructureType type>
    struct Of : Features {
        Of() : Features{} { this->sType = type; }
    };

  public:
    Of<VkPhysicalDeviceCustomBorderColorFeaturesEXT,
       VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_CUSTOM_BORDER_COLOR_FEATURES_EXT>
        borders;
    Of<VkPhysicalDeviceBorderColorSwizzleFeaturesEXT,
       VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BORDER_COLOR_SWIZZLE_FEATURES_EXT>
        border_swizzle;
    Of<VkPhysicalDeviceDepthClipControlFeaturesEXT,
       VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DEPTH_CLIP_CONTROL_FEATURES_EXT>
        clip_control;
    Of<VkPhysicalDeviceDepthClipEnableFeaturesEXT,
       VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DEPTH_CLIP_ENABLE_FEATURES_EXT>
        clip_enable;
    Of<VkPhysicalDeviceLineRasterizationFeaturesEXT,
       VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_LINE_RASTERIZATION_FEATURES_EXT>
        lines;
    Of<VkPhysicalDeviceProvokingVertexFeaturesEXT,
       VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROVOKING_VERTEX_FEATURES_EXT>
        provoking;
    Of<VkPhysicalDeviceVertexAttributeDivisorFeaturesEXT,
       VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VERTEX_ATTRIBUTE_DIVISOR_FEATURES_EXT>
        divisor;
    Of<VkPhysicalDeviceMultiDrawFeaturesEXT,
       VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MULTI_DRAW_FEATURES_EXT>
        multi_draw;
    Of<VkPhysicalDeviceImageViewMinLodFeaturesEXT,
       VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGE_VIEW_MIN_LOD_FEATURES_EXT>
        min_lod;
    Of<VkPhysicalDeviceNonSeamlessCubeMapFeaturesEXT,
       VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_NON_SEAMLESS_CUBE_MAP_FEATURES_EXT>
        seams;
    Of<VkPhysicalDeviceImage2DViewOf3DFeaturesEXT,
       VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGE_2D_VIEW_OF_3D_FEATURES_EXT>
        slices;
    Of<VkPhysicalDeviceFragmentShaderInterlockFeaturesEXT,
       VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FRAGMENT_SHADER_INTERLOCK_FEATURES_EXT>
        interlock;
    Of<VkPhysicalDevicePrimitiveTopologyListRestartFeaturesEXT,
       VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PRIMITIVE_TOPOLOGY_LIST_RESTART_FEATURES_EXT>
        list_restart;
    Of<VkPhysicalDevicePrimitivesGeneratedQueryFeaturesEXT,
       VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PRIMITIVES_GENERATED_QUERY_FEATURES_EXT>
        generated;
    Of<VkPhysicalDevice4444FormatsFeaturesEXT,
       VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_4444_FORMATS_FEATURES_EXT>
        nibbles;
    Of<VkPhysicalDeviceRobustness2FeaturesEXT,
       VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ROBUSTNESS_2_FEATURES_EXT>
        robustness;
    Of<VkPhysicalDeviceColorWriteEnableFeaturesEXT,
       VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COLOR_WRITE_ENABLE_FEATURES_EXT>
        color_write;
    Of<VkPhysicalDeviceIndexTypeUint8FeaturesEXT,
       VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_INDEX_TYPE_UINT8_FEATURES_EXT>
        index_bytes;
    Of<VkPhysicalDeviceExtendedDynamicState2FeaturesEXT,
       VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTENDED_DYNAMIC_STATE_2_FEATURES_EXT>
        dynamic_2;
    Of<VkPhysicalDeviceExtendedDynamicState3FeaturesEXT,
       VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTENDED_DYNAMIC_STATE_3_FEATURES_EXT>
        dynamic_3;
    Of<VkPhysicalDeviceDepthClampZeroOneFeaturesEXT,
       VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DEPTH_CLAMP_ZERO_ONE_FEATURES_EXT>
        zero_one;
    Of<VkPhysicalDeviceShaderAtomicFloatFeaturesEXT,
       VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_ATOMIC_FLOAT_FEATURES_EXT>
        atomics;
    Of<VkPhysicalDeviceShaderAtomicFloat2FeaturesEXT,
       VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_ATOMIC_FLOAT_2_FEATURES_EXT>
        more_atomics;
    Of<VkPhysicalDeviceShaderClockFeaturesKHR,
       VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_CLOCK_FEATURES_KHR>
        clock;

    template <class Add>
    void each(const Add& add) {
        add(VK_EXT_CUSTOM_BORDER_COLOR_EXTENSION_NAME, borders);
        add(VK_EXT_BORDER_COLOR_SWIZZLE_EXTENSION_NAME, border_swizzle);
        add(VK_EXT_DEPTH_CLIP_CONTROL_EXTENSION_NAME, clip_control);
        add(VK_EXT_DEPTH_CLIP_ENABLE_EXTENSION_NAME, clip_enable);
        add(VK_EXT_LINE_RASTERIZATION_EXTENSION_NAME, lines);
        add(VK_EXT_PROVOKING_VERTEX_EXTENSION_NAME, provoking);
        add(VK_EXT_VERTEX_ATTRIBUTE_DIVISOR_EXTENSION_NAME, divisor);
        add(VK_EXT_MULTI_DRAW_EXTENSION_NAME, multi_draw);
        add(VK_EXT_IMAGE_VIEW_MIN_LOD_EXTENSION_NAME, min_lod);
        add(VK_EXT_NON_SEAMLESS_CUBE_MAP_EXTENSION_NAME, seams);
        add(VK_EXT_IMAGE_2D_VIEW_OF_3D_EXTENSION_NAME, slices);
        add(VK_EXT_FRAGMENT_SHADER_INTERLOCK_EXTENSION_NAME, interlock);
        add(VK_EXT_PRIMITIVE_TOPOLOGY_LIST_RESTART_EXTENSION_NAME, list_restart);
        add(VK_EXT_PRIMITIVES_GENERATED_QUERY_EXTENSION_NAME, generated);
        add(VK_EXT_4444_FORMATS_EXTENSION_NAME, nibbles);
        add(VK_EXT_ROBUSTNESS_2_EXTENSION_NAME, robustness);
        add(VK_EXT_COLOR_WRITE_ENABLE_EXTENSION_NAME, color_write);
        add(VK_EXT_INDEX_TYPE_UINT8_EXTENSION_NAME, index_bytes);
        add(VK_EXT_EXTENDED_DYNAMIC_STATE_2_EXTENSION_NAME, dynamic_2);
        add(VK_EXT_EXTENDED_DYNAMIC_STATE_3_EXTENSION_NAME, dynamic_3);
        add(VK_EXT_DEPTH_CLAMP_ZERO_ONE_EXTENSION_NAME, zero_one);
        add(VK_EXT_SHADER_ATOMIC_FLOAT_EXTENSION_NAME, atomics);
        add(VK_EXT_SHADER_ATOMIC_FLOAT_2_EXTENSION_NAME, more_atomics);
        add(VK_KHR_SHADER_CLOCK_EXTENSION_NAME, clock);
    }
};
inline constexpr const char* kWithoutFeatures[] = {
    VK_EXT_SAMPLE_LOCATIONS_EXTENSION_NAME, VK_EXT_CONSERVATIVE_RASTERIZATION_EXTENSION_NAME,
    VK_EXT_POST_DEPTH_COVERAGE_EXTENSION_NAME, VK_EXT_SHADER_STENCIL_EXPORT_EXTENSION_NAME,
    VK_KHR_PUSH_DESCRIPTOR_EXTENSION_NAME};

}  // namespace vulkan
