import { randomUUID } from 'node:crypto';
import type { Bindable } from '../../../src/base/stored.ts';
import type { Database } from '../../../src/engine/db.ts';
import { sql } from '../../../src/engine/sql.ts';
import { versionStep } from '../../../src/protocols/config/row-version.ts';

/** Rows in one transaction. */
const rowsInAStep = 50_000;
const columns = ['id', 'parent_id', 'parent_key', 'class_id', 'name', 'name_key', 'status', 'version', 'properties'];
const properties = `<object type="Bench">${'<fld name="value">some text of a property</fld>'.repeat(20)}</object>`;

/** The version of object n: objects were stored one after the other. */
export const versionOf = (n: number): bigint => BigInt(n) * versionStep;

/** Fills in objects 1 to `objects` of one class under one root, past the procedures. */
export async function fillObjects(database: Database, objects: number): Promise<void> {
  const [root, classId] = [randomUUID(), randomUUID()];
  await database.write((db) =>
    db.run(sql`insert into classes (id, base_id, full_name) values (${classId}, null, 'Bench.Class')`),
  );
  for (let first = 1; first <= objects; first += rowsInAStep) {
    const last = Math.min(objects, first + rowsInAStep - 1);
    await database.write((db) => db.insert('objects', columns, rows(first, last, root, classId)));
  }
  await database.write((db) => db.run(sql`update row_version set last = ${versionOf(objects)} where id = 1`));
}

function* rows(first: number, last: number, root: string, classId: string): Generator<readonly Bindable[]> {
  for (let n = first; n <= last; n++) {
    const parent = n === 1 ? null : root;
    const name = `object ${n}`;
    yield [n === 1 ? root : randomUUID(), parent, parent ?? '', classId, name, name, 0, versionOf(n), properties];
  }
}
