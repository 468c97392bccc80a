/** Prints the facts of one check as the line of JSON that every client's script prints; what fails is told as well. */
export async function tell(check: string, find: () => Promise<object>): Promise<void> {
  const facts = await find().catch((error: unknown) => ({ error: String(error) }));
  process.stdout.write(`${JSON.stringify({ check, ...facts })}\n`);
}

/** A variable that the test sets. */
export function given(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set`);
  return value;
}

/** The number that a server gave an error. */
export async function numberOf(failing: Promise<unknown>): Promise<number | undefined> {
  try {
    await failing;
    return undefined;
  } catch (error) {
    return error instanceof Error && 'number' in error ? Number(error.number) : undefined;
  }
}
