/* Clock, power and temperature of a device during a measurement. */
#ifndef SHOAL_CLI_DEVICES_SENSORS_H
#define SHOAL_CLI_DEVICES_SENSORS_H

#include "bench/runner/power/sensors.h"
#include "cli/cli.h"

/* What the sensors of a device told. */
struct device_sensors {
    struct sensors_watch *watch;
    struct sensors_summary summary;
    struct shoal_error error; /* why nothing is known */
};

void device_sensors_begin(struct device_sensors *sensors, const struct shoal_device_info *info);
void device_sensors_end(struct device_sensors *sensors);
/* Prints a line: "cuda:0: clock 1.2 to 1.98 GHz, power 640 W at most, ...". */
void device_sensors_print(const struct device_sensors *sensors, const char *id);
/* Adds the object "sensors". */
void device_sensors_json(const struct device_sensors *sensors, cJSON *object);

#endif
