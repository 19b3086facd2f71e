// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "packets/media.h"

namespace gen9 {

/// The modified GPGPU_WALKER of 003:17013, which goes on at a group. Z has one field for start and
/// resume. Assumed: X and Y use the DWords that the command leaves out beside their starts, and a
/// bit that is reserved in its header says so; a batch cannot set it.
namespace StoppedWalker {
inline constexpr const char* kAssumed = "Assumed: reserved in GPGPU_WALKER";
inline constexpr packets::Field Resumes{"Resumes", 0, 9, 9, packets::Kind::Bool, kAssumed};
inline constexpr packets::Field ResumeX{"ResumeX", 6, 31, 0, packets::Kind::Uint, kAssumed};
inline constexpr packets::Field ResumeY{"ResumeY", 9, 31, 0, packets::Kind::Uint, kAssumed};
}  // namespace StoppedWalker

}  // namespace gen9
