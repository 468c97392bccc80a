import { Duplex } from 'node:stream';
import { encodeHeader, headerLength, packetStatus, packetTypes } from '../tds/packet/index.ts';

const packetLimit = 4096;
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
  #flight: Buffer[] = [];
  readonly #feed = (chunk: Buffer) => this.#take(chunk);
  readonly #close = () => this.destroy();

  constructor(stream: Duplex) {
    super();
    this.#stream = stream;
    stream.on('data', this.#feed);
    stream.on('close', this.#close);
  }

  /** Hands have been shaken: from here on records are bare. */
  unwrap(): void {
    this.#wrapped = false;
  }

  /** TLS is over: what the engine still says goes nowhere, and the stream is somebody else's. */
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
        this.destroy(new Error('the server does not shake hands as MS-TDS has it'));
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
      // The engine writes a flight in pieces, and a server expects it as one message.
      if (this.#flight.push(chunk) === 1) setImmediate(() => this.#flush());
      done();
    }
  }

  #flush(): void {
    const flight = Buffer.concat(this.#flight);
    this.#flight = [];
    const room = packetLimit - headerLength;
    for (let at = 0, id = 1; at < flight.length; at += room, id++) {
      const body = flight.subarray(at, at + room);
      const status = at + room >= flight.length ? packetStatus.endOfMessage : 0;
      const head = Buffer.alloc(headerLength);
      encodeHeader(head, 0, { type: packetTypes.prelogin, status, length: headerLength + body.length, spid: 0, id });
      this.#stream.write(Buffer.concat([head, body]));
    }
  }
}
