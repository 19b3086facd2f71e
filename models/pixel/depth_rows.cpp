// SPDX-License-Identifier: Apache-2.0
// Tests of rows of samples, and where their bytes are.
#include <bit>
#include <cstring>

#include "common/bits.h"
#include "interconnect/payload/subspans.h"
#include "interpolation/barycentric.h"
#include "pixel/depth_module.h"

namespace gen9::pixel {

namespace {

constexpr unsigned kQuad = 4;  ///< samples of 16 bytes

std::uint32_t slice_of(const DepthDraw& draw, const SetUpObject& object) {
    return object.render_target_index < draw.layers ? object.render_target_index : 0;
}

}  // namespace

/// The samples of a block in rows: `each(row, number of the half, sample)`.
template <class Each>
void DepthUnit::each_row(const DepthDraw& draw, const SetUpObject& object, const PixelBlock& block,
                         const Each& each) {
    Row row;
    row.back = object.back_facing;
    row.viewport = object.viewport & 15;
    row.slice = slice_of(draw, object);
    const unsigned samples = draw.clears        ? draw.samples.samples
                             : draw.merges_once ? 1
                                                : block.samples;
    interpolation::PlaceValues depth{};
    bool known = false;
    for (unsigned s = 0; s < samples; ++s) {
        const std::uint32_t covered =
            draw.clears || draw.merges_once ? block.lit : block.covered[s];
        if (covered == 0) continue;
        if (draw.has_clear_depth()) {
            row.z.fill(draw.clear_depth);
        } else if (draw.uses_depth() && (!known || draw.samples.at_each_sample)) {
            known = true;
            const interpolation::SamplePlace place =
                draw.samples.at_each_sample ? draw.samples.places[s] : draw.samples.pixel;
            interpolation::source_depth(
                object.interpolation,
                interpolation::weights_at(object.interpolation,
                                          interpolation::block_places(block.x, block.y, place)),
                depth);
        }
        row.sample = static_cast<std::uint8_t>(s);
        for (unsigned half = 0; half < 2; ++half) {
            row.lanes = covered >> 16 * half & 0xFFFF;
            if (row.lanes == 0) continue;
            for (unsigned n = 0; n < kLanes; ++n) {
                row.x[n] = static_cast<std::uint16_t>(block.x + static_cast<int>(n % 8));
                row.y[n] = static_cast<std::uint16_t>(block.y + static_cast<int>(2 * half + n / 8));
            }
            if (!draw.has_clear_depth())
                std::memcpy(row.z.data(), depth.data() + 16 * half, sizeof row.z);
            each(row, half, s);
        }
    }
}

DepthUnit::Places DepthUnit::find_places(const DepthDraw& draw, const Row& row) {
    Places places;
    for (std::uint32_t left = row.lanes; left != 0; left &= left - 1) {
        const auto n = static_cast<unsigned>(std::countr_zero(left));
        if (!draw.inside(row.x[n], row.y[n])) continue;
        places.inside |= 1u << n;
        if (draw.uses_depth())
            places.depth[n] = draw.depth.address(row.slice, row.x[n], row.y[n], row.sample);
        if (draw.uses_stencil())
            places.stencil[n] = draw.stencil.address(row.slice, row.x[n], row.y[n], row.sample);
    }
    return places;
}

void DepthUnit::add_lines(const DepthDraw& draw, const Places& places, LineSet& lines) {
    const auto add = [&](const std::array<std::uint64_t, kLanes>& of, Requester requester) {
        for (std::uint32_t left = places.inside; left != 0; left &= left - 1)
            lines.add(of[static_cast<unsigned>(std::countr_zero(left))], requester);
    };
    if (draw.uses_depth()) add(places.depth, Requester::Depth);
    if (draw.uses_stencil()) add(places.stencil, Requester::Stencil);
}

template <class RowBytes>
void DepthUnit::load_depth(const RowBytes& bytes, unsigned size, std::uint32_t lanes,
                           DepthRow& to) {
    if constexpr (RowBytes::kQuads)
        if (bytes.quads) {
            for (unsigned n = 0; n < kLanes; n += kQuad)
                std::memcpy(&to[n], bytes.depth(n), kQuad * sizeof to[n]);
            return;
        }
    for (; lanes != 0; lanes &= lanes - 1) {
        const auto n = static_cast<unsigned>(std::countr_zero(lanes));
        to[n] =
            size == 2 ? load<std::uint16_t>(bytes.depth(n)) : load<std::uint32_t>(bytes.depth(n));
    }
}

/// Lanes that are not set have what was loaded.
template <class RowBytes>
void DepthUnit::store_depth(const DepthRow& from, unsigned size, std::uint32_t lanes,
                            const RowBytes& bytes) {
    if constexpr (RowBytes::kQuads)
        if (bytes.quads) {
            for (unsigned n = 0; n < kLanes; n += kQuad)
                if (lanes >> n & ((1u << kQuad) - 1))
                    std::memcpy(bytes.depth(n), &from[n], kQuad * sizeof from[n]);
            return;
        }
    for (; lanes != 0; lanes &= lanes - 1) {
        const auto n = static_cast<unsigned>(std::countr_zero(lanes));
        if (size == 2)
            store(bytes.depth(n), static_cast<std::uint16_t>(from[n]));
        else
            store(bytes.depth(n), from[n]);
    }
}

/// Those of a batch of timed mode.
void DepthUnit::find_lines(const DepthDraw& draw, const PixelBatch& batch) {
    lines_.clear();
    for (const PixelBlock& block : batch.blocks)
        each_row(draw, batch.objects->objects[block.object], block,
                 [&](const Row& row, unsigned, unsigned) {
                     add_lines(draw, find_places(draw, row), lines_);
                 });
}

/// `inside`: lanes whose bytes are given.
template <class RowBytes>
DepthUnit::Outcome DepthUnit::test_row(const DepthDraw& draw, const Row& row, std::uint32_t inside,
                                       const RowBytes& bytes, bool writes) {
    DepthState state = draw.state;
    state.depth_write &= writes;
    state.stencil_write &= writes;
    const unsigned size = state.format ? state.format->bytes() : 0;
    TestRow tested;
    if (draw.uses_depth()) load_depth(bytes, size, inside, tested.depth);
    if (draw.uses_stencil())
        for (std::uint32_t left = inside; left != 0; left &= left - 1) {
            const auto n = static_cast<unsigned>(std::countr_zero(left));
            tested.stencil[n] = *bytes.stencil(n);
        }
    if (draw.uses_depth()) {
        const auto& [least, most] = draw.range[row.viewport];
        to_buffer(*state.format, least, most, row.z, tested.source);
    }
    const TestResult result = test(state, row.back, inside, tested, row.exported);
    store_depth(tested.depth, size, result.depth_changed, bytes);
    for (std::uint32_t left = result.stencil_changed; left != 0; left &= left - 1) {
        const auto n = static_cast<unsigned>(std::countr_zero(left));
        *bytes.stencil(n) = tested.stencil[n];
    }
    const auto tests = static_cast<unsigned>(std::popcount(inside));
    stats_.samples_tested += tests;
    stats_.samples_failed += tests - static_cast<unsigned>(std::popcount(result.passed));
    return {result.passed | (row.lanes & ~inside), result.depth_changed, result.stencil_changed};
}

/// In lines that are at hand.
DepthUnit::Outcome DepthUnit::test_in_lines(const DepthDraw& draw, const Row& row, LineSet& lines,
                                            bool writes) {
    const Places places = find_places(draw, row);
    Bytes bytes;
    for (std::uint32_t left = places.inside; left != 0; left &= left - 1) {
        const auto n = static_cast<unsigned>(std::countr_zero(left));
        if (draw.uses_depth()) bytes.depth_at[n] = lines.bytes_of(places.depth[n]);
        if (draw.uses_stencil()) bytes.stencil_at[n] = lines.bytes_of(places.stencil[n]);
    }
    const Outcome outcome = test_row(draw, row, places.inside, bytes, writes);
    const std::uint64_t element =
        draw.state.format ? (std::uint64_t{1} << draw.state.format->bytes()) - 1 : 0;
    for (std::uint32_t left = outcome.depth_changed; left != 0; left &= left - 1) {
        const std::uint64_t at = places.depth[static_cast<unsigned>(std::countr_zero(left))];
        lines.line_of(at).written |= element << at % kLineBytes;
    }
    for (std::uint32_t left = outcome.stencil_changed; left != 0; left &= left - 1) {
        const std::uint64_t at = places.stencil[static_cast<unsigned>(std::countr_zero(left))];
        lines.line_of(at).written |= std::uint64_t{1} << at % kLineBytes;
    }
    return outcome;
}

/// Within the call.
DepthUnit::Outcome DepthUnit::test_at_once(const Draw& draw, const DepthDraw& state, const Row& row,
                                           bool writes, sc_core::sc_time& delay) {
    if (!env_.timed()) {
        const Places places = find_places(state, row);
        Bytes bytes;
        std::uint32_t left = places.inside;
        for (; left != 0; left &= left - 1) {
            const auto n = static_cast<unsigned>(std::countr_zero(left));
            if (state.uses_depth()) {
                bytes.depth_at[n] = pages_.find(places.depth[n], state.state.format->bytes(),
                                                state.state.depth_write, state.depth_mocs);
                if (bytes.depth_at[n] == nullptr) break;
            }
            if (state.uses_stencil()) {
                bytes.stencil_at[n] = pages_.find(places.stencil[n], 1, state.state.stencil_write,
                                                  state.stencil_mocs);
                if (bytes.stencil_at[n] == nullptr) break;
            }
        }
        if (left == 0) return test_row(state, row, places.inside, bytes, writes);
    }
    LineSet& lines = late_lines_;
    lines.clear();
    add_lines(state, find_places(state, row), lines);
    const auto move = [&](LineSet::Line& line, bool reads) {
        MemoryTransaction& transaction = *pool_.get();
        transaction.access(reads ? tlm::TLM_READ_COMMAND : tlm::TLM_WRITE_COMMAND, line.address,
                           kLineBytes);
        transaction.attributes.derive(access_of(draw, state, line.of));
        if (!reads) {
            std::memcpy(transaction.data, line.data, kLineBytes);
            transaction.enable_bytes(line.written, kLineBytes);
        }
        mem_out->b_transport(transaction, delay);
        if (!transaction.is_response_ok()) report_unmapped(draw);
        if (reads) std::memcpy(line.data, transaction.data, kLineBytes);
        ++(reads ? stats_.lines_read : stats_.lines_written);
        transaction.release();
    };
    for (LineSet::Line& line : lines.lines())
        move(line, true);
    const Outcome outcome = test_in_lines(state, row, lines, writes);
    for (LineSet::Line& line : lines.lines())
        if (line.written != 0) move(line, false);
    return outcome;
}

/// The bytes of a block of functional mode, those of its first rows and sample. False: its pixels are
/// to be found one by one.
bool DepthUnit::find_block(const DepthDraw& draw, std::uint32_t slice, const PixelBlock& block,
                           BlockBytes& bytes) {
    const auto x = static_cast<std::uint32_t>(block.x), y = static_cast<std::uint32_t>(block.y);
    if (env_.timed() || x % kBlockWidth != 0 || y % kBlockHeight != 0 ||
        !draw.inside(x + kBlockWidth - 1, y + kBlockHeight - 1))
        return false;
    const auto find = [&](const SamplePlaces& places, bool writes, std::uint8_t mocs) {
        if (places.block_offsets(0) == nullptr) return static_cast<std::uint8_t*>(nullptr);
        return pages_.find_any(places.address(slice, x, y, 0), writes, mocs);
    };
    if (draw.uses_depth())
        bytes.first_depth = find(draw.depth, draw.state.depth_write, draw.depth_mocs);
    if (draw.uses_stencil())
        bytes.first_stencil = find(draw.stencil, draw.state.stencil_write, draw.stencil_mocs);
    return (!draw.uses_depth() || bytes.first_depth) &&
           (!draw.uses_stencil() || bytes.first_stencil);
}

/// All its lines are there. What is left goes into `out`.
void DepthUnit::test_batch(Job& job) {
    const PixelBatch& in = *job.in;
    const Draw& draw = *in.objects->draw;
    const DepthDraw& state = *job.draw;
    const bool writes = state.time.write_early;
    job.out.objects = in.objects;
    job.out.blocks.clear();
    for (const PixelBlock& block : in.blocks) {
        std::array<std::uint32_t, kMaxSamples> left{};
        const SetUpObject& object = in.objects->objects[block.object];
        BlockBytes bytes;
        const bool found = find_block(state, slice_of(state, object), block, bytes);
        const auto test_one = [&](const Row& row, unsigned half, unsigned sample) {
            if (env_.timed()) return test_in_lines(state, row, lines_, writes);
            if (found) {
                const auto offsets = [&](const SamplePlaces& of) {
                    return of.block_offsets(sample)->data() + kLanes * half;
                };
                if (bytes.first_depth) {
                    bytes.depth_offset = offsets(state.depth);
                    bytes.quads = state.depth.in_quads();
                }
                if (bytes.first_stencil) bytes.stencil_offset = offsets(state.stencil);
                return test_row(state, row, row.lanes, bytes, writes);
            }
            sc_core::sc_time delay;
            return test_at_once(draw, state, row, writes, delay);
        };
        each_row(state, object, block, [&](const Row& row, unsigned half, unsigned sample) {
            left[sample] |= test_one(row, half, sample).passed << 16 * half;
        });
        if (state.clears) continue;
        PixelBlock& out = job.out.blocks.emplace_back(block);
        if (block.samples > 1) out.before_tests = &block;
        out.lit = 0;
        std::uint64_t passed = 0;
        for (unsigned s = 0; s < block.samples; ++s) {
            out.covered[s] = left[s];
            out.lit |= left[s];
            stats_.subspans_failed_early += subspans(block.covered[s]) - subspans(left[s]);
            out.full &= left[s] == kAllPixels;
            passed += static_cast<unsigned>(std::popcount(left[s]));
        }
        if (state.statistics && writes) count_passed(draw, passed);
        if (out.lit == 0) job.out.blocks.pop_back();
    }
    if (!env_.timed()) return;
    for (const LineSet::Line& line : lines_.lines())
        if (line.written != 0) {
            traffic_.write_bytes(job.group, line.address, line.data, line.written,
                                 access_of(draw, state, line.of));
            ++stats_.lines_written;
        }
}

void DepthUnit::test_late(DepthTest& asked, sc_core::sc_time& delay) {
    const PixelRecord& record = *asked.record;
    const Draw& draw = *record.draw;
    const SetUpObject& object = *record.object;
    const DrawPtr state = find_draw(draw, delay);
    const DepthDraw& d = *state;
    ++stats_.late_tests;
    if (env_.timed()) delay += clock_.time(Cycles(params_.late_cycles));

    Row row;
    row.back = object.back_facing;
    row.viewport = object.viewport & 15;
    row.slice = slice_of(d, object);
    StencilRow exported{};
    if (asked.has_stencil) {
        exported = asked.stencil;
        row.exported = &exported;
    }
    std::uint16_t any = 0;
    for (unsigned n = 0; n < kLanes; ++n) {
        const unsigned slot = (asked.first_slot + n) % PixelRecord::kSlots;
        row.x[n] = static_cast<std::uint16_t>(record.subspans[slot / 4].x + (slot & 1));
        row.y[n] = static_cast<std::uint16_t>(record.subspans[slot / 4].y + (slot >> 1 & 1));
        any |= asked.covered[n];
    }
    for (unsigned s = 0; s < record.samples; ++s) {
        if (!(any >> s & 1)) continue;
        row.sample = static_cast<std::uint8_t>(s);
        row.lanes = 0;
        for (unsigned n = 0; n < kLanes; ++n)
            row.lanes |= std::uint32_t(asked.covered[n] >> s & 1) << n;
        std::uint32_t passed = row.lanes;
        if (d.tests()) {
            if (d.has_clear_depth()) {
                row.z.fill(d.clear_depth);
            } else if (asked.has_depth) {
                row.z = asked.depth;
            } else if (d.uses_depth()) {
                const interpolation::SamplePlace place =
                    d.samples.at_each_sample ? d.samples.places[s] : d.samples.pixel;
                interpolation::Places places;
                places.count = kLanes;
                for (unsigned n = 0; n < kLanes; ++n) {
                    places.x[n] = row.x[n] * kPixelSteps + place.x * 16;
                    places.y[n] = row.y[n] * kPixelSteps + place.y * 16;
                }
                interpolation::PlaceValues depth;
                interpolation::source_depth(object.interpolation,
                                            interpolation::weights_at(object.interpolation, places),
                                            depth);
                std::memcpy(row.z.data(), depth.data(), sizeof row.z);
            }
            passed = test_at_once(draw, d, row, asked.writes, delay).passed;
        }
        if (asked.writes)
            stats_.subspans_failed_late += slot_subspans(row.lanes) - slot_subspans(passed);
        if (d.statistics && asked.writes)
            count_passed(draw, static_cast<unsigned>(std::popcount(passed)));
        for (unsigned n = 0; n < kLanes; ++n)
            if (!(passed >> n & 1)) asked.covered[n] &= static_cast<std::uint16_t>(~(1u << s));
    }
}

}  // namespace gen9::pixel
