// SPDX-License-Identifier: Apache-2.0
#version 450
// The levels that Vulkan's chapter on filters wants for the steps of anisotropic.frag.
layout(location = 0) in vec2 at;
layout(set = 0, binding = 1) uniform sampler2D picture;
layout(push_constant) uniform Pushed { float most; };
layout(location = 0) out vec4 pixel;
void main() {
    vec2 step = exp2(floor(at * 6.0));
    float longer = max(step.x, step.y), shorter = min(step.x, step.y);
    pixel = textureLod(picture, vec2(0.5), log2(longer / min(longer / shorter, most)));
}
