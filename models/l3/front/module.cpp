// SPDX-License-Identifier: Apache-2.0
#include "l3/front/module.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "common/bits.h"
#include "common/check.h"

namespace gen9::l3 {
namespace {

/// PRE-23: 003:18963-18965.
constexpr std::uint64_t kSaverCredits = 4;

void refuse(tlm::tlm_generic_payload& payload, tlm::tlm_response_status status) {
    if (payload.is_read() && payload.get_data_ptr())
        std::memset(payload.get_data_ptr(), 0, payload.get_data_length());
    payload.set_response_status(status);
}

}  // namespace

L3::L3(sc_core::sc_module_name module_name, Environment& env, const Clock& clock, unsigned clients,
       unsigned banks, unsigned nodes, const MakeBank& make, unsigned savers)
    : sc_core::sc_module(module_name),
      L3Block(env),
      params(env.config, name()),
      stats(name()),
      env_(env),
      clock_(clock),
      bank_count_(banks),
      folded_(params.bank_hash == "folded"),
      fetch_writes_(params.write_misses == "fetch"),
      nodes_(nodes),
      request_cycles_(params.request_cycles),
      bank_cycles_(params.bank_cycles),
      return_cycles_(params.return_cycles),
      snoops_(snoop_in, clock, params.snoop_queue),
      wakeup_(clock),
      setup_{params, banks},
      savers_(PortSet::from(clients - savers) & ~PortSet::from(clients)) {
    GEN9_CHECK(clients && banks, "an L3 has clients and banks");
    GEN9_CHECK(nodes && banks % nodes == 0, "slices have the same number of banks");
    GEN9_CHECK(clients <= PortSet::kMost && banks <= 64,
               "an L3 has 128 clients and 64 banks at most");
    if (!std::has_single_bit(params.sets.get()))
        throw UserError(std::string(name()) + ".sets=" + params.sets.value_text() +
                        " is not a power of two");
    if (params.tagged_ways > params.ways)
        throw UserError(std::string(name()) + ".tagged_ways=" + params.tagged_ways.value_text() +
                        " is more than ways=" + params.ways.value_text());
    enlist(env, params, stats);
    const Partition ways = partition_of(params, Registers::kDefaultPartition);
    banks_.reserve(banks);
    for (unsigned b = 0; b < banks; ++b) {
        make_bank(b, clients, make);
    }
    // Direct pointers are asked for through the first bank, so they are taken back there.
    bank_out[0].on_invalidate = [this](std::uint64_t start, std::uint64_t end) {
        take_back(start, end);
    };
    urb_.set_size(ways.urb_ways, banks);
    clients_.reserve(clients);
    for (unsigned c = 0; c < clients; ++c) {
        auto& socket = mem_in.emplace_back(("mem_in" + std::to_string(c)).c_str());
        // One a cycle on the way (L3-11), and one that waits for room.
        auto& client = clients_.emplace_back(
            Client{RequestQueue(socket, clock, params.request_cycles + 1), {}, {}, {}, {}, {}, {}});
        client.head.client = c;
        client.credits = savers_.has(c) ? kSaverCredits : banks * params.bank_queue;
        socket.on_blocking = [this](Payload& p, sc_core::sc_time& delay) { blocking(p, delay); };
        socket.on_debug = [this](Payload& p) { return debug(p); };
        socket.on_direct = [this](Payload& p, tlm::tlm_dmi& dmi) {
            if (env_.timed()) return false;
            if (attributes_of(p).space == AddressSpace::Urb) return grant_urb(dmi);
            return bank_out[0]->get_direct_mem_ptr(p, dmi);
        };
        socket.on_forward = [this, c, &client](Payload& p, tlm::tlm_phase& phase,
                                               sc_core::sc_time& delay) {
            if (phase == tlm::BEGIN_REQ && is_burst(p)) [[unlikely]] {
                refuse(p, tlm::TLM_BURST_ERROR_RESPONSE);
                return tlm::TLM_COMPLETED;
            }
            const auto answer = client.queue.begin(p, phase, delay, request_cycles_);
            if (client.queue.size() == 1) {
                if (attributes_of(p).space == AddressSpace::Urb) urb_clients_.add(c);
                queued_clients_.add(c);
                client.try_at = std::max(client.queue.front().ready, client.issued + Cycles(1));
                wakeup_.at(client.try_at);
            }
            return answer;
        };
    }
    control_in.takes(
        {.flush_data = true,
         .invalidate_data = true,
         .invalidate_instruction = true,
         .invalidate_state = true,
         .invalidate_constant = true,
         .invalidate_texture = true},
        [this](const MemoryAttributes& asked, sc_core::sc_time& delay) { control(asked, delay); });
    snoop_in.on_blocking = [this](Payload& p, sc_core::sc_time& delay) {
        blocking_snoop(p, delay);
    };
    snoop_in.on_forward = [this](Payload& p, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
        const auto answer = snoops_.begin(p, phase, delay, kArrival);
        if (!snoops_.empty()) wakeup_.at(snoops_.front().ready);
        return answer;
    };
    reg_in.on_blocking = [this](Payload& p, sc_core::sc_time& delay) { access_register(p, delay); };
    wakeup_.runs<&L3::process>(this);
}

L3::~L3() = default;

L3Sockets L3::sockets() {
    L3Sockets all{every<AnyTarget<MemoryProtocol>>(mem_in), control_in, reg_in, snoop_in, {}};
    for (const BankPlace& bank : banks_)
        all.mem_out.push_back(bank.mem_out);
    return all;
}

void L3::make_bank(unsigned index, unsigned clients, const MakeBank& make) {
    const std::string number = std::to_string(index);
    auto& socket = bank_out.emplace_back(("bank_out" + number).c_str());
    const auto make_own = [this](const char* name, const BankSetup& setup) {
        auto& bank = bank_store_.emplace_back(std::make_unique<Bank>(name, env_, clock_, setup));
        return BankPorts{bank->mem_in, bank->mem_out, bank.get()};
    };
    const std::string bank_name = "bank" + number;
    const BankPorts ports =
        make ? make(bank_name.c_str(), setup_) : make_own(bank_name.c_str(), setup_);
    socket.bind(ports.in);
    BankPlace& bank = banks_.emplace_back(BankPlace{&socket,
                                                    &ports.out,
                                                    ports.own,
                                                    {},
                                                    params.clients.arbiter(clients),
                                                    Ingress<Request>(clients, params.bank_queue),
                                                    {}});
    if (bank.own) {
        bank.own->on_arrival = [this, index](Cycles at) {
            active_banks_ |= std::uint64_t{1} << index;
            wakeup_.at(at);
        };
        socket.on_backward = [this, index](Payload& p, tlm::tlm_phase&, sc_core::sc_time& delay) {
            respond(taken_out(banks_[index], p), clock_.after(delay));
            return tlm::TLM_COMPLETED;
        };
        return;
    }
    bank.port = std::make_unique<RequestPort>(socket, clock_);
    bank.port->on_response = [this, index](Payload& p, Cycles at) { answered(index, p, at); };
    bank.port->on_room = [this] { wakeup_.at(clock_.now() + Cycles(1)); };
}

bool L3::idle() const {
    return snoops_.empty() && returns_.empty() &&
           std::all_of(banks_.begin(), banks_.end(), [](const BankPlace& b) { return b.idle(); }) &&
           std::all_of(clients_.begin(), clients_.end(),
                       [](const Client& c) { return c.queue.empty(); });
}

std::size_t L3::in_flight() const {
    std::size_t count = pool_.in_flight();
    for (const BankPlace& bank : banks_)
        count += bank.own ? bank.own->in_flight() : bank.under_way.size();
    return count;
}

bool L3::can_change_timing() const {
    return std::ranges::all_of(banks_, [](const BankPlace& bank) { return bank.own != nullptr; });
}

void L3::change_timing() {
    for (const BankPlace& bank : banks_)
        if (bank.own && env_.timed())
            bank.own->read_again();
        else if (bank.own)
            bank.own->write_back();
}

std::uint64_t L3::dirty_lines() const {
    std::uint64_t lines = 0;
    for (const BankPlace& bank : banks_)
        if (bank.own) lines += bank.own->core.dirty_lines();
    return lines;
}

// Adds up the groups of address bits above, so that power-of-two strides spread as well. Within a
// group of as many neighbouring lines as there are banks every bank still occurs once.
std::uint64_t L3::folded(std::uint64_t line) const {
    std::uint64_t sum = line;
    if (banks_.size() > 1)
        for (std::uint64_t above = bank_count_.quotient(line); above;
             above = bank_count_.quotient(above))
            sum += above;
    return sum;
}

void L3::check_client(const MemoryAttributes& a, const Payload& payload) const {
    const bool lanes = a.operation == MemoryAttributes::Operation::Lanes;
    const bool write = lanes ? a.lanes.kind != LaneAccess::Kind::Read : payload.is_write();
    GEN9_CHECK(is_client(destination_of(a.space, a.requester), a.requester, write),
               std::string(name()) + ": a request of one who is no client of its destination");
}

void L3::decode_client(Payload& payload, Request& request) const {
    const auto& a = attributes_of(payload);
    if (a.requester != Requester::DataPort) check_client(a, payload);
    decode(payload, request, name(), fetch_writes_);
    if (request.bypass) return;
    request.bypass = registers_.uncached(a.mocs) || (request.atomic && !registers_.atomics_in_l3());
    // So that the bank knows, whichever model it is.
    if (auto* attributes = request.bypass ? find_attributes(payload) : nullptr)
        attributes->uncached = true;
}

// ---- blocking and debug access ----

void L3::blocking(Payload& payload, sc_core::sc_time& delay) {
    const auto& a = attributes_of(payload);
    if (a.operation == MemoryAttributes::Operation::Control) {
        control(a, delay);
        payload.set_response_status(tlm::TLM_OK_RESPONSE);
        return;
    }
    if (a.space == AddressSpace::Urb) return blocking_urb(payload, delay);
    const bool lanes = a.operation == MemoryAttributes::Operation::Lanes;
    if (!env_.timed()) {
        return bank_out[0]->b_transport(payload, delay);
    }
    if (!lanes && payload.get_streaming_width() < payload.get_data_length())
        return refuse(payload, tlm::TLM_BURST_ERROR_RESPONSE);
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    // Lines follow each other by a cycle; each may have to be fetched.
    sc_core::sc_time issue = delay, slowest = delay;
    const unsigned length = lanes ? 1 : payload.get_data_length();
    for (unsigned done = 0; done < length;) {
        const auto room =
            static_cast<unsigned>(kLineBytes - (payload.get_address() + done) % kLineBytes);
        const unsigned count = std::min(length - done, room);
        sc_core::sc_time end = issue;
        blocking_line(payload, done, count, end);
        slowest = std::max(slowest, end);
        issue += clock_.period();
        done += count;
    }
    delay = slowest + clock_.time(Cycles(params.request_cycles + params.return_cycles));
}

void L3::blocking_urb(Payload& payload, sc_core::sc_time& delay) {
    check_client(attributes_of(payload), payload);
    perform_urb(payload, attributes_of(payload));
    if (!env_.timed()) return;
    // A line a cycle. What is written is done when the last one is in its bank's queue (L3-60).
    const std::uint64_t lines =
        (payload.get_address() % kLineBytes + payload.get_data_length() + kLineBytes - 1) /
        kLineBytes;
    const std::uint64_t bank_cycles = payload.is_write() ? 0 : params.bank_cycles;
    delay += clock_.time(Cycles(params.request_cycles + bank_cycles + params.return_cycles +
                                std::max<std::uint64_t>(lines, 1) - 1));
}

void L3::perform_urb(Payload& payload, const MemoryAttributes& attributes) {
    if (attributes.operation == MemoryAttributes::Operation::Lanes)
        urb_.perform(payload.get_address(), find_attributes(payload)->lanes);
    else if (payload.is_write())
        urb_.write(payload.get_address(), {payload.get_data_ptr(), payload.get_data_length()},
                   {payload.get_byte_enable_ptr(),
                    payload.get_byte_enable_ptr() ? payload.get_byte_enable_length() : 0});
    else
        urb_.read(payload.get_address(), {payload.get_data_ptr(), payload.get_data_length()});
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
}

/// A transaction of the L3's own for `length` bytes of another, or for its lanes.
MemoryTransaction& L3::part_of(const Payload& payload, unsigned offset, unsigned length) {
    const auto& a = attributes_of(payload);
    MemoryTransaction& part = *pool_.get();
    part.access(payload.get_command(), payload.get_address() + offset, length);
    part.attributes.derive(a);
    part.attributes.operation = a.operation;
    if (a.operation == MemoryAttributes::Operation::Lanes)
        part.attributes.lanes = a.lanes;
    else
        part.set_data_ptr(payload.get_data_ptr() + offset);
    return part;
}

void L3::blocking_line(Payload& payload, unsigned offset, unsigned length,
                       sc_core::sc_time& delay) {
    MemoryTransaction& part = part_of(payload, offset, length);
    if (payload.is_write() && payload.get_byte_enable_ptr() && payload.get_byte_enable_length()) {
        std::generate_n(part.enables, length, [&, i = offset]() mutable {
            return payload.get_byte_enable_ptr()[i++ % payload.get_byte_enable_length()];
        });
        part.set_byte_enable_ptr(part.enables);
        part.set_byte_enable_length(length);
    }
    Request request;
    decode_client(part, request);
    bank_out[bank_of(request.key)]->b_transport(part, delay);
    if (request.access.lanes) find_attributes(payload)->lanes.result = part.attributes.lanes.result;
    if (part.is_response_error()) payload.set_response_status(part.get_response_status());
    part.release();
}

unsigned L3::debug(Payload& payload) {
    const auto& a = attributes_of(payload);
    if (a.space == AddressSpace::Urb) {
        perform_urb(payload, a);
        return payload.get_data_length();
    }
    if (!env_.timed()) return bank_out[0]->transport_dbg(payload);
    unsigned at = 0;
    while (at < payload.get_data_length()) {
        const std::uint64_t address = payload.get_address() + at;
        const unsigned count = std::min(payload.get_data_length() - at,
                                        static_cast<unsigned>(kLineBytes - address % kLineBytes));
        MemoryTransaction& part = part_of(payload, at, count);
        const unsigned done = bank_out[bank_of(LineKey(a.space, address))]->transport_dbg(part);
        part.release();
        at += done;
        if (done != count) break;
    }
    return at;
}

void L3::take_back(std::uint64_t start, std::uint64_t end) {
    for (auto& socket : mem_in)
        socket->invalidate_direct_mem_ptr(start, end);
}

bool L3::grant_urb(tlm::tlm_dmi& dmi) {
    if (urb_.size() == 0) return false;
    dmi.allow_read_write();
    dmi.set_dmi_ptr(urb_.bytes().data());
    dmi.set_start_address(0);
    dmi.set_end_address(urb_.size() - 1);
    return true;
}

// ---- registers ----

void L3::repartition(std::uint32_t value, sc_core::sc_time& delay) {
    if (value == registers_.read(Registers::kL3Cntlreg)) return;
    const Partition ways = partition_of(params, value);
    char text[16];
    std::snprintf(text, sizeof text, "%08x", value);
    // Intel's driver writes the value for a 96-way bank on every product (gpgpu-media-l3
    // guide 3.5), so this is said but fails nothing.
    if (!ways.problem.empty())
        env_.reporter.log(std::string("gen9sim: note: L3CNTLREG ") + text + ": " + ways.problem +
                          "; clamped to what a bank has");
    const std::uint64_t size = urb_.size();
    urb_.set_size(ways.urb_ways, banks_.size());
    if (urb_.size() != size) take_back(0, UrbStore::kMostBytes - 1);
    if (!env_.timed()) {
        for (const BankPlace& bank : banks_)
            if (bank.own && bank.own->core.has_partition()) bank.own->core.set_partition(ways);
        return;
    }
    // Change only after a flush (L3-71). What was not flushed would be lost on hardware.
    if (dirty_lines())
        env_.reporter.guest_error("L3 partition", std::string("L3CNTLREG ") + text,
                                  "changed without a flush: " + std::to_string(dirty_lines()) +
                                      " modified lines are written back first");
    Sweep all;
    all.dropped = kEveryClass;
    all.flush = all.all_nodes = all.coherent = true;
    start_sweep(std::move(all), delay);
    for (const BankPlace& bank : banks_)
        if (bank.own) bank.own->core.set_partition(ways);
}

void L3::write_register(std::uint32_t offset, std::uint32_t value, sc_core::sc_time& delay) {
    char text[16];
    std::snprintf(text, sizeof text, "0x%04X", offset);
    if (const auto lacking = registers_.lacking(offset, value); lacking.id)
        env_.reporter.not_modelled(lacking.id, std::string(lacking.text) + " (" + text + ")");
    if (offset == Registers::kL3Cntlreg) repartition(value, delay);
    registers_.write(offset, value);
    if (offset == Registers::kGlobalInvalidation && value) invalidate_global(delay);
    if (offset != Registers::kL3Sqcreg1) return;
    const std::uint64_t credits = registers_.super_queue_credits();
    if (credits == 0)
        env_.reporter.guest_error("L3 credits", "L3SQCREG1",
                                  "no credits: hardware would stop; one is kept");
    for (const BankPlace& bank : banks_)
        if (bank.own)
            bank.own->limit_super_queue(std::clamp<std::uint64_t>(credits, 1, params.super_queue));
}

// Through the state arbiter: every data line, whatever its tag; the flag is cleared at the end
// (L3-69). Assumed: any bit of the register is such a flag, for its fields are not public.
void L3::invalidate_global(sc_core::sc_time& delay) {
    Sweep sweep;
    sweep.dropped.add(LineClass::Data);
    sweep.flush = sweep.all_nodes = sweep.coherent = true;
    start_sweep(std::move(sweep), delay);
    global_invalidation_ends_ = clock_.after(delay);
}

void L3::access_register(Payload& payload, sc_core::sc_time& delay) {
    if (payload.get_data_length() != 4 || payload.get_address() % 4)
        return refuse(payload, tlm::TLM_BURST_ERROR_RESPONSE);
    const auto offset = static_cast<std::uint32_t>(payload.get_address());
    if (payload.get_address() >> 32 || !Registers::owns(offset))
        return refuse(payload, tlm::TLM_ADDRESS_ERROR_RESPONSE);
    if (payload.is_write()) {
        const auto value = load<std::uint32_t>(payload.get_data_ptr());
        write_register(offset, value, delay);
    } else {
        if (offset == Registers::kGlobalInvalidation && global_invalidation_ends_ <= clock_.now())
            registers_.write(offset, 0);
        store(payload.get_data_ptr(), registers_.read(offset));
    }
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
}

}  // namespace gen9::l3
