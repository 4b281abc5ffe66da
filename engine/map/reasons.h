/* A map's sentences. */
#ifndef SINEW_MAP_REASONS_H
#define SINEW_MAP_REASONS_H

#include "map/map.h"

enum { MAP_SENTENCE = 512 };

/* "the left upper arm", "the hips" */
const char *map_bone_words(int bone, char *text, size_t size);
/* Fills reason[] of every mapped bone. False when out of memory. */
bool map_write_reasons(const skeleton *s, human_map *map);
/* "no human map: the head and both feet are missing" and why, where that is known. */
void map_missing_sentence(const int32_t *node_of_bone, const char *why, char *text, size_t size);
/* Past MAP_WARNING_LIMIT it is dropped. False when out of memory. */
bool map_warn(human_map *map, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
