// SPDX-License-Identifier: Apache-2.0
#include "platform/host/aub/capture_recorder.h"

#include <sys/mman.h>

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <filesystem>
#include <string_view>

#include "common/check.h"
#include "platform/host/address_space.h"
#include "platform/host/graphics_memory.h"

namespace gen9::platform {
namespace {

constexpr aub::Space kPhysical = aub::Space::PhysicalNonlocal;
constexpr std::uint64_t kEntryPresent = 1, kEntryAddress = 0x7FFF'FFFF'F000;

std::uint64_t hash_of(std::span<const std::uint8_t> page) {
    const std::uint64_t hash =
        std::hash<std::string_view>()({reinterpret_cast<const char*>(page.data()), page.size()});
    return hash != 0 ? hash : 1;
}

const std::uint64_t kZeroHash = hash_of(std::array<std::uint8_t, kPageBytes>{});

/// Calls piece(page number, offset in the range, length) for each page of a range.
template <class Piece>
void for_each_page(std::uint64_t address, std::uint64_t bytes, Piece&& piece) {
    for (std::uint64_t done = 0, count = 0; done < bytes; done += count) {
        const std::uint64_t at = address + done;
        count = std::min<std::uint64_t>(kPageBytes - at % kPageBytes, bytes - done);
        piece(at / kPageBytes, done, count);
    }
}

}  // namespace

CaptureRecorder::CaptureRecorder(std::unique_ptr<Engine> engine, std::string path,
                                 const std::string& comment, Log log)
    : engine_(std::move(engine)), path_(std::move(path)), log_(std::move(log)) {
    engine_->wanted = [this] { return wanted(); };
    writer_.emplace(create_bytes(path_));
    writer_->comment(comment);
}

template <class Write>
void CaptureRecorder::record(Write&& write) {
    if (!writer_) return;
    try {
        write(*writer_);
    } catch (const UserError& error) {
        writer_.reset();
        log_(std::string(error.what()) + "; the capture is not complete, and cannot be replayed");
    }
}

void CaptureRecorder::write_register(std::uint32_t offset, std::uint32_t value) {
    const bool submission = offset == kExeclistSubmitPort;
    if (submission && submit_writes_ == 0) record_changes();
    record([&](AubWriter& writer) { writer.write_register(offset, value); });
    engine_->write_register(offset, value);
    if (!submission || ++submit_writes_ < kWritesPerSubmission) return;
    submit_writes_ = 0;
    descriptor_ = value;
    submitted_ = true;
    ++submissions_;
}

void CaptureRecorder::write_gtt(std::uint32_t index, std::uint64_t entry) {
    if (entry != engine_->read_gtt(index))
        record([&](AubWriter& writer) {
            std::uint8_t bytes[8];
            store(bytes, entry);
            writer.write_memory(aub::Space::GgttEntry, std::uint64_t{index} * sizeof entry, bytes);
        });
    if (entry & kEntryPresent) global_.insert((entry & kEntryAddress) / kPageBytes);
    engine_->write_gtt(index, entry);
}

/// Drivers write again what is there already.
void CaptureRecorder::write_memory(PhysAddr address, std::span<const std::uint8_t> bytes) {
    std::vector<std::uint8_t> now;
    for_each_page(address.value, bytes.size(), [&](auto page, auto done, auto count) {
        const auto piece = bytes.subspan(done, count);
        const std::uint64_t at = address.value + done;
        now.resize(count);
        engine_->read_memory(PhysAddr(at), now);
        if (std::ranges::equal(now, piece)) return;
        engine_->write_memory(PhysAddr(at), piece);
        if (shared(page)) return;
        record([&](AubWriter& writer) { writer.write_memory(kPhysical, at, piece); });
        forget_times(at, count);
        held_[page] = 0;
    });
}

bool CaptureRecorder::attach_memory(PhysAddr address, std::span<std::uint8_t> bytes) {
    if (!engine_->attach_memory(address, bytes)) return false;
    shared_[address.value / kPageBytes] = bytes;
    return true;
}

void CaptureRecorder::others_write(PhysAddr address, std::uint64_t bytes) {
    engine_->others_write(address, bytes);
    for_each_page(address.value, bytes, [&](auto page, auto, auto) { of_others_.insert(page); });
}

/// The next memory at this place begins as zero, also when it is replayed.
void CaptureRecorder::detach_memory(PhysAddr address, std::uint64_t bytes) {
    engine_->detach_memory(address, bytes);
    const std::uint64_t first = address.value / kPageBytes, end = first + bytes / kPageBytes;
    shared_.erase(shared_.lower_bound(first), shared_.lower_bound(end));
    of_others_.erase(of_others_.lower_bound(first), of_others_.lower_bound(end));
    for (auto page = held_.lower_bound(first); page != held_.end() && page->first < end;) {
        const std::uint64_t from = page->first;
        std::uint64_t to = from;
        for (; page != held_.end() && page->first == to && to < end; ++to)
            page = held_.erase(page);
        record([&](AubWriter& writer) {
            writer.clear_memory(kPhysical, from * kPageBytes, (to - from) * kPageBytes);
        });
    }
    forget_times(address.value, bytes);
}

bool CaptureRecorder::shared(std::uint64_t page) const {
    auto found = shared_.upper_bound(page);
    if (found == shared_.begin()) return false;
    --found;
    return page - found->first < found->second.size() / kPageBytes;
}

/// All pages that may hold anything, in order.
std::vector<std::uint64_t> CaptureRecorder::pages() const {
    std::vector<std::uint64_t> all;
    for (const auto& [page, hash] : held_)
        all.push_back(page);
    std::vector<std::uint8_t> resident;
    for (const auto& [first, bytes] : shared_) {
        // Pages that nobody has touched are not made by looking at them.
        resident.assign(bytes.size() / kPageBytes, 1);
        if (mincore(bytes.data(), bytes.size(), resident.data()) != 0)
            std::ranges::fill(resident, std::uint8_t{1});
        for (std::size_t i = 0; i < resident.size(); ++i)
            if (resident[i] & 1) all.push_back(first + i);
    }
    std::ranges::sort(all);
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
}

/// Records what the program has written into the memory that it shares.
void CaptureRecorder::record_changes() {
    if (!writer_) return;
    Page bytes;
    for (const std::uint64_t page : pages()) {
        std::uint64_t& held = held_.try_emplace(page, kZeroHash).first->second;
        const bool is_shared = shared(page);
        if (!is_shared && held != 0) continue;
        engine_->read_memory(PhysAddr(page * kPageBytes), bytes);
        const std::uint64_t hash = hash_of(bytes);
        if (is_shared && hash != held) {
            record([&](AubWriter& writer) {
                writer.write_memory(kPhysical, page * kPageBytes, bytes);
            });
            forget_times(page * kPageBytes, kPageBytes);
        }
        held = hash;
    }
}

void CaptureRecorder::run() {
    engine_->host_writes = host_writes;
    if (!engine_->waits_for_host()) {
        times_written_.clear();
    } else if (engine_->may_go_on()) {
        record_changes();
    }
    engine_->run();
    if (!submitted_ || engine_->stopped() || engine_->waits_for_host()) return;
    submitted_ = false;
    record_results();
}

/// Records what the engine has written.
void CaptureRecorder::record_results() {
    if (!writer_) return;
    note_times();
    Page bytes;
    for (const std::uint64_t page : pages()) {
        // What others have written there is recorded before the next submission.
        if (of_others_.contains(page)) continue;
        std::uint64_t& held = held_.try_emplace(page, kZeroHash).first->second;
        engine_->read_memory(PhysAddr(page * kPageBytes), bytes);
        const std::uint64_t hash = hash_of(bytes);
        if (hash == held) continue;
        held = hash;
        if (!global_.contains(page)) compare(page, bytes);
    }
}

void CaptureRecorder::note_times() {
    GraphicsMemory graphics(*engine_);
    graphics.use_context(descriptor_);
    for (const TimeWritten& time : times_written_) {
        const std::uint64_t address = time.address.value;
        const auto place = time.global ? graphics.ggtt(address) : graphics.ppgtt(address);
        if (place) times_[place->value] = std::max<std::uint64_t>(times_[place->value], time.bytes);
    }
}

/// A page but for the times in it.
void CaptureRecorder::compare(std::uint64_t page, const Page& bytes) {
    const std::uint64_t begin = page * kPageBytes, end = begin + kPageBytes;
    std::uint64_t from = begin;
    const auto part = [&](std::uint64_t to) {
        if (from >= to) return;
        ++compares_;
        record([&](AubWriter& writer) {
            writer.compare_memory(kPhysical, from,
                                  std::span(bytes).subspan(from - begin, to - from));
        });
    };
    for (auto time = times_.lower_bound(begin); time != times_.end() && time->first < end; ++time) {
        part(time->first);
        from = std::max(from, time->first + time->second);
    }
    part(end);
}

void CaptureRecorder::forget_times(std::uint64_t address, std::uint64_t bytes) {
    times_.erase(times_.lower_bound(address), times_.lower_bound(address + bytes));
}

bool CaptureRecorder::finish() {
    record([](AubWriter& writer) { writer.close(); });
    if (!writer_) return false;
    const std::uint64_t packets = writer_->packets();
    writer_.reset();
    std::error_code error;
    if (submissions_ == 0) {
        std::filesystem::remove(path_, error);
        return true;
    }
    char text[128];
    std::snprintf(text, sizeof text,
                  "%" PRIu64 " submissions with %" PRIu64 " compares (%" PRIu64
                  " packets, %ju bytes)",
                  submissions_, compares_, packets,
                  static_cast<std::uintmax_t>(std::filesystem::file_size(path_, error)));
    log_(std::string("recorded ") + text + " in " + path_);
    return true;
}

}  // namespace gen9::platform
