/** How often others had their turn while some work was done. */
export async function turnsWhile(work: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  let busy = true;
  const other = (): void => {
    turns += 1;
    if (busy) setImmediate(other);
  };
  setImmediate(other);
  try {
    await work();
    return turns;
  } finally {
    busy = false;
  }
}
