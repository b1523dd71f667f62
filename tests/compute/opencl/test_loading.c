/* Several queues of PoCL in a process: a launch that is wider than those of its kernel before runs alone,
 * since PoCL then loads code (src/compute/opencl/loading.c). */
#include "real.h"

#include <CL/cl.h>
#include <pthread.h>

enum { THREADS = 4, LAUNCHES = 200, MOST_QUEUES = 16 };

/* What the OpenCL calls of the library show, guarded by the lock. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct seen {
    cl_command_queue queue;
    cl_kernel kernel;
    size_t widest;
    unsigned pending; /* launches since the last clFinish */
    bool loads;       /* the last launch was wider than all before */
} seen[MOST_QUEUES];
static unsigned load_count, faults;

cl_int __real_clEnqueueNDRangeKernel(cl_command_queue, cl_kernel, cl_uint, const size_t *, const size_t *,
                                     const size_t *, cl_uint, const cl_event *, cl_event *);
cl_int __wrap_clEnqueueNDRangeKernel(cl_command_queue, cl_kernel, cl_uint, const size_t *, const size_t *,
                                     const size_t *, cl_uint, const cl_event *, cl_event *);
cl_int __real_clFinish(cl_command_queue);
cl_int __wrap_clFinish(cl_command_queue);

/* The entry of a queue, which is new at its first call. */
static struct seen *entry_of(cl_command_queue native)
{
    struct seen *entry = seen;
    while (entry->queue && entry->queue != native)
        entry++;
    entry->queue = native;
    return entry;
}

cl_int __wrap_clEnqueueNDRangeKernel(cl_command_queue native, cl_kernel kernel, cl_uint dim,
                                     const size_t *offset, const size_t *global, const size_t *local,
                                     cl_uint count, const cl_event *waits, cl_event *event)
{
    pthread_mutex_lock(&lock);
    struct seen *own = entry_of(native);
    if (own->kernel != kernel)
        own->widest = 0;
    const bool is_wider = *global > own->widest;
    for (const struct seen *entry = seen; entry->queue; entry++)
        faults += is_wider ? entry->pending > 0 : entry->pending > 0 && entry->loads;
    load_count += is_wider;
    own->kernel = kernel;
    own->loads = is_wider;
    own->widest = is_wider ? *global : own->widest;
    own->pending++;
    pthread_mutex_unlock(&lock);
    return __real_clEnqueueNDRangeKernel(native, kernel, dim, offset, global, local, count, waits, event);
}

cl_int __wrap_clFinish(cl_command_queue native)
{
    const cl_int code = __real_clFinish(native);
    pthread_mutex_lock(&lock);
    entry_of(native)->pending = 0;
    pthread_mutex_unlock(&lock);
    return code;
}

struct worker {
    pthread_t thread;
    struct shoal_queue *queue;
    struct shoal_kernel *kernel;
    struct shoal_buffer *x, *y;
    bool grows;
    enum shoal_status status;
    struct shoal_error error;
};

static void *launch_all(void *argument)
{
    struct worker *worker = argument;
    const struct shoal_arg args[] = {shoal_arg_uint(1), shoal_arg_buffer(worker->x),
                                     shoal_arg_buffer(worker->y)};
    for (size_t i = 1; i <= LAUNCHES && !worker->status; i++)
        worker->status =
            shoal_launch(worker->queue, worker->kernel, worker->grows ? i : 1, args, 3, NULL, &worker->error);
    return NULL;
}

static bool is_pocl(void)
{
    return strstr(shoal_device_get_info(device)->platform, "Portable Computing Language") != NULL;
}

static void wider_launches_run_alone(void **state)
{
    (void)state;
    while (real_next_device()) {
        struct shoal_program *program = real_build(device, 32);
        struct worker workers[THREADS] = {0};
        memset(seen, 0, sizeof seen);
        load_count = faults = 0;
        for (int i = 0; i < THREADS; i++) {
            struct worker *worker = &workers[i];
            worker->grows = i < 2;
            worker->x = real_buffer(device, 4);
            worker->y = real_buffer(device, 4);
            assert_ok(shoal_queue_create(device, 0, &worker->queue, &test_error));
            assert_ok(shoal_kernel_create(program, "add", &worker->kernel, &test_error));
            assert_ok(shoal_buffer_fill(worker->queue, worker->x, 0, 4, 1, &test_error));
            assert_ok(shoal_buffer_fill(worker->queue, worker->y, 0, 4, 0, &test_error));
        }
        for (int i = 0; i < THREADS; i++)
            assert_int_equal(pthread_create(&workers[i].thread, NULL, launch_all, &workers[i]), 0);
        for (int i = 0; i < THREADS; i++)
            pthread_join(workers[i].thread, NULL);
        if (is_pocl()) {
            assert_int_equal(load_count, 2 * LAUNCHES + THREADS - 2);
            assert_int_equal(faults, 0);
        }
        for (int i = 0; i < THREADS; i++) {
            struct worker *worker = &workers[i];
            if (worker->status)
                print_error("thread %d: %s\n", i, worker->error.message);
            assert_int_equal(worker->status, SHOAL_OK);
            real_expect_words(worker->queue, worker->y, 1, LAUNCHES);
            shoal_buffer_destroy(&worker->x);
            shoal_buffer_destroy(&worker->y);
            shoal_kernel_destroy(&worker->kernel);
            shoal_queue_destroy(&worker->queue);
        }
        shoal_program_destroy(&program);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {REAL_TEST(wider_launches_run_alone)};
    return cmocka_run_group_tests_name("loading", tests, NULL, NULL);
}
