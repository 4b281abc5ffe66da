/* Strict JSON: no key twice in an object. */
#ifndef SINEW_BASE_JSON_TEXT_H
#define SINEW_BASE_JSON_TEXT_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

/* The most that jansson takes while it reads a text and for the tree that it returns. */
uint64_t json_text_need(const char *bytes, size_t byte_count);

/* The caller gives the tree back with json_decref. NULL: *out_of_memory, or `reason` says what is wrong with
 * the text. */
json_t *json_text_parse(const char *bytes, size_t byte_count, json_error_t *reason, bool *out_of_memory);

#endif
