# SPDX-License-Identifier: Apache-2.0
#
# Included by an application whose checks are TEST()s (test.h). One with a main()
# of its own takes check.c alone.

target_sources(app PRIVATE ${CMAKE_CURRENT_LIST_DIR}/check.c ${CMAKE_CURRENT_LIST_DIR}/test.c)
target_include_directories(app PRIVATE ${CMAKE_CURRENT_LIST_DIR} ${FOLIOT_ROOT})
if(CONFIG_TEST_USER)
  target_sources(app PRIVATE ${CMAKE_CURRENT_LIST_DIR}/in_user_mode.c)
  foliot_system_calls(prepare start in_isr note owner_of test_sem_init test_mutex_init test_condvar_init
    test_event_init test_timer_init test_queue_init)
endif()
