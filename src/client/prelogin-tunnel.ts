import { Duplex } from 'node:stream';
import { HandshakeFlight, headerLength, packetTypes } from '../tds/packet/index.ts';

const nothing: Buffer = Buffer.alloc(0);

/**
 * The wire under the client's TLS engine before TDS 8: the handshake travels inside PRELOGIN packets, and from then on
 * records travel bare (MS-TDS 2.2.6.5, 3.2.5.1).
 */
export class PreloginTunnel extends Duplex {
  readonly #stream: Duplex;
  #wrapped = true;
  #detached = false;
  #partial = nothing;
  readonly #flight: HandshakeFlight;
  readonly #feed = (chunk: Buffer) => this.#take(chunk);
  readonly #close = () => this.destroy();

  constructor(stream: Duplex) {
    super();
    this.#stream = stream;
    this.#flight = new HandshakeFlight((packets) => stream.write(packets));
    stream.on('data', this.#feed);
    stream.on('close', this.#close);
  }

  /** The handshake is complete: from here on records are sent bare. */
  unwrap(): void {
    this.#wrapped = false;
  }

  /** TLS has ended: what the engine still sends is discarded, and the stream belongs to others. */
  detach(): void {
    this.#detached = true;
    this.#stream.off('data', this.#feed);
    this.#stream.off('close', this.#close);
    this.destroy();
  }

  #take(chunk: Buffer): void {
    if (!this.#wrapped) {
      if (!this.push(chunk)) this.#stream.pause();
      return;
    }
    this.#partial = this.#partial.length > 0 ? Buffer.concat([this.#partial, chunk]) : chunk;
    while (this.#partial.length >= headerLength) {
      const length = this.#partial.readUInt16BE(2);
      if (this.#partial[0] !== packetTypes.prelogin || length < headerLength) {
        this.destroy(new Error('the TLS handshake of the server does not follow MS-TDS'));
        return;
      }
      if (this.#partial.length < length) return;
      this.push(this.#partial.subarray(headerLength, length));
      this.#partial = this.#partial.subarray(length);
    }
  }

  override _read(): void {
    if (!this.#detached) this.#stream.resume();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    if (!this.#detached) this.#stream.destroy();
    done(error);
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    if (this.#detached) done();
    else if (!this.#wrapped) this.#stream.write(chunk, done);
    else {
      this.#flight.add(chunk);
      done();
    }
  }
}
