// SPDX-License-Identifier: Apache-2.0
#include "cs/core.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <utility>

#include "common/bits.h"
#include "packets/media.h"

namespace gen9::cs {
namespace {

// Places in the hardware status page (Public: i915): entries of the context status buffer, and the
// number of the last one written.
constexpr std::uint32_t kStatusPageEntries = 0x40, kStatusPagePointer = 0x7C;
constexpr std::uint32_t kStatusEntries = 6;
// CTXT_SR_CTL (CS-137).
constexpr std::uint32_t kInhibitRestore = 1u << 0, kInhibitSave = 1u << 2;
constexpr std::uint32_t kResourceStreamerContext = 1u << 1;  // CS-119
// GFX_MODE: the PPGTT has four levels.
constexpr std::uint32_t kFourLevels = 1u << 7;

}  // namespace

CsCore::CsCore(Bus& bus, Reporter& reporter, CsStats& stats, const InterpreterSettings& settings)
    : bus_(bus),
      reporter_(reporter),
      stats_(stats),
      registers_(&bus.alu()),
      mmio_(registers_, execlists_, bus, reporter),
      interpreter_(bus, reporter, registers_, mmio_, execlists_, stats, settings),
      saved_image_(registers_) {}

bool CsCore::write_register(std::uint32_t offset, std::uint32_t value) {
    const bool submitted = mmio_.write(offset, value, 0, Writer::Host);
    if (Interpreter::chooses_counted(offset)) interpreter_.choose_counted(execlists_.active());
    if (ring_runs_ && offset == RING_TAIL) interpreter_.pointers.load_tail(value);
    if (submitted && offset == EXECLIST_SUBMIT_PORT && execlists_.overflowed())
        reporter_.guest_error("cs: submission", "EXECLIST_SUBMIT_PORT",
                              "two lists wait; the earlier one is lost");
    return submitted;
}

void CsCore::run() {
    while (!stopped_ && pending()) {
        if (!execlists_.pending()) {
            run_ring();
            continue;
        }
        const bool was_idle = !execlists_.active();
        execlists_.take_pending();
        ++stats_.submissions;
        if (was_idle) event(kIdleToActive, execlists_.running().context_id());
        run_lists();
    }
}

void CsCore::run_lists() {
    while (true) {
        const Element element = execlists_.running();
        const Outcome outcome = load_context(element) ? execute() : Outcome::Stopped;
        if (outcome == Outcome::Stopped) {
            interpreter_.pointers.store(registers_);
            stopped_ = true;
            return;
        }
        save_context(element);
        ++finished_contexts_;
        std::uint32_t reason = 0;
        if (outcome == Outcome::Complete) reason = kContextComplete;
        if (outcome == Outcome::Blocked) reason = kSemaphoreWait;
        if (outcome != Outcome::Preempted && execlists_.next_element()) {
            event(reason | kElementSwitch, element.context_id());
            continue;
        }
        if (execlists_.pending()) {
            if (outcome == Outcome::Preempted) ++stats_.preemptions;
            bus_.preempted();
            execlists_.take_pending();
            ++stats_.submissions;
            event(reason | kPreempted, element.context_id());
            continue;
        }
        execlists_.retire();
        report_switch();
        event(reason | kActiveToIdle, element.context_id());
        return;
    }
}

CsCore::Outcome CsCore::execute() {
    if (!(registers_.read(RING_CTL) & 1)) {
        char place[32];
        std::snprintf(place, sizeof place, "context 0x%x", execlists_.running().page());
        reporter_.guest_error("cs: ring", place, "its ring is not enabled; nothing is executed");
        return Outcome::Complete;
    }
    while (true) {
        if (registers_.read(MI_MODE) & kStopRing) {
            bus_.poll();
            continue;
        }
        if (execlists_.pending() && lite_restore()) continue;
        if (interpreter_.pointers.level() == Level::Ring && interpreter_.pointers.ring_empty()) {
            // The work that is under way belongs to this context: a submission may come while it
            // ends.
            if (!interpreter_.drain_unless_preempted()) interpreter_.stop_work();
            if (execlists_.pending() && lite_restore()) {
                interpreter_.resume_walker();
                continue;
            }
            return interpreter_.commands.walker[0] ? Outcome::Preempted : Outcome::Complete;
        }
        switch (interpreter_.step()) {
            case Interpreter::Step::Continue:
                break;
            case Interpreter::Step::Preempted:
                interpreter_.stop_work();
                return Outcome::Preempted;
            case Interpreter::Step::Blocked:
                bus_.drain(packets::kEveryPipe);
                return Outcome::Blocked;
            case Interpreter::Step::Stopped:
                return Outcome::Stopped;
        }
    }
}

// CS-139: a submission of the context that runs only moves its tail.
bool CsCore::lite_restore() {
    const Element next = execlists_.pending_list()[0];
    if (!next.valid() || next.force_restore() || !next.same_context(execlists_.running()))
        return false;
    execlists_.take_pending();
    ++stats_.submissions;
    ++stats_.lite_restores;
    std::array<std::uint8_t, 4> tail{};
    bus_.read(AddressSpace::Ggtt, GpuAddr(next.page() + kImageTailBytes), tail);
    interpreter_.pointers.load_tail(load<std::uint32_t>(tail.data()));
    interpreter_.drop_fetched();
    event(kPreempted | kLiteRestore, next.context_id());
    return true;
}

bool CsCore::load_context(const Element& element) {
    ++stats_.contexts;
    const bool of_ring = std::exchange(ring_state_, false);
    bus_.begin();
    bus_.switched();
    const bool resident = !of_ring && resident_.valid() && resident_.same_context(element) &&
                          !element.force_restore();
    if (!resident) {
        registers_.reset_context();
        sum_slices();
        registers_.set(TD_CTL2, 0);
        interpreter_.reset_context();
    }
    // The image may leave these out (NEO's first one does): they belong to no other context.
    for (const std::uint32_t offset : {BB_ADDR, BB_ADDR_UDW, BB_STATE, SBB_ADDR, SBB_ADDR_UDW,
                                       SBB_STATE, BB_PER_CTX_PTR, INDIRECT_CTX})
        registers_.set(offset, 0);
    interpreter_.status_page = GpuAddr(element.page());
    // CS-134: the descriptor says how the page directory pointers are meant.
    bus_.write_register(GFX_MODE, kFourLevels << 16 | (element.wide_addresses() ? kFourLevels : 0));
    if (element.fault_mode())
        reporter_.not_modelled("DP-026", "a context that asks to go on after a page fault");
    if (element.snooped()) reporter_.not_modelled("L3-57", "a context with an IA coherent L3");
    // The EUs' copy: no context chooses for the next one.
    if (!resident) bus_.write_register(TD_CTL2, registers_.read(TD_CTL2));
    restore(element, kExeclistChunk);
    interpreter_.pointers.load(registers_);
    interpreter_.drop_fetched();

    // The new context's tables and memory may differ in everything that was cached.
    CacheControl control;
    control.flush_data = control.invalidate_data = true;
    control.invalidate_instruction = control.invalidate_state = control.invalidate_constant = true;
    control.invalidate_texture = control.invalidate_tlb = true;
    control.empty_draw_caches();
    bus_.control(control);

    mmio_.start_context_clock();
    // Assumed: a context that comes back after the engine was idle is restored like any other, and
    // its image gives the committed constants again (CS-99, FF-91). Public: iris sends none again
    // for a buffer that the program has written meanwhile, and piglit's tests of that
    // (bufferstorage) pass on Kaby Lake. What else the image gives is what the context has.
    if (resident)
        interpreter_.state.commit_again();
    else
        interpreter_.drop_thread_pools();
    if (!resident && !(registers_.read(CTXT_SR_CTL) & kInhibitRestore)) {
        load_engine(element);
        if (registers_.read(CTXT_SR_CTL) & kResourceStreamerContext)
            interpreter_.streamer_context(false);
    }
    interpreter_.choose_counted(true);
    report_switch();
    resident_ = element;

    mmio_.arbitration = false;
    const std::uint32_t indirect = registers_.read(INDIRECT_CTX),
                        per_context = registers_.read(BB_PER_CTX_PTR);
    bool good = true;
    if (indirect & 0x3F) good = run_workaround(GpuAddr(indirect & ~0x3Fu), 64u * (indirect & 0x3F));
    if (good && (per_context & 1)) good = run_workaround(GpuAddr(per_context & ~0xFFFu), 0);
    mmio_.arbitration = true;
    // The walker goes on behind the batches, whose stalls wait for what the front end loads and not
    // for the walk (PRE-18).
    if (good) resume_walker(element);
    return good;
}

void CsCore::load_engine(const Element& element) {
    for (const ImageChunk chunk : kEngineChunks)
        restore(element, chunk);
    restore_state(element);
    take_walker(element);
    sum_slices();
    interpreter_.replay_media_state();
}

// A context comes, or the engine has become idle (Assumed: Mesa waits for a report behind the last
// of its work).
void CsCore::report_switch() {
    if (registers_.read(OA_DEBUG) & kOaNoSwitchReports) return;
    if (const auto next = interpreter_.buffered_report(kOaSwitchReason))
        bus_.write(AddressSpace::Ggtt, next->place, next->report.bytes());
}

bool CsCore::run_workaround(GpuAddr address, std::uint64_t bytes) {
    StreamPointers& pointers = interpreter_.pointers;
    const StreamPointers resume = pointers;
    pointers.return_to_ring();
    pointers.start_batch(address, false, false);
    const auto at_end = [&] {
        return pointers.level() == Level::Ring || (bytes != 0 && pointers.level() == Level::First &&
                                                   pointers.address() == address + bytes);
    };
    while (!at_end())
        if (interpreter_.step() != Interpreter::Step::Continue) return false;
    pointers = resume;
    interpreter_.drop_fetched();
    return true;
}

void CsCore::read_image(const Element& element, ImageChunk chunk,
                        std::vector<std::uint32_t>& words) {
    words.assign(chunk.count, 0);
    const std::uint32_t address = element.page() + kImageOffsetBytes + 4u * chunk.dword;
    bus_.read(AddressSpace::Ggtt, GpuAddr(address),
              {reinterpret_cast<std::uint8_t*>(words.data()), 4u * chunk.count});
}

// CS-99: restoring is executing the image.
void CsCore::restore(const Element& element, ImageChunk chunk) {
    read_image(element, chunk, image_);
    execute_image(element, chunk);
}

void CsCore::execute_image(const Element& element, ImageChunk chunk) {
    for (std::size_t i = 0; i < image_.size();) {
        const packets::CommandRow* row = packets::find_command(image_[i]);
        // Public: Mesa (gen8_context.h) ends the images of its captures so.
        if (row && row->command == packets::Command::MI_BATCH_BUFFER_END) return;
        const std::size_t count = row ? row->dwords(image_[i]) : 0;
        const bool fits = row && count <= image_.size() - i && count >= row->minimum_dwords;
        if (!fits ||
            !interpreter_.restore(*row, std::span<const std::uint32_t>(image_).subspan(i, count))) {
            char place[64];
            std::snprintf(place, sizeof place, "context 0x%x, image DWord 0x%zx", element.page(),
                          chunk.dword + i);
            reporter_.guest_error("cs: context image", place,
                                  "not a command of an image; the rest is not loaded");
            return;
        }
        i += count;
    }
}

void CsCore::restore_state(const Element& element) {
    for (const StateChunk& chunk : kStateChunks) {
        if (chunk.looks == 0) {
            if (look_at_image(element, chunk)) execute_image(element, chunk);
            continue;
        }
        if (chunk.looks < chunk.count) {
            read_image(element, {chunk.dword, chunk.looks}, image_);
            const packets::CommandRow* const row = packets::find_command(image_[0]);
            if (!row || row->latch.image != chunk.dword) continue;
        }
        restore(element, chunk);
    }
}

bool CsCore::look_at_image(const Element& element, ImageChunk chunk) {
    image_.assign(chunk.count, 0);
    return bus_.peek(AddressSpace::Ggtt, place_in_image(element, chunk),
                     {reinterpret_cast<std::uint8_t*>(image_.data()), 4u * chunk.count}) &&
           std::ranges::any_of(image_, [](std::uint32_t word) { return word != 0; });
}

// PRE-05.
void CsCore::take_walker(const Element& element) {
    read_image(element, kWalkerChunk, image_);
    const packets::CommandRow* const row = packets::find_command(image_[0]);
    if (row && (row->command == packets::Command::GPGPU_WALKER ||
                row->command == packets::Command::PRIMITIVE_3D))
        std::copy_n(image_.begin(), kWalkerChunk.count, interpreter_.commands.walker.begin());
}

// The walker is taken out of the image, for a later save may have none to put into it.
void CsCore::resume_walker(const Element& element) {
    if (!interpreter_.commands.walker[0]) return;
    interpreter_.lose_late_loads();
    image_.assign(kWalkerChunk.count, 0);
    write_image(element, kWalkerChunk, image_.data());
    interpreter_.resume_walker();
}

bool CsCore::write_image(const Element& element, ImageChunk chunk, const std::uint32_t* words) {
    return bus_.write(AddressSpace::Ggtt,
                      GpuAddr(element.page() + kImageOffsetBytes + 4u * chunk.dword),
                      {reinterpret_cast<const std::uint8_t*>(words), 4u * chunk.count});
}

void CsCore::save_context(const Element& element) {
    bus_.begin();
    bus_.switched();
    CacheControl flush;
    flush.flush_data = true;
    flush.empty_draw_caches();
    bus_.control(flush);
    mmio_.stop_context_clock();
    interpreter_.choose_counted(false);
    interpreter_.pointers.store(registers_);
    build_image();
    if (!write_image(element, kExeclistChunk) || (registers_.read(CTXT_SR_CTL) & kInhibitSave))
        return;
    save_engine(element);
    if (registers_.read(CTXT_SR_CTL) & kResourceStreamerContext)
        interpreter_.streamer_context(true);
}

void CsCore::build_image() {
    if (const char* const too_long = saved_image_.build(interpreter_.commands, interpreter_.state,
                                                        interpreter_.streamer_on()))
        reporter_.not_modelled(
            "CS-112", std::string(too_long) + ": more of them than a context image has room for");
}

// Writes the chunks of the image that has been built.
void CsCore::save_engine(const Element& element) {
    for (const ImageChunk chunk : kEngineChunks)
        if (!write_image(element, chunk)) return;
    for (const StateChunk& chunk : kStateChunks) {
        if (chunk.looks == 0) {
            const std::span<const std::uint32_t> words = saved_image_.chunk(chunk);
            bus_.poke(AddressSpace::Ggtt, place_in_image(element, chunk),
                      {reinterpret_cast<const std::uint8_t*>(words.data()), words.size_bytes()});
            continue;
        }
        if (saved_image_.has_command(chunk) && !write_image(element, chunk)) return;
    }
    const auto& walker = interpreter_.commands.walker;
    if (walker[0]) write_image(element, kWalkerChunk, walker.data());
}

void CsCore::event(std::uint32_t reason, std::uint32_t context_id) {
    execlists_.note(reason);
    const std::uint32_t pointer = registers_.read(CTXT_ST_PTR);
    const std::uint32_t last = pointer & 7;
    const std::uint32_t entry = last + 1 >= kStatusEntries ? 0 : last + 1;
    registers_.set(CTXT_ST_PTR, (pointer & ~7u) | entry);
    const std::array<std::uint32_t, 2> words{reason, context_id};
    registers_.set(CTXT_ST_BUF + 8 * entry, words[0]);
    registers_.set(CTXT_ST_BUF + 8 * entry + 4, words[1]);
    const bool interrupts = !(registers_.read(IMR) >> kSwitchInterrupt & 1);
    const std::uint32_t page = registers_.read(HWS_PGA) & ~0xFFFu;
    if (page == 0) return interrupts ? bus_.interrupt(kSwitchInterrupt) : void();
    const auto write = [&](std::uint32_t offset, const void* bytes, std::size_t count) {
        bus_.write(AddressSpace::Ggtt, GpuAddr(page + offset),
                   {static_cast<const std::uint8_t*>(bytes), count});
    };
    write(kStatusPageEntries + 8 * entry, words.data(), 8);
    write(kStatusPagePointer, &entry, 4);
    if (interrupts) bus_.interrupt(kSwitchInterrupt);
}

std::string CsCore::describe() const {
    if (idle()) return "idle";
    std::string text = interpreter_.describe();
    if (registers_.read(MI_MODE) & kStopRing) text += ": the ring is stopped (MI_MODE)";
    if (stopped_) text += ": stopped by an error in the stream";
    if (execlists_.pending()) text += "; a further submission waits";
    return text;
}

void CsCore::count_draw(const DrawCounts& counts) {
    const auto add = [this](std::uint32_t offset, std::uint64_t more) {
        registers_.set64(offset, registers_.read64(offset) + more);
    };
    add(IA_VERTICES_COUNT, counts.ia_vertices);
    add(IA_PRIMITIVES_COUNT, counts.ia_primitives);
    add(VS_INVOCATION_COUNT, counts.vs_invocations);
    add(HS_INVOCATION_COUNT, counts.hs_invocations);
    add(DS_INVOCATION_COUNT, counts.ds_invocations);
    add(GS_INVOCATION_COUNT, counts.gs_invocations);
    add(GS_PRIMITIVES_COUNT, counts.gs_primitives);
    for (unsigned stream = 0; stream < counts.so_primitives_written.size(); ++stream) {
        add(SO_NUM_PRIMS_WRITTEN + 8 * stream, counts.so_primitives_written[stream]);
        add(SO_PRIM_STORAGE_NEEDED + 8 * stream, counts.so_primitives_needed[stream]);
    }
    // Offsets that the stream has set in the meantime stay.
    const StreamOffsets& offsets = counts.stream_offsets;
    for (unsigned buffer = 0; buffer < kStreamBuffers; ++buffer)
        if ((offsets.changed & ~mmio_.stream_offsets_set) >> buffer & 1)
            registers_.set(SO_WRITE_OFFSET + 4 * buffer, offsets.value[buffer]);
    add(CL_INVOCATION_COUNT, counts.cl_invocations);
    add(CL_PRIMITIVES_COUNT, counts.cl_primitives);
    // The model counts all slices in one; the registers of slice 0 take it.
    add(PS_INVOCATION_COUNT_0, counts.ps_invocations);
    add(PS_DEPTH_COUNT_0, counts.ps_depth);
    sum_slices();
}

// A context's image has the counts of slices and not their sums.
void CsCore::sum_slices() {
    const auto sum = [this](Register all, std::initializer_list<Register> slices) {
        std::uint64_t count = 0;
        for (const Register slice : slices)
            count += registers_.read64(slice);
        registers_.set64(all, count);
    };
    sum(PS_INVOCATION_COUNT, {PS_INVOCATION_COUNT_0, PS_INVOCATION_COUNT_1, PS_INVOCATION_COUNT_2});
    sum(PS_DEPTH_COUNT, {PS_DEPTH_COUNT_0, PS_DEPTH_COUNT_1, PS_DEPTH_COUNT_2});
}

}  // namespace gen9::cs
