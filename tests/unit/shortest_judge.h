/* The C++ library's shortest decimals. */
#ifndef TESTS_UNIT_SHORTEST_JUDGE_H
#define TESTS_UNIT_SHORTEST_JUDGE_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { JUDGE_BYTES = 400 };
/* d.ddde-dd; fixed: with `decimals` digits behind the point. Returns the length; a zero follows.
 */
size_t judge_float(char *buffer, float value);
size_t judge_double(char *buffer, double value);
size_t judge_fixed(char *buffer, double value, int decimals);

#ifdef __cplusplus
}
#endif
#endif
