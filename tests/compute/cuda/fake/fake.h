/* A CUDA driver and an NVRTC made of host memory, for tests of the CUDA backend without a GPU.
 *
 * The driver (libcuda.so.1, found through LD_LIBRARY_PATH) queues every command of a stream and runs it only
 * when somebody waits for it, so that host memory that is reused too early gives wrong data. Each command
 * takes one millisecond of its clock. Calls without a current context, bad handles and ranges outside an
 * allocation are refused.
 *
 * Environment:
 *   FAKE_CUDA_FAIL=SYMBOL=CODE[@N]  the N-th call (default 1) of SYMBOL from now on returns CODE, once
 *   FAKE_CUDA_FAIL=kernel=CODE      the next kernel that runs breaks the context, seen by who waits
 *   FAKE_CUDA_DEVICES, FAKE_CUDA_VERSION, FAKE_CUDA_ARCH, FAKE_CUDA_MODE, FAKE_CUDA_MEMORY,
 *   FAKE_CUDA_MAX_THREADS, FAKE_NVRTC_VERSION=MAJOR.MINOR
 *   FAKE_CUDA_COOPERATIVE=0         no launch can start all of its groups together
 *   FAKE_CUDA_PEERS=N               devices reach each other's memory: 0 no, 1 yes, 2 yes, but no further
 * peer may be added, 3 as 0, seen only when access is asked for
 *
 * The NVRTC (SHOAL_NVRTC) wraps the text; a text with "#error" fails. Kernels are those of stream.c, run on
 * the host; all kernels of a text with "cluster_dims(N" require clusters of N groups, which architectures
 * below 90 do not know.
 */
#ifndef SHOAL_TESTS_CUDA_FAKE_H
#define SHOAL_TESTS_CUDA_FAKE_H

/* What exists at the moment. */
struct fake_cuda_counts {
    int contexts, allocations, pinned, streams, events, modules;
    int depth;   /* contexts pushed by this thread */
    int pending; /* commands not run */
};

struct fake_cuda {
    struct fake_cuda_counts (*counts)(void);
    unsigned (*calls)(const char *symbol); /* since the last reset */
    void (*reset)(void);                   /* forgets calls and a broken context */
    const char *const *symbols;            /* of every function, ended by NULL */
    void *(*foreign_context)(void);        /* a current context that is not the device's */
};

/* Found with dlsym: extern const struct fake_cuda fake_cuda. */
#define FAKE_CUDA_SYMBOL "fake_cuda"

/* e_ident .. e_shnum of the fake's cubin; the text follows. */
enum { FAKE_CUBIN_HEADER = 64 };

#endif
