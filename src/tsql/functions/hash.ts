import { createHash } from 'node:crypto';
import { byName } from '../../base/by-name.ts';
import { sqlError } from '../../base/messages/sql-error.ts';
import { piecesOf } from '../../base/text/text-units.ts';
import { convert } from '../../tds/convert/convert.ts';
import { familyOf } from '../../tds/convert/families.ts';
import * as t from '../../tds/types/index.ts';
import { coerce } from '../evaluate/coerce.ts';
import type { FunctionSpec } from '../evaluate/context.ts';
import { madeInSteps } from '../evaluate/long-work.ts';
import { compiledBy } from './define.ts';

/** What T-SQL calls each algorithm; MD2 and MD4 are left out, which nobody should use any more. */
const algorithms: Readonly<Record<string, string>> = byName({
  md5: 'md5',
  sha: 'sha1',
  sha1: 'sha1',
  sha2_256: 'sha256',
  sha2_512: 'sha512',
});

const bytes = t.varbinary('max');

/** Bytes of a piece of a long value. */
const pieceLength = 1024 * 1024;

/** A value in pieces, of which each is hashed in a moment. */
function* pieces(value: unknown): Generator<unknown, void> {
  if (typeof value === 'string') yield* piecesOf(value);
  else if (!(value instanceof Uint8Array)) yield value;
  else for (let at = 0; at < value.length; at += pieceLength) yield value.subarray(at, at + pieceLength);
}

/** HASHBYTES('SHA2_256', value): of text the bytes that it is kept in; NULL for an algorithm that is not known. */
const hashBytes = compiledBy(2, 2, ([algorithm, input], context) => {
  const family = familyOf(input.type.name);
  const isHashable = family === 'text' || family === 'bytes';
  if (!isHashable && !input.bare) throw sqlError(8116, input.type.name, 2, 'hashbytes');
  const name = coerce(algorithm, t.nvarchar(30), context);
  const evaluate = madeInSteps([name, input], context, function* ([called, value]) {
    const wanted = algorithms[String(called).toLowerCase()];
    if (wanted === undefined || value === null) return null;
    const hash = createHash(wanted);
    for (const piece of pieces(value)) {
      // The bytes of text are those of its type: one or two a character.
      hash.update(convert(piece, input.type, bytes, { implicit: false }) as Uint8Array);
      yield;
    }
    return new Uint8Array(hash.digest());
  });
  return { type: t.varbinary(8000), nullable: true, evaluate };
});

/** The functions that sum up bytes. */
export const hashFunctions: Readonly<Record<string, FunctionSpec>> = { HASHBYTES: hashBytes };
