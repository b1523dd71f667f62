/* What the library holds: its workloads, and the programs that belong to none of them. Each list ends with
 * NULL, so a line can be added or taken out without touching another. */
#include "workload/workload.h"

extern const struct workload gas_workload, pso_workload;

const struct workload *const registry_workloads[] = {
    &pso_workload,
    &gas_workload,
    NULL,
};

extern const struct shoal_program_desc eval_data_program, eval_dimension_program, eval_rows_program,
    eval_whole_program;
extern const struct shoal_program_desc philox_program, reduce_program, scan_program, scan_blocks_program,
    scan_serial_program, sort_program, sort_serial_program;
extern const struct shoal_program_desc measure_copy_program, measure_empty_program, measure_fma_program,
    measure_sfu_program;

const struct shoal_program_desc *const registry_programs[] = {
    &eval_data_program,     &eval_dimension_program, &eval_rows_program,   &eval_whole_program,
    &philox_program,        &reduce_program,         &scan_program,        &scan_blocks_program,
    &scan_serial_program,   &sort_program,           &sort_serial_program, &measure_copy_program,
    &measure_empty_program, &measure_fma_program,    &measure_sfu_program, NULL,
};
