// SPDX-License-Identifier: Apache-2.0
#include "hdc/plan.h"

#include <bit>
#include <cstring>

#include "common/bits.h"
#include "hdc/plan_block.h"
#include "hdc/plan_lanes.h"
#include "hdc/plan_surface.h"

namespace gen9::hdc {

void Plan::clear() {
    piece_count = 0;
    lane_count = 0;
    slm = coherent = converts = atomic_returns = false;
    mocs = 0;
    requester = Requester::DataPort;
    accesses = out_of_bounds = 0;
    guest_error = not_modelled = nullptr;
    slots_enabled = slots_inside = 0;
}

namespace {

/// General State Base, size and the header's Buffer Base Address (DP-042, S-4).
Window a32_window(const Decoded& d, const Message& message, const PlanContext& context) {
    Window window;
    const PipelineState& state = *message.sender->state;
    const std::uint32_t* header = reinterpret_cast<const std::uint32_t*>(message.payload[0].bytes);
    window.base = state.general_state_base.value;
    window.size = state.general_state_size;
    if (d.header) {
        window.start = header[5] & ~0x3FFu;
        if (context.check_thread_space) window.limit = std::uint64_t{1024} << (header[3] & 0xF);
    }
    return window;
}

/// The window of a message on an untyped buffer surface; false: it does nothing.
bool surface_window(const Surface& surface, Plan& plan, Window& window) {
    plan.mocs = surface.mocs;
    plan.coherent = surface.coherent;
    if (surface.null()) {
        window.size = 0;  // everything lies outside (DP-102)
        return true;
    }
    if (surface.type == packets::render_surface_state::SURFTYPE_STRBUF) {
        plan.not_modelled = "DP-148 DP-164";
        return false;
    }
    if (!surface.buffer()) {
        plan.guest_error =
            "surface type that untyped and scattered messages cannot access (DP-055)";
        return false;
    }
    window.base = surface.base;
    window.size = surface.size_bytes;
    return true;
}

bool find_window(const Decoded& d, const Message& message, const PlanContext& context, Plan& plan,
                 Window& window) {
    const ThreadSideband& sender = *message.sender;
    switch (d.model) {
        case AddressModel::A64:
            plan.coherent = d.coherent();
            plan.mocs = sender.state->stateless_mocs;
            window.a64 = true;
            return true;
        case AddressModel::A32:
            plan.coherent = d.coherent();
            plan.mocs = sender.state->stateless_mocs;
            window = a32_window(d, message, context);
            return true;
        case AddressModel::Slm:
            plan.slm = true;
            window.base = sender.slm_base;
            window.slm = true;
            if (sender.slm_size) return true;
            plan.guest_error = "SLM access from a thread group without SLM";
            return false;
        case AddressModel::Surface: {
            const Surface* surface =
                context.resolver.resolve(sender, d.binding_index, context.reader);
            if (surface) return surface_window(*surface, plan, window);
            plan.guest_error = "surface state cannot be read";
            return false;
        }
        case AddressModel::None:
            break;
    }
    return false;
}

}  // namespace

void make_plan(const Decoded& d, Message& message, const PlanContext& context, Plan& plan) {
    plan.clear();
    plan.operation = d.row->operation;
    plan.thread = message.sender->place;
    plan.requester =
        d.row->sfid == Sfid::ConstantCache ? Requester::ConstantCache : Requester::DataPort;
    if (d.row->shape == Shape::Typed || d.row->shape == Shape::MediaBlock) {
        const Surface* surface =
            context.resolver.resolve(*message.sender, d.binding_index, context.reader);
        if (!surface) {
            plan.guest_error = "surface state cannot be read";
        } else {
            plan.mocs = surface->mocs;
            plan.coherent = surface->coherent;
            if (d.row->shape == Shape::Typed)
                plan_typed(d, message, *surface, plan);
            else
                plan_media(d, message, *surface, plan);
        }
    } else {
        Window window;
        if (find_window(d, message, context, plan, window)) {
            switch (d.row->shape) {
                case Shape::ByteScattered:
                case Shape::DwordScattered:
                case Shape::A64Scattered:
                    plan_scattered(d, message, window, plan);
                    break;
                case Shape::Untyped:
                    plan_untyped(d, message, window, plan);
                    break;
                case Shape::AtomicInt:
                case Shape::AtomicFloat:
                case Shape::A64AtomicInt:
                case Shape::A64AtomicFloat:
                    plan_atomic(d, message, window, plan);
                    break;
                default:
                    plan_block(d, message, window, plan);
                    break;
            }
        }
    }
    if (plan.guest_error || plan.not_modelled) {
        plan.piece_count = 0;
        plan.lane_count = 0;
        plan.converts = false;
        zero_response(message);
    }
}

bool find_usual_window(const Decoded& d, const Message& message, const PlanContext& context,
                       Window& window) {
    const ThreadSideband& sender = *message.sender;
    switch (d.model) {
        case AddressModel::A64:
            window.a64 = true;
            return true;
        case AddressModel::A32:
            window = a32_window(d, message, context);
            return true;
        case AddressModel::Slm:
            window.base = sender.slm_base;
            window.slm = true;
            return sender.slm_size != 0;
        case AddressModel::Surface: {
            const Surface* surface =
                context.resolver.resolve(sender, d.binding_index, context.reader);
            if (!surface || !surface->buffer()) return false;
            window.base = surface->base;
            window.size = surface->size_bytes;
            return true;
        }
        case AddressModel::None:
            break;
    }
    return false;
}

void finish_plan(Message& message, const Plan& plan) {
    if (!plan.converts || plan.operation != Operation::Read) return;
    for (unsigned slot = 0; slot < 8; ++slot) {
        if (!(plan.slots_enabled >> slot & 1)) continue;
        const auto values =
            unpack(*plan.format, plan.select, plan.elements[slot], plan.slots_inside >> slot & 1);
        unsigned at = slot * 4;
        for (unsigned c = 0; c < 4; ++c) {
            if (!(plan.channels >> c & 1)) continue;
            store(message.response[0].bytes + at, values[c]);
            at += kGrfBytes;
        }
    }
}

void zero_response(Message& message) {
    const unsigned registers = std::min<unsigned>(message.response_length, Message::kMaxResponse);
    std::memset(message.response[0].bytes, 0, registers * kGrfBytes);
    for (unsigned r = 0; r < registers; ++r)
        message.response_enable[r] = ~0u;
}

}  // namespace gen9::hdc
