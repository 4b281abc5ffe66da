#include "isa.h"
#include "simd.h"

#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)

#if defined(__SSE4_1__) && !defined(__FMA__)
#define PROFILE "nofma"
#else
#define PROFILE "fma"
#endif

extern const sinew_kernels SINEW_KERNEL(kernels);

const sinew_kernels SINEW_KERNEL(kernels) = {
    .name = TEXT(SINEW_ISA),
    .profile = PROFILE,
    .width = SINEW_WIDTH,
    .sample = SINEW_KERNEL(sample),
    .rows = SINEW_KERNEL(rows),
    .muscle = SINEW_KERNEL(muscle),
    .normalise = SINEW_KERNEL(normalise),
    .euler = SINEW_KERNEL(euler),
    .angles = SINEW_KERNEL(angles),
    .fk = SINEW_KERNEL(fk),
    .fk_moved = SINEW_KERNEL(fk_moved),
    .slerp = SINEW_KERNEL(slerp),
    .hermite = SINEW_KERNEL(hermite),
    .matrices = SINEW_KERNEL(matrices),
    .body = SINEW_KERNEL(body),
    .hips = SINEW_KERNEL(hips),
    .inverse = SINEW_KERNEL(inverse),
    .root = SINEW_KERNEL(root),
    .goals = SINEW_KERNEL(goals),
    .delta = SINEW_KERNEL(delta),
    .signs = SINEW_KERNEL(signs),
    .pack_quat = SINEW_KERNEL(pack_quat),
    .pack_quat16 = SINEW_KERNEL(pack_quat16),
    .pack_vec3 = SINEW_KERNEL(pack_vec3),
    .apart = SINEW_KERNEL(apart),
    .absmax = SINEW_KERNEL(absmax),
    .stream = SINEW_KERNEL(stream),
    .places = SINEW_KERNEL(places),
};
