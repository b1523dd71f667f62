/* What may be used from several threads at once, and one cache folder under several writers. Run it under the
 * thread sanitizer: most of what it can find is there. */
#include "scenario.h"

#include "base/input.h"
#include "compute/log.h"
#include "compute/program/cache.h"

#include <dirent.h>

enum { THREADS = 4, ROUNDS = 8 };

struct worker {
    pthread_t thread;
    unsigned number;
    struct shoal *shoal;
    const char *cache;
    unsigned errors;
};

/* Assertions of cmocka belong to the main thread: a worker counts what went wrong. */
static void need(struct worker *worker, bool ok, const char *what, const struct shoal_error *error)
{
    if (ok)
        return;
    fprintf(stderr, "worker %u: %s: %s\n", worker->number, what, error ? error->message : "");
    worker->errors++;
}

static void run_workers(struct worker workers[THREADS], void *(*body)(void *))
{
    for (unsigned i = 0; i < THREADS; i++) {
        workers[i].number = i;
        assert_int_equal(pthread_create(&workers[i].thread, NULL, body, &workers[i]), 0);
    }
    for (unsigned i = 0; i < THREADS; i++)
        pthread_join(workers[i].thread, NULL);
    for (unsigned i = 0; i < THREADS; i++)
        assert_int_equal(workers[i].errors, 0);
}

/* y += x on the host. */
static void add(const struct fake_run *run)
{
    const uint32_t *x = run->args[1].data;
    uint32_t *y = run->args[2].data;
    y[0] += x[0];
}

/* One thread with its queue on a shared device. */
static void *use_shared_instance(void *argument)
{
    struct worker *worker = argument;
    struct shoal_error error;
    struct shoal_device *device;
    size_t count;
    need(worker, !shoal_device_select(worker->shoal, "gpu", 0, &device, 1, &count, &error), "select", &error);
    for (unsigned round = 0; round < ROUNDS && !worker->errors; round++) {
        struct shoal_queue *queue = NULL;
        struct shoal_buffer *in = NULL, *out = NULL;
        struct shoal_program *program = NULL;
        struct shoal_kernel *kernel = NULL;
        const struct shoal_define define = {"COUNT", (int64_t)(round % 3)};
        struct shoal_program_params params;
        shoal_program_params_init(&params);
        params.text = unit_text;
        params.defines = &define;
        params.define_count = 1;
        uint32_t word = worker->number * 100 + round, result = 0;
        need(worker, !shoal_queue_create(device, 0, &queue, &error), "queue", &error);
        need(worker, !shoal_buffer_create(device, 4, &in, &error), "buffer", &error);
        need(worker, !shoal_buffer_create(device, 4, &out, &error), "buffer", &error);
        need(worker, !shoal_program_create(device, &unit_program, &params, &program, &error), "program",
             &error);
        need(worker, !shoal_kernel_create(program, "add", &kernel, &error), "kernel", &error);
        const struct shoal_arg args[] = {shoal_arg_uint(1), shoal_arg_buffer(in), shoal_arg_buffer(out)};
        need(worker, !shoal_buffer_write(queue, in, 0, &word, 4, &error), "write", &error);
        need(worker, !shoal_buffer_fill(queue, out, 0, 4, 1, &error), "fill", &error);
        need(worker, !shoal_launch(queue, kernel, 1, args, 3, NULL, &error), "launch", &error);
        need(worker, !shoal_buffer_read(queue, out, 0, &result, 4, &error), "read", &error);
        need(worker, result == word + 1, "result", NULL);
        int64_t value;
        need(worker, !shoal_tuning_set(device, "unit.threads", "WG", round, &error), "tuning", &error);
        need(worker, shoal_tuning_get(device, "unit.threads", "WG", &value), "tuning", NULL);
        shoal_log(worker->shoal, SHOAL_LOG_DEBUG, "round %u", round);
        shoal_kernel_destroy(&kernel);
        shoal_program_destroy(&program);
        shoal_buffer_destroy(&in);
        shoal_buffer_destroy(&out);
        shoal_queue_destroy(&queue);
    }
    return NULL;
}

static void one_instance_in_several_threads(void **state)
{
    (void)state;
    fake_register_kernel("add", add);
    for (int cached = 0; cached <= 1; cached++) {
        struct shoal_params params = unit_params();
        params.no_cache = !cached;
        params.cache_dir = test_path("cache");
        struct shoal *shoal = unit_open_with(&params);
        struct worker workers[THREADS] = {0};
        for (unsigned i = 0; i < THREADS; i++)
            workers[i].shoal = shoal;
        fake_clear_records();
        run_workers(workers, use_shared_instance);
        assert_int_equal(fake_count(FAKE_DEVICE_OPEN), 1);
        shoal_close(&shoal);
    }
}

/* A device that is lost in one thread is lost in all, whichever sees it first. */
static void *use_until_lost(void *argument)
{
    struct worker *worker = argument;
    struct shoal_error error;
    struct shoal_queue *queue = NULL;
    struct shoal_device *device = shoal_device_at(worker->shoal, 0);
    enum shoal_status status = shoal_queue_create(device, 0, &queue, &error);
    for (unsigned i = 0; !status; i++) {
        if (worker->number == 0 && i == 20)
            fake_lose_device("fake:0");
        status = shoal_queue_finish(queue, &error);
    }
    need(worker, status == SHOAL_DEVICE_LOST, "the device was not lost", NULL);
    shoal_queue_destroy(&queue);
    return NULL;
}

static void a_loss_is_seen_by_all(void **state)
{
    (void)state;
    struct shoal *shoal = unit_open();
    struct worker workers[THREADS] = {0};
    for (unsigned i = 0; i < THREADS; i++)
        workers[i].shoal = shoal;
    run_workers(workers, use_until_lost);
    shoal_close(&shoal);
}

/* Stands for one process of several that share a cache folder. */
static void *use_own_instance(void *argument)
{
    struct worker *worker = argument;
    struct shoal_error error;
    static const struct backend *const backends[] = {&fake_backend};
    struct shoal_params params = unit_params();
    params.no_cache = false;
    params.cache_dir = worker->cache;
    for (unsigned round = 0; round < ROUNDS && !worker->errors; round++) {
        struct shoal *shoal = NULL;
        need(worker, !shoal_open_with(&shoal, &params, backends, 1, &error), "open", &error);
        if (!shoal)
            return NULL;
        struct shoal_device *device = shoal_device_at(shoal, 0);
        for (int64_t count = 0; count < 3; count++) {
            const struct shoal_define define = {"COUNT", count};
            struct shoal_program_params build;
            shoal_program_params_init(&build);
            build.text = unit_text;
            build.defines = &define;
            build.define_count = 1;
            struct shoal_program *program;
            need(worker, !shoal_program_create(device, &unit_program, &build, &program, &error), "program",
                 &error);
            shoal_program_destroy(&program);
        }
        char name[32];
        snprintf(name, sizeof name, "unit.%u", worker->number);
        need(worker, !shoal_tuning_set(device, name, "WG", round, &error), "tuning", &error);
        struct shoal_cache_info info = {0};
        need(worker, !shoal_cache_get_info(shoal, &info, &error), "info", &error);
        shoal_close(&shoal);
    }
    return NULL;
}

static void several_writers_of_one_cache(void **state)
{
    (void)state;
    char cache[512];
    snprintf(cache, sizeof cache, "%s", test_path("deep/cache"));
    struct worker workers[THREADS] = {0};
    for (unsigned i = 0; i < THREADS; i++)
        workers[i].cache = cache;
    run_workers(workers, use_own_instance);
    assert_int_equal(unit_log_count(SHOAL_LOG_WARNING), 0);

    /* Whole entries, the tuning file and its lock, nothing else. */
    size_t entries = 0, others = 0;
    DIR *dir = opendir(cache);
    assert_non_null(dir);
    for (struct dirent *entry; (entry = readdir(dir));) {
        char *end = strrchr(entry->d_name, '.');
        if (entry->d_name[0] == '.')
            continue;
        if (!end || strcmp(end, ".bin") != 0) {
            others++;
            assert_true(!strcmp(entry->d_name, "tuning.txt") || !strcmp(entry->d_name, "tuning.lock"));
            continue;
        }
        char path[1024];
        snprintf(path, sizeof path, "%s/%s", cache, entry->d_name);
        size_t bytes, payload;
        char *file = input_read(path, INPUT_DATA_MOST, &bytes);
        assert_non_null(file);
        *end = '\0';
        assert_non_null(cache_parse(file, bytes, entry->d_name, &payload));
        free(file);
        entries++;
    }
    closedir(dir);
    assert_int_equal(entries, 3);
    assert_int_equal(others, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        UNIT_TEST(one_instance_in_several_threads),
        UNIT_TEST(a_loss_is_seen_by_all),
        UNIT_TEST(several_writers_of_one_cache),
    };
    return cmocka_run_group_tests_name("threads", tests, NULL, NULL);
}
