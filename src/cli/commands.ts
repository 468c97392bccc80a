import type { Command } from './command.ts';

/**
 * The commands by their first words, in the order of the help. Only those that are called are loaded: a server needs no
 * others.
 */
const loaders: Readonly<Record<string, () => Promise<readonly Command[]>>> = {
  serve: async () => [(await import('./serve-command.ts')).serveCommand],
  status: async () => [(await import('./status-command.ts')).statusCommand],
  backup: async () => [(await import('./backup-command.ts')).backupCommand],
  restore: async () => [(await import('./restore-command.ts')).restoreCommand],
  check: async () => [(await import('./check-command.ts')).checkCommand],
  database: async () => (await import('./database-commands.ts')).databaseCommands,
  login: async () => (await import('./login-commands.ts')).loginCommands,
  search: async () => (await import('./search/search-commands.ts')).searchCommands,
  crawl: async () => (await import('./crawl/crawl-commands.ts')).crawlCommands,
  work: async () => (await import('./work-command.ts')).workCommands,
  job: async () => (await import('./job/job-commands.ts')).jobCommands,
  find: async () => [(await import('./find-command.ts')).findCommand],
  version: async () => [(await import('./version-command.ts')).versionCommand],
};

/** The words that commands begin with. */
export const firstWords: readonly string[] = Object.keys(loaders);

/** The commands that begin with a word, if any. */
export async function commandsOf(first: string): Promise<readonly Command[]> {
  return Object.hasOwn(loaders, first) ? ((await loaders[first]?.()) ?? []) : [];
}

/** Every command, in the order of the help. */
export async function allCommands(): Promise<readonly Command[]> {
  return (await Promise.all(firstWords.map(commandsOf))).flat();
}
