// SPDX-License-Identifier: Apache-2.0
#include "setup/core.h"

#include <cmath>

#include "setup/depth.h"
#include "setup/shape.h"

namespace gen9::setup {
namespace {

/// An object's vertices on the screen.
struct Screen {
    std::array<Position, 3> exact;
    std::array<ScreenPoint, 3> snapped;
    unsigned count = 0;
};

const Viewport* viewport_of(const Draw& draw, const Object& object) {
    return draw.state.viewport_transform ? &draw.viewports[object.viewport & 15] : nullptr;
}

/// False: a part is not a number (SF-17).
bool to_screen(const Draw& draw, const Object& object, unsigned count, Screen& screen) {
    screen.count = count;
    for (unsigned v = 0; v < count; ++v) {
        const Position& from = object.vertices[v].position;
        if (invalid(from)) return false;
        screen.exact[v] = setup::to_screen(from, viewport_of(draw, object), draw.drawing);
        if (invalid(screen.exact[v])) return false;
        screen.snapped[v] = {snap(screen.exact[v].x, draw.state.coarse_grid),
                             snap(screen.exact[v].y, draw.state.coarse_grid)};
    }
    return true;
}

PixelRectangle clip_of(const Draw& draw, const Object& object) {
    const Scissor* scissor = draw.state.scissor ? &draw.scissors[object.viewport & 15] : nullptr;
    return clip_rectangle(draw.drawing, scissor, viewport_of(draw, object));
}

float region(unsigned code) {
    return 0.5f * static_cast<float>(1u << (code & 3));
}

/// False: no pixel of it can be lit.
bool set_shape(SetUpObject& out, const Shape& shape, const PixelRectangle& clip) {
    out.side_count = shape.side_count;
    out.sides = shape.sides;
    out.bounds = intersection(pixels_of(shape.least, shape.most), clip);
    return !out.bounds.empty();
}

void set_line(SetUpObject& out, const State& state, ScreenPoint from, ScreenPoint to,
              Shape& shape) {
    out.type = ObjectType::Line;
    out.vertex_count = 2;
    out.vertices = {from, to};
    LineFacts& line = out.line;
    line.from = from;
    line.to = to;
    line.style = line_style(state);
    // Assumed: a line without width is as wide as a pixel where it has an area.
    const std::uint32_t width = state.line_width ? state.line_width : 128;
    line.width = static_cast<float>(width) / 128;
    line.side_region = region(state.line_region);
    line.cap_region = region(state.cap_region);
    line.stippled = state.line_stipple && line.style != LineStyle::Smooth;
    switch (line.style) {
        case LineStyle::Wide:
            shape = wide_line_shape(from, to, static_cast<std::int32_t>(width));
            break;
        case LineStyle::Cosmetic:
            shape = cosmetic_line_shape(from, to);
            break;
        case LineStyle::Smooth:
            shape = rectangular_line_shape(from, to, line.width / 2.0, line.cap_region);
            break;
        case LineStyle::Multisample:
            shape = rectangular_line_shape(from, to, line.width / 2.0, 0);
            break;
    }
    out.interpolation = line_interpolation(from, to);
}

struct Square {
    ScreenPoint least, most;
};
Square point_square(const State& state, const Position& centre, float vertex_width) {
    const double half =
        (state.point_width_from_state ? state.point_width / 8.0 : double{vertex_width}) / 2;
    return {{snap(centre.x - half, state.coarse_grid), snap(centre.y - half, state.coarse_grid)},
            {snap(centre.x + half, state.coarse_grid), snap(centre.y + half, state.coarse_grid)}};
}

/// False: it has no area.
bool set_point(SetUpObject& out, const State& state, ScreenPoint centre, const Square& square,
               Shape& shape) {
    if (square.least.x >= square.most.x || square.least.y >= square.most.y) return false;
    out.type = ObjectType::Point;
    out.vertex_count = 1;
    out.vertices[0] = centre;
    out.round = state.round_points;
    out.point_radius = (square.most.x - square.least.x) / 2;
    out.polygon_stipple = false;
    shape = point_shape(square.least, square.most, state.points_upper_right);
    out.interpolation = point_interpolation(square.least, square.most);
    return true;
}

void set_attributes(SetUpObject& out, const AttributeState& state, const Object& object,
                    std::span<const VertexEntry> entries, unsigned provoking) {
    out.attribute_count = std::min<std::uint8_t>(state.count, kMaxAttributes);
    const AttributeFacts facts{out.back_facing, object.primitive_id};
    for (unsigned i = 0; i < out.attribute_count; ++i)
        out.attributes[i] = attribute_deltas(state, i, entries, provoking, facts);
}

void set_sprites(SetUpObject& out, const AttributeState& state) {
    for (unsigned i = 0; i < out.attribute_count; ++i)
        if (state.point_sprites >> i & 1)
            out.attributes[i] = sprite_deltas(state.sprite_lower_left);
}

/// What does not depend on where the object lies.
void set_common(SetUpObject& out, const Object& object) {
    // A clipped triangle reaches the windower as a polygon.
    const bool polygon = object.clipped && object_type(object.topology) == ObjectType::Triangle;
    out.topology =
        static_cast<std::uint8_t>(polygon ? packets::Topology::Polygon : object.topology);
    out.back_facing = faces_away(object.topology);
    out.polygon_stipple = false;
    out.round = false;
    out.viewport = object.viewport & 15;
    out.render_target_index = object.render_target_index;
    out.primitive_id = object.primitive_id;
    out.line = {};
}

Result one() {
    return {1, Discard::None};
}
Result none(Discard why) {
    return {0, why};
}

Result set_up_point(const Draw& draw, const Object& object, const Screen& screen,
                    const PixelRectangle& clip, SetUpObject& out) {
    Shape shape;
    const Square square = point_square(draw.state, screen.exact[0], object.vertices[0].point_width);
    if (!set_point(out, draw.state, screen.snapped[0], square, shape))
        return none(Discard::Degenerate);
    if (!set_shape(out, shape, clip)) return none(Discard::OutsideClip);
    set_depth(out.interpolation, {screen.exact[0].z, screen.exact[0].z, screen.exact[0].z});
    set_perspective(out.interpolation, std::span(&screen.exact[0].w, 1));
    set_attributes(out, draw.attributes, object, std::span(object.entries).first(1), 0);
    set_sprites(out, draw.attributes);
    return one();
}

Result set_up_line(const Draw& draw, const Object& object, const Screen& screen,
                   const PixelRectangle& clip, SetUpObject& out) {
    if (degenerate(ObjectType::Line, std::span(screen.snapped).first(2)))
        return none(Discard::Degenerate);
    Shape shape;
    set_line(out, draw.state, screen.snapped[0], screen.snapped[1], shape);
    out.line.last_pixel = draw.state.last_pixel && object.far_end &&
                          (object.last_of_strip || object.topology == packets::Topology::LineList);
    out.line.restart_stipple = object.restart_stipple;
    if (!set_shape(out, shape, clip)) return none(Discard::OutsideClip);
    set_depth(out.interpolation, {screen.exact[0].z, screen.exact[1].z, screen.exact[0].z});
    const float rhw[] = {screen.exact[0].w, screen.exact[1].w};
    set_perspective(out.interpolation, rhw);
    if (object.clipped) {
        out.interpolation.part = true;
        out.interpolation.perspective_corners = object.clipped->perspective;
        out.interpolation.linear_corners = object.clipped->linear;
    }
    set_attributes(out, draw.attributes, object, std::span(object.entries).first(2),
                   provoking_vertex(object.topology, draw.state.provoking));
    return one();
}

Result set_up_rectangle(const Draw& draw, const Object& object, const Screen& screen,
                        const PixelRectangle& clip, SetUpObject& out) {
    // Three vertices on a line have no affine weights, whatever box they have.
    if (degenerate(ObjectType::Rectangle, screen.snapped) ||
        degenerate(ObjectType::Triangle, screen.snapped))
        return none(Discard::Degenerate);
    out.type = ObjectType::Rectangle;
    out.vertex_count = 3;
    out.vertices = screen.snapped;
    if (!set_shape(out, rectangle_shape(screen.snapped), clip)) return none(Discard::OutsideClip);
    out.interpolation = area_interpolation(screen.snapped);
    set_depth(out.interpolation, {screen.exact[0].z, screen.exact[1].z, screen.exact[2].z});
    set_perspective(out.interpolation,
                    std::array{screen.exact[0].w, screen.exact[1].w, screen.exact[2].w});
    set_attributes(out, draw.attributes, object, object.entries, 0);
    return one();
}

/// A corner's weights in the whole: its own of an object that is not clipped.
CornerWeights corners_of(const Object& object, bool perspective) {
    if (!object.clipped) return {{0, 1, 0}, {0, 0, 1}};
    return perspective ? object.clipped->perspective : object.clipped->linear;
}

CornerWeights picked(const CornerWeights& from, unsigned a, unsigned b) {
    return {{from.b1[a], from.b1[b], from.b1[a]}, {from.b2[a], from.b2[b], from.b2[a]}};
}

/// The edge (a, b) of a triangle; `out` has the triangle's attributes, facing and bias.
Result edge_of(const Draw& draw, const Object& object, const Screen& screen, unsigned a, unsigned b,
               float bias, const PixelRectangle& clip, SetUpObject& out) {
    if (screen.snapped[a] == screen.snapped[b]) return none(Discard::Degenerate);
    Shape shape;
    set_line(out, draw.state, screen.snapped[a], screen.snapped[b], shape);
    out.polygon_stipple = false;
    out.line.last_pixel = draw.state.last_pixel;
    out.line.restart_stipple = true;
    if (!set_shape(out, shape, clip)) return none(Discard::OutsideClip);
    set_depth(out.interpolation, {screen.exact[a].z, screen.exact[b].z, screen.exact[a].z});
    out.interpolation.z0 += bias;
    const float rhw[] = {screen.exact[a].w, screen.exact[b].w};
    set_perspective(out.interpolation, rhw);
    out.interpolation.part = true;
    out.interpolation.perspective_corners = picked(corners_of(object, true), a, b);
    out.interpolation.linear_corners = picked(corners_of(object, false), a, b);
    return one();
}

/// The corner v of a triangle; `out` has the triangle's attributes, facing and bias.
Result corner_of(const Draw& draw, const Object& object, const Screen& screen, unsigned v,
                 float bias, const PixelRectangle& clip, SetUpObject& out) {
    Shape shape;
    const Square square = point_square(draw.state, screen.exact[v], object.vertices[v].point_width);
    if (!set_point(out, draw.state, screen.snapped[v], square, shape))
        return none(Discard::Degenerate);
    if (!set_shape(out, shape, clip)) return none(Discard::OutsideClip);
    set_depth(out.interpolation, {screen.exact[v].z, screen.exact[v].z, screen.exact[v].z});
    out.interpolation.z0 += bias;
    set_perspective(out.interpolation, std::span(&screen.exact[v].w, 1));
    const CornerWeights weights = corners_of(object, true);
    for (unsigned i = 0; i < out.attribute_count; ++i)
        out.attributes[i] = deltas_at(out.attributes[i], weights.b1[v], weights.b2[v]);
    set_sprites(out, draw.attributes);
    return one();
}

float largest_z(const Screen& screen) {
    return std::max({screen.exact[0].z, screen.exact[1].z, screen.exact[2].z});
}

Result set_up_triangle(const Draw& draw, const Object& object, const Screen& screen,
                       const PixelRectangle& clip, std::span<SetUpObject, kMostObjects> out) {
    const State& state = draw.state;
    SetUpObject& first = out[0];
    const std::int64_t area = doubled_area(screen.snapped);
    first.back_facing = back_facing(area, object.inverted, state.front_counter_clockwise);
    if (object.clipped) first.back_facing = object.clipped->back_facing.value_or(first.back_facing);
    const FillMode fill = first.back_facing ? state.back_fill : state.front_fill;
    if (area == 0 && fill == FillMode::Solid) return none(Discard::Degenerate);
    if (culled(first.back_facing, state.cull)) return none(Discard::Culled);
    first.type = ObjectType::Triangle;
    first.vertex_count = 3;
    first.vertices = screen.snapped;
    first.polygon_stipple = state.polygon_stipple && takes_polygon_stipple(object.topology);
    Interpolation& weights = first.interpolation;
    weights = {};
    if (area != 0) weights = area_interpolation(screen.snapped);
    set_depth(weights, {screen.exact[0].z, screen.exact[1].z, screen.exact[2].z});
    if (object.clipped)
        weights.depth_slope = object.clipped->depth_slope.value_or(weights.depth_slope);
    const float bias = bias_applies(state.bias, fill)
                           ? depth_bias(state.bias, weights.depth_slope, largest_z(screen))
                           : 0.0f;
    set_attributes(first, draw.attributes, object, object.entries,
                   provoking_vertex(object.topology, state.provoking));
    if (fill == FillMode::Solid) {
        Shape shape = triangle_shape(screen.snapped);
        // A pixel that a conservative triangle's corner only touches is lit, too.
        if (state.conservative) shape.least.x -= 1, shape.least.y -= 1;
        if (!set_shape(first, shape, clip)) return none(Discard::OutsideClip);
        weights.z0 += bias;
        set_perspective(weights,
                        std::array{screen.exact[0].w, screen.exact[1].w, screen.exact[2].w});
        if (object.clipped) {
            weights.part = true;
            weights.perspective_corners = object.clipped->perspective;
            weights.linear_corners = object.clipped->linear;
        }
        return one();
    }
    const SetUpObject whole = first;
    Result result = none(Discard::Degenerate);
    for (unsigned k = 0; k < 3; ++k) {
        if (!object.edges[k]) continue;
        SetUpObject& part = out[result.count];
        part = whole;
        const Result made = fill == FillMode::Wireframe
                                ? edge_of(draw, object, screen, k, (k + 1) % 3, bias, clip, part)
                                : corner_of(draw, object, screen, k, bias, clip, part);
        result.count += made.count;
        if (made.discard == Discard::OutsideClip) result.discard = made.discard;
    }
    if (result.count) result.discard = Discard::None;
    return result;
}

}  // namespace

LineStyle line_style(const State& state) {
    if (state.multisample == MultisampleMode::OnPixel ||
        state.multisample == MultisampleMode::OnPattern)
        return LineStyle::Multisample;
    if (state.line_width == 0) return LineStyle::Cosmetic;
    return state.smooth_lines ? LineStyle::Smooth : LineStyle::Wide;
}

ClippedFrom facts_of_whole(const Draw& draw, const Object& whole) {
    ClippedFrom facts;
    Screen screen;
    if (!to_screen(draw, whole, 3, screen)) return facts;
    const std::int64_t area = doubled_area(screen.snapped);
    if (area == 0) return facts;
    facts.back_facing = back_facing(area, whole.inverted, draw.state.front_counter_clockwise);
    Interpolation weights = area_interpolation(screen.snapped);
    set_depth(weights, {screen.exact[0].z, screen.exact[1].z, screen.exact[2].z});
    facts.depth_slope = weights.depth_slope;
    return facts;
}

Result set_up(const Draw& draw, const Object& object, std::span<SetUpObject, kMostObjects> out) {
    const ObjectType type = object_type(object.topology);
    const unsigned vertices = type == ObjectType::Point ? 1 : type == ObjectType::Line ? 2 : 3;
    Screen screen;
    if (!to_screen(draw, object, vertices, screen)) return none(Discard::NotANumber);
    const PixelRectangle clip = clip_of(draw, object);
    set_common(out[0], object);
    switch (type) {
        case ObjectType::Point:
            return set_up_point(draw, object, screen, clip, out[0]);
        case ObjectType::Line:
            return set_up_line(draw, object, screen, clip, out[0]);
        case ObjectType::Rectangle:
            return set_up_rectangle(draw, object, screen, clip, out[0]);
        case ObjectType::Triangle:
            return set_up_triangle(draw, object, screen, clip, out);
    }
    return {};
}

}  // namespace gen9::setup
