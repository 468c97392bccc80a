import type { Row } from '../../../base/stored.ts';
import type { Client } from '../../../client/client.ts';
import { typed } from '../../../client/query.ts';
import { orNull } from '../../../procedure/declare.ts';
import { bigint, datetime, int, ntext, nvarchar, rowversion, uniqueidentifier } from '../../../tds/types/index.ts';
import type { Named, ObjectNode } from '../../api/configuration.ts';
import { notFound } from '../../refusal.ts';

/** A version starts with the milliseconds of its time (see takeVersions of the configuration protocol). */
const versionsAMillisecond = 1024n;

/** The time at which a version was stored, from its number. */
const momentOf = (version: bigint): string => new Date(Number(version / versionsAMillisecond)).toISOString();

const noGuid = '00000000-0000-0000-0000-000000000000';
/** So many objects are listed at a time. */
export const objectPage = 200;
/** No tree is deeper; a circle ends here. */
const deepest = 50;

const columns = {
  Id: uniqueidentifier,
  Name: nvarchar(128),
  Class: orNull(nvarchar(256)),
  ClassId: uniqueidentifier,
  Status: orNull(int),
  Version: rowversion,
};
type ObjectRow = Row<typeof columns>;

const selected = `o.Id, o.Name, c.FullName as Class, o.ClassId, o.Status, o.Version
  from ObjectTree o left join Classes c on c.Id = o.ClassId`;

const guid = (value: string) => typed(uniqueidentifier, value);

/** The requested objects; without parent and text, the roots. */
interface Wanted {
  readonly parent?: string | undefined;
  readonly search?: string | undefined;
  readonly after?: { readonly name: string; readonly id: string } | undefined;
}

/** Objects by name, one more than a page has. */
export function objectsLike(
  client: Client,
  { parent, search, after }: Wanted,
  signal: AbortSignal,
): Promise<ObjectRow[]> {
  const given: Record<string, unknown> = { limit: objectPage + 1 };
  const conditions: string[] = [];
  if (search !== undefined) {
    conditions.push("o.Name like @like escape '!'");
    given['like'] = `%${search.replace(/[!%_[\]]/g, '!$&')}%`;
  } else if (parent === undefined) {
    conditions.push('(o.ParentKey = @none or o.ParentKey = o.Id)');
    given['none'] = guid(noGuid);
  } else {
    conditions.push('o.ParentKey = @parent and o.Id <> @parent');
    given['parent'] = guid(parent);
  }
  if (after !== undefined) {
    conditions.push('(o.Name > @name or o.Name = @name and o.Id > @id)');
    given['name'] = after.name;
    given['id'] = guid(after.id);
  }
  return client.select(
    columns,
    `select top (@limit) ${selected} where ${conditions.join(' and ')} order by o.Name, o.Id`,
    given,
    { signal, idempotent: true },
  );
}

/** The objects in the form of the interface, with whether there is anything below each. */
export async function toldObjects(
  client: Client,
  rows: readonly ObjectRow[],
  signal: AbortSignal,
): Promise<ObjectNode[]> {
  const parents = new Set<string>();
  if (rows.length > 0) {
    const names = rows.map((_, at) => `@p${at}`);
    const given = Object.fromEntries(rows.map(({ Id }, at) => [`p${at}`, guid(Id)]));
    const found = await client.select(
      { ParentKey: uniqueidentifier },
      `select distinct ParentKey from ObjectTree where ParentKey in (${names.join(', ')}) and ParentKey <> Id`,
      given,
      { signal, idempotent: true },
    );
    for (const { ParentKey } of found) parents.add(ParentKey);
  }
  return rows.map(({ Id, Name, Class, ClassId, Status, Version }) => ({
    id: Id,
    name: Name,
    class: Class ?? ClassId,
    status: Status,
    version: String(Version),
    stored: momentOf(Version),
    hasChildren: parents.has(Id),
  }));
}

const whole = { ...columns, ParentId: orNull(uniqueidentifier), Properties: ntext };
const earlier = { Version: rowversion, ReplacedTime: datetime };
const linked = { Id: uniqueidentifier, Name: orNull(nvarchar(128)) };

/** Everything that is known of one object. */
export async function objectOf(client: Client, id: string, signal: AbortSignal) {
  const reading = { signal, idempotent: true };
  const given = { id: guid(id) };
  const [row] = await client.select(
    whole,
    `select o.Id, o.Name, c.FullName as Class, o.ClassId, o.Status, o.Version, o.ParentId, o.Properties
     from Objects o left join Classes c on c.Id = o.ClassId where o.Id = @id`,
    given,
    reading,
  );
  if (row === undefined) throw notFound(`There is no object ${id}: it may have been removed.`);
  const [object] = await toldObjects(client, [row], signal);
  if (object === undefined) throw notFound(`There is no object ${id}.`);
  const versions = await client.select(
    earlier,
    'select Version, ReplacedTime from ObjectVersions where Id = @id order by Version desc',
    given,
    reading,
  );
  const linkedBy = (near: string, far: string) =>
    client.select(
      linked,
      `select d.${far} as Id, o.Name from Dependencies d left join Objects o on o.Id = d.${far} where d.${near} = @id order by o.Name`,
      given,
      reading,
    );
  const [file] = await client.select(
    { Length: bigint },
    'select Length from Files where ObjectId = @id',
    given,
    reading,
  );
  return {
    object,
    classId: row.ClassId,
    path: await pathTo(client, row.ParentId, id, signal),
    properties: row.Properties,
    versions: versions.map(({ Version, ReplacedTime }) => ({
      version: String(Version),
      stored: momentOf(Version),
      replaced: ReplacedTime.toISOString(),
    })),
    dependsOn: (await linkedBy('ObjectId', 'DependantId')).map(toldLink),
    neededBy: (await linkedBy('DependantId', 'ObjectId')).map(toldLink),
    fileLength: file === undefined ? null : Number(file.Length),
  };
}

const toldLink = ({ Id, Name }: Row<typeof linked>): Named => ({ id: Id, name: Name });

/** The objects above one, the root first. */
async function pathTo(client: Client, parent: string | null, self: string, signal: AbortSignal): Promise<Named[]> {
  const path: Named[] = [];
  let next = parent;
  while (next !== null && next !== noGuid && next !== self && path.length < deepest) {
    const [row] = await client.select(
      { Id: uniqueidentifier, Name: nvarchar(128), ParentId: orNull(uniqueidentifier) },
      'select Id, Name, ParentId from Objects where Id = @id',
      { id: guid(next) },
      { signal, idempotent: true },
    );
    if (row === undefined) break;
    path.unshift({ id: row.Id, name: row.Name });
    next = row.ParentId === row.Id ? null : row.ParentId;
  }
  return path;
}

/** The contents of an object in a stored version. */
export async function versionOf(client: Client, id: string, version: bigint, signal: AbortSignal) {
  const [row] = await client.select(
    { Properties: ntext },
    `select Properties from ObjectVersions where Id = @id and Version = @version`,
    { id: guid(id), version: typed(rowversion, version) },
    { signal, idempotent: true },
  );
  if (row === undefined) throw notFound('That version is not known any more: the last five of an object are kept.');
  return { version: String(version), properties: row.Properties };
}

const changed = { Id: uniqueidentifier, Name: nvarchar(128), Class: orNull(nvarchar(256)), Version: rowversion };
const removed = { Id: uniqueidentifier, Version: rowversion };

/** Objects by version, and what was removed, the last first; one more than a page has. */
export async function changesBefore(client: Client, before: bigint | undefined, signal: AbortSignal) {
  const reading = { signal, idempotent: true };
  const given = {
    limit: objectPage + 1,
    ...(before === undefined ? {} : { before: typed(rowversion, before) }),
  };
  const where = (column: string) => (before === undefined ? '' : `where ${column} < @before`);
  const stored = await client.select(
    changed,
    `select top (@limit) o.Id, o.Name, c.FullName as Class, o.Version
     from Objects o left join Classes c on c.Id = o.ClassId ${where('o.Version')} order by o.Version desc`,
    given,
    reading,
  );
  const gone = await client.select(
    removed,
    `select top (@limit) Id, Version from Tombstones ${where('Version')} order by Version desc`,
    given,
    reading,
  );
  const all = [
    ...stored.map(({ Id, Name, Class, Version }) => ({ Id, Version, removed: false, name: Name, class: Class })),
    ...gone.map(({ Id, Version }) => ({ Id, Version, removed: true, name: null, class: null })),
  ];
  return all
    .sort((one, other) => (one.Version < other.Version ? 1 : -1))
    .slice(0, objectPage + 1)
    .map(({ Id, Version, ...rest }) => ({ ...rest, id: Id, version: String(Version), stored: momentOf(Version) }));
}
