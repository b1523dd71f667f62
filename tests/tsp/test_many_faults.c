/* Many problems on a device in one call, over the fake backend: faults that end some runs and not the others,
 * and the end of a search between its launches. The fake search leaves tours as they are. */
#include "unit.h"

#include <shoal/rng.h>
#include <shoal/tsp.h>
#include <time.h>

#include "tsp/lk/layout.h"

enum { CITIES = 13, MOST = 300, KICKS = 7, REPLICAS = 40 };
/* Arguments of the kernels. */
enum {
    INDEX_N = 4,
    SEARCH_BEGINS = 4,
    SEARCH_TOURS,
    SEARCH_FOUND = 8,
    SEARCH_OUTCOMES,
    SEARCH_SETTINGS = 11
};

struct found {
    enum shoal_status status;
    double steps, kicks;
    char message[160];
};

static struct {
    struct shoal_tsp_params params[MOST];
    double points[2 * CITIES];
    struct found found[MOST];
    size_t count;              /* results so far */
    size_t launches, searched; /* of the searches, and tours of them */
    uint32_t most_cities;      /* of a search */
    double seconds;            /* that each launch takes */
    bool stops, is_stopped;    /* the first launch stops the work */
} batch;

static void index_cities(const struct fake_run *run)
{
    uint32_t n;
    assert_int_equal(run->args[INDEX_N].bytes, sizeof n);
    memcpy(&n, run->args[INDEX_N].data, sizeof n);
    batch.most_cities = n > batch.most_cities ? n : batch.most_cities;
}

static void search(const struct fake_run *run)
{
    const uint32_t *begins = run->args[SEARCH_BEGINS].data, *tours = run->args[SEARCH_TOURS].data;
    uint32_t *found = run->args[SEARCH_FOUND].data;
    struct lk_outcome *outcomes = run->args[SEARCH_OUTCOMES].data;
    struct lk_settings settings;
    const struct timespec pause = {.tv_nsec = (long)(batch.seconds * 1e9)};
    assert_int_equal(run->args[SEARCH_SETTINGS].bytes, sizeof settings);
    memcpy(&settings, run->args[SEARCH_SETTINGS].data, sizeof settings);
    for (size_t c = settings.first; c < settings.first + run->groups; c++) {
        for (uint32_t i = begins[c]; i < begins[c + 1]; i++)
            found[i] = tours[i];
        outcomes[c] = (struct lk_outcome){.kicks = KICKS};
    }
    batch.launches++;
    batch.searched += run->groups;
    batch.is_stopped = batch.stops;
    nanosleep(&pause, NULL);
}

static bool solved(void *data, const struct shoal_tsp_solved *given)
{
    (void)data;
    assert_int_equal(given->index, batch.count);
    struct found *found = &batch.found[batch.count++];
    found->status = given->status;
    if (given->status) {
        snprintf(found->message, sizeof found->message, "%s", given->message);
    } else {
        assert_true(given->report->result.check_passed);
        found->steps = (double)given->report->result.steps;
        found->kicks = given->report->result.work;
    }
    return true;
}

static bool stop(void *data)
{
    (void)data;
    return batch.is_stopped;
}

static void set_batch(void)
{
    memset(&batch, 0, sizeof batch);
    for (int i = 0; i < 2 * CITIES; i++)
        batch.points[i] = shoal_random_words(13, SHOAL_STREAM_TEST, 6, 0, (uint32_t)i).x % 1000;
    for (int i = 0; i < MOST; i++)
        batch.params[i] = SHOAL_TSP_PARAMS(.algorithm = SHOAL_TSP_LK, .metric = SHOAL_TSP_EUC_2D, .dim = 2,
                                           .points = batch.points, .count = CITIES, .iterations = 1);
}

/* Runs the first problems. call: the one that is to fail when it is called for the first time. */
static enum shoal_status run(const struct shoal_device_info *info, size_t problems, enum fake_call call)
{
    fake_reset();
    fake_add_device(&fake_backend, info);
    fake_register_kernel("lk_index", index_cities);
    fake_register_kernel("lk_search", search);
    struct shoal *shoal = unit_open();
    if (call < FAKE_CALLS)
        fake_fail_call(call, 1, SHOAL_OUT_OF_DEVICE_MEMORY);
    const enum shoal_status status = shoal_tsp_run_many(shoal_device_at(shoal, 0), batch.params, problems,
                                                        solved, stop, NULL, &test_error);
    shoal_close(&shoal);
    return status;
}

static void without_double_precision(void **state)
{
    (void)state;
    double fractions[2 * CITIES];
    struct shoal_device_info info = fake_gpu("Fake GPU");
    info.fp64 = false;
    set_batch();
    for (int i = 0; i < 2 * CITIES; i++)
        fractions[i] = batch.points[i] + 0.5 * (i == 0);
    batch.params[1].points = fractions;
    assert_ok(run(&info, 3, FAKE_CALLS));
    assert_int_equal(batch.count, 3);
    assert_int_equal(batch.found[0].status, SHOAL_OK);
    assert_int_equal(batch.found[1].status, SHOAL_UNSUPPORTED);
    assert_contains(batch.found[1].message, "has no double precision");
    assert_int_equal(batch.found[2].status, SHOAL_OK);
    assert_true(batch.found[2].steps == 1 && batch.found[2].kicks == KICKS);
}

/* The second problem needs another program. */
static void faults_of_one_program(void **state)
{
    (void)state;
    static const enum fake_call calls[] = {FAKE_PROGRAM_BUILD, FAKE_BUFFER_CREATE, FAKE_BUFFER_WRITE,
                                           FAKE_LAUNCH, FAKE_BUFFER_READ};
    const struct shoal_device_info info = fake_gpu("Fake GPU");
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        set_batch();
        batch.params[1].candidates = 1;
        test_label("%s", fake_call_name(calls[i]));
        assert_ok(run(&info, 3, calls[i]));
        assert_int_equal(batch.count, 3);
        assert_int_equal(batch.found[0].status, batch.found[2].status);
        assert_true((batch.found[0].status == SHOAL_OK) != (batch.found[1].status == SHOAL_OK));
    }
}

static void end_between_launches(void **state)
{
    (void)state;
    const struct shoal_device_info info = fake_gpu("Fake GPU");
    set_batch();
    batch.stops = true;
    assert_status(run(&info, MOST, FAKE_CALLS), SHOAL_STOPPED);
    assert_int_equal(batch.launches, 1);
    assert_true(batch.searched < MOST / 2);
    assert_int_equal(batch.count, 0);
}

/* Some problems have several tours, of which a launch may search the first ones. */
static void time_ends_between_launches(void **state)
{
    (void)state;
    const struct shoal_device_info info = fake_gpu("Fake GPU");
    set_batch();
    batch.seconds = 0.4;
    for (int i = 0; i < MOST; i++) {
        batch.params[i].iterations = 0;
        batch.params[i].time = 1;
        batch.params[i].replicas = i % 3 ? 1 : 5;
    }
    assert_ok(run(&info, MOST, FAKE_CALLS));
    assert_int_equal(batch.count, MOST);
    for (int i = 0; i < MOST; i++) {
        const struct found *found = &batch.found[i];
        assert_int_equal(found->status, SHOAL_OK);
        assert_true(found->kicks == found->steps * KICKS * (double)batch.params[i].replicas);
    }
    assert_true(batch.found[0].steps == 1 && batch.found[MOST - 1].steps == 0);
}

static void memory_of_the_device(void **state)
{
    (void)state;
    enum { PROBLEMS = 4 };
    struct shoal_device_info info = fake_gpu("Fake GPU");
    info.memory = 1024 * (REPLICAS * CITIES + CITIES);
    set_batch();
    for (int i = 0; i < PROBLEMS; i++)
        batch.params[i].replicas = REPLICAS;
    assert_ok(run(&info, PROBLEMS, FAKE_CALLS));
    for (int i = 0; i < PROBLEMS; i++)
        assert_int_equal(batch.found[i].status, SHOAL_OK);
    assert_int_equal(batch.most_cities, REPLICAS * CITIES);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        UNIT_TEST(without_double_precision), UNIT_TEST(faults_of_one_program),
        UNIT_TEST(end_between_launches),     UNIT_TEST(time_ends_between_launches),
        UNIT_TEST(memory_of_the_device),
    };
    return cmocka_run_group_tests_name("tsp many faults", tests, NULL, NULL);
}
