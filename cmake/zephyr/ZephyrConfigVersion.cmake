# SPDX-License-Identifier: Apache-2.0
#
# Whose kernel API this is. One that asks for a later version, or a major one before, is refused.

set(PACKAGE_VERSION 4.2.0)
if(NOT PACKAGE_FIND_VERSION VERSION_GREATER PACKAGE_VERSION)
  set(PACKAGE_VERSION_COMPATIBLE TRUE)
endif()
