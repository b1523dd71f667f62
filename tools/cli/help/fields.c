/* The keys of JSON documents that do not belong to one workload, and the order in which a man page lists
 * them. */
#include "cli/help/fields.h"
#include "cli/workload.h"

#include <string.h>

static const struct json_field document[] = {
    {"schema", "", "version of the layout, 1; keys are added, never renamed"},
    {"shoal", "", "version of the program"},
    {"command", "", "the command; for shoal bench the whole command line"},
    {"algorithm", "", "in shoal optimise: the algorithm, whose command has the parameters"},
    {"choice", "", "in shoal optimise: the algorithm and why it was chosen, null: the user named it"},
    {"errors[].code", "", "exit code of a failure; the document has the list if something failed"},
    {"errors[].message", "", "message of the failure"},
    JSON_FIELDS_END};

static const struct json_field failure[] = {{"status", "", "kind of failure, as in <shoal/error.h>"},
                                            {"message", "", "one line: what, where, what to do"},
                                            {"call", "", "function of the driver that failed, null: none"},
                                            {"native", "", "error code of this function"},
                                            {"log", "", "output of the kernel compiler, if there is any"},
                                            JSON_FIELDS_END};

static const struct json_field device[] = {
    {"id", "", "name for --device"},
    {"backend", "", "opencl, cuda or host"},
    {"name", "", "name that the driver gives"},
    {"vendor", "", "manufacturer"},
    {"platform", "", "OpenCL platform; CUDA; OpenMP"},
    {"driver", "", "version of the driver"},
    {"compiler", "", "compiler of the kernels and its version"},
    {"type", "", "gpu, cpu, host or other"},
    {"alias_of", "", "id of the preferred device of the same card, null: this device is preferred"},
    {"part_of", "", "id of the whole device, whose memory its parts share, null: the device is no part"},
    {"host", "", "host of a device of another process of the run, null: a device of this process"},
    {"rank", "", "number of the process of the run that has the device, 0: this process"},
    {"pci", "", "address on the PCI bus, null: not known"},
    {"memory", "bytes", "memory of the device"},
    {"max_allocation", "bytes", "largest buffer"},
    {"local_mem", "bytes", "local memory of a work-group"},
    {"local_mem_max", "bytes", "local memory of a work-group that CUDA kernels can request"},
    {"units", "", "compute units, multiprocessors or threads"},
    {"max_work_group", "", "work-items of the largest work-group"},
    {"simd_width", "", "work-items that execute together: warp, wavefront, vector"},
    {"architecture", "", "compute capability of CUDA times 10, else 0"},
    {"fp64", "", "whether the device computes in double precision"},
    {"int64_atomics", "", "whether the device has atomics of 64 bits"},
    {"correct_division", "", "whether --strict-fp gets correctly rounded division"},
    {"self_caching", "", "whether the driver keeps compiled kernels itself"},
    JSON_FIELDS_END};

static const struct json_field roofs[] = {
    {"fp32_flops", "flop/s", "highest rate of single precision, null: not measured or not supported"},
    {"fp64_flops", "flop/s", "highest rate of double precision"},
    {"sfu_ops", "1/s", "highest rate of reciprocal square roots"},
    {"copy_bytes", "bytes/s", "highest rate of a copy, bytes read and written"},
    {"launch_us", "us", "time of a kernel launch among many"},
    {"launch_sync_us", "us", "time of a kernel launch and the wait for its end"},
    {"copy_buffer", "bytes", "size of the buffers of the measured copy"},
    {"threads", "", "threads of the host in the measurement"},
    JSON_FIELDS_END};

static const struct json_field rates[] = {
    {"part", "", "compute, matrix, memory, local, atomics, transfers or launches"},
    {"name", "", "name of the figure"},
    {"unit", "", "op/s: operations; B/s: bytes; s: seconds of a launch"},
    {"bytes", "bytes", "size of a transfer; other figures lack the key"},
    {"value", "", "median of the samples, null: not measured"},
    {"min", "", "least sample"},
    {"max", "", "greatest sample"},
    {"samples", "", "number of samples"},
    {"reason", "", "why there is no value, null: there is one"},
    JSON_FIELDS_END};

static const struct json_field sensors[] = {
    {"clock_hz", "Hz",
     "clock while the rates were measured: an object with min, mean and max, each null: not known"},
    {"power_w", "W", "power, in the same form"},
    {"temperature_c", "degrees Celsius", "temperature, in the same form"},
    {"slowed", "", "why the driver lowered the clock, null: it did not, or does not tell"},
    {"reason", "", "why no sensor can be read, null: there is one"},
    JSON_FIELDS_END};

static const struct json_field links[] = {
    {"from", "", "id of the source"},
    {"to", "", "id of the target"},
    {"path", "",
     "same memory: an ordinary copy; peer: the target reads the memory of the source; host: through pinned "
     "memory of the host; ranks: from one process to another one; null: the copy failed"},
    {"bytes_per_s", "bytes/s",
     "rate of the large copy, null: other programs used the machine, or the copy failed"},
    {"latency_us", "us",
     "time of a copy of 8 bytes and the wait for its end, null: other programs used the machine, or the copy "
     "failed"},
    {"copy_bytes", "bytes", "size of the large copy"},
    {"error", "", "reason why there is no figure, null: there is a figure"},
    JSON_FIELDS_END};

static const struct json_field machine[] = {
    {"name", "", "name of the machine"},
    {"processor", "", "processor of the machine"},
    {"kernel", "", "operating system of the machine"},
    {"threads", "", "hardware threads"},
    {"load", "", "mean number of busy threads before the run, null: not known"},
    JSON_FIELDS_END};

static const struct json_field row[] = {
    {"workload", "", "name of the workload"},
    {"device", "", "id of the device"},
    {"label", "", "name of a further run on the same device, such as control"},
    {"stage", "", "name of the stage, in a run with stages"},
    {"variant", "", "cl: kernels in OpenCL C, cu: native CUDA took part, tN: N threads of the host"},
    {"status", "", "ok, stopped, or the kind of failure"},
    {"timed_out", "", "whether the limit of --time ended the run"},
    {"notes", "",
     "notes on how the files were read: names of columns, parts left out; a sentence on each line, null: "
     "none"},
    {"samples", "", "number of runs behind the medians of the times"},
    {"device_s", "s", "time of the steps on the device, median"},
    {"device_s_min", "s", "least time of the steps on the device"},
    {"device_s_max", "s", "greatest time of the steps on the device"},
    {"timed_work", "result.work_unit", "work done in device_s"},
    {"wall_s", "s", "wall time of the steps, median"},
    {"build_s", "s", "time of the compilation of the kernels in the first run"},
    {"first_launch_s", "s", "time of drivers at the first launch of kernels"},
    {"energy.power_w", "W", "mean power of repeated runs; only with --energy, null: not known"},
    {"energy.rest_power_w", "W", "mean power of the device at rest"},
    {"energy.work_per_joule", "work_unit/J", "units of work for each joule"},
    {"energy.window_s", "s", "time in which the runs were repeated"},
    {"energy.runs", "", "number of these runs"},
    {"energy.reason", "", "why there is no figure; null: there is one"},
    {"parts[].device", "", "id of a device that made a share of a run with --split"},
    {"parts[].unit", "", "unit of the division: run, swarm, island, shard, net, colony or particle"},
    {"parts[].first", "", "number of the first unit of the share, from 0"},
    {"parts[].count", "", "number of units of the share"},
    {"parts[].busy_s", "s", "time in which the device made steps"},
    {"parts[].waited_s", "s", "time in which the device waited for other devices"},
    {"parts[].began_with", "", "number of units of the device at the beginning of the run"},
    {"parts[].moves", "", "number of times that units moved to the device or from it"},
    {"parts[].path", "",
     "how bytes of other devices came to the device within steps: same memory, peer, host or ranks, the "
     "slowest of several; null: none came"},
    {"faster_alone", "",
     "id of the device that would have made the divided run faster alone, by its time for each of its units; "
     "null: none"},
    {"result.value_name", "", "name of the value, such as best"},
    {"result.value", "result.value_unit", "the value, evaluated on the device"},
    {"result.value_unit", "", "unit of the value, such as km, null: none, or not known"},
    {"result.error", "",
     "abs(value - reference) / max(1, abs(reference)), the reference computed in double at "
     "the device's own result"},
    {"result.check", "", "pass or fail"},
    {"result.check_name", "", "quantity that was checked"},
    {"result.check_failure", "", "failure of the check, with its deviation and tolerance"},
    {"result.title", "", "the problem in a few words"},
    {"result.warning", "", "warning of the run, null: none"},
    {"result.note", "", "note of the run, null: none"},
    {"result.steps", "", "steps done, without the steps of the warm-up"},
    {"result.warm_up_steps", "", "steps of the warm-up"},
    {"result.work", "result.work_unit", "work done"},
    {"result.work_unit", "", "unit of work, such as evaluations"},
    JSON_FIELDS_END};

static const struct json_field workload[] = {
    {"params.OPTION", "", "value of each option of the workload"},
    {"stages[].name", "", "name of a stage of the configuration file"},
    {"stages[].params.OPTION", "", "value of each option of the stage"},
    JSON_FIELDS_END};

static const struct json_field best[] = {{"best_device", "",
                                          "id of the device with the best value among devices whose check "
                                          "passed, the first among equals; null: none"},
                                         JSON_FIELDS_END};

static const struct json_field devices_own[] = {
    {"date", "", "date of the measurement, UTC; there with --measure and --rates"},
    {"backends[].name", "", "name of a backend, or of a platform of a backend"},
    {"backends[].available", "", "whether the backend can be used"},
    {"backends[].note", "", "reason why the backend cannot be used, or a note about it"},
    JSON_FIELDS_END};

static const struct json_field compare_own[] = {
    {"date", "", "date of the run, UTC"},
    {"size", "", "size of --size, or the list of --sizes"},
    {"baseline", "", "id of the device that speeds are relative to"},
    {"params.WORKLOAD.OPTION", "", "value of each option of each workload; with --sizes of each size of it"},
    {"rows[].size", "", "size of the work: small, medium or large"},
    {"rows[].speed", "", "speed over the speed of the baseline, null: one of them has no figure"},
    {"rows[].bound", "", "roof that limits the work, a key of devices[].roofs; null: not measured"},
    {"rows[].share", "", "fraction of the roof"},
    {"rows[].gain", "",
     "rate of a divided run over the rate of its fastest device alone, by wall time; only in rows of divided "
     "runs"},
    {"rows[].of_sum", "", "rate of a divided run over the sum of the rates of its devices alone"},
    {"rows[].result.fields.NAME", "", "fields of the workload: see its page"},
    {"rows[].series.NAME[]", "", "samples of the workload: see its page"},
    {"built_ahead.programs", "", "kernel programs of GPUs built before the first row"},
    {"built_ahead.wall_s", "s", "time of these builds"},
    {"built_ahead.compile_s", "s", "sum of the times of their compilers, which run at once"},
    {"not_divided[].workload", "", "workload whose run cannot be divided over the devices"},
    {"not_divided[].reason", "", "the reason"},
    JSON_FIELDS_END};

static const struct json_field bench_own[] = {
    {"cases[].case", "", "name of a case; cases is there with --list"},
    {"cases[].unit", "", "unit of the case's figure"},
    {"cases[].bound", "", "roof that limits the case, a key of devices[].roofs; null: none"},
    {"cases[].host", "", "whether there is a row of plain C to compare with"},
    {"cases[].help", "", "description of the measurement"},
    {"commit", "", "commit that the program was built from"},
    {"date", "", "date of the run, UTC"},
    {"devices[].id", "", "id of a device"},
    {"devices[].name", "", "name of the device"},
    {"devices[].driver", "", "version of the device's driver"},
    {"rows[].case", "", "name of the case"},
    {"rows[].device", "", "id of the device"},
    {"rows[].variant", "", "cl: kernels in OpenCL C, cu: native CUDA, tN: N threads of the host"},
    {"rows[].precision", "", "fp32, fp64 or the type of the elements"},
    {"rows[].value", "rows[].unit", "median of the samples, null: no figure"},
    {"rows[].unit", "", "unit of value, min and max, without a prefix"},
    {"rows[].better", "", "higher or lower"},
    {"rows[].samples", "", "number of samples"},
    {"rows[].min", "rows[].unit", "least sample"},
    {"rows[].max", "rows[].unit", "greatest sample"},
    {"rows[].spread", "", "half the distance of the quartiles over the median"},
    {"rows[].bound", "", "roof that limits the case, a key of devices[].roofs; null: none"},
    {"rows[].roof", "flop/s, bytes/s, 1/s", "value of the roof"},
    {"rows[].share", "", "fraction of the roof"},
    {"rows[].check", "", "pass, fail or none"},
    {"rows[].error", "", "greatest relative deviation in the check"},
    {"rows[].device_s", "s", "time of a sample on the device"},
    {"rows[].wall_s", "s", "wall time of a sample"},
    {"rows[].build_s", "s", "time of the compilation of the kernels"},
    {"rows[].first_launch_s", "s", "time of drivers at the first launch of kernels"},
    {"rows[].published", "rows[].unit", "figure published in a thesis"},
    {"rows[].published_on", "", "device of the published figure"},
    {"rows[].compiler", "", "compiler of plain C and its options"},
    {"rows[].title", "", "what the case does"},
    {"rows[].size", "", "size among the sizes of shoal compare"},
    {"rows[].reason", "", "why the row has no figure"},
    {"rows[].note", "", "a sentence about the row"},
    {"rows[].figures[].name", "", "name of a further figure of the row"},
    {"rows[].figures[].value", "rows[].figures[].unit", "value of the further figure"},
    {"rows[].figures[].unit", "", "unit of the further figure"},
    {"skipped[].case", "", "a case that a device cannot run"},
    {"skipped[].device", "", "id of the device"},
    {"regressions", "",
     "rows that are worse than in the file of --before; null: no verdict, busy or nothing to compare"},
    JSON_FIELDS_END};

static const struct json_field regression[] = {
    {"case", "", "case of a row that is worse"},
    {"device", "", "id of the device"},
    {"variant", "", "variant of the row"},
    {"before", "the unit of the row", "figure of the earlier file"},
    {"now", "the unit of the row", "figure of the row"},
    {"loss", "", "fraction by which the row is worse"},
    {"allowed", "", "fraction that is within the spread"},
    JSON_FIELDS_END};

static const struct json_field report_own[] = {
    {"runs[].file", "", "name of a result file"},
    {"runs[].machine", "", "name of its machine, different for different machines"},
    {"runs[].date", "", "date of the run, UTC"},
    {"runs[].commit", "", "commit that its program was built from"},
    {"runs[].rows", "", "number of rows of the file"},
    {"means[].workload", "", "a workload: the first word of the names of its cases"},
    {"means[].machine", "", "machine of a device"},
    {"means[].device", "", "id of the device"},
    {"means[].variant", "", "variant of the rows"},
    {"means[].relative_to", "", "id of the device that the speed is relative to; null: there is none"},
    {"means[].speed", "", "geometric mean of the speeds over the cases that both devices have"},
    {"means[].cases", "", "number of these cases"},
    {"means[].share", "", "largest share of a roof among the cases; null: not known"},
    {"means[].bound", "", "this roof"},
    {"failures[].case", "", "case of a row without a figure, or a case that a device has not run"},
    {"failures[].machine", "", "machine of the device"},
    {"failures[].device", "", "id of the device"},
    {"failures[].reason", "", "why there is no figure"},
    {"regressions", "",
     "rows that are worse than in the file of --baseline; null: no verdict, busy or nothing to compare"},
    JSON_FIELDS_END};

static const struct json_field bbob_own[] = {
    {"algorithm", "", "name of the algorithm, or auto"},
    {"with", "", "options of the algorithm"},
    {"budget", "evaluations", "most evaluations of a trial for each dimension"},
    {"success", "", "difference from the minimum at which a trial ends"},
    {"seconds", "s", "wall time of all trials"},
    {"evaluations", "", "evaluations of all trials"},
    {"targets[]", "", "differences from the minimum, for rows[].art"},
    {"dims[].dim", "", "a dimension"},
    {"dims[].solved", "", "functions that more than half of the instances solve"},
    {"rows[].function", "", "number of the function, 1 to 24"},
    {"rows[].dim", "", "dimension"},
    {"rows[].solved", "", "trials that reached the success"},
    {"rows[].art[]", "evaluations",
     "average run time to each of targets: evaluations of all trials up to the target or their ends, by the "
     "number of trials that reached it; null: none"},
    {"rows[].trials[].instance", "", "number of the instance"},
    {"rows[].trials[].difference", "", "least value less the minimum; null: no value"},
    {"rows[].trials[].evaluations", "", "evaluations of the trial"},
    {"rows[].trials[].restarts", "", "searches that began after the first one had ended"},
    JSON_FIELDS_END};

static const struct json_field verify_own[] = {
    {"rows[].what", "", "the workload with the option that is not the default, or the part of the library"},
    {"rows[].device", "", "id of the device"},
    {"rows[].quantity", "", "quantity that was compared"},
    {"rows[].compared", "", "number of steps or numbers compared"},
    {"rows[].deviation", "", "greatest relative deviation"},
    {"rows[].tolerance", "", "greatest deviation allowed"},
    {"rows[].result", "", "pass, fail, or the reason why there is no comparison"},
    JSON_FIELDS_END};

static const struct json_field tune_own[] = {
    {"dry_run", "", "whether --dry-run was given"},
    {"rows[].program", "", "name of a program of kernels"},
    {"rows[].device", "", "id of the device"},
    {"rows[].case", "", "case of shoal bench that was measured"},
    {"rows[].unit", "", "unit of the figures"},
    {"rows[].define", "", "constant of the program that was varied, WG: the work-group size"},
    {"rows[].before", "", "value of the constant that was stored before, null: none"},
    {"rows[].before_figure", "rows[].unit", "figure with the value used so far"},
    {"rows[].best", "", "the fastest value"},
    {"rows[].best_figure", "rows[].unit", "figure with the fastest value"},
    {"rows[].stored", "", "whether the best was stored"},
    {"rows[].trials[].value", "", "a value tried"},
    {"rows[].trials[].figure", "rows[].unit", "figure with the value tried"},
    {"rows[].trials[].spread", "", "half the distance of the quartiles over the median"},
    JSON_FIELDS_END};

static const struct json_field tune_workload_own[] = {
    {"dry_run", "", "whether --dry-run was given"},
    {"option", "", "option whose choices were measured"},
    {"rows[].workload", "", "name of the workload"},
    {"rows[].device", "", "id of the device"},
    {"rows[].sizes", "", "the problem that was measured"},
    {"rows[].unit", "", "unit of the rates"},
    {"rows[].best", "", "the fastest method, null: none could be measured"},
    {"rows[].stored", "", "whether the best was stored"},
    {"rows[].methods[].name", "", "name of a method"},
    {"rows[].methods[].rate", "rows[].unit", "rate of the method"},
    {"rows[].methods[].settling_steps", "", "steps before the measurement of the method"},
    {"rows[].constants[].program", "", "name of a program of kernels"},
    {"rows[].constants[].define", "", "constant of the program that was varied"},
    {"rows[].constants[].before", "", "value of the constant used so far"},
    {"rows[].constants[].before_rate", "rows[].unit", "rate with the value used so far"},
    {"rows[].constants[].best", "", "the fastest value"},
    {"rows[].constants[].best_rate", "rows[].unit", "rate with the fastest value"},
    {"rows[].constants[].stored", "", "whether the fastest value was stored"},
    {"rows[].constants[].trials[].value", "", "a value tried"},
    {"rows[].constants[].trials[].rate", "rows[].unit", "rate with the value tried"},
    JSON_FIELDS_END};

static const struct json_field kernels_own[] = {
    {"files[]", "", "a file written, with --dump"},
    {"objective", "", "objective that some of the written files hold, with --dump"},
    {"objective_files[]", "", "files that hold the objective, with --dump"},
    {"programs[].name", "", "name of a program: a kernel file with its constants"},
    {"programs[].file", "", "the program's file in OpenCL C"},
    {"programs[].native", "", "the program's native CUDA file, null: none"},
    {"programs[].needs_fp64", "", "whether the program needs double precision"},
    {"programs[].needs_int64_atomics", "", "whether the program needs atomics of 64 bits"},
    {"programs[].needs_strict_fp", "", "whether the program is always built as with --strict-fp"},
    {"programs[].defines[].name", "", "name of a constant, set by -D"},
    {"programs[].defines[].value", "", "default of the constant"},
    {"programs[].defines[].min", "", "least value"},
    {"programs[].defines[].max", "", "greatest value"},
    {"programs[].defines[].help", "", "description of the constant"},
    {"programs[].entries[].name", "", "name of a kernel"},
    {"programs[].entries[].help", "", "description of the kernel"},
    {"programs[].entries[].args[].name", "", "name of an argument, in order"},
    {"programs[].entries[].args[].access", "", "value, or the use of a buffer: read, write, read-write"},
    {"programs[].entries[].args[].type", "", "type of the argument"},
    {"programs[].entries[].args[].bytes", "bytes", "size of a value"},
    {"programs[].entries[].work_group", "", "constant that is its work-group size"},
    {"programs[].entries[].local_bytes", "bytes", "local memory"},
    {"programs[].entries[].local_bytes_per_item", "bytes", "additional local memory for each work-item"},
    {"programs[].entries[].local_define", "", "constant with which local memory grows, null: none"},
    {"programs[].entries[].local_bytes_per_unit", "bytes", "local memory for each unit of local_define"},
    {"programs[].entries[].bound", "", "roof that limits the kernel, null: none"},
    {"programs[].entries[].bytes_per_item", "bytes", "bytes read and written for each item of work"},
    {"programs[].entries[].ops_per_item", "", "operations for each item of work"},
    {"programs[].entries[].built[].device", "", "id of a device, with --built"},
    {"programs[].entries[].built[].error", "",
     "reason why the device does not have the kernel, null: it has the kernel"},
    {"programs[].entries[].built[].work_group_size", "", "work-items of a group on the device"},
    {"programs[].entries[].built[].resident_groups", "",
     "groups that run at the same time on the device, null: the driver does not tell"},
    {"programs[].entries[].built[].resident_items_per_unit", "",
     "work-items of the resident groups on a compute unit"},
    JSON_FIELDS_END};

static const struct json_field cache_own[] = {{"path", "", "the folder, null: there is none"},
                                              {"entries", "", "compiled kernels in the folder"},
                                              {"bytes", "bytes", "size of the compiled kernels"},
                                              {"removed", "", "entries removed by this command"},
                                              JSON_FIELDS_END};

static const struct json_field data_own[] = {
    {"file", "", "the file shown or written"},
    {"from", "", "source of the file"},
    {"format", "", "format of the file"},
    {"type", "", "type of the file's numbers"},
    {"order", "", "rows, columns or blocks"},
    {"layout", "", "type of the numbers, rows and columns"},
    {"rows", "", "number of rows"},
    {"columns", "", "number of columns"},
    {"bytes", "bytes", "size of the file"},
    {"dropped", "", "rows that were left out because they lack a value"},
    {"leaves_index", "", "whether the first column, an index without a name, is left out"},
    {"notes", "", "notes on guesses in reading the file, a sentence on each line, null: none"},
    {"uses[].command", "", "a command with the option that takes a file"},
    {"uses[].takes", "", "whether the command takes this file"},
    {"uses[].as", "", "kind of file that the command takes it for, null: the command does not take it"},
    {"uses[].why_not", "", "reason why the command does not take the file, null: it takes the file"},
    {"uses[].notes", "", "notes on guesses in reading the file, null: none"},
    {"names[]", "", "name of each column"},
    {"rank", "", "rank of the columns except the last"},
    {"minimum", "", "least sum of squares of a least-squares objective, null: not known"},
    {"least[]", "", "least number of each column"},
    {"mean[]", "", "mean of each column"},
    {"greatest[]", "", "greatest number of each column"},
    {"minimiser[]", "", "position of the minimum"},
    {"targets", "", "columns to predict, of a data set"},
    {"input_width", "", "numbers of a row that a net reads"},
    {"target_width", "", "numbers of a row that a net predicts"},
    {"missing", "", "missing values"},
    {"memory_bytes", "bytes", "size in memory"},
    {"column_list[].name", "", "name of a column of a data set"},
    {"column_list[].target", "", "whether the column is a target"},
    {"column_list[].kind", "", "number, binary, category or ignored"},
    {"column_list[].encoding", "", "encoding of the column's values as numbers"},
    {"column_list[].left_out", "",
     "reason why the column is ignored without an option: index or words, null: it is not ignored"},
    {"column_list[].width", "", "count of the column's encoded numbers"},
    {"column_list[].missing", "", "missing values"},
    {"column_list[].least", "", "least number"},
    {"column_list[].mean", "", "mean"},
    {"column_list[].greatest", "", "greatest number"},
    {"column_list[].classes[].name", "", "name of a class"},
    {"column_list[].classes[].rows", "", "rows of the class"},
    JSON_FIELDS_END};

/* Tables of the keys of each command's documents, in the order of the man page. prefix: path of the object
 * with these keys. */
static const struct part {
    const char *command, *prefix;
    const struct json_field *fields;
} parts[] = {
    {"devices", "", devices_own},
    {"devices", "machine.", machine},
    {"devices", "devices[].", device},
    {"devices", "devices[].roofs.", roofs},
    {"devices", "devices[].roofs_error.", failure},
    {"devices", "devices[].rates[].", rates},
    {"devices", "devices[].rates_error.", failure},
    {"devices", "devices[].sensors.", sensors},
    {"devices", "links[].", links},
    {"devices", "links[].error.", failure},
    {"compare", "", compare_own},
    {"compare", "machine.", machine},
    {"compare", "devices[].", device},
    {"compare", "devices[].roofs.", roofs},
    {"compare", "rows[].", row},
    {"compare", "rows[].error.", failure},
    {"bench", "", bench_own},
    {"bench", "machine.", machine},
    {"bench", "devices[].roofs.", roofs},
    {"bench", "skipped[].error.", failure},
    {"bench", "regressions[].", regression},
    {"report", "", report_own},
    {"report", "regressions[].", regression},
    {"bench bbob", "", bbob_own},
    {"bench bbob", "device.", device},
    {"bench bbob", "rows[].trials[].error.", failure},
    {"verify", "", verify_own},
    {"verify", "rows[].error.", failure},
    {"tune", "", tune_own},
    {"tune", "rows[].trials[].error.", failure},
    {"kernels", "", kernels_own},
    {"cache", "", cache_own},
    {"data", "", data_own},
    {"tune WORKLOAD", "", tune_workload_own},
    {"tune WORKLOAD", "rows[].methods[].error.", failure},
    {"tune WORKLOAD", "rows[].constants[].trials[].error.", failure},
    {"WORKLOAD", "", workload},
    {"WORKLOAD", "devices[].", device},
    {"WORKLOAD", "rows[].", row},
    {"WORKLOAD", "rows[].error.", failure},
};

static void show_all(const char *prefix, const struct json_field *fields, json_field_show *show)
{
    for (; fields->path; fields++)
        show(prefix, fields);
}

static void show_report(const struct report *report, json_field_show *show)
{
    if (report->is_better)
        show_all("", best, show);
    for (size_t i = 0; i < REPORT_FIELDS && report->fields[i]; i++)
        show_all("rows[].", report->fields[i], show);
    if (report->other_fields)
        show_all("", report->other_fields, show);
}

/* The name by which `parts` lists the command. */
static const char *name_of(const struct cli_command *command)
{
    if (!command->workload)
        return command->name;
    return strcmp(command->name, command->workload->name) == 0 ? "WORKLOAD" : "tune WORKLOAD";
}

void cli_json_fields(const struct cli_command *command, json_field_show *show)
{
    const char *name = name_of(command);
    const struct report *report = command->workload ? cli_report_of(command->workload) : NULL;
    show_all("", document, show);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (strcmp(parts[i].command, name) == 0)
            show_all(parts[i].prefix, parts[i].fields, show);
    if (report && strcmp(name, "WORKLOAD") == 0)
        show_report(report, show);
    for (size_t i = 0; cli_reports[i]; i++)
        if (cli_reports[i]->data && cli_reports[i]->data() == command)
            show_all("", cli_reports[i]->data_fields, show);
}
