// SPDX-License-Identifier: Apache-2.0
#include "vme/picture/picture.h"

#include "packets/media_surface_state.h"

namespace gen9::vme {

namespace state = packets::media_surface_state;

Picture read_picture(std::span<const std::uint32_t> dwords) {
    Picture p{surface::read_media_surface(dwords)};
    p.chroma = p.format == state::PLANAR_420_8;
    p.luma = p.chroma || p.format == state::PLANAR_422_8 || p.format == state::Y8_UNORM_VA ||
             p.format == state::Y8_UNORM;
    return p;
}

PictureView view_of(const Picture& picture, bool field, bool bottom) {
    PictureView view{picture, picture.width, picture.height, 0, 1};
    if (picture.state_field) {
        view.first = picture.first_line;
        view.step = 2;
    } else if (field) {
        view.first = bottom;
        view.step = 2;
        view.height = (picture.height + 1 - view.first) / 2;
    }
    if (view.height == 0) view.height = 1;
    return view;
}

}  // namespace gen9::vme
