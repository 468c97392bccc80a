import type { Client } from '../../../client/client.ts';
import { typed } from '../../../client/query.ts';
import { orNull } from '../../../procedure/declare.ts';
import { bigint, nvarchar, uniqueidentifier } from '../../../tds/types/index.ts';
import { notFound } from '../../refusal.ts';

const listed = { ObjectId: uniqueidentifier, Name: orNull(nvarchar(128)), Length: bigint };

/** Files by identifier, from one on. */
export const filesAfter = (client: Client, after: string | undefined, limit: number, signal: AbortSignal) =>
  client.select(
    listed,
    `select top (@limit) f.ObjectId, o.Name, f.Length from Files f left join Objects o on o.Id = f.ObjectId
     ${after === undefined ? '' : 'where f.ObjectId > @after'} order by f.ObjectId`,
    { limit, ...(after === undefined ? {} : { after: typed(uniqueidentifier, after) }) },
    { signal, idempotent: true },
  );

/**
 * A file: its name, its length, and its bytes a chunk at a time out of one snapshot, so that its size costs no memory.
 */
export async function fileOf(client: Client, id: string, signal: AbortSignal) {
  const given = { id: typed(uniqueidentifier, id) };
  const [row] = await client.select(
    listed,
    'select f.ObjectId, o.Name, f.Length from Files f left join Objects o on o.Id = f.ObjectId where f.ObjectId = @id',
    given,
    { signal, idempotent: true },
  );
  if (row === undefined) throw notFound(`There is no file ${id}.`);
  return { name: row.Name ?? id, body: chunksOf(client, id, signal) };
}

async function* chunksOf(client: Client, id: string, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const text = 'select Chunk, Bytes from FileChunks where ObjectId = @id order by Chunk';
  for await (const { row } of client.streamQuery(text, { id: typed(uniqueidentifier, id) }, { signal })) {
    const bytes = row['Bytes'];
    if (!isBytes(bytes)) throw new Error('a chunk of a file is no bytes');
    yield bytes;
  }
}

const isBytes = (value: unknown): value is Uint8Array => value instanceof Uint8Array;
