/* What a Unity Avatar (class 90) holds, before its parts are bound to each other. */
#ifndef SINEW_READ_UNITY_AVATAR_H
#define SINEW_READ_UNITY_AVATAR_H

#include "read/reader.h"
#include "read/unity_scan.h"

enum { AVATAR_BODY_BONES = 25, AVATAR_HAND_BONES = 15 };

typedef struct avatar_integers { /* heap */
  int64_t *items;
  uint32_t count;
  scan_place place;
} avatar_integers;

typedef struct avatar_numbers { /* heap */
  double *items;
  uint32_t count;
  scan_place place;
} avatar_numbers;

typedef struct avatar_node {
  int64_t parent;
  int64_t axes;
  scan_place place;
} avatar_node;

typedef struct avatar_skeleton { /* heap */
  avatar_node *nodes;
  uint32_t count;
  avatar_integers ids;
  rig_axes *axes;
  uint32_t axes_count;
  scan_place place;
} avatar_skeleton;

typedef struct avatar_transform {
  double t[3], q[4], s[3];
  scan_place place;
} avatar_transform;

typedef struct avatar_pose { /* heap */
  avatar_transform *items;
  uint32_t count;
  scan_place place;
} avatar_pose;

typedef struct avatar_path { /* of a node, from m_TOS */
  uint32_t id;               /* CRC-32 of the path */
  const char *text;          /* arena */
  scan_place place;
} avatar_path;

typedef struct avatar_paths { /* heap */
  avatar_path *items;
  uint32_t count;
} avatar_paths;

typedef struct avatar_human {
  avatar_transform root;
  avatar_skeleton skeleton;
  avatar_pose pose;
  avatar_integers body_bones;
  avatar_integers hand_bones[2]; /* left, right */
  avatar_numbers mass;
  double scale;
  bool has_hand[2];
  bool has_translation_dof;
  double arm_twist, fore_arm_twist, upper_leg_twist, leg_twist, arm_stretch, leg_stretch, feet_spacing;
  scan_place place, scale_place;
} avatar_human;

typedef struct unity_avatar {
  const read_source *source;
  arena *memory;
  scan *scan;
  sinew_error *error; /* never NULL */
  rig_description *description;
  const char *name; /* arena */
  avatar_skeleton skeleton;
  avatar_pose pose;
  avatar_human human;
  avatar_integers human_nodes; /* of each node of the human skeleton: the skeleton's node */
  avatar_paths paths;
  uint32_t odd_paths; /* whose CRC-32 is not their number */
} unity_avatar;

/* Reads one field of a map into `target`, a place in the struct that the map fills. */
typedef struct avatar_rule {
  const char *name;
  sinew_result (*read)(unity_avatar *a, const scan_field *field, void *target);
  size_t target; /* offset of that place */
  bool optional;
} avatar_rule;

/* Reads the map below a field by its rules, up to one without a name; other fields are skipped. A field that
 * stands twice, or one that does not stand there and is not optional, is an error. */
sinew_result avatar_read_map(unity_avatar *a, const scan_field *map, const avatar_rule *rules, void *target);
/* The same once scan_enter has gone into it. */
sinew_result avatar_read_entered(unity_avatar *a, const scan_field *map, const scan_block *block,
                                 const avatar_rule *rules, void *target);
/* The same for an item of a list, whose dash is taken. `list` names it in messages. */
sinew_result avatar_read_item(unity_avatar *a, const scan_field *list, size_t list_column,
                              const avatar_rule *rules, void *target);

/* Fields; each takes the struct it is named for. */
sinew_result avatar_read_integers(unity_avatar *a, const scan_field *field, void *integers);
sinew_result avatar_read_numbers(unity_avatar *a, const scan_field *field, void *numbers);
sinew_result avatar_read_skeleton(unity_avatar *a, const scan_field *field, void *skeleton);
sinew_result avatar_read_pose(unity_avatar *a, const scan_field *field, void *pose);
sinew_result avatar_read_transform(unity_avatar *a, const scan_field *field, void *transform);
sinew_result avatar_read_paths(unity_avatar *a, const scan_field *field, void *paths);

void avatar_warn(unity_avatar *a, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Checks every index and count against the others and delivers the description. */
sinew_result avatar_bind(unity_avatar *a);
void avatar_release(unity_avatar *a);

#endif
