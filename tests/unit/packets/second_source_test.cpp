// SPDX-License-Identifier: Apache-2.0
// The tables of commands and of their fields against a second description of them
// (tests/golden/packets).
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "cs/no_effect.h"
#include "packets/commands.h"
#include "packets/draw/pixels.h"
#include "packets/draw/setup.h"
#include "packets/media.h"
#include "packets/media_object.h"
#include "packets/mi.h"
#include "packets/resource_streamer.h"
#include "packets/state.h"
#include "tests/support/covers.h"

namespace gen9::packets {
namespace {

std::vector<std::vector<std::string>> rows_of(const char* name) {
    std::ifstream file(std::string(GEN9_GOLDEN_PACKETS) + "/" + name);
    std::vector<std::vector<std::string>> rows;
    for (std::string line; std::getline(file, line);) {
        if (line.empty() || line[0] == '#') continue;
        std::vector<std::string> cells;
        std::istringstream text(line + ",");
        for (std::string cell; std::getline(text, cell, ',');)
            cells.push_back(cell);
        rows.push_back(cells);
    }
    return rows;
}
std::uint32_t number(const std::string& text) {
    return static_cast<std::uint32_t>(std::strtoul(text.c_str(), nullptr, 0));
}

TEST(SecondSource, EveryHeaderAndLengthIsTheDescriptions) {
    GEN9_COVERS("CS-148");
    std::set<std::string> described;
    const auto rows = rows_of("commands.csv");
    ASSERT_GT(rows.size(), 130u);
    for (const auto& cells : rows) {
        const std::uint32_t header = number(cells[0]), usual = number(cells[3]);
        const CommandRow* row = find_command(header);
        ASSERT_NE(row, nullptr) << cells[1];
        EXPECT_EQ(row->name, cells[1]);
        EXPECT_EQ(row->value, header) << cells[1];
        EXPECT_EQ(static_cast<unsigned>(row->length), number(cells[2])) << cells[1];
        if (usual != 0) {
            EXPECT_LE(row->minimum_dwords, usual) << cells[1];
            EXPECT_EQ(row->dwords(header | (usual >= 2 ? usual - 2 : 0)), usual) << cells[1];
        }
        described.insert(row->name);
    }
    // The rest has another source: the seed's list (003:2660-2804) and its text.
    const std::set<std::string> seed = {"MI_FLUSH", "MEDIA_POOL_STATE", "3DSTATE_VF_HASHING",
                                        "3DSTATE_INT", "3DSTATE_DX9_CONSTANT_BUFFER_POOL_ALLOC"};
    for (const CommandRow& row : command_rows()) {
        const std::string name = row.name;
        const bool dx9 = name.rfind("3DSTATE_DX9_", 0) == 0;
        EXPECT_TRUE(described.contains(name) || dx9 || seed.contains(name)) << name;
    }
}

const Structure* structure_of(const std::string& name) {
    for (const Structure* structure : {&MEDIA_VFE_STATE::kStructure,
                                       &MEDIA_CURBE_LOAD::kStructure,
                                       &MEDIA_INTERFACE_DESCRIPTOR_LOAD::kStructure,
                                       &MEDIA_STATE_FLUSH::kStructure,
                                       &GPGPU_WALKER::kStructure,
                                       &MEDIA_OBJECT::kStructure,
                                       &MEDIA_OBJECT_GRPID::kStructure,
                                       &MEDIA_OBJECT_PRT::kStructure,
                                       &MEDIA_OBJECT_WALKER::kStructure,
                                       &PIPE_CONTROL::kStructure,
                                       &PIPELINE_SELECT::kStructure,
                                       &STATE_BASE_ADDRESS::kStructure,
                                       &STATE_SIP::kStructure,
                                       &GPGPU_CSR_BASE_ADDRESS::kStructure,
                                       &MI_NOOP::kStructure,
                                       &MI_SET_PREDICATE::kStructure,
                                       &MI_RS_CONTROL::kStructure,
                                       &MI_RS_CONTEXT::kStructure,
                                       &MI_RS_STORE_DATA_IMM::kStructure,
                                       &MI_ARB_ON_OFF::kStructure,
                                       &MI_PREDICATE::kStructure,
                                       &MI_SET_CONTEXT::kStructure,
                                       &MI_SEMAPHORE_SIGNAL::kStructure,
                                       &MI_TOPOLOGY_FILTER::kStructure,
                                       &MI_SEMAPHORE_WAIT::kStructure,
                                       &MI_STORE_DATA_IMM::kStructure,
                                       &MI_STORE_DATA_INDEX::kStructure,
                                       &MI_LOAD_REGISTER_IMM::kStructure,
                                       &MI_STORE_REGISTER_MEM::kStructure,
                                       &MI_LOAD_REGISTER_MEM::kStructure,
                                       &MI_LOAD_REGISTER_REG::kStructure,
                                       &MI_FLUSH_DW::kStructure,
                                       &MI_COPY_MEM_MEM::kStructure,
                                       &MI_ATOMIC::kStructure,
                                       &MI_BATCH_BUFFER_START::kStructure,
                                       &MI_CONDITIONAL_BATCH_BUFFER_END::kStructure,
                                       &MI_REPORT_PERF_COUNT::kStructure})
        if (name == structure->name) return structure;
    return nullptr;
}

/// Is it data that fills the rest of its command, rather than a field?
bool is_data(const std::string& field) {
    return field[0] == '[' || field.rfind("Data DWord", 0) == 0 ||
           field.rfind("Immediate Data", 0) == 0 || field.rfind("Operand", 0) == 0;
}

// No field of a command that is executed is overlooked: it is in the tables, where it belongs, or
// it is said to have no effect.
TEST(SecondSource, EveryFieldIsKnownOrSaidToHaveNoEffect) {
    unsigned checked = 0;
    for (const auto& cells : rows_of("fields.csv")) {
        const std::string& command = cells[0];
        const CommandRow* row = nullptr;
        for (const CommandRow& candidate : command_rows())
            if (command == candidate.name) row = &candidate;
        ASSERT_NE(row, nullptr) << command;
        const bool not_modelled = row->command == Command::Other && row->latch.unit == Unit::None &&
                                  row->resource == ResourceAction::Ignore &&
                                  cs::no_effects_of(*row).empty();
        if (not_modelled || row->command == Command::MI_SET_CONTEXT || is_data(cells[1])) continue;
        const unsigned dword = number(cells[2]), low = number(cells[3]),
                       high = low + number(cells[4]) - 1;
        bool known = false;
        // MEDIA_OBJECT_GRPID has the fields of MEDIA_OBJECT, and a few of its own.
        const std::string base = command == "MEDIA_OBJECT_GRPID" ? "MEDIA_OBJECT" : command;
        for (const Structure* structure : {structure_of(command), structure_of(base)}) {
            if (!structure) continue;
            for (const Field* field : structure->fields)
                known |= field->dword == dword && field->low == low && field->high == high;
        }
        for (const cs::NoEffect& use : cs::no_effects_of(*row))
            known |= !*use.field || (use.dword == dword && use.low == low && use.high == high);
        EXPECT_TRUE(known) << command << " " << cells[1];
        ++checked;
    }
    EXPECT_GT(checked, 150u);
}

/// A description's name as the tables have it, in small letters; numbers before it come behind it.
std::string plain(const std::string& name) {
    std::string letters, numbers;
    for (const char c : name)
        if (letters.empty() && std::isdigit(static_cast<unsigned char>(c)))
            numbers += c;
        else if (std::isalnum(static_cast<unsigned char>(c)))
            letters += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return letters + numbers;
}

TEST(SecondSource, FieldsOfDrawsStandWhereTheDescriptionHasThem) {
    GEN9_COVERS("CL-02 SF-02 SF-03 SF-19 WM-04 WM-21 PS-01 PS-02 PS-03");
    unsigned checked = 0;
    for (const auto& cells : rows_of("draw_fields.csv")) {
        const Structure* of = nullptr;
        for (const Structure* structure :
             {&STATE_CLIP::kStructure, &STATE_SF::kStructure, &STATE_RASTER::kStructure,
              &STATE_WM::kStructure, &STATE_PS::kStructure, &STATE_PS_EXTRA::kStructure,
              &STATE_PS_BLEND::kStructure, &STATE_MULTISAMPLE::kStructure,
              &STATE_AA_LINE_PARAMETERS::kStructure, &SF_CLIP_VIEWPORT::kStructure})
            if (cells[0] == structure->name) of = structure;
        ASSERT_NE(of, nullptr) << cells[0];
        const unsigned low = number(cells[3]);
        bool found = false;
        for (const Field* field : of->fields)
            found |= plain(field->name) == plain(cells[1]) && field->dword == number(cells[2]) &&
                     field->low == low && field->high == low + number(cells[4]) - 1;
        EXPECT_TRUE(found) << cells[0] << " " << cells[1];
        ++checked;
    }
    EXPECT_EQ(checked, 148u);
}

}  // namespace
}  // namespace gen9::packets
