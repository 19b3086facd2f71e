// SPDX-License-Identifier: Apache-2.0
/// vulkan_scenes spirv SOURCES FOLDER NUMBER...: draws with the shaders SOURCES/NUMBER.frag.spv and
/// those of other stages (random.cpp) into two targets and writes them one behind the other as
/// FOLDER/NUMBER.rgba.
/// vulkan_scenes list | vulkan_scenes FOLDER SCENE...: draws each scene without a display and writes
/// it as FOLDER/SCENE.png, to be looked at, and as FOLDER/SCENE.rgba, rows from above. Says which
/// driver drew.
#include <png.h>

#include <fstream>

#include "tests/system/vulkan/scene.h"

namespace {

[[noreturn]] void fail(const std::string& what) {
    std::fprintf(stderr, "vulkan_scenes: %s\n", what.c_str());
    std::exit(1);
}

std::vector<scenes::Scene> all_scenes() {
    std::vector<scenes::Scene> all;
    for (const auto& some :
         {scenes::commands(), scenes::shapes(), scenes::shading(), scenes::textures(),
          scenes::pixels(), scenes::samples(), scenes::targets(), scenes::transfers(),
          scenes::queries(), scenes::tessellation(), scenes::geometry(), scenes::extensions(),
          scenes::limits(), scenes::samplers(), scenes::features(), scenes::further()})
        all.insert(all.end(), some.begin(), some.end());
    return all;
}

void name_driver(const vulkan::Machine& machine) {
    auto driver = vulkan::make<VkPhysicalDeviceDriverProperties>(
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES);
    auto properties =
        vulkan::make<VkPhysicalDeviceProperties2>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2);
    properties.pNext = &driver;
    vkGetPhysicalDeviceProperties2(machine.physical, &properties);
    std::printf("driver: %s\n", driver.driverName);
}

void draw(const vulkan::Machine& machine, const scenes::Scene& scene, const std::string& folder) {
    scenes::Canvas canvas(machine);
    scene.draw(canvas);
    const std::vector<unsigned char> picture = canvas.picture();
    std::ofstream(folder + "/" + scene.name + ".rgba", std::ios::binary)
        .write(reinterpret_cast<const char*>(picture.data()),
               static_cast<std::streamsize>(picture.size()));
    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    image.width = image.height = scenes::kSize;
    image.format = PNG_FORMAT_RGBA;
    const std::string file = folder + "/" + scene.name + ".png";
    if (!png_image_write_to_file(&image, file.c_str(), 0, picture.data(), 4 * scenes::kSize,
                                 nullptr))
        fail(file + ": " + image.message);
}

void draw_random(const vulkan::Machine& machine, const std::string& source,
                 const std::string& picture) {
    scenes::Canvas canvas(machine);
    const std::vector<unsigned char> drawn = scenes::draw_random(canvas, source);
    std::ofstream(picture, std::ios::binary)
        .write(reinterpret_cast<const char*>(drawn.data()),
               static_cast<std::streamsize>(drawn.size()));
}

}  // namespace

int main(int argc, char** argv) {
    const std::vector<scenes::Scene> all = all_scenes();
    if (argc == 2 && std::strcmp(argv[1], "list") == 0) {
        for (const scenes::Scene& scene : all)
            std::printf("%s %d %d %s\n", scene.name, scene.tolerance, scene.places, scene.shows);
        return 0;
    }
    if (argc < 3) {
        std::fprintf(stderr, "usage: vulkan_scenes list | vulkan_scenes FOLDER SCENE...\n");
        return 2;
    }
    const vulkan::Machine machine("");
    name_driver(machine);
    if (std::strcmp(argv[1], "spirv") == 0) {
        for (int i = 4; i < argc; ++i)
            draw_random(machine, std::string(argv[2]) + "/" + argv[i],
                        std::string(argv[3]) + "/" + argv[i] + ".rgba");
        return 0;
    }
    for (int i = 2; i < argc; ++i) {
        bool known = false;
        for (const scenes::Scene& scene : all)
            if (argv[i] == std::string(scene.name)) {
                draw(machine, scene, argv[1]);
                known = true;
            }
        if (!known) fail(std::string("there is no scene '") + argv[i] + "'");
    }
}
