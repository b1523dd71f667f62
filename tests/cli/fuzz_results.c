/* Result files: their parser, and the page and the table that are made of what it read. */
#include "../fuzz/target.h"
#include "cli/report/report.h"

static void count_line(void *data, const char *line)
{
    size_t *lines = data;
    REQUIRE(line[0] && !strpbrk(line, "\r\n"));
    (*lines)++;
}

/* forbidden: text that the output does not have, whatever the input is. */
static void check_text(const struct results_report *report, void (*write)(FILE *out, const void *data),
                       const char *forbidden)
{
    char *text = NULL;
    size_t bytes;
    FILE *out = open_memstream(&text, &bytes);
    REQUIRE(out);
    write(out, report);
    REQUIRE(fclose(out) == 0 && bytes > 0);
    REQUIRE(!forbidden || !strstr(text, forbidden));
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = input_string(data, size);
    struct results results, strict;
    struct report_quality quality;
    struct shoal_error error = {0};
    size_t lines = 0;
    const bool has_quality = quality_read(&quality, text, "input");
    const enum shoal_status status = results_parse_most(&results, text, "input", count_line, &lines, &error);
    REQUIRE(status == SHOAL_OK || (error.message[0] && !strpbrk(error.message, "\r\n")));
    if (results_parse(&strict, text, "input", &error) == SHOAL_OK)
        REQUIRE(status == SHOAL_OK && strict.row_count == results.row_count);
    results_clear(&strict);
    if (status == SHOAL_OK) {
        const struct report_run runs[] = {{&results, "one", "one"}, {&results, "two", "two"}};
        struct results_report report = {.title = "title",
                                        .about = "",
                                        .runs = runs,
                                        .run_count = 2,
                                        .baseline = &results,
                                        .baseline_path = "one"};
        report.qualities = &quality;
        report.quality_count = has_quality;
        report_collect(&report);
        REQUIRE(report.loss_count <= report.compared_count);
        check_text(&report, report_page, "<script");
        check_text(&report, report_csv, NULL); /* a CSV keeps names as they are */
        report_free(&report);
    }
    results_clear(&results);
    if (has_quality)
        quality_free(&quality);
    free(text);
    return 0;
}
