import type { Connection, Submittable } from 'pg';

/** One COPY … TO STDOUT of the driver: the server is read no faster than the rows are consumed. */
export class CopyOut implements Submittable {
  readonly #text: string;
  readonly #chunks: Buffer[] = [];
  #connection: Connection | undefined;
  #ended = false;
  #failure: Error | undefined;
  #wake: () => void = () => {};

  constructor(text: string) {
    this.#text = text;
  }

  /** The data from the server, as it arrives. */
  async *chunks(): AsyncGenerator<Buffer> {
    for (;;) {
      const chunk = this.#chunks.shift();
      if (chunk !== undefined) yield chunk;
      else if (this.#ended) break;
      else {
        this.#connection?.stream.resume();
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
    }
    if (this.#failure !== undefined) throw this.#failure;
  }

  // Called by the driver when the server answers.

  submit(connection: Connection): void {
    this.#connection = connection;
    connection.query(this.#text);
  }

  handleCopyData({ chunk }: { readonly chunk: Buffer }): void {
    this.#chunks.push(Buffer.from(chunk)); // the driver reuses its buffer
    if (this.#chunks.length > 256) this.#connection?.stream.pause();
    this.#wake();
  }

  handleCommandComplete(): void {}

  handleReadyForQuery(): void {
    this.#ended = true;
    this.#wake();
  }

  handleError(error: Error): void {
    this.#failure = error;
    this.#ended = true;
    this.#wake();
  }
}
