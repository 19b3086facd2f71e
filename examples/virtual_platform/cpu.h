// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <tlm_utils/simple_initiator_socket.h>
#include <functional>
#include <random>
#include <string>
#include <systemc>
#include <tlm>

#include <gen9sim/platform/host/aub/aub_player.h>

/// A CPU that drives the GPU, and does something else meanwhile.
/// Role     its driver plays a capture: writes what the capture holds into RAM, entries of the
///          GPU's table and registers by the BAR, waits for the GPU's interrupt after each
///          submission, and checks in RAM what the capture expects. Its second thread writes and
///          reads a part of RAM of its own.
class Cpu : public sc_core::sc_module {
  public:
    tlm_utils::simple_initiator_socket<Cpu> out{"out"};
    sc_core::sc_in<bool> interrupt_in{"interrupt_in"};

    Cpu(sc_core::sc_module_name name, std::string capture, std::uint64_t bar, std::uint64_t own)
        : sc_module(name), capture_(std::move(capture)), bar_(bar), own_(own) {
        SC_HAS_PROCESS(Cpu);
        SC_THREAD(drive);
        SC_THREAD(disturb);
    }

    bool finished = false;
    std::uint64_t checks = 0, mismatches = 0, submissions = 0, interrupts = 0, disturbances = 0;

  private:
    // Registers of the GPU.
    static constexpr std::uint32_t kSubmitPort = 0x2230, kEngineMask = 0x20A8,
                                   kStatusBuffer = 0x2370, kStatusPointer = 0x23A0,
                                   kMaster = 0x44200, kMask = 0x44304, kIdentity = 0x44308,
                                   kEnable = 0x4430C;
    static constexpr std::uint32_t kContextSwitch = 1u << 8, kMasterEnable = 1u << 31;
    static constexpr std::uint32_t kActiveToIdle = 1u << 3, kStatusEntries = 6;
    static constexpr std::uint64_t kTableOffset = 8u << 20;

    /// The player's engine is the GPU behind the bus.
    struct Bus : gen9::platform::Engine {
        explicit Bus(Cpu& cpu) : cpu(cpu) {}
        void write_register(std::uint32_t offset, std::uint32_t value) override {
            cpu.write(cpu.bar_ + offset, value);
            if (offset == kSubmitPort && ++cpu.port_writes_ % 4 == 0) {
                ++cpu.submissions;
                cpu.busy_ = true;
            }
        }
        std::uint32_t read_register(std::uint32_t offset) override {
            return cpu.read(cpu.bar_ + offset);
        }
        void write_gtt(std::uint32_t index, std::uint64_t entry) override {
            cpu.access(tlm::TLM_WRITE_COMMAND, cpu.bar_ + kTableOffset + 8ull * index,
                       reinterpret_cast<std::uint8_t*>(&entry), 8);
        }
        std::uint64_t read_gtt(std::uint32_t index) override {
            std::uint64_t entry = 0;
            cpu.access(tlm::TLM_READ_COMMAND, cpu.bar_ + kTableOffset + 8ull * index,
                       reinterpret_cast<std::uint8_t*>(&entry), 8);
            return entry;
        }
        void write_memory(gen9::PhysAddr address, std::span<const std::uint8_t> bytes) override {
            cpu.access(tlm::TLM_WRITE_COMMAND, address.value,
                       const_cast<std::uint8_t*>(bytes.data()), bytes.size());
        }
        void read_memory(gen9::PhysAddr address, std::span<std::uint8_t> bytes) override {
            cpu.access(tlm::TLM_READ_COMMAND, address.value, bytes.data(), bytes.size());
        }
        void run() override { cpu.wait_until_idle(); }
        bool stopped() const override { return false; }
        Cpu& cpu;
    };

    void drive() {
        write(bar_ + kEngineMask, ~kContextSwitch);
        write(bar_ + kMask, ~kContextSwitch);
        write(bar_ + kEnable, kContextSwitch);
        write(bar_ + kMaster, kMasterEnable);
        gen9::platform::AubFile file(capture_);
        Bus bus(*this);
        gen9::platform::AubPlayer player(
            bus, [](const std::string& text) { std::fprintf(stderr, "cpu: %s\n", text.c_str()); });
        player.play(file);
        checks = player.checks();
        mismatches += player.mismatches() + player.unsupported();
        finished = true;
    }

    /// Serves interrupts until one says that the GPU has become idle.
    void wait_until_idle() {
        while (busy_) {
            if (!interrupt_in.read()) wait(interrupt_in.posedge_event());
            ++interrupts;
            write(bar_ + kMaster, 0);
            const std::uint32_t identity = read(bar_ + kIdentity);
            write(bar_ + kIdentity, identity);
            if (identity & kContextSwitch) read_status();
            write(bar_ + kMaster, kMasterEnable);
            wait(sc_core::SC_ZERO_TIME);  // the line follows
        }
    }
    void read_status() {
        const std::uint32_t last = read(bar_ + kStatusPointer) & 7;
        while (seen_ != last) {
            seen_ = (seen_ + 1) % kStatusEntries;
            if (read(bar_ + kStatusBuffer + 8 * seen_) & kActiveToIdle) busy_ = false;
        }
    }

    void disturb() {
        std::mt19937_64 random(1);
        while (!finished) {
            const std::uint64_t address = own_ + random() % 65536 * 8;
            std::uint64_t value = random(), found = 0;
            auto* const bytes = reinterpret_cast<std::uint8_t*>(&value);
            access(tlm::TLM_WRITE_COMMAND, address, bytes, 8);
            access(tlm::TLM_READ_COMMAND, address, reinterpret_cast<std::uint8_t*>(&found), 8);
            mismatches += found != value;
            ++disturbances;
            wait(sc_core::sc_time(static_cast<double>(100 + random() % 900), sc_core::SC_NS));
        }
    }

    void write(std::uint64_t address, std::uint32_t value) {
        access(tlm::TLM_WRITE_COMMAND, address, reinterpret_cast<std::uint8_t*>(&value), 4);
    }
    std::uint32_t read(std::uint64_t address) {
        std::uint32_t value = 0;
        access(tlm::TLM_READ_COMMAND, address, reinterpret_cast<std::uint8_t*>(&value), 4);
        return value;
    }
    void access(tlm::tlm_command command, std::uint64_t address, std::uint8_t* bytes,
                std::size_t count) {
        tlm::tlm_generic_payload payload;
        payload.set_command(command);
        payload.set_address(address);
        payload.set_data_ptr(bytes);
        payload.set_data_length(static_cast<unsigned>(count));
        payload.set_streaming_width(static_cast<unsigned>(count));
        sc_core::sc_time delay;
        out->b_transport(payload, delay);
        if (payload.is_response_error()) {
            std::fprintf(stderr, "cpu: %s at 0x%llx\n", payload.get_response_string().c_str(),
                         static_cast<unsigned long long>(address));
            ++mismatches;
        }
        wait(delay);
    }

    std::string capture_;
    std::uint64_t bar_, own_;
    std::uint64_t port_writes_ = 0;
    bool busy_ = false;
    std::uint32_t seen_ = 5;  ///< the last status entry that was read: as after reset
};
