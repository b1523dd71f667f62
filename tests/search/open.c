#include "open.h"

struct shoal *shoal;

int set_up(void **state)
{
    const int failed = unit_setup(state);
    shoal = failed ? NULL : unit_open();
    return failed;
}

int tear_down(void **state)
{
    shoal_close(&shoal);
    return unit_teardown(state);
}
