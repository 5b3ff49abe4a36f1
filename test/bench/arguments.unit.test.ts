import { GROUPS, readArguments } from './arguments.ts';

describe('the command line of the bench', () => {
  it('measures everything by default but what is long', () => {
    const groups = GROUPS.filter((group) => group !== 'forget');
    expect(readArguments([])).toEqual({ groups, quick: false, seconds: 3, pairs: 5, out: null });
  });

  it('is shorter when it is to be quick', () => {
    expect(readArguments(['--quick'])).toMatchObject({ quick: true, seconds: 1.5, pairs: 3 });
  });

  it('takes groups in any order and measures them in its own', () => {
    const { groups } = readArguments(['--only', 'bulk, ack']);
    expect(groups).toEqual(['ack', 'bulk']);
  });

  it('takes a length and a file', () => {
    expect(readArguments(['--quick', '--seconds', '10', '--out', 'x.jsonl'])).toMatchObject({
      seconds: 10,
      out: 'x.jsonl',
    });
  });

  it('takes how many events are forgotten', () => {
    const asked = readArguments(['--only', 'forget', '--events', '5000']);
    expect(asked).toMatchObject({ groups: ['forget'], events: 5000 });
  });

  it.each([
    [['--events', '10'], '--events is a number'],
    [['--only', 'ack,nonsense'], 'no such figures: nonsense'],
    [['--seconds', 'long'], '--seconds is a number'],
    [['--seconds', '0'], '--seconds is a number'],
    [['--slow'], '--slow'],
    [['ack'], 'ack'],
  ])('refuses %j', (argv, message) => {
    expect(() => readArguments(argv)).toThrow(message);
  });
});
