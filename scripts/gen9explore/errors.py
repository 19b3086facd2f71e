# SPDX-License-Identifier: Apache-2.0
class UserError(Exception):
    """A wrong SPEC, option or file: told in one line."""
