/* The part of the CUDA driver API and of NVRTC that shoal uses. It is declared here, so that a build needs no
 * CUDA header, and loaded at run time, so that a program without a GPU needs no CUDA library.
 *
 * Names are those of the symbols in the libraries, with the version suffix that macros of cuda.h hide.
 * Handles are pointers to the structs that cuda.h declares. Enumerations are passed as `unsigned`, their
 * integer type on every ABI for which shoal builds. tests/compute/cuda/test_api.c compares all these
 * declarations with the real headers.
 */
#ifndef SHOAL_COMPUTE_CUDA_API_H
#define SHOAL_COMPUTE_CUDA_API_H

#include <stdbool.h>
#include <stddef.h>

typedef unsigned cu_result;
typedef int cu_device;
typedef unsigned long long cu_pointer; /* address in device memory */
typedef struct CUctx_st *cu_context;
typedef struct CUstream_st *cu_stream;
typedef struct CUevent_st *cu_event;
typedef struct CUmod_st *cu_module;
typedef struct CUfunc_st *cu_function;

enum {
    DRIVER_SUCCESS = 0,
    DRIVER_OUT_OF_MEMORY = 2,
    DRIVER_DEINITIALIZED = 4,
    DRIVER_NO_DEVICE = 100,
    DRIVER_INVALID_IMAGE = 200,
    DRIVER_NO_BINARY_FOR_GPU = 209,
    DRIVER_ECC_UNCORRECTABLE = 214,
    DRIVER_PEER_ACCESS_UNSUPPORTED = 217,
    DRIVER_INVALID_PTX = 218,
    DRIVER_NVLINK_UNCORRECTABLE = 220,
    DRIVER_JIT_COMPILER_NOT_FOUND = 221,
    DRIVER_UNSUPPORTED_PTX_VERSION = 222,
    DRIVER_CONTAINED = 226,
    DRIVER_NOT_FOUND = 500,
    DRIVER_ILLEGAL_ADDRESS = 700,
    DRIVER_LAUNCH_OUT_OF_RESOURCES = 701,
    DRIVER_LAUNCH_TIMEOUT = 702,
    DRIVER_PEER_ACCESS_ALREADY_ENABLED = 704,
    DRIVER_CONTEXT_IS_DESTROYED = 709,
    DRIVER_ASSERT = 710,
    DRIVER_TOO_MANY_PEERS = 711,
    DRIVER_HARDWARE_STACK_ERROR = 714,
    DRIVER_ILLEGAL_INSTRUCTION = 715,
    DRIVER_MISALIGNED_ADDRESS = 716,
    DRIVER_INVALID_ADDRESS_SPACE = 717,
    DRIVER_INVALID_PC = 718,
    DRIVER_LAUNCH_FAILED = 719,
    DRIVER_TENSOR_MEMORY_LEAK = 721,
    DRIVER_SYSTEM_DRIVER_MISMATCH = 803,
    DRIVER_MPS_CLIENT_TERMINATED = 810,
    DRIVER_EXTERNAL_DEVICE = 911,
    DRIVER_INVALID_CLUSTER_SIZE = 912,
    DRIVER_UNKNOWN = 999
};

/* Attributes of devices: CUdevice_attribute. */
enum {
    DEVICE_MAX_THREADS_PER_BLOCK = 1,
    DEVICE_MAX_SHARED_MEMORY_PER_BLOCK = 8,
    DEVICE_WARP_SIZE = 10,
    DEVICE_MULTIPROCESSOR_COUNT = 16,
    DEVICE_COMPUTE_MODE = 20,
    DEVICE_PCI_BUS_ID = 33,
    DEVICE_PCI_DEVICE_ID = 34,
    DEVICE_PCI_DOMAIN_ID = 50,
    DEVICE_COMPUTE_CAPABILITY_MAJOR = 75,
    DEVICE_COMPUTE_CAPABILITY_MINOR = 76,
    DEVICE_COOPERATIVE_LAUNCH = 95,
    DEVICE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN = 97
};

enum { COMPUTE_MODE_PROHIBITED = 2 };

/* Attributes of functions: CUfunction_attribute. */
enum {
    FUNCTION_MAX_THREADS_PER_BLOCK = 0,
    FUNCTION_MAX_DYNAMIC_SHARED_SIZE_BYTES = 8,
    FUNCTION_REQUIRED_CLUSTER_WIDTH = 11,
    FUNCTION_NON_PORTABLE_CLUSTER_SIZE_ALLOWED = 14
};

/* Options of the driver's linker: CUjit_option. */
enum { JIT_ERROR_LOG_BUFFER = 5, JIT_ERROR_LOG_BUFFER_SIZE_BYTES = 6 };

/* CUlaunchConfig, which cuda.h declares as struct CUlaunchConfig_st. */
struct CUlaunchConfig_st;
struct cu_launch_config {
    unsigned grid_x, grid_y, grid_z, block_x, block_y, block_z, shared_bytes;
    cu_stream stream;
    void *attributes;
    unsigned attribute_count;
};

/* CUlaunchAttribute, and the attribute of it that shoal uses. In cuda.h the value is a union of 64 bytes. */
struct cu_launch_attribute {
    unsigned id, padding;
    union {
        char all[64];
        int allowed;
    } value;
};
enum { LAUNCH_PROGRAMMATIC_STREAM_SERIALIZATION = 6 };

enum { STREAM_NON_BLOCKING = 1 };
enum { MEMHOSTALLOC_PORTABLE = 1 }; /* pinned for every context */
enum { EVENT_DEFAULT = 0, EVENT_DISABLE_TIMING = 2 };

/* Calls F(symbol, parameters) for each function of the driver; each function returns cu_result. */
#define CUDA_DRIVER_FUNCTIONS(F)                                                                             \
    F(cuInit, (unsigned flags))                                                                              \
    F(cuDriverGetVersion, (int *version))                                                                    \
    F(cuGetErrorName, (cu_result code, const char **name))                                                   \
    F(cuGetErrorString, (cu_result code, const char **text))                                                 \
    F(cuDeviceGetCount, (int *count))                                                                        \
    F(cuDeviceGet, (cu_device * device, int ordinal))                                                        \
    F(cuDeviceGetName, (char *name, int size, cu_device device))                                             \
    F(cuDeviceTotalMem_v2, (size_t * bytes, cu_device device))                                               \
    F(cuDeviceGetAttribute, (int *value, unsigned attribute, cu_device device))                              \
    F(cuDeviceCanAccessPeer, (int *can, cu_device device, cu_device peer))                                   \
    F(cuDevicePrimaryCtxRetain, (cu_context * context, cu_device device))                                    \
    F(cuDevicePrimaryCtxRelease_v2, (cu_device device))                                                      \
    F(cuCtxGetCurrent, (cu_context * context))                                                               \
    F(cuCtxPushCurrent_v2, (cu_context context))                                                             \
    F(cuCtxPopCurrent_v2, (cu_context * context))                                                            \
    F(cuCtxEnablePeerAccess, (cu_context peer, unsigned flags))                                              \
    F(cuMemGetInfo_v2, (size_t * available, size_t * total))                                                 \
    F(cuMemAlloc_v2, (cu_pointer * memory, size_t bytes))                                                    \
    F(cuMemFree_v2, (cu_pointer memory))                                                                     \
    F(cuMemHostAlloc, (void **memory, size_t bytes, unsigned flags))                                         \
    F(cuMemFreeHost, (void *memory))                                                                         \
    F(cuMemcpyHtoDAsync_v2, (cu_pointer target, const void *source, size_t bytes, cu_stream stream))         \
    F(cuMemcpyDtoHAsync_v2, (void *target, cu_pointer source, size_t bytes, cu_stream stream))               \
    F(cuMemcpyDtoDAsync_v2, (cu_pointer target, cu_pointer source, size_t bytes, cu_stream stream))          \
    F(cuMemcpyPeerAsync, (cu_pointer target, cu_context target_context, cu_pointer source,                   \
                          cu_context source_context, size_t bytes, cu_stream stream))                        \
    F(cuMemcpyDtoH_v2, (void *target, cu_pointer source, size_t bytes))                                      \
    F(cuMemsetD32Async, (cu_pointer target, unsigned word, size_t words, cu_stream stream))                  \
    F(cuStreamCreate, (cu_stream * stream, unsigned flags))                                                  \
    F(cuStreamDestroy_v2, (cu_stream stream))                                                                \
    F(cuStreamSynchronize, (cu_stream stream))                                                               \
    F(cuStreamWaitEvent, (cu_stream stream, cu_event event, unsigned flags))                                 \
    F(cuEventCreate, (cu_event * event, unsigned flags))                                                     \
    F(cuEventRecord, (cu_event event, cu_stream stream))                                                     \
    F(cuEventSynchronize, (cu_event event))                                                                  \
    F(cuEventElapsedTime, (float *milliseconds, cu_event start, cu_event end))                               \
    F(cuEventDestroy_v2, (cu_event event))                                                                   \
    F(cuModuleLoadDataEx,                                                                                    \
      (cu_module * module, const void *image, unsigned count, unsigned *options, void **values))             \
    F(cuModuleUnload, (cu_module module))                                                                    \
    F(cuModuleGetFunction, (cu_function * function, cu_module module, const char *name))                     \
    F(cuModuleGetGlobal_v2, (cu_pointer * memory, size_t * bytes, cu_module module, const char *name))       \
    F(cuFuncGetAttribute, (int *value, unsigned attribute, cu_function function))                            \
    F(cuFuncSetAttribute, (cu_function function, unsigned attribute, int value))                             \
    F(cuOccupancyMaxActiveBlocksPerMultiprocessor,                                                           \
      (int *groups, cu_function function, int work_group, size_t shared_bytes))                              \
    F(cuLaunchKernel, (cu_function function, unsigned grid_x, unsigned grid_y, unsigned grid_z,              \
                       unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_bytes,          \
                       cu_stream stream, void **params, void **extra))

/* Functions that a driver may lack; their pointers are then NULL. cuOccupancyMaxActiveClusters and
 * cuLaunchKernelEx exist since CUDA 11.8, and cuFuncGetParamInfo, which only tests use, since 12.4;
 * cuLaunchCooperativeKernel since 9.0. */
#define CUDA_DRIVER_OPTIONAL_FUNCTIONS(F)                                                                    \
    F(cuOccupancyMaxActiveClusters,                                                                          \
      (int *clusters, cu_function function, const struct CUlaunchConfig_st *config))                         \
    F(cuFuncGetParamInfo, (cu_function function, size_t index, size_t * offset, size_t * bytes))             \
    F(cuLaunchCooperativeKernel,                                                                             \
      (cu_function function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,            \
       unsigned block_y, unsigned block_z, unsigned shared_bytes, cu_stream stream, void **params))          \
    F(cuLaunchKernelEx,                                                                                      \
      (const struct CUlaunchConfig_st *config, cu_function function, void **params, void **extra))

typedef unsigned nvrtc_result;
typedef struct _nvrtcProgram *nvrtc_program;

enum { NVRTC_OK = 0, NVRTC_OUT_OF_MEMORY = 1, NVRTC_COMPILATION = 6 };

/* Calls F(symbol, parameters) for each function of NVRTC; each function returns nvrtc_result. */
#define NVRTC_FUNCTIONS(F)                                                                                   \
    F(nvrtcVersion, (int *major, int *minor))                                                                \
    F(nvrtcGetNumSupportedArchs, (int *count))                                                               \
    F(nvrtcGetSupportedArchs, (int *architectures))                                                          \
    F(nvrtcCreateProgram, (nvrtc_program * program, const char *text, const char *name, int header_count,    \
                           const char *const *headers, const char *const *header_names))                     \
    F(nvrtcDestroyProgram, (nvrtc_program * program))                                                        \
    F(nvrtcCompileProgram, (nvrtc_program program, int option_count, const char *const *options))            \
    F(nvrtcGetPTXSize, (nvrtc_program program, size_t * bytes))                                              \
    F(nvrtcGetPTX, (nvrtc_program program, char *ptx))                                                       \
    F(nvrtcGetCUBINSize, (nvrtc_program program, size_t * bytes))                                            \
    F(nvrtcGetCUBIN, (nvrtc_program program, char *cubin))                                                   \
    F(nvrtcGetProgramLogSize, (nvrtc_program program, size_t * bytes))                                       \
    F(nvrtcGetProgramLog, (nvrtc_program program, char *log))

#define CUDA_API_MEMBER(symbol, parameters)  cu_result(*symbol) parameters;
#define NVRTC_API_MEMBER(symbol, parameters) nvrtc_result(*symbol) parameters;

struct cuda_driver {
    void *library;
    int version; /* newest CUDA version that the driver supports: 1000 major + 10 minor */
    CUDA_DRIVER_FUNCTIONS(CUDA_API_MEMBER)
    CUDA_DRIVER_OPTIONAL_FUNCTIONS(CUDA_API_MEMBER)
};

struct nvrtc {
    void *library;
    int major, minor;
    int *architectures; /* the compute capabilities, times 10, for which this NVRTC compiles, ascending */
    int architecture_count;
    NVRTC_FUNCTIONS(NVRTC_API_MEMBER)
    const char *(*nvrtcGetErrorString)(nvrtc_result code);
};

#undef CUDA_API_MEMBER
#undef NVRTC_API_MEMBER

enum { LOAD_REASON_SIZE = 768 };

/* Loads libcuda and initialises it. On failure `reason` is a sentence that names the missing library and says
 * what to install. */
bool cuda_driver_load(struct cuda_driver *driver, char reason[LOAD_REASON_SIZE]);
void cuda_driver_unload(struct cuda_driver *driver);

/* Loads NVRTC. If $SHOAL_NVRTC is set, only that file is tried. Otherwise takes the first library found whose
 * major version the driver supports, since an older driver does not load its code, or else the first library
 * found. driver_version 0: any version is supported. */
bool nvrtc_load(struct nvrtc *nvrtc, int driver_version, char reason[LOAD_REASON_SIZE]);
void nvrtc_unload(struct nvrtc *nvrtc);

#endif
