import JestSequencer from '@jest/test-sequencer';

/** The runner's order, or with `STRATA_TEST_ORDER=reversed` its reverse: no file may rely on another. */
export default class Sequencer extends JestSequencer {
  sort(tests) {
    const sorted = super.sort(tests);
    return process.env.STRATA_TEST_ORDER === 'reversed' ? sorted.reverse() : sorted;
  }
}
