// SPDX-License-Identifier: Apache-2.0
// How a scene moves: a disc over a background, two frames, one vector for each macroblock. The vectors
// are checked, and drawn as arrows over the second frame when given a file name (motion_vectors FILE.png).
#include <png.h>

#include "block_motion.h"

namespace {

using motion::Picture;
using motion::Vector;

constexpr int kWidth = 352, kHeight = 288, kRadius = 70;
constexpr Vector kPan{5, 2}, kDisc{-11, 7}, kCentre{200, 130};

/// The scene at a moment: the background has moved by `pan`, the disc by `disc`.
Picture frame(const Picture& background, const Picture& disc, Vector pan, Vector moved) {
    Picture p(kWidth, kHeight);
    for (int y = 0; y < kHeight; ++y)
        for (int x = 0; x < kWidth; ++x) {
            const int dx = x - moved.x - kCentre.x, dy = y - moved.y - kCentre.y;
            const bool inside = dx * dx + dy * dy < kRadius * kRadius;
            p(x, y) = static_cast<unsigned char>(
                inside ? 128 + disc.at(x - moved.x, y - moved.y) / 2
                       : background.at(64 + x - pan.x, 64 + y - pan.y) * 3 / 4);
        }
    return p;
}

struct Canvas {
    std::vector<unsigned char> rgb;
    explicit Canvas(const Picture& grey) {
        for (const unsigned char pixel : grey.pixels)
            rgb.insert(rgb.end(), 3, static_cast<unsigned char>(40 + pixel / 3));
    }
    void point(int x, int y, const unsigned char (&colour)[3]) {
        if (x < 0 || y < 0 || x >= kWidth || y >= kHeight) return;
        std::copy_n(colour, 3, &rgb[static_cast<std::size_t>(3 * (y * kWidth + x))]);
    }
    void line(double x, double y, double to_x, double to_y, const unsigned char (&colour)[3]) {
        constexpr int kSteps = 64;
        for (int i = 0; i <= kSteps; ++i)
            point(static_cast<int>(std::lround(x + (to_x - x) * i / kSteps)),
                  static_cast<int>(std::lround(y + (to_y - y) * i / kSteps)), colour);
    }
    /// From where the block was to where it is.
    void arrow(int x, int y, Vector v, const unsigned char (&colour)[3]) {
        const double from_x = x + v.x / 4.0, from_y = y + v.y / 4.0;
        line(from_x, from_y, x, y, colour);
        const double length = std::hypot(x - from_x, y - from_y);
        if (length < 1) return;
        const double ux = (x - from_x) / length, uy = (y - from_y) / length;
        for (const int side : {-1, 1})
            line(x, y, x - 4 * ux + side * 2.5 * uy, y - 4 * uy - side * 2.5 * ux, colour);
    }
};

}  // namespace

int main(int count, char** words) {
    const Picture background = motion::smooth_texture(kWidth + 128, kHeight + 128, 1);
    const Picture disc = motion::smooth_texture(kWidth, kHeight, 2);
    const Picture before = frame(background, disc, {0, 0}, {0, 0});
    const Picture now = frame(background, disc, kPan, kDisc);
    BlockMotion kernel;
    constexpr cl_uint kBlocks16x16 = 0, kQuarter = 2, kRadius16x12 = 5;
    const auto found = kernel.run(now, before, kBlocks16x16, kQuarter, kRadius16x12);

    Canvas canvas(now);
    int panned = 0, in_disc = 0, wrong = 0;
    for (int y = 0; y < kHeight; y += 16)
        for (int x = 0; x < kWidth; x += 16) {
            const auto& s =
                found.vectors[static_cast<std::size_t>(y / 16 * (kWidth / 16) + x / 16)].s;
            const Vector v{s[0], s[1]};
            // A vector leads back to where the block was.
            const bool pan = v == Vector{-4 * kPan.x, -4 * kPan.y};
            const bool of_disc = v == Vector{-4 * kDisc.x, -4 * kDisc.y};
            panned += pan;
            in_disc += of_disc;
            // Blocks away from the disc's edge and the frame's belong to one of both.
            const double distance =
                std::hypot(x + 8 - kDisc.x - kCentre.x, y + 8 - kDisc.y - kCentre.y);
            const bool inner = x >= 16 && y >= 16 && x < kWidth - 32 && y < kHeight - 32;
            if (distance < kRadius - 32 && !of_disc) ++wrong;
            if (distance > kRadius + 32 && inner && !pan) ++wrong;
            const unsigned char colours[3][3] = {{255, 200, 0}, {0, 220, 255}, {255, 70, 70}};
            canvas.arrow(x + 8, y + 8, v, colours[pan ? 0 : of_disc ? 1 : 2]);
        }
    std::printf("%zu blocks: %d move with the background, %d with the disc, %d wrong\n",
                found.vectors.size(), panned, in_disc, wrong);
    if (count > 1) {
        png_image file{};
        file.version = PNG_IMAGE_VERSION;
        file.width = kWidth;
        file.height = kHeight;
        file.format = PNG_FORMAT_RGB;
        if (!png_image_write_to_file(&file, words[1], 0, canvas.rgb.data(), 0, nullptr))
            OpenClProgram::fail(std::string("cannot write ") + words[1]);
    }
    return wrong != 0;
}
