/* Values of a report as JSON: valid UTF-8, null for what is unknown or not finite, one object a line on
 * stdout. */
#ifndef CLI_JSON_LINE_H
#define CLI_JSON_LINE_H

#include "sinew.h"

#include <jansson.h>

/* NULL gives null. */
json_t *json_of_text(const char *text);
json_t *json_of_number(double value);
json_t *json_of_count(uint64_t count);
/* Three numbers. */
json_t *json_of_triple(const double value[3]);

/* {"code":"syntax","message":..,"line":..,"column":..,"byte":..} */
json_t *json_of_error(const sinew_error *error);

/* Takes the value; the program ends when jansson runs out of memory. */
void json_put(json_t *object, const char *key, json_t *value);
void json_add(json_t *array, json_t *value);

/* An object that begins with "sinew", the version. */
json_t *json_begin(void);
/* Prints and frees it. */
void json_say(json_t *object);

/* The object of an input or, when clip_name and output are not NULL, of a clip that failed. */
void failure_json(const char *input, const char *clip_name, const char *output, const sinew_error *error);

#endif
