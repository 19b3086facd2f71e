// SPDX-License-Identifier: Apache-2.0
#include <cinttypes>
#include <cstdio>

#include "isa/text/disassemble.h"
#include "platform/host/aub/aub_player.h"
#include "platform/host/program/device_binary.h"
#include "platform/host/program/kernel_finder.h"
#include "sc_main/command.h"
#include "sc_main/command_line.h"

namespace gen9::program {
namespace {

constexpr const char* kDisasmHelp =
    "Disassembles Gen9 kernels, in the syntax of Intel's iga64. FILE is one of\n"
    "  a device binary written by ocloc (patch tokens or zebin): all its kernels;\n"
    "  an AUB capture, plain or packed with zstd: the kernels its submissions start;\n"
    "  anything else: one kernel heap, as ocloc disasm dumps them.\n"
    "\n"
    "  ocloc compile -file k.cl -device skl && gen9sim disasm k_Gen9core.bin\n";

constexpr std::size_t kMaxFileBytes = 256u << 20;

void print(const platform::KernelText& kernel) {
    std::printf("// kernel%s%s at 0x%" PRIx64 ", %zu bytes\n", kernel.name.empty() ? "" : " ",
                kernel.name.c_str(), kernel.address, kernel.bytes.size());
    std::fputs(isa::disassemble_kernel(kernel.bytes).c_str(), stdout);
}

bool is_capture(const std::string& path) {
    platform::aub::Packet packet;
    try {
        return platform::AubFile(path).next(packet);
    } catch (const platform::AubError&) {
        return false;
    }
}

std::vector<platform::KernelText> kernels_of_capture(const std::string& path) {
    platform::KernelFinder finder;
    platform::AubPlayer player(
        finder, [](const std::string&) {}, platform::AubPlayer::Checks::Skip);
    platform::AubFile file(path);
    player.play(file);
    return finder.kernels();
}

}  // namespace

int disasm_command(const Arguments& arguments) {
    CommandLine line("disasm FILE", kDisasmHelp);
    line.take_operand("FILE");
    if (!line.parse(arguments)) return kSuccess;
    const auto& path = line.operand();
    if (is_capture(path)) {
        const auto kernels = kernels_of_capture(path);
        if (kernels.empty()) throw UserError("'" + path + "' starts no kernels");
        for (const auto& kernel : kernels)
            print(kernel);
        return kSuccess;
    }
    const auto bytes = platform::read_all(path, kMaxFileBytes);
    if (bytes.empty()) throw UserError("'" + path + "' is empty");
    const auto kernels = platform::find_kernels(bytes, path);
    for (const auto& kernel : kernels)
        print(kernel);
    if (kernels.empty()) std::fputs(isa::disassemble_kernel(bytes).c_str(), stdout);
    return kSuccess;
}

}  // namespace gen9::program
