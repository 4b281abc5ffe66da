/* The bytes every kernel gives for bits_of_kernels(): one set per profile, whatever the compiler, width or
 * machine. */
#ifndef TESTS_KERNELS_GOLDEN_H
#define TESTS_KERNELS_GOLDEN_H

#include <stdint.h>

enum golden_kernel {
  GOLDEN_SAMPLE,
  GOLDEN_MUSCLE,
  GOLDEN_NORMALISE,
  GOLDEN_FK,
  GOLDEN_BODY,
  GOLDEN_HIPS,
  GOLDEN_SIGNS,
  GOLDEN_PACK,
  GOLDEN_ABSMAX,
  GOLDEN_MATRICES,
  GOLDEN_PACK16,
  GOLDEN_FK_MOVED,
  GOLDEN_EULER,
  GOLDEN_SLERP,
  GOLDEN_HERMITE,
  GOLDEN_DELTA,
  GOLDEN_INVERSE,
  GOLDEN_ANGLES,
  GOLDEN_APART,
  GOLDEN_COUNT
};

static const uint64_t golden_fma[GOLDEN_COUNT] = {
    0x890b8c4a7134ccb2u, 0xcb9c8a7b83bee790u, 0x25d55518b39f2e05u, 0x7ac5ea7f5063289cu,
    0x4b69ee04db753dd1u, 0xff81bc1174bb07deu, 0x39b7a26a6598ed4eu, 0xaed6b89d229dd792u,
    0xfdf718b5ce23efdeu, 0xdb536deee3a4cc9eu, 0xabbe72c1d2c8b02eu, 0x058a7d19b7aab7dfu,
    0x235f0c579941fc5au, 0xc0e4146b8a2d46adu, 0x2d9228c4eaf37ac6u, 0x6f8040ed8e3b47bau,
    0x8c87fc619aef2090u,
    0x9d7c1c9c1b61d3b4u,
    0xa916c71289479bddu,
};
static const uint64_t golden_nofma[GOLDEN_COUNT] = {
    0x6c1c4ff96ce8bc4eu, 0xb3b8ffc59df46236u, 0x2e7d2bbc4f2ea702u, 0x29f1c65a1f7f1448u,
    0xf3012d3df2f5eb13u, 0x2f57b225dfc1b87fu, 0x39b7a26a6598ed4eu, 0xa09bf59159d74fdcu,
    0x05b6d18a2c56389eu, 0x239f8c717f8d24a0u, 0x95ebb90be751bc89u, 0x57a48335b2c8737fu,
    0x13012b83e6c2ba33u, 0xebe4c6573082b2a7u, 0x2783d285df493dc0u, 0x223ed47bdc7894edu,
    0xdc0dd654651acd34u,
    0x255f7400378351ecu,
    0x2f3a82b23a9641cdu,
};

#endif
