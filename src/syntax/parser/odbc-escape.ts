import { byName } from '../../base/by-name.ts';
import { convert } from '../../tds/convert/convert.ts';
import * as t from '../../tds/types/index.ts';
import type { AnyType } from '../../tds/types/sql-type.ts';
import type { Expression, FunctionCall } from '../ast/expression.ts';
import { literalOf } from './literal.ts';
import type { TokenStream } from './token-stream.ts';

type Call = (cursor: TokenStream, name: string) => FunctionCall;

/** ODBC's `{ts '…'}`, `{d '…'}`, `{t '…'}`, `{guid '…'}` and `{fn …}`, which drivers leave to the server. */
export function odbcEscape(cursor: TokenStream, functionCall: Call): Expression {
  cursor.expect('{');
  if (cursor.accept('FN')) {
    const inner = cursor.deeper(() => odbcFunction(cursor, functionCall));
    cursor.expect('}');
    return inner;
  }
  const kind = cursor.peek().upper;
  if (!['TS', 'D', 'T', 'GUID'].includes(kind) || !cursor.peek(1).kind.endsWith('string')) throw cursor.unexpected();
  cursor.next();
  const { text } = cursor.next();
  cursor.expect('}');
  if (kind === 'GUID') return literalOf(t.varchar(38), text);
  return literalOf(t.datetime, convert(text, t.varchar(8000), t.datetime, { implicit: false }));
}

/** ODBC's names of functions that T-SQL has by others. */
const odbcNames: Readonly<Record<string, string>> = byName({
  ATAN2: 'ATN2',
  CHARACTER_LENGTH: 'LEN',
  CHAR_LENGTH: 'LEN',
  DATABASE: 'DB_NAME',
  DAYOFMONTH: 'DAY',
  IFNULL: 'ISNULL',
  INSERT: 'STUFF',
  LCASE: 'LOWER',
  LENGTH: 'LEN',
  LOCATE: 'CHARINDEX',
  NOW: 'GETDATE',
  OCTET_LENGTH: 'DATALENGTH',
  REPEAT: 'REPLICATE',
  UCASE: 'UPPER',
  USER: 'USER_NAME',
});

/** A call of a function by its name. */
export const call = (name: string, ...args: readonly Expression[]): FunctionCall => ({
  kind: 'call',
  name,
  args,
  distinct: false,
  star: false,
});
const word = (name: string): Expression => ({ kind: 'column', parts: [name] });
const number = (value: number): Expression => literalOf(t.int, value);
const cast = (operand: Expression, type: AnyType): Expression => ({ kind: 'cast', operand, type, attempt: false });
const part = (name: string, unit: string) => (of: Expression) => call(name, word(unit), of);
const now = call('GETDATE');
const day = cast(cast(now, t.date), t.varchar(10));
const time = cast(cast(now, t.time(3)), t.varchar(12));

/** Functions of ODBC that are more than a name in T-SQL; each gets as many arguments as it has. */
const written: Readonly<Record<string, (...args: Expression[]) => Expression>> = byName({
  BIT_LENGTH: (text: Expression) => ({
    kind: 'binary',
    operator: '*',
    left: call('DATALENGTH', text),
    right: number(8),
  }),
  CURDATE: () => day,
  CURRENT_DATE: () => day,
  CURRENT_TIME: () => time,
  CURTIME: () => time,
  DAYNAME: part('DATENAME', 'weekday'),
  DAYOFWEEK: part('DATEPART', 'weekday'),
  DAYOFYEAR: part('DATEPART', 'dayofyear'),
  HOUR: part('DATEPART', 'hour'),
  MINUTE: part('DATEPART', 'minute'),
  MOD: (left: Expression, right: Expression) => ({ kind: 'binary', operator: '%', left, right }),
  MONTHNAME: part('DATENAME', 'month'),
  QUARTER: part('DATEPART', 'quarter'),
  SECOND: part('DATEPART', 'second'),
  TRUNCATE: (of: Expression, digits: Expression) => call('ROUND', of, digits, number(1)),
  WEEK: part('DATEPART', 'week'),
});

/** What ODBC calls the types that CONVERT takes. */
const odbcTypes: Readonly<Record<string, AnyType>> = byName({
  SQL_BIGINT: t.bigint,
  SQL_BINARY: t.binary(30),
  SQL_BIT: t.bit,
  SQL_CHAR: t.char(30),
  SQL_DATE: t.date,
  SQL_DECIMAL: t.decimal(18, 0),
  SQL_DOUBLE: t.float,
  SQL_FLOAT: t.float,
  SQL_GUID: t.uniqueidentifier,
  SQL_INTEGER: t.int,
  SQL_LONGVARBINARY: t.varbinary('max'),
  SQL_LONGVARCHAR: t.varchar('max'),
  SQL_NUMERIC: t.numeric(18, 0),
  SQL_REAL: t.real,
  SQL_SMALLINT: t.smallint,
  SQL_TIME: t.time(7),
  SQL_TIMESTAMP: t.datetime,
  SQL_TINYINT: t.tinyint,
  SQL_VARBINARY: t.varbinary(30),
  SQL_VARCHAR: t.varchar(30),
  SQL_WCHAR: t.nchar(30),
  SQL_WLONGVARCHAR: t.nvarchar('max'),
  SQL_WVARCHAR: t.nvarchar(30),
});

/** What ODBC calls the parts of a date. */
const intervals = /^SQL_TSI_(DAY|HOUR|MINUTE|MONTH|QUARTER|SECOND|WEEK|YEAR)$/;

/** Those that have a form of their own: a type, an interval, FROM or IN between their arguments. */
const forms: Readonly<Record<string, (cursor: TokenStream) => Expression>> = byName({
  CONVERT(cursor) {
    const operand = cursor.expression();
    cursor.expect(',');
    const type = odbcTypes[cursor.peek().upper];
    if (type === undefined) throw cursor.unexpected();
    cursor.next();
    return cast(operand, type);
  },
  EXTRACT(cursor) {
    const part = cursor.next().text;
    cursor.expect('FROM');
    return call('DATEPART', word(part), cursor.expression());
  },
  POSITION(cursor) {
    const wanted = cursor.expression();
    cursor.expect('IN');
    return call('CHARINDEX', wanted, cursor.expression());
  },
  TIMESTAMPADD: (cursor) => between(cursor, 'DATEADD'),
  TIMESTAMPDIFF: (cursor) => between(cursor, 'DATEDIFF'),
});

function between(cursor: TokenStream, name: string): Expression {
  const interval = intervals.exec(cursor.peek().upper)?.[1]?.toLowerCase();
  if (interval === undefined) throw cursor.unexpected();
  cursor.next();
  cursor.expect(',');
  const first = cursor.expression();
  cursor.expect(',');
  return call(name, word(interval), first, cursor.expression());
}

function odbcFunction(cursor: TokenStream, functionCall: Call): Expression {
  const { upper } = cursor.peek();
  if (cursor.peek(1).upper !== '(') return cursor.expression();
  const name = odbcNames[upper];
  if (name !== undefined) {
    cursor.next();
    return functionCall(cursor, name);
  }
  const form = forms[upper];
  const make = written[upper];
  if (form === undefined && make === undefined) return cursor.expression();
  cursor.next();
  cursor.expect('(');
  const made = form?.(cursor) ?? make?.(...argumentsOf(cursor, make.length)) ?? now;
  cursor.expect(')');
  return made;
}

function argumentsOf(cursor: TokenStream, count: number): Expression[] {
  return Array.from({ length: count }, (_, at) => {
    if (at > 0) cursor.expect(',');
    return cursor.expression();
  });
}
