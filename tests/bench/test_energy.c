/* Counters of energy: a folder like Linux' powercap, and a library in place of NVML. */
#include "unit.h"

#include "bench/runner/energy.h"

static const struct shoal_device_info processor = {.id = "host", .is_host = true, .is_cpu = true};

/* A domain with a name and its counter in microjoules; it begins anew behind 9 J. */
static void write_domain(const char *domain, const char *name, const char *counter)
{
    test_write_text(test_path("%s/name", domain), name);
    test_write_text(test_path("%s/energy_uj", domain), counter);
    test_write_text(test_path("%s/max_energy_range_uj", domain), "9000000\n");
}

static void packages_are_summed(void **state)
{
    (void)state;
    struct energy_meter *meter;
    double joules;
    write_domain("intel-rapl:0", "package-0\n", "1000000\n");
    write_domain("intel-rapl:1", "package-1\n", "8500000\n");
    write_domain("intel-rapl:2", "psys\n", "100\n");
    write_domain("intel-rapl:0:0", "core\n", "100\n");
    write_domain("intel-rapl-mmio:0", "package-0\n", "100\n");
    assert_ok(energy_open(&processor, test_folder(), &meter, &test_error));
    assert_ok(energy_read(meter, &joules, &test_error));
    assert_true(joules == 0);
    write_domain("intel-rapl:0", "package-0\n", "1500000\n");
    write_domain("intel-rapl:1", "package-1\n", "250000\n");
    write_domain("intel-rapl:2", "psys\n", "8000000\n");
    assert_ok(energy_read(meter, &joules, &test_error));
    assert_near(joules, 0.5 + 0.75, 1e-12);
    write_domain("intel-rapl:0", "package-0\n", "1750000\n");
    assert_ok(energy_read(meter, &joules, &test_error));
    assert_near(joules, 1.5, 1e-12);
    write_domain("intel-rapl:0", "package-0\n", "none\n");
    assert_status(energy_read(meter, &joules, &test_error), SHOAL_UNSUPPORTED);
    assert_contains(test_error.message, "intel-rapl:0/energy_uj: not a number");
    energy_close(&meter);
    assert_null(meter);
    energy_close(&meter);
}

static void processors_without_a_counter_are_named(void **state)
{
    (void)state;
    struct energy_meter *meter;
    assert_status(energy_open(&processor, test_path("none"), &meter, &test_error), SHOAL_UNSUPPORTED);
    assert_contains(test_error.message, "/none has no package of RAPL");
    assert_null(meter);
    test_write_text(test_path("intel-rapl:0/name"), "package-0\n");
    assert_status(energy_open(&processor, test_folder(), &meter, &test_error), SHOAL_UNSUPPORTED);
    assert_contains(test_error.message, "intel-rapl:0/energy_uj: No such file");
    assert_null(meter);
}

static void energy_of_a_gpu(void **state)
{
    (void)state;
    struct shoal_device_info gpu = {.id = "cuda:0", .is_gpu = true, .has_pci = true, .pci = {.bus = 0x65}};
    struct energy_meter *meter;
    double joules;
    assert_ok(energy_open(&gpu, NULL, &meter, &test_error));
    for (unsigned k = 1; k <= 3; k++) {
        assert_ok(energy_read(meter, &joules, &test_error));
        assert_near(joules, 2.5 * k, 1e-12);
    }
    energy_close(&meter);
    gpu.pci.bus = 0x66;
    assert_status(energy_open(&gpu, NULL, &meter, &test_error), SHOAL_UNSUPPORTED);
    assert_string_equal(test_error.message, "the energy of cuda:0 is not known: NVML's error 6");
    gpu.has_pci = false;
    assert_status(energy_open(&gpu, NULL, &meter, &test_error), SHOAL_UNSUPPORTED);
    assert_contains(test_error.message, "it has no PCI address");
}

int main(void)
{
    const struct CMUnitTest tests[] = {UNIT_TEST(packages_are_summed),
                                       UNIT_TEST(processors_without_a_counter_are_named),
                                       UNIT_TEST(energy_of_a_gpu)};
    return cmocka_run_group_tests_name("bench-energy", tests, NULL, NULL);
}
