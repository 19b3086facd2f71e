// SPDX-License-Identifier: Apache-2.0
#version 450
layout(location = 0) in float curved;
layout(location = 1) noperspective in float straight;
layout(location = 2) flat in float level;
layout(location = 3) centroid in float central;
layout(location = 0) out vec4 pixel;
void main() { pixel = vec4(curved, straight, gl_FragCoord.x < 32.0 ? level : central, 1.0); }
