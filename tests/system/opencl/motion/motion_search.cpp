// SPDX-License-Identifier: Apache-2.0
// Motion estimation by Intel's extensions against a search in plain words: the driver's built-in
// kernels and device-side kernels, on textures with near misses, on pictures whose size is no
// multiple of 16.
//   motion_search [builtin] [checks] [device] [frame]
//     builtin  the search alone; checks  the kernels that check vectors and predict intra as well
//     frame    352 x 288 by the built-in kernel and with all shapes, unchecked
#include "checked_cases.h"

#include <cstring>

namespace {

using motion::Picture;
using motion::Vector;

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
            {"radius 16x12", kRadius16x12, 0x70, 32, 1, 0, 0, {2, 0}},
            {"radius 2x2", kRadius2x2, 0x4B, 8, 1, 2, 3, {0, 3}},
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
        for (const unsigned diamond : {4u, 5u})
            check_diamond(diamond);
        check_streams();
        check_fields();
    }

    /// All shapes of each macroblock in the exhaustive window, refined to quarters.
    void frame(const Picture& source, const Picture& reference) {
        const std::size_t across = static_cast<std::size_t>(source.width) / 16,
                          down = static_cast<std::size_t>(source.height) / 16;
        const cl_kernel kernel = program_.kernel("search");
        program_.arguments(kernel, image_of(program_.context(), source),
                           image_of(program_.context(), reference), cl_short2{}, kExhaustive,
                           cl_uint{0}, cl_uint{32}, cl_uint{0}, cl_uint2{}, cl_uint{0}, cl_ulong{0},
                           cl_long{0}, cl_uint{3},
                           program_.buffer(std::vector<Result>(across * down)));
        program_.run(kernel, {16 * across, down}, {16, 1});
    }

  private:
    /// Numbers of the compiler's windows.
    static constexpr unsigned kExhaustive = 0, kSmall = 1, kTiny = 2, kExtraTiny = 3,
                              kRadius16x12 = 9, kRadius2x2 = 10;
    struct Window {
        Vector corner;
        std::vector<Vector> units;
    };
    static Window window_of(unsigned number) {
        switch (number) {
            case kExhaustive:
                return {{-16, -12}, spiral(8, 6, {4, 3}, 48)};
            case kSmall:
                return {{-6, -6}, spiral(3, 3, {1, 1}, 9)};
            case kRadius16x12:
                return {{-16, -12}, serpentine(8, 6)};
            case kTiny:  // as radius 4x4
                return {{-4, -4}, serpentine(2, 2)};
            default:
                return {{-2, -2}, serpentine(1, 1)};
        }
    }
    static constexpr std::size_t kGroupsX = 4, kGroupsY = 3;

    std::vector<Result> results(cl_kernel kernel, cl_mem buffer) {
        program_.run(kernel, {16 * kGroupsX, kGroupsY}, {16, 1});
        return program_.read<Result>(buffer, kGroupsX * kGroupsY);
    }

    void check(const Case& c, const Picture& source, const Picture& reference, bool shift) {
        const Window window = window_of(c.window);
        const std::vector<Vector>& units = window.units;
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

    /// Where an adaptive search goes after its 16 or 32 units is not settled: what it returns is the
    /// distortion at its vector, and no more than the best of those units.
    void check_diamond(unsigned number) {
        const Vector first[16] = {{4, 3}, {3, 3}, {4, 2}, {3, 2}, {5, 3}, {2, 3}, {4, 1}, {6, 3},
                                  {4, 4}, {4, 5}, {3, 4}, {5, 2}, {5, 4}, {1, 3}, {7, 3}, {4, 0}};
        const Picture reference = motion::smooth_texture(64, 48, 31);
        const Picture source = motion::smooth_texture(64, 48, 32);
        const cl_kernel kernel = program_.kernel("search");
        const cl_mem buffer = program_.buffer(std::vector<Result>(kGroupsX * kGroupsY));
        program_.arguments(kernel, image_of(program_.context(), source),
                           image_of(program_.context(), reference), cl_short2{}, number,
                           cl_uint{0x7E}, cl_uint{32}, cl_uint{0}, cl_uint2{}, cl_uint{0},
                           cl_ulong{0}, cl_long{0}, cl_uint{0}, buffer);
        const auto found = results(kernel, buffer);
        for (std::size_t i = 0; i < found.size(); ++i) {
            const int x = static_cast<int>(i % kGroupsX) * 16,
                      y = static_cast<int>(i / kGroupsX) * 16;
            const Vector v{found[i].of(0).x / 4, found[i].of(0).y / 4};
            motion::Best best;
            motion::search(source, x, y, reference, {}, 0x7E,
                           motion::positions_of({first, first + 16}, {-16, -12}), best);
            const motion::Part whole{0, 0, 16, 16};
            expect(found[i].best == motion::sad_whole(source, x, y, whole, reference, v) &&
                       found[i].best <= best.at(whole).distortion && v.x >= -16 && v.x < 16 &&
                       v.y >= -12 && v.y < 12,
                   "diamond " + std::to_string(number));
        }
    }

    struct Stream {
        std::uint32_t vector[4][4];
        std::uint16_t distortion[4][4];
    };
    static std::vector<std::vector<motion::Part>> majors() {
        return {motion::parts_of(16, 16), motion::parts_of(16, 8), motion::parts_of(8, 16),
                motion::parts_of(8, 8)};
    }
    /// What two windows find together; of equals that of the later message stays.
    static motion::Best of_two(const Picture& source, int x, int y, const Picture& reference,
                               const Window& window, Vector first, Vector second) {
        motion::Best best;
        for (const Vector offset : {second, first})
            motion::search(source, x, y, reference, {}, 0x70,
                           motion::positions_of(window.units, {window.corner.x + offset.x,
                                                               window.corner.y + offset.y}),
                           best);
        return best;
    }
    static void expect_stream(const Stream& s, const motion::Best& best, const std::string& what) {
        const auto shapes = majors();
        for (std::size_t shape = 0; shape < 4; ++shape)
            for (std::size_t i = 0; i < shapes[shape].size(); ++i) {
                const motion::Found& f = best.at(shapes[shape][i]);
                const std::uint32_t v = static_cast<std::uint16_t>(f.vector.x) |
                                        std::uint32_t{static_cast<std::uint16_t>(f.vector.y)} << 16;
                expect(s.vector[shape][i] == v, what + ": streamed vector");
                expect(s.distortion[shape][i] == f.distortion, what + ": streamed distortion");
            }
    }

    void check_streams() {
        const Picture source = motion::smooth_texture(64, 48, 41);
        const Picture references[2] = {motion::smooth_texture(64, 48, 42),
                                       motion::smooth_texture(64, 48, 43)};
        const Vector first{3, -4}, second{-5, 2};
        const cl_short2 offsets[2] = {{{3, -4}}, {{-5, 2}}};
        const cl_mem image = image_of(program_.context(), source),
                     forward = image_of(program_.context(), references[0]),
                     backward = image_of(program_.context(), references[1]);
        const std::size_t groups = kGroupsX * kGroupsY;
        for (const bool both : {false, true}) {
            const std::string what = both ? "streams of two references" : "stream";
            const cl_mem buffer = program_.buffer(std::vector<Result>(groups)),
                         records = program_.buffer(std::vector<Stream>(2 * groups));
            const cl_kernel kernel = program_.kernel(both ? "stream_both" : "stream");
            if (both)
                program_.arguments(kernel, image, forward, backward, offsets[0], offsets[1], buffer,
                                   records);
            else
                program_.arguments(kernel, image, forward, offsets[0], offsets[1], buffer, records);
            const auto found = results(kernel, buffer);
            const auto streams = program_.read<Stream>(records, 2 * groups);
            for (std::size_t i = 0; i < groups; ++i) {
                const int x = static_cast<int>(i % kGroupsX) * 16,
                          y = static_cast<int>(i / kGroupsX) * 16;
                motion::Best best[2];
                for (std::size_t d = 0; d < (both ? 2u : 1u); ++d) {
                    // A window of two references is 4 by 4 units of 32 by 32 pixels.
                    best[d] = of_two(source, x, y, references[d], window_of(both ? kTiny : kSmall),
                                     first, second);
                    expect_stream(streams[both ? 2 * i + d : i], best[d], what);
                }
                // Each part has the better direction.
                motion::Best merged = best[0];
                std::map<motion::Part, int> direction;
                for (const auto& [part, f] : best[1])
                    if (f.distortion < merged.at(part).distortion) {
                        merged.at(part) = f;
                        direction[part] = 1;
                    }
                const motion::Division d = motion::choose(merged, {}, 32);
                expect(found[i].major == d.major && found[i].best == d.distortion,
                       what + ": shape");
                for (const motion::Part& part : d.parts) {
                    const int block = block_at(part.x / 4, part.y / 4);
                    const motion::Found& f = merged.at(part);
                    expect(found[i].of(block, direction[part]) == f.vector, what + ": vector");
                    expect(found[i].distortion[block] == f.distortion, what + ": distortion");
                }
            }
        }
    }

    /// Fields are half pictures.
    void check_fields() {
        const Picture reference = motion::texture(64, 96, 51), source = motion::texture(64, 96, 52);
        const Vector v{-9, 6};
        const cl_uint packed =
            static_cast<std::uint16_t>(v.x) | std::uint32_t{static_cast<std::uint16_t>(v.y)} << 16;
        const cl_mem images[2] = {image_of(program_.context(), source),
                                  image_of(program_.context(), reference)};
        const cl_kernel kernel = program_.kernel("fields");
        const cl_mem buffer = program_.buffer(std::vector<Result>(kGroupsX * kGroupsY));
        for (const cl_uint parity : {0u, 1u})
            for (const cl_uint of_reference : {0u, 1u}) {
                program_.arguments(kernel, images[0], images[1], parity, of_reference, packed,
                                   buffer);
                const Picture half = reference.field(static_cast<int>(of_reference));
                const motion::Sampler frame(reference, false), field(half, false);
                const auto found = results(kernel, buffer);
                for (std::size_t i = 0; i < found.size(); ++i) {
                    const int x = static_cast<int>(i % kGroupsX) * 16,
                              y = static_cast<int>(i / kGroupsX) * 16;
                    const motion::Part part{0, 0, 16, 16};
                    expect(found[i].raw == motion::sad(source, x, y, part, frame, v) &&
                               found[i].best == motion::sad(source.field(static_cast<int>(parity)),
                                                            x, y, part, field, v),
                           "fields " + std::to_string(parity) + std::to_string(of_reference));
                }
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
    if (parts.empty()) parts = {"builtin", "checks", "device"};
    for (const std::string& part : parts) {
        if (part == "builtin") check_built_in();
        if (part == "checks") CheckedCases().run();
        if (part == "device") Device().run();
        if (part == "frame") {
            const Picture reference = motion::smooth_texture(352, 288, 1);
            const Picture source = motion::shifted(reference, -5, 3);
            BlockMotion().run(source, reference, 2, 2, 5);
            Device().frame(source, reference);
        }
    }
    std::printf("%d differences\n", wrong);
    return wrong != 0;
}
