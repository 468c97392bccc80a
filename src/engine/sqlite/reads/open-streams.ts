import type { Shape } from '../../../base/stored.ts';
import type { RowStream } from './row-stream.ts';

/** The number of streams at which ended ones are removed. */
const fewStreams = 16;

/** The open row streams of a unit of work. A client's transaction may read any number, so ended ones are removed. */
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

  /** Closes the remaining streams. */
  end(): void {
    for (const stream of this.#streams) if (!stream.isEnded) stream.cut();
  }

  /** Ends all streams with an error, which their readers get. */
  cut(error: Error): void {
    for (const stream of this.#streams) stream.cut(error);
  }
}
