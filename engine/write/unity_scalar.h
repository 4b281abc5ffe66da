/* A text as a scalar of Unity's YAML. */
#ifndef SINEW_WRITE_UNITY_SCALAR_H
#define SINEW_WRITE_UNITY_SCALAR_H

#include "write/text_out.h"

/* Well-formed UTF-8 on one line: plain where nothing in it means anything to YAML, else between single
 * quotes, and with escapes between double ones where it holds control characters or others that YAML does not
 * print. An empty text is nothing at all. */
void unity_scalar(text_out *out, const char *text);

#endif
