/** Captures that became known within so many milliseconds count as one when the age of a backlog is told. */
const LOG_AGE_GRAIN_MS = 250;

/** Such marks kept at most, about a quarter of an hour of steady writing; beyond it every other one is dropped. */
const LOG_AGE_MARKS = 4096;

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
