// SPDX-License-Identifier: Apache-2.0
/// What a Vulkan device advertises beside what the pictures of vulkan_scenes use: each case uses an
/// extension or feature, and compares what comes of it with arithmetic on the host.
///
///   vulkan_features SHADERS [NAME...]
///
/// SHADERS: the folder of the shaders. Says which driver it is, and of each case that it is right,
/// what is wrong, or which extension the device lacks. The last line is the number of its dispatches.
#include "tests/system/vulkan/advertised/lab.h"

namespace {

using namespace advertised;

template <class Features>
VkBaseOutStructure* chained(Features& features) {
    return reinterpret_cast<VkBaseOutStructure*>(&features);
}

std::vector<Case> all_cases() {
    std::vector<Case> all;
    for (const auto& some : {shader_cases(), descriptor_cases(), image_cases(), sharing_cases(),
                             buffer_cases(), device_cases(), place_cases()})
        all.insert(all.end(), some.begin(), some.end());
    return all;
}

void name_driver(const Machine& machine) {
    auto driver =
        make<VkPhysicalDeviceDriverProperties>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES);
    auto properties =
        make<VkPhysicalDeviceProperties2>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2);
    properties.pNext = &driver;
    vkGetPhysicalDeviceProperties2(machine.physical, &properties);
    std::printf("driver: %s\n", driver.driverName);
}

}  // namespace

int main(int count, char** words) {
    constexpr int kFirstName = 2;
    if (count < kFirstName) return 2;
    auto blocks = make<VkPhysicalDeviceWorkgroupMemoryExplicitLayoutFeaturesKHR>(
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_WORKGROUP_MEMORY_EXPLICIT_LAYOUT_FEATURES_KHR);
    auto flow = make<VkPhysicalDeviceShaderSubgroupUniformControlFlowFeaturesKHR>(
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_SUBGROUP_UNIFORM_CONTROL_FLOW_FEATURES_KHR);
    auto layers = make<VkPhysicalDeviceYcbcrImageArraysFeaturesEXT>(
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_YCBCR_IMAGE_ARRAYS_FEATURES_EXT);
    auto kinds = make<VkPhysicalDeviceMutableDescriptorTypeFeaturesEXT>(
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MUTABLE_DESCRIPTOR_TYPE_FEATURES_EXT);
    auto integers = make<VkPhysicalDeviceShaderIntegerFunctions2FeaturesINTEL>(
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_INTEGER_FUNCTIONS_2_FEATURES_INTEL);
    auto derivatives = make<VkPhysicalDeviceComputeShaderDerivativesFeaturesNV>(
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COMPUTE_SHADER_DERIVATIVES_FEATURES_NV);
    auto executables = make<VkPhysicalDevicePipelineExecutablePropertiesFeaturesKHR>(
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_EXECUTABLE_PROPERTIES_FEATURES_KHR);
    auto identifiers = make<VkPhysicalDeviceShaderModuleIdentifierFeaturesEXT>(
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_MODULE_IDENTIFIER_FEATURES_EXT);
    auto texels = make<VkPhysicalDeviceTexelBufferAlignmentFeaturesEXT>(
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TEXEL_BUFFER_ALIGNMENT_FEATURES_EXT);
    auto counters = make<VkPhysicalDevicePerformanceQueryFeaturesKHR>(
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PERFORMANCE_QUERY_FEATURES_KHR);
    const vulkan::Wishes wishes{
        .extensions = {VK_KHR_WORKGROUP_MEMORY_EXPLICIT_LAYOUT_EXTENSION_NAME,
                       VK_KHR_SHADER_SUBGROUP_UNIFORM_CONTROL_FLOW_EXTENSION_NAME,
                       VK_EXT_YCBCR_IMAGE_ARRAYS_EXTENSION_NAME,
                       VK_EXT_MUTABLE_DESCRIPTOR_TYPE_EXTENSION_NAME,
                       VK_INTEL_SHADER_INTEGER_FUNCTIONS_2_EXTENSION_NAME,
                       VK_NV_COMPUTE_SHADER_DERIVATIVES_EXTENSION_NAME,
                       VK_EXT_EXTERNAL_MEMORY_HOST_EXTENSION_NAME,
                       VK_KHR_EXTERNAL_MEMORY_FD_EXTENSION_NAME,
                       VK_EXT_EXTERNAL_MEMORY_DMA_BUF_EXTENSION_NAME,
                       VK_EXT_IMAGE_DRM_FORMAT_MODIFIER_EXTENSION_NAME,
                       VK_EXT_QUEUE_FAMILY_FOREIGN_EXTENSION_NAME,
                       VK_KHR_EXTERNAL_FENCE_FD_EXTENSION_NAME,
                       VK_KHR_EXTERNAL_SEMAPHORE_FD_EXTENSION_NAME,
                       VK_EXT_CALIBRATED_TIMESTAMPS_EXTENSION_NAME,
                       VK_EXT_MEMORY_BUDGET_EXTENSION_NAME,
                       VK_KHR_PIPELINE_LIBRARY_EXTENSION_NAME,
                       VK_KHR_PIPELINE_EXECUTABLE_PROPERTIES_EXTENSION_NAME,
                       VK_EXT_SHADER_MODULE_IDENTIFIER_EXTENSION_NAME,
                       VK_EXT_TEXEL_BUFFER_ALIGNMENT_EXTENSION_NAME,
                       VK_KHR_SHADER_NON_SEMANTIC_INFO_EXTENSION_NAME,
                       VK_KHR_PERFORMANCE_QUERY_EXTENSION_NAME},
        .features = {chained(blocks), chained(flow), chained(layers), chained(kinds),
                     chained(integers), chained(derivatives), chained(executables),
                     chained(identifiers), chained(texels), chained(counters)}};
    const Machine machine("", false, wishes);
    name_driver(machine);
    unsigned dispatches = 0;
    bool right = true;
    for (const Case& one : all_cases()) {
        bool wanted = count == kFirstName;
        for (int i = kFirstName; i < count; ++i)
            wanted = wanted || std::strcmp(words[i], one.name) == 0;
        if (!wanted) continue;
        if (one.extension && !machine.offers(one.extension)) {
            std::printf("%s: lacks %s\n", one.name, one.extension);
            continue;
        }
        Lab lab(machine, words[1]);
        one.run(lab);
        std::printf("%s: %s\n", one.name, lab.wrong.empty() ? "right" : lab.wrong.c_str());
        right = right && lab.wrong.empty();
        dispatches += lab.dispatches;
    }
    std::printf("%u dispatches\n", dispatches);
    return right ? 0 : 1;
}
