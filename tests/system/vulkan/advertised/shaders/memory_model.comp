// SPDX-License-Identifier: Apache-2.0
// Sums of groups; the group that is the last to be done adds them, by the memory model of Vulkan: what other groups
// stored is seen by release and acquire of one atomic word.
#version 450
#pragma use_vulkan_memory_model
#extension GL_KHR_memory_scope_semantics : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0, std430) readonly buffer From { uint from[]; };
layout(set = 0, binding = 1, std430) buffer To { queuefamilycoherent uint to[]; };
shared uint part[64];
shared uint arrived;
void main() {
    uint i = gl_GlobalInvocationID.x, l = gl_LocalInvocationID.x, group = gl_WorkGroupID.x;
    part[l] = from[i];
    controlBarrier(gl_ScopeWorkgroup, gl_ScopeWorkgroup, gl_StorageSemanticsShared, gl_SemanticsAcquireRelease);
    for (uint step = 32; step > 0; step /= 2) {
        if (l < step) part[l] += part[l + step];
        controlBarrier(gl_ScopeWorkgroup, gl_ScopeWorkgroup, gl_StorageSemanticsShared, gl_SemanticsAcquireRelease);
    }
    if (l == 0) {
        to[8 + group] = part[0];
        arrived = atomicAdd(to[0], 1, gl_ScopeQueueFamily, gl_StorageSemanticsBuffer, gl_SemanticsAcquireRelease);
        if (arrived + 1 == gl_NumWorkGroups.x) {
            uint sum = 0;
            for (uint g = 0; g < gl_NumWorkGroups.x; ++g) sum += to[8 + g];
            to[1] = sum;
        }
    }
}
