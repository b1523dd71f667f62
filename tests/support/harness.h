/* Private to tests: runs the tests of kernels and whole runs on every device that is asked for.
 *
 * $SHOAL_TEST_DEVICES   selector as for --device; default: the first OpenCL CPU device.
 *                       "host" has no kernels and is left out. No device is a failure.
 * $SHOAL_TEST_VARIANT   cl, cu or auto (default)
 * $SHOAL_TEST_SIZES     full (default), tiny: sizes and work-groups for a simulator, or groups: those that
 *                       $SHOAL_TEST_GROUPS_SIZES of the test names
 * $SHOAL_TEST_SHARE     "2/3": the second of each three cases, see harness_takes_case; default: all
 * $SHOAL_TEST_TURN      "1/4": of these a quarter, in no order, and those of quick; default: all. With a
 *                       share of the cases a quarter of the functions, too, and those that are by_turn
 * $SHOAL_TEST_FUNCTIONS "1/4": a quarter of the programs, see test_takes_function; default: all
 * $SHOAL_TEST_OPTIMISED as $SHOAL_TEST_SHARE: the cases that compilers for CPUs optimise; default: all
 * $SHOAL_TEST_VECTORS   folder of published vectors
 */
#ifndef SHOAL_TESTS_HARNESS_H
#define SHOAL_TESTS_HARNESS_H

#include "test.h"

struct harness {
    struct shoal *shoal;
    struct shoal_device *device;
    const struct shoal_device_info *info;
    struct shoal_queue *queue;
    enum shoal_variant variant;
    bool tiny;
    struct test_share taken, turn, optimised; /* which cases are tested, and which are optimised */
    bool by_function;                         /* a share of the functions is tested */
    unsigned cases;                           /* number of cases so far, of the function if by_function */
    bool first;                               /* the next case is the first of its test */
};

/* The state of the harness for the device that is being tested. */
extern struct harness harness;

/* As cmocka_unit_test, for a function that quick runs in every turn: these launch each kernel. */
#define by_turn(function)                                                                                    \
    {                                                                                                        \
        .name = #function, .test_func = function, .initial_state = &harness                                  \
    }

/* Runs the tests once for each device; returns what main returns. */
int harness_main(const char *name, const struct CMUnitTest *tests, size_t count);

/* Odd sizes around powers of two and work-groups; 0 ends the list. */
const size_t *harness_sizes(void);
/* Whether double precision is to be tested on this device. Prints a line where the device has none. */
bool harness_has_fp64(void);

/* Is the next case to be tested? Compilers of kernels take most of the time, so quick runs, and those that
 * look at the host's code alone, take a share of the cases of a program, and the first of each of its tests.
 * Shares of a prime number, as loops within a test often have two or four turns, would otherwise meet one of
 * them only.
 */
bool harness_takes_case(void);
/* As harness_takes_case, and true for the first case of each kind: where kinds are kernels, each kernel is
 * launched in every run. */
bool harness_takes_case_of(const char *kind);

/* Host memory that the test's end need not free. */
void *harness_memory(size_t bytes);
/* Buffers of the device, released by harness_release. Sizes of 0 are taken as 1. */
struct shoal_buffer *harness_upload(const void *data, size_t bytes);
/* Creates a buffer filled with bytes 0xA5, so that writes outside a result show. */
struct shoal_buffer *harness_buffer(size_t bytes);
void harness_read(struct shoal_buffer *buffer, void *data, size_t bytes);
/* Releases memory and buffers: the harness at the end of a test, larger tests between sizes too. */
void harness_release(void);

/* A solver of a registered workload on a device, the host's included; the caller destroys it. Where native
 * kernels are asked for, a solver has those that there are. */
struct shoal_solver *harness_solver(const char *workload, struct shoal_device *device, const void *params);
/* Makes up to `steps` steps; returns how many were made. */
uint64_t harness_step(struct shoal_solver *solver, uint64_t steps);
/* The numbers of the solver's state, in memory of the harness. */
double *harness_state(struct shoal_solver *solver, size_t *count);

/* Random words from stream `stream` of SHOAL_STREAM_TEST's seed, the same in each run. */
void harness_words(uint32_t *words, size_t n, uint32_t step);

/* Finds a contract of the library by its name. */
const struct shoal_program_desc *harness_program(const char *name);

#endif
