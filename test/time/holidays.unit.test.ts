import { easterOf, holidayOf } from '../../src/time/phrase/holidays.ts';

const day = (wall: number | undefined): string | undefined =>
  wall === undefined ? undefined : new Date(wall).toISOString().slice(0, 10);

describe('holidays', () => {
  // The earliest and latest dates there are, both sides of the turn of a century, and ordinary years.
  it.each([
    '1818-03-22',
    '1886-04-25',
    '1900-04-15',
    '1943-04-25',
    '1954-04-18',
    '1961-04-02',
    '1981-04-19',
    '2000-04-23',
    '2008-03-23',
    '2011-04-24',
    '2016-03-27',
    '2019-04-21',
    '2023-04-09',
    '2024-03-31',
    '2025-04-20',
    '2038-04-25',
    '2100-03-28',
    '2285-03-22',
  ])('Easter fell on %s', (date) => {
    expect(day(easterOf(Number(date.slice(0, 4))))).toBe(date);
  });

  it.each([
    ['thanksgiving', 2018, '2018-11-22'],
    ['thanksgiving', 2022, '2022-11-24'],
    ['thanksgiving day', 2029, '2029-11-22'],
    ['black friday', 2023, '2023-11-24'],
    ['ash wednesday', 2024, '2024-02-14'],
    ['palm sunday', 2024, '2024-03-24'],
    ['easter monday', 2024, '2024-04-01'],
    ['ascension day', 2024, '2024-05-09'],
    ['pentecost', 2024, '2024-05-19'],
    ['xmas eve', 2024, '2024-12-24'],
    ['new years', 2024, '2024-01-01'],
    ['st patricks day', 2024, '2024-03-17'],
  ])('%s of %d is %s', (name, year, date) => {
    expect(day(holidayOf(name)?.(year))).toBe(date);
  });

  it('are known by their whole name', () => {
    expect(holidayOf('christmas dinner')).toBeNull();
  });
});
