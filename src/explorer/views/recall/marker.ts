/** The id of the element that shows what a marker stands for. */
export function hitId(marker: string): string {
  return `hit-${marker.replaceAll(/[[\]]/g, '')}`;
}

/** Puts what a marker stands for in sight, and the keyboard on it. */
export function showHit(marker: string): void {
  const hit = document.getElementById(hitId(marker));
  hit?.scrollIntoView({ block: 'center' });
  hit?.focus();
}
