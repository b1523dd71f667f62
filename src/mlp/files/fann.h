/* Private to this folder: FANN's numbers of the activation functions that are supported. */
#ifndef SHOAL_MLP_FILES_FANN_H
#define SHOAL_MLP_FILES_FANN_H

#include "mlp/files/model.h"

enum fann_function {
    FANN_FILE_LINEAR = 0,
    FANN_FILE_SIGMOID = 3,
    FANN_FILE_SIGMOID_STEPWISE, /* stepwise: linear interpolation between six points of FANN_FILE_SIGMOID */
    FANN_FILE_SIGMOID_SYMMETRIC,
    FANN_FILE_SIGMOID_SYMMETRIC_STEPWISE
};

#endif
