/** What every client is asked to do, in order, with the wording of the matrix in docs/clients.md. */
export const checks = {
  login: 'logs in with a name and a password',
  refused: 'gets error 18456 for a wrong password',
  databases: 'lists the databases',
  procedures: 'lists the procedures of a database',
  translation: 'calls MS-TSSPROC: bigint, int, smallint, bit, date, datetime, GUID, XML, text, bytes; return codes',
  word: 'calls MS-WORDSSP2: varbinary(32) and varbinary(max)',
  config: 'calls MS-WSSCFGD2: rowversion, tinyint, ntext; output values',
  sets: 'reads several result sets of one call',
  nulls: 'sends NULL and reads NULL',
  long: 'sends 10 MB and reads it back',
  errors: 'gets errors with their numbers and continues',
  cancel: 'cancels a long call and continues',
  transaction: 'rolls a transaction back',
  prepared: 'prepares a statement and runs it again',
  pool: 'reconnects from a connection pool',
  bulk: 'bulk-loads rows into temporary tables and database tables',
  metadata: 'describes the parameters of a procedure',
  tables: 'passes a table as a parameter',
} as const;

export type Check = keyof typeof checks;

export const checkNames = Object.keys(checks) as Check[];

/** What a client's script printed for one check. */
export type Facts = Readonly<Record<string, unknown>>;
