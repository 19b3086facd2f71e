// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "block_motion.h"

/// What a search with checks is asked for: up to eight predictors and eight vectors to check for each
/// macroblock, four of the kernel of both directions.
struct CheckedSearch {
    cl_uint block = 0, subpixel = 0, radius = 0;
    cl_uint penalty = 0, precision = 0;          ///< of vectors
    bool intra = false, parts = false;           ///< parts: vectors are checked by 8x8 block
    int predictor_count = 0, check_count = 0;    ///< of each macroblock
    std::vector<cl_short2> predictors, checked;  ///< in quarter pixels
    std::vector<cl_char> modes;                  ///< directions of checks, by macroblock
    cl_uchar weight = 32;                        ///< of the backward picture, of 64
};

struct CheckedFound {
    std::vector<cl_short2> vectors;
    std::vector<cl_ushort> residuals, checks, intra_residuals;
    std::vector<cl_char> intra_modes;

    CheckedFound(std::size_t macroblocks, cl_uint block)
        : vectors(macroblocks * blocks_of(block)),
          residuals(macroblocks * blocks_of(block)),
          checks(macroblocks * 32),
          intra_residuals(macroblocks * 4),
          intra_modes(macroblocks * 22) {}
};

constexpr cl_uint kIntraFlag = 2, kPartsFlag = 4;

/// The driver's kernel that searches around predictors, checks vectors, and predicts intra.
class CheckedMotion : BuiltInKernel {
  public:
    CheckedMotion() : BuiltInKernel("block_advanced_motion_estimate_check_intel") {}

    CheckedFound run(const motion::Picture& source, const motion::Picture& reference,
                     const CheckedSearch& s) {
        const std::size_t count = macroblocks_of(source);
        CheckedFound found(count, s.block);
        const cl_mem vectors = buffer(found.vectors), residuals = buffer(found.residuals),
                     checks = buffer(found.checks), modes = buffer(found.intra_modes),
                     intra = buffer(found.intra_residuals);
        const cl_short2 counts{
            {static_cast<cl_short>(s.predictor_count), static_cast<cl_short>(s.check_count)}};
        arguments(accelerator(s.block, s.subpixel, s.radius), image(source), image(reference),
                  s.intra ? kIntraFlag : 0, cl_uint{s.parts}, s.penalty, s.precision,
                  buffer(std::vector<cl_short2>(count, counts)), buffer(s.predictors),
                  buffer(s.checked), vectors, modes, residuals, checks, intra);
        enqueue(source);
        read(vectors, found.vectors);
        read(residuals, found.residuals);
        read(checks, found.checks);
        read(modes, found.intra_modes);
        read(intra, found.intra_residuals);
        return found;
    }
};

/// The same with checks in both directions, whose pictures are others than those of the search.
class BothWaysMotion : BuiltInKernel {
  public:
    BothWaysMotion() : BuiltInKernel("block_advanced_motion_estimate_bidirectional_check_intel") {}

    CheckedFound run(const motion::Picture& source, const motion::Picture& reference,
                     const motion::Picture& checked, const motion::Picture& forward,
                     const motion::Picture& backward, const CheckedSearch& s) {
        const std::size_t count = macroblocks_of(source);
        CheckedFound found(count, s.block);
        const cl_mem vectors = buffer(found.vectors), residuals = buffer(found.residuals),
                     checks = buffer(found.checks), modes = buffer(found.intra_modes),
                     intra = buffer(found.intra_residuals);
        const cl_short2 counts{
            {static_cast<cl_short>(s.predictor_count), static_cast<cl_short>(s.check_count)}};
        arguments(accelerator(s.block, s.subpixel, s.radius), image(source), image(reference),
                  image(checked), image(forward), image(backward),
                  (s.intra ? kIntraFlag : 0) | (s.parts ? kPartsFlag : 0), s.penalty, s.precision,
                  counts, s.weight, buffer(std::vector<cl_short2>(count, counts)),
                  buffer(s.predictors), buffer(s.modes), buffer(s.checked), vectors, modes,
                  residuals, checks, intra);
        enqueue(source);
        read(vectors, found.vectors);
        read(residuals, found.residuals);
        read(checks, found.checks);
        read(modes, found.intra_modes);
        read(intra, found.intra_residuals);
        return found;
    }
};
