# SPDX-License-Identifier: Apache-2.0
"""What our firmware prints, read strictly: reader.py takes lines, records.py the JSON in them."""
