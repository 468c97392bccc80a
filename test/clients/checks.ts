/** What every client is asked to do, in order, with the words that the matrix in docs/clients.md has for it. */
export const checks = {
  login: 'logs in with a name and a password',
  refused: 'hears 18456 for a wrong password',
  databases: 'lists the databases',
  procedures: 'lists the procedures of a database',
  translation: 'calls MS-TSSPROC: bigint, int, smallint, bit, date, datetime, GUID, XML, text, bytes; return codes',
  word: 'calls MS-WORDSSP2: varbinary(32) and varbinary(max)',
  config: 'calls MS-WSSCFGD2: rowversion, tinyint, ntext; output values',
  sets: 'reads several result sets of one call',
  nulls: 'sends NULL and reads NULL',
  long: 'sends 10 MB and reads them back',
  errors: 'gets errors with their numbers, and goes on',
  cancel: 'cancels a long call, and goes on',
  transaction: 'rolls a transaction back',
  prepared: 'prepares a statement and runs it again',
  pool: 'connects anew from a pool',
  bulk: 'loads rows in bulk into temporary tables and tables of a database',
  metadata: 'describes the parameters of a procedure',
  tables: 'hears that table-valued parameters are not taken, and goes on',
} as const;

export type Check = keyof typeof checks;

export const checkNames = Object.keys(checks) as Check[];

/** What a client's script printed for one check. */
export type Facts = Readonly<Record<string, unknown>>;
