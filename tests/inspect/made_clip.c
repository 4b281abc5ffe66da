#include "inspect/made_clip.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void put_slope(FILE *out, const char *name, double slope) {
  if (isinf(slope))
    fprintf(out, "        %s: %sInfinity\n", name, slope < 0 ? "-" : "");
  else
    fprintf(out, "        %s: %.9g\n", name, slope);
}

static void put_curve(FILE *out, const made_curve *curve) {
  fputs("  - curve:\n      serializedVersion: 2\n      m_Curve:\n", out);
  for (size_t i = 0; i < curve->key_count; i++) {
    const made_key *key = &curve->keys[i];
    fprintf(out, "      - serializedVersion: 3\n        time: %.9g\n        value: %.9g\n", key->time_s,
            key->value);
    put_slope(out, "inSlope", key->in_slope);
    put_slope(out, "outSlope", key->out_slope);
    fprintf(
        out,
        "        tangentMode: 0\n        weightedMode: %d\n        inWeight: %.9g\n        outWeight: %.9g\n",
        key->weighted_mode, key->in_weight, key->out_weight);
  }
  fprintf(out,
          "      m_PreInfinity: 2\n      m_PostInfinity: 2\n      m_RotationOrder: 4\n    attribute: %s\n    "
          "path: \n"
          "    classID: 95\n    script: {fileID: 0}\n",
          curve->attribute);
}

char *made_clip(const char *name, double rate_hz, double stop_s, const made_curve *curves,
                size_t curve_count) {
  char *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  cr_assert(out);
  fprintf(out,
          "%%YAML 1.1\n%%TAG !u! tag:unity3d.com,2011:\n--- !u!74 &7400000\nAnimationClip:\n  m_Name: %s\n"
          "  serializedVersion: 6\n  m_Legacy: 0\n  m_FloatCurves:\n",
          name);
  for (size_t i = 0; i < curve_count; i++) put_curve(out, &curves[i]);
  fprintf(out,
          "  m_SampleRate: %.9g\n  m_AnimationClipSettings:\n    serializedVersion: 2\n    m_StartTime: 0\n"
          "    m_StopTime: %.9g\n    m_LoopTime: 1\n    m_Mirror: 0\n",
          rate_hz, stop_s);
  cr_assert_eq(fclose(out), 0);
  return text;
}
