/* Private: outputs of a single row. The results have the same bits as those of pass.h, which computes blocks
 * of rows. */
#ifndef SHOAL_MLP_HOST_ROW_H
#define SHOAL_MLP_HOST_ROW_H

#include "mlp/model/net.h"

/* Number of doubles of scratch memory that a row needs. */
size_t row_scratch(const struct net *net);
/* Computes the predictions of inputs[net->inputs] into outputs[net->outputs]. Any thread may call this, with
 * scratch memory of its own. */
void row_predict(const struct net *net, const double *parameters, const double *inputs, double *scratch,
                 double *outputs);

#endif
