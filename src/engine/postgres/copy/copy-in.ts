import type { Connection, Submittable } from 'pg';

/** What the driver offers for COPY besides its published types. */
interface CopyConnection extends Connection {
  endCopyFrom(): void;
  sendCopyFail(reason: string): void;
}

const header = 5;

/** Free space at the start of a chunk for the header of its message. */
export const copyDataHeader = header;

/**
 * One COPY … FROM STDIN of the driver: chunks are sent no faster than the server reads them. A chunk starts with
 * `copyDataHeader` unused bytes.
 */
export class CopyIn implements Submittable {
  readonly #text: string;
  readonly #ended = Promise.withResolvers<number>();
  readonly #begun = Promise.withResolvers<CopyConnection>();
  #count = 0;
  #failed = false;

  constructor(text: string) {
    this.#text = text;
    this.#ended.promise.catch(() => {});
    this.#begun.promise.catch(() => {});
  }

  /** Sends all chunks; resolves to the number of rows when the server has processed them. */
  async send(chunks: AsyncIterable<Buffer>): Promise<number> {
    const connection = await this.#begun.promise;
    try {
      for await (const chunk of chunks) {
        if (this.#failed) break;
        await this.#write(connection, chunk);
      }
    } catch (error) {
      if (!this.#failed) connection.sendCopyFail('the rows ended early');
      await this.#ended.promise.catch(() => {});
      throw error;
    }
    if (!this.#failed) connection.endCopyFrom();
    return this.#ended.promise;
  }

  #write({ stream }: CopyConnection, chunk: Buffer): Promise<void> | undefined {
    chunk.writeUInt8(0x64, 0); // CopyData
    chunk.writeUInt32BE(chunk.length - 1, 1);
    if (stream.write(chunk)) return undefined;
    return new Promise((resolve) => {
      const done = () => {
        stream.off('drain', done);
        stream.off('close', done);
        resolve();
      };
      stream.on('drain', done);
      stream.on('close', done);
    });
  }

  // Called by the driver when the server answers.

  submit(connection: Connection): void {
    connection.query(this.#text);
  }

  handleCopyInResponse(connection: Connection): void {
    // What the driver passes is its own connection, which supports COPY.
    this.#begun.resolve(connection as CopyConnection);
  }

  handleCommandComplete({ text }: { readonly text: string }): void {
    this.#count = Number(/^COPY (\d+)/.exec(text)?.[1] ?? 0);
  }

  handleReadyForQuery(): void {
    this.#ended.resolve(this.#count);
  }

  handleError(error: Error): void {
    this.#failed = true;
    this.#begun.reject(error);
    this.#ended.reject(error);
  }
}
