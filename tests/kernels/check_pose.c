/* Joints, body frame and hips against double precision. float32 rounds each of about fifteen products on the
 * way to a joint by 6e-8, which adds up to 1e-6 radians (1e-4 degrees) at the end of a chain and less on the
 * way there; frames and hips are quaternions of a few factors: 5e-5 degrees. */
#include "figure.h"

#include <math.h>
#include <string.h>

enum { FIGURES = 12 };

typedef struct pose_buffers {
  guarded local, root, model, com, frame, hips_t, hips_q, node_t, node_q;
} pose_buffers;

static bool pose_open(pose_buffers *p) {
  memset(p, 0, sizeof *p);
  return guarded_open(&p->local, FIGURE_BONES * 4 * SINEW_BLOCK) && guarded_open(&p->root, 7 * SINEW_BLOCK) &&
         guarded_open(&p->model, FIGURE_BONES * SINEW_MODEL_PLANES * SINEW_BLOCK) &&
         guarded_open(&p->com, 3 * SINEW_BLOCK) && guarded_open(&p->frame, 4 * SINEW_BLOCK) &&
         guarded_open(&p->hips_t, 3 * SINEW_BLOCK) && guarded_open(&p->hips_q, 4 * SINEW_BLOCK) &&
         guarded_open(&p->node_t, 3 * SINEW_BLOCK) && guarded_open(&p->node_q, 4 * SINEW_BLOCK);
}
static bool pose_intact(const pose_buffers *p) {
  return guarded_intact(&p->local) && guarded_intact(&p->root) && guarded_intact(&p->model) &&
         guarded_intact(&p->com) && guarded_intact(&p->frame) && guarded_intact(&p->hips_t) &&
         guarded_intact(&p->hips_q) && guarded_intact(&p->node_t) && guarded_intact(&p->node_q);
}
static void pose_close(pose_buffers *p) {
  guarded *all[] = {&p->local,  &p->root,   &p->model,  &p->com,   &p->frame,
                    &p->hips_t, &p->hips_q, &p->node_t, &p->node_q};
  for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) guarded_close(all[i]);
}

static void random_quats(dice *d, float *quats, int count) {
  for (int i = 0; i < count; i++)
    for (int f = 0; f < SINEW_BLOCK; f++) {
      double q[4];
      dice_quat(d, q);
      for (int c = 0; c < 4; c++) quats[(i * 4 + c) * SINEW_BLOCK + f] = (float)q[c];
    }
}
static void lane(const float *planes, int count, int f, double *out) {
  for (int i = 0; i < count; i++) out[i] = (double)planes[i * SINEW_BLOCK + f];
}

/* ---- forward kinematics ---- */

typedef struct fk_errors {
  double reach, turn_deg; /* position, as a share of the figure's reach; rotation */
} fk_errors;

static void fk_errors_add(const figure *fig, const pose_buffers *p, const float *root_t, const float *root_q,
                          fk_errors *e) {
  for (int f = 0; f < SINEW_BLOCK; f++) {
    double local[FIGURE_BONES][4], position[FIGURE_BONES][3], rotation[FIGURE_BONES][4], origin[3] = {0},
                                                                                         got[7];
    for (int j = 0; j < FIGURE_BONES; j++) lane(p->local.values + j * 4 * SINEW_BLOCK, 4, f, local[j]);
    if (root_t) lane(root_t, 3, f, origin);
    if (root_q) lane(root_q, 4, f, local[0]);
    ref_fk(fig->ref_joints, FIGURE_BONES, (const double(*)[4])local, origin, position, rotation);
    for (int j = 0; j < FIGURE_BONES; j++) {
      lane(p->model.values + j * SINEW_MODEL_PLANES * SINEW_BLOCK, 7, f, got);
      double square = 0;
      for (int c = 0; c < 3; c++) square += (got[c] - position[j][c]) * (got[c] - position[j][c]);
      e->reach = square == square ? fmax(e->reach, sqrt(square) / fig->height_m) : INFINITY;
      if (fig->joints[j].rotation_unused) continue;
      const double off_deg = ref_angle_deg(got + 3, rotation[j]);
      e->turn_deg = off_deg == off_deg ? fmax(e->turn_deg, off_deg) : INFINITY;
    }
  }
}

/* Marks the leaves, as a rig does whose leaves' rotations nobody reads. */
static void mark_leaves(figure *fig) {
  for (int j = 0; j < FIGURE_BONES; j++) fig->joints[j].rotation_unused = 1;
  for (int j = 0; j < FIGURE_BONES; j++)
    if (fig->joints[j].parent >= 0) fig->joints[fig->joints[j].parent].rotation_unused = 0;
}
static bool unused_untouched(const figure *fig, const float *model) {
  for (int j = 0; j < FIGURE_BONES; j++)
    for (int i = 3 * SINEW_BLOCK; i < SINEW_MODEL_PLANES * SINEW_BLOCK && fig->joints[j].rotation_unused; i++)
      if (model[j * SINEW_MODEL_PLANES * SINEW_BLOCK + i] == model[j * SINEW_MODEL_PLANES * SINEW_BLOCK + i])
        return false;
  return true;
}

/* A root alone, whose rotation nobody reads. */
static bool lone_root_is_left_alone(const sinew_kernels *k, pose_buffers *p) {
  const sinew_fk_joint root = {.parent = -1, .rotation_unused = 1};
  const sinew_fk_rig rig = {1, &root};
  float *rotation = p->model.values + 3 * SINEW_BLOCK;
  for (int i = 0; i < 4 * SINEW_BLOCK; i++) rotation[i] = NAN;
  k->fk(&rig, p->local.values, p->root.values, NULL, p->model.values);
  for (int i = 0; i < 4 * SINEW_BLOCK; i++)
    if (rotation[i] == rotation[i]) return false;
  return memcmp(p->model.values, p->root.values, 3 * SINEW_BLOCK * sizeof(float)) == 0;
}

void check_fk(const sinew_kernels *k, check *c) {
  pose_buffers p;
  fk_errors at_origin = {0}, placed = {0};
  bool untouched = true;
  const bool memory = pose_open(&p);
  dice d = {11};
  for (uint64_t seed = 1; seed <= FIGURES && memory; seed++) {
    figure fig;
    figure_make(&fig, seed);
    mark_leaves(&fig);
    random_quats(&d, p.local.values, FIGURE_BONES);
    random_quats(&d, p.root.values + 3 * SINEW_BLOCK, 1);
    for (int i = 0; i < 3 * SINEW_BLOCK; i++) p.root.values[i] = (float)dice_between(&d, -0.5, 0.5);
    for (int i = 0; i < FIGURE_BONES * SINEW_MODEL_PLANES * SINEW_BLOCK; i++) p.model.values[i] = NAN;
    k->fk(&fig.fk, p.local.values, NULL, NULL, p.model.values);
    fk_errors_add(&fig, &p, NULL, NULL, &at_origin);
    untouched = untouched && unused_untouched(&fig, p.model.values);
    k->fk(&fig.fk, p.local.values, p.root.values, p.root.values + 3 * SINEW_BLOCK, p.model.values);
    fk_errors_add(&fig, &p, p.root.values, p.root.values + 3 * SINEW_BLOCK, &placed);
  }
  check_that(c, memory && at_origin.reach <= 1e-6, "fk: places off by %.1e of 1e-6 of the height",
             at_origin.reach);
  check_that(c, memory && placed.reach <= 1e-6, "fk: with a root: places off by %.1e of 1e-6 of the height",
             placed.reach);
  check_that(c, memory && fmax(at_origin.turn_deg, placed.turn_deg) <= 1e-4,
             "fk: rotations off by %.1e of 1e-4 deg", fmax(at_origin.turn_deg, placed.turn_deg));
  untouched = untouched && memory && lone_root_is_left_alone(k, &p);
  check_that(c, memory && untouched, "fk: leaves unused rotations alone");
  check_that(c, memory && pose_intact(&p), "fk: writes nothing beside its planes");
  pose_close(&p);
}

/* ---- matrices ---- */

/* Elements are sums of three products of numbers up to 1, of quaternions that are unit up to their rounding.
 */
void check_matrices(const sinew_kernels *k, check *c) {
  enum { COUNT = 5 };
  guarded model, out;
  dice d = {37};
  double worst = 0;
  bool placed = true, memory = guarded_open(&model, COUNT * SINEW_MODEL_PLANES * SINEW_BLOCK);
  memory = guarded_open(&out, COUNT * 12 * SINEW_BLOCK) && memory;
  for (int j = 0; j < COUNT && memory; j++) {
    float *joint = model.values + j * SINEW_MODEL_PLANES * SINEW_BLOCK;
    for (int i = 0; i < 3 * SINEW_BLOCK; i++) joint[i] = (float)dice_between(&d, -100, 100);
    random_quats(&d, joint + 3 * SINEW_BLOCK, 1);
  }
  if (memory) k->matrices(model.values, COUNT, out.values);
  for (int i = 0; i < COUNT * SINEW_BLOCK && memory; i++) {
    const int j = i / SINEW_BLOCK, f = i % SINEW_BLOCK;
    double joint[7], want[12], got[12];
    lane(model.values + j * SINEW_MODEL_PLANES * SINEW_BLOCK, 7, f, joint);
    lane(out.values + j * 12 * SINEW_BLOCK, 12, f, got);
    ref_matrix(joint, joint + 3, want);
    for (int m = 0; m < 12; m++) {
      const double off = fabs(got[m] - want[m]);
      if (m % 4 == 3) placed = placed && got[m] == want[m];
      worst = off == off ? fmax(worst, off) : INFINITY;
    }
  }
  check_that(c, memory && worst <= 4e-7, "matrices: elements off by %.1e of 4e-7", worst);
  check_that(c, memory && placed, "matrices: positions bit for bit");
  check_that(c, memory && guarded_intact(&model) && guarded_intact(&out),
             "matrices: writes nothing beside its planes");
  guarded_close(&model);
  guarded_close(&out);
}

/* ---- body ---- */

static void point(const pose_buffers *p, int joint, int f, double out[3]) {
  lane(p->model.values + joint * SINEW_MODEL_PLANES * SINEW_BLOCK, 3, f, out);
}

static void body_errors(const figure *fig, const pose_buffers *p, double *com_m, double *frame_deg) {
  for (int f = 0; f < SINEW_BLOCK; f++) {
    double want[3] = {0}, got[4], points[4][3], frame[4];
    for (int j = 0; j < FIGURE_BONES; j++) {
      double at[3];
      point(p, j, f, at);
      for (int c = 0; c < 3; c++) want[c] += (double)fig->weights[j] * at[c];
    }
    lane(p->com.values, 3, f, got);
    for (int c = 0; c < 3; c++) *com_m = got[c] == got[c] ? fmax(*com_m, fabs(got[c] - want[c])) : INFINITY;
    for (int s = 0; s < 2; s++) {
      point(p, fig->body.upper_leg[s], f, points[s]);
      point(p, fig->body.upper_arm[s], f, points[2 + s]);
    }
    ref_body_frame((const double(*)[3])points, fig->hips_rest, frame);
    lane(p->frame.values, 4, f, got);
    const double off = ref_angle_deg(got, frame);
    *frame_deg = off == off ? fmax(*frame_deg, off) : INFINITY;
  }
}

/* Places the four joints near a standing body, seen before the turn by the hips' T-pose rotation. */
static void standing(dice *d, const figure *fig, float *model) {
  static const double stand[4][3] = {{-0.1, 0, 0}, {0.1, 0, 0}, {-0.2, 0.5, 0}, {0.2, 0.5, 0}};
  const int joints[4] = {fig->body.upper_leg[0], fig->body.upper_leg[1], fig->body.upper_arm[0],
                         fig->body.upper_arm[1]};
  double back[4];
  ref_quat_conj(fig->hips_rest, back);
  for (int i = 0; i < 4; i++)
    for (int f = 0; f < SINEW_BLOCK; f++) {
      double at[3];
      for (int c = 0; c < 3; c++) at[c] = stand[i][c] + dice_between(d, -0.09, 0.09);
      ref_rotate(back, at, at);
      for (int c = 0; c < 3; c++)
        model[(joints[i] * SINEW_MODEL_PLANES + c) * SINEW_BLOCK + f] = (float)at[c];
    }
}

/* All origins in one point, then legs and arms each in one: no frame, so the identity. */
static bool degenerate_is_identity(const sinew_kernels *k, const figure *fig, pose_buffers *p) {
  for (int flat = 0; flat < 2; flat++) {
    for (int i = 0; i < FIGURE_BONES * SINEW_MODEL_PLANES * SINEW_BLOCK; i++) p->model.values[i] = 0.25f;
    for (int s = 0; s < 2 && flat; s++)
      for (int f = 0; f < SINEW_BLOCK; f++)
        p->model.values[(fig->body.upper_arm[s] * SINEW_MODEL_PLANES + 1) * SINEW_BLOCK + f] = 0.75f;
    k->body(&fig->body, p->model.values, p->com.values, p->frame.values);
    for (int i = 0; i < 4 * SINEW_BLOCK; i++)
      if (p->frame.values[i] != (i < 3 * SINEW_BLOCK ? 0.0f : 1.0f)) return false;
  }
  return true;
}

void check_body(const sinew_kernels *k, check *c) {
  pose_buffers p;
  double com_m = 0, frame_deg = 0;
  bool identity = true;
  const bool memory = pose_open(&p);
  dice d = {13};
  for (uint64_t seed = 1; seed <= FIGURES && memory; seed++) {
    figure fig;
    figure_make(&fig, seed);
    for (int i = 0; i < FIGURE_BONES * SINEW_MODEL_PLANES * SINEW_BLOCK; i++)
      p.model.values[i] = (float)dice_between(&d, -1, 1);
    standing(&d, &fig, p.model.values);
    k->body(&fig.body, p.model.values, p.com.values, p.frame.values);
    body_errors(&fig, &p, &com_m, &frame_deg);
    identity = identity && degenerate_is_identity(k, &fig, &p);
  }
  check_that(c, memory && com_m <= 1e-6, "body: centre of mass off by %.1e of 1e-6 m", com_m);
  check_that(c, memory && frame_deg <= 5e-5, "body: frame off by %.1e of 5e-5 deg", frame_deg);
  check_that(c, memory && identity, "body: coinciding origins give the identity");
  check_that(c, memory && pose_intact(&p), "body: writes nothing beside its planes");
  pose_close(&p);
}

/* ---- hips ---- */

typedef struct hips_errors {
  double t_m, q_deg;
} hips_errors;

static void hips_errors_add(const ref_hips *rig, const pose_buffers *p, hips_errors *e) {
  for (int f = 0; f < SINEW_BLOCK; f++) {
    double root[7], com[3], frame[4], t[3], q[4], node_t[3], node_q[4], got_t[3], got_q[4];
    lane(p->root.values, 7, f, root);
    lane(p->com.values, 3, f, com);
    lane(p->frame.values, 4, f, frame);
    ref_hips_place(rig, root, root + 3, com, frame, t, q, node_t, node_q);
    for (int node = 0; node < 2; node++) {
      lane(node ? p->node_t.values : p->hips_t.values, 3, f, got_t);
      lane(node ? p->node_q.values : p->hips_q.values, 4, f, got_q);
      const double off_deg = ref_angle_deg(got_q, node ? node_q : q);
      e->q_deg = off_deg == off_deg ? fmax(e->q_deg, off_deg) : INFINITY;
      for (int c = 0; c < 3; c++) {
        const double off_m = fabs(got_t[c] - (node ? node_t[c] : t[c]));
        e->t_m = off_m == off_m ? fmax(e->t_m, off_m) : INFINITY;
      }
    }
  }
}

void check_hips(const sinew_kernels *k, check *c) {
  pose_buffers p;
  hips_errors turned = {0}, plain = {0};
  const bool memory = pose_open(&p);
  dice d = {17};
  for (uint64_t seed = 1; seed <= FIGURES && memory; seed++) {
    figure fig;
    figure_make(&fig, seed);
    for (int i = 0; i < 3 * SINEW_BLOCK; i++) {
      p.root.values[i] = (float)dice_between(&d, -1, 1);
      p.com.values[i] = (float)dice_between(&d, -0.2, 0.2);
    }
    random_quats(&d, p.root.values + 3 * SINEW_BLOCK, 1);
    random_quats(&d, p.frame.values, 1);
    for (int i = 3 * SINEW_BLOCK; i < 7 * SINEW_BLOCK; i++) /* as sampled: of any length */
      p.root.values[i] *= (float)(1 + i % SINEW_BLOCK) * 0.25f;
    for (int i = 0; i < 4; i++) p.root.values[(3 + i) * SINEW_BLOCK] = 0; /* no length at all: the identity */
    k->hips(&fig.body, p.root.values, p.com.values, p.frame.values, p.hips_t.values, p.hips_q.values,
            p.node_t.values, p.node_q.values);
    hips_errors_add(&fig.ref_hips, &p, &turned);
    fig.body.has_above = 0;
    fig.ref_hips.above_scale = 1;
    for (int i = 0; i < 3; i++) fig.ref_hips.above_t[i] = 0, fig.ref_hips.above_q[i] = 0;
    fig.ref_hips.above_q[3] = 1;
    k->hips(&fig.body, p.root.values, p.com.values, p.frame.values, p.hips_t.values, p.hips_q.values,
            p.node_t.values, p.node_q.values);
    hips_errors_add(&fig.ref_hips, &p, &plain);
  }
  /* translations: two to three metres in sight, doubled by a scale above of a half */
  check_that(c, memory && turned.t_m <= 2e-6, "hips: place off by %.1e of 2e-6 m", turned.t_m);
  check_that(c, memory && turned.q_deg <= 5e-5, "hips: rotation off by %.1e of 5e-5 deg", turned.q_deg);
  check_that(c, memory && plain.t_m <= 2e-6 && plain.q_deg <= 5e-5,
             "hips: parent at the identity: off by %.1e m, %.1e deg", plain.t_m, plain.q_deg);
  check_that(c, memory && pose_intact(&p), "hips: writes nothing beside its planes");
  pose_close(&p);
}
