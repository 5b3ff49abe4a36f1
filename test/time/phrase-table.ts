/** A phrase, when and where it is asked, and what it stands for: dates for midnight of the zone, instants in UTC. */
export interface Row {
  readonly phrase: string;
  readonly from: string;
  readonly to: string;
}

const rows = (lines: string): Row[] =>
  lines
    .trim()
    .split('\n')
    .map((line) => {
      const [phrase = '', from = '', to = ''] = line.split('|').map((part) => part.trim());
      return { phrase, from, to };
    });

/** Wednesday. */
export const REFERENCE = '2024-05-15T10:30:00.000Z';

/** The first instant, the reference and the last instant stand as `-`, `now` and `+`. */
export const ASKED_ON_WEDNESDAY = rows(`
now                                  | now                  | 2024-05-15T10:30:00.001Z
right now                            | now                  | 2024-05-15T10:30:00.001Z
today                                | 2024-05-15           | 2024-05-16
Yesterday.                           | 2024-05-14           | 2024-05-15
TOMORROW                             | 2024-05-16           | 2024-05-17
the day before yesterday             | 2024-05-13           | 2024-05-14
the day after tomorrow               | 2024-05-17           | 2024-05-18
3 days ago                           | 2024-05-12           | 2024-05-13
a few days ago                       | 2024-05-12           | 2024-05-13
in 3 days                            | 2024-05-18           | 2024-05-19
a week ago                           | 2024-05-06           | 2024-05-13
a week ago today                     | 2024-05-08           | 2024-05-09
a fortnight ago                      | 2024-04-29           | 2024-05-06
3 weeks from now                     | 2024-06-03           | 2024-06-10
two months ago                       | 2024-03-01           | 2024-04-01
two quarters ago                     | 2023-10-01           | 2024-01-01
a year ago                           | 2023-01-01           | 2024-01-01
2 hours ago                          | 2024-05-15T08:00:00Z | 2024-05-15T09:00:00Z
1 hour and 30 minutes ago            | 2024-05-15T09:00:00Z | 2024-05-15T09:01:00Z
half an hour ago                     | 2024-05-15T10:00:00Z | 2024-05-15T10:01:00Z
last week                            | 2024-05-06           | 2024-05-13
this week                            | 2024-05-13           | 2024-05-20
next week                            | 2024-05-20           | 2024-05-27
the week before last                 | 2024-04-29           | 2024-05-06
the week after next                  | 2024-05-27           | 2024-06-03
this month                           | 2024-05-01           | 2024-06-01
last month                           | 2024-04-01           | 2024-05-01
last quarter                         | 2024-01-01           | 2024-04-01
this quarter                         | 2024-04-01           | 2024-07-01
last year                            | 2023-01-01           | 2024-01-01
next year                            | 2025-01-01           | 2026-01-01
last decade                          | 2010-01-01           | 2020-01-01
last 30 days                         | 2024-04-15T10:30:00Z | now
past two hours                       | 2024-05-15T08:30:00Z | now
over the past year                   | 2023-05-15T10:30:00Z | now
the last week                        | 2024-05-08T10:30:00Z | now
in the next week                     | now                  | 2024-05-22T10:30:00Z
within 3 days                        | now                  | 2024-05-18T10:30:00Z
earlier this week                    | 2024-05-13           | now
later today                          | now                  | 2024-05-16
year to date                         | 2024-01-01           | now
since March                          | 2024-03-01           | now
since yesterday                      | 2024-05-14           | now
from last Tuesday on                 | 2024-05-14           | now
until Tuesday                        | -                    | 2024-05-15
until now                            | -                    | now
before 2020                          | -                    | 2020-01-01
before 5pm yesterday                 | -                    | 2024-05-14T17:00:00Z
after the 5th of May 2024            | 2024-05-06           | now
after next week                      | 2024-05-27           | +
last Friday                          | 2024-05-10           | 2024-05-11
this Friday                          | 2024-05-17           | 2024-05-18
next Friday                          | 2024-05-17           | 2024-05-18
on Monday                            | 2024-05-13           | 2024-05-14
Wednesday                            | 2024-05-08           | 2024-05-09
Friday next week                     | 2024-05-24           | 2024-05-25
Monday of last week                  | 2024-05-06           | 2024-05-07
two Saturdays ago                    | 2024-05-04           | 2024-05-05
last weekend                         | 2024-05-11           | 2024-05-13
this weekend                         | 2024-05-18           | 2024-05-20
the Friday before 2024-05-20         | 2024-05-17           | 2024-05-18
the first Monday after Easter        | 2024-04-01           | 2024-04-02
the last Sunday of October           | 2023-10-29           | 2023-10-30
the last Sunday of October 2024      | 2024-10-27           | 2024-10-28
the first weekend of April           | 2024-04-06           | 2024-04-08
the second week of June              | 2023-06-08           | 2023-06-15
the first three days of May          | 2024-05-01           | 2024-05-04
the last two weeks of 2023           | 2023-12-18           | 2024-01-01
the last day of February             | 2024-02-29           | 2024-03-01
2024-05-20                           | 2024-05-20           | 2024-05-21
20240520                             | 2024-05-20           | 2024-05-21
2024-05                              | 2024-05-01           | 2024-06-01
2024-W21                             | 2024-05-20           | 2024-05-27
2024-W53                             | refused: no_such_date|
week 1 of 2025                       | 2024-12-30           | 2025-01-06
2024-05-20T14:30:00Z                 | 2024-05-20T14:30:00Z | 2024-05-20T14:30:01Z
2024-05-20T14:30+02:00               | 2024-05-20T12:30:00Z | 2024-05-20T12:31:00Z
2024-05-20T14:30:00.250Z             | 2024-05-20T14:30:00.250Z | 2024-05-20T14:30:00.251Z
2024-05-20 14:30                     | 2024-05-20T14:30:00Z | 2024-05-20T14:31:00Z
2024-05-01/2024-05-10                | 2024-05-01           | 2024-05-11
2024-05-01T08:00Z/2024-05-01T09:00Z  | 2024-05-01T08:00:00Z | 2024-05-01T09:00:00Z
2024-05-01/P7D                       | 2024-05-01           | 2024-05-08
P1M/2024-05-31                       | 2024-05-01           | 2024-06-01
2024-05-01..2024-05-10               | 2024-05-01           | 2024-05-11
May 5                                | 2024-05-05           | 2024-05-06
20 May                               | 2023-05-20           | 2023-05-21
the 5th of May, 2023                 | 2023-05-05           | 2023-05-06
Monday, 20 May 2024                  | 2024-05-20           | 2024-05-21
5/6/2024                             | 2024-05-06           | 2024-05-07
20.5.2024                            | 2024-05-20           | 2024-05-21
Sept. 2023                           | 2023-09-01           | 2023-10-01
Jan '23                              | 2023-01-01           | 2023-02-01
5 Nov 2023 14:00 EST                 | 2023-11-05T19:00:00Z | 2023-11-05T19:01:00Z
on the 21st                          | 2024-04-21           | 2024-04-22
on the 10th                          | 2024-05-10           | 2024-05-11
on the 31st                          | 2024-03-31           | 2024-04-01
the 21st of last month               | 2024-04-21           | 2024-04-22
Feb 29                               | 2024-02-29           | 2024-03-01
between May 1 and May 10, 2025       | 2025-05-01           | 2025-05-11
between 1 and 10 May 2023            | 2023-05-01           | 2023-05-11
from May 1, 2023 to May 10           | 2023-05-01           | 2023-05-11
May 5 - 10, 2024                     | 2024-05-05           | 2024-05-11
from December to February            | 2023-12-01           | 2024-03-01
from Monday to Tuesday               | 2024-05-13           | 2024-05-15
from Friday to Monday                | 2024-05-10           | 2024-05-14
between 2020 and 2022                | 2020-01-01           | 2023-01-01
May-June 2023                        | 2023-05-01           | 2023-07-01
between 2pm and 4pm yesterday        | 2024-05-14T14:00:00Z | 2024-05-14T16:00:00Z
2-4pm yesterday                      | 2024-05-14T14:00:00Z | 2024-05-14T16:00:00Z
Tuesday 3pm to 5pm                   | 2024-05-14T15:00:00Z | 2024-05-14T17:00:00Z
since 2023 until March               | 2023-01-01           | 2023-04-01
2023                                 | 2023-01-01           | 2024-01-01
the year 850                         | 0850-01-01           | 0851-01-01
'23                                  | 2023-01-01           | 2024-01-01
early 2021                           | 2021-01-01           | 2021-05-01
mid-2021                             | 2021-05-01           | 2021-09-01
late 2021                            | 2021-09-01           | 2022-01-01
mid-month                            | 2024-05-11           | 2024-05-21
mid-May                              | 2024-05-11           | 2024-05-21
late February                        | 2024-02-21           | 2024-03-01
beginning of the week                | 2024-05-13           | 2024-05-15
the end of the month                 | 2024-05-21           | 2024-06-01
end of month                         | 2024-05-21           | 2024-06-01
at the end of this month             | 2024-05-21           | 2024-06-01
late in the month                    | 2024-05-21           | 2024-06-01
the second half of the month         | 2024-05-16           | 2024-06-01
the last week of the month           | 2024-05-25           | 2024-06-01
the last day of the month            | 2024-05-31           | 2024-06-01
by the end of the month              | -                    | 2024-06-01
by the end of the week               | -                    | 2024-05-20
the middle of the week               | 2024-05-15           | 2024-05-17
the end of the week                  | 2024-05-17           | 2024-05-20
end of the quarter                   | 2024-06-01           | 2024-07-01
the end of the year                  | 2024-09-01           | 2025-01-01
the end of last year                 | 2023-09-01           | 2024-01-01
Q3 2024                              | 2024-07-01           | 2024-10-01
2024-Q3                              | 2024-07-01           | 2024-10-01
the third quarter                    | 2023-07-01           | 2023-10-01
third quarter of 2023                | 2023-07-01           | 2023-10-01
H2 2023                              | 2023-07-01           | 2024-01-01
the first half of this year          | 2024-01-01           | 2024-07-01
the second half of March             | 2024-03-16           | 2024-04-01
last summer                          | 2023-06-01           | 2023-09-01
this summer                          | 2024-06-01           | 2024-09-01
winter 2023                          | 2023-12-01           | 2024-03-01
in the spring of 2022                | 2022-03-01           | 2022-06-01
two summers ago                      | 2022-06-01           | 2022-09-01
Christmas                            | 2023-12-25           | 2023-12-26
last year's Christmas                | 2023-12-25           | 2023-12-26
next Christmas                       | 2024-12-25           | 2024-12-26
New Year's Eve                       | 2023-12-31           | 2024-01-01
New Year’s Day 2023                  | 2023-01-01           | 2023-01-02
Easter                               | 2024-03-31           | 2024-04-01
Easter 2025                          | 2025-04-20           | 2025-04-21
Good Friday 2008                     | 2008-03-21           | 2008-03-22
Thanksgiving                         | 2023-11-23           | 2023-11-24
Thanksgiving 2024                    | 2024-11-28           | 2024-11-29
Halloween last year                  | 2023-10-31           | 2023-11-01
Valentine's Day                      | 2024-02-14           | 2024-02-15
two weeks before Christmas           | 2023-12-11           | 2023-12-12
the week before Christmas            | 2023-12-18           | 2023-12-25
three days after Easter              | 2024-04-03           | 2024-04-04
two weeks before last summer         | 2023-05-18           | 2023-05-19
two months before March 2024         | 2024-01-01           | 2024-02-01
Easter weekend                       | 2024-03-30           | 2024-04-01
in two Fridays                       | 2024-05-24           | 2024-05-25
the day after two weeks before Easter| 2024-03-18           | 2024-03-19
1/2/2024 to 3/4/2024                 | 2024-01-02           | 2024-03-05
tomorrow at 14:00 PST                | 2024-05-16T22:00:00Z | 2024-05-16T22:01:00Z
Friday the 13th                      | 2023-10-13           | 2023-10-14
10pm to 2am                          | 2024-05-14T22:00:00Z | 2024-05-15T02:00:00Z
Dec 20 - Jan 5                       | 2023-12-20           | 2024-01-06
the 3rd to 5th of June 2023          | 2023-06-03           | 2023-06-06
the week of May 5                    | 2024-04-29           | 2024-05-06
the 1990s                            | 1990-01-01           | 2000-01-01
the nineties                         | 1990-01-01           | 2000-01-01
the early '90s                       | 1990-01-01           | 1994-01-01
the 2000s                            | 2000-01-01           | 2010-01-01
yesterday evening                    | 2024-05-14T18:00:00Z | 2024-05-15
this morning                         | 2024-05-15T06:00:00Z | 2024-05-15T12:00:00Z
early this morning                   | 2024-05-15T06:00:00Z | 2024-05-15T08:00:00Z
last night                           | 2024-05-14T20:00:00Z | 2024-05-15T06:00:00Z
tonight                              | 2024-05-15T20:00:00Z | 2024-05-16T06:00:00Z
Friday afternoon                     | 2024-05-10T12:00:00Z | 2024-05-10T18:00:00Z
on the morning of May 5              | 2024-05-05T06:00:00Z | 2024-05-05T12:00:00Z
yesterday at 5pm                     | 2024-05-14T17:00:00Z | 2024-05-14T18:00:00Z
last Friday at 15:45                 | 2024-05-10T15:45:00Z | 2024-05-10T15:46:00Z
5pm                                  | 2024-05-14T17:00:00Z | 2024-05-14T18:00:00Z
noon yesterday                       | 2024-05-14T12:00:00Z | 2024-05-14T13:00:00Z
2016-12-31T23:59:60Z                 | 2016-12-31T23:59:59.999Z | 2017-01-01
9999-12-31                           | 9999-12-31           | +
every Monday                         | refused: recurrence |
daily                                | refused: recurrence |
on Mondays                           | refused: recurrence |
each weekend in May                  | refused: recurrence |
between 2024 and 2023                | refused: contradictory |
since tomorrow                       | refused: contradictory |
2024-05-10/2024-05-01                | refused: contradictory |
later yesterday                      | refused: contradictory |
2024-02-30                           | refused: no_such_date |
Feb 29, 2023                         | refused: no_such_date |
31 June                              | refused: no_such_date |
Friday, 20 May 2024                  | refused: no_such_date |
the fifth Monday of February 2024    | refused: no_such_date |
2024-05-20T25:00                     | refused: no_such_date |
12000 years ago                      | refused: out_of_range |
the year 12000                       | refused: out_of_range |
0000-01-01                           | refused: out_of_range |
                                     | refused: not_understood |
hello world                          | refused: not_understood |
recently                             | refused: not_understood |
the other day                        | refused: not_understood |
Monday or Tuesday                    | refused: not_understood |
the meeting last week with Bob       | refused: not_understood |
three weeks before the launch        | refused: not_understood |
since the merger in March            | refused: not_understood |
the first Monday of the migration    | refused: not_understood |
for 3 days                           | refused: not_understood |
2 weeks                              | refused: not_understood |
last 2 weekends                      | refused: not_understood |
the end of the day                   | refused: not_understood |
the week of March                    | refused: not_understood |
around 5                             | refused: not_understood |
Feb 2024 PST 4pm                     | refused: not_understood |
late last night                      | refused: not_understood |
`);

/** Asked in New York late on 2024-03-10, when clocks there went from 02:00 to 03:00, and it was the 11th in UTC already. */
export const NEW_YORK_REFERENCE = '2024-03-11T02:15:00.000Z';

/** As the other table, with the instants that the zone's midnights are. */
export const ASKED_IN_NEW_YORK = rows(`
today                                | 2024-03-10T05:00:00Z | 2024-03-11T04:00:00Z
yesterday                            | 2024-03-09T05:00:00Z | 2024-03-10T05:00:00Z
last 24 hours                        | 2024-03-10T02:15:00Z | now
the last day                         | 2024-03-10T03:15:00Z | now
this week                            | 2024-03-04T05:00:00Z | 2024-03-11T04:00:00Z
this month                           | 2024-03-01T05:00:00Z | 2024-04-01T04:00:00Z
yesterday at 5pm                     | 2024-03-09T22:00:00Z | 2024-03-09T23:00:00Z
today at 2:30am                      | 2024-03-10T07:00:00Z | 2024-03-10T07:01:00Z
this morning                         | 2024-03-10T10:00:00Z | 2024-03-10T16:00:00Z
November 3, 2024                     | 2024-11-03T04:00:00Z | 2024-11-04T05:00:00Z
2024-03-10T12:00                     | 2024-03-10T16:00:00Z | 2024-03-10T16:01:00Z
2024-03-10T12:00Z                    | 2024-03-10T12:00:00Z | 2024-03-10T12:01:00Z
3/9/2024 17:00                       | 2024-03-09T22:00:00Z | 2024-03-09T22:01:00Z
`);
