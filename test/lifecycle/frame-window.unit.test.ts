import { FrameWindow, type Numbered } from '../../src/lifecycle/frame-window.ts';
import { inDepth } from '../support/depth.ts';
import fc from '../support/property.ts';

// How: a log of numbered frames grows, a tailer offers it and pages are read from it, in any order that can happen between two
// of them. Whatever happens, the reader is given the wanted frames behind its start, in order, each once.

interface Step {
  readonly kind: 'commit' | 'tail' | 'begin' | 'end' | 'retry' | 'take' | 'drop';
  readonly count: number;
}

const PAGE = 5;
const MAX_LIVE = 4;
const isWanted = (sequence: number): boolean => sequence % 3 !== 0;

/** A reader over a log, as the product wires them, with each move done by hand. */
class Rig {
  readonly window: FrameWindow<Numbered>;
  readonly given: number[] = [];
  head: number;
  private tailed: number;
  private page: { after: number; to: number } | null = null;

  constructor(start: number, head: number) {
    this.head = head;
    this.tailed = head;
    this.window = new FrameWindow<Numbered>(start, MAX_LIVE);
  }

  step({ kind, count }: Step): void {
    switch (kind) {
      case 'commit':
        this.head += count;
        return;
      case 'tail':
        this.tail(count);
        return;
      case 'begin':
        if (this.window.needsPage) this.begin();
        return;
      case 'end':
        this.end();
        return;
      case 'retry':
        // A page that could not be read is asked for again, up to where the head is by then.
        if (this.page) this.page = { ...this.page, to: this.head };
        return;
      case 'take':
        for (let i = 0; i < count; i += 1) this.take();
        return;
      case 'drop':
        if (this.page === null) this.window.drop();
    }
  }

  take(): boolean {
    const frame = this.window.take();
    if (frame) this.given.push(frame.sequence);
    return frame !== undefined;
  }

  /** Goes on until everything that was committed is given. */
  finish(): void {
    while (this.window.position < this.head) {
      if (this.take()) continue;
      if (this.page) this.end();
      else if (this.window.needsPage) this.begin();
      else this.tail(PAGE);
    }
  }

  private begin(): void {
    const near = this.head - this.window.position < PAGE;
    this.page = { after: this.window.startPage(near ? this.tailed : null), to: this.head };
  }

  private end(): void {
    if (!this.page) return;
    const { after, to } = this.page;
    const rows = numbers(after, to).slice(0, PAGE);
    const early = rows.length === PAGE;
    const wanted = rows.filter(isWanted).map((sequence) => ({ sequence }));
    this.window.endPage(wanted, early ? (rows.at(-1) ?? to) : to, early);
    this.page = null;
  }

  private tail(count: number): void {
    const rows = numbers(this.tailed, Math.min(this.head, this.tailed + count));
    this.tailed = rows.at(-1) ?? this.tailed;
    this.window.offer(
      rows.filter(isWanted).map((sequence) => ({ sequence })),
      this.tailed,
    );
  }
}

function numbers(after: number, to: number): number[] {
  return Array.from({ length: Math.max(0, to - after) }, (_, i) => after + 1 + i);
}

const kinds = ['commit', 'tail', 'tail', 'begin', 'end', 'retry', 'take', 'take', 'drop'] as const;
const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom(...kinds),
  count: fc.integer({ min: 1, max: 8 }),
});
// Without a size of its own an array is cut at ten.
const manySteps = fc.array(step, { maxLength: 120, size: 'max' });

describe('the frames that wait for a reader', () => {
  it('are given in order, each once, whatever happens when', () => {
    fc.assert(
      fc.property(fc.nat(30), fc.nat(30), manySteps, (start, past, steps) => {
        const rig = new Rig(start, start + past);
        const expected = (): number[] => numbers(start, rig.head).filter(isWanted);
        let position = start;
        for (const one of steps) {
          rig.step(one);
          expect(rig.given).toEqual(expected().slice(0, rig.given.length));
          expect(rig.window.held).toBeLessThanOrEqual(PAGE + MAX_LIVE);
          expect(rig.window.position).toBeGreaterThanOrEqual(position);
          position = rig.window.position;
          const behind = expected().filter((sequence) => sequence > position);
          expect([...rig.given, ...behind]).toEqual(expected());
        }
        rig.finish();
        expect(rig.given).toEqual(expected());
      }),
      { numRuns: inDepth(50, 200) },
    );
  });

  it('have passed once they were taken, whatever is offered next', () => {
    const rig = new Rig(0, 0);
    for (const kind of ['begin', 'end'] as const) rig.step({ kind, count: 1 });
    rig.step({ kind: 'commit', count: 4 });
    rig.step({ kind: 'tail', count: 3 });
    rig.step({ kind: 'take', count: 2 });
    expect(rig.window.position).toBe(3);
    rig.step({ kind: 'tail', count: 1 });
    expect([rig.window.position, rig.window.held]).toEqual([3, 1]);
  });

  it('go back to the past when too many come live, and lose none', () => {
    const rig = new Rig(0, 0);
    rig.step({ kind: 'begin', count: 1 });
    rig.step({ kind: 'end', count: 1 });
    expect(rig.window.following).toBe(true);
    rig.step({ kind: 'commit', count: 50 });
    rig.step({ kind: 'tail', count: 50 });
    expect([rig.window.following, rig.window.held, rig.window.needsPage]).toEqual([false, 0, true]);
    rig.finish();
    expect(rig.given).toEqual(numbers(0, 50).filter(isWanted));
  });
});
