// SPDX-License-Identifier: Apache-2.0
/// Images of VA-API: what is put into a surface is what is got from it and what a derived image
/// shows.
///
///   va_images     for each format: its name, and "right" or what is wrong
#include <fcntl.h>
#include <unistd.h>
#include <va/va.h>
#include <va/va_drm.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

namespace {

constexpr std::uint16_t kWidth = 200, kHeight = 100;

struct Format {
    const char* name;
    unsigned fourcc, kind, pixel_bytes;  ///< of the first plane; the second has half its rows
};
constexpr Format kFormats[] = {{"NV12", VA_FOURCC_NV12, VA_RT_FORMAT_YUV420, 1},
                               {"YUY2", VA_FOURCC_YUY2, VA_RT_FORMAT_YUV422, 2},
                               {"P010", VA_FOURCC_P010, VA_RT_FORMAT_YUV420_10, 2},
                               {"ARGB", VA_FOURCC_ARGB, VA_RT_FORMAT_RGB32, 4},
                               {"BGRA", VA_FOURCC_BGRA, VA_RT_FORMAT_RGB32, 4}};

void check(VAStatus status, const char* what) {
    if (status == VA_STATUS_SUCCESS) return;
    std::printf("%s: %s\n", what, vaErrorStr(status));
    std::exit(1);
}

/// Calls with(byte) for each byte of the image's pixels, row by row, plane by plane.
template <class With>
void for_each_byte(VADisplay display, const VAImage& image, unsigned pixel_bytes, With&& with) {
    void* at = nullptr;
    check(vaMapBuffer(display, image.buf, &at), "vaMapBuffer");
    auto* const bytes = static_cast<std::uint8_t*>(at);
    for (unsigned plane = 0; plane < image.num_planes; ++plane)
        for (unsigned y = 0; y < kHeight / (plane ? 2u : 1u); ++y)
            for (unsigned x = 0; x < kWidth * pixel_bytes; ++x)
                with(bytes[image.offsets[plane] + y * image.pitches[plane] + x]);
    check(vaUnmapBuffer(display, image.buf), "vaUnmapBuffer");
}

bool is_right(VADisplay display, const Format& format, std::mt19937& random) {
    VASurfaceAttrib attribute{};
    attribute.type = VASurfaceAttribPixelFormat;
    attribute.flags = VA_SURFACE_ATTRIB_SETTABLE;
    attribute.value.type = VAGenericValueTypeInteger;
    attribute.value.value.i = static_cast<int>(format.fourcc);
    VASurfaceID surface = 0;
    check(vaCreateSurfaces(display, format.kind, kWidth, kHeight, &surface, 1, &attribute, 1),
          "vaCreateSurfaces");
    VAImageFormat wanted{};
    wanted.fourcc = format.fourcc;
    VAImage put, got, derived;
    check(vaCreateImage(display, &wanted, kWidth, kHeight, &put), "vaCreateImage");
    check(vaCreateImage(display, &wanted, kWidth, kHeight, &got), "vaCreateImage");
    std::vector<std::uint8_t> must_be;
    for_each_byte(display, put, format.pixel_bytes, [&](std::uint8_t& byte) {
        must_be.push_back(byte = static_cast<std::uint8_t>(random()));
    });
    check(vaPutImage(display, surface, put.image_id, 0, 0, kWidth, kHeight, 0, 0, kWidth, kHeight),
          "vaPutImage");
    check(vaSyncSurface(display, surface), "vaSyncSurface");
    check(vaGetImage(display, surface, 0, 0, kWidth, kHeight, got.image_id), "vaGetImage");
    check(vaDeriveImage(display, surface, &derived), "vaDeriveImage");
    std::size_t wrong[2]{}, place = 0;
    for (const auto& [image, count] : {std::pair{&got, &wrong[0]}, {&derived, &wrong[1]}}) {
        place = 0;
        for_each_byte(display, *image, format.pixel_bytes, [&, count = count](std::uint8_t byte) {
            *count += byte != must_be[place++];
        });
    }
    for (const VAImage* image : {&put, &got, &derived})
        vaDestroyImage(display, image->image_id);
    vaDestroySurfaces(display, &surface, 1);
    std::printf("%s: ", format.name);
    if (wrong[0] + wrong[1] == 0)
        std::printf("right\n");
    else
        std::printf("%zu bytes got and %zu derived are wrong\n", wrong[0], wrong[1]);
    return wrong[0] + wrong[1] == 0 && place == must_be.size();
}

}  // namespace

int main() {
    const int file = open("/dev/dri/renderD128", O_RDWR | O_CLOEXEC);
    const VADisplay display = vaGetDisplayDRM(file);
    int major = 0, minor = 0;
    check(vaInitialize(display, &major, &minor), "vaInitialize");
    std::printf("%s\n", vaQueryVendorString(display));
    std::mt19937 random(5);
    bool right = true;
    for (const Format& format : kFormats)
        right = is_right(display, format, random) && right;
    vaTerminate(display);
    close(file);
    return right ? 0 : 1;
}
