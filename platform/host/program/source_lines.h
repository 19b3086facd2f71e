// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "platform/tell/launch_names.h"

namespace gen9::platform {

/// Places of the instructions of a kernel, by offset of the first of each run of instructions.
using SourceLines = std::map<std::uint64_t, SourcePlace>;

/// The place of the instruction at an offset, without its text; line 0 if none is known.
SourcePlace place_at(const SourceLines& lines, std::uint64_t offset);

/// Line tables of a program that was built with -g, by kernel, from the debug data of Intel's
/// driver (CL_PROGRAM_DEBUG_INFO_INTEL): for each kernel an ELF file with DWARF of version 2 to 4.
/// What cannot be read has no lines.
std::map<std::string, SourceLines> find_source_lines(std::span<const std::uint8_t> debug_data);

}  // namespace gen9::platform
