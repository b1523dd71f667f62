#include "io/csv/days.h"

/* Reads `count` digits; false: there are fewer. */
static bool take_digits(const char **at, const char *end, int count, int *number)
{
    *number = 0;
    for (int i = 0; i < count; i++, ++*at) {
        if (*at == end || **at < '0' || **at > '9')
            return false;
        *number = 10 * *number + (**at - '0');
    }
    return true;
}

static bool take_mark(const char **at, const char *end, char mark)
{
    const bool is_there = *at < end && **at == mark;
    *at += is_there;
    return is_there;
}

static int days_in(int year, int month)
{
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    const bool is_leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    return days[month - 1] + (month == 2 && is_leap);
}

/* Number of days from 1970-01-01 to a date of the Gregorian calendar. Years are counted from March, in cycles
 * of 400 years. */
static long day_number(int year, int month, int day)
{
    const long from_march = year - (month < 3), in_cycle = from_march % 400;
    const long in_year = (153 * (month + (month < 3 ? 9 : -3)) + 2) / 5 + day - 1;
    return from_march / 400 * 146097 + in_cycle * 365 + in_cycle / 4 - in_cycle / 100 + in_year - 719468;
}

static bool take_date(const char **at, const char *end, double *days)
{
    int year, month, day;
    if (!take_digits(at, end, 4, &year) || !take_mark(at, end, '-') || !take_digits(at, end, 2, &month) ||
        !take_mark(at, end, '-') || !take_digits(at, end, 2, &day))
        return false;
    if (!year || month < 1 || month > 12 || day < 1 || day > days_in(year, month))
        return false;
    *days = (double)day_number(year, month, day);
    return true;
}

static bool take_time(const char **at, const char *end, double *days)
{
    int hour, minute, second = 0, digit;
    double fraction = 0, unit = 0.1;
    if (!take_digits(at, end, 2, &hour) || !take_mark(at, end, ':') || !take_digits(at, end, 2, &minute))
        return false;
    if (take_mark(at, end, ':') && !take_digits(at, end, 2, &second))
        return false;
    if (take_mark(at, end, '.'))
        for (; *at < end && **at >= '0' && **at <= '9'; unit /= 10) {
            (void)take_digits(at, end, 1, &digit);
            fraction += unit * digit;
        }
    take_mark(at, end, 'Z');
    if (hour > 23 || minute > 59 || second > 60)
        return false;
    *days += (hour * 3600 + minute * 60 + second + fraction) / 86400;
    return true;
}

bool day_read(struct word word, double *days)
{
    const char *at = word.begin;
    if (!take_date(&at, word.end, days))
        return false;
    if (at < word.end && (take_mark(&at, word.end, 'T') || take_mark(&at, word.end, ' ')) &&
        !take_time(&at, word.end, days))
        return false;
    return at == word.end;
}
