// SPDX-License-Identifier: Apache-2.0
#include "tests/litmus/machine.h"
#include "platform/machine/block_models.h"

#include "common/bits.h"
#include "common/check.h"
#include "hdc/module.h"
#include "packets/surface_state.h"

namespace gen9::litmus {
namespace {

constexpr unsigned kBanks = 4;
constexpr std::uint32_t kSlmBytes = 65536;

std::vector<std::string> with_topology(std::vector<std::string> settings) {
    const char* const own[] = {"machine.subslices=3", "machine.eus=2", "machine.l3_banks=4"};
    settings.insert(settings.begin(), std::begin(own), std::end(own));
    return settings;
}

}  // namespace

Machine::Machine(std::vector<std::string> settings, sc_core::sc_module_name module_name)
    : sc_core::sc_module(module_name),
      test_(Timing::Timed, with_topology(std::move(settings))),
      topology_(test_.config, name()),
      clock_(topology_.clock_hz),
      slices_(test_.environment, clock_, topology_, program_),
      l3_("l3", test_.environment, clock_, kClients + savers(), kBanks, 1,
          platform::banks_of(l3_banks_, std::string(this->name()) + ".l3", test_.environment,
                             clock_),
          savers()),
      gti_("gti", test_.environment, clock_, memory_, kBanks),
      llc_(platform::block_models().llc, this->name(), {"llc", test_.environment, clock_},
           {memory_}),
      dram_(platform::block_models().dram, this->name(), {"dram", test_.environment, clock_},
            {memory_}),
      reader_("reader", clock_) {
    test_.config.check_all_used();
    wire();
    map_memory();
    auto state = std::make_shared<PipelineState>();
    state->instruction_base = GpuAddr(kCode);
    state->general_state_size = std::uint64_t{1} << 32;
    // Control state 2, write back everywhere (Linux's table).
    state->stateless_mocs = state->surface_mocs = state->instruction_mocs = 2 << 1;
    state->surface_state_base = GpuAddr(kStates);
    state_ = state;
}

Machine::~Machine() {
    reader_.clear();
}

unsigned Machine::savers() {
    unsigned count = 0;
    for (platform::Subslice& subslice : slices_.front().subslices)
        count += subslice.slm->sockets().save.has_value();
    return count;
}

void Machine::wire() {
    reader_.mem_out.bind(l3_.mem_in[0]);
    for (unsigned bank = 0; bank < kBanks; ++bank) {
        platform::MemoryInitiator* out = &l3_.mem_out(bank);
        if (topology_.jitter_cycles != 0) {
            bank_jitter_.push_back(std::make_unique<platform::Jitter>(
                ("bank_jitter" + std::to_string(bank)).c_str(), clock_, topology_.jitter_cycles,
                topology_.jitter_seed, platform::Jitter::Order::OfLine));
            out->bind(bank_jitter_.back()->mem_in);
            out = &bank_jitter_.back()->mem_out;
        }
        out->bind(gti_.mem_in[bank]);
    }
    gti_.mem_out.bind(llc_->sockets().mem_in);
    llc_->sockets().mem_out.bind(dram_->sockets().mem_in);
    const auto control = [this](auto& target) {
        auto& socket =
            control_out_.emplace_back(("control" + std::to_string(control_out_.size())).c_str());
        socket.bind(target);
    };
    const auto registers = [this](const char* name, auto& target) {
        register_out_.emplace_back(name).bind(target);
    };
    registers("l3_registers", l3_.reg_in);
    registers("gti_registers", gti_.reg_in);
    registers("snoops", l3_.snoop_in);
    control(l3_.control_in);
    control(gti_.control_in);
    unsigned saver = kClients;
    for (unsigned s = 0; s < kSubslices; ++s) {
        platform::Subslice& subslice = this->subslice(s);
        if (const auto save = subslice.slm->sockets().save) {
            register_out_.emplace_back(("save" + std::to_string(s)).c_str()).bind(save->control_in);
            save->mem_out.bind(l3_.mem_in[saver++]);
        }
        subslice.memory_out().bind(l3_.mem_in[1 + 2 * s]);
        subslice.icache->sockets().mem_out.bind(l3_.mem_in[2 + 2 * s]);
        subslice.urb->sockets().mem_out.bind(l3_.mem_in[1 + 2 * kSubslices + s]);
        subslice.sampler->sockets().mem_out.bind(l3_.mem_in[1 + 3 * kSubslices + s]);
        subslice.vme->sockets().mem_out.bind(l3_.mem_in[1 + 4 * kSubslices + s]);
        control(subslice.vme->sockets().control_in);
        control(subslice.sampler->sockets().control_in);
        control(subslice.icache->sockets().control_in);
        control(subslice.hdc->sockets().control_in);
        dynamic_cast<hdc::Hdc&>(*subslice.hdc).set_slm_enabled(true);
        register_out_.emplace_back(("hdc_registers" + std::to_string(s)).c_str())
            .bind(subslice.hdc->sockets().reg_in);
        auto& barrier = barrier_out_.emplace_back(("barrier_out" + std::to_string(s)).c_str());
        barrier.bind(subslice.gateway->sockets().reg_in);
        for (auto& eu : subslice.eus)
            wire_messages(eu->sockets());
    }
    wire_pixels();
}

// Nothing is drawn.
void Machine::wire_pixels() {
    platform::Slice& slice = slices_.front();
    unsigned client = kClients - kPixelClients;
    for (platform::MemoryInitiator* const from :
         {&slice.depth_cache->sockets().mem_out, &slice.ps->sockets().mem_out,
          &slice.render_cache->sockets().mem_out})
        from->bind(l3_.mem_in[client++]);
    for (platform::MemoryTarget* const to :
         {&slice.depth->sockets().control_in, &slice.render_target->sockets().control_in,
          &slice.depth_cache->sockets().control_in, &slice.render_cache->sockets().control_in})
        control_out_.emplace_back(("control" + std::to_string(control_out_.size())).c_str())
            .bind(*to);
    object_out_.bind(slice.raster->sockets().object_in);
    slice.ps->sockets().request_out.bind(request_in_);
}

void Machine::wire_messages(const eu::EuSockets& eu) {
    const std::string index = std::to_string(thread_out_.size());
    auto& thread = thread_out_.emplace_back(("thread_out" + index).c_str());
    thread.bind(eu.dispatch_in);
    thread.on_backward = [this](ThreadDispatch&, tlm::tlm_phase& phase, sc_core::sc_time&) {
        GEN9_CHECK(phase == tlm::BEGIN_RESP, "a thread can only end");
        --running_;
        return tlm::TLM_COMPLETED;
    };
    register_out_.emplace_back(("eu_registers" + index).c_str()).bind(eu.reg_in);
    auto& spawner = spawner_in_.emplace_back(("spawner_in" + index).c_str());
    eu.msg_out[static_cast<unsigned>(MessagePort::Spawner)]->bind(spawner);
    spawner.on_forward = [this, &spawner](Message& message, tlm::tlm_phase&,
                                          sc_core::sc_time& delay) {
        message.status = MessageStatus::Ok;
        for (tlm::tlm_phase phase : {tlm::END_REQ, tlm::BEGIN_RESP}) {
            sc_core::sc_time when = delay + clock_.time(Cycles(test_.environment.notice_cycles));
            spawner->nb_transport_bw(message, phase, when);
        }
        return tlm::TLM_ACCEPTED;
    };
}

// Four levels; both PD tables map the first GB in pages of 2 MB.
void Machine::map_memory() {
    constexpr std::uint64_t kPml4 = 0x1000, kPdp = 0x2000, kPd = 0x3000, kPresent = 3,
                            kLarge = 0x80;
    const auto entry = [this](std::uint64_t table, unsigned index, std::uint64_t value) {
        std::uint8_t bytes[8];
        store(bytes, value);
        GEN9_CHECK(memory_.write(PhysAddr(table + 8 * index), bytes), "page tables are in memory");
    };
    entry(kPml4, 0, kPdp | kPresent);
    for (unsigned gigabyte = 0; gigabyte < 2; ++gigabyte)
        entry(kPdp, gigabyte, kPd | kPresent);
    for (unsigned page = 0; page < 512; ++page)
        entry(kPd, page, std::uint64_t{page} << 21 | kLarge | kPresent);
    gti_.set_page_directories({true, {kPml4, 0, 0, 0}});
}

void Machine::load(std::uint32_t ip, const std::vector<std::uint8_t>& bytes) {
    GEN9_CHECK(memory_.write(PhysAddr(kCode + ip), bytes), "code is in memory");
}

void Machine::bind_texels(std::uint32_t address) {
    namespace state = packets::render_surface_state;
    constexpr std::uint32_t kOffset = 64, kR32Uint = 0x0D7, kRed = 4;
    std::array<std::uint32_t, state::kDwords> surface{};
    state::SurfaceType.set(surface, state::SURFTYPE_BUFFER);
    state::SurfaceFormat.set(surface, kR32Uint);
    state::Width.set(surface, 15);  // 16 elements
    state::SurfacePitch.set(surface, 3);
    state::ShaderChannelSelectRed.set(surface, kRed);
    state::SurfaceBaseAddress.set(surface, address);
    for (unsigned i = 0; i < surface.size(); ++i)
        host_write(kStates + kOffset + 4 * i, surface[i]);
    host_write(kStates, kOffset);
}

bool Machine::quiet() {
    bool idle = running_ == 0 && l3_.idle() && l3_.in_flight() == 0;
    for (unsigned s = 0; s < kSubslices; ++s)
        idle = idle && subslice(s).hdc->idle() && subslice(s).sampler->idle();
    return idle;
}

bool Machine::run(const std::vector<Start>& threads) {
    std::array<std::uint32_t, kSubslices> group{};
    for (const Start& start : threads)
        ++group[start.place.subslice];
    for (unsigned s = 0; s < kSubslices; ++s) {
        // Barrier 0 of the subslice is for all its threads.
        MemoryTransaction* count = pool_.get();
        count->access(tlm::TLM_WRITE_COMMAND, 0, 4);
        store(count->data, group[s]);
        sc_core::sc_time delay;
        barrier_out_[s]->b_transport(*count, delay);
        count->release();
    }
    dispatches_.clear();
    for (const Start& start : threads) {
        ThreadDispatch& dispatch = dispatches_.emplace_back();
        dispatch.sideband.place = {SliceId(0), SubsliceId(start.place.subslice),
                                   EuId(start.place.eu), ThreadSlot(start.place.slot)};
        dispatch.sideband.slm_size = kSlmBytes;
        dispatch.sideband.slm_base = start.slm_subslice * kSlmBytes;
        dispatch.sideband.state = state_;
        dispatch.instruction_pointer = start.ip;
        dispatch.dispatch_mask = 0xFF;
        dispatch.payload_registers = static_cast<std::uint8_t>(start.registers.size());
        for (std::size_t r = 0; r < start.registers.size(); ++r)
            std::memcpy(dispatch.payload[r].bytes, start.registers[r].data(), 32);
        ++running_;
        tlm::tlm_phase phase = tlm::BEGIN_REQ;
        sc_core::sc_time delay = clock_.time(Cycles(test_.environment.notice_cycles + start.later));
        thread_out_[start.place.subslice * kEus + start.place.eu]->nb_transport_fw(dispatch, phase,
                                                                                   delay);
    }
    constexpr unsigned kStep = 2000, kSteps = 500;
    for (unsigned step = 0; step < kSteps; ++step) {
        sc_core::sc_start(clock_.time(Cycles(kStep)));
        if (quiet()) {
            reader_.clear();
            return true;
        }
    }
    return false;
}

void Machine::warm(std::uint32_t address) {
    reader_.block(reader_.read(address / kLineBytes * kLineBytes));
}

void Machine::touch(std::uint32_t address, unsigned later) {
    reader_.send(reader_.read(address / kLineBytes * kLineBytes), now() + later);
}

std::uint32_t Machine::read(std::uint32_t address) {
    MemoryTransaction* transaction = reader_.read(address, 4);
    const unsigned length = reader_.mem_out->transport_dbg(*transaction);
    GEN9_CHECK(length == 4, "the address is mapped");
    const auto value = gen9::load<std::uint32_t>(transaction->data);
    transaction->release();
    return value;
}

void Machine::host_write(std::uint32_t address, std::uint32_t value) {
    std::uint8_t bytes[4];
    store(bytes, value);
    GEN9_CHECK(memory_.write(PhysAddr(address % kAlias), bytes), "the address is in memory");
}

std::uint32_t Machine::host_read(std::uint32_t address) const {
    std::uint8_t bytes[4];
    GEN9_CHECK(memory_.read(PhysAddr(address % kAlias), bytes), "the address is in memory");
    return gen9::load<std::uint32_t>(bytes);
}

void Machine::control(const CacheControl& control) {
    for (auto& socket : control_out_) {
        MemoryTransaction* transaction = pool_.get();
        transaction->set_command(tlm::TLM_IGNORE_COMMAND);
        transaction->attributes.operation = MemoryAttributes::Operation::Control;
        transaction->attributes.control = control;
        sc_core::sc_time delay;
        socket->b_transport(*transaction, delay);
        transaction->release();
    }
}

}  // namespace gen9::litmus
