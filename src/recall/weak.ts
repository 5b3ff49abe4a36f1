/** Share of the words of a query beyond which a record bears on it. */
const HALF = 0.5;

/** Whether of some records, given by their words, none holds more than half of those of a query, so that what was meant may stand in others. */
export function isWeak(words: readonly string[], records: readonly (readonly string[])[]): boolean {
  return !records.some((record) => {
    const held = new Set(record);
    return words.filter((word) => held.has(word)).length > words.length * HALF;
  });
}
