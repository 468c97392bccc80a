import { ruleBroken } from '../../../src/base/messages/sql-error.ts';
import { sql } from '../../../src/engine/sql.ts';
import { orNull, procedure } from '../../../src/procedure/declare.ts';
import type { Kind } from '../../../src/procedure/kind.ts';
import { nullable, optional, output, required } from '../../../src/procedure/param.ts';
import { type ByteStream, bigint, bit, imageStream, int, nvarchar } from '../../../src/tds/types/index.ts';
import { pass } from './gate.ts';

const done = { code: 0, meaning: 'Done.' };
const numbered = { Number: int, Text: nvarchar(100) };
const padding = 'x'.repeat(100);

/** Rows out of nothing, as many as are asked for. */
export const labGenerate = procedure({
  name: 'lab_Generate',
  section: 'test',
  summary: 'Sends rows from a generator.',
  access: 'none',
  params: { Count: required(int, 'How many.') },
  outcomes: { done: { ...done, sets: { Rows: numbered } } },
  handle(_call, { Count }) {
    function* rows() {
      for (let number = 1; number <= Count; number++) yield { Number: number, Text: padding };
    }
    return { outcome: 'done', sets: { Rows: rows() } };
  },
});

/** Rows out of the database, as they come. */
export const labSelect = procedure({
  name: 'lab_Select',
  section: 'test',
  summary: 'Sends rows from a query.',
  access: 'read',
  params: { Count: required(int, 'How many.') },
  outcomes: { done: { ...done, sets: { Rows: numbered } } },
  handle({ db }, { Count }) {
    const rows = db.rows(
      numbered,
      sql`with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${Count})
          select n as "Number", ${padding} as "Text" from numbers`,
    );
    return { outcome: 'done', sets: { Rows: rows } };
  },
});

/** A large value in pieces, which may fail half-way. */
export const labImage = procedure({
  name: 'lab_Image',
  section: 'test',
  summary: 'Sends one large value in pieces.',
  access: 'read',
  params: {
    Megabytes: required(int, 'The size of the value.'),
    FailAfter: optional(int, null, 'Fails after so many pieces of a megabyte.'),
  },
  outcomes: { done: { ...done, sets: { Image: { Body: imageStream, Tail: orNull(int) } } } },
  handle({ signal }, { Megabytes, FailAfter }) {
    const piece = Buffer.alloc(1024 * 1024, 0xab);
    const Body: ByteStream = {
      length: Megabytes * piece.length,
      async *chunks() {
        for (let sent = 0; sent < Megabytes; sent++) {
          if (sent === FailAfter) throw ruleBroken('half-way');
          signal.throwIfAborted();
          yield piece;
        }
      },
    };
    return { outcome: 'done', sets: { Image: [{ Body, Tail: 7 }] } };
  },
});

/** Keeps a note. */
export const labPut = procedure({
  name: 'lab_Put',
  section: 'test',
  summary: 'Keeps a note.',
  access: 'write',
  params: {
    Id: required(bigint, 'Its number.'),
    Note: nullable(nvarchar('max'), 'What it says.'),
    Gate: optional(nvarchar(50), null, 'Waits for a gate inside of the transaction.'),
  },
  outcomes: { done },
  async handle({ db, signal }, { Id, Note, Gate }) {
    await db.run(sql`insert into notes (id, note) values (${Id}, ${Note})`);
    if (Gate !== null) await pass(Gate, signal);
    return { outcome: 'done' };
  },
});

/** Tells how many notes there are. */
export const labCount = procedure({
  name: 'lab_Count',
  section: 'test',
  summary: 'Counts the notes.',
  access: 'read',
  params: { Total: output(int, 'How many there are.') },
  outcomes: { done },
  async handle({ db }) {
    const row = await db.first({ Total: int }, sql`select count(*) as "Total" from notes`);
    return { outcome: 'done', output: { Total: row?.Total ?? 0 } };
  },
});

/** Gives back what it gets. */
export const labEcho = procedure({
  name: 'lab_Echo',
  section: 'test',
  summary: 'Gives back what it gets.',
  access: 'none',
  params: {
    Text: nullable(nvarchar('max'), 'What to give back.'),
    Loud: optional(bit, false, 'In capitals.'),
  },
  outcomes: { done: { ...done, sets: { Echo: { Text: orNull(nvarchar('max')) } } } },
  handle(_call, { Text, Loud }) {
    return { outcome: 'done', sets: { Echo: [{ Text: Loud ? (Text?.toUpperCase() ?? null) : Text }] } };
  },
});

/** Waits at a gate until the test opens it, or the client goes away. */
export const labWait = procedure({
  name: 'lab_Wait',
  section: 'test',
  summary: 'Waits at a gate.',
  access: 'none',
  params: { Gate: required(nvarchar(50), 'The gate.') },
  outcomes: { done },
  async handle({ signal }, { Gate }) {
    await pass(Gate, signal);
    return { outcome: 'done' };
  },
});

/** A kind of database that does to a server what the protocols rarely do. */
export const lab: Kind = {
  name: 'lab',
  firstDatabase: 'Lab',
  procedures: [labGenerate, labSelect, labImage, labPut, labCount, labEcho, labWait],
  relations: [],
  schema: {
    kind: 'lab',
    migrations: [
      {
        area: 'lab',
        number: 1,
        name: 'notes',
        text: 'create table notes (id bigint not null primary key, note text);',
      },
    ],
  },
};
