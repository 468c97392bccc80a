import { Duplex } from 'node:stream';

const prelogin = 0x12;
const headerLength = 8;
const packetLimit = 4096;

/**
 * The wire under a TLS engine. Before TDS 8 the handshake travels inside PRELOGIN packets and only then TLS records
 * travel bare (MS-TDS 2.2.6.5, 3.2.5.1); with TDS 8 they are bare from the first byte.
 */
export class TlsBridge extends Duplex {
  readonly #send: (bytes: Buffer) => Promise<void> | undefined;
  #wrapped: boolean;
  #partial: Buffer = Buffer.alloc(0);
  #flight: Buffer[] = [];

  /** `send` puts bytes on the wire; it returns a promise when the client reads slowly. */
  constructor(send: (bytes: Buffer) => Promise<void> | undefined, wrapped: boolean) {
    super();
    this.#send = send;
    this.#wrapped = wrapped;
  }

  /** Takes bytes that the client sent. */
  feed(bytes: Buffer): void {
    if (!this.#wrapped) {
      this.push(bytes);
      return;
    }
    this.#partial = this.#partial.length ? Buffer.concat([this.#partial, bytes]) : bytes;
    while (this.#wrapped && this.#partial.length > 0) if (!this.#unwrap()) return;
  }

  /** Takes one packet, or the first bare record, off what has come; false when more must come first. */
  #unwrap(): boolean {
    const bytes = this.#partial;
    // The engine says "secure" before its last flight is written, so the switch waits for the client's first bare record.
    if (isTlsRecord(bytes)) {
      this.#flushFlight();
      this.#wrapped = false;
      this.#partial = Buffer.alloc(0);
      this.push(bytes);
      return true;
    }
    if (bytes.length < headerLength) return false;
    const length = bytes.readUInt16BE(2);
    if (bytes[0] !== prelogin || length < headerLength) {
      this.destroy(new Error('the TLS handshake was not sent in PRELOGIN packets'));
      return false;
    }
    if (bytes.length < length) return false;
    this.push(bytes.subarray(headerLength, length));
    this.#partial = bytes.subarray(length);
    return true;
  }

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    if (this.#wrapped) {
      // Clients expect one message a flight, but the engine writes a flight in pieces: they are gathered for one turn.
      if (this.#flight.push(chunk) === 1) setImmediate(() => this.#flushFlight());
      done();
      return;
    }
    const slow = this.#send(chunk);
    if (slow) slow.then(() => done(), done);
    else done();
  }

  #flushFlight(): void {
    if (this.#flight.length === 0) return;
    const flight = Buffer.concat(this.#flight);
    this.#flight = [];
    const room = packetLimit - headerLength;
    for (let at = 0; at < flight.length; at += room) {
      const body = flight.subarray(at, at + room);
      const header = Buffer.alloc(headerLength);
      header[0] = prelogin;
      header[1] = at + room >= flight.length ? 1 : 0;
      header.writeUInt16BE(headerLength + body.length, 2);
      header[6] = 1 + at / room;
      this.#send(Buffer.concat([header, body]));
    }
  }
}

const isTlsRecord = (bytes: Buffer): boolean => {
  const first = bytes[0] ?? 0;
  return first >= 0x14 && first <= 0x17;
};
