// SPDX-License-Identifier: Apache-2.0
#include "hdc/plan/plan.h"

#include <algorithm>
#include <cstring>

#include "common/bits.h"
#include "common/register_bytes.h"
#include "hdc/plan/plan_block.h"
#include "hdc/plan/plan_lanes.h"
#include "hdc/plan/plan_surface.h"
#include "interconnect/payload/context_save.h"

namespace gen9::hdc {

void Plan::clear() {
    piece_count = 0;
    lane_count = 0;
    static_cast<MemoryFacts&>(*this) = {};
    converts = pair = atomic_returns = false;
    accesses = out_of_bounds = 0;
    alignment = 0;
    guest_error = not_modelled = nullptr;
    surface = nullptr;
    slots_enabled = slots_inside = 0;
}

Window a32_window(const Decoded& d, const Message& message, const PlanContext& context) {
    Window window;
    const PipelineState& state = *message.sender->state;
    const std::uint8_t* header = message.payload[0].bytes;
    if (message.system_routine && d.row->shape == Shape::ScratchBlock) {
        window.base = message.sender->save_area.value;
        window.size = ContextSaveLayout::kThreadBytes;
        return window;
    }
    window.base = state.general_state_base.value;
    window.size = state.general_state_size;
    if (d.header) {
        // Port 2 takes all of it (S-4); elsewhere the low bits are the thread's id.
        window.start = load<std::uint32_t>(header + 20) & (d.scaled ? ~0u : ~0x3FFu);
        if (context.check_thread_space)
            window.limit = std::uint64_t{1024} << (load<std::uint32_t>(header + 12) & 0xF);
    }
    return window;
}

namespace {

/// The target of a message on an untyped buffer surface; false: it does nothing.
bool surface_target(const Decoded& d, const Surface& surface, Plan& plan, Target& target) {
    plan.mocs = surface.mocs;
    plan.coherent = surface.coherent;
    if (surface.plain_buffer()) [[likely]] {
        target.base = surface.base;
        target.size = surface.size_bytes;
        return true;
    }
    if (surface.null()) {
        target.size = 0;  // everything lies outside (DP-102)
        return true;
    }
    const bool surface_message = d.row->shape == Shape::Untyped ||
                                 d.row->shape == Shape::AtomicInt ||
                                 d.row->shape == Shape::AtomicFloat;
    if (!surface.buffer() && !(surface.structured() && surface_message)) {
        plan.guest_error =
            "surface type that untyped and scattered messages cannot access (DP-055)";
        return false;
    }
    if (surface.tiling != Tiling::Linear) {
        plan.guest_error = "tiled buffer (DP-057)";
        return false;
    }
    target.base = surface.base;
    target.size = surface.size_bytes;
    if (surface.selects && d.row->shape == Shape::Untyped) target.select = &surface.select;
    if (surface.structured()) {
        constexpr std::uint32_t kMaxPitch = 2048;  // 11 bits (DP-060)
        target.entries = surface.entries;
        target.pitch = std::min(surface.pitch_bytes, kMaxPitch);
        target.size = surface.entries * target.pitch;
    }
    return true;
}

/// DP-051: a system routine reaches memory by stateless addresses and SLM only. Its scratch
/// messages go to the thread's context save area, whatever their header says.
bool allowed_in_system_routine(const Decoded& d, const Message& message, Plan& plan) {
    if (d.model == AddressModel::Surface)
        plan.guest_error = "surface access from a system routine (DP-051)";
    else if (d.row->shape == Shape::ScratchBlock && message.sender->save_area.value == 0)
        plan.guest_error = "a system routine without a context save area (DP-051)";
    return !plan.guest_error;
}

/// The surface a message names, or null with the reason in the plan.
const Surface* find_surface(const Decoded& d, const Message& message, const PlanContext& context,
                            Plan& plan) {
    const ThreadSideband& sender = *message.sender;
    const Surface* surface = nullptr;
    if (d.binding_index == kBindless) {
        // Bits 25:6 of the offset are bits 31:12 of the extended descriptor (DP-053; Public: mesa).
        const std::uint32_t offset = message.extended_descriptor >> 12 << 6;
        surface = context.resolver.resolve_bindless(sender, offset, context.reader);
    } else {
        surface = context.resolver.resolve(sender, d.binding_index, context.reader);
    }
    if (!surface) plan.guest_error = "surface state cannot be read";
    plan.surface = surface;
    return surface;
}

bool find_target(const Decoded& d, const Message& message, const PlanContext& context, Plan& plan,
                 Target& target) {
    const ThreadSideband& sender = *message.sender;
    switch (d.model) {
        case AddressModel::A64:
            plan.coherent = d.coherent() && !message.system_routine;
            plan.mocs = sender.state->stateless_mocs;
            target.a64 = true;
            return true;
        case AddressModel::A32:
            static_cast<Window&>(target) = a32_window(d, message, context);
            plan.coherent = d.coherent() && !message.system_routine;
            plan.mocs = sender.state->stateless_mocs;
            return true;
        case AddressModel::Slm:
            plan.slm = true;
            target.base = sender.slm_base & (context.slm_bytes - 1);
            target.size = context.slm_bytes;
            target.slm = true;
            if (!context.slm_enabled)
                plan.guest_error = "SLM access while L3CNTLREG gives no SLM (SLM-14)";
            else if (!sender.slm_size)
                plan.guest_error = "SLM access from a thread group without SLM";
            return !plan.guest_error;
        case AddressModel::Surface: {
            const Surface* surface = find_surface(d, message, context, plan);
            return surface && surface_target(d, *surface, plan, target);
        }
        case AddressModel::None:
            break;
    }
    return false;
}

/// Messages whose slots are not plain offsets after one another.
void plan_special(const Decoded& d, Message& message, const Target& target, Plan& plan) {
    switch (d.row->shape) {
        case Shape::ByteScattered:
        case Shape::A64Scattered:
            return plan_scattered_slots(d, message, target, plan);
        case Shape::Untyped:
            return plan_untyped_slots(d, message, target, plan);
        case Shape::DualBlock:
        case Shape::A64Block:
            return plan_dual_block(d, message, target, plan);
        default:
            return plan_atomic(d, message, target, plan);
    }
}

/// Structured buffers have a second parameter per slot (DP-148), which only the surface tells.
void plan_structured(Decoded d, Message& message, const Target& target, Plan& plan) {
    if (!d.pair) d.address_registers = static_cast<std::uint8_t>(d.address_registers * 2);
    if (d.data_at() + d.data_registers > message.length) {
        plan.guest_error = "payload shorter than a structured buffer needs (DP-148)";
        return;
    }
    plan_special(d, message, target, plan);
}

void plan_untyped_message(const Decoded& d, Message& message, const PlanContext& context,
                          Plan& plan) {
    Target target;
    if (!find_target(d, message, context, plan, target)) return;
    if (target.pitch) return plan_structured(d, message, target, plan);
    if (d.special() || target.special()) return plan_special(d, message, target, plan);
    switch (d.row->shape) {
        case Shape::ByteScattered:
        case Shape::DwordScattered:
        case Shape::A64Scattered:
            return plan_scattered(d, message, target, plan);
        case Shape::Untyped:
            return plan_untyped(d, message, target, plan);
        case Shape::AtomicInt:
        case Shape::AtomicFloat:
        case Shape::A64AtomicInt:
        case Shape::A64AtomicFloat:
            return plan_atomic(d, message, target, plan);
        default:
            return plan_block(d, message, target, plan);
    }
}

void plan_surface_message(const Decoded& d, Message& message, const PlanContext& context,
                          Plan& plan) {
    const Surface* surface = find_surface(d, message, context, plan);
    if (!surface) return;
    plan.mocs = surface->mocs;
    plan.coherent = surface->coherent;
    switch (d.row->shape) {
        case Shape::Typed:
            return plan_typed(d, message, *surface, plan);
        case Shape::TypedAtomic:
            return plan_typed_atomic(d, message, *surface, plan);
        case Shape::AtomicCounter:
            return plan_counter(d, message, *surface, plan);
        case Shape::MediaBlock:
            return plan_media(d, message, *surface, plan);
        case Shape::Transpose:
            return plan_transpose(d, message, *surface, plan);
        default:
            return answer_surface_info(d, message, *surface);
    }
}

}  // namespace

void make_plan(const Decoded& d, Message& message, const PlanContext& context, Plan& plan) {
    plan.clear();
    plan.operation = d.row->operation;
    plan.requester =
        d.row->sfid == Sfid::ConstantCache ? Requester::ConstantCache : Requester::DataPort;
    const bool allowed = !message.system_routine || allowed_in_system_routine(d, message, plan);
    if (allowed && d.needs_surface)
        plan_surface_message(d, message, context, plan);
    else if (allowed)
        plan_untyped_message(d, message, context, plan);
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
            store(bytes_from(message.response[0]) + (plan.pair ? slot * 16 + c * 4 : at),
                  values[c]);
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
