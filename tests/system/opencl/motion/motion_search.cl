// SPDX-License-Identifier: Apache-2.0
// Device-side motion estimation; each group is a macroblock.
#pragma OPENCL EXTENSION cl_intel_device_side_avc_motion_estimation : enable
#pragma OPENCL EXTENSION cl_intel_subgroups : enable

#define MOTION __attribute__((reqd_work_group_size(16, 1, 1), intel_reqd_sub_group_size(16)))
#define SAMPLER const sampler_t me = CLK_AVC_ME_INITIALIZE_INTEL
#define MACROBLOCK                                                                       \
    const ushort2 place = (ushort2)(get_group_id(0), get_group_id(1)) * (ushort2)16;     \
    const uint number = get_group_id(0) + get_group_id(1) * get_num_groups(0);           \
    const uint lane = get_sub_group_local_id()

/// What a message returned, for a macroblock: 16 vectors and distortions, then shapes, directions,
/// vectors in use and the best distortion.
typedef struct {
    long vector[16];
    ushort distortion[16];
    uchar major, minor, directions, count;
    ushort best, raw;
} result_t;

MOTION __kernel void search(read_only image2d_t source, read_only image2d_t reference, short2 offset,
                            uint window, uint mask, uint most, uint costs, uint2 table, uint unit,
                            ulong shape_costs, long centre, uint subpixel,
                            __global result_t* results) {
    SAMPLER;
    MACROBLOCK;
    intel_sub_group_avc_ime_payload_t payload =
        intel_sub_group_avc_ime_initialize(place, mask, CLK_AVC_ME_SAD_ADJUST_MODE_NONE_INTEL);
    payload = intel_sub_group_avc_ime_set_single_reference(offset, window, payload);
    payload = intel_sub_group_avc_ime_set_max_motion_vector_count(most, payload);
    if (costs) {
        payload = intel_sub_group_avc_ime_set_motion_vector_cost_function(centre, table,
                                                                          unit, payload);
        payload = intel_sub_group_avc_ime_set_inter_shape_penalty(shape_costs, payload);
    }
    const intel_sub_group_avc_ime_result_t found =
        intel_sub_group_avc_ime_evaluate_with_single_reference(source, reference, me, payload);
    __global result_t* r = results + number;
    const long vectors = intel_sub_group_avc_ime_get_motion_vectors(found);
    r->vector[lane] = vectors;
    r->distortion[lane] = intel_sub_group_avc_ime_get_inter_distortions(found);
    const uchar major = intel_sub_group_avc_ime_get_inter_major_shape(found);
    const uchar minor = intel_sub_group_avc_ime_get_inter_minor_shapes(found);
    const uchar directions = intel_sub_group_avc_ime_get_inter_directions(found);
    if (lane == 0) {
        r->major = major;
        r->minor = minor;
        r->directions = directions;
        r->count = intel_sub_group_avc_ime_get_inter_motion_vector_count(found);
        r->best = intel_sub_group_avc_ime_get_best_inter_distortion(found);
    }
    if (subpixel == 0) return;
    intel_sub_group_avc_ref_payload_t finer = intel_sub_group_avc_fme_initialize(
        place, vectors, major, minor, directions, subpixel, CLK_AVC_ME_SAD_ADJUST_MODE_NONE_INTEL);
    if (costs) {
        finer = intel_sub_group_avc_ref_set_motion_vector_cost_function(centre, table, unit,
                                                                        finer);
        finer = intel_sub_group_avc_ref_set_inter_shape_penalty(shape_costs, finer);
    }
    const intel_sub_group_avc_ref_result_t refined =
        intel_sub_group_avc_ref_evaluate_with_single_reference(source, reference, me, finer);
    r->vector[lane] = intel_sub_group_avc_ref_get_motion_vectors(refined);
    r->distortion[lane] = intel_sub_group_avc_ref_get_inter_distortions(refined);
    if (lane == 0) r->best = intel_sub_group_avc_ref_get_best_inter_distortion(refined);
}

// Two references, then both directions together.
MOTION __kernel void both(read_only image2d_t source, read_only image2d_t forward,
                          read_only image2d_t backward, uint mask, __global result_t* results) {
    SAMPLER;
    MACROBLOCK;
    const intel_sub_group_avc_ime_result_t found =
        intel_sub_group_avc_ime_evaluate_with_dual_reference(
            source, forward, backward, me,
            intel_sub_group_avc_ime_set_dual_reference(
                (short2)(0, 0), (short2)(0, 0), CLK_AVC_ME_SEARCH_WINDOW_EXHAUSTIVE_INTEL,
                intel_sub_group_avc_ime_initialize(place, mask,
                                                   CLK_AVC_ME_SAD_ADJUST_MODE_NONE_INTEL)));
    const intel_sub_group_avc_ref_result_t refined =
        intel_sub_group_avc_ref_evaluate_with_dual_reference(
            source, forward, backward, me,
            intel_sub_group_avc_bme_initialize(
                place, intel_sub_group_avc_ime_get_motion_vectors(found),
                intel_sub_group_avc_ime_get_inter_major_shape(found),
                intel_sub_group_avc_ime_get_inter_minor_shapes(found),
                intel_sub_group_avc_ime_get_inter_directions(found),
                CLK_AVC_ME_SUBPIXEL_MODE_INTEGER_INTEL, CLK_AVC_ME_BIDIR_WEIGHT_HALF_INTEL,
                CLK_AVC_ME_SAD_ADJUST_MODE_NONE_INTEL));
    __global result_t* r = results + number;
    r->vector[lane] = intel_sub_group_avc_ref_get_motion_vectors(refined);
    r->distortion[lane] = intel_sub_group_avc_ref_get_inter_distortions(refined);
    if (lane == 0) {
        r->major = intel_sub_group_avc_ref_get_inter_major_shape(refined);
        r->directions = intel_sub_group_avc_ref_get_inter_directions(refined);
        r->count = intel_sub_group_avc_ref_get_inter_motion_vector_count(refined);
        r->best = intel_sub_group_avc_ref_get_best_inter_distortion(refined);
    }
}

// A skip check of four vectors.
MOTION __kernel void skip(read_only image2d_t source, read_only image2d_t reference,
                          __global const long* vectors, __global result_t* results) {
    SAMPLER;
    MACROBLOCK;
    const intel_sub_group_avc_sic_result_t found =
        intel_sub_group_avc_sic_evaluate_with_single_reference(
            source, reference, me,
            intel_sub_group_avc_sic_configure_skc(
                CLK_AVC_ME_SKIP_BLOCK_PARTITION_8x8_INTEL,
                CLK_AVC_ME_SKIP_BLOCK_8x8_FORWARD_ENABLE_INTEL, vectors[4 * number + (lane & 3)],
                CLK_AVC_ME_BIDIR_WEIGHT_HALF_INTEL, CLK_AVC_ME_SAD_ADJUST_MODE_NONE_INTEL,
                intel_sub_group_avc_sic_initialize(place)));
    __global result_t* r = results + number;
    r->distortion[lane] = intel_sub_group_avc_sic_get_inter_distortions(found);
    if (lane == 0) r->raw = intel_sub_group_avc_sic_get_inter_raw_sads(found);
}

/// The major shapes of a stream, four values each.
typedef struct {
    uint vector[4][4];
    ushort distortion[4][4];
} stream_t;

#define STREAM(VECTORS, DISTORTIONS)              \
    for (uchar shape = 0; shape < 4; ++shape) {   \
        const uint v = VECTORS;                   \
        const ushort d = DISTORTIONS;             \
        if (lane < 4) {                           \
            s->vector[shape][lane] = v;           \
            s->distortion[shape][lane] = d;       \
        }                                         \
    }

// One window's records go into the search of another one.
MOTION __kernel void stream(read_only image2d_t source, read_only image2d_t reference, short2 first,
                            short2 second, __global result_t* results, __global stream_t* streams) {
    SAMPLER;
    MACROBLOCK;
    const uchar majors = 0x70;
#define PAYLOAD(OFFSET)                                                                          \
    intel_sub_group_avc_ime_set_single_reference(                                                \
        OFFSET, CLK_AVC_ME_SEARCH_WINDOW_SMALL_INTEL,                                            \
        intel_sub_group_avc_ime_initialize(place, majors, CLK_AVC_ME_SAD_ADJUST_MODE_NONE_INTEL))
    intel_sub_group_avc_ime_result_single_reference_streamout_t stream =
        intel_sub_group_avc_ime_evaluate_with_single_reference_streamout(source, reference, me,
                                                                         PAYLOAD(first));
    stream = intel_sub_group_avc_ime_evaluate_with_single_reference_streaminout(
        source, reference, me, PAYLOAD(second),
        intel_sub_group_avc_ime_get_single_reference_streamin(stream));
    const intel_sub_group_avc_ime_result_t found =
        intel_sub_group_avc_ime_strip_single_reference_streamout(stream);
    __global result_t* r = results + number;
    __global stream_t* s = streams + number;
    r->vector[lane] = intel_sub_group_avc_ime_get_motion_vectors(found);
    r->distortion[lane] = intel_sub_group_avc_ime_get_inter_distortions(found);
    if (lane == 0) {
        r->major = intel_sub_group_avc_ime_get_inter_major_shape(found);
        r->best = intel_sub_group_avc_ime_get_best_inter_distortion(found);
    }
    STREAM(intel_sub_group_avc_ime_get_streamout_major_shape_motion_vectors(stream, shape),
           intel_sub_group_avc_ime_get_streamout_major_shape_distortions(stream, shape))
}

// The same of two references; the records of forward, then of backward.
MOTION __kernel void stream_both(read_only image2d_t source, read_only image2d_t forward,
                                 read_only image2d_t backward, short2 first, short2 second,
                                 __global result_t* results, __global stream_t* streams) {
    SAMPLER;
    MACROBLOCK;
    const uchar majors = 0x70;
#define PAYLOADS(OFFSET)                                                                         \
    intel_sub_group_avc_ime_set_dual_reference(                                                  \
        OFFSET, OFFSET, CLK_AVC_ME_SEARCH_WINDOW_TINY_INTEL,                                     \
        intel_sub_group_avc_ime_initialize(place, majors, CLK_AVC_ME_SAD_ADJUST_MODE_NONE_INTEL))
    intel_sub_group_avc_ime_result_dual_reference_streamout_t stream =
        intel_sub_group_avc_ime_evaluate_with_dual_reference_streamout(source, forward, backward,
                                                                       me, PAYLOADS(first));
    stream = intel_sub_group_avc_ime_evaluate_with_dual_reference_streaminout(
        source, forward, backward, me, PAYLOADS(second),
        intel_sub_group_avc_ime_get_dual_reference_streamin(stream));
    const intel_sub_group_avc_ime_result_t found =
        intel_sub_group_avc_ime_strip_dual_reference_streamout(stream);
    __global result_t* r = results + number;
    r->vector[lane] = intel_sub_group_avc_ime_get_motion_vectors(found);
    r->distortion[lane] = intel_sub_group_avc_ime_get_inter_distortions(found);
    if (lane == 0) {
        r->major = intel_sub_group_avc_ime_get_inter_major_shape(found);
        r->directions = intel_sub_group_avc_ime_get_inter_directions(found);
        r->best = intel_sub_group_avc_ime_get_best_inter_distortion(found);
    }
    for (uchar direction = 0; direction < 2; ++direction) {
        __global stream_t* s = streams + 2 * number + direction;
        STREAM(intel_sub_group_avc_ime_get_streamout_major_shape_motion_vectors(stream, shape,
                                                                                direction),
               intel_sub_group_avc_ime_get_streamout_major_shape_distortions(stream, shape,
                                                                             direction))
    }
}

// A vector checked in fields: of the source by its lines' parity, of a reference by its own.
MOTION __kernel void fields(read_only image2d_t source, read_only image2d_t reference, uint parity,
                            uint of_reference, uint vector, __global result_t* results) {
    SAMPLER;
    MACROBLOCK;
    intel_sub_group_avc_sic_payload_t payload = intel_sub_group_avc_sic_configure_skc(
        CLK_AVC_ME_SKIP_BLOCK_PARTITION_16x16_INTEL,
        CLK_AVC_ME_SKIP_BLOCK_16x16_FORWARD_ENABLE_INTEL, vector,
        CLK_AVC_ME_BIDIR_WEIGHT_HALF_INTEL, CLK_AVC_ME_SAD_ADJUST_MODE_NONE_INTEL,
        intel_sub_group_avc_sic_initialize(place));
    // Of frames. A call that names the reference also makes it one of the compiler's.
    const ushort whole = intel_sub_group_avc_sic_get_inter_distortions(
        intel_sub_group_avc_sic_evaluate_with_single_reference(source, reference, me, payload));
    payload = intel_sub_group_avc_sic_set_source_interlaced_field_polarity(parity, payload);
    const ushort distortion = intel_sub_group_avc_sic_get_inter_distortions(
        intel_sub_group_avc_sic_evaluate_with_multi_reference(
            source, 0, of_reference ? 0xFF : 0, me, payload));
    if (lane == 0) {
        results[number].raw = whole;
        results[number].best = distortion;
    }
}
