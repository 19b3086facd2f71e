# SPDX-License-Identifier: Apache-2.0
# Shaders of vulkan_shaders: name, file, definitions.
set(vulkan_shaders
  "atomics|atomics" "count|count" "groups|groups" "sets|sets" "types64|types64" "types16|types16" "large_shared|large_shared"
  "flow|flow" "floats|floats" "bits|bits" "texel_buffers|texel_buffers" "addresses|addresses" "subgroups|subgroups"
  "image_atomics|image_atomics")
set(plane POINT=ivec2\(at.xy\))
set(volume POINT=ivec3\(at\))
foreach(kind "2d|image2D|${plane}" "3d|image3D|${volume}" "array|image2DArray|${volume}")
  string(REPLACE "|" ";" kind "${kind}")
  list(GET kind 0 name)
  list(GET kind 1 type)
  list(GET kind 2 point)
  list(APPEND vulkan_shaders "fill_${name}|fill|IMAGE=${type}|${point}|VALUE=f" "fill_${name}_half|fill|IMAGE=${type}|${point}|VALUE=vec4(v&255u)/256.0")
  string(REPLACE image sampler sampler ${type})
  list(APPEND vulkan_shaders "fetch_${name}|fetch|SAMPLER=${sampler}|${point}|BITS=floatBitsToUint")
endforeach()
list(APPEND vulkan_shaders "fetch_2d_u|fetch|SAMPLER=usampler2D|${plane}|BITS=uvec4" "fetch_2d_i|fetch|SAMPLER=isampler2D|${plane}|BITS=uvec4")
list(APPEND vulkan_shaders
  "fill_2d_u|fill|IMAGE=uimage2D|${plane}|VALUE=v" "fill_2d_small_u|fill|IMAGE=uimage2D|${plane}|VALUE=(v&127u)"
  "fill_2d_i|fill|IMAGE=iimage2D|${plane}|VALUE=ivec4(v)" "fill_2d_small_i|fill|IMAGE=iimage2D|${plane}|VALUE=ivec4(v&127u)"
  "clear_2d_u|fill|IMAGE=uimage2D|${plane}|VALUE=uvec4(0)")
foreach(format rgba8 rgba8_snorm rgba16f rgba32f r32f rg16 r8 rg16f rgb10_a2)
  list(APPEND vulkan_shaders "load_${format}|load|FORMAT=${format}|IMAGE=image2D|BITS=floatBitsToUint")
endforeach()
foreach(format r32ui rgba32ui rgba16ui rg8ui)
  list(APPEND vulkan_shaders "load_${format}|load|FORMAT=${format}|IMAGE=uimage2D|BITS=uvec4")
endforeach()
foreach(format r32i rgba8i)
  list(APPEND vulkan_shaders "load_${format}|load|FORMAT=${format}|IMAGE=iimage2D|BITS=uvec4")
endforeach()
list(APPEND vulkan_shaders
  "sample_2d|sample|SAMPLER=sampler2D|LOOK=textureLod(texels,at.xy,0.0)"
  "sample_levels|sample|SAMPLER=sampler2D|LOOK=textureLod(texels,at.xy,level)"
  "sample_gather|sample|SAMPLER=sampler2D|LOOK=textureGather(texels,at.xy,2)"
  "sample_offset|sample|SAMPLER=sampler2D|LOOK=textureLodOffset(texels,at.xy,0.0,ivec2(-3,5))"
  "sample_grad|sample|SAMPLER=sampler2D|LOOK=textureGrad(texels,at.xy,vec2(exp2(floor(level)),0)/size.x,vec2(0,exp2(floor(level)))/size.y)"
  "sample_3d|sample|SAMPLER=sampler3D|LOOK=textureLod(texels,at,0.0)"
  "sample_array|sample|SAMPLER=sampler2DArray|LOOK=textureLod(texels,vec3(at.xy,layer),0.0)")

set(spirv_folder ${CMAKE_CURRENT_BINARY_DIR}/shaders)
file(MAKE_DIRECTORY ${spirv_folder})
file(GLOB shader_sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/shaders/*)
set(spirv_files)
foreach(shader ${vulkan_shaders})
  string(REPLACE "|" ";" shader "${shader}")
  list(POP_FRONT shader name file)
  list(TRANSFORM shader PREPEND -D OUTPUT_VARIABLE definitions)
  add_custom_command(OUTPUT ${spirv_folder}/${name}.spv DEPENDS ${shader_sources} VERBATIM
    COMMAND ${GLSLANG} -V --quiet --target-env vulkan1.2 ${definitions} -o ${spirv_folder}/${name}.spv ${CMAKE_CURRENT_LIST_DIR}/shaders/${file}.comp)
  list(APPEND spirv_files ${spirv_folder}/${name}.spv)
endforeach()
