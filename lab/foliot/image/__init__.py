# SPDX-License-Identifier: Apache-2.0
"""What is in a firmware's ELF file: functions, variables, sections, and what they weigh."""
