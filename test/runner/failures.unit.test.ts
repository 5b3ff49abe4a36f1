import { SEED } from '../support/depth.ts';
import { failuresOf, type JestResult } from '../support/runner/failures.ts';

type File = JestResult['testResults'][number];

function resultOf(file: Partial<File>): JestResult {
  const whole = {
    name: `${process.cwd()}/test/a.unit.test.ts`,
    status: 'failed',
    message: '',
    assertionResults: [],
  };
  const counts = { numPassedTests: 0, numFailedTests: 1, numRuntimeErrorTestSuites: 0 };
  return { ...counts, testResults: [{ ...whole, ...file }] };
}

function failed(title: string, message: string, ...ancestorTitles: string[]): Partial<File> {
  return { assertionResults: [{ status: 'failed', title, ancestorTitles, failureMessages: [message] }] };
}

describe('what failed', () => {
  it('ends with the command that repeats the test alone, with its seed', () => {
    const [failure] = failuresOf(resultOf(failed("adds (it's 1 + 1)", 'Error: 3', 'a sum')));
    expect(failure?.split('\n')).toEqual([
      "test/a.unit.test.ts: a sum adds (it's 1 + 1)",
      'Error: 3',
      expect.stringMatching(
        `STRATA_TEST_SEED=${SEED} npm test -- test/a\\.unit\\.test\\.ts -t '\\^a sum adds \\\\\\(it'`,
      ),
    ]);
  });

  it('is repeated as a file where what stands around the tests failed', () => {
    const [failure = ''] = failuresOf(resultOf(failed('(beforeAll)', 'Error: 3', 'a sum')));
    expect(failure).toMatch(/^test\/a\.unit\.test\.ts: a sum \(beforeAll\)[^]* -- test\/a\.unit\.test\.ts$/);
  });

  it('has at most 30 lines of bounded length, from its beginning and its end', () => {
    const lines = Array.from({ length: 500 }, (_, i) => `${i} ${'x'.repeat(1_000)}`);
    const [failure = ''] = failuresOf(resultOf(failed('is long', lines.join('\n'))));
    const told = failure.split('\n');
    expect(told).toHaveLength(30);
    expect(told[1]).toMatch(/^0 x/);
    expect(told.at(-2)).toMatch(/^499 x/);
    expect(Math.max(...told.map(({ length }) => length))).toBeLessThan(310);
  });

  it('is a file where no test of it could be run', () => {
    expect(failuresOf(resultOf({ message: 'SyntaxError: no' }))).toEqual([
      expect.stringMatching(
        /^test\/a\.unit\.test\.ts\nSyntaxError: no\nagain: .* -- test\/a\.unit\.test\.ts$/,
      ),
    ]);
  });

  it('is nothing where all passed', () => {
    const passed = { status: 'passed', title: 'a', ancestorTitles: [], failureMessages: [] };
    expect(failuresOf(resultOf({ status: 'passed', assertionResults: [passed] }))).toEqual([]);
  });
});
