// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "cs/command/interpreter.h"
#include "cs/registers/registers.h"

namespace gen9::cs {

/// Consecutive (offset, value) pairs of a context image: `count` registers from `offset` on, the
/// first pair at DWord `dword`. Offset 0: pairs without a name, kept as padding.
struct ImageRun {
    std::uint16_t dword;
    std::uint32_t offset;
    std::uint16_t count;
};
/// A load header of the image and the pairs behind it (003:1831-2383).
struct ImageSection {
    const char* name;
    std::uint16_t header_dword;
    std::uint32_t header;
    std::span<const ImageRun> runs;
};
std::span<const ImageSection> image_sections();

/// A stretch of the image that is read or written as a whole.
struct ImageChunk {
    std::uint16_t dword, count;
};
/// The part every submission loads (CS-118), and the rest that every context has: the streamer's
/// own section, memory control, L3, SIP, thread dispatch and media state.
inline constexpr ImageChunk kExeclistChunk{0, 0x51};
inline constexpr ImageChunk kEngineChunks[] = {
    {0x51, 0x20F}, {0x381, 3}, {0x3B1, 0x3D}, {0x1670, 23}};
/// The place of a walker that was stopped (PRE-05). Assumed: the first of the thread spawner's
/// sections, whose registers have no public names.
inline constexpr ImageChunk kWalkerChunk{0x1420, 31};
/// State commands of the 3D pipe and the sampler (CS-108, CS-109, CS-111, CS-112), which only the
/// images of contexts that have given some of the chunk hold. `looks`: DWords of the sampler's that
/// a load reads to find out. Assumed: those of the 3D pipe, where it is 0, are loaded and saved
/// within the fixed time of a switch.
struct StateChunk : ImageChunk {
    std::uint16_t looks = 0;
};
inline constexpr StateChunk kStateChunks[] = {{{0x260, 0xBC}},    // SVG
                                              {{0x320, 0x61}},    // SVL
                                              {{0x384, 9}},       // SVL, behind STATE_SIP
                                              {{0x3FA, 0x29}},    // WM
                                              {{0x43C, 18}, 18},  // SC
                                              {{0x451, 257}, 1},  // DM
                                              {{0x553, 257}, 1}, {{0x661, 0x49}},  // SOL
                                              {{0x6AD, 0x21E}},                    // VF
                                              {{0x962, 5}}};
inline constexpr std::uint32_t kImageDwords = 0x1690;
/// The beginning of the register state, behind the per-process status page (CS-135).
inline constexpr std::uint32_t kImageOffsetBytes = 0x1000;
inline constexpr std::uint32_t kImageTailBytes = 0x1000 + 7 * 4;  ///< value of RING_TAIL (CS-136)

/// The image that a save writes.
/// Role     the register file keeps its registers up to date in it; commands are put into it when
///          it is built. It is valid within the chunks.
class ContextImage {
  public:
    /// `registers` must not be written any more when this is gone.
    explicit ContextImage(RegisterFile& registers);
    ContextImage(const ContextImage&) = delete;
    ContextImage& operator=(const ContextImage&) = delete;

    /// Returns the name of a command for which the image has too little room, or null.
    /// `streamer_on`: MI_RS_CONTROL is part of it (CS-105).
    const char* build(const ContextCommands& commands, const StateStore& state, bool streamer_on);
    std::span<const std::uint32_t> chunk(ImageChunk chunk) const {
        return std::span(words_).subspan(chunk.dword, chunk.count);
    }
    /// Has a command been put into it?
    bool has_command(ImageChunk chunk) const;

  private:
    void put(unsigned dword, std::span<const std::uint32_t> command);

    RegisterFile& registers_;
    std::vector<std::uint32_t> words_;
    std::vector<ImageChunk> commands_;                ///< where they are
    std::vector<std::uint16_t> unnamed_, elsewhere_;  ///< pairs that the file does not keep
};

}  // namespace gen9::cs
