// SPDX-License-Identifier: Apache-2.0
/// Stream output: fields of the commands and of the states in memory.
#pragma once
#include "packets/overlap.h"

namespace gen9::packets {

namespace STATE_STREAMOUT {
/// Resreved=1, Force_Off=2, Force_on=3
inline constexpr Field ForceRendering{"ForceRendering", 1, 24, 23, Kind::Enum, kGen9Xml};
inline constexpr Field SOStatisticsEnable{"SOStatisticsEnable", 1, 25, 25, Kind::Bool, kGen9Xml};
/// LEADING=0, TRAILING=1
inline constexpr Field ReorderMode{"ReorderMode", 1, 26, 26, Kind::Enum, kGen9Xml};
inline constexpr Field RenderStreamSelect{"RenderStreamSelect", 1, 28, 27, Kind::Uint, kGen9Xml};
inline constexpr Field RenderingDisable{"RenderingDisable", 1, 30, 30, Kind::Bool, kGen9Xml};
inline constexpr Field SOFunctionEnable{"SOFunctionEnable", 1, 31, 31, Kind::Bool, kGen9Xml};
inline constexpr Field Stream0VertexReadLength{
    "Stream0VertexReadLength", 2, 4, 0, Kind::Uint, kGen9Xml};
inline constexpr Field Stream0VertexReadOffset{
    "Stream0VertexReadOffset", 2, 5, 5, Kind::Uint, kGen9Xml};
inline constexpr Field Stream1VertexReadLength{
    "Stream1VertexReadLength", 2, 12, 8, Kind::Uint, kGen9Xml};
inline constexpr Field Stream1VertexReadOffset{
    "Stream1VertexReadOffset", 2, 13, 13, Kind::Uint, kGen9Xml};
inline constexpr Field Stream2VertexReadLength{
    "Stream2VertexReadLength", 2, 20, 16, Kind::Uint, kGen9Xml};
inline constexpr Field Stream2VertexReadOffset{
    "Stream2VertexReadOffset", 2, 21, 21, Kind::Uint, kGen9Xml};
inline constexpr Field Stream3VertexReadLength{
    "Stream3VertexReadLength", 2, 28, 24, Kind::Uint, kGen9Xml};
inline constexpr Field Stream3VertexReadOffset{
    "Stream3VertexReadOffset", 2, 29, 29, Kind::Uint, kGen9Xml};
inline constexpr Field Buffer0SurfacePitch{"Buffer0SurfacePitch", 3, 11, 0, Kind::Uint, kGen9Xml};
inline constexpr Field Buffer1SurfacePitch{"Buffer1SurfacePitch", 3, 27, 16, Kind::Uint, kGen9Xml};
inline constexpr Field Buffer2SurfacePitch{"Buffer2SurfacePitch", 4, 11, 0, Kind::Uint, kGen9Xml};
inline constexpr Field Buffer3SurfacePitch{"Buffer3SurfacePitch", 4, 27, 16, Kind::Uint, kGen9Xml};
inline constexpr const Field* kFields[] = {
    &ForceRendering,          &SOStatisticsEnable,      &ReorderMode,
    &RenderStreamSelect,      &RenderingDisable,        &SOFunctionEnable,
    &Stream0VertexReadLength, &Stream0VertexReadOffset, &Stream1VertexReadLength,
    &Stream1VertexReadOffset, &Stream2VertexReadLength, &Stream2VertexReadOffset,
    &Stream3VertexReadLength, &Stream3VertexReadOffset, &Buffer0SurfacePitch,
    &Buffer1SurfacePitch,     &Buffer2SurfacePitch,     &Buffer3SurfacePitch};
inline constexpr Structure kStructure{"3DSTATE_STREAMOUT", 5, kFields};
static_assert(well_formed(kStructure));
}  // namespace STATE_STREAMOUT

namespace STATE_SO_BUFFER {
inline constexpr Field StreamOutputBufferOffsetAddressEnable{
    "StreamOutputBufferOffsetAddressEnable", 1, 20, 20, Kind::Bool, kGen9Xml};
inline constexpr Field StreamOffsetWriteEnable{
    "StreamOffsetWriteEnable", 1, 21, 21, Kind::Bool, kGen9Xml};
inline constexpr Field MOCS{"MOCS", 1, 28, 22, Kind::Uint, kGen9Xml};
inline constexpr Field SOBufferIndex{"SOBufferIndex", 1, 30, 29, Kind::Uint, kGen9Xml};
inline constexpr Field SOBufferEnable{"SOBufferEnable", 1, 31, 31, Kind::Bool, kGen9Xml};
inline constexpr Field SurfaceBaseAddress{"SurfaceBaseAddress", 2, 47, 2, Kind::Address, kGen9Xml};
inline constexpr Field SurfaceSize{"SurfaceSize", 4, 29, 0, Kind::Uint, kGen9Xml};
inline constexpr Field StreamOutputBufferOffsetAddress{
    "StreamOutputBufferOffsetAddress", 5, 47, 2, Kind::Address, kGen9Xml};
inline constexpr Field StreamOffset{"StreamOffset", 7, 31, 0, Kind::Uint, kGen9Xml};
inline constexpr const Field* kFields[] = {&StreamOutputBufferOffsetAddressEnable,
                                           &StreamOffsetWriteEnable,
                                           &MOCS,
                                           &SOBufferIndex,
                                           &SOBufferEnable,
                                           &SurfaceBaseAddress,
                                           &SurfaceSize,
                                           &StreamOutputBufferOffsetAddress,
                                           &StreamOffset};
inline constexpr Structure kStructure{"3DSTATE_SO_BUFFER", 8, kFields};
static_assert(well_formed(kStructure));
}  // namespace STATE_SO_BUFFER

namespace SO_DECL {
inline constexpr Field ComponentMask{"ComponentMask", 0, 3, 0, Kind::Uint, kGen9Xml};
inline constexpr Field RegisterIndex{"RegisterIndex", 0, 9, 4, Kind::Uint, kGen9Xml};
inline constexpr Field HoleFlag{"HoleFlag", 0, 11, 11, Kind::Uint, kGen9Xml};
inline constexpr Field OutputBufferSlot{"OutputBufferSlot", 0, 13, 12, Kind::Uint, kGen9Xml};
inline constexpr const Field* kFields[] = {&ComponentMask, &RegisterIndex, &HoleFlag,
                                           &OutputBufferSlot};
inline constexpr Structure kStructure{"SO_DECL", 1, kFields};
static_assert(well_formed(kStructure));
}  // namespace SO_DECL

namespace STATE_SO_DECL_LIST {
inline constexpr Field StreamToBufferSelects0{
    "StreamToBufferSelects0", 1, 3, 0, Kind::Uint, kGen9Xml};
inline constexpr Field StreamToBufferSelects1{
    "StreamToBufferSelects1", 1, 7, 4, Kind::Uint, kGen9Xml};
inline constexpr Field StreamToBufferSelects2{
    "StreamToBufferSelects2", 1, 11, 8, Kind::Uint, kGen9Xml};
inline constexpr Field StreamToBufferSelects3{
    "StreamToBufferSelects3", 1, 15, 12, Kind::Uint, kGen9Xml};
inline constexpr Field NumEntries0{"NumEntries0", 2, 7, 0, Kind::Uint, kGen9Xml};
inline constexpr Field NumEntries1{"NumEntries1", 2, 15, 8, Kind::Uint, kGen9Xml};
inline constexpr Field NumEntries2{"NumEntries2", 2, 23, 16, Kind::Uint, kGen9Xml};
inline constexpr Field NumEntries3{"NumEntries3", 2, 31, 24, Kind::Uint, kGen9Xml};
inline constexpr const Field* kFields[] = {&StreamToBufferSelects0,
                                           &StreamToBufferSelects1,
                                           &StreamToBufferSelects2,
                                           &StreamToBufferSelects3,
                                           &NumEntries0,
                                           &NumEntries1,
                                           &NumEntries2,
                                           &NumEntries3};
inline constexpr Structure kStructure{"3DSTATE_SO_DECL_LIST", 3, kFields};
static_assert(well_formed(kStructure));
}  // namespace STATE_SO_DECL_LIST

}  // namespace gen9::packets
