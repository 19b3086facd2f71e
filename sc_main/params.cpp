// SPDX-License-Identifier: Apache-2.0
#include <cstdio>

#include "platform/run/simulation.h"
#include "sc_main/command.h"
#include "sc_main/simulation_options.h"

namespace gen9::program {
namespace {

constexpr const char* kParamsHelp =
    "Lists every parameter of the model, or of one block: its name, value, unit, default, allowed\n"
    "range, what it sets and where its value comes from. Values are those of the machine the "
    "options\n"
    "describe.\n"
    "\n"
    "  gen9sim params eu\n"
    "  gen9sim params --device skl-gt4 --set eu.threads=4 eu\n";

void print_product(const platform::Product& product) {
    std::printf("%s: %s\n", product.name.c_str(), product.sentence.c_str());
    for (const auto& [name, source] : product.sources) {
        const auto key = std::string(name);
        std::printf("  %-22s %s\n", key.c_str(), source.get_string().c_str());
    }
    std::printf("\n");
}

}  // namespace

int params_command(const Arguments& arguments) {
    CommandLine line("params [options] [BLOCK]", kParamsHelp);
    line.take_operand("BLOCK", CommandLine::Operand::Optional);
    add_machine_options(line, true);
    line.group("Output").add_options()("markdown", "as a Markdown table");
    if (!line.parse(arguments)) return kSuccess;
    const bool markdown = line.has("markdown");
    const auto text = platform::parameters_text(read_config(line), markdown, line.operand());
    if (!markdown && line.operand().empty()) print_product(read_product(line));
    std::fputs(text.c_str(), stdout);
    return kSuccess;
}

}  // namespace gen9::program
