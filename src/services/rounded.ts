/** Milliseconds as answers tell them. */
export function roundedMs(ms: number): number {
  return Math.round(ms * 100) / 100;
}
