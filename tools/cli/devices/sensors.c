#include "cli/devices/sensors.h"

#include "cli/output/tables/layout.h"

#include <math.h>
#include <stdlib.h>

void device_sensors_begin(struct device_sensors *sensors, const struct shoal_device_info *info)
{
    sensors->error.status = sensors_begin(info, NULL, &sensors->watch, &sensors->error);
}

void device_sensors_end(struct device_sensors *sensors)
{
    sensors_end(&sensors->watch, &sensors->summary);
}

static char *range_text(const char *name, const struct sensor_range *range, const char *unit)
{
    if (!range->count)
        return cli_sprintf("%s -", name);
    return cli_sprintf("%s %s to %s, mean %s", name, cli_si(range->least, unit).s,
                       cli_si(range->most, unit).s, cli_si(sensor_mean(range), unit).s);
}

void device_sensors_print(const struct device_sensors *sensors, const char *id)
{
    const struct sensors_summary *summary = &sensors->summary;
    if (sensors->error.status) {
        char *text = cli_sprintf("Clock, power and temperature: -  %s", sensors->error.message);
        cli_paragraph(stdout, 0, text);
        free(text);
        return;
    }
    char *clock = range_text("clock", &summary->clock_hz, "Hz"),
         *watts = range_text("power", &summary->watts, "W"),
         *celsius = summary->celsius.count
                        ? cli_sprintf("at most %.0f degrees Celsius", summary->celsius.most)
                        : cli_strdup("temperature -");
    char *text = cli_sprintf("%s while it was measured: %s; %s; %s%s%s.", id, clock, watts, celsius,
                             *summary->slowed ? "; the driver lowered the clock: " : "", summary->slowed);
    cli_paragraph(stdout, 0, text);
    free(text);
    free(celsius);
    free(watts);
    free(clock);
}

static void range_json(cJSON *object, const char *key, const struct sensor_range *range)
{
    cJSON *item = cli_json_object(object, key);
    cli_json_real(item, "min", range->count ? range->least : NAN);
    cli_json_real(item, "mean", sensor_mean(range));
    cli_json_real(item, "max", range->count ? range->most : NAN);
}

void device_sensors_json(const struct device_sensors *sensors, cJSON *object)
{
    cJSON *item = cli_json_object(object, "sensors");
    range_json(item, "clock_hz", &sensors->summary.clock_hz);
    range_json(item, "power_w", &sensors->summary.watts);
    range_json(item, "temperature_c", &sensors->summary.celsius);
    cli_json_text(item, "slowed", *sensors->summary.slowed ? sensors->summary.slowed : NULL);
    cli_json_text(item, "reason", sensors->error.status ? sensors->error.message : NULL);
}
