import type { Client } from '../../client/client.ts';
import { orNull } from '../../procedure/declare.ts';
import { int, nvarchar } from '../../tds/types/index.ts';
import type { Asked } from '../answer.ts';
import { notFound } from '../refusal.ts';

const listed = { name: nvarchar(128), kind: orNull(nvarchar(128)), open: orNull(int) };

/** The databases of some kinds that the login may enter. */
export async function databasesOf<K extends string>(master: Client, kinds: readonly K[], signal: AbortSignal) {
  const rows = await master.select(
    listed,
    `select name, cast(databasepropertyex(name, 'GranaryKind') as nvarchar(128)) as kind, has_dbaccess(name) as [open]
     from sys.databases order by name`,
    {},
    { signal, idempotent: true },
  );
  return rows.flatMap(({ name, kind, open }) => {
    const known = kinds.find((each) => each === kind);
    return known === undefined || open !== 1 ? [] : [{ name, kind: known }];
  });
}

/** The same, each with whether the login may act there, whatever it may elsewhere. */
export async function actedOn<K extends string>(asked: Asked, kinds: readonly K[]) {
  const { client, server, through, signal } = asked;
  const open = await databasesOf(client('master'), kinds, signal);
  return Promise.all(
    open.map(async ({ name, kind }) => {
      const role = await server.accounts.roleOfAny(through, name);
      return { name, kind, mayAct: role === 'writer' || role === 'admin' };
    }),
  );
}

/** The kind of a database, once it is one of those. */
export async function kindOf<K extends string>(client: Client, kinds: readonly K[], signal: AbortSignal): Promise<K> {
  const text = "select cast(databasepropertyex(db_name(), 'GranaryKind') as nvarchar(128)) as kind";
  const [row] = await client.select({ kind: orNull(nvarchar(128)) }, text, {}, { signal, idempotent: true });
  const known = kinds.find((each) => each === row?.kind);
  if (known === undefined) throw notFound(`The database is of another kind than ${kinds.join(' or ')}.`);
  return known;
}
