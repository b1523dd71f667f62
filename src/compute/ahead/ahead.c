#include "compute/ahead/ahead.h"

#include "compute/ahead/scout.h"
#include "compute/program/cache.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_THREADS = 32 };

/* A program to be built, with copies of all that the solver may free meanwhile. */
struct wanted {
    struct shoal_device *device;
    char key[CACHE_KEY_LENGTH];
    char *program_name, *text, *name;
    char **defines;
    struct build_input input;
};

struct ahead {
    struct shoal *shoal;
    /* The instance of the scouts: a copy that logs nothing, since the solvers on the real devices say the
     * same again. It has a lock of its own, and the tuned values of the instance, which nothing else uses
     * now and which scouts only read.
     */
    struct shoal quiet;
    const struct ahead_task *tasks;
    size_t task_count;
    pthread_mutex_t lock; /* guards the members below */
    pthread_cond_t changed;
    size_t next_task, asking; /* asking: number of tasks that run */
    struct wanted **builds;
    size_t build_count, next_build;
    struct ahead_totals totals;
};

static void wanted_free(struct wanted *wanted)
{
    for (size_t i = 0; wanted->defines && i < wanted->input.define_count; i++)
        free(wanted->defines[i]);
    free(wanted->defines);
    free(wanted->program_name);
    free(wanted->text);
    free(wanted->name);
    free(wanted);
}

/* Copies what a build needs. NULL: there is no memory. */
static struct wanted *wanted_new(struct shoal_device *device, const char *program_name,
                                 const struct build_input *input)
{
    struct wanted *wanted = calloc(1, sizeof *wanted);
    if (!wanted)
        return NULL;
    wanted->device = device;
    wanted->input = *input;
    wanted->program_name = strdup(program_name);
    wanted->input.text = wanted->text = strdup(input->text);
    wanted->input.name = wanted->name = strdup(input->name);
    wanted->defines = calloc(input->define_count + 1, sizeof *wanted->defines);
    bool good = wanted->program_name && wanted->text && wanted->name && wanted->defines;
    for (size_t i = 0; good && i < input->define_count; i++)
        good = (wanted->defines[i] = strdup(input->defines[i])) != NULL;
    wanted->input.defines = (const char *const *)wanted->defines;
    if (good)
        return wanted;
    wanted_free(wanted);
    return NULL;
}

static bool is_wanted(const struct ahead *ahead, const struct shoal_device *device, const char *key)
{
    for (size_t i = 0; i < ahead->build_count; i++)
        if (ahead->builds[i]->device == device && strcmp(ahead->builds[i]->key, key) == 0)
            return true;
    return false;
}

static bool must_end(const struct ahead *ahead)
{
    return ahead->shoal->stop && ahead->shoal->stop(ahead->shoal->stop_data);
}

/* Adds a build, unless there is the same one. */
static enum shoal_status want(void *data, struct shoal_device *device, const char *program_name,
                              const struct build_input *input, struct shoal_error *error)
{
    struct ahead *ahead = data;
    char key[CACHE_KEY_LENGTH];
    if (must_end(ahead))
        return fail(error, SHOAL_STOPPED, "stopped before %s was built", program_name);
    cache_key(device, input, key);
    enum shoal_status status = SHOAL_OK;
    pthread_mutex_lock(&ahead->lock);
    if (!is_wanted(ahead, device, key)) {
        struct wanted *wanted = wanted_new(device, program_name, input);
        struct wanted **builds =
            wanted ? realloc(ahead->builds, (ahead->build_count + 1) * sizeof *builds) : NULL;
        if (builds) {
            memcpy(wanted->key, key, sizeof key);
            ahead->builds = builds;
            ahead->builds[ahead->build_count++] = wanted;
            pthread_cond_signal(&ahead->changed);
        } else {
            if (wanted)
                wanted_free(wanted);
            status = fail_host_memory(error);
        }
    }
    pthread_mutex_unlock(&ahead->lock);
    return status;
}

/* Builds a program that is not in the cache folder yet. */
static void build(struct ahead *ahead, const struct wanted *wanted)
{
    struct shoal *shoal = ahead->shoal;
    size_t bytes;
    void *binary = wanted->device->info.self_caching ? NULL : cache_read(shoal, wanted->key, &bytes);
    const bool is_cached = binary;
    free(binary);
    if (is_cached || must_end(ahead))
        return;
    const struct shoal_program_desc desc = {.name = wanted->program_name};
    struct shoal_program program = {.device = wanted->device, .desc = &desc};
    struct shoal_error ignored;
    if (program_compile(&program, &wanted->input, &ignored))
        return;
    wanted->device->backend->program_destroy(&program);
    pthread_mutex_lock(&ahead->lock);
    ahead->totals.programs += program.build_seconds > 0;
    ahead->totals.compile_s += program.build_seconds;
    pthread_mutex_unlock(&ahead->lock);
}

static void ask(struct ahead *ahead, const struct ahead_task *task)
{
    struct scout scout = {.on_build = want, .data = ahead};
    struct shoal_error ignored;
    if (must_end(ahead) || device_ready(task->device, &ignored))
        return;
    scout_init(&scout, &ahead->quiet, task->device);
    task->ask(task->data, &scout.device);
}

/* Tasks come first, so that the longest build is known as soon as possible. */
static void *work(void *data)
{
    struct ahead *ahead = data;
    pthread_mutex_lock(&ahead->lock);
    for (;;) {
        if (ahead->next_task < ahead->task_count) {
            const struct ahead_task *task = &ahead->tasks[ahead->next_task++];
            ahead->asking++;
            pthread_mutex_unlock(&ahead->lock);
            ask(ahead, task);
            pthread_mutex_lock(&ahead->lock);
            ahead->asking--;
            pthread_cond_broadcast(&ahead->changed);
        } else if (ahead->next_build < ahead->build_count) {
            const struct wanted *wanted = ahead->builds[ahead->next_build++];
            pthread_mutex_unlock(&ahead->lock);
            build(ahead, wanted);
            pthread_mutex_lock(&ahead->lock);
        } else if (ahead->asking) {
            pthread_cond_wait(&ahead->changed, &ahead->lock);
        } else {
            break;
        }
    }
    pthread_mutex_unlock(&ahead->lock);
    return NULL;
}

/* Parallel loops of a created thread have one thread: such threads already fill the processors, and OpenMP
 * would start as many more for each of them. No program depends on this number. */
static void *work_alone(void *data)
{
    omp_set_num_threads(1);
    return work(data);
}

/* Works in this thread and, as far as they can be created, in others. */
static void work_together(struct ahead *ahead)
{
    pthread_t threads[MOST_THREADS];
    const int processors = omp_get_num_procs();
    const int most = processors < MOST_THREADS ? processors : MOST_THREADS;
    int count = 0;
    while (count + 1 < most && !pthread_create(&threads[count], NULL, work_alone, ahead))
        count++;
    work(ahead);
    while (count)
        pthread_join(threads[--count], NULL);
}

bool ahead_is_useful(const struct shoal_device *device)
{
    const struct shoal *shoal = device->shoal;
    return device->backend && device->backend->builds_at_once && !is_cpu_alone(&device->info) &&
           (shoal->cache_dir || device->info.self_caching);
}

enum shoal_status ahead_run(struct shoal *shoal, const struct ahead_task *tasks, size_t count,
                            struct ahead_totals *totals, struct shoal_error *error)
{
    struct ahead *ahead = calloc(1, sizeof *ahead);
    *totals = (struct ahead_totals){0};
    if (!ahead)
        return fail_host_memory(error);
    ahead->shoal = shoal;
    ahead->tasks = tasks;
    ahead->task_count = count;
    ahead->quiet = (struct shoal){.stop = shoal->stop,
                                  .stop_data = shoal->stop_data,
                                  .strict_fp = shoal->strict_fp,
                                  .kernel_dir = shoal->kernel_dir,
                                  .cache_dir = shoal->cache_dir,
                                  .compiler = shoal->compiler,
                                  .temporary_dir = shoal->temporary_dir,
                                  .cache_warned = true,
                                  .devices = shoal->devices,
                                  .device_count = shoal->device_count,
                                  .tuning = shoal->tuning,
                                  .is_of_scouts = true,
                                  .rank_host = shoal->rank_host};
    pthread_mutex_init(&ahead->quiet.lock, NULL);
    pthread_mutex_init(&ahead->lock, NULL);
    pthread_cond_init(&ahead->changed, NULL);
    work_together(ahead);
    *totals = ahead->totals;
    for (size_t i = 0; i < ahead->build_count; i++)
        wanted_free(ahead->builds[i]);
    free(ahead->builds);
    pthread_cond_destroy(&ahead->changed);
    pthread_mutex_destroy(&ahead->lock);
    pthread_mutex_destroy(&ahead->quiet.lock);
    free(ahead);
    return SHOAL_OK;
}
