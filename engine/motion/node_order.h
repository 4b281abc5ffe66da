/* Nodes in order: parents before their children. */
#ifndef SINEW_MOTION_NODE_ORDER_H
#define SINEW_MOTION_NODE_ORDER_H

#include "clip/motion.h"

/* Puts nodes whose parents stand behind them behind their parents, the others staying as they stand to each
 * other, and makes everything that names nodes follow: parents, bones, tracks, channels. The parents form no
 * circle. Errors: MEMORY. */
sinew_result node_order_restore(motion_file *file, sinew_error *error);

#endif
