import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock } from '../../../../src/base/clock.ts';
import type { Db } from '../../../../src/engine/db.ts';
import type { Sql } from '../../../../src/engine/sql.ts';
import { searchProperty } from '../../../../src/protocols/search/kinds/search-property.ts';
import {
  deleteProperties,
  deleteValues,
} from '../../../../src/protocols/search/properties/update/delete-properties.ts';
import { noteSignatures } from '../../../../src/protocols/search/properties/update/note-signatures.ts';
import { updateProperties } from '../../../../src/protocols/search/properties/update/put-properties.ts';
import { putSocialTags } from '../../../../src/protocols/search/properties/update/put-results.ts';
import { openEngine } from '../../../support/engines.ts';
import { noting, planOf } from '../../../support/plans.ts';
import { property } from './store.ts';

const steps: Readonly<Record<string, (db: Db) => Promise<void>>> = {
  'deleting properties': (db) => deleteProperties(db, [{ DocId: 1, Pid: 2 }]),
  'deleting values': (db) => deleteValues(db, [{ DocId: 1, Pid: 2, IsStringType: 1, llVal: 3n }]),
  'updating properties': (db) => updateProperties(db, [property(1, 2, 3n)]),
  'setting social tags': (db) => putSocialTags(db, [{ DocId: 1, popularSocialTags: 'x' }]),
  'noting signatures': (db) =>
    noteSignatures(db, [{ DocId: 1, SchemaSignature: 1, UrlSignature: 1n, ContentSignature: 1n, CrawlTime: 1n }], true),
};

for (const [what, step] of Object.entries(steps)) {
  test(`MS-SQLPGAT2 3.1.5.90: ${what} reads no table of documents from end to end`, async () => {
    await using storage = await openEngine('sqlite', { schemas: [searchProperty.schema], clock: new ManualClock() });
    const database = await storage.create('Store', searchProperty.name);
    const statements: Sql[] = [];
    await database.write((db) => step(noting(db, statements)));
    assert.ok(statements.length > 0);
    for (const statement of statements) {
      const plan = await database.read((db) => planOf(db, statement));
      const scans = plan.filter((line) => /^SCAN (?:\w+\.)?(?:doc_|p\b|alert_)/.test(line));
      assert.deepEqual(scans, [], plan.join('\n'));
    }
  });
}
