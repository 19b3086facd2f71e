// SPDX-License-Identifier: Apache-2.0
#include "platform/host/tbx/library/transactions.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace gen9::tbx_library {

using platform::tbx::Header;
using platform::tbx::Memory;
using platform::tbx::Type;

namespace {

/// Types whose body must be seen: it says how much data follows, or whether there is an answer.
bool body_matters(Type type) {
    return type == Type::MmioRequest || type == Type::GttRequest || type == Type::WriteMemory ||
           type == Type::ReadMemoryResponse;
}

}  // namespace

std::size_t MessageEnds::take(const std::uint8_t* bytes, std::size_t count) {
    std::size_t used = 0;
    const auto need = [&](std::size_t head_bytes) {
        const std::size_t more = std::min(head_bytes - std::min(head_bytes, held_), count - used);
        std::memcpy(head_ + held_, bytes + used, more);
        held_ += more;
        used += more;
        return held_ >= head_bytes;
    };
    if (left_ == 0) {
        if (!need(Header::kBytes)) return used;
        const Header header = Header::parse(head_);
        std::size_t seen = Header::kBytes;
        if (body_matters(header.type)) {
            seen += Memory::kBytes;  // as long as the shortest of them
            if (!need(seen)) return used;
        }
        begin_message();
    }
    const auto passed = static_cast<std::size_t>(std::min<std::uint64_t>(left_, count - used));
    left_ -= passed;
    return used + passed;
}

void MessageEnds::begin_message() {
    const Header header = Header::parse(head_);
    const std::uint8_t* body = head_ + Header::kBytes;
    left_ = header.body_bytes - std::min<std::uint64_t>(header.body_bytes, held_ - Header::kBytes);
    if (header.type == Type::WriteMemory || header.type == Type::ReadMemoryResponse)
        left_ += Memory::parse(body).size;
    const bool writes = body_matters(header.type) && (body[0] & 1) != 0;
    wants_answer_ =
        header.type == Type::ReadMemory || header.type == Type::RenderEndRequest ||
        ((header.type == Type::MmioRequest || header.type == Type::GttRequest) && !writes);
    held_ = 0;
}

void Transactions::enter() {
    std::unique_lock lock(mutex_);
    const auto me = std::this_thread::get_id();
    free_.wait(lock, [&] { return failed_ || owner_ == std::thread::id() || owner_ == me; });
    owner_ = me;
}

bool Transactions::must_tell(std::uint32_t launch) {
    const std::scoped_lock lock(mutex_);
    return out_.at_end() && std::exchange(told_, launch) != launch;
}

void Transactions::sent(const void* bytes, std::size_t count) {
    const std::scoped_lock lock(mutex_);
    const auto* at = static_cast<const std::uint8_t*>(bytes);
    for (std::size_t done = 0; done < count;) {
        done += out_.take(at + done, count - done);
        if (out_.at_end()) answers_ += out_.wants_answer();
    }
    leave_if_done();
}

void Transactions::received(const void* bytes, std::size_t count) {
    const std::scoped_lock lock(mutex_);
    const auto* at = static_cast<const std::uint8_t*>(bytes);
    for (std::size_t done = 0; done < count;) {
        done += in_.take(at + done, count - done);
        if (in_.at_end() && answers_ > 0) --answers_;
    }
    leave_if_done();
}

void Transactions::fail() {
    const std::scoped_lock lock(mutex_);
    failed_ = true;
    free_.notify_all();
}

void Transactions::leave_if_done() {
    if (!out_.at_end() || !in_.at_end() || answers_ != 0) return;
    owner_ = {};
    free_.notify_one();
}

}  // namespace gen9::tbx_library
