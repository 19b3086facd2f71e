// SPDX-License-Identifier: Apache-2.0
// Motion estimation against what real parts returned: the vectors of a clip, drawn into its frames,
// pixel by pixel.
//   motion_golden DIR [SET...] [--frames N]     DIR holds clip, search, cost, hme, intra
// clip: 25 frames of luma, 176 x 144. The others have, for each frame, a bit for each pixel that the
// drawing changed. A set named windows wants the picture of cost, by nine streamed windows.
#include <algorithm>
#include <array>
#include <cstring>
#include <memory>

#include "../opencl_program.h"

namespace {

constexpr int kWidth = 176, kHeight = 144, kFrames = 25;
constexpr int kGroupsX = kWidth / 16, kGroupsY = kHeight / 16, kGroups = kGroupsX * kGroupsY;
using Frame = std::vector<unsigned char>;

struct Vector {
    short x, y;
};

std::vector<unsigned char> contents(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    if (!in) OpenClProgram::fail("cannot read " + path);
    return {std::istreambuf_iterator<char>(in), {}};
}

/// Which pixels are drawn.
struct Drawing {
    std::vector<bool> set = std::vector<bool>(kWidth * kHeight);

    void point(int x, int y) {
        if (x >= 0 && y >= 0 && x < kWidth && y < kHeight)
            set[static_cast<std::size_t>(y * kWidth + x)] = true;
    }
    void line(int x, int y, int to_x, int to_y) {
        const bool steep = std::abs(to_y - y) > std::abs(to_x - x);
        if (steep) {
            std::swap(x, y);
            std::swap(to_x, to_y);
        }
        if (x > to_x) {
            std::swap(x, to_x);
            std::swap(y, to_y);
        }
        const int dx = to_x - x, dy = std::abs(to_y - y), step = y < to_y ? 1 : -1;
        int error = dx / 2;
        for (; x <= to_x; ++x) {
            steep ? point(y, x) : point(x, y);
            error -= dy;
            if (error < 0) {
                y += step;
                error += dx;
            }
        }
    }
    void vector(int x, int y, Vector v) { line(x, y, x + ((v.x + 2) >> 2), y + ((v.y + 2) >> 2)); }
};

/// What a macroblock was found to be.
struct Block {
    std::array<Vector, 16> vector;
    int major = 0, minor = 0;
    unsigned inter = 0, intra = ~0u;
    int intra_shape = 0;
};

void draw_inter(Drawing& d, int x, int y, const Block& b, bool with_8x8) {
    const auto draw = [&](int px, int py, int block) {
        d.vector(x + px, y + py, b.vector[static_cast<std::size_t>(block)]);
    };
    switch (b.major) {
        case 0:
            return draw(8, 8, 0);
        case 1:
            draw(8, 4, 0);
            return draw(8, 12, 8);
        case 2:
            // The right half's vector is in blocks 4 and on; the program that made the pictures
            // looks at 8.
            draw(4, 8, 0);
            return draw(12, 8, 8);
        default:
            break;
    }
    if (!with_8x8) return;
    for (int q = 0; q < 4; ++q) {
        const int px = 8 * (q & 1) + 4, py = 8 * (q >> 1) + 4;
        switch (b.minor >> 2 * q & 3) {
            case 0:
                draw(px, py, 4 * q);
                break;
            case 1:
                draw(px, py - 2, 4 * q);
                draw(px, py + 2, 4 * q + 2);
                break;
            case 2:
                draw(px - 2, py, 4 * q);
                draw(px + 2, py, 4 * q + 2);
                break;
            default:
                for (int n = 0; n < 4; ++n)
                    draw(4 * n + 2, 4 * q + 2, 4 * q + n);
        }
    }
}

void draw_intra(Drawing& d, int x, int y, int shape) {
    const auto line = [&](int x0, int y0, int dx, int dy) {
        d.line(x + x0, y + y0, x + x0 + dx, y + y0 + dy);
    };
    line(0, 0, 16, 0);
    line(0, 0, 0, 16);
    line(16, 0, 0, 16);
    line(0, 16, 16, 0);
    const auto cross = [&](int at) {
        line(at, 0, 0, 16);
        line(0, at, 16, 0);
    };
    if (shape >= 1) cross(8);
    if (shape >= 2) {
        cross(4);
        cross(12);
    }
}

class Encoder {
  public:
    Encoder()
        : program_("golden.cl"),
          inter_(program_.kernel("inter")),
          tier_(program_.kernel("tier")),
          intra_(program_.kernel("intra")),
          vectors_(program_.buffer(std::vector<Vector>(2 * 16 * kGroups))),
          shapes_(program_.buffer(std::vector<unsigned char>(2 * kGroups))),
          best_(program_.buffer(std::vector<unsigned short>(kGroups))),
          modes_(program_.buffer(std::vector<std::uint64_t>(kGroups))) {}

    std::vector<Block> blocks(const std::string& set, const Frame& now, const Frame* before) {
        const bool pyramid = set == "hme" || set == "intra";
        std::vector<Block> blocks(kGroups);
        const cl_mem source = image(now, kWidth, kHeight);
        if (before) {
            const cl_mem predictors =
                pyramid ? predict(now, *before)
                        : program_.buffer(std::vector<Vector>(kGroups, Vector{0, 0}));
            const cl_uint mask = pyramid ? 0 : 0x30, costs = set != "search";
            const cl_uint windows = pyramid ? 2 : set == "windows" ? 9 : 1;
            program_.arguments(inter_, source, image(*before, kWidth, kHeight), predictors, mask,
                               costs, windows, vectors_, shapes_, best_);
            program_.run(inter_, {16 * kGroupsX, kGroupsY}, {16, 1});
            const auto vectors = program_.read<Vector>(vectors_, 2 * 16 * kGroups);
            const auto shapes = program_.read<unsigned char>(shapes_, 2 * kGroups);
            const auto best = program_.read<unsigned short>(best_, kGroups);
            for (std::size_t i = 0; i < kGroups; ++i) {
                for (std::size_t z = 0; z < 16; ++z)
                    blocks[i].vector[z] = vectors[2 * (16 * i + z)];
                blocks[i].major = shapes[2 * i];
                blocks[i].minor = shapes[2 * i + 1];
                blocks[i].inter = best[i];
            }
        }
        if (set == "intra") {
            program_.arguments(intra_, source, program_.buffer(now), shapes_, best_, modes_);
            program_.run(intra_, {16 * kGroupsX, kGroupsY}, {16, 1});
            const auto shapes = program_.read<unsigned char>(shapes_, kGroups);
            const auto best = program_.read<unsigned short>(best_, kGroups);
            for (std::size_t i = 0; i < kGroups; ++i) {
                blocks[i].intra = best[i];
                blocks[i].intra_shape = shapes[i];
                if (!before) blocks[i].inter = ~0u;
            }
        }
        return blocks;
    }

  private:
    cl_mem image(const Frame& pixels, int width, int height) {
        const cl_image_format format{CL_R, CL_UNORM_INT8};
        cl_image_desc shape{};
        shape.image_type = CL_MEM_OBJECT_IMAGE2D;
        shape.image_width = static_cast<std::size_t>(width);
        shape.image_height = static_cast<std::size_t>(height);
        cl_int error;
        const cl_mem made =
            clCreateImage(program_.context(), CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, &format,
                          &shape, const_cast<unsigned char*>(pixels.data()), &error);
        OpenClProgram::check(error, "clCreateImage");
        return made;
    }
    static Frame half(const Frame& from, int width, int height) {
        Frame to;
        for (int y = 0; y < height / 2; ++y)
            for (int x = 0; x < width / 2; ++x) {
                const unsigned char* const at =
                    &from[static_cast<std::size_t>(2 * y * width + 2 * x)];
                to.push_back(static_cast<unsigned char>(
                    (at[0] + at[1] + at[width] + at[width + 1] + 2) >> 2));
            }
        return to;
    }
    cl_mem predict(const Frame& now, const Frame& before) {
        std::array<std::pair<Frame, Frame>, 4> levels;
        levels[0] = {now, before};
        for (std::size_t i = 1; i < levels.size(); ++i)
            levels[i] = {half(levels[i - 1].first, kWidth >> (i - 1), kHeight >> (i - 1)),
                         half(levels[i - 1].second, kWidth >> (i - 1), kHeight >> (i - 1))};
        cl_mem predictors = program_.buffer(std::vector<Vector>(4 * kGroups, Vector{0, 0}));
        for (std::size_t i = levels.size() - 1; i > 0; --i) {
            const int width = kWidth >> i, height = kHeight >> i;
            const auto groups = [](int size) { return static_cast<std::size_t>((size + 15) / 16); };
            const cl_mem next = program_.buffer(std::vector<Vector>(4 * kGroups, Vector{0, 0}));
            // 8x8 blocks, and a table of costs of its own.
            const cl_uint mask = 0x77, costs = 1;
            const cl_uint2 table{{0x291A1804, 0x2F2E2C2A}};
            program_.arguments(tier_, image(levels[i].first, width, height),
                               image(levels[i].second, width, height), predictors, mask, costs,
                               table, next);
            program_.run(tier_, {16 * groups(width), groups(height)}, {16, 1});
            predictors = next;
        }
        return predictors;
    }

    OpenClProgram program_;
    cl_kernel inter_, tier_, intra_;
    cl_mem vectors_, shapes_, best_, modes_;
};

}  // namespace

int main(int count, char** words) {
    std::vector<std::string> sets;
    std::string folder;
    int frames = kFrames;
    for (int i = 1; i < count; ++i) {
        if (std::string(words[i]) == "--frames" && i + 1 < count)
            frames = std::min(std::atoi(words[++i]), kFrames);
        else if (folder.empty())
            folder = words[i];
        else
            sets.emplace_back(words[i]);
    }
    if (folder.empty()) OpenClProgram::fail("usage: motion_golden DIR [SET...] [--frames N]");
    if (sets.empty()) sets = {"search", "cost", "windows", "hme", "intra"};
    const auto clip = contents(folder + "/clip");
    Encoder encoder;
    int wrong_sets = 0;
    for (const std::string& set : sets) {
        const auto expected = contents(folder + "/" + (set == "windows" ? "cost" : set));
        long drawn = 0, wrong_pixels = 0, wrong_frames = 0;
        Frame before;
        for (int frame = 0; frame < frames; ++frame) {
            const auto* const at = clip.data() + frame * kWidth * kHeight;
            const Frame now(at, at + kWidth * kHeight);
            Drawing drawing;
            if (frame > 0 || set == "intra") {
                const auto blocks = encoder.blocks(set, now, frame > 0 ? &before : nullptr);
                for (int i = 0; i < kGroups; ++i) {
                    const Block& block = blocks[static_cast<std::size_t>(i)];
                    const int x = i % kGroupsX * 16, y = i / kGroupsX * 16;
                    if (block.inter < block.intra)
                        draw_inter(drawing, x, y, block, set != "intra");
                    else
                        draw_intra(drawing, x, y, block.intra_shape);
                }
            }
            long wrong = 0;
            for (int i = 0; i < kWidth * kHeight; ++i) {
                const auto pixel = static_cast<std::size_t>(i);
                // A pixel that had the line's value does not change.
                const bool changed = drawing.set[pixel] && now[pixel] != 180;
                const auto byte =
                    static_cast<std::size_t>(frame) * kWidth * kHeight / 8 + pixel / 8;
                drawn += changed;
                wrong += changed != static_cast<bool>(expected[byte] >> (i & 7) & 1);
            }
            wrong_pixels += wrong;
            wrong_frames += wrong != 0;
            before = now;
        }
        std::printf("%s: %ld pixels drawn, %ld wrong, in %ld of %d frames\n", set.c_str(), drawn,
                    wrong_pixels, wrong_frames, frames);
        wrong_sets += wrong_pixels != 0;
    }
    return wrong_sets != 0;
}
