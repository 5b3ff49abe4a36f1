/**
 * A vector of unit length in the direction of these numbers; null when they have none: one is no finite number, all are zero, or
 * they are so large that their length is none.
 */
export function unitVector(numbers: readonly unknown[] | Float32Array): Float32Array | null {
  let squares = 0;
  for (const number of numbers) {
    if (typeof number !== 'number') return null;
    squares += number * number;
  }
  const length = Math.sqrt(squares);
  // A number that is not finite makes the sum so.
  if (!Number.isFinite(length) || length === 0) return null;
  return Float32Array.from(numbers as ArrayLike<number>, (number) => number / length);
}
