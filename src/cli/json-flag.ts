import type { CommandFlag, Invocation } from './command.ts';

/** Everything as JSON. */
export const json: CommandFlag = { placeholder: '', help: 'Output as JSON.', bare: true };

/** Writes what a command has to say: a value as JSON where that is asked for, else words, which are made only then. */
export async function answer(
  { flags, world }: Pick<Invocation, 'flags' | 'world'>,
  value: unknown,
  words: () => string | Promise<string>,
): Promise<void> {
  world.stdout.write(`${flags.has('json') ? JSON.stringify(value) : await words()}\n`);
}
