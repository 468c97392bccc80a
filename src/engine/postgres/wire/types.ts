import type { CustomTypesConfig } from 'pg';
import pg from 'pg';
import type { StoredValue } from '../../../base/stored.ts';

/** OIDs of PostgreSQL's types (pg_type.oid) whose text is not the value itself. */
const oids = { bool: 16, bytea: 17, int8: 20, int2: 21, int4: 23, float4: 700, float8: 701, numeric: 1700 } as const;

type Parser = (text: string) => StoredValue;

const toNumber: Parser = (text) => Number(text);

/** The maximum number of digits of an integer that is exact as a number, which is faster to create. */
const exactLength = 15;

/** Sums of bigints are numeric; a value with a fraction cannot be a bigint. */
const toWide: Parser = (text) => (text.length <= exactLength || text.includes('.') ? Number(text) : BigInt(text));

const plain = new Map<number, Parser>([
  [oids.bool, (text) => (text === 't' ? 1 : 0)],
  [oids.bytea, pg.types.getTypeParser(oids.bytea)],
  ...[oids.int8, oids.int2, oids.int4, oids.float4, oids.float8, oids.numeric].map((oid): [number, Parser] => [
    oid,
    toNumber,
  ]),
]);

const wide = new Map<number, Parser>([...plain, [oids.int8, toWide], [oids.numeric, toWide]]);

/** Parses result columns as the shapes expect them: booleans as 0 and 1, integers as bigints only where requested. */
export const parsers: Record<'plain' | 'wide', CustomTypesConfig> = {
  plain: { getTypeParser: (oid: number) => plain.get(oid) ?? String },
  wide: { getTypeParser: (oid: number) => wide.get(oid) ?? String },
};
