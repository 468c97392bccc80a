import type { Schema } from './engine.ts';

/** The kind of the system database, whose schema holds the logins and settings. */
export const systemKind = 'system';

/**
 * The engines' own tables in the system database: the list of databases. A dropped database keeps its row, so that its
 * place (a file, a schema), which another process may still have open, is never reused.
 */
export const ownSchema: Schema = {
  kind: 'engine',
  migrations: [
    {
      area: 'engine',
      number: 1,
      name: 'databases',
      text: `
        create table granary_databases (
          id bigint not null primary key,
          name text not null,
          folded text not null,
          kind text not null,
          place text not null unique,
          created bigint not null,
          ready bigint not null,
          dropped bigint
        );
        create unique index granary_databases_by_name on granary_databases (folded) where dropped is null;`,
    },
  ],
};
