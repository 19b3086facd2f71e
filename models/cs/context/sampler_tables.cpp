// SPDX-License-Identifier: Apache-2.0
#include "cs/context/sampler_tables.h"

#include <algorithm>

#include "packets/sampler_tables.h"

namespace gen9::cs {

SamplerTables read_sampler_tables(const StageState& block) {
    static const packets::CommandRow* const palettes[] = {
        &packets::command_named("3DSTATE_SAMPLER_PALETTE_LOAD0"),
        &packets::command_named("3DSTATE_SAMPLER_PALETTE_LOAD1")};
    static const packets::CommandRow& chroma_key = packets::command_named("3DSTATE_CHROMA_KEY");
    static const packets::CommandRow& filter_size =
        packets::command_of(packets::Command::MONOFILTER_SIZE);
    namespace key = packets::CHROMA_KEY;
    namespace mono = packets::MONOFILTER_SIZE;
    SamplerTables out;
    for (unsigned n = 0; n < out.palettes.size(); ++n)
        if (const auto given = block.command(*palettes[n]); !given.empty())
            std::ranges::copy(given.subspan(1), out.palettes[n].begin());
    for (unsigned n = 0; n < out.keys.size(); ++n) {
        const auto given = block.command(chroma_key, n);
        out.keys[n] = {static_cast<std::uint32_t>(key::ChromaKeyLowValue.get(given)),
                       static_cast<std::uint32_t>(key::ChromaKeyHighValue.get(given))};
    }
    if (const auto given = block.command(filter_size); !given.empty()) {
        out.filter_width = static_cast<std::uint8_t>(mono::MonochromeFilterWidth.get(given));
        out.filter_height = static_cast<std::uint8_t>(mono::MonochromeFilterHeight.get(given));
    }
    return out;
}

}  // namespace gen9::cs
