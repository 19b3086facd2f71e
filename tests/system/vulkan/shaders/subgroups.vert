// SPDX-License-Identifier: Apache-2.0
#version 450
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_shuffle_relative : require
#extension GL_KHR_shader_subgroup_shuffle : require
#extension GL_KHR_shader_subgroup_vote : require
// Green where what a sub-group says of itself is consistent, whatever its vertices.
layout(location = 0) in vec4 position;
layout(location = 1) in vec4 color;
layout(location = 0) out vec4 shade;
void main() {
    gl_Position = position;
    uint number = uint(gl_VertexIndex) * 7u + 3u;
    uvec4 here = subgroupBallot(true);
    bool good = subgroupAdd(1u) == subgroupBallotBitCount(here);
    good = good && subgroupInclusiveAdd(number) - subgroupExclusiveAdd(number) == number;
    good = good && subgroupMax(number) >= number && subgroupMin(number) <= number;
    good = good && subgroupShuffle(number, gl_SubgroupInvocationID) == number;
    good = good && subgroupBroadcastFirst(number) == subgroupShuffle(number, subgroupBallotFindLSB(here));
    good = good && subgroupAny(number == subgroupMax(number)) && subgroupAll(number >= 3u);
    uint before = gl_SubgroupInvocationID > 0u && subgroupBallotBitExtract(here, gl_SubgroupInvocationID - 1u)
                      ? subgroupShuffleUp(number, 1u) : number - 7u;
    good = good && before == number - 7u;
    shade = good ? color : vec4(1.0, 0.0, 0.0, 1.0);
}
