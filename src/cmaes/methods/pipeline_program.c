/* Contract of cl/cmaes/methods/pipeline.cl. */
#include "cmaes/device/device.h"
#include "cmaes/methods/pipeline.h"
#include "compute/contract.h"

static const struct shoal_entry_desc entries[] = {
    ENTRY(cmaes_pipeline, cmaes_make, .help = "the points of a step, a work-group for each population"),
    ENTRY(cmaes_pipeline, cmaes_end, .help = "the end of a step: records, ranks, mean and covariance matrix"),
};

static const struct shoal_define_desc defines[] = {CMAES_DEFINE_DESCS(cmaes_pipeline)};

const struct shoal_program_desc cmaes_pipeline_program =
    PROGRAM("cmaes.pipeline", cmaes_pipeline, 0, defines, entries);
