import { compare } from '../../base/text/collation.ts';
import { orNull, systemProcedure } from '../../procedure/declare.ts';
import { systemSection } from '../../procedure/describe.ts';
import { int, varchar } from '../../tds/types/index.ts';
import { sysname } from '../names.ts';

/** sp_databases: the databases of the server. */
export const spDatabases = systemProcedure({
  name: 'sp_databases',
  section: systemSection,
  summary: 'Lists the databases.',
  access: 'none',
  params: {},
  outcomes: {
    listed: {
      code: 0,
      meaning: 'Always.',
      // In SQL Server too, NULL means an unknown size.
      sets: { databases: { DATABASE_NAME: sysname, DATABASE_SIZE: orNull(int), REMARKS: orNull(varchar(254)) } },
    },
  },
  async handle({ server }) {
    const names = (await server.databases()).map(({ name }) => name).sort(compare);
    return {
      outcome: 'listed',
      sets: { databases: names.map((name) => ({ DATABASE_NAME: name, DATABASE_SIZE: null, REMARKS: null })) },
    };
  },
});
