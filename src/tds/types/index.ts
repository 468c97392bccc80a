export { binary, image, varbinary } from './binary.ts';
export { bit } from './bit.ts';
export type { ByteStream } from './byte-stream.ts';
export { char, text, varchar } from './code-page-text.ts';
export { date } from './date.ts';
export { datetime, roundToDatetime, roundToSmalldatetime, smalldatetime } from './datetime.ts';
export { type Decimal, decimal, formatDecimal, numeric, parseDecimal, rescale } from './decimal.ts';
export { float, real } from './floats.ts';
export { datetime2, datetimeoffset, time } from './fractional.ts';
export { imageStream, streamOf } from './image-stream.ts';
export {
  dateOf,
  dayOf,
  formatDay,
  formatInstant,
  formatTicks,
  type Instant,
  instantOf,
  parseInstant,
  startOfDay,
} from './instant.ts';
export { bigint, int, smallint, tinyint } from './integers.ts';
export { money, smallmoney } from './money.ts';
export { rowversion } from './rowversion.ts';
export type { AnyType, SqlType, TypedValue, TypeName } from './sql-type.ts';
export { sqlVariant } from './sql-variant.ts';
export { readTypeInfo } from './type-info.ts';
export { nchar, ntext, nvarchar } from './unicode-text.ts';
export { uniqueidentifier } from './uniqueidentifier.ts';
export { withinSize } from './within-size.ts';
export { xml } from './xml.ts';
