import {
  bigint,
  binary,
  bit,
  char,
  date,
  datetime,
  datetime2,
  datetimeoffset,
  decimal,
  float,
  image,
  int,
  money,
  nchar,
  ntext,
  numeric,
  nvarchar,
  real,
  rowversion,
  smalldatetime,
  smallint,
  smallmoney,
  sqlVariant,
  text,
  time,
  tinyint,
  uniqueidentifier,
  varbinary,
  varchar,
  xml,
} from '../tds/types/index.ts';
import type { AnyType } from '../tds/types/sql-type.ts';
import { sysnameId } from '../tds/types/type-ids.ts';
import { typeFacts } from './type-facts.ts';

/** A type as sp_datatype_info offers it for new columns. */
export interface OfferedType {
  readonly name: string;
  /** The widest of its kind. */
  readonly type: AnyType;
  readonly prefix: string | null;
  readonly suffix: string | null;
  readonly createParams: string | null;
  readonly nullable: boolean;
  /** ODBC's SQL_SEARCHABLE numbers: 0 not, 1 only with LIKE, 2 all but LIKE, 3 all. */
  readonly searchable: number;
  readonly unsigned: boolean | null;
  readonly autoIncrement: boolean | null;
  readonly scales: readonly [least: number, most: number] | null;
  readonly usertype?: number;
}

type Details = Partial<Omit<OfferedType, 'name' | 'type'>>;

const offer = (type: AnyType, details: Details = {}, name: string = type.name): OfferedType => ({
  name,
  type,
  prefix: null,
  suffix: null,
  createParams: null,
  nullable: true,
  searchable: 2,
  unsigned: null,
  autoIncrement: null,
  scales: null,
  ...details,
});

const quotes = { prefix: "'", suffix: "'" };
const unicodeQuotes = { prefix: "N'", suffix: "'" };
const bytes = { prefix: '0x' };
const number = { unsigned: false, autoIncrement: false, scales: [0, 0] } as const;

/** A number, and the same as an identity column. */
const numbers = (type: AnyType, details: Details = number, identity = `${type.name} identity`): OfferedType[] => [
  offer(type, details),
  offer(
    type,
    {
      ...details,
      scales: [0, 0],
      nullable: false,
      autoIncrement: true,
      ...(details.createParams ? { createParams: 'precision' } : {}),
    },
    identity,
  ),
];

const exact: Details = { ...number, createParams: 'precision,scale', scales: [0, 38] };

/** Every type of SQL Server that a column could have; of those with the same ODBC number, the best fit comes first. */
export const offeredTypes: readonly OfferedType[] = [
  offer(xml, { ...unicodeQuotes, searchable: 0 }),
  offer(sqlVariant, { scales: [0, 0] }),
  offer(uniqueidentifier, quotes),
  offer(ntext, { ...unicodeQuotes, searchable: 1 }),
  offer(nvarchar(4000), { ...unicodeQuotes, createParams: 'max length', searchable: 3 }),
  offer(nvarchar(128), { ...unicodeQuotes, nullable: false, searchable: 3, usertype: 18 }, 'sysname'),
  offer(nchar(4000), { ...unicodeQuotes, createParams: 'length', searchable: 3 }),
  offer(bit, { scales: [0, 0] }),
  ...numbers(tinyint, { ...number, unsigned: true }),
  ...numbers(bigint),
  offer(image, { ...bytes, searchable: 0 }),
  offer(varbinary(8000), { ...bytes, createParams: 'max length' }),
  offer(binary(8000), { ...bytes, createParams: 'length' }),
  offer(rowversion, { ...bytes, nullable: false }),
  offer(text, { ...quotes, searchable: 1 }),
  offer(char(8000), { ...quotes, createParams: 'length', searchable: 3 }),
  ...numbers(numeric(38, 0), exact, 'numeric() identity'),
  ...numbers(decimal(38, 0), exact, 'decimal() identity'),
  offer(money, { ...number, prefix: '$', scales: [4, 4] }),
  offer(smallmoney, { ...number, prefix: '$', scales: [4, 4] }),
  ...numbers(int),
  ...numbers(smallint),
  offer(float, { unsigned: false, autoIncrement: false }),
  offer(real, { unsigned: false, autoIncrement: false }),
  offer(varchar(8000), { ...quotes, createParams: 'max length', searchable: 3 }),
  offer(datetime, { ...quotes, searchable: 3, scales: [3, 3] }),
  offer(smalldatetime, { ...quotes, searchable: 3, scales: [0, 0] }),
  offer(datetimeoffset(7), { ...quotes, createParams: 'scale', searchable: 3, scales: [0, 7] }),
  offer(time(7), { ...quotes, createParams: 'scale', searchable: 3, scales: [0, 7] }),
  offer(date, { ...quotes, searchable: 3 }),
  offer(datetime2(7), { ...quotes, createParams: 'scale', searchable: 3, scales: [0, 7] }),
];

/** The types that have a row of their own: those of a column, not its being an identity. */
export const listedTypes: readonly OfferedType[] = offeredTypes.filter(({ autoIncrement }) => autoIncrement !== true);

/** sys.types.user_type_id of a listed type. */
export const userTypeOf = ({ name, type }: OfferedType): number =>
  name === 'sysname' ? sysnameId : typeFacts[type.name].id;
