import type { CommandFlag, Invocation } from './command.ts';

/** Everything as JSON. */
export const json: CommandFlag = { placeholder: '', help: 'Output as JSON.', bare: true };

/** Writes the result of a command: a value as JSON if requested, otherwise text, which is only then composed. */
export async function answer(
  { flags, world }: Pick<Invocation, 'flags' | 'world'>,
  value: unknown,
  words: () => string | Promise<string>,
): Promise<void> {
  world.stdout.write(`${flags.has('json') ? JSON.stringify(value) : await words()}\n`);
}
