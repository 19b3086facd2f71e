# SPDX-License-Identifier: Apache-2.0
"""What pyopencl makes kernels of: arrays, reductions, scans and functions of elements, compared with numpy's results."""
import numpy
import pyopencl
import pyopencl.array
from pyopencl.elementwise import ElementwiseKernel
from pyopencl.reduction import ReductionKernel
from pyopencl.scan import InclusiveScanKernel

context = pyopencl.create_some_context(interactive=False)
queue = pyopencl.CommandQueue(context)
values = numpy.arange(4096, dtype=numpy.float32)
on_device = pyopencl.array.to_device(queue, values)
assert ((2 * on_device + 1).get() == 2 * values + 1).all(), "arithmetic"
squares = ReductionKernel(context, numpy.int32, neutral="0", reduce_expr="a+b", map_expr="x[i]*x[i]", arguments="__global int *x")
small = numpy.arange(1000, dtype=numpy.int32)
assert squares(pyopencl.array.to_device(queue, small)).get() == (small**2).sum(), "reduction"
running = pyopencl.array.to_device(queue, small)
InclusiveScanKernel(context, numpy.int32, "a+b", neutral="0")(running)
assert (running.get() == numpy.cumsum(small)).all(), "scan"
into = pyopencl.array.empty_like(on_device)
ElementwiseKernel(context, "float a, float *x, float *z", "z[i] = a * x[n - 1 - i]")(numpy.float32(3), on_device, into)
assert (into.get() == 3 * values[::-1]).all(), "elements"
print("PASS", context.devices[0].name)
