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
/// Threads of the group that were sent before.
inline constexpr packets::Field ResumeThread{"ResumeThread",      1,       15, 8,
                                             packets::Kind::Uint, kAssumed};
/// Behind the command: a bit for each thread, by its FFTID, that was saved and is to be restored.
inline constexpr unsigned kSavedThreads = 15, kSavedThreadDwords = 16;
inline constexpr unsigned kDwords = kSavedThreads + kSavedThreadDwords;
}  // namespace StoppedWalker

}  // namespace gen9
