/* The quick way to places, verify_places, held against the plain one, verify_positions: on every instruction
 * set the same places, and where a file is refused the same words. */
#ifndef TESTS_WRITE_FOLLOWED_H
#define TESTS_WRITE_FOLLOWED_H

#include "verify/verify.h"

/* positions, result and error: what verify_positions gave for frames first..first+count-1; `end`: how far may
 * be read ahead. Asserts that verify_places gives the same on each instruction set. */
void followed_expect(const verify_file *file, const uint32_t *nodes, uint32_t node_count, uint64_t first,
                     uint32_t count, uint64_t end, const double *positions, sinew_result result,
                     const sinew_error *error);

#endif
