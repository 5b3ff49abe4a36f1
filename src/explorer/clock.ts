/** The present instant, epoch milliseconds. */
export function now(): number {
  return Date.now();
}
