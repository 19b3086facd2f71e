// SPDX-License-Identifier: Apache-2.0
#include "platform/host/tbx/tbx_session.h"

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <thread>

#include "platform/host/address_space.h"

namespace gen9::platform {
namespace {

using tbx::Type;

std::string hex(std::uint64_t value) {
    char text[24];
    std::snprintf(text, sizeof text, "0x%" PRIx64, value);
    return text;
}

/// Bytes a body must have for its type; 0 for the types that are passed over or refused.
std::uint32_t body_needed(Type type) {
    switch (type) {
        case Type::MmioRequest:
            return tbx::Mmio::kBytes;
        case Type::GttRequest:
            return tbx::Gtt::kBytes;
        case Type::WriteMemory:
        case Type::ReadMemory:
            return tbx::Memory::kBytes;
        case Type::RenderEndRequest:
            return 4;
        case Type::Control:
            return tbx::Control::kBytes;
        case Type::CurrentLaunch:
            return tbx::Launch::kBytes;
        default:
            return 0;
    }
}

/// Requests that a peer waits to see answered, and that this server has no answer for. Ending the
/// connection is kinder than silence.
bool wants_unknown_answer(Type type) {
    switch (type) {
        case Type::MarkerRequest:
        case Type::ParamsRequest:
        case Type::PciConfigRequest:
        case Type::InnerVariableRequest:
        case Type::InnerVariableListRequest:
        case Type::FunnyIoRequest:
        case Type::IoRequest:
        case Type::RpcRequest:
        case Type::CacheFlushRequest:
        case Type::SyncAllPagesRequest:
            return true;
        default:
            return false;
    }
}

/// Says what a question was for: its kind is in the upper byte.
std::string place_of(std::uint64_t question) {
    return (question >> 56 == 5 ? "memory at " : "register or entry ") +
           hex(question & ~(std::uint64_t{0xFF} << 56));
}

/// While the engine waits for the program, which may poll.
constexpr auto kBetweenAnswers = std::chrono::microseconds(500);
constexpr auto kTellAfter = std::chrono::seconds(5);

/// The driver has its top page table here (compute-runtime 22.43). It hands out memory for data
/// upwards from 4 KB and does not stop there.
constexpr std::uint64_t kTopTable = 512ull << 20;
constexpr std::uint32_t kEntryBytes = 8;
constexpr std::uint64_t kPresent = 1, kEntryAddress = 0x7F'FFFF'F000;

// Topics of complaints; each is said once a session.
enum Topic : unsigned { kUnknownType, kLongBody, kRegister, kGttIndex, kReset, kTopTableGone };

}  // namespace

TbxSession::TbxSession(Engine& engine, Send send, Log log)
    : engine_(engine), send_(std::move(send)), log_(std::move(log)) {}

std::size_t TbxSession::take(std::span<const std::uint8_t> bytes) {
    std::size_t used = 0;
    while (!ended_ && used < bytes.size()) {
        const auto rest = bytes.subspan(used);
        const std::size_t taken = in_message() ? take_data(rest) : take_message(rest);
        if (taken == 0) break;
        used += taken;
    }
    return ended_ ? bytes.size() : used;
}

std::size_t TbxSession::take_data(std::span<const std::uint8_t> bytes) {
    if (skip_left_ != 0) {
        const auto count =
            static_cast<std::uint32_t>(std::min<std::size_t>(skip_left_, bytes.size()));
        skip_left_ -= count;
        return count;
    }
    const auto count = static_cast<std::uint32_t>(std::min<std::size_t>(data_left_, bytes.size()));
    if (data_is_entry_ && count == kEntryBytes) look_at_entry(load<std::uint64_t>(bytes.data()));
    data_is_entry_ = false;
    engine_.write_memory(PhysAddr(data_address_), bytes.first(count));
    data_address_ += count;
    data_left_ -= count;
    return count;
}

std::size_t TbxSession::take_message(std::span<const std::uint8_t> bytes) {
    if (bytes.size() < tbx::Header::kBytes) return 0;
    const auto header = tbx::Header::parse(bytes.data());
    const std::uint32_t needed = body_needed(header.type);
    const auto number = static_cast<std::uint32_t>(header.type);
    if (wants_unknown_answer(header.type)) {
        refuse("message type " + std::to_string(number) +
               " asks for an answer this server cannot give");
        return bytes.size();
    }
    if (header.body_bytes < needed || header.body_bytes > kMaxSkippedBytes) {
        refuse("a message of type " + std::to_string(number) + " with a body of " +
               std::to_string(header.body_bytes) + " bytes is not TBX");
        return bytes.size();
    }
    if (bytes.size() < tbx::Header::kBytes + needed) return 0;
    const std::uint32_t surplus = header.body_bytes - needed;
    if (needed == 0) {
        complain(kUnknownType,
                 "message type " + std::to_string(number) + " is not known here; passed over");
        skip_left_ = surplus;
        return tbx::Header::kBytes;
    }
    if (surplus != 0 && header.type == Type::WriteMemory) {
        refuse("a memory write with a body of " + std::to_string(header.body_bytes) +
               " bytes is not TBX");
        return bytes.size();
    }
    if (surplus != 0)
        complain(kLongBody, "message type " + std::to_string(number) + " has " +
                                std::to_string(surplus) +
                                " bytes more than is known of it; passed over");
    carry_out(header, bytes.data() + tbx::Header::kBytes);
    skip_left_ = surplus;
    return tbx::Header::kBytes + needed;
}

void TbxSession::carry_out(const tbx::Header& header, const std::uint8_t* body) {
    switch (header.type) {
        case Type::MmioRequest:
            return mmio(header, tbx::Mmio::parse(body));
        case Type::GttRequest:
            return gtt(header, tbx::Gtt::parse(body));
        case Type::WriteMemory:
            return write_memory(tbx::Memory::parse(body));
        case Type::ReadMemory:
            return read_memory(header, tbx::Memory::parse(body));
        case Type::Control:
            return control(tbx::Control::parse(body));
        case Type::CurrentLaunch:
            launch_ = tbx::Launch::parse(body);
            return;
        case Type::RenderEndRequest:
            before_answer(std::uint64_t{9} << 56);
            if (!ended_) answer(Type::RenderEndResponse, header.transaction, {0});
            return;
        default:
            return;
    }
}

void TbxSession::mmio(const tbx::Header& header, const tbx::Mmio& request) {
    const bool known = request.kind == 0 && request.access_bytes == 4 && request.offset % 4 == 0 &&
                       request.offset < kRegisterBytes;
    if (!known)
        complain(kRegister,
                 "access to register " + hex(request.offset) + " (kind " +
                     std::to_string(request.kind) + ", " + std::to_string(request.access_bytes) +
                     " bytes): there is no such register; writes are dropped, reads give 0");
    if (!request.write) {
        before_answer(std::uint64_t{1} << 56 | request.offset);
        if (!ended_)
            answer(Type::MmioResponse, header.transaction,
                   {known ? engine_.read_register(request.offset) : 0});
        return;
    }
    if (!known) return;
    const bool submits =
        request.offset == kExeclistSubmitPort && ++submit_writes_ % kWritesPerSubmission == 0;
    if (submits) on_launch(launch_.process, launch_.number);
    engine_.write_register(request.offset, request.data);
    written_ = true;
    if (submits) run();
}

void TbxSession::gtt(const tbx::Header& header, const tbx::Gtt& request) {
    const bool known = request.index < kGgttEntries;
    if (!known)
        complain(kGttIndex, "GTT entry " + hex(request.index) + " is beyond the table (" +
                                std::to_string(kGgttEntries) + " entries); dropped");
    if (!request.write) {
        before_answer(std::uint64_t{2} << 56 | request.index);
        if (ended_) return;
        const std::uint64_t entry = known ? engine_.read_gtt(request.index) : 0;
        answer(Type::GttResponse, header.transaction,
               {static_cast<std::uint32_t>(entry), static_cast<std::uint32_t>(entry >> 32)});
        return;
    }
    if (!known) return;
    engine_.write_gtt(request.index, request.entry);
    written_ = true;
}

void TbxSession::write_memory(const tbx::Memory& request) {
    if (request.masked) return refuse("a memory write with a byte mask is not supported");
    if (request.size > kMaxTransferBytes || request.address + request.size > kPhysicalBytes)
        return refuse("a memory write of " + std::to_string(request.size) + " bytes at " +
                      hex(request.address) + " is too long or leaves the 40-bit memory");
    data_address_ = request.address;
    data_left_ = request.size;
    data_is_entry_ = request.size == kEntryBytes;
    written_ = true;
}

/// Entries of page tables are written one by one. None of a sound table leads to the top one.
void TbxSession::look_at_entry(std::uint64_t entry) {
    if ((entry & kPresent) == 0 || (entry & kEntryAddress) != kTopTable) return;
    complain(kTopTableGone,
             "the program has more memory resident than the driver can hand out by this door (512 "
             "MB): data lies over the driver's own page tables, and results are wrong; by 'run "
             "--door drm' there is no such limit");
}

void TbxSession::read_memory(const tbx::Header& header, const tbx::Memory& request) {
    if (request.size > kMaxTransferBytes || request.address + request.size > kPhysicalBytes)
        return refuse("a memory read of " + std::to_string(request.size) + " bytes at " +
                      hex(request.address) + " is too long or leaves the 40-bit memory");
    before_answer(std::uint64_t{5} << 56 | request.address);
    if (ended_) return;
    constexpr std::size_t kHead = tbx::Header::kBytes + tbx::Memory::kBytes;
    reply_.resize(kHead + request.size);
    tbx::Header{Type::ReadMemoryResponse, header.transaction, tbx::Memory::kBytes}.put(
        reply_.data());
    request.put_response(reply_.data() + tbx::Header::kBytes);
    engine_.read_memory(PhysAddr(request.address), std::span(reply_).subspan(kHead));
    send_(reply_);
}

void TbxSession::control(const tbx::Control& request) {
    if (request.reset || request.full_reset)
        complain(kReset,
                 "a reset of the simulator was asked for; every connection starts from reset, so "
                 "it is ignored");
    quit_ = request.quit;
    ended_ |= quit_;
}

/// Work is finished before anything is read. A program that goes on asking the same of an idle
/// engine would do so for ever: the work it waits for was lost, and is reported.
void TbxSession::before_answer(std::uint64_t question) {
    const bool equal = !written_ && question == last_question_;
    equal_questions_ = equal ? equal_questions_ + 1 : 0;
    last_question_ = question;
    const bool wrote = written_;
    if (wrote || engine_.waits_for_host()) run();
    if (ended_) return;
    if (engine_.waits_for_host()) return wait_for_host(wrote, place_of(question));
    waits_since_.reset();
    if (equal_questions_ >= kMaxEqualPolls)
        refuse("the program has asked " + std::to_string(kMaxEqualPolls) + " times for " +
               place_of(question) + " and the engine is idle: it waits for ever");
}

/// The engine waits for memory that the program may write. What the program asks is answered, but
/// not at once: both would be busy with that alone.
void TbxSession::wait_for_host(bool wrote, const std::string& place) {
    const auto now = std::chrono::steady_clock::now();
    equal_questions_ = 0;
    if (wrote || !waits_since_) waits_since_ = now;
    const auto waited = now - *waits_since_;
    if (waited >= kTellAfter && !wait_told_) {
        wait_told_ = true;
        log_("the engine waits for its program to write memory, and simulated time stands still\n" +
             engine_.describe_waiting());
    }
    if (waited < patience) return std::this_thread::sleep_for(kBetweenAnswers);
    engine_.give_up_waiting(
        "the engine waits for memory that its program has not written, and for " +
        std::to_string(patience.count()) + " s the program has only asked for " + place);
    ended_ = true;
}

void TbxSession::answer(Type type, std::uint32_t transaction,
                        std::initializer_list<std::uint32_t> body) {
    std::array<std::uint8_t, tbx::Header::kBytes + 8> message;
    tbx::Header{type, transaction, static_cast<std::uint32_t>(4 * body.size())}.put(message.data());
    std::uint8_t* at = message.data() + tbx::Header::kBytes;
    for (const auto dword : body) {
        store(at, dword);
        at += 4;
    }
    send_(std::span(message.data(), at));
}

void TbxSession::run() {
    written_ = false;
    engine_.run();
    if (engine_.stopped()) ended_ = true;
}

void TbxSession::refuse(const std::string& why) {
    ++complaints_;
    log_("TBX: " + why + "; the connection is closed");
    ended_ = true;
}

void TbxSession::complain(unsigned topic, const std::string& text) {
    if (complained_ >> topic & 1) return;
    complained_ |= std::uint64_t{1} << topic;
    ++complaints_;
    log_("TBX: " + text);
}

}  // namespace gen9::platform
