import { open } from 'node:fs/promises';
import type { Client } from '../../../client/client.ts';
import { getFile } from '../../../protocols/config/files/get-file.ts';
import { putFileSegment } from '../../../protocols/config/files/put-file-segment.ts';
import type { ByteStream } from '../../../tds/types/index.ts';
import { WorkError } from '../work-error.ts';
import type { Place, ReadOptions, WriteOptions } from './place.ts';

/** Over the wire a file comes as one piece, whatever the declaration has it as. */
const piecesOf = (content: ByteStream | Uint8Array): AsyncIterable<Uint8Array> | readonly Uint8Array[] =>
  content instanceof Uint8Array ? [content] : content.chunks();

const segmentSize = 4 * 1024 * 1024;
const fileName = /^\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.\w+$/i;

/**
 * The files in a configuration database: `config://DATABASE/OBJECT.docx`, where OBJECT is the identifier of the
 * configuration object and the extension gives its format.
 */
export class ConfigPlace implements Place {
  readonly #server: Client;

  constructor(server: Client) {
    this.#server = server;
  }

  async read(url: URL, into: string, { largest, signal }: ReadOptions): Promise<void> {
    const { database, object } = this.#place(url);
    await using target = await open(into, 'wx', 0o600);
    const { sets } = await database.call(getFile, { ObjectId: object, RequestGuid: null }, { signal });
    const [row] = sets.File;
    if (row === undefined) throw new WorkError('notFound', 'The configuration database has no such file.');
    const content = row.FileImage;
    if (content.length > largest)
      throw new WorkError('tooLarge', `It has ${content.length} bytes; ${largest} are allowed.`);
    for await (const piece of piecesOf(content)) await target.writeFile(piece);
  }

  async write(url: URL, from: string, { replace, signal }: WriteOptions): Promise<void> {
    const { database, object } = this.#place(url);
    await using file = await open(from);
    const { size } = await file.stat();
    await database.transaction(
      async (transaction) => {
        if (!replace) {
          const { sets } = await transaction.call(getFile, { ObjectId: object, RequestGuid: null });
          if (sets.File.length > 0)
            throw new WorkError('outputExists', 'The file already exists and may not be replaced.');
        }
        const piece = Buffer.alloc(segmentSize);
        for (let at = 0; at === 0 || at < size; at += segmentSize) {
          const { bytesRead } = await file.read(piece, 0, segmentSize, at);
          const segment = { ObjectId: object, Bytes: piece.subarray(0, bytesRead), Offset: at, RequestGuid: null };
          const { outcome } = await transaction.call(putFileSegment, segment);
          if (outcome !== 'written') throw new WorkError('unreachable', 'The configuration database refuses it.');
        }
      },
      { signal },
    );
  }

  #place(url: URL): { database: Client; object: string } {
    const [, object] = fileName.exec(url.pathname) ?? [];
    if (object === undefined || url.host === '') {
      throw new WorkError('badName', `${url.href} does not have the form config://DATABASE/OBJECT.docx.`);
    }
    return { database: this.#server.database(decodeURIComponent(url.host)), object };
  }
}
