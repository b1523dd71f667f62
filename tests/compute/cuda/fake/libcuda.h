/* Private to the fake driver. */
#ifndef SHOAL_TESTS_CUDA_LIBCUDA_H
#define SHOAL_TESTS_CUDA_LIBCUDA_H

#include "fake.h"

#include "compute/cuda/api.h"

#include <stdbool.h>
#include <stddef.h>

/* The prototypes of api.h: the fake cannot differ from what the backend calls. */
#define DECLARE(symbol, parameters) cu_result symbol parameters;
CUDA_DRIVER_FUNCTIONS(DECLARE)
CUDA_DRIVER_OPTIONAL_FUNCTIONS(DECLARE)
#undef DECLARE

enum { FAKE_NO_CONTEXT = 201, FAKE_INVALID_CLUSTER_SIZE = 912, FAKE_PORTABLE_CLUSTER = 8 };
enum { FAKE_MAX_PARAMETERS = 32, FAKE_PARAMETER_BYTES = 656 };

/* One work-item: `arguments` point at copies. */
typedef void (*fake_kernel_fn)(unsigned global_id, void *const *arguments);

struct CUfunc_st {
    struct CUfunc_st *next;
    char name[64];
    fake_kernel_fn run;
    size_t count, bytes[FAKE_MAX_PARAMETERS];
    unsigned max_dynamic;
    int cluster_width; /* 0: no cluster is required */
    bool may_be_wide;
};

extern struct fake_cuda_counts fake_counts;
/* A sticky error: every call in a context returns it. */
extern cu_result fake_broken;

/* Counts the call, injects failures, checks for a context. */
cu_result fake_begin(const char *symbol, bool in_context);
cu_result fake_failure(const char *symbol);
/* Whether the range lies in an allocation; context: of which one, NULL: of any. */
bool fake_inside(cu_pointer memory, size_t bytes, cu_context context);
/* Whether `context`, the current one, was given access to the memory of `peer`. */
bool fake_may_access(cu_context context, cu_context peer);
/* The number in an environment variable; otherwise `otherwise`. */
long fake_setting(const char *name, long otherwise);
/* Runs what is pending on every stream. */
void fake_run_all(void);
fake_kernel_fn fake_kernel(const char *name);

#define BEGIN_(symbol, in_context)                                                                           \
    do {                                                                                                     \
        cu_result code_ = fake_begin(#symbol, in_context);                                                   \
        if (code_)                                                                                           \
            return code_;                                                                                    \
    } while (0)
#define CALL(symbol)            BEGIN_(symbol, false)
#define CALL_IN_CONTEXT(symbol) BEGIN_(symbol, true)
/* For functions that release something: they do so even when they report a failure, except without a context.
 */
#define CALL_THAT_RELEASES(symbol, code)                                                                     \
    cu_result code = fake_begin(#symbol, true);                                                              \
    if (code == FAKE_NO_CONTEXT)                                                                             \
    return code

#endif
