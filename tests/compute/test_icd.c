/* Machines without OpenCL drivers, or with broken ones: shoal opens with the host device and a sentence that
 * says what to install. The loader reads its folder once in a process, so each case runs in a child. */
#include "unit.h"

#include <dirent.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static bool expect(bool ok, const char *what, const char *detail)
{
    if (!ok)
        fprintf(stderr, "%s: \"%s\"\n", what, detail);
    return ok;
}

struct icd_case {
    const char *vendors;  /* value of OCL_ICD_VENDORS */
    const char *parts[3]; /* what the notes of the backend say, together */
    bool available;       /* a device all the same */
};

/* All notes of the OpenCL backend, one a line. */
static void gather_notes(const struct shoal *shoal, struct text *notes, bool *available)
{
    *available = false;
    for (size_t i = 0; i < shoal_backend_count(shoal); i++) {
        const struct shoal_backend_info *info = shoal_backend_at(shoal, i);
        if (strcmp(info->name, "opencl") != 0)
            continue;
        *available = *available || info->available;
        text_printf(notes, "%s\n", info->note);
    }
}

/* In the child: 0 when everything is as it should be. */
static int check_case(const struct icd_case *test)
{
    setenv("OCL_ICD_VENDORS", test->vendors, 1);
    struct shoal_params params = unit_params();
    struct shoal_error error = {0};
    struct shoal *shoal = NULL;
    if (!expect(shoal_open(&shoal, &params, &error) == SHOAL_OK, "shoal_open", error.message))
        return 1;
    struct text notes = {0};
    bool available;
    gather_notes(shoal, &notes, &available);
    bool good = expect(available == test->available, "available", notes.data);
    for (size_t i = 0; i < 3 && test->parts[i]; i++)
        good = expect(strstr(notes.data, test->parts[i]) != NULL, test->parts[i], notes.data) && good;
    struct shoal_device *devices[32];
    size_t count = 0;
    enum shoal_status status = shoal_device_select(shoal, "opencl:0", 0, devices, 32, &count, &error);
    good =
        expect(status == (test->available ? SHOAL_OK : SHOAL_NO_DEVICE), "opencl:0", error.message) && good;
    if (!test->available && test->parts[0])
        good = expect(strstr(error.message, test->parts[0]) != NULL, "the hint", error.message) && good;
    status = shoal_device_select(shoal, "host", 0, devices, 32, &count, &error);
    good = expect(status == SHOAL_OK && count == 1, "host", error.message) && good;
    text_free(&notes);
    shoal_close(&shoal);
    return good ? 0 : 1;
}

static void run(const struct icd_case *test)
{
    fflush(NULL);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        /* cmocka's handlers would go on with the other tests here. */
        signal(SIGSEGV, SIG_DFL);
        signal(SIGABRT, SIG_DFL);
        exit(check_case(test));
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

static const char hint[] = "install pocl-opencl-icd";

static void no_folder(void **state)
{
    (void)state;
    run(&(struct icd_case){.vendors = "/nonexistent", .parts = {hint}});
}

static void an_empty_folder(void **state)
{
    (void)state;
    char vendors[512];
    snprintf(vendors, sizeof vendors, "%s/", test_folder());
    run(&(struct icd_case){.vendors = vendors, .parts = {hint}});
}

static void a_driver_that_is_not_there(void **state)
{
    (void)state;
    test_write_text(test_path("vendors/nonsense.icd"), "libno-such-driver.so.7\n");
    char vendors[512];
    snprintf(vendors, sizeof vendors, "%s", test_path("vendors"));
    run(&(struct icd_case){.vendors = vendors,
                           .parts = {hint, "nonsense.icd cannot be loaded", "libno-such-driver.so.7"}});
}

static void a_driver_that_is_no_library(void **state)
{
    (void)state;
    char library[512], vendors[512];
    snprintf(library, sizeof library, "%s", test_path("libtext.so"));
    snprintf(vendors, sizeof vendors, "%s", test_path("vendors"));
    test_write_text(library, "this is no library\n");
    test_write_text(test_path("vendors/text.icd"), library);
    test_write_text(test_path("vendors/empty.icd"), "");
    run(&(struct icd_case){.vendors = vendors,
                           .parts = {"text.icd cannot be loaded", "empty.icd cannot be loaded"}});
}

/* A library that is sound but no OpenCL driver: the loader leaves it out. */
static void a_library_that_is_no_driver(void **state)
{
    (void)state;
    char vendors[512];
    snprintf(vendors, sizeof vendors, "%s", test_path("vendors"));
    test_write_text(test_path("vendors/math.icd"), "libm.so.6\n");
    run(&(struct icd_case){.vendors = vendors, .parts = {hint}});
}

/* One broken driver does not hide the others. */
static void a_broken_driver_beside_a_good_one(void **state)
{
    (void)state;
    static const char system_folder[] = "/etc/OpenCL/vendors";
    size_t copied = 0;
    DIR *dir = opendir(system_folder);
    for (struct dirent *entry; dir && (entry = readdir(dir));) {
        char from[512], text[512] = "";
        snprintf(from, sizeof from, "%s/%s", system_folder, entry->d_name);
        FILE *file = strstr(entry->d_name, ".icd") ? fopen(from, "r") : NULL;
        if (!file)
            continue;
        if (fgets(text, sizeof text, file)) {
            test_write_text(test_path("vendors/%s", entry->d_name), text);
            copied++;
        }
        fclose(file);
    }
    if (dir)
        closedir(dir);
    if (!copied)
        skip();
    test_write_text(test_path("vendors/aaa-broken.icd"), "libno-such-driver.so.7\n");
    char vendors[512];
    snprintf(vendors, sizeof vendors, "%s", test_path("vendors"));
    run(&(struct icd_case){
        .vendors = vendors, .parts = {"aaa-broken.icd cannot be loaded"}, .available = true});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        UNIT_TEST(no_folder),
        UNIT_TEST(an_empty_folder),
        UNIT_TEST(a_driver_that_is_not_there),
        UNIT_TEST(a_driver_that_is_no_library),
        UNIT_TEST(a_library_that_is_no_driver),
        UNIT_TEST(a_broken_driver_beside_a_good_one),
    };
    return cmocka_run_group_tests_name("icd", tests, NULL, NULL);
}
