// SPDX-License-Identifier: Apache-2.0
#include "memory/gti/gti.h"

#include <algorithm>
#include <cstring>

#include "common/bits.h"
#include "common/check.h"
#include "interconnect/kernel/blocking_access.h"
#include "memory/gti/registers.h"
#include "memory/perform.h"

namespace gen9::memory {
namespace {

bool is_mocs(std::uint32_t offset) {
    return offset >= static_cast<std::uint32_t>(GtiRegister::MocsFirst) &&
           offset <= static_cast<std::uint32_t>(GtiRegister::MocsLast);
}
unsigned mocs_index(std::uint32_t offset) {
    return (offset - static_cast<std::uint32_t>(GtiRegister::MocsFirst)) / 4;
}

// The host's memory of a buffer goes on as long as its pages follow one another in the machine's.
// What is between two invalidations is translated in the same way whenever it is looked at.
void reach_further(Mmu& mmu, const PhysicalMemory& memory, AddressSpace space,
                   const Mmu::Answer& page, tlm::tlm_dmi& dmi) {
    const HostRun run = memory.run_around(page.address);
    const std::uint64_t first = dmi.get_start_address();
    const Mmu::Reach reach = mmu.reach(space, GpuAddr(first), page, {run.before, run.behind});
    const std::uint64_t before = std::min(reach.before, run.before);
    dmi.set_dmi_ptr(dmi.get_dmi_ptr() - before);
    dmi.set_start_address(first - before);
    dmi.set_end_address(first + kPageBytes - 1 + std::min(reach.behind, run.behind));
}

}  // namespace

Gti::Gti(sc_core::sc_module_name module_name, Environment& env, const Clock& clock,
         PhysicalMemory& memory, unsigned initiators)
    : sc_core::sc_module(module_name),
      GtiBlock(env),
      params(env.config, name()),
      stats(name()),
      signals(name()),
      env_(env),
      clock_(clock),
      memory_(memory),
      mmu_(memory, static_cast<unsigned>(params.tlb_sets), static_cast<unsigned>(params.tlb_ways)),
      cacheability_(params.llc_mocs == "linux"),
      out_(mem_out, clock),
      wakeup_(clock),
      arbiter_(params.initiators.arbiter(initiators)),
      walker_(static_cast<unsigned>(params.table_lines), Cycles(params.walk_read_cycles)) {
    enlist(env, params, stats, signals);
    GEN9_CHECK(initiators && initiators <= 64, "a GTI has 64 initiators at most");
    for (unsigned i = 0; i < initiators; ++i) {
        auto& socket = mem_in.emplace_back(("mem_in" + std::to_string(i)).c_str());
        auto& port = ports_.emplace_back(
            Port{RequestQueue(socket, clock, params.queue), {}, {}, {}, {}, {}});
        socket.on_blocking = [this](Payload& p, sc_core::sc_time& delay) { blocking(p, delay); };
        socket.on_direct = [this](Payload& p, tlm::tlm_dmi& dmi) { return direct(p, dmi); };
        socket.on_debug = [this](Payload& p) { return debug(p); };
        socket.on_forward = [this, i, &port](Payload& p, tlm::tlm_phase& phase,
                                             sc_core::sc_time& delay) {
            if (phase == tlm::BEGIN_REQ && is_burst(p)) {
                refuse(p, tlm::TLM_BURST_ERROR_RESPONSE);
                return tlm::TLM_COMPLETED;
            }
            const auto answer = port.queue.begin(p, phase, delay, kArrival);
            if (!port.queue.empty()) queued_ports_ |= std::uint64_t{1} << i;
            if (port.queue.size() == 1) wakeup_.at(port.queue.front().ready);
            return answer;
        };
    }
    control_in.takes({.invalidate_tlb = true},
                     [this](const MemoryAttributes&, sc_core::sc_time&) { invalidate_tlb(); });
    reg_in.on_blocking = [this](Payload& p, sc_core::sc_time&) { access_register(p); };
    out_.on_response = [this](Payload& p, Cycles at) { respond(p, at); };
    out_.on_room = [this] { wakeup_.at(clock_.now() + kArrival); };
    wakeup_.runs<&Gti::process>(this);
}

Gti::~Gti() = default;

// ---- blocking, direct and debug access ----

void Gti::report(const Payload& payload, const MemoryAttributes& attributes,
                 const Translation& fault) {
    ++stats.faults;
    const GpuAddr address(payload.get_address());
    if (!mmu_.record(attributes.space, address, fault)) return;
    env_.reporter.guest_error(
        "memory fault",
        Mmu::place(attributes.space, address, {attributes.requester, attributes.thread}),
        Mmu::text(address, changes_memory(payload), fault));
}

void Gti::show_translation(GpuAddr address, bool walked) {
    if (!signals.watched()) return;
    const Cycles now = clock_.now();
    (walked ? signals.tlb_misses : signals.tlb_hits).pulse(now, now + Cycles(1));
    signals.page.mark(address.value / kPageBytes * kPageBytes, now);
}

void Gti::count(const Payload& payload) {
    stats.reads += payload.is_read();
    stats.writes += payload.is_write();
    if (accesses != nullptr) [[unlikely]]
        accesses->served(MemoryLevel::Gti, payload, payload.get_data_length(), false);
}

void Gti::blocking_page(Payload& payload, sc_core::sc_time& delay) {
    const auto& attributes = attributes_of(payload);
    const std::uint64_t address = payload.get_address();
    const auto answer = mmu_.translate(attributes.space, GpuAddr(address), changes_memory(payload));
    stats.tlb_hits += answer.table_reads == 0;
    stats.tlb_misses += answer.table_reads != 0;
    stats.walk_reads += answer.table_reads;
    show_translation(GpuAddr(address), answer.table_reads != 0);
    const bool timed = env_.timed();
    const Cycles begin = timed ? clock_.after(delay) : Cycles();
    const auto account = [&] {
        if (timed) account_blocking(answer, begin, clock_.after(delay));
    };
    if (timed)
        delay += clock_.time(Cycles(params.request_cycles + params.return_cycles +
                                    answer.table_reads * params.walk_read_cycles));
    leave_tables(answer);
    if (!answer.ok) {
        report(payload, attributes, answer.fault);
        refuse(payload, tlm::TLM_ADDRESS_ERROR_RESPONSE);
        return account();
    }
    count(payload);
    payload.set_address(answer.address.value);
    set_policy(payload, answer.attribute);
    if (lanes_here_ && has_lanes(payload))
        perform(memory_, payload);
    else
        mem_out->b_transport(payload, delay);
    payload.set_address(address);
    account();
}

// It accounts as process() does for a request: its walk, the cycle in which it is passed on, the
// LLC's answer, the way back.
void Gti::account_blocking(const Mmu::Answer& answer, Cycles begin, Cycles end) {
    const Cycles now = clock_.now();
    const Cycles walked = begin + Cycles(answer.table_reads * params.walk_read_cycles);
    const Cycles back = end - Cycles(params.return_cycles);
    stats.walk_stalls += (walked - begin).value;
    signals.walking.pulse(begin, walked);
    account_.extend(GtiActivity::Walking, now, begin, walked);
    account_.extend(GtiActivity::Passing, now, walked, walked + Cycles(1));
    account_.extend(GtiActivity::Memory, now, walked, back);
    account_.extend(GtiActivity::Returning, now, back, end);
}

void Gti::blocking(Payload& payload, sc_core::sc_time& delay) {
    const auto& attributes = attributes_of(payload);
    if (attributes.operation == MemoryAttributes::Operation::Control) {
        if (attributes.control.invalidate_tlb) invalidate_tlb();
        payload.set_response_status(tlm::TLM_OK_RESPONSE);
        return;
    }
    // Earlier requests go first, whichever module of this cycle runs first.
    if (env_.timed()) process();
    const std::uint64_t address = payload.get_address(), length = payload.get_data_length();
    // Lanes stay within their line, whatever the data length says.
    if (attributes.operation == MemoryAttributes::Operation::Lanes)
        return blocking_page(payload, delay);
    if (payload.get_streaming_width() < length)
        return refuse(payload, tlm::TLM_BURST_ERROR_RESPONSE);
    if (address % kPageBytes + length <= kPageBytes) return blocking_page(payload, delay);

    // An access of several pages: each has its own frame, and may fault alone.
    std::vector<unsigned char> repeated;
    auto* enables = payload.get_byte_enable_length() ? payload.get_byte_enable_ptr() : nullptr;
    if (enables && payload.get_byte_enable_length() < length) {
        repeated.resize(length);
        for (std::uint64_t i = 0; i < length; ++i)
            repeated[i] = enables[i % payload.get_byte_enable_length()];
        enables = repeated.data();
    }
    // A call may wait in a memory of another kind, while another one comes.
    MemoryTransaction& part = *parts_.get();
    part.attributes.derive(attributes);
    part.set_command(payload.get_command());
    auto status = tlm::TLM_OK_RESPONSE;
    for (std::uint64_t done = 0; done < length;) {
        const std::uint64_t count =
            std::min(length - done, kPageBytes - (address + done) % kPageBytes);
        part.set_address(address + done);
        part.set_data_ptr(payload.get_data_ptr() + done);
        part.set_data_length(static_cast<unsigned>(count));
        part.set_streaming_width(static_cast<unsigned>(count));
        part.set_byte_enable_ptr(enables ? enables + done : nullptr);
        part.set_byte_enable_length(enables ? static_cast<unsigned>(count) : 0);
        part.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
        blocking_page(part, delay);
        if (part.is_response_error()) status = part.get_response_status();
        done += count;
    }
    part.release();
    payload.set_response_status(status);
}

bool Gti::direct(Payload& payload, tlm::tlm_dmi& dmi) {
    if (env_.timed()) return false;
    const GpuAddr address(payload.get_address());
    const auto answer = mmu_.translate(attributes_of(payload).space, address, payload.is_write());
    if (!answer.ok) return false;  // the access itself will fault and be reported
    std::uint8_t* page = memory_.page(answer.address);
    if (!page) return false;
    const std::uint64_t start = address.value & ~std::uint64_t{kPageBytes - 1};
    dmi.init();
    dmi.set_dmi_ptr(page);
    dmi.set_start_address(start);
    dmi.set_end_address(start + kPageBytes - 1);
    if (answer.writable)
        dmi.allow_read_write();
    else
        dmi.allow_read();
    ++stats.grants;
    direct_given_ = true;
    keep_tables(answer);
    // Caches behind are told which page is used from now on without their being asked, and may say
    // where its lines are to be marked. Who does not mark uses it for surfaces that are not known:
    // the page alone says how it is cached.
    auto* const asks = payload.get_extension<AsksForLines>();
    MemoryTransaction& told = *parts_.get();
    told.access(payload.get_command(), answer.address.value / kPageBytes * kPageBytes, 1);
    told.set_data_length(kPageBytes);  // none is moved
    told.attributes.space = attributes_of(payload).space;
    told.attributes.requester = asks ? attributes_of(payload).requester : Requester::Host;
    told.attributes.mocs = attributes_of(payload).mocs;
    set_policy(told, answer.attribute);
    told.set_extension(asks);
    tlm::tlm_dmi unused;
    mem_out->get_direct_mem_ptr(told, unused);
    told.clear_extension(asks);
    told.release();
    // Who marks its accesses has a record for each page. Others may have the pages around it, too.
    if (asks != nullptr && asks->lines == nullptr)
        reach_further(mmu_, memory_, attributes_of(payload).space, answer, dmi);
    return true;
}

// A walk that takes no requests still leaves the lines of tables, here and in the caches behind.
void Gti::keep_tables(const Mmu::Answer& answer) {
    for (unsigned i = 0; i < answer.table_reads; ++i)
        keep_line(answer.fault.entries[i] / kLineBytes * kLineBytes);
}

void Gti::keep_line(std::uint64_t line) {
    if (walker_.keep(line) || line & kGlobalTableEntry) return;
    told_line_.access(tlm::TLM_READ_COMMAND, line, kLineBytes);
    told_line_.attributes.space = AddressSpace::Physical;
    tlm::tlm_dmi unused;
    mem_out->get_direct_mem_ptr(told_line_, unused);
}

// In timed mode the lines are there from the next cycle on, and come in an order of their own: it
// does not matter which of two accesses of a cycle was first.
void Gti::leave_tables(const Mmu::Answer& answer) {
    if (!env_.timed()) return keep_tables(answer);
    const Cycles now = clock_.now();
    take_left(now);
    left_at_ = now;
    for (unsigned i = 0; i < answer.table_reads; ++i)
        left_.push_back(answer.fault.entries[i] / kLineBytes * kLineBytes);
}

void Gti::take_left(Cycles now) {
    if (left_.empty() || left_at_ == now) return;
    std::sort(left_.begin(), left_.end());
    for (const std::uint64_t line : left_)
        keep_line(line);
    left_.clear();
}

unsigned Gti::debug(Payload& payload) {
    const auto& attributes = attributes_of(payload);
    const std::uint64_t address = payload.get_address(), length = payload.get_data_length();
    MemoryTransaction& part = debug_part_;
    part.set_command(payload.get_command());
    unsigned total = 0;
    while (total < length) {
        const std::uint64_t at = address + total;
        const auto count =
            static_cast<unsigned>(std::min(length - total, kPageBytes - at % kPageBytes));
        const auto answer = mmu_.peek(attributes.space, GpuAddr(at), payload.is_write());
        if (!answer.ok) break;
        part.set_address(answer.address.value);
        part.set_data_ptr(payload.get_data_ptr() + total);
        part.set_data_length(count);
        part.set_streaming_width(count);
        part.set_byte_enable_ptr(nullptr);
        const unsigned done = mem_out->transport_dbg(part);
        total += done;
        if (done < count) break;
    }
    return total;
}

// The block behind learns whether the LLC may keep the line (DP-034).
void Gti::set_policy(Payload& payload, std::uint8_t attribute) const {
    auto* attributes = find_attributes(payload);
    if (!attributes) return;
    // Surfaces have a control state; what fetches commands, instructions and state brings none,
    // and the page alone decides.
    const bool surface =
        attributes->requester == Requester::DataPort || attributes->requester == Requester::Sampler;
    attributes->llc = surface ? cacheability_.policy(attributes->mocs, attribute)
                              : cacheability_.of_page(attribute);
}

// ---- what the host and the command streamer set ----

void Gti::take_back(std::uint64_t start, std::uint64_t end) {
    ++stats.invalidations;
    if (!direct_given_) return;
    for (auto& socket : mem_in)
        socket->invalidate_direct_mem_ptr(start, end);
}

bool Gti::write_gtt(std::uint32_t index, std::uint64_t entry) {
    const std::uint64_t old = mmu_.global_table().read(index);
    if (!mmu_.global_table().write(index, entry)) return false;
    if (old == entry || !(old & 1)) return true;  // nothing can have been kept of it
    const std::uint64_t page = std::uint64_t{index} * kPageBytes;
    mmu_.drop_global(GpuAddr(page));
    take_back(page, page + kPageBytes - 1);
    return true;
}

void Gti::set_page_directories(const PageDirectories& roots) {
    if (roots == mmu_.roots()) return;
    mmu_.set_roots(roots);
    walker_.forget();
    take_back(0, ~std::uint64_t{0});
    direct_given_ = false;
}

void Gti::invalidate_tlb() {
    mmu_.drop_all();
    walker_.forget();
    take_back(0, ~std::uint64_t{0});
    direct_given_ = false;
}

std::uint32_t Gti::read_register(std::uint32_t offset) const {
    if (is_mocs(offset)) return cacheability_.mocs(mocs_index(offset));
    switch (static_cast<GtiRegister>(offset)) {
        case GtiRegister::PrivatePatLow:
        case GtiRegister::PrivatePatHigh:
            return cacheability_.pat(offset >> 2 & 1);
        case GtiRegister::GfxMode:
            return mmu_.roots().four_level ? kGfxMode48Bit : 0;
        case GtiRegister::RingFault:
            return mmu_.fault_register();
        case GtiRegister::FaultTlbData0:
            return mmu_.fault_data0();
        case GtiRegister::FaultTlbData1:
            return mmu_.fault_data1();
        case GtiRegister::TlbInvalidate:
        case GtiRegister::GfxFlushControl:
            return 0;
        default:
            break;
    }
    const std::uint64_t pdp =
        mmu_.roots().pdp[(offset - static_cast<std::uint32_t>(GtiRegister::Pdp0Low)) / 8];
    return static_cast<std::uint32_t>(offset & 4 ? pdp >> 32 : pdp);
}

bool Gti::write_register(std::uint32_t offset, std::uint32_t value) {
    if (is_mocs(offset)) {
        cacheability_.mocs(mocs_index(offset)) = value;
        return true;
    }
    switch (static_cast<GtiRegister>(offset)) {
        case GtiRegister::PrivatePatLow:
        case GtiRegister::PrivatePatHigh:
            cacheability_.pat(offset >> 2 & 1) = value;
            return true;
        case GtiRegister::GfxMode: {
            PageDirectories roots = mmu_.roots();
            if (value >> 16 & kGfxMode48Bit) roots.four_level = value & kGfxMode48Bit;
            set_page_directories(roots);
            return true;
        }
        case GtiRegister::RingFault:
            mmu_.clear_fault();
            return true;
        case GtiRegister::FaultTlbData0:
        case GtiRegister::FaultTlbData1:
            return true;
        case GtiRegister::TlbInvalidate:
        case GtiRegister::GfxFlushControl:
            if (value & 1) invalidate_tlb();
            return true;
        default:
            break;
    }
    PageDirectories roots = mmu_.roots();
    std::uint64_t& pdp = roots.pdp[(offset - static_cast<std::uint32_t>(GtiRegister::Pdp0Low)) / 8];
    if (offset & 4)
        pdp = (pdp & 0xFFFFFFFFu) | std::uint64_t{value} << 32;
    else
        pdp = (pdp & ~std::uint64_t{0xFFFFFFFFu}) | value;
    set_page_directories(roots);
    return true;
}

void Gti::access_register(Payload& payload) {
    const auto offset = static_cast<std::uint32_t>(payload.get_address());
    const auto owned = [offset] {
        if (offset >= static_cast<std::uint32_t>(GtiRegister::Pdp0Low) &&
            offset <= static_cast<std::uint32_t>(GtiRegister::Pdp3High))
            return true;
        if (is_mocs(offset)) return true;
        switch (static_cast<GtiRegister>(offset)) {
            case GtiRegister::PrivatePatLow:
            case GtiRegister::PrivatePatHigh:
            case GtiRegister::GfxMode:
            case GtiRegister::RingFault:
            case GtiRegister::TlbInvalidate:
            case GtiRegister::FaultTlbData0:
            case GtiRegister::FaultTlbData1:
            case GtiRegister::GfxFlushControl:
                return true;
            default:
                return false;
        }
    };
    if (payload.get_data_length() != 4 || payload.get_address() % 4)
        return refuse(payload, tlm::TLM_BURST_ERROR_RESPONSE);
    if (payload.get_address() >> 32 || !owned())
        return refuse(payload, tlm::TLM_ADDRESS_ERROR_RESPONSE);
    if (payload.is_write())
        write_register(offset, load<std::uint32_t>(payload.get_data_ptr()));
    else
        store(payload.get_data_ptr(), read_register(offset));
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
}

}  // namespace gen9::memory
