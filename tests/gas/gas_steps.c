#include "gas_steps.h"

#include "fake.h"
#include "gas/device/device.h"

/* Arguments of the kernels, from cl/gas/methods/list_step.cl and cl/gas/methods/list_run.cl. */
enum { WORDS = 6, STEP_AGE = 14, RUN_WORDS = 5, RUN_AGE = 13, RUN_STEPS = 14 };

static uint32_t number(const struct fake_run *run, size_t argument)
{
    return *(const uint32_t *)run->args[argument].data;
}

static void one_step(const struct fake_run *run)
{
    uint32_t *words = run->args[WORDS].data;
    words[WORD_STEP]++;
    words[WORD_AGE] = number(run, STEP_AGE);
}

static void many_steps(const struct fake_run *run)
{
    uint32_t *words = run->args[RUN_WORDS].data;
    words[WORD_STEP] += number(run, RUN_STEPS);
    words[WORD_AGE] = number(run, RUN_AGE) + number(run, RUN_STEPS);
}

void gas_count_steps(void)
{
    fake_register_kernel("gas_list_step", one_step);
    fake_register_kernel("gas_list_run", many_steps);
}
