// SPDX-License-Identifier: Apache-2.0
#include "formats/format.h"

#include <algorithm>
#include <iterator>

namespace gen9::formats {

namespace {

constexpr Kind kind_of(std::string_view word) {
    constexpr struct {
        std::string_view word;
        Kind kind;
    } kWords[] = {{"un", Kind::Unorm},   {"sn", Kind::Snorm},  {"ui", Kind::Uint},
                  {"si", Kind::Sint},    {"f", Kind::Float},   {"uf", Kind::Ufloat},
                  {"se", Kind::Shared},  {"sr", Kind::Srgb},   {"us", Kind::Uscaled},
                  {"ss", Kind::Sscaled}, {"fx", Kind::Sfixed}, {"raw", Kind::Raw}};
    for (const auto& row : kWords)
        if (row.word == word) return row.kind;
    return Kind::None;
}

}  // namespace

constexpr Format::Format(std::uint16_t code_, const char* name_, std::uint16_t bits_,
                         std::string_view layout, unsigned uses_, Coding coding_,
                         std::uint8_t block_width_, std::uint8_t block_height_)
    : code(code_),
      name(name_),
      bits(bits_),
      block_width(block_width_),
      block_height(block_height_),
      coding(coding_),
      uses(static_cast<std::uint16_t>(uses_)) {
    const auto word = [&layout] {
        const std::string_view first = layout.substr(0, layout.find(' '));
        layout.remove_prefix(std::min(layout.size(), first.size() + 1));
        return first;
    };
    for (unsigned low = 0; !layout.empty();) {
        const std::string_view place = word(), what = word();
        const std::string_view letters = what.substr(0, what.find_first_of("0123456789"));
        unsigned width = 0;
        for (const char digit : what.substr(letters.size()))
            width = 10 * width + static_cast<unsigned>(digit - '0');
        const Field field{kind_of(letters), static_cast<std::uint8_t>(low),
                          static_cast<std::uint8_t>(width)};
        low += width;
        switch (place.front()) {
            case 'X':
                unused = field;
                break;
            case 'P':
            case 'R':
                channel[0] = field;
                break;
            case 'G':
                channel[1] = field;
                break;
            case 'B':
                channel[2] = field;
                break;
            case 'A':
                channel[3] = field;
                break;
            case 'I':
                channel[3] = field;
                [[fallthrough]];
            case 'L':
                channel[0] = channel[1] = channel[2] = field;
        }
    }
}

namespace {

using enum Coding;
constexpr unsigned S = kSample, F = kFilter, Sh = kShadow, K = kChromaKey, T = kRenderTarget,
                   B = kBlend, V = kVertexFetch, O = kStreamOut, P = kVideo, W = kTypedWrite,
                   R = kTypedRead, C = kCompress;

// clang-format off
/// Codes: 004:919-1173. Places and uses: Public: mesa isl format layouts and isl_format.c; where the
/// PRM's tables of sampler and render target list more (003:3576-3754, 003:7626-7684), theirs.
constexpr Format kFormats[] = {
    {0x000, "R32G32B32A32_FLOAT", 128, "R f32 G f32 B f32 A f32", S | F | T | B | V | O | W | R | C},
    {0x001, "R32G32B32A32_SINT", 128, "R si32 G si32 B si32 A si32", S | T | V | O | W | R | C},
    {0x002, "R32G32B32A32_UINT", 128, "R ui32 G ui32 B ui32 A ui32", S | T | V | O | W | R | C},
    {0x003, "R32G32B32A32_UNORM", 128, "R un32 G un32 B un32 A un32", V},
    {0x004, "R32G32B32A32_SNORM", 128, "R sn32 G sn32 B sn32 A sn32", V},
    {0x005, "R64G64_FLOAT", 128, "R f64 G f64", V},
    {0x006, "R32G32B32X32_FLOAT", 128, "R f32 G f32 B f32 X 32", S | F},
    {0x007, "R32G32B32A32_SSCALED", 128, "R ss32 G ss32 B ss32 A ss32", V},
    {0x008, "R32G32B32A32_USCALED", 128, "R us32 G us32 B us32 A us32", V},
    {0x020, "R32G32B32A32_SFIXED", 128, "R fx32 G fx32 B fx32 A fx32", V},
    {0x021, "R64G64_PASSTHRU", 128, "R raw64 G raw64", V},
    {0x040, "R32G32B32_FLOAT", 96, "R f32 G f32 B f32", S | F | V | O},
    {0x041, "R32G32B32_SINT", 96, "R si32 G si32 B si32", S | V | O},
    {0x042, "R32G32B32_UINT", 96, "R ui32 G ui32 B ui32", S | V | O},
    {0x043, "R32G32B32_UNORM", 96, "R un32 G un32 B un32", V},
    {0x044, "R32G32B32_SNORM", 96, "R sn32 G sn32 B sn32", V},
    {0x045, "R32G32B32_SSCALED", 96, "R ss32 G ss32 B ss32", V},
    {0x046, "R32G32B32_USCALED", 96, "R us32 G us32 B us32", V},
    {0x050, "R32G32B32_SFIXED", 96, "R fx32 G fx32 B fx32", V},
    {0x080, "R16G16B16A16_UNORM", 64, "R un16 G un16 B un16 A un16", S | F | T | B | V | P | W | C},
    {0x081, "R16G16B16A16_SNORM", 64, "R sn16 G sn16 B sn16 A sn16", S | F | T | B | V | W | C},
    {0x082, "R16G16B16A16_SINT", 64, "R si16 G si16 B si16 A si16", S | T | V | W | R | C},
    {0x083, "R16G16B16A16_UINT", 64, "R ui16 G ui16 B ui16 A ui16", S | T | V | W | R | C},
    {0x084, "R16G16B16A16_FLOAT", 64, "R f16 G f16 B f16 A f16", S | F | T | B | V | W | R | C},
    {0x085, "R32G32_FLOAT", 64, "R f32 G f32", S | F | T | B | V | O | W | R | C},
    {0x086, "R32G32_SINT", 64, "R si32 G si32", S | T | V | O | W | R | C},
    {0x087, "R32G32_UINT", 64, "R ui32 G ui32", S | T | V | O | W | R | C},
    {0x088, "R32_FLOAT_X8X24_TYPELESS", 64, "R f32 X 32", S | F | Sh},
    {0x089, "X32_TYPELESS_G8X24_UINT", 64, "X 32 G ui8 X 24", S},
    {0x08A, "L32A32_FLOAT", 64, "L f32 A f32", S | F},
    {0x08B, "R32G32_UNORM", 64, "R un32 G un32", V},
    {0x08C, "R32G32_SNORM", 64, "R sn32 G sn32", V},
    {0x08D, "R64_FLOAT", 64, "R f64", V},
    {0x08E, "R16G16B16X16_UNORM", 64, "R un16 G un16 B un16 X 16", S | F},
    {0x08F, "R16G16B16X16_FLOAT", 64, "R f16 G f16 B f16 X 16", S | F | T | B | C},
    {0x090, "A32X32_FLOAT", 64, "A f32 X 32", S | F},
    {0x091, "L32X32_FLOAT", 64, "L f32 X 32", S | F},
    {0x092, "I32X32_FLOAT", 64, "I f32 X 32", S | F},
    {0x093, "R16G16B16A16_SSCALED", 64, "R ss16 G ss16 B ss16 A ss16", V},
    {0x094, "R16G16B16A16_USCALED", 64, "R us16 G us16 B us16 A us16", V},
    {0x095, "R32G32_SSCALED", 64, "R ss32 G ss32", V},
    {0x096, "R32G32_USCALED", 64, "R us32 G us32", V},
    {0x097, "R32G32_FLOAT_LD", 64, "R f32 G f32", S | F | T | B | V | O},
    {0x0A0, "R32G32_SFIXED", 64, "R fx32 G fx32", V},
    {0x0A1, "R64_PASSTHRU", 64, "R raw64", V},
    {0x0C0, "B8G8R8A8_UNORM", 32, "B un8 G un8 R un8 A un8", S | F | K | T | B | V | P | W | C},
    {0x0C1, "B8G8R8A8_UNORM_SRGB", 32, "B sr8 G sr8 R sr8 A un8", S | F | T | B},
    {0x0C2, "R10G10B10A2_UNORM", 32, "R un10 G un10 B un10 A un2", S | F | T | B | V | P | W},
    {0x0C3, "R10G10B10A2_UNORM_SRGB", 32, "R sr10 G sr10 B sr10 A un2", S | F | P},
    {0x0C4, "R10G10B10A2_UINT", 32, "R ui10 G ui10 B ui10 A ui2", S | T | V | W},
    {0x0C5, "R10G10B10_SNORM_A2_UNORM", 32, "R sn10 G sn10 B sn10 A un2", S | F | V},
    {0x0C7, "R8G8B8A8_UNORM", 32, "R un8 G un8 B un8 A un8", S | F | T | B | V | P | W | C},
    {0x0C8, "R8G8B8A8_UNORM_SRGB", 32, "R sr8 G sr8 B sr8 A un8", S | F | T | B | P},
    {0x0C9, "R8G8B8A8_SNORM", 32, "R sn8 G sn8 B sn8 A sn8", S | F | T | B | V | W | C},
    {0x0CA, "R8G8B8A8_SINT", 32, "R si8 G si8 B si8 A si8", S | T | V | W | R | C},
    {0x0CB, "R8G8B8A8_UINT", 32, "R ui8 G ui8 B ui8 A ui8", S | T | V | W | R | C},
    {0x0CC, "R16G16_UNORM", 32, "R un16 G un16", S | F | T | B | V | W | C},
    {0x0CD, "R16G16_SNORM", 32, "R sn16 G sn16", S | F | T | B | V | W | C},
    {0x0CE, "R16G16_SINT", 32, "R si16 G si16", S | T | V | W | R | C},
    {0x0CF, "R16G16_UINT", 32, "R ui16 G ui16", S | T | V | W | R | C},
    {0x0D0, "R16G16_FLOAT", 32, "R f16 G f16", S | F | T | B | V | W | R | C},
    {0x0D1, "B10G10R10A2_UNORM", 32, "B un10 G un10 R un10 A un2", S | F | T | B | V | P | W},
    {0x0D2, "B10G10R10A2_UNORM_SRGB", 32, "B sr10 G sr10 R sr10 A un2", S | F | T | B | P},
    {0x0D3, "R11G11B10_FLOAT", 32, "R uf11 G uf11 B uf10", S | F | T | B | V | W},
    {0x0D6, "R32_SINT", 32, "R si32", S | T | V | O | W | R | C},
    {0x0D7, "R32_UINT", 32, "R ui32", S | T | V | O | W | R | C},
    {0x0D8, "R32_FLOAT", 32, "R f32", S | F | Sh | T | B | V | O | W | R | C},
    {0x0D9, "R24_UNORM_X8_TYPELESS", 32, "R un24 X 8", S | F | Sh},
    {0x0DA, "X24_TYPELESS_G8_UINT", 32, "X 24 G ui8", S},
    {0x0DD, "L32_UNORM", 32, "L un32", S | F},
    {0x0DE, "A32_UNORM", 32, "A un32", S | F},
    {0x0DF, "L16A16_UNORM", 32, "L un16 A un16", S | F},
    {0x0E0, "I24X8_UNORM", 32, "I un24 X 8", S | F | Sh},
    {0x0E1, "L24X8_UNORM", 32, "L un24 X 8", S | F | Sh},
    {0x0E2, "A24X8_UNORM", 32, "A un24 X 8", S | F | Sh},
    {0x0E3, "I32_FLOAT", 32, "I f32", S | F | Sh},
    {0x0E4, "L32_FLOAT", 32, "L f32", S | F | Sh},
    {0x0E5, "A32_FLOAT", 32, "A f32", S | F | Sh},
    {0x0E6, "X8B8_UNORM_G8R8_SNORM", 32, "X 8 B un8 G sn8 R sn8", 0},
    {0x0E7, "A8X8_UNORM_G8R8_SNORM", 32, "A un8 X 8 G sn8 R sn8", 0},
    {0x0E8, "B8X8_UNORM_G8R8_SNORM", 32, "B un8 X 8 G sn8 R sn8", 0},
    {0x0E9, "B8G8R8X8_UNORM", 32, "B un8 G un8 R un8 X 8", S | F | K | T | B | P | C},
    {0x0EA, "B8G8R8X8_UNORM_SRGB", 32, "B sr8 G sr8 R sr8 X 8", S | F | T | B},
    {0x0EB, "R8G8B8X8_UNORM", 32, "R un8 G un8 B un8 X 8", S | F},
    {0x0EC, "R8G8B8X8_UNORM_SRGB", 32, "R sr8 G sr8 B sr8 X 8", S | F},
    {0x0ED, "R9G9B9E5_SHAREDEXP", 32, "R se9 G se9 B se9 X 5", S | F},
    {0x0EE, "B10G10R10X2_UNORM", 32, "B un10 G un10 R un10 X 2", S | F},
    {0x0F0, "L16A16_FLOAT", 32, "L f16 A f16", S | F},
    {0x0F1, "R32_UNORM", 32, "R un32", V},
    {0x0F2, "R32_SNORM", 32, "R sn32", V},
    {0x0F3, "R10G10B10X2_USCALED", 32, "R us10 G us10 B us10 X 2", V},
    {0x0F4, "R8G8B8A8_SSCALED", 32, "R ss8 G ss8 B ss8 A ss8", V},
    {0x0F5, "R8G8B8A8_USCALED", 32, "R us8 G us8 B us8 A us8", V},
    {0x0F6, "R16G16_SSCALED", 32, "R ss16 G ss16", V},
    {0x0F7, "R16G16_USCALED", 32, "R us16 G us16", V},
    {0x0F8, "R32_SSCALED", 32, "R ss32", V},
    {0x0F9, "R32_USCALED", 32, "R us32", V},
    {0x100, "B5G6R5_UNORM", 16, "B un5 G un6 R un5", S | F | K | T | B | W},
    {0x101, "B5G6R5_UNORM_SRGB", 16, "B sr5 G sr6 R sr5", S | F | T | B},
    {0x102, "B5G5R5A1_UNORM", 16, "B un5 G un5 R un5 A un1", S | F | K | T | B | W},
    {0x103, "B5G5R5A1_UNORM_SRGB", 16, "B sr5 G sr5 R sr5 A un1", S | F | T | B},
    {0x104, "B4G4R4A4_UNORM", 16, "B un4 G un4 R un4 A un4", S | F | K | T | B | W},
    {0x105, "B4G4R4A4_UNORM_SRGB", 16, "B sr4 G sr4 R sr4 A un4", S | F | T | B},
    {0x106, "R8G8_UNORM", 16, "R un8 G un8", S | F | T | B | V | W},
    {0x107, "R8G8_SNORM", 16, "R sn8 G sn8", S | F | K | T | B | V | W},
    {0x108, "R8G8_SINT", 16, "R si8 G si8", S | T | V | W | R},
    {0x109, "R8G8_UINT", 16, "R ui8 G ui8", S | T | V | W | R},
    {0x10A, "R16_UNORM", 16, "R un16", S | F | Sh | T | B | V | P | W},
    {0x10B, "R16_SNORM", 16, "R sn16", S | F | T | B | V | W},
    {0x10C, "R16_SINT", 16, "R si16", S | T | V | W | R},
    {0x10D, "R16_UINT", 16, "R ui16", S | T | V | W | R},
    {0x10E, "R16_FLOAT", 16, "R f16", S | F | T | B | V | W | R},
    {0x10F, "A8P8_UNORM_PALETTE0", 16, "A un8 P un8", S | F, Palette, 1, 1},
    {0x110, "A8P8_UNORM_PALETTE1", 16, "A un8 P un8", S | F, Palette, 1, 1},
    {0x111, "I16_UNORM", 16, "I un16", S | F | Sh},
    {0x112, "L16_UNORM", 16, "L un16", S | F | Sh},
    {0x113, "A16_UNORM", 16, "A un16", S | F | Sh},
    {0x114, "L8A8_UNORM", 16, "L un8 A un8", S | F | K},
    {0x115, "I16_FLOAT", 16, "I f16", S | F | Sh},
    {0x116, "L16_FLOAT", 16, "L f16", S | F | Sh},
    {0x117, "A16_FLOAT", 16, "A f16", S | F | Sh},
    {0x118, "L8A8_UNORM_SRGB", 16, "L sr8 A un8", S | F},
    {0x119, "R5G5_SNORM_B6_UNORM", 16, "R sn5 G sn5 B un6", S | F | K},
    {0x11A, "B5G5R5X1_UNORM", 16, "B un5 G un5 R un5 X 1", S | F | K | T | B | W},
    {0x11B, "B5G5R5X1_UNORM_SRGB", 16, "B sr5 G sr5 R sr5 X 1", S | F | T | B},
    {0x11C, "R8G8_SSCALED", 16, "R ss8 G ss8", V},
    {0x11D, "R8G8_USCALED", 16, "R us8 G us8", V},
    {0x11E, "R16_SSCALED", 16, "R ss16", V},
    {0x11F, "R16_USCALED", 16, "R us16", V},
    {0x122, "P8A8_UNORM_PALETTE0", 16, "P un8 A un8", S | F, Palette, 1, 1},
    {0x123, "P8A8_UNORM_PALETTE1", 16, "P un8 A un8", S | F, Palette, 1, 1},
    {0x124, "A1B5G5R5_UNORM", 16, "A un1 B un5 G un5 R un5", S | F | T},
    {0x125, "A4B4G4R4_UNORM", 16, "A un4 B un4 G un4 R un4", S | F | T},
    {0x126, "L8A8_UINT", 16, "L ui8 A ui8", S},
    {0x127, "L8A8_SINT", 16, "L si8 A si8", S},
    {0x140, "R8_UNORM", 8, "R un8", S | F | K | T | B | V | W},
    {0x141, "R8_SNORM", 8, "R sn8", S | F | T | B | V | W},
    {0x142, "R8_SINT", 8, "R si8", S | T | V | W | R},
    {0x143, "R8_UINT", 8, "R ui8", S | T | V | W | R},
    {0x144, "A8_UNORM", 8, "A un8", S | F | K | T | B | W},
    {0x145, "I8_UNORM", 8, "I un8", S | F},
    {0x146, "L8_UNORM", 8, "L un8", S | F | K},
    {0x147, "P4A4_UNORM_PALETTE0", 8, "P un4 A un4", S | F, Palette, 1, 1},
    {0x148, "A4P4_UNORM_PALETTE0", 8, "A un4 P un4", S | F, Palette, 1, 1},
    {0x149, "R8_SSCALED", 8, "R ss8", V},
    {0x14A, "R8_USCALED", 8, "R us8", V},
    {0x14B, "P8_UNORM_PALETTE0", 8, "P un8", S | F, Palette, 1, 1},
    {0x14C, "L8_UNORM_SRGB", 8, "L sr8", S | F},
    {0x14D, "P8_UNORM_PALETTE1", 8, "P un8", S | F, Palette, 1, 1},
    {0x14E, "P4A4_UNORM_PALETTE1", 8, "P un4 A un4", S | F, Palette, 1, 1},
    {0x14F, "A4P4_UNORM_PALETTE1", 8, "A un4 P un4", S | F, Palette, 1, 1},
    {0x150, "Y8_UNORM", 0, "R un8", 0, Planar, 1, 1},
    {0x152, "L8_UINT", 8, "L ui8", S},
    {0x153, "L8_SINT", 8, "L si8", S},
    {0x154, "I8_UINT", 8, "I ui8", S},
    {0x155, "I8_SINT", 8, "I si8", S},
    {0x180, "DXT1_RGB_SRGB", 64, "R sr G sr B sr", S | F, Dxt1, 4, 4},
    {0x181, "R1_UNORM", 8, "R un1", S | F, Bits, 8, 1},
    {0x182, "YCRCB_NORMAL", 32, "R un8 G un8 B un8", S | F | K | T | P, Packed422, 2, 1},
    {0x183, "YCRCB_SWAPUVY", 32, "R un8 G un8 B un8", S | F | K | T | P, Packed422, 2, 1},
    {0x184, "P2_UNORM_PALETTE0", 8, "P un2", S | F, Palette, 4, 1},
    {0x185, "P2_UNORM_PALETTE1", 8, "P un2", S | F, Palette, 4, 1},
    {0x186, "BC1_UNORM", 64, "R un G un B un A un", S | F | K, Bc1, 4, 4},
    {0x187, "BC2_UNORM", 128, "R un G un B un A un", S | F | K, Bc2, 4, 4},
    {0x188, "BC3_UNORM", 128, "R un G un B un A un", S | F | K, Bc3, 4, 4},
    {0x189, "BC4_UNORM", 64, "R un", S | F, Bc4, 4, 4},
    {0x18A, "BC5_UNORM", 128, "R un G un", S | F, Bc5, 4, 4},
    {0x18B, "BC1_UNORM_SRGB", 64, "R sr G sr B sr A un", S | F, Bc1, 4, 4},
    {0x18C, "BC2_UNORM_SRGB", 128, "R sr G sr B sr A un", S | F, Bc2, 4, 4},
    {0x18D, "BC3_UNORM_SRGB", 128, "R sr G sr B sr A un", S | F, Bc3, 4, 4},
    {0x18E, "MONO8", 8, "I un1", S, Bits, 8, 1},
    {0x18F, "YCRCB_SWAPUV", 32, "R un8 G un8 B un8", S | F | T | P, Packed422, 2, 1},
    {0x190, "YCRCB_SWAPY", 32, "R un8 G un8 B un8", S | F | T | P, Packed422, 2, 1},
    {0x191, "DXT1_RGB", 64, "R un G un B un", S | F, Dxt1, 4, 4},
    {0x192, "FXT1", 128, "R un G un B un A un", S | F, Fxt1, 8, 4},
    {0x193, "R8G8B8_UNORM", 24, "R un8 G un8 B un8", S | F | V},
    {0x194, "R8G8B8_SNORM", 24, "R sn8 G sn8 B sn8", S | F | V},
    {0x195, "R8G8B8_SSCALED", 24, "R ss8 G ss8 B ss8", V},
    {0x196, "R8G8B8_USCALED", 24, "R us8 G us8 B us8", V},
    {0x197, "R64G64B64A64_FLOAT", 256, "R f64 G f64 B f64 A f64", V},
    {0x198, "R64G64B64_FLOAT", 192, "R f64 G f64 B f64", V},
    {0x199, "BC4_SNORM", 64, "R sn", S | F, Bc4, 4, 4},
    {0x19A, "BC5_SNORM", 128, "R sn G sn", S | F, Bc5, 4, 4},
    {0x19B, "R16G16B16_FLOAT", 48, "R f16 G f16 B f16", S | F | V},
    {0x19C, "R16G16B16_UNORM", 48, "R un16 G un16 B un16", S | F | V},
    {0x19D, "R16G16B16_SNORM", 48, "R sn16 G sn16 B sn16", S | F | V},
    {0x19E, "R16G16B16_SSCALED", 48, "R ss16 G ss16 B ss16", V},
    {0x19F, "R16G16B16_USCALED", 48, "R us16 G us16 B us16", V},
    {0x1A1, "BC6H_SF16", 128, "R f G f B f", S | F, Bc6, 4, 4},
    {0x1A2, "BC7_UNORM", 128, "R un G un B un A un", S | F, Bc7, 4, 4},
    {0x1A3, "BC7_UNORM_SRGB", 128, "R sr G sr B sr A un", S | F, Bc7, 4, 4},
    {0x1A4, "BC6H_UF16", 128, "R f G f B f", S | F, Bc6, 4, 4},
    {0x1A5, "PLANAR_420_8", 0, "R un8 G un8 B un8", S | F, Planar, 1, 1},
    {0x1A6, "PLANAR_420_16", 0, "R un16 G un16 B un16", S | F, Planar, 1, 1},
    {0x1A8, "R8G8B8_UNORM_SRGB", 24, "R sr8 G sr8 B sr8", S | F},
    {0x1A9, "ETC1_RGB8", 64, "R un G un B un", S | F, Etc1, 4, 4},
    {0x1AA, "ETC2_RGB8", 64, "R un G un B un", S | F, Etc2, 4, 4},
    {0x1AB, "EAC_R11", 64, "R un", S | F, Eac, 4, 4},
    {0x1AC, "EAC_RG11", 128, "R un G un", S | F, Eac, 4, 4},
    {0x1AD, "EAC_SIGNED_R11", 64, "R sn", S | F, Eac, 4, 4},
    {0x1AE, "EAC_SIGNED_RG11", 128, "R sn G sn", S | F, Eac, 4, 4},
    {0x1AF, "ETC2_SRGB8", 64, "R sr G sr B sr", S | F, Etc2, 4, 4},
    {0x1B0, "R16G16B16_UINT", 48, "R ui16 G ui16 B ui16", S | V},
    {0x1B1, "R16G16B16_SINT", 48, "R si16 G si16 B si16", S | V},
    {0x1B2, "R32_SFIXED", 32, "R fx32", V},
    {0x1B3, "R10G10B10A2_SNORM", 32, "R sn10 G sn10 B sn10 A sn2", V},
    {0x1B4, "R10G10B10A2_USCALED", 32, "R us10 G us10 B us10 A us2", V},
    {0x1B5, "R10G10B10A2_SSCALED", 32, "R ss10 G ss10 B ss10 A ss2", V},
    {0x1B6, "R10G10B10A2_SINT", 32, "R si10 G si10 B si10 A si2", V},
    {0x1B7, "B10G10R10A2_SNORM", 32, "B sn10 G sn10 R sn10 A sn2", V},
    {0x1B8, "B10G10R10A2_USCALED", 32, "B us10 G us10 R us10 A us2", V},
    {0x1B9, "B10G10R10A2_SSCALED", 32, "B ss10 G ss10 R ss10 A ss2", V},
    {0x1BA, "B10G10R10A2_UINT", 32, "B ui10 G ui10 R ui10 A ui2", V},
    {0x1BB, "B10G10R10A2_SINT", 32, "B si10 G si10 R si10 A si2", V},
    {0x1BC, "R64G64B64A64_PASSTHRU", 256, "R raw64 G raw64 B raw64 A raw64", V},
    {0x1BD, "R64G64B64_PASSTHRU", 192, "R raw64 G raw64 B raw64", V},
    {0x1C0, "ETC2_RGB8_PTA", 64, "R un G un B un A un", S | F, Etc2Punch, 4, 4},
    {0x1C1, "ETC2_SRGB8_PTA", 64, "R sr G sr B sr A un", S | F, Etc2Punch, 4, 4},
    {0x1C2, "ETC2_EAC_RGBA8", 128, "R un G un B un A un", S | F, Etc2Eac, 4, 4},
    {0x1C3, "ETC2_EAC_SRGB8_A8", 128, "R sr G sr B sr A un", S | F, Etc2Eac, 4, 4},
    {0x1C8, "R8G8B8_UINT", 24, "R ui8 G ui8 B ui8", S | V},
    {0x1C9, "R8G8B8_SINT", 24, "R si8 G si8 B si8", S | V},
    {0x1FF, "RAW", 0, "", 0, Untyped, 1, 1},
};

/// ASTC codes: bits 5:3 the block's width, 2:0 its height, by these numbers; bit 6 linear instead of
/// sRGB; bit 8 high dynamic range; bit 7, three dimensions, is 0 (SMP-91).
#define GEN9_ASTC_ROWS(select, uses, name, layout)                                                   \
    {0x00 | select, "ASTC_" name("4X4"), 128, layout, uses, Astc, 4, 4},                             \
    {0x08 | select, "ASTC_" name("5X4"), 128, layout, uses, Astc, 5, 4},                             \
    {0x09 | select, "ASTC_" name("5X5"), 128, layout, uses, Astc, 5, 5},                             \
    {0x11 | select, "ASTC_" name("6X5"), 128, layout, uses, Astc, 6, 5},                             \
    {0x12 | select, "ASTC_" name("6X6"), 128, layout, uses, Astc, 6, 6},                             \
    {0x21 | select, "ASTC_" name("8X5"), 128, layout, uses, Astc, 8, 5},                             \
    {0x22 | select, "ASTC_" name("8X6"), 128, layout, uses, Astc, 8, 6},                             \
    {0x24 | select, "ASTC_" name("8X8"), 128, layout, uses, Astc, 8, 8},                             \
    {0x31 | select, "ASTC_" name("10X5"), 128, layout, uses, Astc, 10, 5},                           \
    {0x32 | select, "ASTC_" name("10X6"), 128, layout, uses, Astc, 10, 6},                           \
    {0x34 | select, "ASTC_" name("10X8"), 128, layout, uses, Astc, 10, 8},                           \
    {0x36 | select, "ASTC_" name("10X10"), 128, layout, uses, Astc, 10, 10},                         \
    {0x3E | select, "ASTC_" name("12X10"), 128, layout, uses, Astc, 12, 10},                         \
    {0x3F | select, "ASTC_" name("12X12"), 128, layout, uses, Astc, 12, 12}
#define GEN9_SRGB(size) "LDR_2D_" size "_U8SRGB"
#define GEN9_LINEAR(size) "LDR_2D_" size "_FLT16"
#define GEN9_FULL(size) "FULL_2D_" size "_FLT16"
constexpr Format kAstc[] = {
    GEN9_ASTC_ROWS(0x000, S | F, GEN9_SRGB, "R sr G sr B sr A un"),
    GEN9_ASTC_ROWS(0x040, S | F, GEN9_LINEAR, "R un G un B un A un"),
    GEN9_ASTC_ROWS(0x140, S | F, GEN9_FULL, "R f G f B f A f"),
};
#undef GEN9_ASTC_ROWS
#undef GEN9_SRGB
#undef GEN9_LINEAR
#undef GEN9_FULL

constexpr Format kDepths[] = {
    {1, "D32_FLOAT", 32, "R f32", kDepth},
    {3, "D24_UNORM_X8_UINT", 32, "R un24 X 8", kDepth},
    {5, "D16_UNORM", 16, "R un16", kDepth},
};
constexpr Format kStencil{0, "S8_UINT", 8, "R ui8", kDepth};
// clang-format on

/// Every channel lies inside its element and, but for those of 64 bits, in one DWord of it.
constexpr bool whole(const Format& format) {
    if (format.coding != Plain) return true;
    for (const Field& field : format.channel) {
        if (field.low + field.width > format.bits) return false;
        if (field.width < 64 && field.low % 32 + field.width > 32) return false;
    }
    return true;
}
static_assert(std::ranges::is_sorted(kFormats, {}, &Format::code));
static_assert(std::ranges::is_sorted(kAstc, {}, &Format::code));
static_assert(std::ranges::all_of(kFormats, whole) && std::ranges::all_of(kDepths, whole));

}  // namespace

const Format* find_format(unsigned code, bool astc) {
    const std::span<const Format> rows = astc ? astc_formats() : formats();
    const auto found = std::ranges::lower_bound(rows, code, {}, &Format::code);
    return found != rows.end() && found->code == code ? &*found : nullptr;
}
const Format* find_depth_format(unsigned code) {
    const auto found = std::ranges::find(kDepths, code, &Format::code);
    return found == std::end(kDepths) ? nullptr : &*found;
}
const Format& stencil_format() {
    return kStencil;
}
std::span<const Format> formats() {
    return kFormats;
}
std::span<const Format> astc_formats() {
    return kAstc;
}
std::span<const Format> depth_formats() {
    return kDepths;
}

}  // namespace gen9::formats
