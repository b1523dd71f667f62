/* The grammar of --device. */
#include "unit.h"

#include "compute/select.h"

enum { CAPACITY = 16 };

/* other:0 and fake:0 are one card; fake:1 is a second GPU, fake:2 a CPU, fake:3 an accelerator. */
static struct shoal *open_machine(void)
{
    fake_reset();
    struct shoal_device_info info = fake_gpu("NVIDIA H200");
    info.has_pci = true;
    info.pci = (struct shoal_pci_address){0, 0x1b, 0, 0};
    fake_add_device(&fake_other_backend, &info);
    fake_add_device(&fake_backend, &info);
    info.name = "Quux 9 pro";
    info.pci = (struct shoal_pci_address){0x10000, 0xc3, 0x1f, 7};
    fake_add_device(&fake_backend, &info);
    info = fake_gpu("pthread-epyc");
    info.is_gpu = false;
    info.is_cpu = true;
    fake_add_device(&fake_backend, &info);
    info = fake_gpu("Accelerator");
    info.is_gpu = false;
    fake_add_device(&fake_backend, &info);
    return unit_open();
}

/* Ids of the devices that `selector` names, separated by blanks. */
static const char *select_ids(struct shoal *shoal, const char *selector, unsigned flags)
{
    static char ids[256];
    struct shoal_device *devices[CAPACITY];
    size_t count = 99, used = 0;
    ids[0] = '\0';
    assert_ok(shoal_device_select(shoal, selector, flags, devices, CAPACITY, &count, &test_error));
    for (size_t i = 0; i < count; i++)
        used += (size_t)snprintf(ids + used, sizeof ids - used, "%s%s", i ? " " : "",
                                 shoal_device_get_info(devices[i])->id);
    return ids;
}

static void selectors_name_devices(void **state)
{
    (void)state;
    struct shoal *shoal = open_machine();
    static const struct {
        const char *selector, *ids;
    } cases[] = {
        {"all", "other:0 fake:0 fake:1 fake:2 fake:3 host"},
        {"gpu", "other:0 fake:1"},
        {"cpu", "fake:2"},
        {"host", "host"},
        {"fake:0", "fake:0"},
        {"other:0", "other:0"},
        {"fake:3,fake:1", "fake:3 fake:1"},
        {"host,gpu", "host other:0 fake:1"},
        {"fake:1,gpu", "fake:1 other:0"},
        {"fake:0,fake:0,fake:0", "fake:0"},
        {"all,all", "other:0 fake:0 fake:1 fake:2 fake:3 host"},
        {"gpu,fake:0", "other:0 fake:1 fake:0"}, /* an alias that is named is wanted */
        {"~h200", "other:0 fake:0"},
        {"~QUUX", "fake:1"},
        {"~9 PRO", "fake:1"},
        {"~nvidia h2", "other:0 fake:0"},
        {"~e,host", "fake:2 fake:3 host"}, /* the host's own name may hold an e */
        {"pci:1b:00.0", "other:0 fake:0"},
        {"pci:1B:0", "other:0 fake:0"},
        {"pci:0000:1b:00.0", "other:0 fake:0"},
        {"pci:10000:c3:1f.7", "fake:1"},
        {" fake:0 , host ", "fake:0 host"},
        {"GPU", "other:0 fake:1"},
        {"Fake:0", "fake:0"},
        {"PCI:1b:0.0", "other:0 fake:0"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_string_equal(select_ids(shoal, cases[i].selector, 0), cases[i].ids);
    shoal_close(&shoal);
}

static void aliases_are_rows_on_request(void **state)
{
    (void)state;
    struct shoal *shoal = open_machine();
    assert_string_equal(select_ids(shoal, "gpu", SHOAL_SELECT_ALIASES), "other:0 fake:0 fake:1");
    assert_string_equal(select_ids(shoal, "all", SHOAL_SELECT_ALIASES),
                        "other:0 fake:0 fake:1 fake:2 fake:3 host");
    assert_string_equal(select_ids(shoal, "cpu", SHOAL_SELECT_ALIASES), "fake:2");
    shoal_close(&shoal);
}

static void empty_items_are_refused(void **state)
{
    (void)state;
    struct shoal *shoal = open_machine();
    static const char *const wrong[] = {"", " ", ",", "gpu,", ",gpu", "gpu,,cpu", "gpu, ,cpu", "tpu,"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct shoal_device *devices[CAPACITY];
        size_t count = 99;
        const enum shoal_status status =
            shoal_device_select(shoal, wrong[i], 0, devices, CAPACITY, &count, &test_error);
        assert_int_equal(count, 0);
        if (*wrong[i] == 't') { /* the first item that is wrong */
            assert_status(status, SHOAL_NO_DEVICE);
            continue;
        }
        assert_status(status, SHOAL_INVALID);
        assert_contains(test_error.message, "has an empty item");
    }
    shoal_close(&shoal);
}

static void what_matches_nothing_lists_the_ids(void **state)
{
    (void)state;
    struct shoal *shoal = open_machine();
    static const char *const wrong[] = {
        "fake:4",           "fake:",       "fake",         "fake:0x",
        "fake:00",          "other:1",     "opencl:0",     "~",
        "~nothing like it", "pci:",        "pci:1b",       "pci:1b:00.1",
        "pci:1c:00.0",      "pci:zz:00.0", "pci:1b:00.0x", "tpu",
        "gpu cpu",          "all;",        "~\n",          "host:0",
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct shoal_device *devices[CAPACITY];
        size_t count = 99;
        assert_status(shoal_device_select(shoal, wrong[i], 0, devices, CAPACITY, &count, &test_error),
                      SHOAL_NO_DEVICE);
        assert_int_equal(count, 0);
        static const char *const ids[] = {"other:0", "fake:0", "fake:1",     "fake:2",
                                          "fake:3",  "host",   "NVIDIA H200"};
        for (size_t k = 0; k < sizeof ids / sizeof *ids; k++)
            assert_contains(test_error.message, ids[k]);
    }
    struct shoal_device *devices[CAPACITY];
    size_t count;
    assert_status(shoal_device_select(shoal, "fake:0,tpu", 0, devices, CAPACITY, &count, &test_error),
                  SHOAL_NO_DEVICE);
    assert_contains(test_error.message, "\"tpu\"");
    assert_status(shoal_device_select(shoal, "pci:xyz", 0, devices, CAPACITY, &count, &test_error),
                  SHOAL_NO_DEVICE);
    assert_contains(test_error.message, "pci:[domain:]bus:device");
    shoal_close(&shoal);
}

static void the_reason_for_no_gpu_is_given(void **state)
{
    (void)state;
    fake_reset();
    struct shoal *shoal = unit_open();
    struct shoal_device *devices[CAPACITY];
    size_t count;
    assert_status(shoal_device_select(shoal, "gpu", 0, devices, CAPACITY, &count, &test_error),
                  SHOAL_NO_DEVICE);
    assert_contains(test_error.message, "no fake device was set up");
    assert_status(shoal_device_select(shoal, "cpu", 0, devices, CAPACITY, &count, &test_error),
                  SHOAL_NO_DEVICE);
    assert_string_equal(select_ids(shoal, "all", 0), "host");
    shoal_close(&shoal);
}

static void arguments_are_checked(void **state)
{
    (void)state;
    struct shoal *shoal = open_machine();
    struct shoal_device *devices[CAPACITY];
    size_t count = 99;
    assert_status(shoal_device_select(NULL, "all", 0, devices, CAPACITY, &count, &test_error), SHOAL_INVALID);
    assert_status(shoal_device_select(shoal, NULL, 0, devices, CAPACITY, &count, &test_error), SHOAL_INVALID);
    assert_status(shoal_device_select(shoal, "all", 0, NULL, CAPACITY, &count, &test_error), SHOAL_INVALID);
    assert_ok(shoal_device_select(shoal, "all,gpu", 0, NULL, 0, &count, &test_error));
    assert_int_equal(count, shoal_device_count(shoal));
    assert_status(shoal_device_select(shoal, "all,tpu", 0, NULL, 0, &count, &test_error), SHOAL_NO_DEVICE);
    assert_int_equal(count, 0);
    assert_status(shoal_device_select(shoal, "all", 0, devices, CAPACITY, NULL, &test_error), SHOAL_INVALID);
    assert_status(shoal_device_select(shoal, "all", 0, devices, 5, &count, &test_error), SHOAL_INVALID);
    assert_status(shoal_device_select(shoal, "host", 0, devices, 0, &count, &test_error), SHOAL_INVALID);
    assert_int_equal(shoal_device_select(shoal, "tpu", 0, devices, CAPACITY, &count, NULL), SHOAL_NO_DEVICE);
    assert_ok(shoal_device_select(shoal, "all,all,gpu", 0, devices, shoal_device_count(shoal), &count,
                                  &test_error));
    assert_int_equal(count, shoal_device_count(shoal));
    shoal_close(&shoal);
}

static void endless_selectors_end_in_one_line(void **state)
{
    (void)state;
    struct shoal *shoal = open_machine();
    static char longer[100000];
    memset(longer, 'z', sizeof longer - 1);
    struct shoal_device *devices[CAPACITY];
    size_t count;
    assert_status(shoal_device_select(shoal, longer, 0, devices, CAPACITY, &count, &test_error),
                  SHOAL_NO_DEVICE);
    longer[0] = '~';
    assert_status(shoal_device_select(shoal, longer, 0, devices, CAPACITY, &count, &test_error),
                  SHOAL_NO_DEVICE);
    memset(longer, ',', sizeof longer - 1);
    assert_status(shoal_device_select(shoal, longer, 0, devices, CAPACITY, &count, &test_error),
                  SHOAL_INVALID);
    shoal_close(&shoal);
}

static void pci_addresses_are_parsed(void **state)
{
    (void)state;
    struct shoal_pci_address pci;
    assert_true(pci_parse("0000:1b:00.0", &pci));
    assert_int_equal(pci.domain, 0);
    assert_int_equal(pci.bus, 0x1b);
    assert_true(pci_parse("ffffffff:ff:1f.7", &pci));
    assert_int_equal(pci.domain, 0xffffffffu);
    assert_int_equal(pci.bus, 0xff);
    assert_int_equal(pci.device, 0x1f);
    assert_int_equal(pci.function, 7);
    assert_true(pci_parse("1B:2", &pci));
    assert_int_equal(pci.device, 2);
    assert_int_equal(pci.function, 0);
    static const char *const wrong[] = {
        "",         ":",          "1b",       "1b:",
        ":00.0",    "1b:00.",     "1b:00.8",  "1b:20.0",
        "100:00.0", "0:100:00.0", "1b:00.00", "1b:00.0 ",
        " 1b:00.0", "1b:00:00:0", "g:0.0",    "100000000:1b:00.0",
        "-1:0",     "1b:00.0.0",
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        if (pci_parse(wrong[i], &pci)) {
            print_error("pci_parse accepts \"%s\"\n", wrong[i]);
            _fail(__FILE__, __LINE__);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        UNIT_TEST(selectors_name_devices),
        UNIT_TEST(aliases_are_rows_on_request),
        UNIT_TEST(empty_items_are_refused),
        UNIT_TEST(what_matches_nothing_lists_the_ids),
        UNIT_TEST(the_reason_for_no_gpu_is_given),
        UNIT_TEST(arguments_are_checked),
        UNIT_TEST(endless_selectors_end_in_one_line),
        UNIT_TEST(pci_addresses_are_parsed),
    };
    return cmocka_run_group_tests_name("select", tests, NULL, NULL);
}
