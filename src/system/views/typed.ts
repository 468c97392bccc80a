import type { Row } from '../../base/stored.ts';
import { type Columns, orNull } from '../../procedure/declare.ts';
import { bit, int, smallint, tinyint } from '../../tds/types/index.ts';
import type { AnyType } from '../../tds/types/sql-type.ts';
import { collation, sysname } from '../names.ts';
import { typeFacts } from '../type-facts.ts';

/** What sys.columns and sys.parameters say of a type. */
export const typeColumns = {
  system_type_id: tinyint,
  user_type_id: int,
  max_length: smallint,
  precision: tinyint,
  scale: tinyint,
} satisfies Columns;

/** What those columns say of a type. */
export function typeRow(type: AnyType): Row<typeof typeColumns> {
  const { id } = typeFacts[type.name];
  return {
    system_type_id: id,
    user_type_id: id,
    max_length: type.maxLength,
    precision: type.precision,
    scale: type.scale,
  };
}

/** The collation of a type that has one. */
export const collationColumn = { collation_name: orNull(sysname) } satisfies Columns;

/** The collation of a type; NULL for one that is no text. */
export const collationOf = (type: AnyType): string | null =>
  typeFacts[type.name].family === 'text' ? (type.collation?.name ?? collation) : null;

/** What SQL Server says of XML columns. */
export const xmlColumns = { is_xml_document: bit, xml_collection_id: int } satisfies Columns;
/** No XML has a schema collection here. */
export const untypedXml = { is_xml_document: false, xml_collection_id: 0 };
