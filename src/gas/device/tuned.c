#include "gas/device/tuned.h"

#include "base/error.h"
#include "compute/tune.h"
#include "gas/device/device.h"

#include <stdio.h>
#include <string.h>

static const char section_name[] = "tuned", method_name[] = "method";

static const struct gas_tuned_value *find(const struct gas_tuned *tuned, const char *name)
{
    for (size_t i = 0; i < tuned->count; i++)
        if (strncmp(tuned->values[i].name, name, GAS_TUNED_NAME) == 0)
            return &tuned->values[i];
    return NULL;
}

static void keep(struct gas_tuned *tuned, const char *name, int64_t value)
{
    if (tuned->count == GAS_TUNED_MOST) {
        tuned->is_short_of_room = true;
        return;
    }
    struct gas_tuned_value *kept = &tuned->values[tuned->count++];
    *kept = (struct gas_tuned_value){.value = value};
    snprintf(kept->name, sizeof kept->name, "%s", name);
}

int64_t gas_tuned(const struct shoal_solver *solver, const struct tuning_question *question)
{
    struct gas_tuned *tuned = &gas_device_of(solver)->tuned;
    char name[GAS_TUNED_NAME];
    if (snprintf(name, sizeof name, "%s %s", question->program, question->name) >= (int)sizeof name)
        tuned->is_short_of_room = true;
    const struct gas_tuned_value *known = find(tuned, name);
    if (known && known->value >= question->min && known->value <= question->max)
        return known->value;
    const int64_t value = tuning_ask(solver->device, question);
    if (!known)
        keep(tuned, name, value);
    return value;
}

void gas_tuned_layout(const struct shoal_solver *solver, const struct shoal_program_desc *desc,
                      const char *sizes, const struct gas_layout *layout, size_t count,
                      struct defines *defines)
{
    for (size_t i = 0; i < count; i++) {
        const struct tuning_question question = define_question(desc, layout[i].name, sizes, layout[i].value,
                                                                layout[i].tries, layout[i].try_count);
        define_add(defines, layout[i].name, gas_tuned(solver, &question));
    }
}

/* In files the first method is 0. */
static const struct gas_method *method_of(const struct gas_tuned_value *value)
{
    return value->value < INT32_MAX ? gas_method_of_number(value->value + 1) : NULL;
}

static int64_t number_of(const struct gas_method *method)
{
    int64_t number = 0;
    while (gas_method_of_number(number + 1) != method)
        number++;
    return number;
}

enum shoal_status gas_tuned_complete(const struct shoal_solver *solver, struct shoal_error *error)
{
    struct gas_device *device = gas_device_of(solver);
    if (!find(&device->tuned, method_name))
        keep(&device->tuned, method_name, number_of(device->method));
    return device->tuned.is_short_of_room ? fail(error, SHOAL_UNSUPPORTED,
                                                 "a checkpoint has room for %d tuned values with names of %d "
                                                 "characters: that of this gas, "
                                                 "by %s, would need more; --no-cache leaves tuned values out",
                                                 GAS_TUNED_MOST, GAS_TUNED_NAME - 1, device->method->name)
                                          : SHOAL_OK;
}

/* Checkpoints ------------------------------------------------------------------------------------------ */

void gas_tuned_save(struct shoal_solver *solver, struct checkpoint *checkpoint)
{
    const struct gas_tuned *tuned = &gas_device_of(solver)->tuned;
    checkpoint_add(checkpoint, section_name, tuned->values, tuned->count * sizeof *tuned->values);
}

static enum shoal_status read_section(const struct checkpoint *checkpoint,
                                      const struct checkpoint_section *section, struct gas_tuned *tuned,
                                      struct shoal_error *error)
{
    *tuned = (struct gas_tuned){.count = section->bytes / sizeof *tuned->values};
    bool good = section->bytes % sizeof *tuned->values == 0 && tuned->count <= GAS_TUNED_MOST;
    if (good)
        memcpy(tuned->values, section->data, section->bytes);
    for (size_t i = 0; good && i < tuned->count; i++)
        good = memchr(tuned->values[i].name, 0, GAS_TUNED_NAME) != NULL;
    const struct gas_tuned_value *method = good ? find(tuned, method_name) : NULL;
    good = method && method_of(method);
    return good ? SHOAL_OK
                : fail(error, SHOAL_IO, "%s: section %s holds no tuned values", checkpoint->path,
                       section_name);
}

/* Would the gas as it is take the values? */
static bool is_same(const struct gas_tuned *own, const struct gas_tuned *other)
{
    for (size_t i = 0; i < other->count; i++) {
        const struct gas_tuned_value *value = find(own, other->values[i].name);
        if (!value || value->value != other->values[i].value)
            return false;
    }
    return true;
}

/* The method with what belongs to it. */
struct made {
    const struct gas_method *method;
    void *state;
    unsigned part;
    struct gas_tuned tuned;
};

static void exchange(struct gas_device *device, struct made *other)
{
    const struct made own = {device->method, device->method_state, device->method_part, device->tuned};
    device->method = other->method;
    device->method_state = other->state;
    device->method_part = other->part;
    device->tuned = other->tuned;
    *other = own;
}

static enum shoal_status make_method_again(struct shoal_solver *solver, const struct gas_tuned *tuned,
                                           struct shoal_error *error)
{
    struct gas_device *device = gas_device_of(solver);
    struct made other = {.method = method_of(find(tuned, method_name)), .tuned = *tuned};
    enum shoal_status status =
        other.method->fits(&device->problem, shoal_device_get_info(solver->device), error);
    if (!status)
        status = shoal_queue_finish(solver->queue, error);
    if (status)
        return status;
    exchange(device, &other);
    status = gas_method_create(solver, error);
    /* The one that is not used goes. */
    if (!status)
        exchange(device, &other);
    gas_method_destroy(solver);
    exchange(device, &other);
    return status;
}

enum shoal_status gas_tuned_load(struct shoal_solver *solver, const struct checkpoint *checkpoint,
                                 struct shoal_error *error)
{
    struct gas_device *device = gas_device_of(solver);
    const struct checkpoint_section *section = checkpoint_find(checkpoint, section_name);
    struct gas_tuned tuned;
    if (!section) /* of a version that had none */
        return SHOAL_OK;
    enum shoal_status status = read_section(checkpoint, section, &tuned, error);
    if (status)
        return status;
    return is_same(&device->tuned, &tuned) ? SHOAL_OK : make_method_again(solver, &tuned, error);
}
