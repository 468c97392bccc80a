/** What the files of a folder in src/ may import: `values` at run time, `types` only with `import type`. */
export interface Room {
  readonly values: readonly string[];
  readonly types?: readonly string[];
}

/** The one direction of imports: a room knows only the rooms named here (and itself). */
export const rooms: Readonly<Record<string, Room>> = {
  base: { values: [] },
  tds: { values: ['base'] },
  engine: { values: ['base'] },
  accounts: { values: ['base', 'engine'] },
  sspi: { values: ['base'] },
  procedure: { values: ['base', 'tds/types', 'tds/convert', 'engine/sql.ts'], types: ['engine', 'tds'] },
  values: { values: ['base', 'tds/types', 'tds/convert'] },
  syntax: { values: ['base', 'tds/types', 'tds/convert', 'values'], types: ['procedure/object-name.ts'] },
  tsql: {
    values: ['base', 'tds/types', 'tds/convert', 'values', 'syntax', 'procedure', 'engine/sql.ts'],
    types: ['engine', 'tds'],
  },
  workers: { values: ['base', 'tds/types', 'procedure', 'protocols', 'client'] },
  protocols: {
    values: ['base', 'tds/types', 'tds/convert', 'procedure', 'engine/sql.ts', 'engine/migrations.ts'],
    types: ['engine'],
  },
  system: { values: ['base', 'tds/types', 'tds/convert', 'values', 'syntax', 'procedure', 'tsql'], types: ['engine'] },
  upkeep: { values: ['base'], types: ['engine', 'procedure'] },
  session: { values: ['base', 'tds', 'values', 'tsql', 'procedure', 'engine', 'accounts', 'sspi'] },
  net: { values: ['base', 'tds', 'session'] },
  backup: { values: ['base', 'engine'] },
  operations: { values: ['base'], types: ['engine', 'procedure'] },
  client: { values: ['base', 'tds', 'procedure', 'sspi'] },
  console: {
    values: ['base', 'tds/types', 'tds/convert', 'accounts', 'procedure', 'protocols', 'client', 'workers'],
    types: ['engine', 'tds'],
  },
};

/** The composition root and the commands: the only files that know everything. */
export const knowsEverything = /^(cli\/|[a-z-]+\.ts$)/;
