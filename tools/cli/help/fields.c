/* The keys of JSON documents that do not belong to one workload, and the order in which a man page lists
 * them. */
#include "cli/help/fields.h"
#include "cli/workload.h"

#include <string.h>

static const struct json_field document[] = {
    {"schema", "", "version of the layout, 1; keys are added, never renamed"},
    {"shoal", "", "version of the program"},
    {"command", "", "the command; of shoal bench the whole command line"},
    {"errors[].code", "", "exit code of a failure; the list is there where something failed"},
    {"errors[].message", "", "the line that was printed of it"},
    JSON_FIELDS_END};

static const struct json_field failure[] = {{"status", "", "kind of failure, as in <shoal/error.h>"},
                                            {"message", "", "one line: what, where, what to do"},
                                            {"call", "", "function of the driver that failed, null: none"},
                                            {"native", "", "its error code"},
                                            {"log", "", "output of the kernel compiler, where there is some"},
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
    {"alias_of", "", "id of the preferred device of the same card, null: this one is"},
    {"part_of", "",
     "id of the device that this one is a part of, whose memory the parts share, null: it is whole"},
    {"pci", "", "address on the PCI bus, null: not known"},
    {"memory", "bytes", "memory of the device"},
    {"max_allocation", "bytes", "largest buffer"},
    {"local_mem", "bytes", "local memory of a work-group"},
    {"local_mem_max", "bytes", "the same with the larger limit that CUDA kernels can ask for"},
    {"units", "", "compute units, multiprocessors or threads"},
    {"max_work_group", "", "work-items of the largest work-group"},
    {"simd_width", "", "work-items that go together: warp, wavefront, vector"},
    {"architecture", "", "compute capability of CUDA times 10, else 0"},
    {"fp64", "", "whether it computes in double precision"},
    {"int64_atomics", "", "whether it has atomics of 64 bits"},
    {"correct_division", "", "whether --strict-fp gets correctly rounded division"},
    {"self_caching", "", "whether the driver keeps compiled kernels itself"},
    JSON_FIELDS_END};

static const struct json_field roofs[] = {
    {"fp32_flops", "flop/s", "highest rate of single precision, null: not measured or not supported"},
    {"fp64_flops", "flop/s", "highest rate of double precision"},
    {"sfu_ops", "1/s", "highest rate of reciprocal square roots"},
    {"copy_bytes", "bytes/s", "highest rate of a copy, bytes read and written"},
    {"launch_us", "us", "a kernel launch among many"},
    {"launch_sync_us", "us", "a kernel launch that is waited for"},
    {"copy_buffer", "bytes", "size of the buffers of that copy"},
    {"threads", "", "threads of the host that it was measured with"},
    JSON_FIELDS_END};

static const struct json_field links[] = {
    {"from", "", "id of the device that has the bytes"},
    {"to", "", "id of the device that gets them"},
    {"path", "",
     "same memory: an ordinary copy; peer: the target reads the memory of the source; host: through "
     "pinned memory of the host; null: it failed"},
    {"bytes_per_s", "bytes/s", "rate of the large copy, null: other programs took the machine, or it failed"},
    {"latency_us", "us", "a copy of 8 bytes that is waited for, null: as bytes_per_s"},
    {"copy_bytes", "bytes", "size of the large copy"},
    {"error", "", "null, or why there is no figure"},
    JSON_FIELDS_END};

static const struct json_field machine[] = {
    {"name", "", "name of the machine"},
    {"processor", "", "its processor"},
    {"kernel", "", "its operating system"},
    {"threads", "", "hardware threads"},
    {"load", "", "mean number of busy threads before, null: not known"},
    JSON_FIELDS_END};

static const struct json_field row[] = {
    {"workload", "", "name of the workload"},
    {"device", "", "id of the device"},
    {"label", "", "of a further run on the same device, such as control"},
    {"stage", "", "of a stage: its name"},
    {"variant", "", "cl: kernels in OpenCL C, cu: native CUDA took part, tN: N threads of the host"},
    {"status", "", "ok, stopped, or the kind of failure"},
    {"timed_out", "", "whether the limit of --time ended it"},
    {"notes", "",
     "what is to know of how its files were read: names of columns, what was left out; a sentence a line, "
     "null: nothing"},
    {"samples", "", "runs that the times are medians of"},
    {"device_s", "s", "time of the steps on the device, median"},
    {"device_s_min", "s", "least of these times"},
    {"device_s_max", "s", "greatest of these times"},
    {"timed_work", "result.work_unit", "work done in device_s"},
    {"wall_s", "s", "wall time of the steps, median"},
    {"build_s", "s", "compilation of the kernels, of the first run"},
    {"first_launch_s", "s", "what drivers do when a kernel is launched first"},
    {"parts[].device", "", "of a run with --split: a device that made a share of it"},
    {"parts[].unit", "", "what was divided: run, swarm or net"},
    {"parts[].first", "", "number of its first unit, from 0"},
    {"parts[].count", "", "number of its units"},
    {"parts[].busy_s", "s", "time in which it made steps"},
    {"parts[].waited_s", "s", "time in which it waited for other devices"},
    {"result.value_name", "", "what the value is, such as best"},
    {"result.value", "result.value_unit", "the value, evaluated on the device"},
    {"result.value_unit", "", "its unit, such as km, null: none, or not known"},
    {"result.error", "",
     "abs(value - reference) / max(1, abs(reference)), the reference computed in double at "
     "the device's own result"},
    {"result.check", "", "pass or fail"},
    {"result.check_name", "", "what was checked"},
    {"result.check_failure", "", "what failed, with its deviation and tolerance"},
    {"result.title", "", "the problem in a few words"},
    {"result.warning", "", "one line, null: none"},
    {"result.note", "", "one line, null: none"},
    {"result.steps", "", "steps done, without those of the warm-up"},
    {"result.warm_up_steps", "", "steps ahead of them"},
    {"result.work", "result.work_unit", "work done"},
    {"result.work_unit", "", "unit of work, such as evaluations"},
    JSON_FIELDS_END};

static const struct json_field workload[] = {{"params.OPTION", "", "value of each option of the workload"},
                                             {"stages[].name", "", "a stage of the configuration file"},
                                             {"stages[].params.OPTION", "", "value of each of its options"},
                                             JSON_FIELDS_END};

static const struct json_field best[] = {
    {"best_device", "",
     "id of the device with the best value of those whose check passed, of equal ones the first; null: none"},
    JSON_FIELDS_END};

static const struct json_field devices_own[] = {{"backends[].name", "", "a backend, or a platform of one"},
                                                {"backends[].available", "", "whether it can be used"},
                                                {"backends[].note", "", "why not, or what to know of it"},
                                                JSON_FIELDS_END};

static const struct json_field compare_own[] = {
    {"date", "", "when it was run, UTC"},
    {"size", "", "that of --size"},
    {"baseline", "", "id of the device that speeds are relative to"},
    {"params.WORKLOAD.OPTION", "", "value of each option of each workload"},
    {"rows[].speed", "", "times as fast as the baseline, null: no figure of both"},
    {"rows[].bound", "", "roof that limits the work, a key of devices[].roofs; null: not measured"},
    {"rows[].share", "", "fraction of that roof"},
    {"rows[].result.fields.NAME", "", "fields of the workload: see its page"},
    {"rows[].series.NAME[]", "", "samples of the workload: see its page"},
    JSON_FIELDS_END};

static const struct json_field bench_own[] = {
    {"cases[].case", "", "name of a case, with --list; the keys behind it too"},
    {"cases[].unit", "", "unit of its figure"},
    {"cases[].bound", "", "roof that limits it, a key of devices[].roofs; null: none"},
    {"cases[].host", "", "whether there is a row of plain C to compare with"},
    {"cases[].help", "", "what is measured"},
    {"commit", "", "commit that the program was built from"},
    {"date", "", "when it was run, UTC"},
    {"devices[].id", "", "id of a device"},
    {"devices[].name", "", "its name"},
    {"devices[].driver", "", "version of its driver"},
    {"rows[].case", "", "the case"},
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
    {"rows[].bound", "", "roof that limits it, a key of devices[].roofs; null: none"},
    {"rows[].roof", "flop/s, bytes/s, 1/s", "that roof"},
    {"rows[].share", "", "fraction of the roof"},
    {"rows[].check", "", "pass, fail or none"},
    {"rows[].error", "", "greatest relative deviation in the check"},
    {"rows[].device_s", "s", "time of a sample on the device"},
    {"rows[].wall_s", "s", "wall time of a sample"},
    {"rows[].build_s", "s", "compilation of the kernels"},
    {"rows[].first_launch_s", "s", "what drivers do when a kernel is launched first"},
    {"rows[].published", "rows[].unit", "figure that a thesis states"},
    {"rows[].published_on", "", "device that it was measured on"},
    {"rows[].compiler", "", "compiler and its options, of plain C"},
    {"rows[].figures[].name", "", "a further figure of the row"},
    {"rows[].figures[].value", "rows[].figures[].unit", "its value"},
    {"rows[].figures[].unit", "", "its unit"},
    {"skipped[].case", "", "a case that a device cannot run"},
    {"skipped[].device", "", "id of the device"},
    {"regressions", "",
     "rows that are worse than in the file of --before; null: no verdict, busy or nothing to compare"},
    {"regressions[].case", "", "such a row"},
    {"regressions[].device", "", "id of the device"},
    {"regressions[].variant", "", "variant of the row"},
    {"regressions[].before", "the unit of the row", "figure of the file"},
    {"regressions[].now", "the unit of the row", "figure of this run"},
    {"regressions[].loss", "", "by what fraction it is worse"},
    {"regressions[].allowed", "", "what fraction is within the spread"},
    JSON_FIELDS_END};

static const struct json_field verify_own[] = {
    {"rows[].what", "", "the workload with the option that is not the default, or the part of the library"},
    {"rows[].device", "", "id of the device"},
    {"rows[].quantity", "", "what was compared"},
    {"rows[].compared", "", "how many steps or numbers"},
    {"rows[].deviation", "", "greatest relative deviation"},
    {"rows[].tolerance", "", "greatest deviation allowed"},
    {"rows[].result", "", "pass, fail, or why there is none"},
    JSON_FIELDS_END};

static const struct json_field tune_own[] = {
    {"dry_run", "", "whether --dry-run was given"},
    {"rows[].program", "", "a program of kernels"},
    {"rows[].device", "", "id of the device"},
    {"rows[].case", "", "case of shoal bench that was measured"},
    {"rows[].unit", "", "unit of the figures"},
    {"rows[].define", "", "constant of the program that was varied, WG: the work-group size"},
    {"rows[].before", "", "its value that was stored before, null: none"},
    {"rows[].before_figure", "rows[].unit", "figure with the value used so far"},
    {"rows[].best", "", "the fastest value"},
    {"rows[].best_figure", "rows[].unit", "figure with it"},
    {"rows[].stored", "", "whether it was stored"},
    {"rows[].trials[].value", "", "a value tried"},
    {"rows[].trials[].figure", "rows[].unit", "figure with it"},
    {"rows[].trials[].spread", "", "half the distance of the quartiles over the median"},
    JSON_FIELDS_END};

static const struct json_field tune_workload_own[] = {
    {"dry_run", "", "whether --dry-run was given"},
    {"option", "", "option whose choices were measured"},
    {"rows[].device", "", "id of the device"},
    {"rows[].sizes", "", "the problem that was measured"},
    {"rows[].unit", "", "unit of the rates"},
    {"rows[].best", "", "the fastest method, null: none could be measured"},
    {"rows[].stored", "", "whether it was stored"},
    {"rows[].methods[].name", "", "a method"},
    {"rows[].methods[].rate", "rows[].unit", "its rate"},
    {"rows[].methods[].settling_steps", "", "steps before it was measured"},
    {"rows[].constants[].program", "", "a program of kernels"},
    {"rows[].constants[].define", "", "constant of it that was varied"},
    {"rows[].constants[].before", "", "its value used so far"},
    {"rows[].constants[].before_rate", "rows[].unit", "rate with it"},
    {"rows[].constants[].best", "", "the fastest value"},
    {"rows[].constants[].best_rate", "rows[].unit", "rate with it"},
    {"rows[].constants[].stored", "", "whether it was stored"},
    {"rows[].constants[].trials[].value", "", "a value tried"},
    {"rows[].constants[].trials[].rate", "rows[].unit", "rate with it"},
    JSON_FIELDS_END};

static const struct json_field kernels_own[] = {
    {"files[]", "", "a file written, with --dump"},
    {"objective", "", "the objective that some of them hold, with --dump"},
    {"objective_files[]", "", "these"},
    {"programs[].name", "", "a program: a file with its constants"},
    {"programs[].file", "", "its file in OpenCL C"},
    {"programs[].native", "", "its native CUDA file, null: none"},
    {"programs[].needs_fp64", "", "whether it needs double precision"},
    {"programs[].needs_int64_atomics", "", "whether it needs atomics of 64 bits"},
    {"programs[].needs_strict_fp", "", "whether it is always built as by --strict-fp"},
    {"programs[].defines[].name", "", "a constant, set by -D"},
    {"programs[].defines[].value", "", "its default"},
    {"programs[].defines[].min", "", "least value"},
    {"programs[].defines[].max", "", "greatest value"},
    {"programs[].defines[].help", "", "what it is"},
    {"programs[].entries[].name", "", "a kernel"},
    {"programs[].entries[].help", "", "what it does"},
    {"programs[].entries[].args[].name", "", "an argument, in order"},
    {"programs[].entries[].args[].access", "", "value, or how a buffer is used: read, write, read-write"},
    {"programs[].entries[].args[].type", "", "its type"},
    {"programs[].entries[].args[].bytes", "bytes", "size of a value"},
    {"programs[].entries[].work_group", "", "constant that is its work-group size"},
    {"programs[].entries[].local_bytes", "bytes", "local memory"},
    {"programs[].entries[].local_bytes_per_item", "bytes", "local memory for each work-item besides"},
    {"programs[].entries[].local_define", "", "constant that local memory grows with, null: none"},
    {"programs[].entries[].local_bytes_per_unit", "bytes", "local memory for each unit of it"},
    {"programs[].entries[].bound", "", "roof that limits it, null: none"},
    {"programs[].entries[].bytes_per_item", "bytes", "bytes read and written for each item of work"},
    {"programs[].entries[].ops_per_item", "", "operations for each item of work"},
    {"programs[].entries[].built[].device", "", "with --built: a device"},
    {"programs[].entries[].built[].error", "", "why it does not have the kernel, null: it has"},
    {"programs[].entries[].built[].work_group_size", "", "work-items of a group there"},
    {"programs[].entries[].built[].resident_groups", "",
     "groups that run at a time, null: the driver does not tell"},
    {"programs[].entries[].built[].resident_items_per_unit", "", "their work-items on each unit"},
    JSON_FIELDS_END};

static const struct json_field cache_own[] = {{"path", "", "the folder, null: there is none"},
                                              {"entries", "", "compiled kernels in it"},
                                              {"bytes", "bytes", "their size"},
                                              {"removed", "", "entries removed by this command"},
                                              JSON_FIELDS_END};

static const struct json_field data_own[] = {
    {"file", "", "the file shown or written"},
    {"from", "", "what it was made from"},
    {"format", "", "format of the file"},
    {"type", "", "type of its numbers"},
    {"order", "", "rows, columns or blocks"},
    {"layout", "", "type of the numbers, rows and columns"},
    {"rows", "", "number of rows"},
    {"columns", "", "number of columns"},
    {"bytes", "bytes", "size of the file"},
    {"dropped", "", "rows that were left out, for they lack a value"},
    {"leaves_index", "", "whether the first column, an index without a name, is left out"},
    {"notes", "", "what may be meant otherwise, a sentence a line, null: nothing"},
    {"uses[].command", "", "a command with the option that takes a file"},
    {"uses[].takes", "", "whether it takes this one"},
    {"uses[].as", "", "what it takes it for, null: it does not"},
    {"uses[].why_not", "", "why it does not take it, null: it does"},
    {"uses[].notes", "", "what may be meant otherwise, null: nothing"},
    {"names[]", "", "name of each column"},
    {"rank", "", "rank of the columns but the last"},
    {"minimum", "", "least sum of squares of a least-squares objective, null: not known"},
    {"least[]", "", "least number of each column"},
    {"mean[]", "", "mean of each column"},
    {"greatest[]", "", "greatest number of each column"},
    {"minimiser[]", "", "where that minimum is"},
    {"targets", "", "of a data set: columns to be predicted"},
    {"input_width", "", "numbers of a row that a net reads"},
    {"target_width", "", "numbers of a row that a net predicts"},
    {"missing", "", "missing values"},
    {"memory_bytes", "bytes", "size in memory"},
    {"column_list[].name", "", "a column of a data set"},
    {"column_list[].target", "", "whether it is to be predicted"},
    {"column_list[].kind", "", "number, binary, category or ignored"},
    {"column_list[].encoding", "", "how its values become numbers"},
    {"column_list[].left_out", "", "why it is ignored unasked: index or words, null: it is not"},
    {"column_list[].width", "", "how many numbers"},
    {"column_list[].missing", "", "missing values"},
    {"column_list[].least", "", "least number"},
    {"column_list[].mean", "", "mean"},
    {"column_list[].greatest", "", "greatest number"},
    {"column_list[].classes[].name", "", "a class"},
    {"column_list[].classes[].rows", "", "rows of it"},
    JSON_FIELDS_END};

/* Parts of the documents, in their order. */
static const struct part {
    const char *command, *prefix;
    const struct json_field *fields;
} parts[] = {
    {"devices", "", devices_own},
    {"devices", "devices[].", device},
    {"devices", "devices[].roofs.", roofs},
    {"devices", "devices[].roofs_error.", failure},
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

/* The name of the command's part in `parts`. */
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
