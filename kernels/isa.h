/* The names a kernel source exports: each ends in the instruction set it is compiled for (meson passes
 * -DSINEW_ISA). */
#ifndef SINEW_ISA_H
#define SINEW_ISA_H

#include "kernels.h"

#define SINEW_JOIN_(a, b) a##_##b
#define SINEW_JOIN(a, b) SINEW_JOIN_(a, b)
#define SINEW_KERNEL(name) SINEW_JOIN(sinew_##name, SINEW_ISA)

void SINEW_KERNEL(sample)(const sinew_curve *curves, size_t curve_count, const double *time_s, float *planes);
void SINEW_KERNEL(rows)(const float *rows, size_t stride, uint32_t frames, uint32_t columns, float *planes);
void SINEW_KERNEL(muscle)(const sinew_muscle_rig *rig, const float *planes, float *local);
void SINEW_KERNEL(normalise)(float *quats, size_t count);
void SINEW_KERNEL(euler)(const sinew_euler_joint *joints, size_t count, const float *planes, float *local);
void SINEW_KERNEL(angles)(const sinew_angle_joint *joints, size_t count, const float *local, float *planes);
void SINEW_KERNEL(fk)(const sinew_fk_rig *rig, const float *local, const float *root_t, const float *root_q,
                      float *model);
void SINEW_KERNEL(fk_moved)(const sinew_fk_rig *rig, const float *local, const float *places, float *model);
void SINEW_KERNEL(slerp)(const float *a, const float *b, const float *share, size_t count, float *out);
void SINEW_KERNEL(hermite)(const float *p0, const float *m0, const float *p1, const float *m1, const float *u,
                           size_t count, float *out);
void SINEW_KERNEL(matrices)(const float *model, size_t joint_count, float *matrices);
void SINEW_KERNEL(body)(const sinew_body_rig *rig, const float *model, float *com, float *frame);
void SINEW_KERNEL(hips)(const sinew_body_rig *rig, const float *root, const float *com, const float *frame,
                        float *hips_t, float *hips_q, float *node_t, float *node_q);
void SINEW_KERNEL(inverse)(const sinew_inverse_rig *rig, const float *turns, float *planes);
void SINEW_KERNEL(root)(const sinew_body_rig *rig, const float *com, const float *frame, const float *hips_t,
                        const float *hips_q, float *root);
void SINEW_KERNEL(goals)(const sinew_goal_rig *rig, const float *ends, const float *com, const float *frame,
                         float *goals);
void SINEW_KERNEL(delta)(const sinew_delta_rig *rig, const float *model, float *turned, float *local,
                         float *hips_t, float *hips_q, float *node_t);
void SINEW_KERNEL(signs)(const float *quats, size_t count, uint64_t *flips);
void SINEW_KERNEL(pack_quat)(const float *quat, uint64_t flips, float *xyzw);
void SINEW_KERNEL(pack_quat16)(const float *quat, uint64_t flips, int16_t *xyzw);
void SINEW_KERNEL(pack_vec3)(const float *planes, float *xyz);
void SINEW_KERNEL(apart)(const float *a, size_t a_stride, const float *b, size_t b_stride, size_t count,
                         float *angles);
void SINEW_KERNEL(absmax)(const float *planes, size_t plane_count, uint32_t *bits);
void SINEW_KERNEL(stream)(const float *from, size_t count, float *to);
int SINEW_KERNEL(places)(const sinew_placing *in, double *scratch, double *squares, double *places);

#endif
