/* Checked access to the members of a glTF object. Messages name the object: "accessor 3: count is missing".
 */
#ifndef SINEW_VERIFY_JSON_FIELD_H
#define SINEW_VERIFY_JSON_FIELD_H

#include "sinew.h"

#include <jansson.h>

typedef struct json_place {
  const json_t *object;
  const char *kind; /* "accessor" */
  size_t index;
} json_place;

/* A member of the array root[key], which must be an object. Errors of all functions here: VERIFY. */
sinew_result field_element(const json_t *root, const char *key, const char *kind, uint64_t index,
                           json_place *place, sinew_error *error);
/* A required integer below `limit`. */
sinew_result field_index(json_place place, const char *key, uint64_t limit, uint64_t *value,
                         sinew_error *error);
/* An optional integer that is not negative; `missing` when it is not there. */
sinew_result field_size(json_place place, const char *key, uint64_t missing, uint64_t *value,
                        sinew_error *error);
/* An optional array of `count` finite numbers; values are left alone when it is not there. */
sinew_result field_numbers(json_place place, const char *key, size_t count, double *values, bool *present,
                           sinew_error *error);
/* A required object. */
sinew_result field_object(json_place place, const char *key, json_place *child, sinew_error *error);
/* A string or NULL when it is not there. */
sinew_result field_text(json_place place, const char *key, const char **text, sinew_error *error);
/* What must not stand here, with the reason. */
sinew_result field_absent(json_place place, const char *key, const char *why, sinew_error *error);

#endif
