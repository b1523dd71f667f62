/* Options that name a file for reading, of every workload: what is no regular file is refused, and nothing
 * waits for it. */
#include "searches.h"
#include "unit.h"

#include "workload/workload.h"

#include <shoal/mlp.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A file of /proc calls itself regular, and may be of the wrong format before it is read. */
static void check_refusal(enum shoal_status status, const char *path)
{
    if (status != SHOAL_INVALID || strncmp(path, "/proc/", 6) != 0)
        assert_status(status, SHOAL_IO);
    assert_contains(test_error.message, path);
}

static void refuse(const struct shoal *shoal, const struct shoal_workload *workload,
                   const struct shoal_option *option, const char *path)
{
    struct shoal_solver *solver = NULL;
    void *params = malloc(workload->params_size);
    assert_non_null(params);
    workload->params_init(params);
    memcpy((char *)params + option->offset, &path, sizeof path);
    /* An option that another one needs, a file too: labels and their images. */
    for (size_t i = 0; i < workload->option_count && option->needs; i++)
        if (strcmp(workload->options[i].name, option->needs) == 0)
            memcpy((char *)params + workload->options[i].offset, &path, sizeof path);
    /* Some files are read behind the data; the usual set has 20,000 rows. */
    struct shoal_mlp_params *net = strcmp(workload->name, "mlp") == 0 ? params : NULL;
    if (net && !net->data)
        net->generate = "xor";
    test_label("%s --%s %s", workload->name, option->name, path);
    check_refusal(workload_of(workload)->check_input(NULL, params, &test_error), path);
    check_refusal(shoal_solver_create(workload, test_host_device(shoal), NULL, params, SHOAL_VARIANT_AUTO,
                                      &solver, &test_error),
                  path);
    assert_null(solver);
    free(params);
}

static void inputs_are_regular_files(void **state)
{
    (void)state;
    struct shoal *shoal = unit_open();
    const char *pipe = test_path("pipe");
    size_t options = 0;
    assert_int_equal(mkfifo(pipe, 0600), 0);
    const char *const paths[] = {pipe, test_folder(), "/dev/zero", "/proc/kmsg"};
    alarm(60); /* a read that never ends */
    for (size_t w = 0; w < shoal_workload_count(); w++) {
        const struct shoal_workload *workload = shoal_workload_at(w);
        for (size_t i = 0; i < workload->option_count; i++) {
            const struct shoal_option *option = &workload->options[i];
            if (!(option->flags & SHOAL_OPTION_READS))
                continue;
            options++;
            for (size_t k = 0; k < sizeof paths / sizeof *paths; k++)
                refuse(shoal, workload, option, paths[k]);
        }
    }
    alarm(0);
    assert_true(options > 0);
    shoal_close(&shoal);
}

/* A text that is compiled has an end too. */
static void texts_have_a_limit(void **state)
{
    (void)state;
    struct shoal *shoal = unit_open();
    const size_t bytes = ((size_t)1 << 20) + 1;
    char *text = malloc(bytes);
    memset(text, ' ', bytes);
    test_write_file(test_path("large.clh"), text, bytes);
    free(text);
    struct shoal_pso_params params;
    struct shoal_solver *solver = NULL;
    test_pso_params_init(&params);
    params.search.objective_file = test_path("large.clh");
    assert_status(shoal_solver_create(shoal_workload_find("pso"), test_host_device(shoal), NULL, &params,
                                      SHOAL_VARIANT_AUTO, &solver, &test_error),
                  SHOAL_IO);
    assert_contains(test_error.message, "has more than 1048576 bytes");
    shoal_close(&shoal);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        UNIT_TEST(inputs_are_regular_files),
        UNIT_TEST(texts_have_a_limit),
    };
    return cmocka_run_group_tests_name("inputs", tests, NULL, NULL);
}
