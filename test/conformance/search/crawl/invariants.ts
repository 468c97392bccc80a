import assert from 'node:assert/strict';
import { sql } from '../../../../src/engine/sql.ts';
import { gatherRules } from '../../../../src/protocols/search/gather/rules.ts';
import { number } from '../../../../src/protocols/search/gather/values.ts';
import type { Store } from './farm.ts';

/** Checks what holds of a crawl store whatever was called. */
export async function checkInvariants({ database }: Store): Promise<void> {
  for (const { rule, broken } of gatherRules) {
    const found = await database.read((db) =>
      db.all({ broken: number }, sql`select broken as "broken" from (${broken}) b limit 5`),
    );
    assert.deepEqual(found, [], rule);
  }
}
