import { sqlError } from '../../base/messages/sql-error.ts';
import type { Row } from '../../base/stored.ts';
import { compare, fold } from '../../base/text/collation.ts';
import { orNull, systemProcedure } from '../../procedure/declare.ts';
import { systemSection } from '../../procedure/describe.ts';
import { parseObjectName } from '../../procedure/object-name.ts';
import { optional, required } from '../../procedure/param.ts';
import type { SystemCall } from '../../procedure/system-call.ts';
import { char, datetime, int, nvarchar, smallint, varchar } from '../../tds/types/index.ts';
import type { AnyType } from '../../tds/types/sql-type.ts';
import { type CatalogProcedure, type CatalogRelation, catalogOf, created } from '../catalog.ts';
import { listedTypes } from '../datatype-info.ts';
import { declaredLength } from '../measures.ts';
import { collation, sysname } from '../names.ts';
import { objectNamed } from '../object-named.ts';
import { padded } from '../padded.ts';
import { typeFacts } from '../type-facts.ts';

const typeNames = { procedure: 'stored procedure', table: 'user table', view: 'view' };

const object = { Name: sysname, Owner: orNull(sysname), Type: nvarchar(31), Created_datetime: datetime };
const list = { Name: sysname, Owner: orNull(sysname), Object_type: nvarchar(31) };
const parameters = {
  Parameter_name: sysname,
  Type: sysname,
  Length: int,
  Prec: orNull(int),
  Scale: orNull(int),
  Param_order: int,
  Collation: orNull(sysname),
};
const columns = {
  Column_name: sysname,
  Type: sysname,
  Computed: varchar(35),
  Length: int,
  Prec: char(5),
  Scale: char(5),
  Nullable: varchar(35),
  TrimTrailingBlanks: varchar(35),
  FixedLenNullInSource: varchar(35),
  Collation: orNull(sysname),
};
const identity = { Identity: sysname, Seed: orNull(int), Increment: orNull(int), 'Not For Replication': orNull(int) };
const rowGuid = { RowGuidCol: sysname };
const facts = {
  Storage_type: sysname,
  Length: smallint,
  Prec: orNull(int),
  Scale: orNull(int),
  Nullable: varchar(35),
  Default_name: sysname,
  Rule_name: sysname,
  Collation: orNull(sysname),
};
const userTypes = { User_type: sysname, ...facts };
const type = { Type_name: sysname, ...facts };

const isNumber = (type: AnyType) => ['integer', 'decimal', 'money'].includes(typeFacts[type.name].family);
const isText = (type: AnyType) => typeFacts[type.name].family === 'text';
const precision = (type: AnyType): number | null =>
  isText(type) || typeFacts[type.name].family === 'bytes' ? (declaredLength(type) ?? -1) : type.precision || null;
const scale = (type: AnyType): number | null => (isNumber(type) ? type.scale : null);

const parameterRows = ({ params }: CatalogProcedure): Row<typeof parameters>[] =>
  params.map(({ name, type, ordinal }) => ({
    Parameter_name: name,
    Type: type.name,
    Length: type.maxLength,
    Prec: precision(type),
    Scale: scale(type),
    Param_order: ordinal,
    Collation: isText(type) ? collation : null,
  }));

const columnRows = ({ columns: listed }: CatalogRelation): Row<typeof columns>[] =>
  listed.map(({ name, type, nullable, isComputed }) => ({
    Column_name: name,
    Type: type.name,
    Computed: isComputed ? 'yes' : 'no',
    Length: type.maxLength,
    Prec: isNumber(type) ? String(type.precision) : '',
    Scale: isNumber(type) ? String(type.scale) : '',
    Nullable: nullable ? 'yes' : 'no',
    TrimTrailingBlanks: isText(type) ? 'no' : '(n/a)',
    FixedLenNullInSource: isText(type) ? 'no' : '(n/a)',
    Collation: isText(type) ? collation : null,
  }));

function identityRow({ columns: listed }: CatalogRelation): Row<typeof identity> {
  const column = listed.find((each) => each.identity !== undefined);
  if (column?.identity === undefined)
    return { Identity: 'No identity column defined.', Seed: null, Increment: null, 'Not For Replication': null };
  const { seed, increment } = column.identity;
  return { Identity: column.name, Seed: Number(seed), Increment: Number(increment), 'Not For Replication': 0 };
}

/** A data type by its name, `sysname` among them. */
function typeRow(name: string): Row<typeof type> | undefined {
  const parsed = parseObjectName(name);
  const listed = listedTypes.find((each) => parsed !== undefined && fold(each.name) === fold(parsed.name));
  if (listed === undefined || (parsed?.schema && fold(parsed.schema) !== 'sys')) return undefined;
  return {
    Type_name: listed.name,
    Storage_type: listed.type.name,
    Length: listed.type.maxLength,
    Prec: precision(listed.type),
    Scale: scale(listed.type),
    Nullable: listed.nullable ? 'yes' : 'no',
    Default_name: 'none',
    Rule_name: 'none',
    Collation: isText(listed.type) ? collation : null,
  };
}

function everything(call: SystemCall): Row<typeof list>[] {
  const { procedures, relations } = catalogOf(call);
  const listed = [
    ...procedures.filter(({ system }) => !system).map((of) => ({ ...of, type: 'procedure' as const })),
    ...relations.filter(({ system }) => !system),
  ];
  return listed
    .map(({ name, schema, type }) => ({ Name: name, Owner: schema, Object_type: typeNames[type] }))
    .sort((a, b) => compare(a.Object_type, b.Object_type) || compare(a.Name, b.Name));
}

/** sp_help: everything there is, one object with its parameters or columns, or a data type. */
export const spHelp = systemProcedure({
  name: 'sp_help',
  section: systemSection,
  summary: 'Describes the objects of the database, one object, or a data type.',
  access: 'none',
  noCount: true,
  params: { objname: optional(nvarchar(776), null, 'The object; without it, all.') },
  outcomes: {
    all: { code: 0, meaning: 'All objects, and the user-defined types.', sets: { objects: list, userTypes } },
    ofProcedure: { code: 0, meaning: 'A procedure and its parameters.', sets: { object, parameters } },
    ofRelation: { code: 0, meaning: 'A table or view and its columns.', sets: { object, columns, identity, rowGuid } },
    ofType: { code: 0, meaning: 'A data type.', sets: { type } },
  },
  async handle(call, { objname }) {
    if (objname === null) return { outcome: 'all', sets: { objects: everything(call), userTypes: [] } };
    const of = objectNamed(call, objname);
    if (of === undefined) {
      const type = typeRow(objname);
      if (type === undefined) throw sqlError(15009, objname, call.database);
      return { outcome: 'ofType', sets: { type: [type] } };
    }
    const kind = 'params' in of ? 'procedure' : of.type;
    const object = [{ Name: of.name, Owner: of.schema, Type: typeNames[kind], Created_datetime: await created(call) }];
    if ('params' in of) return { outcome: 'ofProcedure', sets: { object, parameters: parameterRows(of) } };
    return {
      outcome: 'ofRelation',
      sets: {
        object,
        columns: padded(columns, columnRows(of)),
        identity: [identityRow(of)],
        rowGuid: [{ RowGuidCol: 'No rowguidcol column defined.' }],
      },
    };
  },
});

/** sp_helptext: a view that a client made, and the head of a procedure, as T-SQL would write it. */
export const spHelptext = systemProcedure({
  name: 'sp_helptext',
  section: systemSection,
  summary: 'Shows a procedure or view as T-SQL would declare it.',
  access: 'none',
  noCount: true,
  params: {
    objname: required(nvarchar(776), 'The procedure or view.'),
    columnname: optional(sysname, null, 'A computed column, of which there are none.'),
  },
  outcomes: { shown: { code: 0, meaning: 'Always.', sets: { lines: { Text: nvarchar(255) } } } },
  handle(call, { objname }) {
    const found = objectNamed(call, objname);
    if (found === undefined) throw sqlError(15009, objname, call.database);
    const text = 'params' in found ? found.definition() : found.module?.definition;
    if (typeof text !== 'string') throw sqlError(15197, objname);
    const lines = text.trimEnd().split(/\r?\n/);
    return { outcome: 'shown', sets: { lines: lines.flatMap(pieces).map((Text) => ({ Text })) } };
  },
});

/** A line with its end, in rows of at most 255 characters. */
const pieces = (line: string): string[] => `${line}\r\n`.match(/[\s\S]{1,255}/g) ?? [];
