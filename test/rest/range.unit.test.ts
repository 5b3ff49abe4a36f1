import { byteRange, namesTag } from '../../rest/range.ts';

describe('a range of ten bytes', () => {
  it.each([
    ['bytes=0-0', { from: 0, to: 1 }],
    ['bytes=2-5', { from: 2, to: 6 }],
    ['bytes=8-', { from: 8, to: 10 }],
    ['bytes=8-99', { from: 8, to: 10 }],
    ['bytes=-3', { from: 7, to: 10 }],
    ['bytes=-99', { from: 0, to: 10 }],
    ['bytes= 0-9 ', { from: 0, to: 10 }],
    ['bytes=10-', 'none'],
    ['bytes=10-12', 'none'],
    ['bytes=-0', 'none'],
    [undefined, 'whole'],
    ['', 'whole'],
    ['bytes=-', 'whole'],
    ['bytes=5-2', 'whole'],
    ['bytes=0-1,4-5', 'whole'],
    ['lines=0-1', 'whole'],
    ['bytes=a-b', 'whole'],
    ['bytes=0-9999999999999999999', 'whole'],
  ])('%j is %j', (header, range) => {
    expect(byteRange(header, 10)).toEqual(range);
  });
});

describe('If-None-Match', () => {
  it.each([
    ['"a"', true],
    ['"b", W/"a"', true],
    ['*', true],
    ['a', false],
    ['"b"', false],
    [undefined, false],
  ])('%j names the tag: %j', (header, named) => {
    expect(namesTag(header, '"a"')).toBe(named);
  });
});
