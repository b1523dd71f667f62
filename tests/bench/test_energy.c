/* Counters of energy, and sensors: a folder like Linux' powercap, and a library in place of NVML. */
#include "unit.h"

#include "bench/runner/bench.h"
#include "bench/runner/power/energy.h"
#include "bench/runner/power/sensors.h"
#include "bench/runner/power/window.h"

#include <math.h>
#include <time.h>
#include <unistd.h>

static const struct shoal_device_info processor = {.id = "host", .is_host = true, .is_cpu = true};

/* A domain with a name and its counter in microjoules; it begins anew behind 9 J. */
static void write_domain(const char *domain, const char *name, const char *counter)
{
    test_write_text(test_path("%s/name", domain), name);
    test_write_text(test_path("%s/energy_uj", domain), counter);
    test_write_text(test_path("%s/max_energy_range_uj", domain), "9000000\n");
}

#define ONLY(info) ((struct power_devices){(const struct shoal_device_info *const[]){info}, 1})

static void packages_are_summed(void **state)
{
    (void)state;
    struct energy_meter *meter;
    double joules;
    write_domain("class/powercap/intel-rapl:0", "package-0\n", "1000000\n");
    write_domain("class/powercap/intel-rapl:1", "package-1\n", "8500000\n");
    write_domain("class/powercap/intel-rapl:2", "psys\n", "100\n");
    write_domain("class/powercap/intel-rapl:0:0", "core\n", "100\n");
    write_domain("class/powercap/intel-rapl-mmio:0", "package-0\n", "100\n");
    assert_ok(energy_open(&processor, test_folder(), &meter, &test_error));
    assert_ok(energy_read(meter, &joules, &test_error));
    assert_true(joules == 0);
    write_domain("class/powercap/intel-rapl:0", "package-0\n", "1500000\n");
    write_domain("class/powercap/intel-rapl:1", "package-1\n", "250000\n");
    write_domain("class/powercap/intel-rapl:2", "psys\n", "8000000\n");
    assert_ok(energy_read(meter, &joules, &test_error));
    assert_near(joules, 0.5 + 0.75, 1e-12);
    write_domain("class/powercap/intel-rapl:0", "package-0\n", "1750000\n");
    assert_ok(energy_read(meter, &joules, &test_error));
    assert_near(joules, 1.5, 1e-12);
    write_domain("class/powercap/intel-rapl:0", "package-0\n", "none\n");
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
    assert_contains(test_error.message, "/none/class/powercap has no package of RAPL");
    assert_null(meter);
    test_write_text(test_path("class/powercap/intel-rapl:0/name"), "package-0\n");
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

static void assert_range(const struct sensor_range *range, double value)
{
    assert_true(range->count > 0);
    assert_near(range->least, value, 1e-6 * value);
    assert_near(range->most, value, 1e-6 * value);
    assert_near(sensor_mean(range), value, 1e-6 * value);
}

static void sensors_of_a_gpu(void **state)
{
    (void)state;
    struct shoal_device_info gpu = {.id = "cuda:0", .is_gpu = true, .has_pci = true, .pci = {.bus = 0x65}};
    struct sensors_watch *watch;
    struct sensors_summary summary;
    assert_ok(sensors_begin(&gpu, test_folder(), &watch, &test_error));
    sensors_end(&watch, &summary);
    assert_null(watch);
    assert_range(&summary.clock_hz, 1.2e9);
    assert_range(&summary.watts, 350);
    assert_range(&summary.celsius, 83);
    assert_string_equal(summary.slowed, "power limit, temperature");
    sensors_end(&watch, &summary);
    assert_true(summary.watts.count == 0 && isnan(sensor_mean(&summary.watts)));
    gpu.pci.bus = 0x66;
    assert_status(sensors_begin(&gpu, test_folder(), &watch, &test_error), SHOAL_UNSUPPORTED);
    assert_contains(test_error.message, "cuda:0 has no sensor that can be read: the clock");
    /* A card with files of the kernel. */
    test_write_text(test_path("bus/pci/devices/0000:66:00.0/hwmon/hwmon3/freq1_input"), "1700000000\n");
    test_write_text(test_path("bus/pci/devices/0000:66:00.0/hwmon/hwmon3/power1_average"), "210000000\n");
    test_write_text(test_path("bus/pci/devices/0000:66:00.0/hwmon/hwmon3/temp1_input"), "none\n");
    assert_ok(sensors_begin(&gpu, test_folder(), &watch, &test_error));
    sensors_end(&watch, &summary);
    assert_range(&summary.clock_hz, 1.7e9);
    assert_range(&summary.watts, 210);
    assert_true(summary.celsius.count == 0);
    assert_string_equal(summary.slowed, "");
}

static void sensors_of_a_processor(void **state)
{
    (void)state;
    struct sensors_watch *watch;
    struct sensors_summary summary;
    assert_status(sensors_begin(&processor, test_folder(), &watch, &test_error), SHOAL_UNSUPPORTED);
    assert_contains(test_error.message, "host has no sensor that can be read: ");
    assert_contains(test_error.message,
                    "has no cpufreq and no temperature of coretemp, k10temp or zenpower, and");
    assert_contains(test_error.message, "/class/powercap has no package of RAPL");
    test_write_text(test_path("devices/system/cpu/cpu0/cpufreq/scaling_cur_freq"), "3000000\n");
    test_write_text(test_path("devices/system/cpu/cpu1/cpufreq/scaling_cur_freq"), "2000000\n");
    test_write_text(test_path("bus/pci/drivers/k10temp/0000:00:18.3/hwmon/hwmon0/temp1_input"), "61500\n");
    write_domain("class/powercap/intel-rapl:0", "package-0\n", "1000000\n");
    assert_ok(sensors_begin(&processor, test_folder(), &watch, &test_error));
    write_domain("class/powercap/intel-rapl:0", "package-0\n", "2000000\n");
    sensors_end(&watch, &summary);
    assert_range(&summary.clock_hz, 2.5e9);
    assert_range(&summary.celsius, 61.5);
    assert_true(summary.watts.count > 0 && summary.watts.most > 0);
}

/* Cards of other makers: a counter of the driver, or, without one, the mean of its power. */
static void energy_of_other_cards(void **state)
{
    (void)state;
    const struct shoal_device_info gpu = {
        .id = "opencl:1", .is_gpu = true, .has_pci = true, .pci = {.bus = 0x66}};
    const char *const counter = test_path("bus/pci/devices/0000:66:00.0/hwmon/hwmon3/energy1_input");
    struct energy_meter *meter;
    struct power_window *window;
    double joules, watts;
    test_write_text(counter, "5000000\n");
    assert_ok(energy_open(&gpu, test_folder(), &meter, &test_error));
    test_write_text(counter, "7500000\n");
    assert_ok(energy_read(meter, &joules, &test_error));
    assert_near(joules, 2.5, 1e-12);
    test_write_text(counter, "1000\n"); /* the driver was loaded again */
    assert_status(energy_read(meter, &joules, &test_error), SHOAL_FAILED);
    assert_contains(test_error.message, "energy1_input: the counter began anew");
    energy_close(&meter);
    assert_int_equal(unlink(counter), 0);
    assert_status(power_window_begin(ONLY(&gpu), test_folder(), &window, &test_error), SHOAL_UNSUPPORTED);
    assert_string_equal(test_error.message, "the energy of opencl:1 is not known: NVML's error 6");
    test_write_text(test_path("bus/pci/devices/0000:66:00.0/hwmon/hwmon3/power1_average"), "210000000\n");
    assert_ok(power_window_begin(ONLY(&gpu), test_folder(), &window, &test_error));
    assert_ok(power_window_end(&window, &watts, &test_error));
    assert_near(watts, 210, 1e-9);
    assert_null(window);
}

static enum shoal_status work(void *data, struct shoal_error *error)
{
    unsigned *calls = data;
    (void)error;
    ++*calls;
    return SHOAL_OK;
}

static enum shoal_status fail_work(void *data, struct shoal_error *error)
{
    work(data, error);
    snprintf(error->message, sizeof error->message, "told to fail");
    return error->status = SHOAL_FAILED;
}

static void power_of_work(void **state)
{
    (void)state;
    const struct shoal_device_info none = {.id = "cuda:7", .is_gpu = true},
                                   gpu = {
                                       .id = "cuda:0", .is_gpu = true, .has_pci = true, .pci = {.bus = 0x65}};
    struct power_figure power;
    unsigned calls = 0;
    double watts;
    /* 2.5 J between two readings: at rest within 0.05 s, at work within 0.02 s or a little more */
    assert_ok(power_idle(ONLY(&gpu), NULL, 0.05, &watts, &test_error));
    assert_true(watts > 0 && watts <= 2.5 / 0.05);
    assert_ok(power_measure(ONLY(&gpu), NULL, 0.02, work, &calls, &power, &test_error));
    assert_int_equal(power.error.status, SHOAL_OK);
    assert_true(calls > 0 && power.seconds >= 0.02);
    assert_near(power.watts * power.seconds, 2.5, 0.5);
    assert_true(power.idle_watts == watts); /* measured once */
    calls = 0;
    assert_status(power_measure(ONLY(&gpu), NULL, 100, fail_work, &calls, &power, &test_error), SHOAL_FAILED);
    assert_int_equal(calls, 1);
    assert_int_equal(power.error.status, SHOAL_FAILED);
    assert_string_equal(power.error.message, "told to fail");
    /* Without a figure the work is not done, and the reason is kept. */
    assert_ok(power_measure(ONLY(&none), NULL, 100, work, &calls, &power, &test_error));
    assert_int_equal(calls, 1);
    assert_int_equal(power.error.status, SHOAL_UNSUPPORTED);
    assert_contains(power.error.message, "the energy of cuda:7 is not known: it has no PCI address");
    assert_true(isnan(power.watts));
}

/* The power of several devices is the sum of their sources, each of which counts once. */
static void power_of_several_devices(void **state)
{
    (void)state;
    const struct shoal_pci_address address = {.bus = 0x65};
    const struct shoal_device_info
        card = {.id = "cuda:0", .is_gpu = true, .has_pci = true, .pci = address},
        alias = {.id = "opencl:1", .is_gpu = true, .has_pci = true, .pci = address},
        part = {.id = "opencl:0/2:1", .is_cpu = true},
        remote = {.id = "rank1:cuda:0", .is_gpu = true, .has_pci = true, .pci = address, .host = "node2"};
    const struct shoal_device_info *const infos[] = {&card, &processor, &alias, &part, &remote};
    const struct timespec pause = {0, 50000000};
    struct power_window *window;
    double watts;
    write_domain("class/powercap/intel-rapl:0", "package-0\n", "1000000\n");
    assert_ok(power_window_begin((struct power_devices){infos, 4}, test_folder(), &window, &test_error));
    write_domain("class/powercap/intel-rapl:0", "package-0\n", "2500000\n");
    nanosleep(&pause, NULL);
    const double least = power_window_length(window), begin = bench_seconds() - least;
    assert_ok(power_window_end(&window, &watts, &test_error));
    /* 2.5 J of the card and 1.5 J of the processors, in a time between both lengths */
    assert_true(watts * least <= 2.5 + 1.5 && watts * (bench_seconds() - begin) >= 2.5 + 1.5);
    assert_status(power_window_begin((struct power_devices){infos, 5}, test_folder(), &window, &test_error),
                  SHOAL_UNSUPPORTED);
    assert_string_equal(test_error.message, "the energy of rank1:cuda:0 is not known: it belongs to node2");
    assert_null(window);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        UNIT_TEST(packages_are_summed),    UNIT_TEST(processors_without_a_counter_are_named),
        UNIT_TEST(energy_of_a_gpu),        UNIT_TEST(energy_of_other_cards),
        UNIT_TEST(power_of_work),          UNIT_TEST(sensors_of_a_gpu),
        UNIT_TEST(sensors_of_a_processor), UNIT_TEST(power_of_several_devices)};
    return cmocka_run_group_tests_name("bench-energy", tests, NULL, NULL);
}
