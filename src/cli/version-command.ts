import { readFileSync } from 'node:fs';
import type { Command } from './command.ts';

/** The version in package.json. */
export function productVersion(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  const content: { version: string } = JSON.parse(text);
  return content.version;
}

/** `granary version`. */
export const versionCommand: Command = {
  name: 'version',
  args: [],
  summary: 'Shows the versions of Granary, Node and SQLite.',
  settings: [],
  async run({ world }) {
    world.stdout.write(
      `granary ${productVersion()} (Node ${process.versions.node}, SQLite ${process.versions['sqlite']})\n`,
    );
  },
};
