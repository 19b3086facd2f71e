// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <systemc>
#include <tlm>
#include <vector>

namespace gen9 {

/// GpuDevice: the render engine as a part of somebody's virtual platform.
/// Role     one engine with its registers, its table of global graphics addresses and its
///          interrupt; its memory is the platform's.
/// Sockets  bar_in         target     base protocol  BAR 0, 16 MB: registers from 0 (2 MB; 4 bytes
///                                                   each), entries of the global table from 8 MB
///                                                   (8 bytes each); accesses of 4 n bytes at
///                                                   multiples of 4
///          mem_out        initiator  base protocol  physical addresses of the platform, at most 40
///                                                   bits; page tables are read by transport_dbg
///                                                   where the memory has it, else by b_transport
///          interrupt_out  high while an interrupt waits (platform/device/interrupts.h)
/// Timing   timed: mem_out uses the non-blocking base protocol and, for the command streamer,
///          b_transport; functional: b_transport, and direct memory pointers where they are given
/// Not here a second BAR (aperture), PCI configuration space, other engines, LLC and DRAM
///
/// This header needs nothing but SystemC. What is wrong with the options is thrown as a
/// std::runtime_error with one line of text.
class GpuDevice : public sc_core::sc_module {
  public:
    struct Options {
        std::string product = "skl-gt2";
        std::vector<std::string> settings;  ///< "NAME=VALUE", as --set of gen9sim
        bool timed = true;
    };
    static constexpr std::uint64_t kBarBytes = 16u << 20, kRegisterBytes = 2u << 20,
                                   kTableOffset = 8u << 20;

    tlm::tlm_target_socket<32> bar_in{"bar_in"};
    tlm::tlm_initiator_socket<32> mem_out{"mem_out"};
    sc_core::sc_out<bool> interrupt_out{"interrupt_out"};

    explicit GpuDevice(sc_core::sc_module_name name) : GpuDevice(name, Options()) {}
    GpuDevice(sc_core::sc_module_name name, const Options& options);
    ~GpuDevice() override;

    /// Nothing runs and nothing has been submitted.
    bool idle() const;
    /// Has software done what it must not, or asked for what is not modelled? It has been reported.
    bool failed() const;
    /// The waits of a hang, a line each: who waits for what.
    std::string describe_waiting() const;
    /// Every counter, as JSON.
    std::string statistics();

  private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
    void drive_interrupt();
};

}  // namespace gen9
