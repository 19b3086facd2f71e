// SPDX-License-Identifier: Apache-2.0
// The calls that a published video encoder sample makes: a search with costs, a pyramid of three
// levels, luma intra prediction. Each group is a macroblock.
#pragma OPENCL EXTENSION cl_intel_device_side_avc_motion_estimation : enable
#pragma OPENCL EXTENSION cl_intel_subgroups : enable

#define SAMPLER const sampler_t me = CLK_AVC_ME_INITIALIZE_INTEL
#define MACROBLOCK                                                  \
    const ushort2 block = (ushort2)(get_group_id(0), get_group_id(1)); \
    const ushort2 place = block * (ushort2)16;                         \
    const uint number = get_group_id(0) + get_group_id(1) * get_num_groups(0)
#define QP 45

static short2 inside(short2 offset, ushort2 place, read_only image2d_t image) {
    return intel_sub_group_avc_ime_adjust_ref_offset(
        offset, place,
        intel_sub_group_avc_ime_ref_window_size(CLK_AVC_ME_SEARCH_WINDOW_EXHAUSTIVE_INTEL, 0),
        (ushort2)(get_image_width(image), get_image_height(image)));
}

static intel_sub_group_avc_ime_payload_t search_payload(ushort2 place, uchar mask, uint costs,
                                                        short2 offset) {
    intel_sub_group_avc_ime_payload_t payload =
        intel_sub_group_avc_ime_initialize(place, mask, CLK_AVC_ME_SAD_ADJUST_MODE_NONE_INTEL);
    payload = intel_sub_group_avc_ime_set_single_reference(
        offset, CLK_AVC_ME_SEARCH_WINDOW_EXHAUSTIVE_INTEL, payload);
    if (costs) {
        payload = intel_sub_group_avc_ime_set_motion_vector_cost_function(
            0,
            intel_sub_group_avc_mce_get_default_inter_motion_vector_cost_table(
                CLK_AVC_ME_SLICE_TYPE_PRED_INTEL, QP),
            CLK_AVC_ME_COST_PRECISION_QPEL_INTEL, payload);
        payload = intel_sub_group_avc_ime_set_inter_shape_penalty(
            intel_sub_group_avc_mce_get_default_inter_shape_penalty(
                CLK_AVC_ME_SLICE_TYPE_PRED_INTEL, QP),
            payload);
    }
    return payload;
}

// `windows`: 1 at (0,0); 2 another one at the predictor; 9 around (0,0). Each is streamed into the
// next.
__attribute__((reqd_work_group_size(16, 1, 1), intel_reqd_sub_group_size(16))) __kernel void inter(
    read_only image2d_t source, read_only image2d_t reference, __global const short2* predictors,
    uint mask, uint costs, uint windows, __global long* vectors, __global uchar2* shapes,
    __global ushort* best) {
    SAMPLER;
    MACROBLOCK;
    const short2 around[9] = {(short2)(0, 0),     (short2)(0, -24),   (short2)(0, 24),
                              (short2)(-32, 0),   (short2)(32, 0),    (short2)(-32, -24),
                              (short2)(-32, 24),  (short2)(32, -24),  (short2)(32, 24)};
    intel_sub_group_avc_ime_result_t result;
    if (windows == 1) {
        result = intel_sub_group_avc_ime_evaluate_with_single_reference(
            source, reference, me, search_payload(place, mask, costs, (short2)(0, 0)));
    } else {
        intel_sub_group_avc_ime_result_single_reference_streamout_t stream =
            intel_sub_group_avc_ime_evaluate_with_single_reference_streamout(
                source, reference, me,
                search_payload(place, mask, costs, inside((short2)(0, 0), place, source)));
        for (uint i = 1; i < windows; ++i) {
            const short2 offset = windows == 2 ? predictors[number] >> (short2)2 : around[i];
            stream = intel_sub_group_avc_ime_evaluate_with_single_reference_streaminout(
                source, reference, me,
                search_payload(place, mask, costs, inside(offset, place, source)),
                intel_sub_group_avc_ime_get_single_reference_streamin(stream));
        }
        result = intel_sub_group_avc_ime_strip_single_reference_streamout(stream);
    }
    const uchar major = intel_sub_group_avc_ime_get_inter_major_shape(result);
    const uchar minor = intel_sub_group_avc_ime_get_inter_minor_shapes(result);
    intel_sub_group_avc_ref_payload_t payload = intel_sub_group_avc_fme_initialize(
        place, intel_sub_group_avc_ime_get_motion_vectors(result), major, minor,
        intel_sub_group_avc_ime_get_inter_directions(result),
        CLK_AVC_ME_SUBPIXEL_MODE_QPEL_INTEL, CLK_AVC_ME_SAD_ADJUST_MODE_NONE_INTEL);
    if (costs) {
        payload = intel_sub_group_avc_ref_set_motion_vector_cost_function(
            0,
            intel_sub_group_avc_mce_get_default_inter_motion_vector_cost_table(
                CLK_AVC_ME_SLICE_TYPE_PRED_INTEL, QP),
            CLK_AVC_ME_COST_PRECISION_QPEL_INTEL, payload);
        payload = intel_sub_group_avc_ref_set_inter_shape_penalty(
            intel_sub_group_avc_mce_get_default_inter_shape_penalty(
                CLK_AVC_ME_SLICE_TYPE_PRED_INTEL, QP),
            payload);
    }
    const intel_sub_group_avc_ref_result_t refined =
        intel_sub_group_avc_ref_evaluate_with_single_reference(source, reference, me, payload);
    vectors[16 * number + get_sub_group_local_id()] =
        intel_sub_group_avc_ref_get_motion_vectors(refined);
    if (get_sub_group_local_id() == 0) {
        shapes[number] = (uchar2)(major, minor);
        best[number] = intel_sub_group_avc_ref_get_best_inter_distortion(refined);
    }
}

// The compiler leaves parts of a payload undefined whose costs are set without a condition.
static intel_sub_group_avc_ime_payload_t tier_payload(ushort2 place, uchar mask, uint costs,
                                                      uint2 table, short2 offset) {
    intel_sub_group_avc_ime_payload_t payload =
        intel_sub_group_avc_ime_initialize(place, mask, CLK_AVC_ME_SAD_ADJUST_MODE_NONE_INTEL);
    payload = intel_sub_group_avc_ime_set_single_reference(
        offset, CLK_AVC_ME_SEARCH_WINDOW_EXHAUSTIVE_INTEL, payload);
    if (costs)
        payload = intel_sub_group_avc_ime_set_motion_vector_cost_function(
            0, table, CLK_AVC_ME_COST_PRECISION_HPEL_INTEL, payload);
    return payload;
}

// A level of the pyramid: the vectors of the 8x8 blocks are the next level's predictors.
__attribute__((reqd_work_group_size(16, 1, 1), intel_reqd_sub_group_size(16))) __kernel void tier(
    read_only image2d_t source, read_only image2d_t reference, __global const short2* predictors,
    uint mask, uint costs, uint2 table, __global short2* next) {
    SAMPLER;
    MACROBLOCK;
    const short2 first = inside(predictors[number] >> (short2)2, place, source);
    const bool moved = any(predictors[number] >> (short2)2 != (short2)(0, 0));
    intel_sub_group_avc_ime_result_single_reference_streamout_t stream =
        intel_sub_group_avc_ime_evaluate_with_single_reference_streamout(
            source, reference, me, tier_payload(place, mask, costs, table, first));
    for (uint i = 1; i < (moved ? 2u : 1u); ++i)
        stream = intel_sub_group_avc_ime_evaluate_with_single_reference_streaminout(
            source, reference, me,
            tier_payload(place, mask, costs, table, inside((short2)(0, 0), place, source)),
            intel_sub_group_avc_ime_get_single_reference_streamin(stream));
    const intel_sub_group_avc_ime_result_t result =
        intel_sub_group_avc_ime_strip_single_reference_streamout(stream);
    const intel_sub_group_avc_ref_result_t refined =
        intel_sub_group_avc_ref_evaluate_with_single_reference(
            source, reference, me,
            intel_sub_group_avc_fme_initialize(
                place, intel_sub_group_avc_ime_get_motion_vectors(result),
                CLK_AVC_ME_MAJOR_8x8_INTEL, 0, 0, CLK_AVC_ME_SUBPIXEL_MODE_HPEL_INTEL,
                CLK_AVC_ME_SAD_ADJUST_MODE_NONE_INTEL));
    const short2 vector = as_short4(intel_sub_group_avc_ref_get_motion_vectors(refined)).lo;
    const uint lane = get_sub_group_local_id();
    if (lane % 4 == 0) {
        const uint q = lane / 4;
        next[2 * block.x + (q & 1) + (2 * block.y + (q >> 1)) * 2 * get_num_groups(0)] =
            vector * (short2)2;
    }
}

__attribute__((reqd_work_group_size(16, 1, 1), intel_reqd_sub_group_size(16))) __kernel void intra(
    read_only image2d_t source, __global const uchar* pixels, __global uchar* shapes,
    __global ushort* best, __global ulong* modes) {
    SAMPLER;
    MACROBLOCK;
    const int width = get_image_width(source), x = place.x, y = place.y;
    const int lane = get_sub_group_local_id();
    uchar neighbours = 0, left = 0, top = 0, right = 0, corner = 0;
    if (x > 0) {
        neighbours |= CLK_AVC_ME_INTRA_NEIGHBOR_LEFT_MASK_ENABLE_INTEL;
        left = pixels[(y + lane) * width + x - 1];
    }
    if (y > 0) {
        neighbours |= CLK_AVC_ME_INTRA_NEIGHBOR_UPPER_MASK_ENABLE_INTEL;
        top = pixels[(y - 1) * width + x + lane];
        if (x > 0) {
            neighbours |= CLK_AVC_ME_INTRA_NEIGHBOR_UPPER_LEFT_MASK_ENABLE_INTEL;
            corner = pixels[(y - 1) * width + x - 1];
        }
        if (x + 16 < width) {
            neighbours |= CLK_AVC_ME_INTRA_NEIGHBOR_UPPER_RIGHT_MASK_ENABLE_INTEL;
            right = pixels[(y - 1) * width + x + 16 + lane % 8];
        }
    }
    intel_sub_group_avc_sic_payload_t payload = intel_sub_group_avc_sic_configure_ipe(
        CLK_AVC_ME_INTRA_LUMA_PARTITION_MASK_ALL_INTEL, neighbours, left, corner, top, right,
        CLK_AVC_ME_SAD_ADJUST_MODE_NONE_INTEL, intel_sub_group_avc_sic_initialize(place));
    payload = intel_sub_group_avc_sic_set_intra_luma_shape_penalty(
        intel_sub_group_avc_mce_get_default_intra_luma_shape_penalty(
            CLK_AVC_ME_SLICE_TYPE_PRED_INTEL, QP),
        payload);
    const intel_sub_group_avc_sic_result_t result =
        intel_sub_group_avc_sic_evaluate_ipe(source, me, payload);
    if (lane == 0) {
        shapes[number] = intel_sub_group_avc_sic_get_ipe_luma_shape(result);
        best[number] = intel_sub_group_avc_sic_get_best_ipe_luma_distortion(result);
        modes[number] = intel_sub_group_avc_sic_get_packed_ipe_luma_modes(result);
    }
}
