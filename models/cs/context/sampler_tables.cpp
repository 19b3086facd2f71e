// SPDX-License-Identifier: Apache-2.0
#include "cs/context/sampler_tables.h"

#include <algorithm>

#include "cs/context/context_image.h"
#include "packets/sampler_tables.h"

namespace gen9::cs {

namespace {
namespace key = packets::CHROMA_KEY;
namespace mono = packets::MONOFILTER_SIZE;
constexpr auto& kPaletteHeaders = packets::SAMPLER_PALETTE_LOAD::kHeaders;
}  // namespace

std::optional<SamplerTables> apply_sampler_command(const SamplerTables& tables,
                                                   std::span<const std::uint32_t> dwords) {
    SamplerTables out = tables;
    const std::uint32_t command = dwords[0] >> 16;
    const auto value = [&](const packets::Field& field) {
        return static_cast<std::uint32_t>(field.get(dwords));
    };
    if (command == key::kHeader >> 16) {
        out.keys[value(key::ChromaKeyTableIndex)] = {value(key::ChromaKeyLowValue),
                                                     value(key::ChromaKeyHighValue)};
    } else if (command == mono::kHeader >> 16) {
        out.filter_width = static_cast<std::uint8_t>(value(mono::MonochromeFilterWidth));
        out.filter_height = static_cast<std::uint8_t>(value(mono::MonochromeFilterHeight));
        if (!out.filter_width || !out.filter_height) return {};
    } else {
        auto& palette = out.palettes[command == kPaletteHeaders[1] >> 16];
        const auto entries = dwords.subspan(1);
        std::ranges::copy(entries, palette.begin());
    }
    return out;
}

void put_sampler_tables(std::vector<std::uint32_t>& image, const SamplerTables& tables) {
    const auto at = [&](std::size_t dword, std::size_t count) {
        return std::span(image).subspan(dword, count);
    };
    const auto size = at(kSamplerChunk.dword, mono::kStructure.dwords);
    size[0] = mono::kHeader;
    mono::MonochromeFilterWidth.set(size, tables.filter_width);
    mono::MonochromeFilterHeight.set(size, tables.filter_height);
    for (unsigned n = 0; n < tables.keys.size(); ++n) {
        const auto words = at(kSamplerChunk.dword + size.size() + n * key::kStructure.dwords,
                              key::kStructure.dwords);
        words[0] = key::kHeader;
        key::ChromaKeyTableIndex.set(words, n);
        key::ChromaKeyLowValue.set(words, tables.keys[n].low);
        key::ChromaKeyHighValue.set(words, tables.keys[n].high);
    }
    for (unsigned n = 0; n < tables.palettes.size(); ++n) {
        const auto words = at(kPaletteChunks[n].dword, kPaletteChunks[n].count);
        words[0] = kPaletteHeaders[n] | (kPaletteChunks[n].count - 2u);
        std::ranges::copy(tables.palettes[n], words.begin() + 1);
    }
}

}  // namespace gen9::cs
