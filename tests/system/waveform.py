# SPDX-License-Identifier: Apache-2.0
"""waveform.py GEN9SIM CAPTURE: a timed replay leaves the memory that the capture expects, and its waveform agrees with
its statistics."""
import waveform_counters  # noqa: F401
import waveform_follow  # noqa: F401
from checks import finish

finish()
