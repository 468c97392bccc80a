import { ruleBroken } from '../../../base/messages/sql-error.ts';
import { sql } from '../../../engine/sql.ts';
import { orNull, procedure } from '../../../procedure/declare.ts';
import { optional, optionalOutput } from '../../../procedure/param.ts';
import { varchar } from '../../../tds/types/index.ts';
import { isNamed } from '../named-item.ts';
import { isHeld } from './lease.ts';
import { leaseOver } from './lease-over.ts';
import { heldItem } from './params.ts';

const digest = varchar(64);

export const noteOutput = procedure({
  name: 'NoteOutput',
  schema: 'granary',
  section: 'Granary',
  summary:
    'Records what a worker is about to write as the output of an item that it holds; 50101 when it does not hold it.',
  access: 'write',
  params: {
    ...heldItem,
    Digest: optional(digest, null, 'The SHA-256 of the output in hexadecimal; NULL leaves what was noted.'),
    Noted: optionalOutput(digest, 'What was noted before: NULL where nothing was.'),
  },
  outcomes: { done: { code: 0, meaning: 'It is noted.' } },
  async handle({ db, now }, { Lease, Digest, ...item }) {
    if (Digest !== null && !/^[0-9a-f]{64}$/i.test(Digest)) throw ruleBroken('@Digest is not 64 hexadecimal digits.');
    const held = sql`${isNamed(item)} ${isHeld(Lease, now)}`;
    const found = await db.first(
      { Noted: orNull(digest) },
      sql`select items.output_digest as "Noted" from items, jobs j where ${held}`,
    );
    if (found === undefined) throw await leaseOver(db, item, Lease);
    if (Digest !== null)
      await db.run(sql`update items set output_digest = ${Digest.toLowerCase()} from jobs j where ${held}`);
    return { outcome: 'done', output: { Noted: found.Noted } };
  },
});
