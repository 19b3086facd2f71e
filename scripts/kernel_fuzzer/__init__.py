# SPDX-License-Identifier: Apache-2.0
"""What scripts/fuzz-kernels is made of: random kernels, the devices that run them, a minimiser."""
