// SPDX-License-Identifier: Apache-2.0
// What happens within a call: blocking accesses, debug accesses, flushes.
#include <algorithm>
#include <bit>
#include <cstring>

#include "line_cache/module.h"

namespace gen9::line_cache {

// --- Accesses

void LineCache::block(Payload& payload, sc_core::sc_time& delay) {
    const MemoryAttributes& attributes = attributes_of(payload);
    if (attributes.operation == MemoryAttributes::Operation::Control)
        return payload.set_response_status(tlm::TLM_OK_RESPONSE);
    Part* const part = env_.timed() ? part_of(attributes) : nullptr;
    if (part == nullptr) {
        mem_out->b_transport(payload, delay);
        return;
    }
    bool mapped = true;
    const unsigned length = payload.get_data_length();
    for (unsigned done = 0; done < length;) {
        const std::uint64_t offset = (payload.get_address() + done) % kLineBytes;
        const unsigned size = std::min(length - done, static_cast<unsigned>(kLineBytes - offset));
        mapped &= block_line(*part, payload, done, size, delay);
        done += size;
    }
    payload.set_response_status(mapped ? tlm::TLM_OK_RESPONSE : tlm::TLM_ADDRESS_ERROR_RESPONSE);
}

/// False: it is not mapped.
bool LineCache::block_line(Part& part, Payload& payload, unsigned done, unsigned size,
                           sc_core::sc_time& delay) {
    const MemoryAttributes& attributes = attributes_of(payload);
    const LineAccess access = part_of_access(payload, done, size);
    const LineName name = name_of(payload.get_address() + done, attributes);
    count(part, access);
    Line* line = part.store.find(name);
    const bool found = line != nullptr;
    Line aside;  // no place in its set
    if (!found) {
        Line* const place = part.store.place(name);
        line = place != nullptr ? place : &aside;
        evict(part, *line);
        part.store.put(*line, name);
    }
    // What waits for the line comes first.
    bool mapped = true;
    if (line->awaited || (access.needed() & ~line->valid) != 0) {
        ++(line->awaited ? part.stats.merges : part.stats.misses);
        if (line->awaited) ++part.stats.fetched_again;
        mapped = bring(*line, attributes, delay);
    } else {
        ++(found ? part.stats.hits : part.stats.places);
    }
    if (mapped || access.needed() == 0)
        perform(*line, access, attributes);
    else if (access.lanes == nullptr)
        std::memset(access.data, 0, access.size);
    delay += clock_.time(Cycles(params_.hit_cycles));
    if (line == &aside && aside.dirty != 0) {
        ++part.stats.evictions;
        send_write(part, aside);
    }
    if (!outgoing_.empty()) wakeup_.at(std::max(next_send_, clock_.now()));
    if (line->valid == 0 && !line->awaited) line->used = false;
    return mapped || access.needed() == 0;
}

/// Gives a line its bytes from memory, and lets those act that wait for it. They are answered when
/// the fetch that they wait for is.
bool LineCache::bring(Line& line, const MemoryAttributes& from, sc_core::sc_time& delay) {
    MemoryTransaction& read = *pool_.get();
    read.access(tlm::TLM_READ_COMMAND, line.name.address, kLineBytes);
    read.attributes.derive(from);
    ++stats_.within_calls;
    mem_out->b_transport(read, delay);
    const bool mapped = read.is_response_ok();
    // Memory has yet to take these.
    overlay_writes(line.name, read.data);
    if (mapped) LineStore::fill(line, read.data);
    if (mapped && line.awaited) act_at_once(line, read.data);
    read.release();
    return mapped;
}

/// Who waits for a line acts on what a call has brought. Behind an invalidation the bytes that were
/// valid before it are memory's again.
void LineCache::act_at_once(Line& line, const std::uint8_t* bytes) {
    const auto is_its = [&line](const auto& miss) { return miss->line == &line; };
    Miss& miss = **std::ranges::find_if(misses_, is_its);
    const auto act = [&](std::size_t end) {
        for (; miss.performed < end; ++miss.performed) {
            Payload& payload = *miss.waiting[miss.performed];
            perform(line, access_of(payload), attributes_of(payload));
            payload.set_response_status(tlm::TLM_OK_RESPONSE);
        }
    };
    if (miss.outdated) {
        act(miss.before);
        line.valid = line.dirty;
        LineStore::fill(line, bytes);
    }
    act(miss.waiting.size());
    miss.outdated = false;
}

void LineCache::overlay_writes(const LineName& name, std::uint8_t* bytes) const {
    for (const Write& write : writes_) {
        if (write.name != name) continue;
        const bool all = write.transaction->get_byte_enable_ptr() == nullptr;
        for (unsigned byte = 0; byte < kLineBytes; ++byte)
            if (all || write.transaction->enables[byte] != 0)
                bytes[byte] = write.transaction->data[byte];
    }
}

/// What the unit would read, and what is modified of it.
unsigned LineCache::debug(Payload& payload) {
    const unsigned done = mem_out->transport_dbg(payload);
    const MemoryAttributes& attributes = attributes_of(payload);
    for (unsigned at = 0; at < done;) {
        const LineName name = name_of(payload.get_address() + at, attributes);
        const auto offset = static_cast<unsigned>((payload.get_address() + at) - name.address);
        const unsigned size = std::min(done - at, static_cast<unsigned>(kLineBytes) - offset);
        std::uint8_t* const data = payload.get_data_ptr() + at;
        std::array<std::uint8_t, kLineBytes> bytes;
        std::memcpy(bytes.data() + offset, data, size);
        if (payload.is_read()) overlay_writes(name, bytes.data());
        for (Part& part : parts_)
            if (Line* const line = part.store.find(name))
                for (unsigned byte = offset; byte < offset + size; ++byte) {
                    if (!payload.is_read())
                        line->data[byte] = bytes[byte];
                    else if (line->dirty >> byte & 1)
                        bytes[byte] = line->data[byte];
                }
        if (payload.is_read()) std::memcpy(data, bytes.data() + offset, size);
        at += size;
    }
    return done;
}

// --- Flushes

void LineCache::control(const CacheControl& control, sc_core::sc_time& delay) {
    if (!(control.*emptied_by_) || !env_.timed()) return;
    ++stats_.flushes;
    const Cycles begin = clock_.after(delay);
    write_back(delay);
    drop_lines();
    stats_.flush_cycles += (clock_.after(delay) - begin).value;
}

/// The lines as they are now, one a cycle. A line that memory has yet to take an earlier write of
/// follows that one.
void LineCache::write_back(sc_core::sc_time& delay) {
    const Cycles begin = clock_.after(delay);
    Cycles next = begin, last = begin;
    for (Part& part : parts_)
        for (Line& line : part.store.lines()) {
            if (line.dirty == 0) continue;
            ++part.stats.flushed_lines;
            const auto is_its = [&line](const Write& write) { return write.name == line.name; };
            if (std::ranges::any_of(writes_, is_its)) {
                send_write(part, line);
                wakeup_.at(std::max(next_send_, clock_.now()));
            } else {
                MemoryTransaction& write = write_of(part, line, line.dirty);
                sc_core::sc_time taken = clock_.until(next);
                ++stats_.within_calls;
                mem_out->b_transport(write, taken);
                write.release();
                last = std::max(last, clock_.after(taken));
                if (env_.timed()) next = next + Cycles(1);
            }
            line.dirty = 0;
        }
    delay = clock_.until(last);
}

/// Those on their way come for those who wait for them now, who read what was written before: such a
/// line's bytes stay until then.
void LineCache::drop_lines() {
    for (Part& part : parts_)
        for (Line& line : part.store.lines()) {
            if (!line.used) continue;
            ++part.stats.dropped_lines;
            line.used = line.awaited;
        }
    for (const auto& miss : misses_) {
        if (miss->outdated) continue;
        miss->outdated = true;
        miss->before = miss->waiting.size();
    }
}

/// Nothing is under way; memory must hold what the lines hold.
void LineCache::change_timing() {
    if (env_.timed()) return;
    sc_core::sc_time delay;
    write_back(delay);
    drop_lines();
}

void LineCache::wait_until_idle() {
    settling_ = true;
    while (!idle())
        wait(settled_);
    settling_ = false;
}

}  // namespace gen9::line_cache
