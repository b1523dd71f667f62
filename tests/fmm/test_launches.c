/* The launches of a sum, over a backend without hardware: those of a GPU depend on the number of points. */
#include "unit.h"

#include <shoal/fmm.h>
#include <shoal/shoal.h>

enum counted { DIVIDE, UP, MOMENTS, DOWN, DOWN_LEAVES, BOUNDS, COUNTED };
static const char *const entries[COUNTED] = {"fmm_divide", "fmm_up",          "fmm_moments",
                                             "fmm_down",   "fmm_down_leaves", "fmm_bounds"};
static size_t launches[COUNTED], groups[COUNTED];

static void count(const struct fake_run *run)
{
    for (size_t e = 0; e < COUNTED; e++)
        if (strcmp(run->entry, entries[e]) == 0) {
            launches[e]++;
            groups[e] = run->groups;
        }
}

/* A sum of n points on a GPU of 132 units. architecture: above 0 for CUDA. */
static void sum(size_t n, uint32_t architecture)
{
    struct shoal_device_info info = fake_gpu("Fake");
    struct shoal_queue *queue = NULL;
    struct shoal_fmm *fmm = NULL;
    struct shoal_buffer *sources = NULL, *field = NULL;
    info.units = 132;
    info.architecture = architecture;
    info.memory = info.max_allocation = UINT64_C(1) << 32;
    fake_reset();
    fake_add_device(&fake_backend, &info);
    for (size_t e = 0; e < COUNTED; e++) {
        fake_register_kernel(entries[e], count);
        launches[e] = groups[e] = 0;
    }
    struct shoal *shoal = unit_open();
    struct shoal_device *device = shoal_device_at(shoal, 0);
    const struct shoal_fmm_params params =
        SHOAL_FMM_PARAMS(.max_sources = n, .accuracy = 1e-4, .real = SHOAL_TYPE_FLOAT);
    assert_ok(shoal_queue_create(device, 0, &queue, &test_error));
    assert_ok(shoal_fmm_create(device, &params, &fmm, &test_error));
    assert_ok(shoal_buffer_create(device, 2 * n * sizeof(float), &sources, &test_error));
    assert_ok(shoal_buffer_create(device, 2 * n * sizeof(float), &field, &test_error));
    const struct shoal_fmm_args args = SHOAL_FMM_ARGS(.sources = sources, .source_count = n, .field = field);
    assert_ok(shoal_fmm_run(fmm, queue, &args, &test_error));
    assert_ok(shoal_queue_finish(queue, &test_error));
    shoal_buffer_destroy(&sources);
    shoal_buffer_destroy(&field);
    shoal_fmm_destroy(&fmm);
    shoal_queue_destroy(&queue);
    shoal_close(&shoal);
}

/* Levels 15 to 2 go up, and 3 to 16 down. */
enum { LEVELS = 14 };

static void few_points_take_few_launches(void **state)
{
    (void)state;
    sum(1 << 18, 90);
    assert_int_equal(launches[UP], 0);
    assert_int_equal(launches[DOWN], 0);
    assert_int_equal(launches[DOWN_LEAVES], 1);
    assert_int_equal(groups[BOUNDS], 1024);
    sum(1 << 18, 0);
    assert_int_equal(launches[UP], LEVELS);
    assert_int_equal(launches[DOWN], 0);
    assert_int_equal(launches[DOWN_LEAVES], 1);
}

static void many_points_go_by_levels(void **state)
{
    (void)state;
    sum((1 << 19) + 1, 90);
    assert_int_equal(launches[DIVIDE], 17);
    assert_int_equal(launches[MOMENTS], 1);
    assert_int_equal(launches[UP], LEVELS);
    assert_int_equal(launches[DOWN], LEVELS);
    assert_int_equal(launches[DOWN_LEAVES], 0);
    assert_int_equal(groups[BOUNDS], 132 * 32);
}

int main(void)
{
    const struct CMUnitTest all[] = {
        UNIT_TEST(few_points_take_few_launches),
        UNIT_TEST(many_points_go_by_levels),
    };
    return cmocka_run_group_tests_name("fmm launches", all, NULL, NULL);
}
