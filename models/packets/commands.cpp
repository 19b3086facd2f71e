// SPDX-License-Identifier: Apache-2.0
#include "packets/commands.h"

#include <algorithm>
#include <array>
#include <string>

#include "common/check.h"

namespace gen9::packets {
namespace {

// MI opcodes and lengths: 003:1529-1536 and the general set of the public Gen9 documents; the 3D
// opcodes 003:2660-2804 with the order of the gather commands corrected (RS-10). Media commands
// have a 16-bit length, but GPGPU_WALKER keeps flags in bits 8 and 10 of its header.
// clang-format off
constexpr CommandRow kPlainRows[] = {
    {"MI_NOOP", 0xFF800000, 0x00000000, Length::Single, 1, Command::MI_NOOP, "CS-148"},
    {"MI_SET_PREDICATE", 0xFF800000, 0x00800000, Length::Single, 1, Command::MI_SET_PREDICATE, "CS-07"},
    {"MI_USER_INTERRUPT", 0xFF800000, 0x01000000, Length::Single, 1, Command::MI_USER_INTERRUPT, "CS-148"},
    {"MI_WAIT_FOR_EVENT", 0xFF800000, 0x01800000, Length::Single, 1, Command::MI_WAIT_FOR_EVENT, "CS-130", {}, ResourceAction::Block},
    {"MI_FLUSH", 0xFF800000, 0x02000000, Length::Single, 1, Command::MI_FLUSH, "CS-122"},
    {"MI_ARB_CHECK", 0xFF800000, 0x02800000, Length::Single, 1, Command::MI_ARB_CHECK, "CS-130", {}, ResourceAction::Stop},
    {"MI_RS_CONTROL", 0xFF800000, 0x03000000, Length::Single, 1, Command::MI_RS_CONTROL, "RS-36", value_in(Unit::Streamer, 0x16D, 1), ResourceAction::Stop},
    {"MI_REPORT_HEAD", 0xFF800000, 0x03800000, Length::Single, 1, Command::MI_REPORT_HEAD, "CS-148"},
    {"MI_ARB_ON_OFF", 0xFF800000, 0x04000000, Length::Single, 1, Command::MI_ARB_ON_OFF, "CS-130"},
    {"MI_URB_ATOMIC_ALLOC", 0xFF800000, 0x04800000, Length::Single, 1, Command::Other, "CS-45", in(Unit::Urb, 1, 0x16E)},
    {"MI_BATCH_BUFFER_END", 0xFF800000, 0x05000000, Length::Single, 1, Command::MI_BATCH_BUFFER_END, "CS-142", {}, ResourceAction::Stop},
    {"MI_SUSPEND_FLUSH", 0xFF800000, 0x05800000, Length::Single, 1, Command::Other, "CS-148"},
    {"MI_PREDICATE", 0xFF800000, 0x06000000, Length::Single, 1, Command::MI_PREDICATE, "CS-02"},
    {"MI_TOPOLOGY_FILTER", 0xFF800000, 0x06800000, Length::Single, 1, Command::Other, "CS-45", in(Unit::Vf, 1, 0x140)},
    {"MI_RS_CONTEXT", 0xFF800000, 0x07800000, Length::Single, 1, Command::MI_RS_CONTEXT, "RS-36", {}, ResourceAction::Stop},
    {"MI_LOAD_SCAN_LINES_INCL", 0xFF800000, 0x09000000, Length::Field6, 2, Command::Other, "CS-148"},
    {"MI_LOAD_SCAN_LINES_EXCL", 0xFF800000, 0x09800000, Length::Field6, 2, Command::Other, "CS-148"},
    {"MI_DISPLAY_FLIP", 0xFF800000, 0x0A000000, Length::Field8, 3, Command::Other, "CS-148"},
    {"MI_SET_CONTEXT", 0xFF800000, 0x0C000000, Length::Field8, 2, Command::MI_SET_CONTEXT, "CS-45", {}, ResourceAction::Stop},
    {"MI_MATH", 0xFF800000, 0x0D000000, Length::Field8, 2, Command::MI_MATH, "CS-42"},
    {"MI_SEMAPHORE_SIGNAL", 0xFF800000, 0x0D800000, Length::Field8, 2, Command::MI_SEMAPHORE_SIGNAL, "CS-148"},
    {"MI_SEMAPHORE_WAIT", 0xFF800000, 0x0E000000, Length::Field8, 4, Command::MI_SEMAPHORE_WAIT, "CS-130", {}, ResourceAction::Block},
    {"MI_FORCE_WAKEUP", 0xFF800000, 0x0E800000, Length::Field8, 2, Command::Other, "CS-148"},
    {"MI_STORE_DATA_IMM", 0xFF800000, 0x10000000, Length::Field10, 4, Command::MI_STORE_DATA_IMM, "CS-148"},
    {"MI_STORE_DATA_INDEX", 0xFF800000, 0x10800000, Length::Field8, 3, Command::MI_STORE_DATA_INDEX, "CS-148"},
    {"MI_LOAD_REGISTER_IMM", 0xFF800000, 0x11000000, Length::Field8, 3, Command::MI_LOAD_REGISTER_IMM, "CS-152"},
    {"MI_STORE_REGISTER_MEM", 0xFF800000, 0x12000000, Length::Field8, 4, Command::MI_STORE_REGISTER_MEM, "CS-10"},
    {"MI_FLUSH_DW", 0xFF800000, 0x13000000, Length::Field6, 4, Command::MI_FLUSH_DW, "CS-148"},
    {"MI_CLFLUSH", 0xFF800000, 0x13800000, Length::Field10, 3, Command::Other, "CS-148"},
    {"MI_REPORT_PERF_COUNT", 0xFF800000, 0x14000000, Length::Field6, 4, Command::MI_REPORT_PERF_COUNT, "CS-104"},
    {"MI_LOAD_REGISTER_MEM", 0xFF800000, 0x14800000, Length::Field8, 4, Command::MI_LOAD_REGISTER_MEM, "CS-05"},
    {"MI_LOAD_REGISTER_REG", 0xFF800000, 0x15000000, Length::Field8, 3, Command::MI_LOAD_REGISTER_REG, "CS-151"},
    {"MI_RS_STORE_DATA_IMM", 0xFF800000, 0x15800000, Length::Field8, 4, Command::Other, "RS-36", {}, ResourceAction::StoreData},
    {"MI_LOAD_URB_MEM", 0xFF800000, 0x16000000, Length::Field8, 4, Command::Other, "CS-45"},
    {"MI_STORE_URB_MEM", 0xFF800000, 0x16800000, Length::Field8, 4, Command::Other, "CS-45"},
    {"MI_COPY_MEM_MEM", 0xFF800000, 0x17000000, Length::Field8, 5, Command::MI_COPY_MEM_MEM, "CS-148"},
    {"MI_ATOMIC", 0xFF800000, 0x17800000, Length::Field8, 3, Command::MI_ATOMIC, "CS-44"},
    {"MI_BATCH_BUFFER_START", 0xFF800000, 0x18800000, Length::Field8, 3, Command::MI_BATCH_BUFFER_START, "CS-142", {}, ResourceAction::Stop},
    {"MI_CONDITIONAL_BATCH_BUFFER_END", 0xFF800000, 0x1B000000, Length::Field8, 4, Command::MI_CONDITIONAL_BATCH_BUFFER_END, "CS-142", {}, ResourceAction::Stop},
    {"STATE_PREFETCH", 0xFFFF0000, 0x60030000, Length::Field8, 2, Command::Other, "CS-46"},
    {"STATE_BASE_ADDRESS", 0xFFFF0000, 0x61010000, Length::Field8, 16, Command::STATE_BASE_ADDRESS, "CS-49", value_in(Unit::Streamer, 0x144, 19).after(kEveryPipe), ResourceAction::LatchBase},
    {"STATE_SIP", 0xFFFF0000, 0x61020000, Length::Field8, 3, Command::STATE_SIP, "CS-47", value_in(Unit::Streamer, 0x381, 3)},
    {"GPGPU_CSR_BASE_ADDRESS", 0xFFFF0000, 0x61040000, Length::Field8, 3, Command::GPGPU_CSR_BASE_ADDRESS, "CS-102", value_in(Unit::Streamer, 0x44, 3).after(kEveryPipe)},
    {"3DSTATE_VF_STATISTICS", 0xFFFF0000, 0x680B0000, Length::Single, 1, Command::Other, "CS-124", in(Unit::Vf, 1, 0x87F)},
    {"PIPELINE_SELECT", 0xFFFF0000, 0x69040000, Length::Single, 1, Command::PIPELINE_SELECT, "CS-52", value_in(Unit::Streamer, 0x143, 1).after(kEveryPipe), ResourceAction::Select},
    {"MEDIA_VFE_STATE", 0xFFFF0000, 0x70000000, Length::Field16, 9, Command::MEDIA_VFE_STATE, "CS-125", in(Unit::Media, 9, 0x1670)},
    {"MEDIA_CURBE_LOAD", 0xFFFF0000, 0x70010000, Length::Field16, 4, Command::MEDIA_CURBE_LOAD, "CS-125", in(Unit::Media, 4, 0x167F)},
    {"MEDIA_INTERFACE_DESCRIPTOR_LOAD", 0xFFFF0000, 0x70020000, Length::Field16, 4, Command::MEDIA_INTERFACE_DESCRIPTOR_LOAD, "CS-125", in(Unit::Media, 4, 0x1683)},
    {"MEDIA_STATE_FLUSH", 0xFFFF0000, 0x70040000, Length::Field16, 2, Command::MEDIA_STATE_FLUSH, "CS-128"},
    {"MEDIA_POOL_STATE", 0xFFFF0000, 0x70050000, Length::Field16, 6, Command::MEDIA_POOL_STATE, "CS-113", in(Unit::Media, 6, 0x1679)},
    {"MEDIA_OBJECT", 0xFFFF0000, 0x71000000, Length::Field16, 6, Command::MEDIA_OBJECT, "CS-127"},
    {"MEDIA_OBJECT_PRT", 0xFFFF0000, 0x71020000, Length::Field16, 16, Command::MEDIA_OBJECT_PRT, "CS-127"},
    {"MEDIA_OBJECT_WALKER", 0xFFFF0000, 0x71030000, Length::Field16, 17, Command::MEDIA_OBJECT_WALKER, "CS-127"},
    {"GPGPU_WALKER", 0xFFFF0000, 0x71050000, Length::Field8, 15, Command::GPGPU_WALKER, "CS-04"},
    {"MEDIA_OBJECT_GRPID", 0xFFFF0000, 0x71060000, Length::Field16, 7, Command::MEDIA_OBJECT_GRPID, "CS-127"},
    {"3DSTATE_CLEAR_PARAMS", 0xFFFF0000, 0x78040000, Length::Field8, 3, Command::Other, "DZ-22", in(Unit::Dz, 3, 0x34C)},
    {"3DSTATE_DEPTH_BUFFER", 0xFFFF0000, 0x78050000, Length::Field8, 8, Command::Other, "DZ-13", in(Unit::Dz, 8, 0x33A)},
    {"3DSTATE_STENCIL_BUFFER", 0xFFFF0000, 0x78060000, Length::Field8, 5, Command::Other, "DZ-11", in(Unit::Dz, 5, 0x347)},
    {"3DSTATE_HIER_DEPTH_BUFFER", 0xFFFF0000, 0x78070000, Length::Field8, 5, Command::Other, "DZ-22", in(Unit::Dz, 5, 0x342)},
    {"3DSTATE_VERTEX_BUFFERS", 0xFFFF0000, 0x78080000, Length::Field8, 5, Command::Other, "CS-124", in(Unit::Vf, 133, 0x7B5).list(33, 4, 31, 26)},
    {"3DSTATE_VERTEX_ELEMENTS", 0xFFFF0000, 0x78090000, Length::Field8, 3, Command::Other, "VF-09", in(Unit::Vf, 69, 0x83A)},
    {"3DSTATE_INDEX_BUFFER", 0xFFFF0000, 0x780A0000, Length::Field8, 5, Command::Other, "CS-124", in(Unit::Vf, 5, 0x7B0)},
    {"3DSTATE_VF", 0xFFFF0000, 0x780C0000, Length::Field8, 2, Command::Other, "CS-124", in(Unit::Vf, 2, 0x880)},
    {"3DSTATE_MULTISAMPLE", 0xFFFF0000, 0x780D0000, Length::Field8, 2, Command::Other, "SF-44", in(Unit::Wm, 2, 0x2EA)},
    {"3DSTATE_CC_STATE_POINTERS", 0xFFFF0000, 0x780E0000, Length::Field8, 2, Command::Other, "CS-124", in(Unit::Cc, 2, 0x330)},
    {"3DSTATE_SCISSOR_STATE_POINTERS", 0xFFFF0000, 0x780F0000, Length::Field8, 2, Command::Other, "CS-124", in(Unit::Sf, 2, 0x2DC)},
    {"3DSTATE_VS", 0xFFFF0000, 0x78100000, Length::Field8, 9, Command::Other, "CS-124", in(Unit::Vs, 9, 0x28C)},
    {"3DSTATE_GS", 0xFFFF0000, 0x78110000, Length::Field8, 10, Command::Other, "CS-124", in(Unit::Gs, 10, 0x2BF)},
    {"3DSTATE_CLIP", 0xFFFF0000, 0x78120000, Length::Field8, 4, Command::Other, "CL-02", in(Unit::Clip, 4, 0x2D4)},
    {"3DSTATE_SF", 0xFFFF0000, 0x78130000, Length::Field8, 4, Command::Other, "SF-02", in(Unit::Sf, 4, 0x2D8)},
    {"3DSTATE_WM", 0xFFFF0000, 0x78140000, Length::Field8, 2, Command::Other, "WM-04", in(Unit::Wm, 2, 0x32C)},
    {"3DSTATE_CONSTANT_VS", 0xFFFF0000, 0x78150000, Length::Field8, 11, Command::Other, "FF-91", in(Unit::Vs, 11, 0x260).deferred(0x2EC)},
    {"3DSTATE_CONSTANT_GS", 0xFFFF0000, 0x78160000, Length::Field8, 11, Command::Other, "FF-91", in(Unit::Gs, 11, 0x281).deferred(0x30D)},
    {"3DSTATE_CONSTANT_PS", 0xFFFF0000, 0x78170000, Length::Field8, 11, Command::Other, "FF-91", in(Unit::Ps, 11, 0x320).deferred(0x376)},
    {"3DSTATE_SAMPLE_MASK", 0xFFFF0000, 0x78180000, Length::Field8, 2, Command::Other, "WM-15", in(Unit::Wm, 2, 0x332)},
    {"3DSTATE_CONSTANT_HS", 0xFFFF0000, 0x78190000, Length::Field8, 11, Command::Other, "FF-91", in(Unit::Hs, 11, 0x26B).deferred(0x2F7)},
    {"3DSTATE_CONSTANT_DS", 0xFFFF0000, 0x781A0000, Length::Field8, 11, Command::Other, "FF-91", in(Unit::Ds, 11, 0x276).deferred(0x302)},
    {"3DSTATE_HS", 0xFFFF0000, 0x781B0000, Length::Field8, 9, Command::Other, "CS-124", in(Unit::Hs, 9, 0x29B)},
    {"3DSTATE_TE", 0xFFFF0000, 0x781C0000, Length::Field8, 4, Command::Other, "CS-124", in(Unit::Te, 4, 0x2AA)},
    {"3DSTATE_DS", 0xFFFF0000, 0x781D0000, Length::Field8, 9, Command::Other, "CS-124", in(Unit::Ds, 11, 0x2AE)},
    {"3DSTATE_STREAMOUT", 0xFFFF0000, 0x781E0000, Length::Field8, 5, Command::Other, "SOL-16", in(Unit::Sol, 5, 0x2CF)},
    {"3DSTATE_SBE", 0xFFFF0000, 0x781F0000, Length::Field8, 4, Command::Other, "SF-47", in(Unit::Sf, 6, 0x34F)},
    {"3DSTATE_PS", 0xFFFF0000, 0x78200000, Length::Field8, 12, Command::Other, "PS-01", in(Unit::Ps, 12, 0x360)},
    {"3DSTATE_VIEWPORT_STATE_POINTERS_SF_CLIP", 0xFFFF0000, 0x78210000, Length::Field8, 2, Command::Other, "CS-124", in(Unit::Clip, 2, 0x2DE)},
    {"3DSTATE_VIEWPORT_STATE_POINTERS_CC", 0xFFFF0000, 0x78230000, Length::Field8, 2, Command::Other, "CS-124", in(Unit::Cc, 2, 0x32E)},
    {"3DSTATE_BLEND_STATE_POINTERS", 0xFFFF0000, 0x78240000, Length::Field8, 2, Command::Other, "CS-124", in(Unit::Cc, 2, 0x370)},
    {"3DSTATE_BINDING_TABLE_POINTERS_VS", 0xFFFF0000, 0x78260000, Length::Field8, 2, Command::Other, "RS-20", in(Unit::Vs, 2, 0x295).commit(), ResourceAction::BindingTable},
    {"3DSTATE_BINDING_TABLE_POINTERS_HS", 0xFFFF0000, 0x78270000, Length::Field8, 2, Command::Other, "RS-20", in(Unit::Hs, 2, 0x2A4).commit(), ResourceAction::BindingTable},
    {"3DSTATE_BINDING_TABLE_POINTERS_DS", 0xFFFF0000, 0x78280000, Length::Field8, 2, Command::Other, "RS-20", in(Unit::Ds, 2, 0x2B9).commit(), ResourceAction::BindingTable},
    {"3DSTATE_BINDING_TABLE_POINTERS_GS", 0xFFFF0000, 0x78290000, Length::Field8, 2, Command::Other, "RS-20", in(Unit::Gs, 2, 0x2C9).commit(), ResourceAction::BindingTable},
    {"3DSTATE_BINDING_TABLE_POINTERS_PS", 0xFFFF0000, 0x782A0000, Length::Field8, 2, Command::Other, "RS-20", in(Unit::Ps, 2, 0x36C).commit(), ResourceAction::BindingTable},
    {"3DSTATE_SAMPLER_STATE_POINTERS_VS", 0xFFFF0000, 0x782B0000, Length::Field8, 2, Command::Other, "CS-124", in(Unit::Vs, 2, 0x297)},
    {"3DSTATE_SAMPLER_STATE_POINTERS_HS", 0xFFFF0000, 0x782C0000, Length::Field8, 2, Command::Other, "CS-124", in(Unit::Hs, 2, 0x2A6)},
    {"3DSTATE_SAMPLER_STATE_POINTERS_DS", 0xFFFF0000, 0x782D0000, Length::Field8, 2, Command::Other, "CS-124", in(Unit::Ds, 2, 0x2BB)},
    {"3DSTATE_SAMPLER_STATE_POINTERS_GS", 0xFFFF0000, 0x782E0000, Length::Field8, 2, Command::Other, "CS-124", in(Unit::Gs, 2, 0x2CB)},
    {"3DSTATE_SAMPLER_STATE_POINTERS_PS", 0xFFFF0000, 0x782F0000, Length::Field8, 2, Command::Other, "CS-124", in(Unit::Ps, 2, 0x36E)},
    {"3DSTATE_URB_VS", 0xFFFF0000, 0x78300000, Length::Field8, 2, Command::Other, "CS-124", in(Unit::Urb, 2, 0x299)},
    {"3DSTATE_URB_HS", 0xFFFF0000, 0x78310000, Length::Field8, 2, Command::Other, "CS-124", in(Unit::Urb, 2, 0x2A8)},
    {"3DSTATE_URB_DS", 0xFFFF0000, 0x78320000, Length::Field8, 2, Command::Other, "CS-124", in(Unit::Urb, 2, 0x2BD)},
    {"3DSTATE_URB_GS", 0xFFFF0000, 0x78330000, Length::Field8, 2, Command::Other, "CS-124", in(Unit::Urb, 2, 0x2CD)},
    {"3DSTATE_GATHER_CONSTANT_VS", 0xFFFF0000, 0x78340000, Length::Field8, 3, Command::Other, "RS-25", value_in(Unit::ResourceStreamer), ResourceAction::Gather},
    {"3DSTATE_GATHER_CONSTANT_GS", 0xFFFF0000, 0x78350000, Length::Field8, 3, Command::Other, "RS-25", value_in(Unit::ResourceStreamer), ResourceAction::Gather},
    {"3DSTATE_GATHER_CONSTANT_HS", 0xFFFF0000, 0x78360000, Length::Field8, 3, Command::Other, "RS-25", value_in(Unit::ResourceStreamer), ResourceAction::Gather},
    {"3DSTATE_GATHER_CONSTANT_DS", 0xFFFF0000, 0x78370000, Length::Field8, 3, Command::Other, "RS-25", value_in(Unit::ResourceStreamer), ResourceAction::Gather},
    {"3DSTATE_GATHER_CONSTANT_PS", 0xFFFF0000, 0x78380000, Length::Field8, 3, Command::Other, "RS-25", value_in(Unit::ResourceStreamer), ResourceAction::Gather},
    {"3DSTATE_DX9_CONSTANTF_VS", 0xFFFF0000, 0x78390000, Length::Field11, 2, Command::Other, "RS-38", value_in(Unit::ResourceStreamer), ResourceAction::Constants},
    {"3DSTATE_DX9_CONSTANTF_PS", 0xFFFF0000, 0x783A0000, Length::Field11, 2, Command::Other, "RS-38", value_in(Unit::ResourceStreamer), ResourceAction::Constants},
    {"3DSTATE_DX9_CONSTANTI_VS", 0xFFFF0000, 0x783B0000, Length::Field8, 2, Command::Other, "RS-38", value_in(Unit::ResourceStreamer), ResourceAction::Constants},
    {"3DSTATE_DX9_CONSTANTI_PS", 0xFFFF0000, 0x783C0000, Length::Field8, 2, Command::Other, "RS-38", value_in(Unit::ResourceStreamer), ResourceAction::Constants},
    {"3DSTATE_DX9_CONSTANTB_VS", 0xFFFF0000, 0x783D0000, Length::Field8, 2, Command::Other, "RS-38", value_in(Unit::ResourceStreamer), ResourceAction::Constants},
    {"3DSTATE_DX9_CONSTANTB_PS", 0xFFFF0000, 0x783E0000, Length::Field8, 2, Command::Other, "RS-38", value_in(Unit::ResourceStreamer), ResourceAction::Constants},
    {"3DSTATE_DX9_LOCAL_VALID_VS", 0xFFFF0000, 0x783F0000, Length::Field8, 2, Command::Other, "RS-38", value_in(Unit::ResourceStreamer), ResourceAction::Constants},
    {"3DSTATE_DX9_LOCAL_VALID_PS", 0xFFFF0000, 0x78400000, Length::Field8, 2, Command::Other, "RS-38", value_in(Unit::ResourceStreamer), ResourceAction::Constants},
    {"3DSTATE_DX9_GENERATE_ACTIVE_VS", 0xFFFF0000, 0x78410000, Length::Field8, 2, Command::Other, "RS-38", value_in(Unit::ResourceStreamer), ResourceAction::Constants},
    {"3DSTATE_DX9_GENERATE_ACTIVE_PS", 0xFFFF0000, 0x78420000, Length::Field8, 2, Command::Other, "RS-38", value_in(Unit::ResourceStreamer), ResourceAction::Constants},
    {"3DSTATE_BINDING_TABLE_EDIT_VS", 0xFFFF0000, 0x78430000, Length::Field9, 2, Command::Other, "RS-20", value_in(Unit::ResourceStreamer), ResourceAction::EditTable},
    {"3DSTATE_BINDING_TABLE_EDIT_GS", 0xFFFF0000, 0x78440000, Length::Field9, 2, Command::Other, "RS-20", value_in(Unit::ResourceStreamer), ResourceAction::EditTable},
    {"3DSTATE_BINDING_TABLE_EDIT_HS", 0xFFFF0000, 0x78450000, Length::Field9, 2, Command::Other, "RS-20", value_in(Unit::ResourceStreamer), ResourceAction::EditTable},
    {"3DSTATE_BINDING_TABLE_EDIT_DS", 0xFFFF0000, 0x78460000, Length::Field9, 2, Command::Other, "RS-20", value_in(Unit::ResourceStreamer), ResourceAction::EditTable},
    {"3DSTATE_BINDING_TABLE_EDIT_PS", 0xFFFF0000, 0x78470000, Length::Field9, 2, Command::Other, "RS-20", value_in(Unit::ResourceStreamer), ResourceAction::EditTable},
    {"3DSTATE_VF_HASHING", 0xFFFF0000, 0x78480000, Length::Field8, 2, Command::Other, "CS-124", in(Unit::Vf, 2)},
    {"3DSTATE_VF_INSTANCING", 0xFFFF0000, 0x78490000, Length::Field8, 3, Command::Other, "VF-14", in(Unit::Vf, 3, 0x884).numbered(34, 5, 0, 69)},
    {"3DSTATE_VF_SGVS", 0xFFFF0000, 0x784A0000, Length::Field8, 2, Command::Other, "VF-15", in(Unit::Vf, 2, 0x882)},
    {"3DSTATE_VF_TOPOLOGY", 0xFFFF0000, 0x784B0000, Length::Field8, 2, Command::Other, "VF-02", in(Unit::Vf, 2, 0x8C9)},
    {"3DSTATE_WM_CHROMAKEY", 0xFFFF0000, 0x784C0000, Length::Field8, 2, Command::Other, "WM-32", in(Unit::Wm, 2, 0x338)},
    {"3DSTATE_PS_BLEND", 0xFFFF0000, 0x784D0000, Length::Field8, 2, Command::Other, "PS-03", in(Unit::Cc, 2, 0x374)},
    {"3DSTATE_WM_DEPTH_STENCIL", 0xFFFF0000, 0x784E0000, Length::Field8, 3, Command::Other, "DZ-09", in(Unit::Dz, 4, 0x334)},
    {"3DSTATE_PS_EXTRA", 0xFFFF0000, 0x784F0000, Length::Field8, 2, Command::Other, "PS-02", in(Unit::Ps, 2, 0x372)},
    {"3DSTATE_RASTER", 0xFFFF0000, 0x78500000, Length::Field8, 5, Command::Other, "SF-03", in(Unit::Sf, 5, 0x2E0)},
    {"3DSTATE_SBE_SWIZ", 0xFFFF0000, 0x78510000, Length::Field8, 11, Command::Other, "SF-48", in(Unit::Sf, 11, 0x355)},
    {"3DSTATE_WM_HZ_OP", 0xFFFF0000, 0x78520000, Length::Field8, 5, Command::WM_HZ_OP, "WM-12", in(Unit::Wm, 5, 0x2E5)},
    {"3DSTATE_INT", 0xFFFF0000, 0x78530000, Length::Field8, 2, Command::Other, "SOL-26", in(Unit::Sol, 2)},
    {"3DSTATE_RS_CONSTANT_POINTER", 0xFFFF0000, 0x78540000, Length::Field8, 4, Command::Other, "RS-38", value_in(Unit::ResourceStreamer), ResourceAction::Constants},
    {"3DSTATE_VF_COMPONENT_PACKING", 0xFFFF0000, 0x78550000, Length::Field8, 5, Command::Other, "VF-18", in(Unit::Vf, 5, 0x962)},
    {"3DSTATE_DX9_CONSTANTF_HS", 0xFFFF0000, 0x78570000, Length::Field11, 2, Command::Other, "RS-38", value_in(Unit::ResourceStreamer), ResourceAction::Constants},
    {"3DSTATE_DX9_CONSTANTI_HS", 0xFFFF0000, 0x78580000, Length::Field8, 2, Command::Other, "RS-38", value_in(Unit::ResourceStreamer), ResourceAction::Constants},
    {"3DSTATE_DX9_CONSTANTB_HS", 0xFFFF0000, 0x78590000, Length::Field8, 2, Command::Other, "RS-38", value_in(Unit::ResourceStreamer), ResourceAction::Constants},
    {"3DSTATE_DX9_LOCAL_VALID_HS", 0xFFFF0000, 0x785A0000, Length::Field8, 2, Command::Other, "RS-38", value_in(Unit::ResourceStreamer), ResourceAction::Constants},
    {"3DSTATE_DX9_GENERATE_ACTIVE_HS", 0xFFFF0000, 0x785B0000, Length::Field8, 2, Command::Other, "RS-38", value_in(Unit::ResourceStreamer), ResourceAction::Constants},
    {"3DSTATE_DX9_CONSTANTF_DS", 0xFFFF0000, 0x785C0000, Length::Field11, 2, Command::Other, "RS-38", value_in(Unit::ResourceStreamer), ResourceAction::Constants},
    {"3DSTATE_DX9_CONSTANTI_DS", 0xFFFF0000, 0x785D0000, Length::Field8, 2, Command::Other, "RS-38", value_in(Unit::ResourceStreamer), ResourceAction::Constants},
    {"3DSTATE_DX9_CONSTANTB_DS", 0xFFFF0000, 0x785E0000, Length::Field8, 2, Command::Other, "RS-38", value_in(Unit::ResourceStreamer), ResourceAction::Constants},
    {"3DSTATE_DX9_LOCAL_VALID_DS", 0xFFFF0000, 0x785F0000, Length::Field8, 2, Command::Other, "RS-38", value_in(Unit::ResourceStreamer), ResourceAction::Constants},
    {"3DSTATE_DX9_GENERATE_ACTIVE_DS", 0xFFFF0000, 0x78600000, Length::Field8, 2, Command::Other, "RS-38", value_in(Unit::ResourceStreamer), ResourceAction::Constants},
    {"3DSTATE_DX9_CONSTANTF_GS", 0xFFFF0000, 0x78610000, Length::Field11, 2, Command::Other, "RS-38", value_in(Unit::ResourceStreamer), ResourceAction::Constants},
    {"3DSTATE_DX9_CONSTANTI_GS", 0xFFFF0000, 0x78620000, Length::Field8, 2, Command::Other, "RS-38", value_in(Unit::ResourceStreamer), ResourceAction::Constants},
    {"3DSTATE_DX9_CONSTANTB_GS", 0xFFFF0000, 0x78630000, Length::Field8, 2, Command::Other, "RS-38", value_in(Unit::ResourceStreamer), ResourceAction::Constants},
    {"3DSTATE_DX9_LOCAL_VALID_GS", 0xFFFF0000, 0x78640000, Length::Field8, 2, Command::Other, "RS-38", value_in(Unit::ResourceStreamer), ResourceAction::Constants},
    {"3DSTATE_DX9_GENERATE_ACTIVE_GS", 0xFFFF0000, 0x78650000, Length::Field8, 2, Command::Other, "RS-38", value_in(Unit::ResourceStreamer), ResourceAction::Constants},
    {"3DSTATE_DRAWING_RECTANGLE", 0xFFFF0000, 0x79000000, Length::Field8, 4, Command::Other, "SF-22", in(Unit::Sf, 4, 0x318).after(Pipe::Pipe3D)},
    {"3DSTATE_SAMPLER_PALETTE_LOAD0", 0xFFFF0000, 0x79020000, Length::Field8, 2, Command::Other, "CS-111", in(Unit::Sampler, 257, 0x451).entries().after(kEveryPipe)},
    {"3DSTATE_CHROMA_KEY", 0xFFFF0000, 0x79040000, Length::Field8, 4, Command::Other, "CS-111", in(Unit::Sampler, 4, 0x43E).numbered(4, 31, 30, 16).after(kEveryPipe)},
    {"3DSTATE_POLY_STIPPLE_OFFSET", 0xFFFF0000, 0x79060000, Length::Field8, 2, Command::Other, "CS-111", in(Unit::Wm, 2, 0x41E).after(Pipe::Pipe3D)},
    {"3DSTATE_POLY_STIPPLE_PATTERN", 0xFFFF0000, 0x79070000, Length::Field8, 33, Command::Other, "CS-111", in(Unit::Wm, 33, 0x3FA).after(Pipe::Pipe3D)},
    {"3DSTATE_LINE_STIPPLE", 0xFFFF0000, 0x79080000, Length::Field8, 3, Command::Other, "WM-28", in(Unit::Wm, 3, 0x420).after(Pipe::Pipe3D)},
    {"3DSTATE_AA_LINE_PARAMETERS", 0xFFFF0000, 0x790A0000, Length::Field8, 3, Command::Other, "WM-26", in(Unit::Wm, 3, 0x41B).after(Pipe::Pipe3D)},
    {"3DSTATE_SAMPLER_PALETTE_LOAD1", 0xFFFF0000, 0x790C0000, Length::Field8, 2, Command::Other, "CS-111", in(Unit::Sampler, 257, 0x553).entries().after(kEveryPipe)},
    {"3DSTATE_MONOFILTER_SIZE", 0xFFFF0000, 0x79110000, Length::Field8, 2, Command::MONOFILTER_SIZE, "CS-124", in(Unit::Sampler, 2, 0x43C).after(kEveryPipe)},
    {"3DSTATE_PUSH_CONSTANT_ALLOC_VS", 0xFFFF0000, 0x79120000, Length::Field8, 2, Command::Other, "FF-85", in(Unit::Urb, 2, 0x157).after(Pipe::Pipe3D)},
    {"3DSTATE_PUSH_CONSTANT_ALLOC_HS", 0xFFFF0000, 0x79130000, Length::Field8, 2, Command::Other, "FF-85", in(Unit::Urb, 2, 0x159).after(Pipe::Pipe3D)},
    {"3DSTATE_PUSH_CONSTANT_ALLOC_DS", 0xFFFF0000, 0x79140000, Length::Field8, 2, Command::Other, "FF-85", in(Unit::Urb, 2, 0x15B).after(Pipe::Pipe3D)},
    {"3DSTATE_PUSH_CONSTANT_ALLOC_GS", 0xFFFF0000, 0x79150000, Length::Field8, 2, Command::Other, "FF-85", in(Unit::Urb, 2, 0x15D).after(Pipe::Pipe3D)},
    {"3DSTATE_PUSH_CONSTANT_ALLOC_PS", 0xFFFF0000, 0x79160000, Length::Field8, 2, Command::Other, "FF-85", in(Unit::Urb, 2, 0x15F).after(Pipe::Pipe3D)},
    {"3DSTATE_SO_DECL_LIST", 0xFFFF0000, 0x79170000, Length::Field9, 3, Command::Other, "CS-112", in(Unit::Sol, 259, 0x6AD).after(Pipe::Pipe3D)},
    {"3DSTATE_SO_BUFFER", 0xFFFF0000, 0x79180000, Length::Field8, 8, Command::Other, "SOL-16", in(Unit::Sol, 8, 0x68A).numbered(4, 30, 29, 32).after(Pipe::Pipe3D)},
    {"3DSTATE_BINDING_TABLE_POOL_ALLOC", 0xFFFF0000, 0x79190000, Length::Field8, 4, Command::BINDING_TABLE_POOL_ALLOC, "RS-19", in(Unit::Streamer, 4, 0x161).after(Pipe::Pipe3D), ResourceAction::TablePool},
    {"3DSTATE_GATHER_POOL_ALLOC", 0xFFFF0000, 0x791A0000, Length::Field8, 4, Command::GATHER_POOL_ALLOC, "RS-16", in(Unit::Streamer, 4, 0x165).after(Pipe::Pipe3D), ResourceAction::GatherPool},
    {"3DSTATE_DX9_CONSTANT_BUFFER_POOL_ALLOC", 0xFFFF0000, 0x791B0000, Length::Field8, 4, Command::DX9_CONSTANT_BUFFER_POOL_ALLOC, "RS-38", in(Unit::Streamer, 4, 0x169).after(Pipe::Pipe3D), ResourceAction::Constants},
    {"3DSTATE_SAMPLE_PATTERN", 0xFFFF0000, 0x791C0000, Length::Field8, 9, Command::Other, "WM-22", in(Unit::Wm, 9, 0x384).after(Pipe::Pipe3D)},
    {"3DSTATE_URB_CLEAR", 0xFFFF0000, 0x791D0000, Length::Field8, 2, Command::Other, "CS-48"},
    {"PIPE_CONTROL", 0xFFFF0000, 0x7A000000, Length::Field8, 6, Command::PIPE_CONTROL, "CS-88"},
    {"3DPRIMITIVE", 0xFFFF0000, 0x7B000000, Length::Field8, 7, Command::PRIMITIVE_3D, "CS-126", {}, ResourceAction::Fence},
};
// clang-format on

/// The slots of a unit stand in its block in the order of the rows.
struct Rows {
    std::array<CommandRow, std::size(kPlainRows)> rows;
    std::array<std::uint16_t, kUnits> block_dwords{};
};
constexpr Rows kTable = [] {
    Rows table{std::to_array(kPlainRows)};
    for (CommandRow& row : table.rows) {
        if (row.latch.unit == Unit::None) continue;
        std::uint16_t& next = table.block_dwords[static_cast<unsigned>(row.latch.unit)];
        row.latch.offset = next;
        next = static_cast<std::uint16_t>(next + row.latch.slot_dwords());
    }
    for (CommandRow& row : table.rows) {
        if (!row.latch.commits) continue;
        for (const CommandRow& other : table.rows) {
            if (other.latch.unit != row.latch.unit || other.latch.form != Form::Deferred) continue;
            row.latch.commit_offset = other.latch.offset;
            row.latch.commit_dwords = other.latch.dwords;
        }
    }
    return table;
}();
constexpr auto& kRows = kTable.rows;

constexpr std::uint8_t kNoRow = 0xFF;
static_assert(std::size(kRows) < kNoRow);

/// Rows by type and opcode bits: MI by [28:23], the rest by [28:16].
struct Index {
    std::array<std::uint8_t, 64> mi{};
    std::array<std::uint8_t, 8192> gfx{};
    bool overlap = false;
};

constexpr std::uint32_t mi_opcode(std::uint32_t header) {
    return header >> 23 & 63;
}
constexpr std::uint32_t gfx_opcode(std::uint32_t header) {
    return header >> 16 & 8191;
}

constexpr Index make_index() {
    Index index;
    for (auto& row : index.mi)
        row = kNoRow;
    for (auto& row : index.gfx)
        row = kNoRow;
    for (std::size_t i = 0; i < std::size(kRows); ++i) {
        const std::uint32_t value = kRows[i].value;
        std::uint8_t& place =
            value >> 29 == 0 ? index.mi[mi_opcode(value)] : index.gfx[gfx_opcode(value)];
        if (place != kNoRow) index.overlap = true;
        place = static_cast<std::uint8_t>(i);
    }
    return index;
}
constexpr Index kIndex = make_index();
/// The row of each name; `once`: each has one, and only one.
struct Names {
    std::array<std::uint8_t, static_cast<std::size_t>(Command::kCount)> row{};
    bool once = true;
};
constexpr Names kNames = [] {
    Names names;
    names.row.fill(kNoRow);
    for (std::size_t i = 0; i < kRows.size(); ++i) {
        if (kRows[i].command == Command::Other) continue;
        std::uint8_t& place = names.row[static_cast<std::size_t>(kRows[i].command)];
        names.once &= place == kNoRow;
        place = static_cast<std::uint8_t>(i);
    }
    for (std::size_t name = 1; name < names.row.size(); ++name)
        names.once &= names.row[name] != kNoRow;
    return names;
}();
static_assert(kNames.once, "a row for each name");
static_assert(!kIndex.overlap, "two commands share a header");

}  // namespace

std::span<const CommandRow> command_rows() {
    return kRows;
}

const CommandRow* find_command(std::uint32_t header) {
    std::uint8_t row = kNoRow;
    if (header >> 29 == 0) row = kIndex.mi[mi_opcode(header)];
    if (header >> 29 == 3) row = kIndex.gfx[gfx_opcode(header)];
    return row == kNoRow ? nullptr : &kRows[row];
}

const CommandRow& command_named(std::string_view name) {
    const auto* const row = std::ranges::find(kRows, name, &CommandRow::name);
    GEN9_CHECK(row != std::end(kRows), "no command is named " + std::string(name));
    return *row;
}

const CommandRow& command_of(Command command) {
    GEN9_CHECK(command != Command::Other, "it is the name of no command");
    return kRows[kNames.row[static_cast<std::size_t>(command)]];
}

std::size_t index_of(const CommandRow& row) {
    return static_cast<std::size_t>(&row - kRows.data());
}

unsigned block_dwords(Unit unit) {
    return kTable.block_dwords[static_cast<unsigned>(unit)];
}

CommandSet::CommandSet(std::initializer_list<std::string_view> names) : in_(std::size(kRows)) {
    for (const std::string_view name : names)
        in_[index_of(command_named(name))] = true;
}

}  // namespace gen9::packets
