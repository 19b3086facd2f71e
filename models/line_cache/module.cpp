// SPDX-License-Identifier: Apache-2.0
#include "line_cache/module.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "common/check.h"

namespace gen9::line_cache {
namespace {

using Payload = tlm::tlm_generic_payload;
constexpr Cycles kNext{1};

/// The bytes of a run within a line.
constexpr std::uint64_t run_of(unsigned first, unsigned count) {
    return (count >= kLineBytes ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1) << first;
}

std::uint64_t touched_by(const Payload& payload, unsigned done, unsigned size, unsigned offset) {
    const std::uint8_t* const enables = payload.get_byte_enable_ptr();
    const unsigned period = payload.get_byte_enable_length();
    if (!payload.is_write() || enables == nullptr || period == 0) return run_of(offset, size);
    std::uint64_t touched = 0;
    for (unsigned i = 0; i < size; ++i)
        touched |= std::uint64_t{enables[(done + i) % period] != 0} << (offset + i);
    return touched;
}

std::uint64_t touched_by(const LaneAccess& lanes, unsigned offset) {
    std::uint64_t touched = 0;
    for (unsigned i = 0; i < std::min<unsigned>(lanes.count, LaneAccess::kMaxLanes); ++i)
        touched |= std::rotl(run_of(0, lanes.width_bytes),
                             static_cast<int>((offset + lanes.offset[i]) % kLineBytes));
    return touched;
}

void refuse(const LineAccess& access, Payload& payload, tlm::tlm_response_status status) {
    if (access.lanes != nullptr)
        access.lanes->result.fill(0);
    else
        std::memset(access.data, 0, access.size);
    payload.set_response_status(status);
}

}  // namespace

LineCache::LineCache(sc_core::sc_module_name module_name, Environment& env, const Clock& clock,
                     const LineCacheSetup& setup)
    : sc_module(module_name),
      LineCacheBlock(env),
      env_(env),
      clock_(clock),
      params_(env.config, name()),
      stats_(name()),
      signals_(name()),
      emptied_by_(setup.emptied_by),
      queue_(mem_in, clock, params_.queue),
      port_(mem_out, clock),
      wakeup_(clock) {
    enlist(env, params_, stats_, signals_);
    signals_.activity.start_with(Activity::Idle);
    for (const PartSetup& part : setup.parts) {
        Part& made = parts_.emplace_back(env.config, name(), part);
        enlist(env, made.params, made.stats);
        if (made.params.ways * kLineBytes > made.params.size_bytes)
            throw UserError(made.params.path() + ".ways=" + made.params.ways.value_text() +
                            " is not allowed: " + made.params.size_bytes.value_text() +
                            " bytes are " + std::to_string(made.params.size_bytes / kLineBytes) +
                            " lines");
    }
    mem_in.on_blocking = [this](Payload& payload, sc_core::sc_time& delay) {
        block(payload, delay);
    };
    mem_in.on_debug = [this](Payload& payload) { return debug(payload); };
    mem_in.on_direct = [this](Payload& payload, tlm::tlm_dmi& dmi) {
        return mem_out->get_direct_mem_ptr(payload, dmi);
    };
    mem_in.on_forward = [this](Payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
        return begin(payload, phase, delay);
    };
    mem_out.on_invalidate = [this](std::uint64_t start, std::uint64_t end) {
        mem_in->invalidate_direct_mem_ptr(start, end);
    };
    CacheControl heeded{.settle = true};
    heeded.*emptied_by_ = true;
    control_in.takes(heeded, [this](const MemoryAttributes& asked, sc_core::sc_time& delay) {
        control(asked.control, delay);
        if (asked.control.settle) wait_until_idle();
    });
    port_.on_response = [this](Payload& payload, Cycles at) { answered(payload, at); };
    port_.on_room = [this] { wakeup_.at(std::max(next_send_, clock_.now() + kNext)); };
    wakeup_.runs<&LineCache::run>(this);
}

LineCache::~LineCache() = default;

LineCache::Part* LineCache::part_of(const MemoryAttributes& attributes) {
    for (Part& part : parts_)
        if (part.requester == attributes.requester) return &part;
    return nullptr;
}

LineName LineCache::name_of(std::uint64_t address, const MemoryAttributes& attributes) {
    return {address / kLineBytes * kLineBytes, attributes.space, attributes.stream};
}

LineAccess LineCache::access_of(Payload& payload) {
    return part_of_access(payload, 0, payload.get_data_length());
}

/// Of the `size` bytes behind those that have been done; they lie in one line.
LineAccess LineCache::part_of_access(Payload& payload, unsigned done, unsigned size) {
    LineAccess access;
    access.offset = static_cast<unsigned>((payload.get_address() + done) % kLineBytes);
    MemoryAttributes* const attributes = find_attributes(payload);
    if (attributes != nullptr && attributes->operation == MemoryAttributes::Operation::Lanes) {
        access.lanes = &attributes->lanes;
        access.write = access.lanes->kind == LaneAccess::Kind::Write;
        access.touched = touched_by(*access.lanes, access.offset);
        return access;
    }
    access.write = payload.is_write();
    access.size = size;
    access.data = payload.get_data_ptr() + done;
    access.touched = touched_by(payload, done, size, access.offset);
    return access;
}

void LineCache::perform(Line& line, const LineAccess& access, const MemoryAttributes& attributes) {
    const std::uint64_t before = line.dirty;
    LineStore::perform(line, access);
    if (line.dirty == before && !access.write) return;
    line.thread = attributes.thread;
    line.trace_id = attributes.trace_id;
    line.mocs = attributes.mocs;
    line.coherent = attributes.coherent;
    line.uncached = attributes.uncached;
}

void LineCache::count(Part& part, const LineAccess& access) {
    ++(access.write ? part.stats.writes : part.stats.reads);
}

// --- A cycle

tlm::tlm_sync_enum LineCache::begin(Payload& payload, tlm::tlm_phase& phase,
                                    sc_core::sc_time& delay) {
    if (phase == tlm::BEGIN_REQ && is_burst(payload)) {
        payload.set_response_status(tlm::TLM_BURST_ERROR_RESPONSE);
        return tlm::TLM_COMPLETED;
    }
    const auto status = queue_.begin(payload, phase, delay, kArrival);
    if (!queue_.empty()) wakeup_.at(std::max(queue_.front().ready, next_lookup_));
    return status;
}

void LineCache::run() {
    const Cycles now = clock_.now();
    // 1. What memory has answered; before the lookup, which may find it.
    take_answers(now);
    // 2. One lookup a cycle, however often this runs in it.
    Activity activity = next_lookup_ > now ? Activity::Busy : Activity::Idle;
    if (activity == Activity::Idle && queue_.ready(now)) {
        activity = look_up(now);
        if (activity == Activity::Busy) next_lookup_ = now + kNext;
    }
    // 3. One fetch or write leaves.
    send(now);
    if (activity == Activity::Idle && !idle()) activity = Activity::Waiting;
    account_.hold(activity, now);
    signals_.activity.set(activity, now);
    signals_.queued.set(queue_.size(), now);
    signals_.misses.set(misses_.size(), now);
    signals_.writing.set(writes_.size(), now);
    wake(now);
}

/// A wakeup keeps one cycle only.
void LineCache::wake(Cycles now) {
    if (arrived_ != 0)
        for (const auto& miss : misses_)
            if (miss->arrived) wakeup_.at(std::max(miss->at, now) + kNext);
    for (const WriteEnd& end : write_ends_)
        wakeup_.at(std::max(end.at, now) + kNext);
    if (!queue_.empty() && !queue_.ready(now)) wakeup_.at(queue_.front().ready);
    // What it looked up, sent or waited for in this cycle is over in the next.
    if (next_lookup_ > now || next_send_ > now) wakeup_.at(now + kNext);
    if (settling_ && idle()) clock_.notify(settled_, now + kNext);
}

Activity LineCache::look_up(Cycles now) {
    Payload& payload = *queue_.front().payload;
    const MemoryAttributes& attributes = attributes_of(payload);
    Part* const part = part_of(attributes);
    if (part == nullptr) {
        if (outgoing_.size() >= params_.memory_queue) return Activity::NoRoom;
        queue_.pop();
        passing_.push_back(&payload);
        outgoing_.push_back(&payload);
        ++stats_.passed;
        return Activity::Busy;
    }
    const LineAccess access = access_of(payload);
    const LineName name = name_of(payload.get_address(), attributes);
    Line* line = part->store.find(name);
    if (line != nullptr && line->awaited) {
        if (waiting_ >= params_.waiting) return Activity::NoMiss;
        const auto is_its = [line](const auto& miss) { return miss->line == line; };
        (*std::ranges::find_if(misses_, is_its))->waiting.push_back(&payload);
        ++waiting_;
        ++part->stats.merges;
        count(*part, access);
        queue_.pop();
        return Activity::Busy;
    }
    const bool found = line != nullptr;
    const bool fetches = (access.needed() & ~(found ? line->valid : 0)) != 0;
    if (fetches && (misses_.size() >= params_.misses || waiting_ >= params_.waiting))
        return Activity::NoMiss;
    if (!found) {
        line = part->store.place(name);
        if (line == nullptr) return Activity::NoPlace;
    }
    const std::size_t leaving = std::size_t{fetches} + (!found && line->dirty != 0);
    if (leaving != 0 && outgoing_.size() + leaving > params_.memory_queue) return Activity::NoRoom;
    if (!found) {
        evict(*part, *line);
        part->store.put(*line, name);
    }
    count(*part, access);
    queue_.pop();
    if (fetches) {
        ++part->stats.misses;
        Miss& miss = *misses_.emplace_back(std::make_unique<Miss>());
        miss.part = part;
        miss.line = line;
        miss.waiting.push_back(&payload);
        ++waiting_;
        line->awaited = true;
        fetch(miss, attributes);
        return Activity::Busy;
    }
    ++(found ? part->stats.hits : part->stats.places);
    perform(*line, access, attributes);
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    ++answers_;
    queue_.respond(payload, now + Cycles(params_.hit_cycles));
    return Activity::Busy;
}

// --- Lines that come and go

void LineCache::fetch(Miss& miss, const MemoryAttributes& from) {
    miss.arrived = miss.outdated = false;
    miss.fetch = pool_.get();
    miss.fetch->access(tlm::TLM_READ_COMMAND, miss.line->name.address, kLineBytes);
    miss.fetch->attributes.derive(from);
    outgoing_.push_back(miss.fetch);
}

void LineCache::evict(Part& part, Line& line) {
    if (!line.used) return;
    if (line.dirty == 0) {
        ++part.stats.replaced;
        return;
    }
    ++part.stats.evictions;
    send_write(part, line);
}

MemoryTransaction& LineCache::write_of(const Part& part, const Line& line, std::uint64_t bytes) {
    MemoryTransaction& write = *pool_.get();
    write.access(tlm::TLM_WRITE_COMMAND, line.name.address, kLineBytes);
    std::memcpy(write.data, line.data.data(), kLineBytes);
    if (~bytes != 0) write.enable_bytes(bytes, kLineBytes);
    MemoryAttributes& attributes = write.attributes;
    attributes.space = line.name.space;
    attributes.stream = line.name.stream;
    attributes.requester = part.requester;
    attributes.thread = line.thread;
    attributes.trace_id = line.trace_id;
    attributes.mocs = line.mocs;
    attributes.coherent = line.coherent;
    attributes.uncached = line.uncached;
    return write;
}

void LineCache::send_write(const Part& part, const Line& line) {
    MemoryTransaction& write = write_of(part, line, line.dirty);
    writes_.push_back({&write, line.name});
    outgoing_.push_back(&write);
}

void LineCache::send(Cycles now) {
    if (outgoing_.empty() || next_send_ > now || !port_.can_send()) return;
    Payload& payload = *outgoing_.front();
    outgoing_.pop_front();
    next_send_ = now + kNext;
    port_.send(payload, now);
}

/// It is there at a cycle, now or later, and acts in the cycle after that.
void LineCache::answered(Payload& payload, Cycles at) {
    wakeup_.at(std::max(at, clock_.now()) + kNext);
    for (const auto& miss : misses_) {
        if (miss->fetch != &payload) continue;
        miss->arrived = true;
        miss->at = at;
        ++arrived_;
        return;
    }
    for (const Write& write : writes_) {
        if (write.transaction != &payload) continue;
        write_ends_.push_back({write.transaction, at});
        return;
    }
    const auto own = std::ranges::find(passing_, &payload);
    GEN9_CHECK(own != passing_.end(), std::string(name()) + ": an answer to nothing");
    passing_.erase(own);
    ++answers_;
    queue_.respond(payload, at);
}

void LineCache::take_answers(Cycles now) {
    for (std::size_t i = 0; i < misses_.size() && arrived_ != 0;) {
        Miss& miss = *misses_[i];
        if (!miss.arrived || miss.at >= now) {
            ++i;
            continue;
        }
        --arrived_;
        if (end_fetch(miss, now))
            misses_.erase(misses_.begin() + static_cast<std::ptrdiff_t>(i));
        else
            ++i;
    }
    std::erase_if(write_ends_, [this, now](const WriteEnd& end) {
        if (end.at >= now) return false;
        end_write(*end.transaction);
        return true;
    });
}

// Answers come about in order: it is one of the first.
void LineCache::end_write(const MemoryTransaction& transaction) {
    const auto write = std::ranges::find(writes_, &transaction, &Write::transaction);
    write->transaction->release();
    writes_.erase(write);
}

bool LineCache::end_fetch(Miss& miss, Cycles now) {
    Line& line = *miss.line;
    const tlm::tlm_response_status status = miss.fetch->get_response_status();
    const bool mapped = status == tlm::TLM_OK_RESPONSE;
    if (mapped) LineStore::fill(line, miss.fetch->data);
    const std::size_t count = miss.outdated ? miss.before : miss.waiting.size();
    for (std::size_t i = 0; i < count; ++i) {
        Payload& payload = *miss.waiting[i];
        const LineAccess access = access_of(payload);
        if (i >= miss.performed) {
            if ((access.needed() & ~line.valid) != 0) {
                refuse(access, payload, status);
            } else {
                perform(line, access, attributes_of(payload));
                payload.set_response_status(tlm::TLM_OK_RESPONSE);
            }
        }
        ++answers_;
        queue_.respond(payload, now + Cycles(params_.fill_cycles));
    }
    miss.waiting.erase(miss.waiting.begin(),
                       miss.waiting.begin() + static_cast<std::ptrdiff_t>(count));
    waiting_ -= count;
    miss.performed = 0;
    MemoryAttributes from;
    from.derive(miss.fetch->attributes);
    miss.fetch->release();
    if (miss.outdated || !mapped) line.valid = line.dirty;
    if (!miss.waiting.empty()) {
        ++miss.part->stats.fetched_again;
        fetch(miss, from);
        return false;
    }
    line.awaited = false;
    if (line.valid == 0) line.used = false;
    return true;
}

// --- What is said of it

std::uint64_t LineCache::dirty_lines() const {
    std::uint64_t lines = 0;
    for (const Part& part : parts_)
        lines += part.store.dirty_lines();
    return lines;
}

std::string LineCache::describe_waiting() const {
    if (idle()) return {};
    return std::string(name()) + ": " + std::to_string(misses_.size()) + " lines are fetched and " +
           std::to_string(writes_.size()) + " written, " + std::to_string(queue_.size()) +
           " requests have not been looked up";
}

}  // namespace gen9::line_cache
