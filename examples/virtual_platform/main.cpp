// SPDX-License-Identifier: Apache-2.0
// A small system on chip around gen9sim's GPU: a CPU, a RAM, a router.
//
//   virtual_platform CAPTURE.aub [timed|functional] [blocking|own-process]
//
// The CPU submits the captured workload by the GPU's BAR; page tables, commands and buffers are in
// the RAM. Status 0: every submission ended with an interrupt, and RAM holds what the capture
// expects.
#include <gen9sim/gpu_device.h>
#include <cstdio>
#include <string>

#include "cpu.h"
#include "ram.h"
#include "router.h"

namespace {

// Physical addresses of the GPU have 40 bits: the BAR is above, out of its reach.
constexpr std::uint64_t kRamBytes = 1ull << 40, kBar = 1ull << 40;
/// Beyond what captures use.
constexpr std::uint64_t kCpuOwn = 0xFF'0000'0000;

struct Soc : sc_core::sc_module {
    Soc(sc_core::sc_module_name name, const std::string& capture, bool timed, Ram::Style style)
        : sc_module(name),
          cpu("cpu", capture, kBar, kCpuOwn),
          gpu("gpu", {.product = "skl-gt2", .settings = {"gpu.subslices=1"}, .timed = timed}),
          ram("ram", style, sc_core::sc_time(50, sc_core::SC_NS)),
          router("router", 2, {{0, kRamBytes}, {kBar, gen9::GpuDevice::kBarBytes}}) {
        cpu.out.bind(router.in[0]);
        gpu.mem_out.bind(router.in[1]);
        router.out[0].bind(ram.in);
        router.out[1].bind(gpu.bar_in);
        gpu.interrupt_out.bind(interrupt);
        cpu.interrupt_in.bind(interrupt);
    }
    sc_core::sc_signal<bool> interrupt{"interrupt"};
    Cpu cpu;
    gen9::GpuDevice gpu;
    Ram ram;
    Router router;
};

}  // namespace

int sc_main(int argc, char** argv) {
    if (argc < 2) {
        std::fprintf(stderr, "usage: %s CAPTURE.aub [timed|functional] [blocking|own-process]\n",
                     argv[0]);
        return 2;
    }
    const bool timed = argc < 3 || std::string(argv[2]) == "timed";
    const auto style = argc >= 4 && std::string(argv[3]) == "own-process" ? Ram::Style::OwnProcess
                                                                          : Ram::Style::Blocking;
    try {
        Soc soc("soc", argv[1], timed, style);
        while (!soc.cpu.finished && sc_core::sc_time_stamp() < sc_core::sc_time(1, sc_core::SC_SEC))
            sc_core::sc_start(1, sc_core::SC_MS);
        std::printf(
            "%llu submissions, %llu interrupts, %llu checks, %llu mismatches, %llu accesses "
            "of the RAM, %llu of the CPU's own; time %s\n",
            static_cast<unsigned long long>(soc.cpu.submissions),
            static_cast<unsigned long long>(soc.cpu.interrupts),
            static_cast<unsigned long long>(soc.cpu.checks),
            static_cast<unsigned long long>(soc.cpu.mismatches),
            static_cast<unsigned long long>(soc.ram.accesses()),
            static_cast<unsigned long long>(soc.cpu.disturbances),
            sc_core::sc_time_stamp().to_string().c_str());
        if (!soc.cpu.finished) {
            std::fprintf(stderr, "no interrupt: %s\n", soc.gpu.describe_waiting().c_str());
            return 1;
        }
        const bool good = soc.cpu.mismatches == 0 && soc.cpu.checks != 0 &&
                          soc.cpu.interrupts != 0 && soc.cpu.disturbances != 0;
        return good && !soc.gpu.failed() ? 0 : 1;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "virtual_platform: %s\n", error.what());
        return 2;
    }
}
