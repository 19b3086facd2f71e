// SPDX-License-Identifier: Apache-2.0
#include "vme/core.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "common/check.h"
#include "vme/check/intra.h"
#include "vme/cost.h"
#include "vme/mesh.h"
#include "vme/refine/samples.h"
#include "vme/search/partition.h"

namespace gen9::vme {
namespace {

constexpr std::uint64_t line_of(std::uint64_t address) {
    return address & ~std::uint64_t{kLineBytes - 1};
}

Patch& new_patch(Request& q, const PictureView& view, Plane plane, Point corner,
                 std::uint32_t width, std::uint32_t height) {
    GEN9_CHECK(q.patch_count < q.patches.size(), "a message has more blocks than there are");
    Patch& patch = q.patches[q.patch_count++];
    patch.view = view;
    patch.plane = plane;
    patch.x = corner.x;
    patch.y = corner.y;
    patch.width = width;
    patch.height = height;
    patch.bytes.resize(patch.stride() * height);
    return patch;
}

void fill_patch(Patch& patch, auto pixels) {
    for_each_run(patch, [&](std::size_t place, std::uint64_t address, std::uint32_t bytes) {
        std::memcpy(patch.bytes.data() + place, pixels(address), bytes);
    });
    replicate_edges(patch);
}

/// Which sides of a window the vectors of a direction touch (VME-61). A vector that came by a stream
/// may lie outside: it touches none.
std::uint8_t borders(const Inputs& in, Point corner, const Result& r, unsigned direction,
                     const Records& records) {
    const UnitSize units = window_units(in), size = unit_size(in.size);
    const auto right = static_cast<std::int32_t>(units.width * size.width) - 1;
    const auto bottom = static_cast<std::int32_t>(units.height * size.height) - 1;
    unsigned touched = 0;
    r.partition.for_each_shape(in, [&](unsigned shape, unsigned part) {
        const Record& record = records[shape];
        if (!record.filled || (r.partition.direction[part] != direction)) return;
        const std::int32_t x = record.vector.x / 4 - corner.x, y = record.vector.y / 4 - corner.y;
        if (x < 0 || y < 0 || x > right || y > bottom) return;
        touched |= (x == 0 ? 1u : 0u) | (x == right ? 2u : 0u) | (y == 0 ? 4u : 0u) |
                   (y == bottom ? 8u : 0u);
    });
    return static_cast<std::uint8_t>(touched);
}

/// W0.0[31:29]. Assumed: by their names, over the records of the stream, and over the shapes of the
/// winning choice.
void set_local_bits(const Inputs& in, const std::array<Records, 2>& records,
                    const std::array<Records, 2>& chosen, Result& r) {
    bool local = false, streamed = false;
    for (unsigned i = 0; i < in.records(); ++i)
        for (unsigned shape = 0; shape < kMajorShapes; ++shape) {
            const Record& record = records[i][shape];
            local = local || (record.filled && record.local);
            streamed = streamed || (record.filled && !record.local);
        }
    r.stream_only_local = !streamed;
    r.stream_has_no_local = !local;
    r.partition.for_each_shape(in, [&](unsigned shape, unsigned part) {
        const Record& record = chosen[r.partition.direction[part]][shape];
        r.min_has_local = r.min_has_local || (record.filled && record.local);
    });
}

}  // namespace

// --- Lines

void LineStore::add(std::uint64_t address) {
    if (index_.try_emplace(line_of(address), addresses_.size()).second)
        addresses_.push_back(line_of(address));
}

void LineStore::deliver(std::size_t index, const std::uint8_t* line) {
    if (lines_.size() < addresses_.size()) lines_.resize(addresses_.size());
    std::memcpy(lines_[index].bytes, line, kLineBytes);
}

const std::uint8_t* LineStore::find(std::uint64_t address) const {
    return lines_[index_.at(line_of(address))].bytes + address % kLineBytes;
}

void Core::list_lines(Request& q) {
    q.lines.clear();
    for (std::size_t i = 0; i < q.patch_count; ++i)
        for_each_run(q.patches[i], [&](std::size_t, std::uint64_t address, std::uint32_t) {
            q.lines.add(address);
        });
}

void Core::fill_from_lines(Request& q) {
    for (std::size_t i = 0; i < q.patch_count; ++i)
        fill_patch(q.patches[i], [&](std::uint64_t address) { return q.lines.find(address); });
}

void Core::fill(Request& q, PixelMemory& memory) {
    for (std::size_t i = 0; i < q.patch_count; ++i)
        fill_patch(q.patches[i], [&](std::uint64_t address) { return memory.pixels(address); });
}

// --- Which pixels a message needs

bool Core::refuse(Message& message, const Verdict& verdict) {
    ++stats_.refused;
    for (unsigned i = 0; i < message.response_length; ++i)
        message.response[i] = {};
    if (verdict.not_modelled) {
        message.status = MessageStatus::NotModelled;
        reporter_.not_modelled(verdict.not_modelled,
                               to_text(message) + " at " + place_text(message));
    }
    return false;
}

bool Core::begin(Message& message, Request& q) {
    ++stats_.messages;
    message.status = MessageStatus::Ok;
    std::fill_n(message.response_enable.begin(), message.response_length, ~0u);
    Verdict verdict;
    q.in = decode(message, verdict);
    const bool planned = !verdict.refused && plan(message, q, verdict);
    // One report a message: what is missing comes before what is wrong with a window.
    if (!verdict.guest_error.empty() && verdict.not_modelled == nullptr) {
        message.status = MessageStatus::GuestError;
        reporter_.guest_error("motion estimation message", place_text(message),
                              std::string(to_text(q.in.type)) + ": " + verdict.guest_error +
                                  (planned ? "" : "; it returns zeros") + " (" + to_text(message) +
                                  ")");
    }
    return planned || refuse(message, verdict);
}

const Picture* Core::picture(const ThreadSideband& sender, unsigned index, Verdict& verdict) {
    constexpr unsigned kTableEntries = 255;
    const Picture* const found =
        index < kTableEntries ? pictures_.resolve(sender, static_cast<std::uint8_t>(index), reader_)
                              : nullptr;
    const std::string entry = "binding table entry " + std::to_string(index);
    if (!found)
        verdict.guest_error =
            entry +
            (index < kTableEntries ? " or its state is not mapped" : " is beyond the table") +
            " (VME-05)";
    else if (!found->luma)
        verdict.guest_error = entry + " is no picture with eight bits of luma (VME-05)";
    else if (found->unmodelled)
        verdict.not_modelled = "VME-05";
    else
        return found;
    return nullptr;
}

const Picture* Core::reference(const ThreadSideband& sender, const Inputs& in, unsigned block,
                               unsigned direction, Verdict& verdict) {
    return picture(sender, in.binding_index + 1u + direction + 2u * in.ref_id[block][direction],
                   verdict);
}

const Patch* Core::block_patch(Request& q, const Picture& reference, unsigned shape, Vector vector,
                               unsigned direction, std::int32_t reach) {
    const Shape& s = kShapes[shape];
    const PictureView view =
        view_of(reference, q.in.reference_field, q.in.bottom(s.centre, direction));
    const std::int32_t before = reach + kTapsBefore, around = before + reach + kTapsBehind;
    return &new_patch(q, view, Plane::Luma,
                      {q.in.source.x + 4 * s.x + (vector.x >> 2) - before,
                       q.in.source.y + 4 * s.y + (vector.y >> 2) - before},
                      static_cast<std::uint32_t>(4 * s.width + around),
                      static_cast<std::uint32_t>(4 * s.height + around));
}

bool Core::plan(Message& message, Request& q, Verdict& verdict) {
    const Inputs& in = q.in;
    const ThreadSideband& sender = *message.sender;
    q.patch_count = 0;
    q.source = q.chroma = nullptr;
    q.window = {};
    q.parts.clear();
    q.skips.clear();
    const Picture* const source = picture(sender, in.binding_index, verdict);
    if (!source) return false;
    q.mocs = source->mocs;
    const PictureView view = view_of(*source, in.source_field, in.bottom_source);
    if (in.source.x >= static_cast<std::int32_t>(view.width) ||
        in.source.y >= static_cast<std::int32_t>(view.height)) {
        verdict.guest_error = "the source block begins outside the picture (VME-08)";
        return false;
    }
    q.source = &new_patch(q, view, Plane::Luma, in.source, 16, 16);
    if (in.type == MessageType::Refine) return plan_refinement(message, q, verdict);
    if (in.type != MessageType::Check) return plan_search(q, sender, verdict);
    if (in.intra_chroma) {
        if (!source->chroma) {
            verdict.guest_error = "the source picture has no chroma (VME-37)";
            return false;
        }
        q.chroma = &new_patch(q, view, Plane::Chroma, {in.source.x / 2, in.source.y / 2}, 8, 8);
    }
    return !in.skip || plan_check(message, q, verdict);
}

bool Core::plan_search(Request& q, const ThreadSideband& sender, Verdict& verdict) {
    const Inputs& in = q.in;
    const bool mesh = in.type == MessageType::Mesh;
    const std::uint32_t mesh_size = mesh_positions(in.mesh_8x8) + 16;
    for (unsigned record = 0; record < (mesh ? 1 : in.records()); ++record) {
        const unsigned direction = !mesh && in.control == SearchControl::DualReference ? record : 0;
        const Picture* const picture = reference(sender, in, 0, direction, verdict);
        if (!picture) return false;
        const PictureView view = view_of(*picture, in.reference_field, in.bottom(0, direction));
        const Point corner{in.source.x + in.window[record].x, in.source.y + in.window[record].y};
        const std::uint32_t width = mesh ? mesh_size : in.window_width;
        const std::uint32_t height = mesh ? mesh_size : in.window_height;
        const auto outside = [](std::int32_t first, std::uint32_t count, std::uint32_t limit) {
            return first + static_cast<std::int32_t>(count) <= 0 ||
                   first >= static_cast<std::int32_t>(limit);
        };
        // The result is undefined; here it is that of the nearest pixels.
        if (outside(corner.x, width, view.width) || outside(corner.y, height, view.height))
            verdict.guest_error =
                "the reference window lies outside the picture; the pixels of its edge are used "
                "(VME-08)";
        q.window[record] = &new_patch(q, view, Plane::Luma, corner, width, height);
    }
    return true;
}

bool Core::plan_refinement(Message& message, Request& q, Verdict& verdict) {
    const Inputs& in = q.in;
    const Partition partition = partition_of(in);
    bool known = true;
    partition.for_each_shape(in, [&](unsigned shape, unsigned part) {
        const Shape& s = kShapes[shape];
        RefinePart& p = q.parts.emplace_back();
        p.shape = shape;
        p.part = part;
        p.direction = partition.direction[part];
        for (unsigned d = 0; d < 2 && known; ++d) {
            p.start[d] =
                vector_of(dword(message, kTypePhase + s.first / 4u, s.first % 4u * 2u + d));
            // VME-56: the other direction is refined to be mixed in. VME-54: shapes below 8x8 are not.
            const bool needed = d == p.direction || (!in.no_bidirectional && shape < kMajorShapes);
            if (!needed) continue;
            const Picture* const picture = reference(*message.sender, in, s.centre, d, verdict);
            known = picture != nullptr;
            if (known) p.patch[d] = block_patch(q, *picture, shape, p.start[d], d, kRefineReach);
        }
    });
    if (known && q.parts.empty()) {
        verdict.guest_error = "the shape is not one of the source block (VME-32)";
        return false;
    }
    return known;
}

bool Core::plan_check(Message& message, Request& q, Verdict& verdict) {
    const Inputs& in = q.in;
    for (unsigned pair = 0; pair < (in.skip_8x8 ? 4u : 1u); ++pair) {
        SkipBlock& block = q.skips.emplace_back();
        block.shape = skip_shape(in, pair);
        for (unsigned d = 0; d < 2; ++d) {
            if (!(in.skip_mask >> (2 * pair + d) & 1)) continue;
            block.vector[d] = vector_of(dword(message, kTypePhase, 2 * pair + d));
            const Picture* const picture =
                reference(*message.sender, in, kShapes[block.shape].centre, d, verdict);
            if (!picture) return false;
            block.patch[d] = block_patch(q, *picture, block.shape, block.vector[d], d, 0);
        }
    }
    return true;
}

// --- The answer

Effort Core::finish(Message& message, const Request& q) {
    const Inputs& in = q.in;
    Effort effort;
    switch (in.type) {
        case MessageType::Search:
            ++stats_.searches;
            effort = search(message, q);
            break;
        case MessageType::Check:
            ++stats_.checks;
            effort = check(message, q);
            break;
        case MessageType::Refine: {
            ++stats_.refinements;
            write_result(in, refine(in, *q.source, q.parts), message);
            const unsigned positions = in.quarter ? 17 : in.half ? 9 : 1;
            for (const RefinePart& part : q.parts) {
                const Shape& s = kShapes[part.shape];
                const unsigned directions = (part.patch[0] ? 1 : 0) + (part.patch[1] ? 1 : 0);
                // Both together are one more position.
                effort.blocks += std::uint64_t{s.width} * s.height *
                                 (positions * directions + (directions == 2 ? 1 : 0));
            }
            break;
        }
        case MessageType::Mesh:
            ++stats_.meshes;
            write_mesh(in, *q.source, *q.window[0], message);
            effort.units = 16 / (in.mesh_8x8 ? 4 : 1);
            break;
    }
    stats_.units += effort.units;
    stats_.blocks += effort.blocks;
    return effort;
}

Effort Core::search(Message& message, const Request& q) {
    const Inputs& in = q.in;
    const unsigned second = in.control == SearchControl::DualReference ? 1 : 0;
    Search search(in, message.payload[kTypePhase].bytes, *q.source, q.window);
    search.run();
    std::array<Records, 2> records = search.records();
    if (in.stream_in)
        for (unsigned i = 0; i < in.records(); ++i)
            merge_stream(message, kTypePhase + 2 + 2 * i, records[i]);
    std::array<Records, 2> chosen = records;
    if (in.control == SearchControl::DualRecord) merge_records(chosen[0], records[1]);
    const Choice choice = choose_partition(in, chosen, 1 + second);

    Result r;
    r.too_many_vectors = choice.too_many_vectors;
    r.early_stop = search.early_stop();
    r.units = search.steps();
    r.alternate_units = in.dual() ? search.searched(1) : 0;
    r.distortion_sum = search.sums();
    r.distortion_most = search.most();
    r.ref_id = in.ref_id;
    r.inter_distortion = choice.found ? choice.distortion : kMostDistortion;
    if (choice.found) {
        r.inter = true;
        r.partition = choice.partition;
        r.vectors = choice.vectors;
        r.transform_8x8 = in.transform_8x8 && in.whole() && !r.partition.has_minor_shapes();
        r.partition.for_each_shape(in, [&](unsigned shape, unsigned part) {
            const Shape& s = kShapes[shape];
            std::array<Vector, 2> vectors{};
            for (unsigned d = 0; d <= second; ++d) {
                const Record& record = chosen[d][shape];
                if (!record.filled) continue;
                if (d != r.partition.direction[part] && !assumed::kBothVectors) continue;
                vectors[d] = record.vector;
                for (unsigned y = s.y / 2u; y < (s.y + s.height + 1u) / 2u; ++y)
                    for (unsigned x = s.x / 2u; x < (s.x + s.width + 1u) / 2u; ++x)
                        r.ref_id[2 * y + x][d] = record.ref_id;
            }
            r.place(shape, vectors, chosen[r.partition.direction[part]][shape].distortion);
        });
        for (unsigned d = 0; d <= second; ++d)
            r.border[d] = borders(in, in.window[d], r, d, chosen[d]);
    }
    if (in.stream_in || in.stream_out) set_local_bits(in, records, chosen, r);
    write_result(in, r, message);
    if (in.stream_out)
        for (unsigned i = 0; i < in.records(); ++i)
            write_stream(records[i], 7 + 2 * i, message);
    if (r.early_stop) ++stats_.early_stops;
    Effort effort;
    effort.units = search.searched(0) + search.searched(1);
    return effort;
}

Effort Core::check(Message& message, const Request& q) {
    const Inputs& in = q.in;
    Result r;
    Effort effort;
    r.ref_id = in.ref_id;
    if (in.skip) check_skip(in, *q.source, q.skips, r);
    for (const SkipBlock& block : q.skips) {
        const Shape& s = kShapes[block.shape];
        const unsigned directions = (block.patch[0] ? 1 : 0) + (block.patch[1] ? 1 : 0);
        effort.blocks +=
            std::uint64_t{s.width} * s.height * (directions + (directions == 2 ? 1 : 0));
    }
    effort.transform = in.skip && in.transform;
    if (in.intra_luma) {
        predict_luma(in, message, *q.source, r);
        effort.intra_sizes = 3u - static_cast<unsigned>(std::popcount(in.intra_mask));
    }
    if (in.intra_chroma) {
        predict_chroma(in, message, *q.chroma, r);
        effort.chroma = true;
    }
    write_result(in, r, message);
    return effort;
}

}  // namespace gen9::vme
