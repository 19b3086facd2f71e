// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "vme/message/result.h"
#include "vme/picture/patch.h"

namespace gen9::vme {

/// Intra prediction of a check: the best luma mode of three sizes, and the best chroma mode.
/// Role     predicts from the message's neighbours and, inside, from the source's own pixels
///          (nothing is reconstructed), measures, and adds costs
/// Spec     VME-27, VME-28, VME-36..VME-39, VME-46, VME-63; 003:9599-9647; predictions as AVC 8.3.
///          Luma with SAD and shape costs is that of results of parts
/// Assumed  among sizes of equal distortion 16x16 goes before 8x8 and 4x4; of equal modes the lowest
///          number is taken
void predict_luma(const Inputs& in, const Message& message, const Patch& source, Result& result);
void predict_chroma(const Inputs& in, const Message& message, const Patch& source, Result& result);

}  // namespace gen9::vme
