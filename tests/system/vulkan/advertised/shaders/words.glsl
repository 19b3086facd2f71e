// SPDX-License-Identifier: Apache-2.0
// What every shader is given: random words, and a place for its results.
layout(local_size_x = 64) in;
layout(set = 0, binding = 0, std430) readonly buffer From { uint from[]; };
layout(set = 0, binding = 1, std430) buffer To { uint to[]; };
