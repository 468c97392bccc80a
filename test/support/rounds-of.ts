/** How often the event loop comes round, so that others have their turn, while work is done. */
export async function roundsOf(work: () => Promise<unknown>): Promise<number> {
  let rounds = 0;
  let isDone = false;
  const count = (): void => {
    rounds++;
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  await work();
  isDone = true;
  return rounds;
}
