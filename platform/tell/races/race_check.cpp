// SPDX-License-Identifier: Apache-2.0
#include "platform/tell/races/race_check.h"

#include <algorithm>
#include <cinttypes>
#include <cstdio>

#include "eu/fetch/program.h"
#include "hdc/module.h"
#include "isa/text/disassemble.h"
#include "platform/machine/gpu.h"

namespace gen9::platform {
namespace {

constexpr unsigned kSubslicesOfASlice = 16, kEusOfASubslice = 32, kSlotsOfAnEu = 16;

const char* word_of(RaceShadow::Kind kind) {
    return kind == RaceShadow::Kind::Read    ? "read"
           : kind == RaceShadow::Kind::Write ? "write"
                                             : "atomic operation";
}

RaceShadow::Kind kind_of(const hdc::Plan& plan) {
    return plan.operation == hdc::Operation::Read    ? RaceShadow::Kind::Read
           : plan.operation == hdc::Operation::Write ? RaceShadow::Kind::Write
                                                     : RaceShadow::Kind::Atomic;
}

}  // namespace

struct RaceCheck::Dispatches : SocketObserver<DispatchProtocol> {
    explicit Dispatches(RaceCheck& given) : check(given) {}
    void passed(const ThreadDispatch& dispatch, const tlm::tlm_phase& phase,
                const sc_core::sc_time&) override {
        if (phase == tlm::BEGIN_REQ) check.began(dispatch);
    }
    RaceCheck& check;
};

/// The messages of an EU to the gateway.
struct RaceCheck::Barriers : SocketObserver<MessageProtocol> {
    explicit Barriers(RaceCheck& given) : check(given) {}
    void passed(const Message& message, const tlm::tlm_phase& phase,
                const sc_core::sc_time&) override {
        if (phase == tlm::BEGIN_REQ) check.barrier(message);
    }
    RaceCheck& check;
};

RaceCheck::RaceCheck(Gpu& gpu, Reporter& reporter, const LaunchNames& names)
    : gpu_(gpu), reporter_(reporter), names_(names) {
    const std::vector<EuBlock*> eus = gpu.eus();
    const auto threads = gpu.dispatcher->sockets().thread_out;
    for (std::size_t i = 0; i < eus.size(); ++i) {
        observe<DispatchProtocol>(*threads[i],
                                  *dispatches_.emplace_back(std::make_unique<Dispatches>(*this)));
        if (auto* const socket =
                eus[i]->sockets().msg_out[static_cast<unsigned>(MessagePort::Gateway)])
            observe<MessageProtocol>(*socket,
                                     *barriers_.emplace_back(std::make_unique<Barriers>(*this)));
    }
    const auto watch = [this](auto& self, sc_core::sc_object& part) -> void {
        if (auto* const port = dynamic_cast<hdc::Hdc*>(&part)) port->watch(*this);
        for (sc_core::sc_object* const child : part.get_child_objects())
            self(self, *child);
    };
    watch(watch, gpu);
}

RaceCheck::~RaceCheck() = default;

void RaceCheck::work_began(const WorkRecord& work) {
    if (work.is_draw()) return;
    running_[work.number] = work.kernel_start;
    ++launches_;
}

void RaceCheck::work_ended(const WorkRecord& work) {
    running_.erase(work.number);
    if (!running_.empty()) return;
    shadow_.clear();
    std::ranges::fill(threads_, std::nullopt);
}

std::uint32_t RaceCheck::slot_of(const ThreadAddress& place) const {
    const auto [slice, subslice, eu, slot] = place;
    return ((slice.value * kSubslicesOfASlice + subslice.value) * kEusOfASubslice + eu.value) *
               kSlotsOfAnEu +
           slot.value;
}

void RaceCheck::began(const ThreadDispatch& dispatch) {
    const std::uint32_t slot = slot_of(dispatch.sideband.place);
    if (threads_.size() <= slot) threads_.resize(slot + 1);
    if (!running_.contains(dispatch.work))
        threads_[slot].reset();
    else
        threads_[slot] = shadow_.begin_thread({.work = dispatch.work,
                                               .group = dispatch.gpgpu.group_id,
                                               .number = dispatch.gpgpu.local_thread,
                                               .slot = slot,
                                               .barriers = 0});
}

const std::uint32_t* RaceCheck::thread_of(const ThreadSideband& sender) const {
    const std::uint32_t slot = slot_of(sender.place);
    return slot < threads_.size() && threads_[slot] ? &*threads_[slot] : nullptr;
}

// Barrier messages: subfunction 4 in bits 2:0 (GW-01).
void RaceCheck::barrier(const Message& message) {
    constexpr std::uint32_t kSubfunctions = 7, kBarrier = 4;
    const std::uint32_t* const thread = thread_of(*message.sender);
    if (thread != nullptr && (message.descriptor & kSubfunctions) == kBarrier)
        shadow_.barrier(*thread);
}

std::uint32_t RaceCheck::number_of(const Message& message) {
    const auto [place, added] =
        numbers_.try_emplace(message.ip, static_cast<std::uint32_t>(instructions_.size()));
    if (added)
        instructions_.push_back({GpuAddr(message.ip), message.sender->state->instruction_base});
    return place->second;
}

void RaceCheck::accesses(const Message& message, const hdc::Plan& plan, const SurfaceAt& surface) {
    const std::uint32_t* const thread = thread_of(*message.sender);
    if (thread == nullptr || message.system_routine) return;
    const std::uint32_t instruction = number_of(message);
    if (instruction >= RaceShadow::kMostInstructions) return;
    ++accesses_;
    // Bits 7:0 of the descriptor (DP-030); the highest indices stand for something else.
    constexpr std::uint8_t kMostSurfaces = 0xF0;
    const auto index = static_cast<std::uint8_t>(message.descriptor);
    index_.reset();
    if (plan.surface != nullptr && index < kMostSurfaces) {
        index_ = index;
        surface_base_ = plan.surface->base;
    }
    surface_at_ = &surface;
    RaceShadow::Access access{
        .thread = *thread, .instruction = instruction, .kind = kind_of(plan), .slm = plan.slm};
    for (unsigned i = 0; i < plan.piece_count; ++i)
        note(access, plan.pieces[i].address, plan.pieces[i].bytes);
    for (unsigned i = 0; i < plan.lane_count; ++i)
        note(access, plan.lanes[i].address, plan.lane_bytes);
    if (access.kind == Kind::Write && plan.piece_count > 1)
        compare_lanes(message, plan, *thread, instruction);
}

void RaceCheck::note(RaceShadow::Access access, std::uint64_t address, unsigned bytes) {
    // The local memories of subslices are apart.
    constexpr unsigned kSlmShift = 32;
    const std::uint32_t slot = shadow_.thread(access.thread).slot;
    const std::uint64_t memory = slot / (kEusOfASubslice * kSlotsOfAnEu);
    access.address = access.slm ? memory << kSlmShift | address : address;
    access.bytes = bytes;
    for (const RaceShadow::Other& before : shadow_.note(access))
        report(before, access);
}

/// Lanes of one message that write different values to one place.
void RaceCheck::compare_lanes(const Message& message, const hdc::Plan& plan, std::uint32_t thread,
                              std::uint32_t instruction) {
    struct Byte {
        std::uint64_t address;
        std::uint8_t value;
    };
    const std::span pieces(plan.pieces.data(), plan.piece_count);
    std::vector<std::pair<std::uint64_t, std::uint64_t>> ranges;
    for (const hdc::Piece& piece : pieces)
        ranges.emplace_back(piece.address, piece.address + piece.bytes);
    std::ranges::sort(ranges);
    bool overlap = false;
    for (std::size_t i = 1; i < ranges.size(); ++i)
        overlap |= ranges[i].first < ranges[i - 1].second;
    if (!overlap) return;
    std::vector<Byte> bytes;
    const std::uint8_t* const source = plan.source(message);
    for (const hdc::Piece& piece : pieces)
        for (unsigned n = 0; n < piece.bytes; ++n) {
            const unsigned at =
                piece.stride == 0 ? n : n / piece.chunk * piece.stride + n % piece.chunk;
            bytes.push_back({piece.address + n, source[piece.at + at]});
        }
    std::ranges::stable_sort(bytes, {}, &Byte::address);
    for (std::size_t i = 1; i < bytes.size(); ++i)
        if (bytes[i].address == bytes[i - 1].address && bytes[i].value != bytes[i - 1].value)
            return report({thread, instruction, Kind::Write}, {.thread = thread,
                                                               .instruction = instruction,
                                                               .kind = Kind::Write,
                                                               .slm = plan.slm,
                                                               .address = bytes[i].address,
                                                               .bytes = 1});
}

std::string RaceCheck::kernel_of(std::uint32_t work) const {
    if (const LaunchName* const name = names_.of(work)) return name->kernel;
    char text[32];
    const auto found = running_.find(work);
    std::snprintf(text, sizeof text, "0x%012" PRIx64,
                  found != running_.end() ? found->second.value : std::uint64_t{0});
    return text;
}

// An argument's surface says where its buffer is.
std::string RaceCheck::owner_of(std::uint32_t work, std::uint64_t address) const {
    char text[96];
    if (const LaunchName* const name = names_.of(work))
        for (const LaunchArgument& argument : name->arguments) {
            const hdc::Surface* const surface = (*surface_at_)(argument.surface);
            if (surface == nullptr || (index_ && *index_ != argument.surface)) continue;
            if (address < surface->base ||
                (!index_ && address - surface->base >= surface->size_bytes))
                continue;
            std::snprintf(text, sizeof text, " + 0x%" PRIx64, address - surface->base);
            return "argument " + std::to_string(argument.number) +
                   (argument.name.empty() ? "" : " '" + argument.name + "'") + text;
        }
    if (!index_) return {};
    std::snprintf(text, sizeof text, "surface %u + 0x%" PRIx64, unsigned{*index_},
                  address - surface_base_);
    return text;
}

std::string RaceCheck::text_of(std::uint32_t thread_number, std::uint32_t number, Kind kind) const {
    const RaceShadow::Thread& thread = shadow_.thread(thread_number);
    const Instruction& instruction = instructions_[number];
    const auto found = running_.find(thread.work);
    const std::uint64_t start = found != running_.end() ? found->second.value : 0;
    const std::uint64_t offset = instruction.address.value - start;
    char text[160];
    std::snprintf(text, sizeof text, "%s by group %u,%u,%u thread %u at +0x%" PRIx64, word_of(kind),
                  thread.group[0], thread.group[1], thread.group[2], thread.number, offset);
    std::string said = text;
    const LaunchName* const name = names_.of(thread.work);
    if (name != nullptr && name->source) {
        const SourcePlace place = name->source(offset);
        if (place.line != 0)
            said += ", " + (place.file.empty() ? std::string("line ") : place.file + ":") +
                    std::to_string(place.line) +
                    (place.text.empty() ? "" : " '" + place.text + "'");
    }
    const auto ip =
        static_cast<std::uint32_t>((instruction.address.value - instruction.base.value));
    const eu::Program::Page* const page = gpu_.program->page_at_hand(instruction.base, ip);
    const eu::Entry* const entry = page != nullptr ? page->find(ip) : nullptr;
    if (entry != nullptr) said += " [" + isa::disassemble(entry->decoded.instruction, ip) + "]";
    return said;
}

void RaceCheck::report(const RaceShadow::Other& before, const RaceShadow::Access& access) {
    const auto address_of = [this](std::uint32_t number) {
        return instructions_[number].address.value;
    };
    const std::uint64_t first = address_of(before.instruction),
                        second = address_of(access.instruction);
    // The two may come in either order.
    const bool turned = std::pair(second, access.kind) < std::pair(first, before.kind);
    if (!reported_
             .insert(turned ? std::tuple(second, first, access.kind, before.kind)
                            : std::tuple(first, second, before.kind, access.kind))
             .second)
        return;
    char place[96], where[96];
    const std::uint32_t work = shadow_.thread(access.thread).work;
    const auto found = running_.find(work);
    const std::uint64_t start = found != running_.end() ? found->second.value : 0;
    std::snprintf(place, sizeof place, ", +0x%" PRIx64 " and +0x%" PRIx64, first - start,
                  second - start);
    constexpr std::uint64_t kInSlm = 0xFFFF'FFFF;
    std::snprintf(where, sizeof where, access.slm ? "local memory 0x%" PRIx64 : "0x%" PRIx64,
                  access.slm ? access.address & kInSlm : access.address);
    const bool lanes = before.thread == access.thread;
    const std::string owner = access.slm ? std::string() : owner_of(work, access.address);
    reporter_.guest_error(
        "data race", "kernel " + kernel_of(work) + place,
        std::string(where) + (owner.empty() ? "" : " (" + owner + ")") + ": " +
            text_of(before.thread, before.instruction, before.kind) +
            (lanes ? ": lanes of one message write different values"
                   : "; " + text_of(access.thread, access.instruction, access.kind) +
                         ": nothing orders them"));
}

std::string RaceCheck::summary() const {
    char text[200];
    std::snprintf(text, sizeof text,
                  "--check-races: %" PRIu64 " launches, %" PRIu64
                  " messages watched: %zu pairs of instructions race",
                  launches_, accesses_, reported_.size());
    std::string said = text;
    if (shadow_.unwatched() != 0)
        said += "; " + std::to_string(shadow_.unwatched()) +
                " accesses were not watched, for lack of memory";
    return said;
}

}  // namespace gen9::platform
