import { type Columns, orNull } from '../../procedure/declare.ts';
import { bit, int, smallint, tinyint } from '../../tds/types/index.ts';
import { sysnameId } from '../../tds/types/type-ids.ts';
import { type OfferedType, offeredTypes } from '../datatype-info.ts';
import { schemaIds, sysname } from '../names.ts';
import { typeFacts } from '../type-facts.ts';
import { collationColumn, collationOf } from './typed.ts';
import { view } from './view.ts';

/** The types that have a row of their own: those of a column, not its being an identity. */
export const listedTypes: readonly OfferedType[] = offeredTypes.filter(({ autoIncrement }) => autoIncrement !== true);

/** sys.types.user_type_id of a listed type. */
export const userTypeOf = ({ name, type }: OfferedType): number =>
  name === 'sysname' ? sysnameId : typeFacts[type.name].id;

const columns = {
  name: sysname,
  system_type_id: tinyint,
  user_type_id: int,
  schema_id: int,
  principal_id: orNull(int),
  max_length: smallint,
  precision: tinyint,
  scale: tinyint,
  ...collationColumn,
  is_nullable: orNull(bit),
  is_user_defined: bit,
  is_assembly_type: bit,
  default_object_id: int,
  rule_object_id: int,
  is_table_type: bit,
} satisfies Columns;

/** The data types. */
export const sysTypes = view('sys', 'types', columns, () =>
  listedTypes.map((listed) => ({
    name: listed.name,
    system_type_id: typeFacts[listed.type.name].id,
    user_type_id: userTypeOf(listed),
    schema_id: schemaIds['sys'] ?? 4,
    principal_id: null,
    max_length: listed.type.maxLength,
    precision: listed.type.precision,
    scale: listed.scales?.[1] ?? listed.type.scale,
    collation_name: collationOf(listed.type),
    is_nullable: listed.nullable,
    is_user_defined: false,
    is_assembly_type: false,
    default_object_id: 0,
    rule_object_id: 0,
    is_table_type: false,
  })),
);
