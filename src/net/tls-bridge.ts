import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { release } from '../base/memory/release.ts';
import { HandshakeFlight, headerLength, packetTypes } from '../tds/packet/index.ts';
import type { SocketInput } from './socket-input.ts';

const nothing = Buffer.alloc(0);

/**
 * The transport under a TLS engine. Before TDS 8 the handshake travels inside PRELOGIN packets, and only then do bare
 * TLS records follow (MS-TDS 2.2.6.5, 3.2.5.1); with TDS 8 they are bare from the first byte.
 */
export class TlsBridge extends Duplex {
  readonly #socket: Socket;
  readonly #input: SocketInput;
  /** Schedules the steps of the handshake. */
  readonly #turn: (step: () => void) => void;
  /** Input waiting for its turn. */
  #held: Buffer[] = [];
  #isSecure = false;
  #wrapped: boolean;
  #detached = false;
  #partial: Buffer = nothing;
  readonly #flight: HandshakeFlight;

  constructor(socket: Socket, input: SocketInput, wrapped: boolean, turn: (step: () => void) => void) {
    super();
    this.#socket = socket;
    this.#input = input;
    this.#turn = turn;
    this.#wrapped = wrapped;
    this.#flight = new HandshakeFlight((packets) => socket.write(packets));
  }

  /** Ends TLS: the engine's last output is discarded, and the socket is passed on. */
  detach(): void {
    this.#detached = true;
    this.destroy();
  }

  /** Accepts bytes from the client; the socket is paused while the engine has enough. */
  feed(bytes: Buffer): void {
    if (this.#isSecure && this.#held.length === 0) {
      this.#take(bytes);
      return;
    }
    this.#held.push(bytes);
    this.#input.pause();
    if (this.#held.length === 1) this.#turn(() => this.#release());
  }

  /** The handshake is complete: input is processed at once from now on. */
  secured(): void {
    this.#isSecure = true;
  }

  #release(): void {
    if (this.destroyed) return;
    this.#input.resume();
    const held = Buffer.concat(this.#held);
    this.#take(held);
    this.#held = [];
  }

  #take(bytes: Buffer): void {
    if (!this.#wrapped) {
      this.#deliver(bytes);
      return;
    }
    this.#partial = this.#partial.length ? Buffer.concat([this.#partial, bytes]) : bytes;
    while (this.#wrapped && this.#partial.length > 0) if (!this.#unwrap()) return;
  }

  #deliver(bytes: Buffer): void {
    if (!this.push(bytes)) this.#input.pause();
  }

  /** Extracts one packet, or the first bare record, from the input; false if more is needed. */
  #unwrap(): boolean {
    const bytes = this.#partial;
    // The engine reports "secure" before its last flight is written, so the switch waits for the client's first bare
    // record.
    if (isTlsRecord(bytes)) {
      this.#flight.flush();
      this.#wrapped = false;
      this.#partial = nothing;
      this.#deliver(bytes);
      return true;
    }
    if (bytes.length < headerLength) return false;
    const length = bytes.readUInt16BE(2);
    if (bytes[0] !== packetTypes.prelogin || length < headerLength) {
      this.destroy(new Error('the TLS handshake was not sent in PRELOGIN packets'));
      return false;
    }
    if (bytes.length < length) return false;
    this.#deliver(bytes.subarray(headerLength, length));
    this.#partial = bytes.subarray(length);
    return true;
  }

  override _read(): void {
    if (!this.#detached) this.#input.resume();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    if (this.#detached) {
      done();
      return;
    }
    if (!this.#wrapped) {
      this.#socket.write(chunk, (error) => {
        // The engine created it for this one write.
        release(chunk);
        done(error);
      });
      return;
    }
    this.#flight.add(chunk);
    done();
  }
}

const isTlsRecord = (bytes: Buffer): boolean => {
  const first = bytes[0] ?? 0;
  return first >= 0x14 && first <= 0x17;
};
