import { context } from '../../schemas/context.ts';
import { instant, instantOrDate, toEpochMs } from '../../schemas/time.ts';

describe('a leap second', () => {
  it.each([
    ['2016-12-31T23:59:60Z', '2016-12-31T23:59:59.999Z'],
    ['2016-12-31T23:59:60.5Z', '2016-12-31T23:59:59.999Z'],
    ['2016-12-31t15:59:60-08:00', '2016-12-31T23:59:59.999Z'],
    ['9999-12-31T23:59:60Z', '9999-12-31T23:59:59.999Z'],
  ])('%s is taken as it was sent, and is the last millisecond of its minute', (text, last) => {
    for (const schema of [instant, instantOrDate]) expect(schema.parse(text)).toBe(text);
    expect(toEpochMs(text)).toBe(Date.parse(last));
  });

  it.each(['2016-12-31T23:59:61Z', '2016-12-31T23:60:60Z', '2016-12-31T23:59:60', '2016-12-31T23:59:60.Z'])(
    '%s is no instant',
    (text) => {
      expect(instant.safeParse(text).success).toBe(false);
    },
  );

  it('may be local where what is spoken of is', () => {
    const spoken = { refers_to: { from: '2016-12-31T23:59:60', to: '2017-01-01' } };
    expect(context.parse(spoken)).toEqual(spoken);
  });
});
