/* What a .fbx.meta's humanDescription holds, before its names are bound. */
#ifndef SINEW_READ_FBX_META_H
#define SINEW_READ_FBX_META_H

#include "read/reader.h"
#include "read/unity_scan.h"

typedef scan_place meta_place;

typedef struct meta_node {
  const char *name;
  const char *parent_name; /* empty: none stated */
  meta_place name_place;
  meta_place parent_place;
  double t[3], q[4], s[3];
} meta_node;

typedef struct meta_human {
  const char *node_name; /* NULL: the bone is not in the list */
  meta_place place;
} meta_human;

typedef struct fbx_meta {
  const read_source *source;
  arena *memory;
  sinew_error *error; /* never NULL */
  rig_description *description;
  meta_node *nodes; /* heap */
  uint32_t node_count;
  uint32_t node_capacity;
  meta_human human[HUMAN_BONE_COUNT];
} fbx_meta;

sinew_result meta_fail(const fbx_meta *m, sinew_result code, const meta_place *place, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* Past the most a description can hold the last warning says that there were more. */
void meta_warn(fbx_meta *m, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* One field of humanDescription that is a list. */
sinew_result meta_read_human(fbx_meta *m, scan *s, const scan_field *list);
sinew_result meta_read_skeleton(fbx_meta *m, scan *s, const scan_field *list);

/* Binds parents and human bones by name and delivers the nodes with parents before children. */
sinew_result meta_bind(fbx_meta *m);

#endif
