import { createHash } from 'node:crypto';
import { byName } from '../../base/by-name.ts';
import { sqlError } from '../../base/sql-error.ts';
import { convert } from '../../tds/convert/convert.ts';
import { familyOf } from '../../tds/convert/families.ts';
import * as t from '../../tds/types/index.ts';
import { coerce } from '../evaluate/coerce.ts';
import type { FunctionSpec } from '../evaluate/context.ts';

/** What T-SQL calls each algorithm; MD2 and MD4 are left out, which nobody should use any more. */
const algorithms: Readonly<Record<string, string>> = byName({
  md5: 'md5',
  sha: 'sha1',
  sha1: 'sha1',
  sha2_256: 'sha256',
  sha2_512: 'sha512',
});

const bytes = t.varbinary('max');

/** HASHBYTES('SHA2_256', value): of text the bytes that it is kept in; NULL for an algorithm that is not known. */
const hashBytes: FunctionSpec = {
  min: 2,
  max: 2,
  compile([algorithm, input], context) {
    if (algorithm === undefined || input === undefined) throw sqlError(174, 'hashbytes', 2);
    const family = familyOf(input.type.name);
    const isHashable = family === 'text' || family === 'bytes';
    if (!isHashable && !input.bare) throw sqlError(8116, input.type.name, 2, 'hashbytes');
    const name = coerce(algorithm, t.nvarchar(30), context);
    return {
      type: t.varbinary(8000),
      nullable: true,
      evaluate(env) {
        const wanted = algorithms[String(name.evaluate(env)).toLowerCase()];
        const value = input.evaluate(env);
        if (wanted === undefined || value === null) return null;
        // The bytes of text are those of its type: one or two a character.
        const kept = convert(value, input.type, bytes, { implicit: false }) as Uint8Array;
        return new Uint8Array(createHash(wanted).update(kept).digest());
      },
    };
  },
};

/** The functions that sum up bytes. */
export const hashFunctions: Readonly<Record<string, FunctionSpec>> = { HASHBYTES: hashBytes };
