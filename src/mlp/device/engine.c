/* Devices as an engine. */
#include "base/error.h"
#include "mlp/mlp.h"

static enum shoal_status create(struct shoal_solver *solver, struct mlp_member *member,
                                struct shoal_error *error)
{
    (void)solver;
    (void)member;
    return fail(error, SHOAL_UNSUPPORTED, "the device engine is being written");
}
static void destroy(struct mlp_member *member)
{
    (void)member;
}
const struct mlp_engine mlp_device_engine = {.create = create, .destroy = destroy};
