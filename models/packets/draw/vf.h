// SPDX-License-Identifier: Apache-2.0
/// Vertex fetch: fields of the commands and of the states in memory.
#pragma once
#include "packets/overlap.h"

namespace gen9::packets {

/// 3DPRIMITIVE
namespace PRIMITIVE_3D {
inline constexpr Field PredicateEnable{"PredicateEnable", 0, 8, 8, Kind::Bool, kGen9Xml};
inline constexpr Field UAVCoherencyRequired{"UAVCoherencyRequired", 0, 9, 9, Kind::Bool, kGen9Xml};
inline constexpr Field IndirectParameterEnable{
    "IndirectParameterEnable", 0, 10, 10, Kind::Bool, kGen9Xml};
inline constexpr Field PrimitiveTopologyType{
    "PrimitiveTopologyType", 1, 5, 0, Kind::Enum, kGen9Xml};
/// SEQUENTIAL=0, RANDOM=1
inline constexpr Field VertexAccessType{"VertexAccessType", 1, 8, 8, Kind::Enum, kGen9Xml};
inline constexpr Field EndOffsetEnable{"EndOffsetEnable", 1, 9, 9, Kind::Bool, kGen9Xml};
inline constexpr Field VertexCountPerInstance{
    "VertexCountPerInstance", 2, 31, 0, Kind::Uint, kGen9Xml};
inline constexpr Field StartVertexLocation{"StartVertexLocation", 3, 31, 0, Kind::Uint, kGen9Xml};
inline constexpr Field InstanceCount{"InstanceCount", 4, 31, 0, Kind::Uint, kGen9Xml};
inline constexpr Field StartInstanceLocation{
    "StartInstanceLocation", 5, 31, 0, Kind::Uint, kGen9Xml};
inline constexpr Field BaseVertexLocation{"BaseVertexLocation", 6, 31, 0, Kind::Int, kGen9Xml};
inline constexpr const Field* kFields[] = {
    &PredicateEnable,  &UAVCoherencyRequired,  &IndirectParameterEnable, &PrimitiveTopologyType,
    &VertexAccessType, &EndOffsetEnable,       &VertexCountPerInstance,  &StartVertexLocation,
    &InstanceCount,    &StartInstanceLocation, &BaseVertexLocation};
inline constexpr Structure kStructure{"3DPRIMITIVE", 7, kFields};
static_assert(well_formed(kStructure));
}  // namespace PRIMITIVE_3D

namespace VERTEX_BUFFER_STATE {
inline constexpr Field BufferPitch{"BufferPitch", 0, 11, 0, Kind::Uint, kGen9Xml};
inline constexpr Field NullVertexBuffer{"NullVertexBuffer", 0, 13, 13, Kind::Bool, kGen9Xml};
inline constexpr Field AddressModifyEnable{"AddressModifyEnable", 0, 14, 14, Kind::Bool, kGen9Xml};
inline constexpr Field MOCS{"MOCS", 0, 22, 16, Kind::Uint, kGen9Xml};
inline constexpr Field VertexBufferIndex{"VertexBufferIndex", 0, 31, 26, Kind::Uint, kGen9Xml};
inline constexpr Field BufferStartingAddress{"BufferStartingAddress", 1,       63, 0,
                                             Kind::Address,           kGen9Xml};
inline constexpr Field BufferSize{"BufferSize", 3, 31, 0, Kind::Uint, kGen9Xml};
inline constexpr const Field* kFields[] = {&BufferPitch, &NullVertexBuffer,  &AddressModifyEnable,
                                           &MOCS,        &VertexBufferIndex, &BufferStartingAddress,
                                           &BufferSize};
inline constexpr Structure kStructure{"VERTEX_BUFFER_STATE", 4, kFields};
static_assert(well_formed(kStructure));
}  // namespace VERTEX_BUFFER_STATE

namespace VERTEX_ELEMENT_STATE {
inline constexpr Field SourceElementOffset{"SourceElementOffset", 0, 11, 0, Kind::Uint, kGen9Xml};
inline constexpr Field EdgeFlagEnable{"EdgeFlagEnable", 0, 15, 15, Kind::Bool, kGen9Xml};
inline constexpr Field SourceElementFormat{"SourceElementFormat", 0, 24, 16, Kind::Uint, kGen9Xml};
inline constexpr Field Valid{"Valid", 0, 25, 25, Kind::Bool, kGen9Xml};
inline constexpr Field VertexBufferIndex{"VertexBufferIndex", 0, 31, 26, Kind::Uint, kGen9Xml};
inline constexpr Field Component3Control{"Component3Control", 1, 18, 16, Kind::Enum, kGen9Xml};
inline constexpr Field Component2Control{"Component2Control", 1, 22, 20, Kind::Enum, kGen9Xml};
inline constexpr Field Component1Control{"Component1Control", 1, 26, 24, Kind::Enum, kGen9Xml};
inline constexpr Field Component0Control{"Component0Control", 1, 30, 28, Kind::Enum, kGen9Xml};
inline constexpr const Field* kFields[] = {
    &SourceElementOffset, &EdgeFlagEnable,    &SourceElementFormat, &Valid,
    &VertexBufferIndex,   &Component3Control, &Component2Control,   &Component1Control,
    &Component0Control};
inline constexpr Structure kStructure{"VERTEX_ELEMENT_STATE", 2, kFields};
static_assert(well_formed(kStructure));
}  // namespace VERTEX_ELEMENT_STATE

namespace STATE_INDEX_BUFFER {
inline constexpr Field MOCS{"MOCS", 1, 6, 0, Kind::Uint, kGen9Xml};
/// BYTE=0, WORD=1, DWORD=2
inline constexpr Field IndexFormat{"IndexFormat", 1, 9, 8, Kind::Enum, kGen9Xml};
inline constexpr Field BufferStartingAddress{"BufferStartingAddress", 2,       63, 0,
                                             Kind::Address,           kGen9Xml};
inline constexpr Field BufferSize{"BufferSize", 4, 31, 0, Kind::Uint, kGen9Xml};
inline constexpr const Field* kFields[] = {&MOCS, &IndexFormat, &BufferStartingAddress,
                                           &BufferSize};
inline constexpr Structure kStructure{"3DSTATE_INDEX_BUFFER", 5, kFields};
static_assert(well_formed(kStructure));
}  // namespace STATE_INDEX_BUFFER

namespace STATE_VF {
inline constexpr Field IndexedDrawCutIndexEnable{
    "IndexedDrawCutIndexEnable", 0, 8, 8, Kind::Bool, kGen9Xml};
inline constexpr Field ComponentPackingEnable{
    "ComponentPackingEnable", 0, 9, 9, Kind::Bool, kGen9Xml};
inline constexpr Field SequentialDrawCutIndexEnable{
    "SequentialDrawCutIndexEnable", 0, 10, 10, Kind::Bool, kGen9Xml};
inline constexpr Field CutIndex{"CutIndex", 1, 31, 0, Kind::Uint, kGen9Xml};
inline constexpr const Field* kFields[] = {&IndexedDrawCutIndexEnable, &ComponentPackingEnable,
                                           &SequentialDrawCutIndexEnable, &CutIndex};
inline constexpr Structure kStructure{"3DSTATE_VF", 2, kFields};
static_assert(well_formed(kStructure));
}  // namespace STATE_VF

namespace STATE_VF_INSTANCING {
inline constexpr Field VertexElementIndex{"VertexElementIndex", 1, 5, 0, Kind::Uint, kGen9Xml};
inline constexpr Field InstancingEnable{"InstancingEnable", 1, 8, 8, Kind::Bool, kGen9Xml};
inline constexpr Field InstanceDataStepRate{"InstanceDataStepRate", 2, 31, 0, Kind::Uint, kGen9Xml};
inline constexpr const Field* kFields[] = {&VertexElementIndex, &InstancingEnable,
                                           &InstanceDataStepRate};
inline constexpr Structure kStructure{"3DSTATE_VF_INSTANCING", 3, kFields};
static_assert(well_formed(kStructure));
}  // namespace STATE_VF_INSTANCING

namespace STATE_VF_SGVS {
inline constexpr Field VertexIDElementOffset{
    "VertexIDElementOffset", 1, 5, 0, Kind::Uint, kGen9Xml};
/// COMP_0=0, COMP_1=1, COMP_2=2, COMP_3=3
inline constexpr Field VertexIDComponentNumber{
    "VertexIDComponentNumber", 1, 14, 13, Kind::Enum, kGen9Xml};
inline constexpr Field VertexIDEnable{"VertexIDEnable", 1, 15, 15, Kind::Bool, kGen9Xml};
inline constexpr Field InstanceIDElementOffset{
    "InstanceIDElementOffset", 1, 21, 16, Kind::Uint, kGen9Xml};
/// COMP_0=0, COMP_1=1, COMP_2=2, COMP_3=3
inline constexpr Field InstanceIDComponentNumber{
    "InstanceIDComponentNumber", 1, 30, 29, Kind::Enum, kGen9Xml};
inline constexpr Field InstanceIDEnable{"InstanceIDEnable", 1, 31, 31, Kind::Bool, kGen9Xml};
inline constexpr const Field* kFields[] = {
    &VertexIDElementOffset,   &VertexIDComponentNumber,   &VertexIDEnable,
    &InstanceIDElementOffset, &InstanceIDComponentNumber, &InstanceIDEnable};
inline constexpr Structure kStructure{"3DSTATE_VF_SGVS", 2, kFields};
static_assert(well_formed(kStructure));
}  // namespace STATE_VF_SGVS

namespace STATE_VF_TOPOLOGY {
inline constexpr Field PrimitiveTopologyType{
    "PrimitiveTopologyType", 1, 5, 0, Kind::Enum, kGen9Xml};
inline constexpr const Field* kFields[] = {&PrimitiveTopologyType};
inline constexpr Structure kStructure{"3DSTATE_VF_TOPOLOGY", 2, kFields};
static_assert(well_formed(kStructure));
}  // namespace STATE_VF_TOPOLOGY

namespace STATE_VF_STATISTICS {
inline constexpr Field StatisticsEnable{"StatisticsEnable", 0, 0, 0, Kind::Bool, kGen9Xml};
inline constexpr const Field* kFields[] = {&StatisticsEnable};
inline constexpr Structure kStructure{"3DSTATE_VF_STATISTICS", 1, kFields};
static_assert(well_formed(kStructure));
}  // namespace STATE_VF_STATISTICS

namespace STATE_VF_COMPONENT_PACKING {
inline constexpr Field VertexElement00Enables{
    "VertexElement00Enables", 1, 3, 0, Kind::Uint, kGen9Xml};
inline constexpr Field VertexElement01Enables{
    "VertexElement01Enables", 1, 7, 4, Kind::Uint, kGen9Xml};
inline constexpr Field VertexElement02Enables{
    "VertexElement02Enables", 1, 11, 8, Kind::Uint, kGen9Xml};
inline constexpr Field VertexElement03Enables{
    "VertexElement03Enables", 1, 15, 12, Kind::Uint, kGen9Xml};
inline constexpr Field VertexElement04Enables{
    "VertexElement04Enables", 1, 19, 16, Kind::Uint, kGen9Xml};
inline constexpr Field VertexElement05Enables{
    "VertexElement05Enables", 1, 23, 20, Kind::Uint, kGen9Xml};
inline constexpr Field VertexElement06Enables{
    "VertexElement06Enables", 1, 27, 24, Kind::Uint, kGen9Xml};
inline constexpr Field VertexElement07Enables{
    "VertexElement07Enables", 1, 31, 28, Kind::Uint, kGen9Xml};
inline constexpr Field VertexElement08Enables{
    "VertexElement08Enables", 2, 3, 0, Kind::Uint, kGen9Xml};
inline constexpr Field VertexElement09Enables{
    "VertexElement09Enables", 2, 7, 4, Kind::Uint, kGen9Xml};
inline constexpr Field VertexElement10Enables{
    "VertexElement10Enables", 2, 11, 8, Kind::Uint, kGen9Xml};
inline constexpr Field VertexElement11Enables{
    "VertexElement11Enables", 2, 15, 12, Kind::Uint, kGen9Xml};
inline constexpr Field VertexElement12Enables{
    "VertexElement12Enables", 2, 19, 16, Kind::Uint, kGen9Xml};
inline constexpr Field VertexElement13Enables{
    "VertexElement13Enables", 2, 23, 20, Kind::Uint, kGen9Xml};
inline constexpr Field VertexElement14Enables{
    "VertexElement14Enables", 2, 27, 24, Kind::Uint, kGen9Xml};
inline constexpr Field VertexElement15Enables{
    "VertexElement15Enables", 2, 31, 28, Kind::Uint, kGen9Xml};
inline constexpr Field VertexElement16Enables{
    "VertexElement16Enables", 3, 3, 0, Kind::Uint, kGen9Xml};
inline constexpr Field VertexElement17Enables{
    "VertexElement17Enables", 3, 7, 4, Kind::Uint, kGen9Xml};
inline constexpr Field VertexElement18Enables{
    "VertexElement18Enables", 3, 11, 8, Kind::Uint, kGen9Xml};
inline constexpr Field VertexElement19Enables{
    "VertexElement19Enables", 3, 15, 12, Kind::Uint, kGen9Xml};
inline constexpr Field VertexElement20Enables{
    "VertexElement20Enables", 3, 19, 16, Kind::Uint, kGen9Xml};
inline constexpr Field VertexElement21Enables{
    "VertexElement21Enables", 3, 23, 20, Kind::Uint, kGen9Xml};
inline constexpr Field VertexElement22Enables{
    "VertexElement22Enables", 3, 27, 24, Kind::Uint, kGen9Xml};
inline constexpr Field VertexElement23Enables{
    "VertexElement23Enables", 3, 31, 28, Kind::Uint, kGen9Xml};
inline constexpr Field VertexElement24Enables{
    "VertexElement24Enables", 4, 3, 0, Kind::Uint, kGen9Xml};
inline constexpr Field VertexElement25Enables{
    "VertexElement25Enables", 4, 7, 4, Kind::Uint, kGen9Xml};
inline constexpr Field VertexElement26Enables{
    "VertexElement26Enables", 4, 11, 8, Kind::Uint, kGen9Xml};
inline constexpr Field VertexElement27Enables{
    "VertexElement27Enables", 4, 15, 12, Kind::Uint, kGen9Xml};
inline constexpr Field VertexElement28Enables{
    "VertexElement28Enables", 4, 19, 16, Kind::Uint, kGen9Xml};
inline constexpr Field VertexElement29Enables{
    "VertexElement29Enables", 4, 23, 20, Kind::Uint, kGen9Xml};
inline constexpr Field VertexElement30Enables{
    "VertexElement30Enables", 4, 27, 24, Kind::Uint, kGen9Xml};
inline constexpr Field VertexElement31Enables{
    "VertexElement31Enables", 4, 31, 28, Kind::Uint, kGen9Xml};
inline constexpr const Field* kFields[] = {
    &VertexElement00Enables, &VertexElement01Enables, &VertexElement02Enables,
    &VertexElement03Enables, &VertexElement04Enables, &VertexElement05Enables,
    &VertexElement06Enables, &VertexElement07Enables, &VertexElement08Enables,
    &VertexElement09Enables, &VertexElement10Enables, &VertexElement11Enables,
    &VertexElement12Enables, &VertexElement13Enables, &VertexElement14Enables,
    &VertexElement15Enables, &VertexElement16Enables, &VertexElement17Enables,
    &VertexElement18Enables, &VertexElement19Enables, &VertexElement20Enables,
    &VertexElement21Enables, &VertexElement22Enables, &VertexElement23Enables,
    &VertexElement24Enables, &VertexElement25Enables, &VertexElement26Enables,
    &VertexElement27Enables, &VertexElement28Enables, &VertexElement29Enables,
    &VertexElement30Enables, &VertexElement31Enables};
inline constexpr Structure kStructure{"3DSTATE_VF_COMPONENT_PACKING", 5, kFields};
static_assert(well_formed(kStructure));
}  // namespace STATE_VF_COMPONENT_PACKING

}  // namespace gen9::packets
