import { fold } from '../../../base/collation.ts';
import { sql } from '../../../engine/sql.ts';
import type { Call } from '../../../procedure/call.ts';
import { type HandlerInput, procedure } from '../../../procedure/declare.ts';
import { nullable, output } from '../../../procedure/param.ts';
import { bit, int, ntext, nvarchar, rowversion, uniqueidentifier } from '../../../tds/types/index.ts';
import { emptyGuid, RequestGuid } from '../common.ts';
import { takeVersions } from '../row-version.ts';
import { classExists, objectExists } from './lookup.ts';

const params = {
  Id: nullable(uniqueidentifier, 'The object to store.'),
  ParentId: nullable(uniqueidentifier, 'Its parent; NULL, the empty GUID or @Id itself for a root.'),
  ClassId: nullable(uniqueidentifier, 'Its class, which must be registered.'),
  Name: nullable(nvarchar(128), 'Its name, unique among the objects of one class under one parent.'),
  Status: nullable(int, 'Its status.'),
  Version: nullable(rowversion, 'NULL to store a new object, or the version that the caller has of a stored one.'),
  Properties: nullable(ntext, 'Its properties.'),
  AutoResolveMissingTypes: nullable(bit, 'Ignored.'),
  ExistingObject: output(
    uniqueidentifier,
    'Set to another object of the same class, parent and name, if a new one is stored.',
  ),
  NewVersion: output(rowversion, 'Set to the new version of the object.'),
  RequestGuid,
};
const current = { Version: rowversion };
const found = { Id: uniqueidentifier };

type Input = HandlerInput<typeof params>;

export const putObject = procedure({
  name: 'proc_putObject',
  section: 'MS-WSSCFGD2 3.1.5.54',
  summary: 'Stores a new configuration object, or changes a stored one if the caller has its present version.',
  access: 'serial',
  params,
  outcomes: {
    stored: { code: 0, meaning: 'The object is stored.' },
    notFound: { code: 1, meaning: '@Version is not NULL but no object has the identifier @Id.' },
    classNotFound: { code: 2, meaning: '@ClassId is not registered.' },
    notCreated: { code: 3, meaning: 'The object cannot be created: parent, name, properties or identifier.' },
    versionDiffers: { code: 4, meaning: 'The stored object has another version than @Version.' },
    notUpdated: { code: 5, meaning: 'The object cannot be changed: parent, name or properties.' },
    versionNotSet: { code: 6, meaning: '@NewVersion could not be set; Granary rolls back with an error instead.' },
    nameTaken: { code: 8, meaning: 'An object of the same class, parent and name is stored already.' },
    idTaken: { code: 9, meaning: '@Version is NULL but an object has the identifier @Id.' },
  },
  handle: (call, input) => (input.Version === null ? create(call, input) : update(call, input, input.Version)),
});

async function create(call: Call, input: Input) {
  const { db } = call;
  const namesake = await findNamesake(call, input);
  const output = namesake === undefined ? {} : { ExistingObject: namesake };
  if (await objectExists(db, input.Id)) return { outcome: 'idTaken', output } as const;
  if (!(await classExists(db, input.ClassId))) return { outcome: 'classNotFound' } as const;
  if (namesake !== undefined) return { outcome: 'nameTaken', output } as const;

  const { Id, ParentId, ClassId, Name, Status, Properties } = input;
  if (Id === null || Id === emptyGuid || Name === null || Properties === null)
    return { outcome: 'notCreated' } as const;
  if (!isRoot(input) && !(await objectExists(db, ParentId))) return { outcome: 'notCreated' } as const;

  const version = await takeVersions(call);
  await db.run(sql`delete from tombstones where id = ${Id}`);
  await db.run(sql`
    insert into objects (id, parent_id, parent_key, class_id, name, name_key, status, version, properties)
    values (${Id}, ${ParentId}, ${parentKey(input)}, ${ClassId}, ${Name}, ${fold(Name)}, ${Status}, ${version}, ${Properties})`);
  return { outcome: 'stored', output: { NewVersion: version } } as const;
}

async function update(call: Call, input: Input, expected: bigint) {
  const { db } = call;
  const { Id, ParentId, ClassId, Name, Status, Properties } = input;
  const stored = await db.first(current, sql`select version as "Version" from objects where id = ${Id}`);
  if (stored === undefined) return { outcome: 'notFound' } as const;
  if (!(await classExists(db, ClassId))) return { outcome: 'classNotFound' } as const;
  if (expected !== stored.Version) return { outcome: 'versionDiffers' } as const;

  if (Name === null || Properties === null) return { outcome: 'notUpdated' } as const;
  if (!isRoot(input) && !(await mayBeParent(call, input))) return { outcome: 'notUpdated' } as const;
  if ((await findNamesake(call, input)) !== undefined) return { outcome: 'notUpdated' } as const;

  const version = await takeVersions(call);
  await db.run(sql`
    update objects set parent_id = ${ParentId}, parent_key = ${parentKey(input)}, class_id = ${ClassId},
      name = ${Name}, name_key = ${fold(Name)}, status = ${Status}, version = ${version}, properties = ${Properties}
    where id = ${Id}`);
  return { outcome: 'stored', output: { NewVersion: version } } as const;
}

const parentKey = ({ ParentId }: Input): string => ParentId ?? emptyGuid;

const isRoot = ({ Id, ParentId }: Input): boolean => ParentId === null || ParentId === emptyGuid || ParentId === Id;

/** Another object of the same class, parent and name. */
async function findNamesake({ db }: Call, input: Input): Promise<string | undefined> {
  if (input.Name === null) return undefined;
  const row = await db.first(
    found,
    sql`
      select id as "Id" from objects
      where parent_key = ${parentKey(input)} and class_id = ${input.ClassId} and name_key = ${fold(input.Name)}
        and id is distinct from ${input.Id}`,
  );
  return row?.Id;
}

/** True when the parent is stored and neither the object nor one of its descendants, seen from the parent upwards. */
async function mayBeParent({ db }: Call, { Id, ParentId }: Input): Promise<boolean> {
  const line = await db.all(
    found,
    sql`
      with recursive line (id, parent_key) as (
        select id, parent_key from objects where id = ${ParentId}
        union
        select o.id, o.parent_key from objects o join line l on o.id = l.parent_key
      )
      select id as "Id" from line`,
  );
  return line.length > 0 && line.every((ancestor) => ancestor.Id !== Id);
}
