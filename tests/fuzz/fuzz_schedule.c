/* Schedules of a gas: whatever the bytes, either one line that says what is wrong, or changes in the order of
 * their steps with values in range. */
#include "target.h"

#include "gas/gas.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = input_string(data, size);
    struct shoal_gas_params params;
    struct shoal_error error = {0};
    struct gas_timetable timetable;
    shoal_gas_params_init(&params);
    params.schedule = "fuzz";
    params.dim = size % 2 ? 2 : 3;
    params.thermostat = (int32_t)(size / 2 % 4);
    params.equilibration = size / 8 % 2;
    params.pressure = size / 16 % 2 ? 1 : NAN;
    params.piston_pressure = size / 32 % 2 ? 1 : NAN;
    params.piston_speed = size / 32 % 2 ? NAN : -1;
    enum shoal_status status = gas_timetable_parse(&params, text, size, &timetable, &error);
    size_t changes = 0;
    for (size_t q = 0; q < GAS_QUANTITIES; q++) {
        const enum gas_quantity quantity = (enum gas_quantity)q;
        const double most = gas_largest(&timetable, &params, quantity);
        changes += timetable.count[q];
        for (size_t i = 0; i < timetable.count[q]; i++) {
            const struct gas_change *change = &timetable.changes[q][i];
            const uint64_t end = change->step + change->over;
            REQUIRE(gas_value_at(&timetable, &params, quantity, change->step) <= most);
            REQUIRE(i + 1 == timetable.count[q] || end <= change[1].step);
            REQUIRE(i + 1 < timetable.count[q] ||
                    gas_value_at(&timetable, &params, quantity, end) == change->to);
        }
    }
    if (status)
        REQUIRE(status == SHOAL_IO && changes == 0 && error.message[0] && !strpbrk(error.message, "\r\n"));
    else
        REQUIRE(changes > 0 && changes <= size);
    gas_timetable_destroy(&timetable);
    free(text);
    return 0;
}
