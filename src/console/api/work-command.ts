/** The command that runs a worker for the jobs of a kind of database. */
export const workCommand = (kind: string | undefined): string =>
  `granary work ${kind === 'translation' ? 'translate' : 'convert'}`;
