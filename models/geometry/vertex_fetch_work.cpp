// SPDX-License-Identifier: Apache-2.0
// Vertex fetch: from indices to vertices in the URB, and from these to objects in batches.
#include <algorithm>
#include <cstring>

#include "common/check.h"
#include "geometry/vertex_fetch.h"

namespace gen9::geometry {
namespace {

constexpr std::uint32_t kIndexStretch = 64;  ///< indices that are read at a time
constexpr std::uint64_t kAddressMask = (std::uint64_t{1} << 48) - 1;
constexpr std::size_t kIndicesAhead = 32;  ///< fewer than so many: the next are read
constexpr std::size_t kStepsAhead = 256;   ///< so many at most wait to be assembled
/// Functional mode: vertices a cycle. What comes back in a cycle runs the step again in it, so that
/// without this a draw that is far too long stops time.
constexpr std::uint64_t kIndicesPerCycle = 64;

/// By what data is read: the index buffer, or a vertex buffer.
constexpr std::uint8_t kIndices = 0;
std::uint8_t stream_of(const VertexElement& element) {
    return static_cast<std::uint8_t>(kIndices + 1 + element.buffer);
}
constexpr std::uint64_t key_of(std::uint8_t stream, std::uint64_t line) {
    return std::uint64_t{stream} << 48 | line;
}

}  // namespace

// L3 keeps none of it: what is told to be invalidated is in the cache behind the socket
// (line_cache/).
MemoryAttributes VertexFetch::reads(std::uint8_t stream, std::uint8_t mocs) const {
    MemoryAttributes who;
    who.requester = Requester::VertexFetch;
    who.stream = stream;
    who.uncached = true;
    who.mocs = mocs;
    who.trace_id = run_->draw.trace_id;
    return who;
}

// --- Indices

bool VertexFetch::read_indices(Cycles now) {
    if (!stream_) return false;
    auto& read = index_read_;
    if (!read.reading) {
        if (stopping()) return false;
        if (stream_->left() == 0 || indices_.size() - next_index_ > kIndicesAhead) return false;
        read.stretch = stream_->stretch(kIndexStretch);
        read.bytes.resize(read.stretch.bytes);
        read.traffic = traffic_.open();
        read.reading = true;
        if (!read.bytes.empty())
            traffic_.read(read.traffic, read.stretch.address.value & kAddressMask,
                          read.bytes.data(), read.stretch.bytes, reads(kIndices, stream_->mocs()));
        stats_.index_bytes += read.stretch.bytes;
    }
    if (!traffic_.over(read.traffic, now)) return false;
    if (traffic_.failed(read.traffic) && !run_->reported_unmapped) {
        run_->reported_unmapped = true;
        guest_error(*run_, "indices are not mapped; they read as 0");
    }
    traffic_.close(read.traffic);
    read.reading = false;
    indices_.erase(indices_.begin(), indices_.begin() + static_cast<std::ptrdiff_t>(next_index_));
    next_index_ = 0;
    const std::size_t before = indices_.size();
    indices_.resize(before + read.stretch.count);
    stream_->next(read.bytes, std::span(indices_).subspan(before));
    return true;
}

bool VertexFetch::fetch(Cycles now) {
    if (!stream_) return false;
    if (stopping()) {
        starved_ = false;
        return false;
    }
    if (fetched_at_ != now) {
        fetched_at_ = now;
        fetched_now_ = 0;
    }
    const bool was_starved = starved_;
    const auto closed = groups_closed_;
    bool worked = false;
    const std::uint64_t most = env_.timed() ? params_.vertices_per_clock.get() : kIndicesPerCycle;
    for (; fetched_now_ < most && fetch_index(now); ++fetched_now_)
        worked = true;
    if (fetched_now_ == most) wakeup_.at(now + Cycles(1));
    // In functional mode what is read is there at once, and nothing else runs the step for it.
    if (!env_.timed()) worked |= groups_closed_ != closed || (starved_ && !was_starved);
    return worked;
}

bool VertexFetch::fetch_index(Cycles now) {
    if (instance_ == instances_) return false;
    // Nothing of an instance is left: the next one.
    if (next_index_ == indices_.size()) {
        if (index_read_.reading || stream_->left() != 0) return false;
        close_group();
        steps_.push_back({Step::Kind::EndOfInstance});
        stream_->rewind();
        if (layout_->by_instance()) clear_cache(now);
        ++instance_;
        return true;
    }
    if (steps_.size() >= kStepsAhead) {
        close_group();  // of hits alone it may never be full
        return false;
    }
    const DrawIndex index = indices_[next_index_];
    if (index.cut) {
        steps_.push_back({Step::Kind::Cut});
        ++next_index_;
        ++stats_.indices;
        return true;
    }
    if (use_cache_)
        if (const auto entry = cache_.find(index.vertex_index)) {
            ++vertices_[*entry].references;
            steps_.push_back({Step::Kind::Vertex, *entry});
            ++next_index_;
            ++stats_.indices;
            ++stats_.cache_hits;
            return true;
        }
    const bool filling = !groups_.empty() && groups_.back()->state == Group::State::Filling;
    if (!filling && groups_.size() >= params_.groups) return false;
    const auto entry = new_entry(now);
    starved_ = !entry;
    if (!entry) {
        close_group();  // so that it is assembled, and its entries come back
        return false;
    }
    if (!filling) {
        Group& group = group_pool_.get();
        group.state = Group::State::Filling;
        group.count = 0;
        groups_.push_back(&group);
    }
    Group& group = *groups_.back();
    group.entries[group.count] = *entry;
    group.numbers[group.count++] = {index.vertex_index, start_instance_, index.vertex_id,
                                    instance_};
    Vertex& vertex = vertices_[*entry];
    vertex = {};
    vertex.references = 1;
    if (use_cache_) {
        ++vertex.references;
        if (const auto leaves = cache_.add(index.vertex_index, *entry)) drop(*leaves, now);
    }
    steps_.push_back({Step::Kind::Vertex, *entry, groups_done_ + groups_.size()});
    ++next_index_;
    ++stats_.indices;
    if (group.count == kVertexBatch) close_group();
    return true;
}

// An entry that only the cache refers to is given up for it.
std::optional<unsigned> VertexFetch::new_entry(Cycles now) {
    handles_.collect(kOwner, now);
    if (handles_.free(kOwner) == 0) {
        const auto leaves =
            cache_.drop_one([this](unsigned entry) { return vertices_[entry].references == 1; });
        if (leaves) drop(*leaves, now);
        handles_.collect(kOwner, now);
    }
    if (handles_.free(kOwner) == 0) return {};
    return handles_.allocate(kOwner);
}

void VertexFetch::drop(unsigned entry, Cycles now) {
    if (--vertices_[entry].references == 0) handles_.release(kOwner, entry, now);
}

void VertexFetch::clear_cache(Cycles now) {
    cache_.clear([&](unsigned entry) { drop(entry, now); });
    handles_.collect(kOwner, now);
}

// --- Groups of vertices

void VertexFetch::close_group() {
    if (groups_.empty() || groups_.back()->state != Group::State::Filling) return;
    Group& group = *groups_.back();
    group.state = Group::State::Reading;
    ++groups_closed_;
    group.traffic = traffic_.open();
    read_lines(group);
}

// A line is read once for each VERTEX_BUFFER_STATE, however many elements lie in it: the vertex
// cache tells lines apart by these (Public: Mesa 1df3a00dcd5).
void VertexFetch::read_lines(Group& group) {
    std::vector<Wanted>& wanted = wanted_;
    wanted.clear();
    const std::span numbers(group.numbers.data(), group.count);
    for (const VertexElement& element : layout_->elements()) {
        const ElementAddresses at = layout_->addresses(element, numbers);
        const std::uint8_t mocs = layout_->buffer(element.buffer).mocs;
        const std::uint8_t stream = stream_of(element);
        for (unsigned n = 0; n < group.count; ++n) {
            if (!(at.within >> n & 1) || element.bytes == 0) continue;
            const std::uint64_t address = at.address[n].value & kAddressMask;
            const std::uint64_t first = address / kLineBytes,
                                last = (address + element.bytes - 1) / kLineBytes;
            for (std::uint64_t line = first; line <= last; ++line)
                if (wanted.empty() || wanted.back().key != key_of(stream, line * kLineBytes))
                    wanted.push_back({key_of(stream, line * kLineBytes), stream, mocs});
        }
    }
    if (!std::ranges::is_sorted(wanted, {}, &Wanted::key))
        std::ranges::stable_sort(wanted, {}, &Wanted::key);
    const auto same = [](const Wanted& a, const Wanted& b) { return a.key == b.key; };
    wanted.erase(std::unique(wanted.begin(), wanted.end(), same), wanted.end());
    group.keys.clear();
    // One more, for a converter may look beyond its element.
    group.lines.resize(wanted.size() + 1);
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        group.keys.push_back(wanted[i].key);
        traffic_.read(group.traffic, wanted[i].key & kAddressMask, group.lines[i].bytes, kLineBytes,
                      reads(wanted[i].stream, wanted[i].mocs));
    }
    stats_.lines += wanted.size();
    stats_.fetched += group.count;
}

bool VertexFetch::advance_groups(Cycles now) {
    bool worked = false;
    for (Group* const group : groups_) {
        if (group->state != Group::State::Reading || !traffic_.over(group->traffic, now)) continue;
        if (traffic_.failed(group->traffic) && !run_->reported_unmapped) {
            run_->reported_unmapped = true;
            guest_error(*run_, "vertices are not mapped; they read as 0");
        }
        traffic_.close(group->traffic);
        convert(*group);
        worked = true;
    }
    while (!groups_.empty() && groups_.front()->state == Group::State::Writing &&
           traffic_.over(groups_.front()->traffic, now)) {
        traffic_.close(groups_.front()->traffic);
        group_pool_.put(*groups_.front());
        groups_.pop_front();
        ++groups_done_;
        worked = true;
    }
    return worked;
}

void VertexFetch::convert(Group& group) {
    const unsigned dwords = std::max(layout_->slots(), 1u) * kSlotDwords;
    group.values.assign(std::size_t{dwords} * kVertexBatch, 0);
    std::array<std::uint32_t*, kVertexBatch> entries{};
    for (unsigned n = 0; n < kVertexBatch; ++n)
        entries[n] = group.values.data() + std::size_t{n} * dwords;
    const std::span places(entries.data(), group.count);
    const std::span numbers(group.numbers.data(), group.count);
    constexpr std::size_t kRoom = 2 * kLineBytes;
    straddling_.resize(kRoom * kVertexBatch);
    // Vertices mostly follow each other: the next element lies in the same line or the one behind.
    std::size_t line = 0;
    const auto find_line = [&](std::uint64_t key) {
        for (const std::size_t near : {line, line + 1})
            if (near < group.keys.size() && group.keys[near] == key) return near;
        const auto found = std::ranges::lower_bound(group.keys, key);
        return static_cast<std::size_t>(found - group.keys.begin());
    };
    for (const VertexElement& element : layout_->elements()) {
        const ElementAddresses at = layout_->addresses(element, numbers);
        std::array<const std::uint8_t*, kVertexBatch> bytes{};
        for (unsigned n = 0; n < group.count; ++n) {
            if (!(at.within >> n & 1)) continue;
            const std::uint64_t address = at.address[n].value & kAddressMask;
            const std::uint64_t offset = address % kLineBytes;
            line = find_line(key_of(stream_of(element), address - offset));
            bytes[n] = group.lines[line].bytes + offset;
            if (offset + element.bytes <= kLineBytes) continue;
            // The second line is the next one of the list: it was asked for with the first.
            std::uint8_t* const whole = straddling_.data() + n * kRoom;
            std::memcpy(whole, bytes[n], kLineBytes - offset);
            std::memcpy(whole + (kLineBytes - offset), group.lines[line + 1].bytes,
                        element.bytes - (kLineBytes - offset));
            bytes[n] = whole;
        }
        if (element.edge_flag) {
            const std::uint32_t set = VertexLayout::edges(element, bytes.data(), at.within);
            for (unsigned n = 0; n < group.count; ++n)
                vertices_[group.entries[n]].edge = set >> n & 1;
        } else {
            VertexLayout::store(element, bytes.data(), at.within, places);
        }
    }
    layout_->store_numbers(numbers, places);
    layout_->pack(places);

    group.traffic = traffic_.open();
    group.state = Group::State::Writing;
    MemoryAttributes who;
    who.space = AddressSpace::Urb;
    who.requester = Requester::Urb;
    who.trace_id = run_->draw.trace_id;
    const auto size = static_cast<unsigned>(std::min<std::size_t>(
        std::size_t{layout_->entry_dwords()} * 4, partition_.entry_rows * kGrfBytes));
    if (size == 0) return;
    for (unsigned n = 0; n < group.count; ++n)
        traffic_.write(group.traffic,
                       std::uint64_t{handles_.row(kOwner, group.entries[n])} * kGrfBytes,
                       entries[n], size, who);
    stats_.urb_bytes += std::uint64_t{size} * group.count;
}

// --- Objects

bool VertexFetch::assemble(Cycles now) {
    if (!stream_) return false;
    bool worked = false;
    while (!steps_.empty() && ready_.size() < params_.batch_queue) {
        const Step step = steps_.front();
        if (step.group > groups_done_) break;
        steps_.pop_front();
        worked = true;
        if (step.kind == Step::Kind::Vertex) {
            assemble_vertex(step.entry, now);
            continue;
        }
        end_strip(now);
        if (step.kind == Step::Kind::Cut) continue;
        close_batch();
        count_instance();
        ++assembled_;
        objects_ = objects_sent_before_ = 0;
        if (assembled_ != instances_) {
            assembly_.emplace(run_->draw.topology, static_cast<ObjectSink&>(*this));
            continue;
        }
        end_stream_output(*run_);
        stream_.reset();
        assembly_.reset();
        clear_cache(now);
        return true;
    }
    if (!starved_ || !steps_.empty()) return worked;
    // The batch that has been made goes on although it is not full, so that entries come back.
    if (batch_ && ready_.size() < params_.batch_queue) {
        close_batch();
        return true;
    }
    if (!worked && stuck()) {
        give_up_draw(now);
        return true;
    }
    return worked;
}

void VertexFetch::assemble_vertex(unsigned entry, Cycles now) {
    // The step's reference becomes the strip's.
    if (in_strip_ == 0 && reach_.first) {
        first_of_strip_ = entry;
        ++vertices_[entry].references;
    }
    window_.push_back(entry);
    ++in_strip_;
    assembly_->vertex({entry, vertices_[entry].edge});
    const std::size_t keep = list_step_ != 0 ? in_strip_ % list_step_ : reach_.last;
    for (; window_.size() > keep; window_.pop_front())
        drop(window_.front(), now);
}

void VertexFetch::end_strip(Cycles now) {
    assembly_->end();
    drop_strip(now);
}

void VertexFetch::drop_strip(Cycles now) {
    for (; !window_.empty(); window_.pop_front())
        drop(window_.front(), now);
    if (first_of_strip_) drop(*first_of_strip_, now);
    first_of_strip_.reset();
    in_strip_ = 0;
}

std::uint32_t VertexFetch::number_in_batch(unsigned entry) {
    Vertex& vertex = vertices_[entry];
    if (vertex.batch == batches_made_) return vertex.number;
    vertex.batch = batches_made_;
    vertex.number = static_cast<std::uint32_t>(batch_->vertices.size());
    ++vertex.references;
    batch_->entries.push_back(entry);
    batch_->vertices.push_back({handles_.row(kOwner, entry), !std::exchange(vertex.sent, true)});
    return vertex.number;
}

void VertexFetch::object(const PrimitiveObject& object) {
    if (objects_++ < objects_sent_before_) return;
    goes_on_ = false;
    if (batch_ && batch_->objects.size() == PrimitiveBatch::kObjects) close_batch();
    if (!batch_) {
        batch_ = &batch_pool_.get();
        batch_->run = run_;
        batch_->draw = &run_->draw;
        batch_->entry_rows = partition_.entry_rows;
        batch_->instance = assembled_;
        batch_->trace_id = run_->draw.trace_id;
        batch_->vertices.clear();
        batch_->objects.clear();
        batch_->entries.clear();
        batch_->holds_entries = true;
        ++batches_made_;
        ++run_->batches;
    }
    PrimitiveObject& made = batch_->objects.emplace_back(object);
    for (unsigned i = 0; i < made.count; ++i)
        made.vertices[i] = number_in_batch(object.vertices[i]);
}

void VertexFetch::close_batch() {
    if (batch_) ready_.push_back(batch_);
    batch_ = nullptr;
}

// VF-24, VF-25.
void VertexFetch::count_instance() {
    if (!count_) return;
    DrawCounts& counts = run_->command->counts;
    counts.ia_vertices += assembly_->vertices();
    counts.ia_primitives += assembly_->primitives();
    stats_.ia_vertices += assembly_->vertices();
    stats_.ia_primitives += assembly_->primitives();
}

// --- Too few entries

bool VertexFetch::stuck() const {
    return groups_.empty() && !batch_ && ready_.empty() && returns_.empty() &&
           out_.in_flight() == 0 && !index_read_.reading && handles_.free(kOwner) == 0 &&
           !handles_.returning(kOwner);
}

void VertexFetch::give_up_draw(Cycles now) {
    guest_error(*run_, "instance " + std::to_string(assembled_) + ", primitive " +
                           std::to_string(assembly_->primitives()) + " needs more than the " +
                           std::to_string(partition_.entries) +
                           " URB entries of vertices; the rest is not drawn");
    end_strip(now);
    count_instance();
    give_up_rest(now);
}

void VertexFetch::give_up_rest(Cycles now) {
    drop_strip(now);
    close_batch();
    end_stream_output(*run_);
    stream_.reset();
    assembly_.reset();
    starved_ = false;
    clear_cache(now);
}

}  // namespace gen9::geometry
