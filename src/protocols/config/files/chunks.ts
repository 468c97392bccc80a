import { release } from '../../../base/memory/release.ts';
import type { Db } from '../../../engine/db.ts';
import { sql } from '../../../engine/sql.ts';
import { type ByteStream, bigint, varbinary } from '../../../tds/types/index.ts';

/** Chunk n of a file holds its bytes from n times this on; migrations/0006-files.sql names the number too. */
const chunkSize = 262_144;

/** The longest value of the type image, which files are read back as. */
export const longestFile = 2_147_483_647;

const size = { Length: bigint };
const chunk = { Bytes: varbinary('max') };

/** The length of a file in bytes; undefined if there is none. */
export async function fileLength(db: Db, id: string): Promise<number | undefined> {
  const row = await db.first(size, sql`select length as "Length" from files where object_id = ${id}`);
  return row === undefined ? undefined : Number(row.Length);
}

/** How many chunks a query reads: a query each would cost a round trip each, all in one query memory. */
const chunksAtATime = 4;

/** Reads a file a few chunks at a time on the call's snapshot, so that its size costs no memory. */
export const fileBytes = (db: Db, id: string, length: number): ByteStream => ({
  length,
  async *chunks() {
    for (let first = 0; first * chunkSize < length; first += chunksAtATime) {
      const rows = await db.all(
        chunk,
        sql`
          select bytes as "Bytes" from file_chunks
          where object_id = ${id} and chunk >= ${first} and chunk < ${first + chunksAtATime} order by chunk`,
      );
      for (const { Bytes } of rows) {
        yield Bytes;
        release(Bytes);
      }
    }
  },
});

/** Makes the bytes the whole contents of the file. */
export async function replaceFile(db: Db, id: string, bytes: Uint8Array): Promise<void> {
  await db.run(sql`delete from file_chunks where object_id = ${id}`);
  await storeChunks(db, id, 0, bytes);
  await setLength(db, id, bytes.length);
}

/** Writes bytes at an offset within the file or at its end; what follows them stays. */
export async function writeAt(db: Db, id: string, length: number, offset: number, bytes: Uint8Array): Promise<void> {
  const end = offset + bytes.length;
  const first = Math.floor(offset / chunkSize);
  const last = Math.floor((end - 1) / chunkSize);
  const head = offset % chunkSize === 0 ? none : (await readChunk(db, id, first)).subarray(0, offset % chunkSize);
  const tail = end >= length ? none : (await readChunk(db, id, last)).subarray(((end - 1) % chunkSize) + 1);
  const whole = head.length + tail.length === 0 ? bytes : Buffer.concat([head, bytes, tail]);
  await storeChunks(db, id, first, whole);
  if (end > length) await setLength(db, id, end);
}

const none = new Uint8Array(0);

async function readChunk(db: Db, id: string, number: number): Promise<Uint8Array> {
  const row = await db.first(
    chunk,
    sql`select bytes as "Bytes" from file_chunks where object_id = ${id} and chunk = ${number}`,
  );
  if (row === undefined) throw new Error(`the file ${id} has lost its chunk ${number}`);
  return row.Bytes;
}

/**
 * A statement a chunk: bound on its own a chunk goes to the database as the bytes it is, and is the most that is
 * copied.
 */
async function storeChunks(db: Db, id: string, first: number, bytes: Uint8Array): Promise<void> {
  for (let at = 0, number = first; at < bytes.length; at += chunkSize, number++) {
    await db.run(sql`
      insert into file_chunks (object_id, chunk, bytes)
      values (${id}, ${number}, ${bytes.subarray(at, at + chunkSize)})
      on conflict (object_id, chunk) do update set bytes = excluded.bytes`);
  }
}

const setLength = (db: Db, id: string, length: number): Promise<number> =>
  db.run(sql`
    insert into files (object_id, length) values (${id}, ${length})
    on conflict (object_id) do update set length = excluded.length`);
