/* Private: rows of the tables in which contracts list their arguments. */
#ifndef SHOAL_COMPUTE_CONTRACT_H
#define SHOAL_COMPUTE_CONTRACT_H

#include <shoal/program.h>

#define VALUE(n, t)                                                                                          \
    {                                                                                                        \
        .name = n, .access = SHOAL_VALUE, .type = SHOAL_TYPE_##t                                             \
    }
#define BUFFER(n, a, t)                                                                                      \
    {                                                                                                        \
        .name = n, .access = SHOAL_##a, .type = SHOAL_TYPE_##t                                               \
    }
/* Elements of 8 bytes, e.g. float2: kernels that know more types are listed as they are by default. */
#define VECTORS(n, a)                                                                                        \
    {                                                                                                        \
        .name = n, .access = SHOAL_##a, .type = SHOAL_TYPE_STRUCT, .bytes = 8                                \
    }
#define COUNT(array) (sizeof(array) / sizeof *(array))

#endif
