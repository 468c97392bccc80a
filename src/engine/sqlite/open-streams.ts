import type { Shape } from '../../base/stored.ts';
import type { RowStream } from './row-stream.ts';

/** Streams that are kept before those that have ended are looked for. */
const fewStreams = 16;

/** The rows that a piece of work is reading. A client's transaction may read any number, so those that ended are forgotten. */
export class OpenStreams {
  #streams: RowStream<Shape>[] = [];
  #most = fewStreams;

  add(stream: RowStream<Shape>): void {
    if (this.#streams.length >= this.#most) {
      this.#streams = this.#streams.filter(({ isEnded }) => !isEnded);
      this.#most = Math.max(fewStreams, this.#streams.length * 2);
    }
    this.#streams.push(stream);
  }

  /** Ends what is left of them. */
  end(): void {
    for (const stream of this.#streams) if (!stream.isEnded) stream.cut();
  }

  /** Ends all of them with an error, which whoever reads on gets. */
  cut(error: Error): void {
    for (const stream of this.#streams) stream.cut(error);
  }
}
