// SPDX-License-Identifier: Apache-2.0
#include "packets/fields.h"

#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "packets/draw/pixels.h"
#include "packets/draw/setup.h"
#include "packets/draw/shaders.h"
#include "packets/draw/stream_out.h"
#include "packets/draw/vf.h"
#include "packets/media.h"
#include "packets/media_object.h"
#include "packets/mi.h"
#include "packets/state.h"
#include "tests/support/covers.h"

namespace gen9::packets {
namespace {

TEST(Fields, TheDriversVfeStateReadsAsWritten) {
    GEN9_COVERS("CS-125");
    const std::uint32_t words[] = {0x70000007, 0x00001000, 0x2,  0x00A70100, 0,
                                   0x07820000, 0,          0x1F, 0};
    EXPECT_EQ(MEDIA_VFE_STATE::MaximumNumberofThreads.get(words), 167u);
    EXPECT_EQ(MEDIA_VFE_STATE::NumberofURBEntries.get(words), 1u);
    EXPECT_EQ(MEDIA_VFE_STATE::URBEntryAllocationSize.get(words), 0x782u);
    EXPECT_EQ(MEDIA_VFE_STATE::ScratchSpaceBasePointer.get(words), 0x2'0000'1000u);
    EXPECT_EQ(static_cast<std::int64_t>(MEDIA_VFE_STATE::Scoreboard0DeltaX.get(words)), -1);
    EXPECT_EQ(MEDIA_VFE_STATE::Scoreboard0DeltaY.get(words), 1u);
}

TEST(Fields, TheDriversWalkerReadsAsWritten) {
    GEN9_COVERS("CS-04");
    const std::uint32_t words[] = {0x7105040D, 3, 0x680, 0xFFFDD000, 0x80020107, 1,          0,   4,
                                   2,          0, 5,     6,          7,          0xFFFFFFFF, 0xFF};
    EXPECT_EQ(GPGPU_WALKER::IndirectParameterEnable.get(words), 1u);
    EXPECT_EQ(GPGPU_WALKER::PredicateEnable.get(words), 0u);
    EXPECT_EQ(GPGPU_WALKER::InterfaceDescriptorOffset.get(words), 3u);
    EXPECT_EQ(GPGPU_WALKER::IndirectDataLength.get(words), 0x680u);
    EXPECT_EQ(GPGPU_WALKER::IndirectDataStartAddress.get(words), 0xFFFDD000u);
    EXPECT_EQ(GPGPU_WALKER::SIMDSize.get(words), 2u);
    EXPECT_EQ(GPGPU_WALKER::ThreadWidthCounterMaximum.get(words), 7u);
    EXPECT_EQ(GPGPU_WALKER::ThreadHeightCounterMaximum.get(words), 1u);
    EXPECT_EQ(GPGPU_WALKER::ThreadDepthCounterMaximum.get(words), 2u);
    EXPECT_EQ(GPGPU_WALKER::ThreadGroupIDStartingX.get(words), 1u);
    EXPECT_EQ(GPGPU_WALKER::ThreadGroupIDXDimension.get(words), 4u);
    EXPECT_EQ(GPGPU_WALKER::ThreadGroupIDYDimension.get(words), 5u);
    EXPECT_EQ(GPGPU_WALKER::ThreadGroupIDStartingResumeZ.get(words), 6u);
    EXPECT_EQ(GPGPU_WALKER::ThreadGroupIDZDimension.get(words), 7u);
    EXPECT_EQ(GPGPU_WALKER::BottomExecutionMask.get(words), 0xFFu);
}

TEST(Fields, DescriptorPointersKeepTheirLowZeros) {
    const std::uint32_t words[] = {0x00001240, 1,          1u << 19,   0x00000124,
                                   0x00000165, 0x00030001, 0x00A10040, 8};
    EXPECT_EQ(INTERFACE_DESCRIPTOR_DATA::KernelStartPointer.get(words), 0x1'0000'1240u);
    EXPECT_EQ(INTERFACE_DESCRIPTOR_DATA::DenormMode.get(words), 1u);
    EXPECT_EQ(INTERFACE_DESCRIPTOR_DATA::SamplerStatePointer.get(words), 0x120u);
    EXPECT_EQ(INTERFACE_DESCRIPTOR_DATA::SamplerCount.get(words), 1u);
    EXPECT_EQ(INTERFACE_DESCRIPTOR_DATA::BindingTablePointer.get(words), 0x160u);
    EXPECT_EQ(INTERFACE_DESCRIPTOR_DATA::BindingTableEntryCount.get(words), 5u);
    EXPECT_EQ(INTERFACE_DESCRIPTOR_DATA::ConstantURBEntryReadLength.get(words), 3u);
    EXPECT_EQ(INTERFACE_DESCRIPTOR_DATA::NumberofThreadsinGPGPUThreadGroup.get(words), 0x40u);
    EXPECT_EQ(INTERFACE_DESCRIPTOR_DATA::SharedLocalMemorySize.get(words), 1u);
    EXPECT_EQ(INTERFACE_DESCRIPTOR_DATA::BarrierEnable.get(words), 1u);
    EXPECT_EQ(INTERFACE_DESCRIPTOR_DATA::RoundingMode.get(words), 2u);
    EXPECT_EQ(INTERFACE_DESCRIPTOR_DATA::CrossThreadConstantDataReadLength.get(words), 8u);
}

TEST(Fields, ShorterFormsReadAsZero) {
    const std::uint32_t words[] = {0x61010010};
    EXPECT_EQ(STATE_BASE_ADDRESS::BindlessSurfaceStateSize.get(words), 0u);
    EXPECT_EQ(STATE_BASE_ADDRESS::GeneralStateBaseAddress.get(words), 0u);
}

/// What is written into a field is read back, and nothing else changes.
void check_round_trip(const Structure& structure) {
    for (const Field* field : structure.fields) {
        std::array<std::uint32_t, 32> words{};
        words.fill(0xA5A5A5A5);
        const auto before = words;
        const unsigned width = field->high - field->low + 1u;
        const std::uint64_t ones = width == 64 ? ~0ull : (1ull << width) - 1;
        const bool shifted = field->kind == Kind::Address || field->kind == Kind::Offset;
        field->set(words, shifted ? ones << field->low : ones);
        EXPECT_EQ(field->raw(words), ones) << structure.name << " " << field->name;
        std::uint64_t changed = 0, expected = 0;
        for (unsigned i = 0; i < words.size(); ++i)
            changed += static_cast<unsigned>(__builtin_popcount(words[i] ^ before[i]));
        const unsigned first = field->dword * 32u + field->low;
        for (unsigned bit = first; bit < first + width; ++bit)
            expected += !(before[bit / 32] >> bit % 32 & 1);
        EXPECT_EQ(changed, expected) << structure.name << " " << field->name;
    }
}

TEST(Fields, EveryRowOfEveryTableRoundTrips) {
    for (const Structure* structure : {&MEDIA_VFE_STATE::kStructure,
                                       &MEDIA_CURBE_LOAD::kStructure,
                                       &MEDIA_INTERFACE_DESCRIPTOR_LOAD::kStructure,
                                       &MEDIA_POOL_STATE::kStructure,
                                       &MEDIA_STATE_FLUSH::kStructure,
                                       &GPGPU_WALKER::kStructure,
                                       &INTERFACE_DESCRIPTOR_DATA::kStructure,
                                       &MEDIA_OBJECT::kStructure,
                                       &MEDIA_OBJECT_GRPID::kStructure,
                                       &MEDIA_OBJECT_PRT::kStructure,
                                       &MEDIA_OBJECT_WALKER::kStructure,
                                       &PIPE_CONTROL::kStructure,
                                       &PIPELINE_SELECT::kStructure,
                                       &STATE_BASE_ADDRESS::kStructure,
                                       &STATE_SIP::kStructure,
                                       &GPGPU_CSR_BASE_ADDRESS::kStructure,
                                       &MI_NOOP::kStructure,
                                       &MI_SEMAPHORE_WAIT::kStructure,
                                       &MI_STORE_DATA_IMM::kStructure,
                                       &MI_ATOMIC::kStructure,
                                       &MI_BATCH_BUFFER_START::kStructure,
                                       &MI_CONDITIONAL_BATCH_BUFFER_END::kStructure,
                                       &MI_FLUSH_DW::kStructure,
                                       &PRIMITIVE_3D::kStructure,
                                       &VERTEX_BUFFER_STATE::kStructure,
                                       &VERTEX_ELEMENT_STATE::kStructure,
                                       &STATE_INDEX_BUFFER::kStructure,
                                       &STATE_VF::kStructure,
                                       &STATE_VF_INSTANCING::kStructure,
                                       &STATE_VF_SGVS::kStructure,
                                       &STATE_VF_TOPOLOGY::kStructure,
                                       &STATE_VF_STATISTICS::kStructure,
                                       &STATE_VF_COMPONENT_PACKING::kStructure,
                                       &STATE_VS::kStructure,
                                       &STATE_HS::kStructure,
                                       &STATE_TE::kStructure,
                                       &STATE_DS::kStructure,
                                       &STATE_GS::kStructure,
                                       &STATE_CONSTANT_BODY::kStructure,
                                       &STATE_CONSTANT::kStructure,
                                       &STATE_BINDING_TABLE_POINTERS::kStructure,
                                       &STATE_SAMPLER_STATE_POINTERS::kStructure,
                                       &STATE_PUSH_CONSTANT_ALLOC::kStructure,
                                       &STATE_URB::kStructure,
                                       &STATE_STREAMOUT::kStructure,
                                       &STATE_SO_BUFFER::kStructure,
                                       &SO_DECL::kStructure,
                                       &STATE_SO_DECL_LIST::kStructure,
                                       &STATE_CLIP::kStructure,
                                       &STATE_SF::kStructure,
                                       &STATE_RASTER::kStructure,
                                       &STATE_SBE::kStructure,
                                       &STATE_SBE_SWIZ::kStructure,
                                       &SF_OUTPUT_ATTRIBUTE_DETAIL::kStructure,
                                       &SF_CLIP_VIEWPORT::kStructure,
                                       &SCISSOR_RECT::kStructure,
                                       &STATE_VIEWPORT_STATE_POINTERS_SF_CLIP::kStructure,
                                       &STATE_SCISSOR_STATE_POINTERS::kStructure,
                                       &STATE_DRAWING_RECTANGLE::kStructure,
                                       &STATE_LINE_STIPPLE::kStructure,
                                       &STATE_AA_LINE_PARAMETERS::kStructure,
                                       &STATE_POLY_STIPPLE_OFFSET::kStructure,
                                       &STATE_POLY_STIPPLE_PATTERN::kStructure,
                                       &STATE_WM::kStructure,
                                       &STATE_WM_DEPTH_STENCIL::kStructure,
                                       &STATE_WM_CHROMAKEY::kStructure,
                                       &STATE_WM_HZ_OP::kStructure,
                                       &STATE_MULTISAMPLE::kStructure,
                                       &STATE_SAMPLE_MASK::kStructure,
                                       &STATE_PS::kStructure,
                                       &STATE_PS_EXTRA::kStructure,
                                       &STATE_PS_BLEND::kStructure,
                                       &STATE_DEPTH_BUFFER::kStructure,
                                       &STATE_STENCIL_BUFFER::kStructure,
                                       &STATE_HIER_DEPTH_BUFFER::kStructure,
                                       &STATE_CLEAR_PARAMS::kStructure,
                                       &STATE_VIEWPORT_STATE_POINTERS_CC::kStructure,
                                       &CC_VIEWPORT::kStructure,
                                       &STATE_CC_STATE_POINTERS::kStructure,
                                       &COLOR_CALC_STATE::kStructure,
                                       &STATE_BLEND_STATE_POINTERS::kStructure,
                                       &BLEND_STATE::kStructure,
                                       &BLEND_STATE_ENTRY::kStructure})
        check_round_trip(*structure);
}

TEST(Fields, AnArraysElementsLieOneStrideApart) {
    // The last one's address is in the DWord pair 8 and 9 of 3DSTATE_CONSTANT_BODY.
    std::vector<std::uint32_t> body(10);
    STATE_CONSTANT_BODY::ReadLength.at(3).set(body, 0xABCD);
    EXPECT_EQ(body[1], 0xABCD0000u);
    STATE_CONSTANT_BODY::Buffer.at(3).set(body, 0x1234'5678'9AC0);
    EXPECT_EQ(body[8], 0x56789AC0u);
    EXPECT_EQ(body[9], 0x1234u);
}

}  // namespace
}  // namespace gen9::packets
