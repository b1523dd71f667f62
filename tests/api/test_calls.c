/* Each function of the public headers with each pointer NULL, and each struct of no size, shorter and longer:
 * it returns what its contract says, and never ends the process. make_calls.py writes the calls. Quick
 * takes those of the objects of test_is_of_quick.
 *
 *     test_calls [NAME]    those of one function
 */
#include "test.h"
#include "values.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

/* What a process has done so far, seen by the one that watches it. */
struct progress {
    size_t call, argument, kind; /* of the next turn */
    size_t turns, faults;
};

static struct progress *progress;

static const char *const kind_names[TURNS] = {"valid arguments",    "NULL",
                                              "a struct of size 0", "a shorter struct",
                                              "a longer struct",    "a longer struct with more set"};

/* Valid arguments that make no success, since what stands for them has no such part. */
static const struct {
    const char *function;
    enum shoal_status status;
} other_statuses[] = {
    {"shoal_solver_remember", SHOAL_UNSUPPORTED},  /* on the host */
    {"shoal_objective_repair", SHOAL_UNSUPPORTED}, /* the objective repairs nothing */
    {"shoal_evaluator_run_changes", SHOAL_UNSUPPORTED},
    {"shoal_part_get", SHOAL_INVALID},         /* the run is not divided */
    {"shoal_cuda_queue_wrap", SHOAL_INVALID},  /* the device is one of OpenCL */
    {"shoal_cuda_buffer_wrap", SHOAL_INVALID}, /* the device is one of OpenCL */
    {"shoal_ranks_join", SHOAL_UNSUPPORTED},   /* no plug-in for MPI is beside this program */
    {"shoal_ranks_serve", SHOAL_INVALID},      /* rank 0 serves no devices */
};

static enum shoal_status usual_status(const char *function)
{
    for (size_t i = 0; i < sizeof other_statuses / sizeof *other_statuses; i++)
        if (strcmp(other_statuses[i].function, function) == 0)
            return other_statuses[i].status;
    return SHOAL_OK;
}

/* By their comments these arguments may be NULL, and change nothing but what is written there. */
static bool may_be_null(const char *function, const char *argument)
{
    static const char *const pairs[][2] = {{"shoal_optimiser_best", "x"},
                                           {"shoal_optimiser_best", "value"},
                                           {"shoal_optimiser_missing", "indices"},
                                           {"shoal_ranks_serve", "params"}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        if (strcmp(pairs[i][0], function) == 0 && strcmp(pairs[i][1], argument) == 0)
            return true;
    return false;
}

static void report(const struct call *call, const struct turn *turn, const char *format, ...)
{
    char text[1024];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    printf("%s, %s%s%s: %s\n", call->name, turn->kind ? call->arguments[turn->argument].name : "",
           turn->kind ? " is " : "", kind_names[turn->kind], text);
    fflush(stdout);
    progress->faults++;
}

static void judge_status(const struct call *call, const struct turn *turn, const struct outcome *outcome)
{
    const struct argument *argument = &call->arguments[turn->argument];
    const char *message = outcome->error.message;
    const enum shoal_status status = outcome->status, usual = usual_status(call->name);
    const bool is_error = strcmp(argument->name, "error") == 0;
    if (turn->kind == TURN_VALID || (turn->kind == TURN_NULL && is_error)) {
        /* A second span cannot begin, nor one end twice. */
        if (status != usual && !(is_error && status == SHOAL_INVALID))
            report(call, turn, "%s: %s", shoal_status_name(status), message);
        return;
    }
    if (status != SHOAL_INVALID && status != usual)
        report(call, turn, "%s: %s", shoal_status_name(status), message);
    else if (status == SHOAL_INVALID && outcome->error.status != SHOAL_INVALID)
        report(call, turn, "the record is not filled");
    else if (turn->kind == TURN_NULL && status == SHOAL_INVALID && !strstr(message, argument->name) &&
             !may_be_null(call->name, argument->name))
        report(call, turn, "the message does not name it: %s", message);
    else if (turn->kind == TURN_NO_SIZE && (argument->flags & TAKES_STRUCT) &&
             (status != SHOAL_INVALID || !strstr(message, "_init")))
        report(call, turn, "no message to call the init function: %s", message);
    else if (turn->kind == TURN_LONGER_SET && (argument->flags & TAKES_STRUCT) && status != SHOAL_INVALID)
        report(call, turn, "what the library does not know is ignored");
    else if (turn->kind == TURN_SHORTER && (argument->flags & TAKES_STRUCT) && status != usual)
        report(call, turn, "%s: %s", shoal_status_name(status), message);
    else if (turn->kind >= TURN_LONGER && (argument->flags & FILLS_STRUCT) && status != usual)
        report(call, turn, "%s: %s", shoal_status_name(status), message);
    else if (turn->kind == TURN_LONGER && status != usual)
        report(call, turn, "%s: %s", shoal_status_name(status), message);
    else if (turn->kind == TURN_NO_SIZE && (argument->flags & FILLS_STRUCT) && status != usual)
        report(call, turn, "%s: %s", shoal_status_name(status), message);
}

/* By their comments these give something where there is no object. */
static bool gives_without_object(const char *function)
{
    static const char *const functions[] = {"shoal_dataset_is_table", /* true: it is no data set */
                                            "shoal_kernel_groups",    /* at least 1 */
                                            "shoal_search_name",      /* "x1" */
                                            "shoal_solver_notes"};    /* "" */
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (strcmp(functions[i], function) == 0)
            return true;
    return false;
}

/* The others give NULL, 0, NaN or nothing without their object or another pointer. */
static void judge(const struct call *call, const struct turn *turn, const struct outcome *outcome)
{
    const char *argument = call->count ? call->arguments[turn->argument].name : "";
    if (outcome->gives == GIVES_STATUS)
        judge_status(call, turn, outcome);
    else if (turn->kind != TURN_NULL || strcmp(argument, "error") == 0 || gives_without_object(call->name) ||
             may_be_null(call->name, argument))
        return;
    else if (outcome->gives == GIVES_POINTER && outcome->pointer)
        report(call, turn, "it gives a pointer");
    else if (outcome->gives == GIVES_REAL && !isnan(outcome->real) && outcome->real != 0)
        report(call, turn, "it gives %g", outcome->real);
    else if (outcome->gives == GIVES_NUMBER && outcome->number != 0 && outcome->number != -1)
        report(call, turn, "it gives %lld", (long long)outcome->number);
}

static bool has_turn(const struct argument *argument, enum turn_kind kind)
{
    return kind == TURN_NULL ? argument->flags & IS_POINTER : argument->flags & (TAKES_STRUCT | FILLS_STRUCT);
}

static void run_turn(const struct call *call, const struct turn *turn)
{
    static struct outcome outcome;
    outcome = (struct outcome){.gives = GIVES_NOTHING};
    progress->turns++;
    call->run(turn, &outcome);
    judge(call, turn, &outcome);
    values_end_turn();
}

/* Quick takes all functions of an object or none, since some need what others of the object left. */
static bool is_of_quick(const char *function)
{
    char object[64];
    const char *name = strchr(function, '_') + 1;
    snprintf(object, sizeof object, "%.*s", (int)strcspn(name, "_"), name);
    return test_is_of_quick(test_name_number(object));
}

/* The rest of the turns. Kind 0, valid arguments, is of no argument. */
static void run_turns(const char *only)
{
    for (; progress->call < call_count; progress->call++, progress->argument = progress->kind = 0) {
        const struct call *call = &calls[progress->call];
        if (only ? strcmp(call->name, only) != 0 : !is_of_quick(call->name))
            continue;
        if (!progress->kind++)
            run_turn(call, &(struct turn){TURN_VALID, 0});
        for (; progress->argument < call->count; progress->argument++, progress->kind = TURN_NULL)
            while (progress->kind < TURNS) {
                const struct turn turn = {(enum turn_kind)progress->kind++, progress->argument};
                if (has_turn(&call->arguments[turn.argument], turn.kind))
                    run_turn(call, &turn);
            }
    }
}

/* In a process of its own, as drivers allow no fork once they are open. False: it ended in a turn. */
static bool run_process(const char *only)
{
    int state;
    fflush(stdout);
    const pid_t process = fork();
    if (process == 0) {
        if (test_begin(NULL))
            _exit(EXIT_FAILURE);
        run_turns(only);
        fflush(stdout);
        test_end(NULL);
        _exit(EXIT_SUCCESS);
    }
    waitpid(process, &state, 0);
    if (WIFEXITED(state) && WEXITSTATUS(state) == EXIT_SUCCESS)
        return true;
    const struct call *call = &calls[progress->call];
    const struct turn turn = {(enum turn_kind)(progress->kind ? progress->kind - 1 : 0), progress->argument};
    if (WIFSIGNALED(state))
        report(call, &turn, "signal %d", WTERMSIG(state));
    else
        report(call, &turn, "the process ends with %d", WEXITSTATUS(state));
    return false;
}

int main(int count, char **arguments)
{
    enum { MOST_ENDS = 400 };
    int ends = 0;
    progress = mmap(NULL, sizeof *progress, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (progress == MAP_FAILED)
        return EXIT_FAILURE;
    while (!run_process(count > 1 ? arguments[1] : NULL) && ++ends < MOST_ENDS)
        continue;
    printf("%zu functions, %zu turns, %zu faults\n", call_count, progress->turns, progress->faults);
    return progress->faults || ends == MOST_ENDS ? EXIT_FAILURE : EXIT_SUCCESS;
}
