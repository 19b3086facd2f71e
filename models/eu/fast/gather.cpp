// SPDX-License-Identifier: Apache-2.0
// Regions that are not plain packed registers, brought into packed lanes and back.
#include <cmath>
#include <limits>
#include <type_traits>

#include "common/bits.h"
#include "eu/fast/request.h"
#include "eu/half.h"
#include "eu/thread.h"

namespace gen9::eu::fast {

namespace {

template <class T>
void apply_modifier(T* lane, unsigned count, std::uint8_t modifier) {
    if constexpr (std::is_floating_point_v<T>) {
        if (modifier & FastOperands::kAbsolute)
            for (unsigned i = 0; i < count; ++i)
                lane[i] = std::fabs(lane[i]);
        if (modifier & FastOperands::kNegate)
            for (unsigned i = 0; i < count; ++i)
                lane[i] = -lane[i];
    } else {
        using I = std::make_signed_t<T>;
        if (modifier & FastOperands::kAbsolute)
            for (unsigned i = 0; i < count; ++i)
                lane[i] = static_cast<I>(lane[i]) < 0 ? T(0) - lane[i] : lane[i];
        if (modifier & FastOperands::kNegate)
            for (unsigned i = 0; i < count; ++i)
                lane[i] = T(0) - lane[i];
        if (modifier & FastOperands::kInvert)
            for (unsigned i = 0; i < count; ++i)
                lane[i] = ~lane[i];
    }
}

/// A half float in a register, so that it is not taken for a word.
struct HalfBits {
    std::uint16_t bits;
};

template <class T, class S>
T to_lane(S value) {
    if constexpr (std::is_same_v<S, HalfBits>)
        return static_cast<T>(half_to_float(value.bits));
    else
        return static_cast<T>(value);
}

/// Float to integer: clamps, NaN gives 0, towards zero (EU-127).
template <class I, class F>
I clamped(F value) {
    if (value != value) return 0;
    const F end = std::ldexp(F{1}, std::numeric_limits<I>::digits);
    if (value >= end) return std::numeric_limits<I>::max();
    if (std::is_signed_v<I> ? value < -end : value < F{0}) return std::numeric_limits<I>::min();
    return static_cast<I>(value);
}

template <class D, class T>
D to_element(T value) {
    if constexpr (std::is_same_v<D, HalfBits>)
        return {double_to_half(value, Rounding::NearestEven)};
    else if constexpr (std::is_same_v<T, double> && std::is_same_v<D, float>)
        // A double denormal becomes a zero in any case; so does what it would round to.
        return static_cast<float>(value);
    else if constexpr (std::is_floating_point_v<T> && std::is_integral_v<D>)
        return clamped<D>(value);
    else
        return static_cast<D>(value);
}

enum class Shape { Scalar, Packed, Stride2, Region };

/// Elements of type S as lanes of type T.
template <class S, class T, Shape kShape>
void gather(const Thread& thread, const DecodedInstruction& d, unsigned index, void* buffer) {
    const FastOperands& f = d.fast;
    const unsigned count = d.instruction.exec_size;
    T* lane = static_cast<T*>(buffer);
    if (kShape == Shape::Scalar && f.immediate[index]) {
        const T value = load<T>(&f.constant);
        for (unsigned i = 0; i < count; ++i)
            lane[i] = value;
        return;
    }
    const std::uint8_t* origin = thread.grf[0].bytes + f.source[index];
    if constexpr (kShape == Shape::Scalar) {
        const T value = to_lane<T>(load<S>(origin));
        for (unsigned i = 0; i < count; ++i)
            lane[i] = value;
    } else if constexpr (kShape == Shape::Packed || kShape == Shape::Stride2) {
        constexpr unsigned step = kShape == Shape::Packed ? sizeof(S) : 2 * sizeof(S);
        // Blocks of a fixed size become host vectors.
        unsigned i = 0;
        for (; i + 8 <= count; i += 8)
            for (unsigned k = 0; k < 8; ++k)
                lane[i + k] = to_lane<T>(load<S>(origin + (i + k) * step));
        for (; i < count; ++i)
            lane[i] = to_lane<T>(load<S>(origin + i * step));
    } else {
        const isa::Operand& region = d.instruction.src[index];
        const unsigned row_step = region.vert_stride * unsigned{sizeof(S)},
                       step = region.horz_stride * unsigned{sizeof(S)};
        const std::uint8_t* row = origin;
        for (unsigned first = 0; first < count; first += region.width, row += row_step)
            for (unsigned x = 0; x < region.width; ++x)
                lane[first + x] = to_lane<T>(load<S>(row + x * step));
    }
    if (f.modifier[index]) apply_modifier(lane, count, f.modifier[index]);
}

template <class S, class T>
Gather of_shape(Shape shape) {
    switch (shape) {
        case Shape::Scalar:
            return gather<S, T, Shape::Scalar>;
        case Shape::Packed:
            return gather<S, T, Shape::Packed>;
        case Shape::Stride2:
            return gather<S, T, Shape::Stride2>;
        case Shape::Region:
            return gather<S, T, Shape::Region>;
    }
    return nullptr;
}

/// Extends by the source type's sign, then takes the lane's bits.
template <class T>
Gather of_integer(isa::Type type, Shape shape) {
    using isa::Type;
    switch (type) {
        case Type::B:
            return of_shape<std::int8_t, T>(shape);
        case Type::UB:
            return of_shape<std::uint8_t, T>(shape);
        case Type::W:
            return of_shape<std::int16_t, T>(shape);
        case Type::UW:
            return of_shape<std::uint16_t, T>(shape);
        case Type::D:
            return of_shape<std::int32_t, T>(shape);
        case Type::UD:
            return of_shape<std::uint32_t, T>(shape);
        case Type::Q:
        case Type::UQ:
            return of_shape<std::uint64_t, T>(shape);
        case Type::HF:
            return of_shape<std::uint16_t, T>(shape);
        case Type::F:
            return of_shape<std::uint32_t, T>(shape);
        case Type::DF:
            return of_shape<std::uint64_t, T>(shape);
        default:
            return nullptr;
    }
}

Shape shape_of(const isa::Operand& operand, unsigned lanes, bool immediate) {
    if (immediate || lanes == 1 || operand.replicate) return Shape::Scalar;
    unsigned stride;
    if (operand.width == 1)
        stride = operand.vert_stride;
    else if (lanes <= operand.width || operand.vert_stride == operand.width * operand.horz_stride)
        stride = operand.horz_stride;
    else
        return Shape::Region;
    return stride == 0   ? Shape::Scalar
           : stride == 1 ? Shape::Packed
           : stride == 2 ? Shape::Stride2
                         : Shape::Region;
}

template <class T, class D>
void scatter(Thread& thread, const DecodedInstruction& d, const void* buffer, std::uint32_t lanes) {
    const T* lane = static_cast<const T*>(buffer);
    const unsigned count = d.instruction.exec_size,
                   step = (d.instruction.dst.horz_stride ? d.instruction.dst.horz_stride : 1) *
                          unsigned{sizeof(D)};
    std::uint8_t* origin = thread.grf[0].bytes + d.fast.destination;
    for (unsigned i = 0; i < count; ++i)
        if (lanes >> i & 1) store(origin + i * step, to_element<D>(lane[i]));
}

void discard(Thread&, const DecodedInstruction&, const void*, std::uint32_t) {}

}  // namespace

Gather pick_gather(isa::Type type, Lane lane, const isa::Operand& operand, unsigned lanes) {
    using isa::Type;
    const Shape shape = shape_of(operand, lanes, operand.file == isa::RegFile::Imm);
    // A region whose rows are longer than the instruction reads only the first lanes.
    if (shape == Shape::Region && operand.width > lanes) return nullptr;
    switch (lane) {
        case Lane::I32:
        case Lane::U32:
            return of_integer<std::uint32_t>(type, shape);
        case Lane::I64:
        case Lane::U64:
            return of_integer<std::uint64_t>(type, shape);
        case Lane::Single:
            switch (type) {
                case Type::F:
                    return of_shape<float, float>(shape);
                case Type::HF:
                    return of_shape<HalfBits, float>(shape);
                case Type::Q:
                    return of_shape<std::int64_t, float>(shape);
                case Type::UQ:
                    return of_shape<std::uint64_t, float>(shape);
                default:
                    return nullptr;
            }
        case Lane::Double:
            switch (type) {
                case Type::DF:
                    return of_shape<double, double>(shape);
                case Type::F:
                    return of_shape<float, double>(shape);
                case Type::W:
                    return of_shape<std::int16_t, double>(shape);
                case Type::UW:
                    return of_shape<std::uint16_t, double>(shape);
                case Type::D:
                    return of_shape<std::int32_t, double>(shape);
                case Type::UD:
                    return of_shape<std::uint32_t, double>(shape);
                case Type::Q:
                    return of_shape<std::int64_t, double>(shape);
                case Type::UQ:
                    return of_shape<std::uint64_t, double>(shape);
                default:
                    return nullptr;
            }
        default:
            return nullptr;
    }
}

namespace {

template <class T>
Scatter of_float(isa::Type type) {
    using isa::Type;
    switch (type) {
        case Type::F:
            return scatter<T, float>;
        case Type::HF:
            return scatter<T, HalfBits>;
        case Type::B:
            return scatter<T, std::int8_t>;
        case Type::UB:
            return scatter<T, std::uint8_t>;
        case Type::W:
            return scatter<T, std::int16_t>;
        case Type::UW:
            return scatter<T, std::uint16_t>;
        case Type::D:
            return scatter<T, std::int32_t>;
        case Type::UD:
            return scatter<T, std::uint32_t>;
        case Type::Q:
            return scatter<T, std::int64_t>;
        case Type::UQ:
            return scatter<T, std::uint64_t>;
        case Type::DF:
            return scatter<T, double>;
        default:
            return nullptr;
    }
}

/// Integer lanes give the low bytes of a smaller or equal element.
template <class T>
Scatter of_size(unsigned bytes) {
    switch (bytes) {
        case 1:
            return scatter<T, std::uint8_t>;
        case 2:
            return scatter<T, std::uint16_t>;
        case 4:
            return scatter<T, std::uint32_t>;
        default:
            return sizeof(T) == 8 ? scatter<T, std::uint64_t> : nullptr;
    }
}

}  // namespace

Scatter pick_scatter(Lane lane, isa::Type type, bool null) {
    if (null) return discard;
    switch (lane) {
        case Lane::Single:
            return of_float<float>(type);
        case Lane::Double:
            return of_float<double>(type);
        case Lane::I64:
        case Lane::U64:
            return of_size<std::uint64_t>(isa::size_bytes(type));
        default:
            return of_size<std::uint32_t>(isa::size_bytes(type));
    }
}

}  // namespace gen9::eu::fast
