import { systemProcedure } from '../../procedure/declare.ts';
import { systemSection } from '../../procedure/describe.ts';
import { required } from '../../procedure/param.ts';
import { nvarchar } from '../../tds/types/index.ts';
import { sysname } from '../names.ts';

/** sp_create_database: Granary's CREATE DATABASE, because a database has a kind here and T-SQL has no word for it. */
export const spCreateDatabase = systemProcedure({
  name: 'sp_create_database',
  section: systemSection,
  summary: 'Makes an empty database of a kind.',
  access: 'none',
  reservedFor: 'serverAdmin',
  params: {
    // Wider than a name may be, or one that is too long would be cut, and the database not be found under it.
    name: required(nvarchar(256), 'The name of the database.'),
    kind: required(sysname, 'Its kind, which decides what procedures it answers.'),
  },
  outcomes: { done: { code: 0, meaning: 'The database is there.' } },
  async handle({ server }, { name, kind }) {
    await server.administration.createDatabase(name, kind);
    return { outcome: 'done' };
  },
});
