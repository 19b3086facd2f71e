// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "sampler/format/format.h"

// Decoders of the block formats; each decodes the texels that its sources name.
namespace gen9::sampler {

/// BC1 to BC3: colours are interpolated in 8 bits. `alpha`: the fourth colour of three-colour
/// blocks is transparent.
template <bool alpha, bool srgb>
void bc1(const Source* sources, unsigned count, Texel* texels);
template <bool srgb>
void bc2(const Source* sources, unsigned count, Texel* texels);
template <bool srgb>
void bc3(const Source* sources, unsigned count, Texel* texels);
/// BC4 and BC5: interpolated in float.
template <bool has_sign>
void bc4(const Source* sources, unsigned count, Texel* texels);
template <bool has_sign>
void bc5(const Source* sources, unsigned count, Texel* texels);
template <bool has_sign>
void bc6(const Source* sources, unsigned count, Texel* texels);
template <bool srgb>
void bc7(const Source* sources, unsigned count, Texel* texels);

enum class Etc : std::uint8_t { Etc1, Rgb, Punch, Rgba };
template <Etc kind, bool srgb>
void etc(const Source* sources, unsigned count, Texel* texels);
template <unsigned channels, bool has_sign>
void eac(const Source* sources, unsigned count, Texel* texels);

void fxt1(const Source* sources, unsigned count, Texel* texels);

/// ASTC of two dimensions, low dynamic range; the block's size is the format's.
template <unsigned width, unsigned height, bool srgb>
void astc(const Source* sources, unsigned count, Texel* texels);

}  // namespace gen9::sampler
