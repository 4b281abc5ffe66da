/* The keys of a curve, from text to a key_store. */
#ifndef SINEW_READ_UNITY_KEYS_H
#define SINEW_READ_UNITY_KEYS_H

#include "read/key_store.h"
#include "read/unity_scan.h"

/* Reads the list below m_Curve and appends its keys: times strictly ascending, all numbers as clip.h wants
 * them, the store's count at most key_limit. Errors: SYNTAX, LIMIT, MEMORY. */
sinew_result unity_read_keys(scan *s, const scan_block *list, uint64_t key_limit, key_store *store);

#endif
