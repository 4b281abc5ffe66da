/* Memory that lives until the process ends and stays reachable, so that a leak checker has nothing to say of it. */
#ifndef TESTS_SUPPORT_KEEP_H
#define TESTS_SUPPORT_KEEP_H

#include <stddef.h>

void *test_keep(size_t count, size_t size); /* zeroed; never NULL */
char *test_keep_text(const char *text);
/* Releases all of it before the end, in a test that keeps much. */
void test_keep_release(void);

#endif
