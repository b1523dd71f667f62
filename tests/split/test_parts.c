/* Parts over the fake backend, whose kernels do nothing: what is refused, and each call of a backend that
 * fails in turn. */
#include "split/parts.h"
#include "unit.h"
#include "workload/workload.h"

#include <shoal/ga.h>
#include <shoal/mlp.h>
#include <shoal/pso.h>
#include <shoal/split.h>
#include <shoal/tsp.h>

enum { DEVICES = 3, RUNS = 4 };

struct setting {
    struct shoal *shoal;
    struct shoal_device *devices[DEVICES];
    struct shoal_pso_params pso;
    struct shoal_mlp_params mlp;
    struct shoal_tsp_params tsp;
    struct shoal_split_params split;
};

static struct shoal_device *host_of(struct shoal *shoal)
{
    struct shoal_device *device;
    for (size_t i = 0; (device = shoal_device_at(shoal, i)); i++)
        if (shoal_device_get_info(device)->is_host)
            return device;
    return NULL;
}

static struct setting open_devices_of(const struct backend *backend)
{
    struct setting s = {
        .pso = SHOAL_PSO_PARAMS(.search.runs = RUNS, .search.dim = 2, .search.iterations = 5, .particles = 8,
                                .search.trace = 2),
        .mlp =
            SHOAL_MLP_PARAMS(.generate = "spirals:60", .hidden = "4", .nets = RUNS, .epochs = 5, .trace = 2),
        .tsp = SHOAL_TSP_PARAMS(.generate = "uniform:20:1", .colonies = RUNS, .iterations = 5, .ants = 8)};
    const struct shoal_device_info info = fake_gpu("Fake GPU");
    for (size_t k = backend == &fake_backend; k < DEVICES; k++) /* fake:0 is there already */
        fake_add_device(backend, &info);
    s.shoal = backend == &fake_backend ? unit_open() : unit_open_peers();
    for (size_t k = 0; k < DEVICES; k++)
        s.devices[k] = shoal_device_at(s.shoal, k);
    return s;
}

static struct setting open_devices(void)
{
    return open_devices_of(&fake_backend);
}

static enum shoal_status run(const char *workload, const void *params, struct shoal_split_params split,
                             struct shoal_report *report)
{
    *report = (struct shoal_report){.size = sizeof *report};
    return shoal_run_split(shoal_workload_find(workload), &split, params, NULL, report, &test_error);
}

/* Refused with a message that holds `text`, before a device does anything. */
static void refused(const char *workload, const void *params, struct shoal_split_params split,
                    const char *text)
{
    struct shoal_report report;
    assert_int_equal(run(workload, params, split, &report), SHOAL_INVALID);
    assert_non_null(strstr(test_error.message, text));
    assert_null(report.solver);
    test_error = (struct shoal_error){0};
    assert_int_equal(shoal_split_check(shoal_workload_find(workload), &split, params, &test_error),
                     SHOAL_INVALID);
    assert_non_null(strstr(test_error.message, text));
}

static void bad_input(void **state)
{
    (void)state;
    struct setting s = open_devices();
    struct shoal_device *const twice[] = {s.devices[0], s.devices[1], s.devices[0]}, *const host[] = {
                                                                                         s.devices[0],
                                                                                         host_of(s.shoal)};
    struct shoal *other = unit_open();
    struct shoal_device *const null[] = {s.devices[0], NULL}, *const mixed[] = {s.devices[0],
                                                                                shoal_device_at(other, 1)};
    const double none[] = {0, 0}, nan[] = {1, NAN}, below[] = {2, -1};
    struct shoal_tsp_params tsp = SHOAL_TSP_PARAMS(.algorithm = SHOAL_TSP_FACO);
    struct shoal_pso_params two = s.pso;
    two.search.runs = 2;
    two.particles = 2;
    refused("tsp", &tsp, SHOAL_SPLIT_PARAMS(.devices = s.devices, .count = 2), "give --colonies 2 or more");
    refused("pso", &two, SHOAL_SPLIT_PARAMS(.devices = s.devices, .count = 3),
            "give --runs or --swarms or --particles 3 or more");
    refused("pso", &s.pso, SHOAL_SPLIT_PARAMS(.devices = twice, .count = 3), "are one device");
    refused("pso", &s.pso, SHOAL_SPLIT_PARAMS(.devices = host, .count = 2), "the host takes no part");
    refused("pso", &s.pso, SHOAL_SPLIT_PARAMS(.devices = s.devices, .count = 0), "no devices");
    refused("pso", &s.pso, SHOAL_SPLIT_PARAMS(.devices = null, .count = 2), "split.devices[1] is NULL");
    refused("pso", &s.pso, SHOAL_SPLIT_PARAMS(.devices = mixed, .count = 2), "of two instances");
    refused("pso", &s.pso, SHOAL_SPLIT_PARAMS(.count = 2), "split.devices is NULL");
    refused("pso", &s.pso, SHOAL_SPLIT_PARAMS(.devices = s.devices, .count = 2, .shares = none), "shares");
    refused("pso", &s.pso, SHOAL_SPLIT_PARAMS(.devices = s.devices, .count = 2, .shares = nan), "shares");
    refused("pso", &s.pso, SHOAL_SPLIT_PARAMS(.devices = s.devices, .count = 2, .shares = below), "shares");
    struct shoal_pso_params wide = s.pso;
    wide.search.dim = 9;
    const void *const own[] = {NULL, &wide};
    refused(
        "pso", &s.pso, SHOAL_SPLIT_PARAMS(.devices = s.devices, .count = 2, .device_params = own),
        "split.device_params[1]: --dim is the same on all devices of a run; options that may differ: none");
    shoal_close(&other);
    shoal_close(&s.shoal);
}

/* One card that two platforms show. */
static void an_alias(void **state)
{
    (void)state;
    struct shoal_device_info info = fake_gpu("Card");
    info.has_pci = true;
    fake_add_device(&fake_other_backend, &info);
    fake_add_device(&fake_backend, &info);
    struct setting s = open_devices();
    struct shoal_device *both[2] = {NULL};
    struct shoal_device *device;
    for (size_t i = 0, k = 0; k < 2 && (device = shoal_device_at(s.shoal, i)); i++)
        if (strcmp(shoal_device_get_info(device)->name, info.name) == 0)
            both[k++] = device;
    refused("pso", &s.pso, SHOAL_SPLIT_PARAMS(.devices = both, .count = 2),
            "other:0 and fake:1 are one device: name each device once");
    shoal_close(&s.shoal);
}

/* A device whose share is nothing makes nothing; of one device the log says that it makes the whole run. */
static void few_devices(void **state)
{
    (void)state;
    struct setting s = open_devices();
    const double shares[] = {0, 1, 3};
    struct shoal_report report;
    struct shoal_part part = {.size = sizeof part};
    (void)run("pso", &s.pso, SHOAL_SPLIT_PARAMS(.devices = s.devices, .count = 3, .shares = shares), &report);
    assert_non_null(report.solver);
    assert_int_equal(shoal_part_count(report.solver), 2);
    assert_ok(shoal_part_get(report.solver, 1, &part, &test_error));
    assert_string_equal(part.device, shoal_device_get_info(s.devices[2])->id);
    assert_string_equal(part.unit, "run");
    assert_string_equal(part.units, "runs");
    assert_int_equal(part.first, 1);
    assert_int_equal(part.count, 3);
    assert_null(part.path); /* runs copy nothing from each other */
    assert_int_equal(shoal_part_get(report.solver, 2, &part, &test_error), SHOAL_INVALID);
    shoal_report_clear(&report);
    /* The first device has a share, but no unit; a device without a share needs none. */
    const double little[] = {1, 100}, first[] = {1, 0};
    (void)run("pso", &s.pso, SHOAL_SPLIT_PARAMS(.devices = s.devices, .count = 2, .shares = little), &report);
    assert_int_equal(shoal_part_count(report.solver), 1);
    assert_ok(shoal_part_get(report.solver, 0, &part, &test_error));
    assert_string_equal(part.device, shoal_device_get_info(s.devices[1])->id);
    assert_int_equal(part.count, RUNS);
    shoal_report_clear(&report);
    struct shoal_pso_params one = s.pso;
    one.search.runs = 1;
    (void)run("pso", &one, SHOAL_SPLIT_PARAMS(.devices = s.devices, .count = 2, .shares = first), &report);
    assert_int_equal(shoal_part_count(report.solver), 1);
    shoal_report_clear(&report);
    assert_int_equal(unit_log_count(SHOAL_LOG_WARNING), 0);
    (void)run("pso", &s.pso, SHOAL_SPLIT_PARAMS(.devices = s.devices, .count = 1), &report);
    assert_non_null(strstr(unit_log(), "makes the whole run"));
    assert_int_equal(shoal_part_count(report.solver), 0);
    shoal_report_clear(&report);
    shoal_close(&s.shoal);
}

static unsigned destroyed;

static void count_destroyed(struct shoal_solver *whole)
{
    whole->shares = NULL;
    destroyed++;
}

/* Shares are destroyed once, whether the solver that takes them fails before there is one or later. */
static void failing_solver(void **state)
{
    (void)state;
    struct setting s = open_devices();
    struct solver_shares shares = {.destroy = count_destroyed};
    const struct solver_setup setup = {.shares = &shares};
    struct shoal_pso_params none = s.pso;
    struct shoal_queue *queue;
    struct shoal_solver *solver;
    assert_ok(shoal_queue_create(s.devices[0], 0, &queue, &test_error));
    none.particles = 0;
    assert_int_equal(solver_create(shoal_workload_find("pso"), s.devices[0], NULL, &s.pso, SHOAL_VARIANT_AUTO,
                                   &setup, &solver, &test_error),
                     SHOAL_INVALID);
    assert_int_equal(destroyed, 1);
    assert_int_equal(solver_create(shoal_workload_find("pso"), s.devices[0], queue, &none, SHOAL_VARIANT_AUTO,
                                   &setup, &solver, &test_error),
                     SHOAL_INVALID);
    assert_int_equal(destroyed, 2);
    shoal_queue_destroy(&queue);
    shoal_close(&s.shoal);
}

/* only: name of the workload; NULL: all. Of the calls of a run, those of the share fail in turn. Whatever
 * fails, the run ends with that status, one part is named at most, and nothing is left: teardown looks. */
static void fail_each_call(struct setting s, const char *only)
{
    const struct shoal_split_params split = SHOAL_SPLIT_PARAMS(.devices = s.devices, .count = DEVICES);
    const struct test_share share = test_read_share("SHOAL_TEST_SHARE");
    const struct {
        const char *name;
        const void *params;
    } workloads[] = {{"pso", &s.pso}, {"mlp", &s.mlp}, {"tsp", &s.tsp}};
    for (size_t w = 0; w < sizeof workloads / sizeof *workloads; w++) {
        unsigned failed = 0, named = 0;
        if (only && strcmp(only, workloads[w].name) != 0)
            continue;
        for (unsigned n = 1;; n += 1 + n / 128) { /* later calls are those of further steps */
            struct shoal_report report;
            if (!test_is_of(share, n))
                continue;
            fake_fail_nth(n, SHOAL_OUT_OF_DEVICE_MEMORY);
            const enum shoal_status status = run(workloads[w].name, workloads[w].params, split, &report);
            const enum fake_call failed_call = fake_failed_call();
            fake_fail_nth(0, SHOAL_OK);
            shoal_report_clear(&report);
            if (failed_call == FAKE_CALLS)
                break;
            const char *part = strstr(test_error.message, "part ");
            /* Only the end of a queue by which a link was tried may fail in silence: all was read before. */
            assert_true(status != SHOAL_OK || failed_call == FAKE_QUEUE_FINISH);
            failed++;
            named += part != NULL;
            assert_true(!part || !strstr(part + 1, "part "));
        }
        assert_true(failed * share.of > 50 && named * share.of > 20);
    }
    shoal_close(&s.shoal);
}

static void failing_calls(void **state)
{
    (void)state;
    fail_each_call(open_devices(), NULL);
}

/* Kernels of the parts read each other's memory and wait for each other, from the 33rd wait on. */
static void failing_calls_of_kernels_that_meet(void **state)
{
    (void)state;
    fake_set_peers(FAKE_PEERS);
    struct setting s = open_devices_of(&fake_peer_backend);
    s.pso.search.runs = 1;
    s.pso.search.islands = 5;
    s.pso.search.exchange = 1;
    s.pso.search.iterations = 40;
    s.pso.search.target = -1;
    s.pso.search.trace = 0;
    fail_each_call(s, "pso");
}

static void expect_paths(const struct shoal_report *report, enum shoal_link_path path)
{
    for (size_t k = 0; k < DEVICES; k++) {
        struct shoal_part part = {.size = sizeof part};
        assert_ok(shoal_part_get(report->solver, k, &part, &test_error));
        assert_non_null(part.path);
        assert_string_equal(part.path, shoal_link_path_name(path));
    }
}

/* Parts that wait for one that fails end, too. */
static void failing_calls_of_parts_that_meet(void **state)
{
    (void)state;
    static const enum fake_peers peers[] = {FAKE_NO_PEERS, FAKE_PEERS};
    for (size_t i = 0; i < 2; i++) {
        fake_reset_one_gpu();
        fake_set_peers(peers[i]);
        struct setting s = open_devices();
        s.pso.search.runs = 1;
        s.pso.search.islands = 5;
        s.pso.search.exchange = 1;
        s.pso.search.target = -1;
        s.tsp.exchange = 1;
        struct shoal_report report;
        (void)run("pso", &s.pso, SHOAL_SPLIT_PARAMS(.devices = s.devices, .count = DEVICES), &report);
        /* Rows take the path that there is. */
        expect_paths(&report, peers[i] == FAKE_PEERS ? SHOAL_LINK_PEER : SHOAL_LINK_HOST);
        shoal_report_clear(&report);
        assert_true((fake_count(FAKE_PEER_COPY) > 0) == (peers[i] == FAKE_PEERS));
        assert_true((fake_count(FAKE_ENQUEUE_READ) > 0) == (peers[i] == FAKE_NO_PEERS));
        fail_each_call(s, "pso");
    }
}

/* Where copies are direct, threads wait for devices at the end of the steps only, not in each meeting. */
static void threads_run_ahead(void **state)
{
    (void)state;
    size_t finished[3], marked[3]; /* of a first run, which tries peers, and of two others */
    fake_set_peers(FAKE_PEERS);
    struct setting s = open_devices();
    s.pso.search.runs = 1;
    s.pso.search.islands = 5;
    s.pso.search.exchange = 1;
    s.pso.search.target = -1;
    s.pso.search.trace = 0;
    for (size_t i = 0; i < 3; i++) {
        struct shoal_report report;
        s.pso.search.iterations = i < 2 ? 20 : 40;
        fake_clear_records();
        (void)run("pso", &s.pso, SHOAL_SPLIT_PARAMS(.devices = s.devices, .count = DEVICES), &report);
        finished[i] = fake_count(FAKE_QUEUE_FINISH);
        marked[i] = fake_count(FAKE_QUEUE_MARK);
        shoal_report_clear(&report);
    }
    assert_true(finished[2] < finished[1] + 20);
    assert_true(marked[2] >= marked[1] + 20 * DEVICES);
    shoal_close(&s.shoal);
}

/* Parts that share a swarm wait once in a meeting where copies are direct. */
static void failing_calls_of_parts_with_one_swarm(void **state)
{
    (void)state;
    static const enum fake_peers peers[] = {FAKE_NO_PEERS, FAKE_PEERS};
    for (size_t i = 0; i < 2; i++) {
        fake_reset_one_gpu();
        fake_set_peers(peers[i]);
        struct setting s = open_devices();
        s.pso.search.runs = 1;
        s.pso.search.iterations = 3;
        s.pso.particles = 3 * 1024;
        s.pso.topology = SHOAL_PSO_GLOBAL;
        s.pso.update = SHOAL_PSO_INERTIA;
        s.pso.method = SHOAL_PSO_FUSED;
        fail_each_call(s, "pso");
    }
}

static void failing_calls_of_parts_with_one_net(void **state)
{
    (void)state;
    struct setting s = open_devices();
    s.mlp.nets = 1;
    s.mlp.shards = 5;
    s.mlp.batch = 10;
    fail_each_call(s, "mlp");
}

/* Two shares, each of which fits into the memory of its device, while both together do not. */
static enum shoal_status run_large(bool is_cpu, const char *workload, const double *shares, bool *has_solver)
{
    struct shoal_device_info info = fake_gpu("Fake device");
    info.is_cpu = is_cpu;
    info.is_gpu = !is_cpu;
    for (size_t k = 0; k < 2; k++)
        fake_add_device(&fake_backend, &info);
    struct setting s = open_devices();
    struct shoal_device *devices[2];
    size_t found = 0;
    struct shoal_device *device;
    for (size_t i = 0; found < 2 && (device = shoal_device_at(s.shoal, i)); i++)
        if (strcmp(shoal_device_get_info(device)->name, info.name) == 0)
            devices[found++] = device;
    assert_int_equal(found, 2);
    struct shoal_pso_params large = s.pso; /* 80 MB in all, and 64 MiB are there */
    large.particles = 1 << 16;
    large.search.dim = 25;
    s.mlp.hidden = "1150,1150"; /* 5.3 MB of parameters, of which a net has nine arrays */
    s.mlp.nets = 1;
    s.mlp.shards = 8;
    s.mlp.batch = 10;
    struct shoal_report report;
    const void *params = strcmp(workload, "pso") == 0 ? (const void *)&large : &s.mlp;
    const enum shoal_status status =
        run(workload, params, SHOAL_SPLIT_PARAMS(.devices = devices, .count = 2, .shares = shares), &report);
    *has_solver = report.solver != NULL;
    shoal_report_clear(&report);
    shoal_close(&s.shoal);
    return status;
}

static void shares_on_one_memory(void **state)
{
    (void)state;
    bool has_solver;
    assert_int_equal(run_large(true, "pso", NULL, &has_solver), SHOAL_OUT_OF_DEVICE_MEMORY);
    assert_false(has_solver);
    assert_non_null(strstr(test_error.message, "262144 particles of dim 25 need at least"));
    /* However few shards a device has, it has the whole net. */
    const double shares[] = {7, 1}, one[] = {1, 0};
    (void)run_large(true, "mlp", one, &has_solver);
    assert_true(has_solver);
    assert_int_equal(run_large(true, "mlp", shares, &has_solver), SHOAL_OUT_OF_DEVICE_MEMORY);
    assert_false(has_solver);
    assert_non_null(strstr(test_error.message, "the arrays of the net"));
}

static void shares_on_two_memories(void **state)
{
    (void)state;
    bool has_solver;
    (void)run_large(false, "pso", NULL, &has_solver); /* the fake device gives no result */
    assert_true(has_solver);
}

/* The watchdog names the part that still works, which need not be the first. */
static void part_at_work(void **state)
{
    (void)state;
    struct part parts[DEVICES] = {{.share.count = 1}, {.share.count = 1}, {.share.count = 1}};
    struct split split = {.shares = parts_shares, .parts = parts, .count = DEVICES};
    size_t number, of;
    for (size_t k = 0; k < DEVICES; k++)
        parts[k].device = (struct shoal_device *)&parts[k];
    assert_null(split.shares.at_work(&split.shares, &number, &of));
    atomic_store(&parts[2].is_at_work, true);
    assert_ptr_equal(split.shares.at_work(&split.shares, &number, &of), parts[2].device);
    assert_int_equal(number, 3);
    assert_int_equal(of, DEVICES);
    atomic_store(&parts[1].is_at_work, true);
    assert_ptr_equal(split.shares.at_work(&split.shares, &number, &of), parts[1].device);
    parts[1].share.count = 0; /* its units have moved away */
    assert_ptr_equal(split.shares.at_work(&split.shares, &number, &of), parts[2].device);
}

/* The time of the row is that of the part which worked longest, without its first launches. */
static void device_time(void **state)
{
    (void)state;
    struct setting s = open_devices();
    struct shoal_report report;
    double most = 0;
    (void)run("pso", &s.pso, SHOAL_SPLIT_PARAMS(.devices = s.devices, .count = DEVICES), &report);
    assert_non_null(report.solver);
    for (size_t k = 0; k < DEVICES; k++) {
        struct shoal_part part = {.size = sizeof part};
        assert_ok(shoal_part_get(report.solver, k, &part, &test_error));
        most = fmax(most, part.busy_s);
    }
    assert_true(report.device_s > 0 && report.device_s == most);
    assert_true(report.device_s <= report.wall_s);
    size_t number, of;
    assert_null(report.solver->shares->at_work(report.solver->shares, &number, &of));
    shoal_report_clear(&report);
    shoal_close(&s.shoal);
}

/* Shares get a state in turn. Where one fails, those before it hold that state, and the run begins anew. */
static void a_failed_load(void **state)
{
    (void)state;
    struct setting s = open_devices();
    const struct shoal_split_params split = SHOAL_SPLIT_PARAMS(.devices = s.devices, .count = DEVICES);
    struct shoal_report report;
    (void)run("pso", &s.pso, split, &report);
    assert_non_null(report.solver);
    struct checkpoint given = {.path = "given"}, saved;
    void *bytes = NULL;
    size_t size = 0;
    assert_ok(solver_get_checkpoint(report.solver, &given, &test_error));
    /* What the solver gives is valid until its next call. */
    assert_ok(checkpoint_to_memory(&given, &bytes, &size, &test_error));
    checkpoint_clear(&given);
    assert_ok(checkpoint_parse(&saved, bytes, size, "saved", &test_error));
    /* The fake device makes no steps, so the state is that of step 0. */
    const struct checkpoint_section *step = checkpoint_find(&saved, "step");
    assert_non_null(step);
    memset((char *)bytes + ((const char *)step->data - (const char *)bytes), 0, step->bytes);
    unsigned renewed = 0;
    for (unsigned n = 1;; n++) {
        ((struct split *)report.solver->shares)->is_begun = false;
        fake_fail_nth(n, SHOAL_OUT_OF_DEVICE_MEMORY);
        const enum shoal_status status = solver_set_checkpoint(report.solver, &saved, &test_error);
        const bool has_failed = fake_failed_call() != FAKE_CALLS;
        fake_fail_nth(0, SHOAL_OK);
        if (!has_failed)
            break;
        const size_t buffers = fake_count(FAKE_BUFFER_CREATE);
        uint64_t done = 0;
        assert_int_not_equal(status, SHOAL_OK);
        assert_ok(shoal_solver_step(report.solver, 1, &done, &test_error));
        renewed += fake_count(FAKE_BUFFER_CREATE) > buffers;
    }
    assert_true(renewed > 0);
    /* After a failed task, its work ends before the state is loaded. */
    struct split *whole = (struct split *)report.solver->shares;
    fake_clear_records();
    atomic_store(&whole->failed, 1);
    parts_shares.loads(report.solver, &saved);
    assert_int_equal(fake_count(FAKE_QUEUE_FINISH), DEVICES);
    assert_int_equal(atomic_load(&whole->failed), 0);
    free(bytes);
    shoal_report_clear(&report);
    shoal_close(&s.shoal);
}

int main(void)
{
    const struct CMUnitTest tests[] = {UNIT_TEST(bad_input),
                                       UNIT_TEST(an_alias),
                                       UNIT_TEST(few_devices),
                                       UNIT_TEST(part_at_work),
                                       UNIT_TEST(shares_on_one_memory),
                                       UNIT_TEST(shares_on_two_memories),
                                       UNIT_TEST(device_time),
                                       UNIT_TEST(a_failed_load),
                                       UNIT_TEST(failing_solver),
                                       UNIT_TEST(failing_calls),
                                       UNIT_TEST(failing_calls_of_parts_that_meet),
                                       UNIT_TEST(failing_calls_of_kernels_that_meet),
                                       UNIT_TEST(threads_run_ahead),
                                       UNIT_TEST(failing_calls_of_parts_with_one_swarm),
                                       UNIT_TEST(failing_calls_of_parts_with_one_net)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
