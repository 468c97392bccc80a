import type { Row } from '../../../base/stored.ts';
import { fold } from '../../../base/text/collation.ts';
import { sql } from '../../../engine/sql.ts';
import type { Call } from '../../../procedure/call.ts';
import { type HandlerInput, orNull, procedure } from '../../../procedure/declare.ts';
import { nullable, output } from '../../../procedure/param.ts';
import { bit, int, ntext, nvarchar, rowversion, uniqueidentifier } from '../../../tds/types/index.ts';
import { emptyGuid, RequestGuid } from '../common.ts';
import { takeVersions } from '../row-version.ts';
import { keepVersion } from './earlier-versions.ts';

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
/** What the checks ask of the database, in one round trip. */
const facts = {
  /** The version of the object; NULL if it is not stored. */
  Stored: orNull(rowversion),
  StoredParent: orNull(uniqueidentifier),
  Classes: int,
  Parents: int,
  /** Another object of the same class, parent and name. */
  Namesake: orNull(uniqueidentifier),
};
const found = { Id: uniqueidentifier };

type Input = HandlerInput<typeof params>;
type Facts = Row<typeof facts>;

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
  async handle(call, input) {
    const known = await look(call, input);
    return input.Version === null ? create(call, input, known) : update(call, input, known);
  },
});

async function look({ db }: Call, input: Input): Promise<Facts> {
  const { Id, ParentId, ClassId, Name } = input;
  const row = await db.first(
    facts,
    sql`
      select
        (select version from objects where id = ${Id}) as "Stored",
        (select parent_id from objects where id = ${Id}) as "StoredParent",
        (select count(*) from classes where id = ${ClassId}) as "Classes",
        (select count(*) from objects where id = ${ParentId}) as "Parents",
        (select id from objects where parent_key = ${parentKey(input)} and class_id = ${ClassId}
          and name_key = ${Name === null ? null : fold(Name)} and id is distinct from ${Id}) as "Namesake"`,
  );
  if (row === undefined) throw new Error('a select without a table yielded no row');
  return row;
}

async function create(call: Call, input: Input, { Stored, Classes, Parents, Namesake }: Facts) {
  const { Id, ParentId, ClassId, Name, Status, Properties } = input;
  const output = Namesake === null ? {} : { ExistingObject: Namesake };
  if (Stored !== null) return { outcome: 'idTaken', output } as const;
  if (Classes === 0) return { outcome: 'classNotFound' } as const;
  if (Namesake !== null) return { outcome: 'nameTaken', output } as const;
  const named = Id !== null && Id !== emptyGuid && Name !== null;
  if (!named || Properties === null || (Parents === 0 && !isRoot(input))) return { outcome: 'notCreated' } as const;

  const version = await takeVersions(call);
  await call.db.run(sql`delete from tombstones where id = ${Id}`);
  await call.db.run(sql`
    insert into objects (id, parent_id, parent_key, class_id, name, name_key, status, version, properties)
    values (${Id}, ${ParentId}, ${parentKey(input)}, ${ClassId}, ${Name}, ${fold(Name)}, ${Status}, ${version},
      ${Properties})`);
  return { outcome: 'stored', output: { NewVersion: version } } as const;
}

async function update(call: Call, input: Input, { Stored, StoredParent, Classes, Parents, Namesake }: Facts) {
  const { Id, ParentId, ClassId, Name, Status, Properties } = input;
  if (Id === null || Stored === null) return { outcome: 'notFound' } as const;
  if (Classes === 0) return { outcome: 'classNotFound' } as const;
  if (Stored !== input.Version) return { outcome: 'versionDiffers' } as const;
  if (Name === null || Properties === null || Namesake !== null) return { outcome: 'notUpdated' } as const;
  if (!isRoot(input)) {
    if (Parents === 0) return { outcome: 'notUpdated' } as const;
    if (ParentId !== StoredParent && (await isBelow(call, input))) return { outcome: 'notUpdated' } as const;
  }

  const version = await takeVersions(call);
  await keepVersion(call.db, call.now, Id);
  await call.db.run(sql`
    update objects set parent_id = ${ParentId}, parent_key = ${parentKey(input)}, class_id = ${ClassId},
      name = ${Name}, name_key = ${fold(Name)}, status = ${Status}, version = ${version}, properties = ${Properties}
    where id = ${Id}`);
  return { outcome: 'stored', output: { NewVersion: version } } as const;
}

const parentKey = ({ ParentId }: Input): string => ParentId ?? emptyGuid;

const isRoot = ({ Id, ParentId }: Input): boolean => ParentId === null || ParentId === emptyGuid || ParentId === Id;

/** True if the parent is a descendant of the object, searched from the parent upwards. */
async function isBelow({ db }: Call, { Id, ParentId }: Input): Promise<boolean> {
  const row = await db.first(
    found,
    sql`
      with recursive line (id, parent_key) as (
        select id, parent_key from objects where id = ${ParentId}
        union
        select o.id, o.parent_key from objects o join line l on o.id = l.parent_key
      )
      select id as "Id" from line where id = ${Id}`,
  );
  return row !== undefined;
}
