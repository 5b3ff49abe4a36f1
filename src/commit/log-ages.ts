import { LOG_AGE_GRAIN_MS, LOG_AGE_MARKS } from '../limits.ts';

/** When the places of the log became known to this process, coarsely and in bounded memory. */
export class LogAges {
  private marks: { offset: number; readonly at: number }[] = [];

  /** Notes that the log is known up to an offset; offsets and instants (epoch milliseconds) only grow. */
  known(offset: number, now: number): void {
    const last = this.marks.at(-1);
    if (last && now - last.at < LOG_AGE_GRAIN_MS) {
      last.offset = offset;
      return;
    }
    this.marks.push({ offset, at: now });
    if (this.marks.length > LOG_AGE_MARKS) this.marks = this.marks.filter((_mark, i) => i % 2 === 1);
  }

  /** The instant at which something beyond an offset first became known, or null. */
  firstBeyond(offset: number): number | null {
    return this.marks.find((mark) => mark.offset > offset)?.at ?? null;
  }
}
