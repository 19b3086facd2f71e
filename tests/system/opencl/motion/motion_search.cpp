// SPDX-License-Identifier: Apache-2.0
// Motion estimation by Intel's extensions against a search in plain words: the driver's built-in
// kernels and device-side kernels, on textures with near misses, on pictures whose size is no
// multiple of 16.
//   motion_search [builtin] [device] [frame]     frame: 352 x 288 by the built-in kernel, unchecked
#include "block_motion.h"

#include <cstring>

namespace {

using motion::Picture;
using motion::Vector;

int wrong = 0;

void expect(bool right, const std::string& what) {
    if (right) return;
    if (++wrong <= 20) std::printf("wrong: %s\n", what.c_str());
}

/// Search units of the windows that drivers offer.
std::vector<Vector> serpentine(int wide, int high) {
    std::vector<Vector> units;
    for (int y = 0; y < high; ++y)
        for (int i = 0; i < wide; ++i)
            units.push_back({y % 2 ? wide - 1 - i : i, y});
    return units;
}
/// The driver's spiral: its bytes, from the start on; what leaves the window is not searched.
std::vector<Vector> spiral(int wide, int high, Vector start, int steps) {
    const unsigned words[] = {0x0101F00F, 0x0F0F1010, 0xF0F0F00F, 0x01010101, 0x10101010,
                              0x0F0F0F0F, 0xF0F0F00F, 0x0101F0F0, 0x01010101, 0x10101010,
                              0x0F0F1010, 0x0F0F0F0F, 0xF0F0F00F, 0xF0F0F0F0};
    std::vector<Vector> units;
    Vector at = start;
    for (int i = 0; i < steps; ++i) {
        if (at.x < wide && at.y < high) units.push_back(at);
        const unsigned byte = words[i / 4] >> 8 * (i % 4) & 0xFF;
        at = {(at.x + static_cast<int>(byte & 15)) & 15, (at.y + static_cast<int>(byte >> 4)) & 15};
    }
    return units;
}

struct Result {
    std::int64_t vector[16];
    std::uint16_t distortion[16];
    std::uint8_t major, minor, directions, count;
    std::uint16_t best, raw;

    Vector of(int block, int direction = 0) const {
        const auto bits = static_cast<std::uint64_t>(vector[block]) >> 32 * direction;
        return {static_cast<std::int16_t>(bits), static_cast<std::int16_t>(bits >> 16)};
    }
};

int block_at(int x, int y) {
    return (x & 1) | (y & 1) << 1 | (x & 2) << 1 | (y & 2) << 2;
}

// --- Device-side kernels

struct Case {
    const char* name;
    unsigned window, mask, most, costs, unit, subpixel;
    Vector offset;
};

class Device {
  public:
    Device() : program_("motion_search.cl") {}

    void run() {
        const std::vector<Case> cases = {
            {"exhaustive, all shapes", 0, 0, 32, 0, 0, 0, {0, 0}},
            {"exhaustive, costs", 0, 0, 32, 1, 0, 3, {0, 0}},
            {"exhaustive, few vectors", 0, 0, 4, 1, 1, 0, {3, -5}},
            {"small, half pixels", 1, 0x30, 32, 1, 2, 1, {-2, 4}},
            {"tiny, 8x4 and 4x8", 2, 0x4F, 32, 0, 0, 3, {1, 1}},
            {"extra tiny, 4x4", 3, 0x3F, 32, 1, 3, 0, {0, 0}},
            {"tiny, 16x8 alone", 2, 0x7D, 32, 0, 0, 3, {-7, 2}},
        };
        unsigned seed = 1;
        for (const Case& c : cases) {
            const Picture reference = motion::smooth_texture(57, 43, seed);
            check(c, motion::smooth_texture(57, 43, seed + 50), reference, false);
            // A shift is found, whole.
            check(c, motion::shifted(reference, -c.offset.x - 1, -c.offset.y), reference, true);
            ++seed;
        }
        check_both();
        check_skip();
    }

  private:
    static constexpr std::size_t kGroupsX = 4, kGroupsY = 3;

    std::vector<Result> results(cl_kernel kernel, cl_mem buffer) {
        program_.run(kernel, {16 * kGroupsX, kGroupsY}, {16, 1});
        return program_.read<Result>(buffer, kGroupsX * kGroupsY);
    }

    void check(const Case& c, const Picture& source, const Picture& reference, bool shift) {
        static const struct {
            Vector corner, units;
        } windows[] = {
            {{-16, -12}, {8, 6}}, {{-6, -6}, {3, 3}}, {{-4, -4}, {2, 2}}, {{-2, -2}, {1, 1}}};
        const auto& window = windows[c.window];
        std::vector<Vector> units;
        if (c.window == 0) units = spiral(8, 6, {4, 3}, 48);
        if (c.window == 1) units = spiral(3, 3, {1, 1}, 9);
        if (c.window >= 2) units = serpentine(window.units.x, window.units.y);
        motion::Costs costs;
        const unsigned table[2] = {0x5D4E4B2B, 0x6B6A685E};
        const std::uint64_t shapes = 0x4F594D3F5C;
        // The compiler gives all blocks the same centre.
        const Vector centre{5, -8};
        const auto packed =
            static_cast<cl_long>(static_cast<std::uint16_t>(centre.x) |
                                 std::uint32_t{static_cast<std::uint16_t>(centre.y)} << 16);
        if (c.costs) {
            for (std::size_t i = 0; i < 8; ++i)
                costs.table[i] = motion::Costs::byte(table[i / 4] >> 8 * (i % 4) & 0xFF);
            costs.centre.fill(centre);
            costs.unit = static_cast<int>(c.unit);
            const auto shape = [&](int i) {
                return motion::Costs::byte(static_cast<unsigned>(shapes >> 8 * i) & 0xFF);
            };
            costs.s16x8 = shape(0);
            costs.s8x8 = shape(1);
            costs.s8x4 = shape(2);
            costs.s4x4 = shape(3);
            costs.s16x16 = shape(4);
        }
        const cl_kernel kernel = program_.kernel("search");
        const cl_mem buffer = program_.buffer(std::vector<Result>(kGroupsX * kGroupsY));
        const cl_short2 offset{
            {static_cast<cl_short>(c.offset.x), static_cast<cl_short>(c.offset.y)}};
        const cl_uint2 tables{{table[0], table[1]}};
        program_.arguments(kernel, image_of(program_.context(), source),
                           image_of(program_.context(), reference), offset, c.window, c.mask,
                           c.most, c.costs, tables, c.unit, shapes, packed, c.subpixel, buffer);
        const auto found = results(kernel, buffer);
        const motion::Sampler sampler(reference, false);
        for (std::size_t i = 0; i < found.size(); ++i) {
            const int x = static_cast<int>(i % kGroupsX) * 16,
                      y = static_cast<int>(i / kGroupsX) * 16;
            const Result& r = found[i];
            const std::string where =
                std::string(c.name) + " at " + std::to_string(x) + "," + std::to_string(y);
            motion::Best best;
            motion::search(source, x, y, reference, costs, c.mask,
                           motion::positions_of(
                               units, {window.corner.x + c.offset.x, window.corner.y + c.offset.y}),
                           best);
            const motion::Division d = motion::choose(best, costs, static_cast<int>(c.most));
            expect(r.major == d.major, where + ": shape");
            int sum = d.distortion;
            for (const motion::Part& part : d.parts) {
                motion::Found f = best.at(part);
                if (c.subpixel) {
                    sum -= f.distortion;
                    f = motion::refine(source, x, y, part, sampler, costs, f.vector,
                                       c.subpixel == 3);
                    sum += f.distortion;
                }
                const int first = block_at(part.x / 4, part.y / 4);
                expect(r.of(first) == f.vector, where + ": vector");
                expect(r.distortion[first] == f.distortion, where + ": distortion");
            }
            expect(r.best == sum, where + ": best distortion");
            expect(r.count == d.parts.size(), where + ": number of vectors");
            if (shift && !c.costs && x + 40 < source.width && y + 30 < source.height && x > 0 &&
                y > 0)
                expect(r.best == 0, where + ": the shift is not found");
        }
    }

    /// The mean of two moved pictures is found in both of them.
    void check_both() {
        const Picture first = motion::texture(64, 48, 7), second = motion::texture(64, 48, 8);
        Picture source(64, 48);
        for (int y = 0; y < 48; ++y)
            for (int x = 0; x < 64; ++x)
                source(x, y) =
                    static_cast<unsigned char>((first.at(x, y) + second.at(x, y) + 1) / 2);
        const cl_kernel kernel = program_.kernel("both");
        const cl_mem buffer = program_.buffer(std::vector<Result>(kGroupsX * kGroupsY));
        const cl_uint mask = 0x7E;
        program_.arguments(kernel, image_of(program_.context(), source),
                           image_of(program_.context(), first),
                           image_of(program_.context(), second), mask, buffer);
        for (const Result& r : results(kernel, buffer)) {
            // What each direction alone found may differ from the place; both together are right if
            // it does not.
            if (r.of(0, 0) != Vector{} || r.of(0, 1) != Vector{}) continue;
            expect(r.directions == 2 && r.best == 0 && r.count == 2, "both directions");
        }
    }

    void check_skip() {
        const Picture reference = motion::texture(64, 48, 9), source = motion::texture(64, 48, 10);
        std::vector<std::int64_t> vectors;
        for (int i = 0; i < static_cast<int>(4 * kGroupsX * kGroupsY); ++i)
            vectors.push_back(static_cast<std::uint16_t>(i * 7 - 80) |
                              std::int64_t{static_cast<std::uint16_t>(40 - i * 3)} << 16);
        const cl_kernel kernel = program_.kernel("skip");
        const cl_mem buffer = program_.buffer(std::vector<Result>(kGroupsX * kGroupsY));
        program_.arguments(kernel, image_of(program_.context(), source),
                           image_of(program_.context(), reference), program_.buffer(vectors),
                           buffer);
        const auto found = results(kernel, buffer);
        const motion::Sampler sampler(reference, false);
        for (std::size_t i = 0; i < found.size(); ++i) {
            int raw = 0;
            for (int q = 0; q < 4; ++q) {
                const auto bits =
                    static_cast<std::uint64_t>(vectors[4 * i + static_cast<std::size_t>(q)]);
                const Vector v{static_cast<std::int16_t>(bits),
                               static_cast<std::int16_t>(bits >> 16)};
                const int sum = motion::sad(source, static_cast<int>(i % kGroupsX) * 16,
                                            static_cast<int>(i / kGroupsX) * 16,
                                            {q % 2 * 8, q / 2 * 8, 8, 8}, sampler, v);
                raw += sum;
                expect(found[i].distortion[4 * q] == sum, "skip check: distortion");
            }
            expect(found[i].raw == std::min(raw, 0xFFFF), "skip check: raw distortion");
        }
    }

    OpenClProgram program_;
};

// --- Built-in kernels

void check_built_in() {
    BlockMotion kernel;
    const struct {
        cl_uint code;
        Vector corner, units;
    } radii[] = {{0, {-2, -2}, {1, 1}}, {1, {-4, -4}, {2, 2}}, {5, {-16, -12}, {8, 6}}};
    const Picture reference = motion::smooth_texture(48, 32, 3);
    const Picture source = motion::smooth_texture(48, 32, 4);
    const motion::Costs none;
    const motion::Sampler sampler(reference, false);
    for (cl_uint block = 0; block < 3; ++block)
        for (cl_uint subpixel = 0; subpixel < 3; ++subpixel)
            for (const auto& radius : radii) {
                const BlockMotion::Found found =
                    kernel.run(source, reference, block, subpixel, radius.code);
                const std::string what = "built-in kernel, blocks " + std::to_string(block) +
                                         ", sub-pixel " + std::to_string(subpixel) + ", radius " +
                                         std::to_string(radius.code);
                const unsigned masks[] = {0x7E, 0x77, 0x3F};
                const int side = block == 0 ? 1 : block == 1 ? 2 : 4, size = 16 / side;
                for (int y = 0; y < 32; y += 16)
                    for (int x = 0; x < 48; x += 16) {
                        motion::Best best;
                        motion::search(
                            source, x, y, reference, none, masks[block],
                            motion::positions_of(serpentine(radius.units.x, radius.units.y),
                                                 radius.corner),
                            best);
                        for (int i = 0; i < side * side; ++i) {
                            // 4x4 blocks are stored in Z order, as if that were raster order.
                            const int bx = side == 4 ? (i & 1) | (i >> 1 & 2) : i % side;
                            const int by = side == 4 ? (i >> 1 & 1) | (i >> 2 & 2) : i / side;
                            const motion::Part part{bx * size, by * size, size, size};
                            motion::Found f = best.at(part);
                            if (subpixel)
                                f = motion::refine(source, x, y, part, sampler, none, f.vector,
                                                   subpixel == 2);
                            const auto at = static_cast<std::size_t>((y / 16 * side + i / side) *
                                                                         (48 / 16 * side) +
                                                                     x / 16 * side + i % side);
                            const Vector v{found.vectors[at].s[0], found.vectors[at].s[1]};
                            expect(v == f.vector, what + ": vector");
                            expect(found.residuals[at] == f.distortion, what + ": residual");
                        }
                    }
            }
}

}  // namespace

int main(int count, char** words) {
    std::vector<std::string> parts(words + 1, words + count);
    if (parts.empty()) parts = {"builtin", "device"};
    for (const std::string& part : parts) {
        if (part == "builtin") check_built_in();
        if (part == "device") Device().run();
        if (part == "frame") {
            const Picture reference = motion::smooth_texture(352, 288, 1);
            BlockMotion().run(motion::shifted(reference, -5, 3), reference, 2, 2, 5);
        }
    }
    std::printf("%d differences\n", wrong);
    return wrong != 0;
}
