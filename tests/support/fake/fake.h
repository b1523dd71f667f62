/* A backend without hardware, for tests of the compute layer.
 *
 * It keeps buffers in host memory and runs C functions as kernels, so that whole programs work over it. It
 * records every call of the table, fails the calls a test asks for, and watches the core: a call that breaks
 * the contract of backend.h is a breach, and an object that is never destroyed stays in fake_live().
 *
 * The state is one global record, guarded by a lock: tests configure it, then call shoal_open_with().
 */
#ifndef SHOAL_TESTS_FAKE_H
#define SHOAL_TESTS_FAKE_H

#include "compute/backend.h"

/* Tables over one state, so that two backends can show one card. The second has a prelude. Of the third,
 * kernels read memory of other devices where devices are FAKE_PEERS: the launch of such a kernel does what
 * cl/lib/link/gather.cl does, and waits in the thread that calls it. */
extern const struct backend fake_backend;       /* devices fake:0, fake:1 ... */
extern const struct backend fake_other_backend; /* devices other:0 ..., which cannot be divided */
extern const struct backend fake_peer_backend;  /* devices peer:0 ..., which cannot be divided */
#define FAKE_PRELUDE "#define FAKE_PRELUDE 1\n"

enum fake_call {
    /* Calls that can fail. */
    FAKE_OPEN,
    FAKE_DEVICE_OPEN,
    FAKE_DEVICE_DIVIDE,
    FAKE_QUEUE_CREATE,
    FAKE_QUEUE_FLUSH,
    FAKE_QUEUE_FINISH,
    FAKE_QUEUE_WAIT,
    FAKE_QUEUE_MARK,
    FAKE_SPAN_BEGIN,
    FAKE_SPAN_END,
    FAKE_BUFFER_CREATE,
    FAKE_BUFFER_WRITE,
    FAKE_BUFFER_READ,
    FAKE_BUFFER_COPY,
    FAKE_BUFFER_FILL,
    FAKE_BLOCK_CREATE,
    FAKE_ENQUEUE_WRITE,
    FAKE_ENQUEUE_READ,
    FAKE_PEER_OPEN,
    FAKE_PEER_COPY,
    FAKE_PROGRAM_BUILD,
    FAKE_PROGRAM_LOAD,
    FAKE_PROGRAM_BINARY,
    FAKE_KERNEL_CREATE,
    FAKE_KERNEL_LIMIT,
    FAKE_LAUNCH,
    FAKE_EVENT_WAIT,
    FAKE_EVENT_TIMES,
    FAKE_EVENT_GAP,
    /* Calls that cannot fail. */
    FAKE_CLOSE,
    FAKE_DEVICE_CLOSE,
    FAKE_QUEUE_DESTROY,
    FAKE_BUFFER_DESTROY,
    FAKE_BLOCK_DESTROY,
    FAKE_PROGRAM_DESTROY,
    FAKE_KERNEL_DESTROY,
    FAKE_EVENT_DESTROY,
    FAKE_CALLS
};

/* Name of the table's function, e.g. "buffer_write". */
const char *fake_call_name(enum fake_call call);

/* Set-up ------------------------------------------------------------------------------------------------ */

/* Resets the state: no devices, no kernels, no records, and no call that is to fail. */
void fake_reset(void);
/* A GPU with 64 MiB, work-groups up to 256, fp64 and 64-bit atomics, no PCI address. */
struct shoal_device_info fake_gpu(const char *name);
/* Adds a device to `backend`, one of the tables; strings are not copied. */
void fake_add_device(const struct backend *backend, const struct shoal_device_info *info);
/* Sets the number of NUMA nodes into which each device can be divided; 0, as at first: the driver knows of
 * none. */
void fake_set_numa_nodes(uint32_t nodes);
/* Whether devices of one table reach each other's memory. At first they do not. FAKE_PEERS_LIE: they say so,
 * but the copies bring other bytes. FAKE_PEERS_TEAR: copies above 4 KiB lose their last byte. */
enum fake_peers { FAKE_NO_PEERS, FAKE_PEERS, FAKE_PEERS_LIE, FAKE_PEERS_TEAR };
void fake_set_peers(enum fake_peers peers);
/* Calls fake_reset and adds one device fake_gpu("Fake GPU") to fake_backend. */
void fake_reset_one_gpu(void);

/* Largest work-group that `entry` can run with whatever the device allows; as kernel_limit reports it. */
void fake_set_kernel_limit(const char *entry, uint32_t limit);

/* One argument of a running kernel: the memory of a buffer, or the value. */
struct fake_arg {
    void *data;
    size_t bytes;
};

struct fake_run {
    const char *entry;
    size_t groups;
    uint32_t work_group;
    size_t arg_count;
    struct fake_arg args[MAX_ARGS];
};

typedef void (*fake_kernel_fn)(const struct fake_run *run);

/* Registers `run`, which is called for each launch of `entry`. Without a registered function a launch does
 * nothing. */
void fake_register_kernel(const char *entry, fake_kernel_fn run);

/* Failures ---------------------------------------------------------------------------------------------- */

/* The nth call (1: the next call) that can fail does so with `status`. Later calls work again. */
void fake_fail_nth(unsigned n, enum shoal_status status);
/* As fake_fail_nth, but counts only calls of one function, independently of fake_fail_nth. */
void fake_fail_call(enum fake_call call, unsigned n, enum shoal_status status);
/* Until this is called with false, queue_finish does not return. */
void fake_hold_finish(bool hold);
/* Number of calls of queue_finish that are held, or have not returned since. */
unsigned fake_held(void);
/* The nth launch from now is accepted; its error appears at the queue's next finish or read. */
void fake_fail_later(unsigned n, enum shoal_status status);
/* Every later call on the device fails with SHOAL_DEVICE_LOST, as when a card falls off the bus. */
void fake_lose_device(const char *id);
/* The function whose call was failed last; FAKE_CALLS: no call was failed yet. */
enum fake_call fake_failed_call(void);
/* Native code that failed calls report. */
enum { FAKE_NATIVE_ERROR = -77 };

/* Records ----------------------------------------------------------------------------------------------- */

struct fake_record {
    enum fake_call call;
    char text[200]; /* "fake:0 offset=4 bytes=16" */
};

void fake_clear_records(void);
size_t fake_record_count(void);
const struct fake_record *fake_record_at(size_t index);
/* Number of recorded calls of one function. */
size_t fake_count(enum fake_call call);
/* Text of the last record of one function; "" where there is none. */
const char *fake_last(enum fake_call call);
/* Names of all recorded calls in order, separated by blanks; valid until the next call. */
const char *fake_sequence(void);
/* Text and defines ("A=1 B=2") of the last call of program_build. */
const char *fake_built_text(void);
const char *fake_built_defines(void);

/* Objects (devices opened, queues, buffers, programs, kernels, events) that exist now. */
size_t fake_live(void);
/* Calls that broke the contract of backend.h; each is printed to stderr. */
size_t fake_breaches(void);

#endif
