import type { Duplex } from 'node:stream';
import { Marshal } from './marshal.ts';
import { Messages } from './messages.ts';
import { protocolProperties, typeClass, xInterface } from './type-class.ts';
import { type Caches, type NamedType, Unmarshal } from './unmarshal.ts';
import { OfficeGone, UnoError } from './uno-error.ts';

/** The numbers of the bridge's own functions. */
const functions = { queryInterface: 0, release: 2, requestChange: 4, commitChange: 5 } as const;
const flags = { long: 0x80, request: 0x40, newType: 0x20, newOid: 0x10, newTid: 0x08, wide: 0x04, more: 0x01 } as const;
const exceptionFlag = 0x20;

/** The fields of exceptions thrown by loading and storing besides the message; the error code if they have one. */
const furtherMembers: Readonly<Record<string, (message: Unmarshal) => number | undefined>> = {
  'com.sun.star.task.ErrorCodeIOException': (message) => message.i32(),
  'com.sun.star.lang.IllegalArgumentException': (message) => void message.u16(),
  'com.sun.star.io.IOException': () => undefined,
  'com.sun.star.uno.RuntimeException': () => undefined,
  'com.sun.star.lang.DisposedException': () => undefined,
  'com.sun.star.util.CloseVetoException': () => undefined,
};

/** An object in LibreOffice with one of its interfaces. */
export interface Reference {
  readonly oid: string;
  readonly type: string;
}

/**
 * A local object that LibreOffice may call. Arguments must be read completely before `handle` yields, since later
 * messages refer to them; its methods return nothing.
 */
interface Callback {
  readonly oid: string;
  readonly type: string;
  handle(method: number, args: Unmarshal): Promise<void>;
}

interface Request {
  readonly tid: Buffer;
  readonly oid: string;
  readonly type: string;
  readonly method: number;
}

interface Pending {
  /** Reads the reply synchronously: later messages may refer to its content. */
  resolve(reply: Unmarshal): void;
  reject(error: Error): void;
}

/** The bridge to a running LibreOffice: remote calls by URP over a stream, one thread of calls at a time. */
export class Bridge {
  readonly #stream: Duplex;
  readonly #caches: Caches = { types: new Map(), oids: new Map(), tids: new Map() };
  readonly #messages = new Messages();
  /** The pending calls: the latest is answered first. */
  readonly #pending: Pending[] = [];
  readonly #callbacks = new Map<string, Callback>();
  readonly #ready = Promise.withResolvers<void>();
  readonly #tid = Buffer.from('granary');
  #last: { type: NamedType; oid: string; tid: Buffer } | undefined;
  #withContext = false;
  #isOutOfStep = false;
  #gone: Error | undefined;

  constructor(stream: Duplex) {
    this.#stream = stream;
    this.#ready.promise.catch(() => {});
    stream.on('data', (chunk: Buffer) => this.#take(chunk));
    stream.on('error', (error) => this.#end(new OfficeGone('The connection to LibreOffice broke.', { cause: error })));
    stream.on('close', () => this.#end(new OfficeGone('LibreOffice closed the connection.')));
  }

  /** Resolves when both sides have agreed on the protocol. */
  ready(): Promise<void> {
    return this.#ready.promise;
  }

  /**
   * True after a message that could not be read completely: later ones may refer to it, so no more calls are possible.
   */
  get isOutOfStep(): boolean {
    return this.#isOutOfStep;
  }

  close(): void {
    this.#stream.destroy();
    this.#end(new OfficeGone('The connection to LibreOffice was closed.'));
  }

  /** Lets LibreOffice call a local object. */
  offer(callback: Callback): void {
    this.#callbacks.set(callback.oid, callback);
  }

  /** Calls a method by its number in the interface: `args` writes the arguments, `read` reads the whole result. */
  async call<T>(
    on: Reference,
    method: number,
    args: (message: Marshal) => void,
    read: (reply: Unmarshal) => T,
  ): Promise<T> {
    await this.#ready.promise;
    if (this.#gone !== undefined) throw this.#gone;
    const message = this.#request(on, method);
    if (this.#withContext) message.oid('');
    args(message);
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    this.#pending.push({ resolve: (reply) => resolve(read(reply)), reject });
    this.#send(message);
    return promise;
  }

  /** The same object with another interface; undefined if it does not have it. */
  async query(on: Reference, type: string): Promise<Reference | undefined> {
    const oid = await this.call(
      on,
      functions.queryInterface,
      (message) => message.type(typeClass.interface, type),
      (reply) => (reply.type().kind === typeClass.interface ? reply.oid() : ''),
    );
    return oid === '' ? undefined : { oid, type };
  }

  /** Tells LibreOffice that an object is no longer used, so that it can be released. */
  release(reference: Reference): void {
    if (this.#gone === undefined) this.#send(this.#request(reference, functions.release));
  }

  #request({ oid, type }: Reference, method: number): Marshal {
    return new Marshal()
      .byte(flags.long | flags.request | flags.newType | flags.newOid | flags.newTid)
      .byte(method)
      .type(typeClass.interface, type)
      .oid(oid)
      .tid(this.#tid);
  }

  #send(message: Marshal): void {
    const whole = message.whole();
    this.#stream.write(Buffer.concat([new Marshal().i32(whole.length).i32(1).whole(), whole]));
  }

  #take(chunk: Buffer): void {
    try {
      for (const message of this.#messages.take(chunk)) this.#read(new Unmarshal(message, this.#caches));
    } catch (error) {
      this.#end(new OfficeGone('LibreOffice sent a message that cannot be parsed.', { cause: error }));
      this.#stream.destroy();
    }
  }

  #read(message: Unmarshal): void {
    const first = message.byte();
    if ((first & flags.long) !== 0 && (first & flags.request) === 0) this.#readReply(first, message);
    else this.#readRequest(first, message);
  }

  #readReply(first: number, message: Unmarshal): void {
    this.#note({ tid: (first & flags.newTid) === 0 ? this.#lastOne().tid : message.tid() });
    const pending = this.#pending.pop();
    if (pending === undefined) throw new Error('LibreOffice sent a reply without a request.');
    if ((first & exceptionFlag) === 0) pending.resolve(message);
    else pending.reject(this.#readException(message));
  }

  /** Every exception begins with its message and its context; the rest depends on its type. */
  #readException(message: Unmarshal): UnoError {
    const { name } = message.type();
    const text = message.text();
    message.oid();
    const rest = furtherMembers[name];
    if (rest === undefined) this.#isOutOfStep = true;
    return new UnoError(name, text, rest?.(message));
  }

  #readRequest(first: number, message: Unmarshal): void {
    const isLong = (first & flags.long) !== 0;
    const has = (flag: number) => isLong && (first & flag) !== 0;
    if (has(flags.more)) message.byte();
    let method = first & 0x3f;
    if (isLong) method = has(flags.wide) ? message.u16() : message.byte();
    else if ((first & 0x40) !== 0) method = (method << 8) | message.byte();
    const type = has(flags.newType) ? message.type() : this.#lastOne().type;
    const oid = has(flags.newOid) ? message.oid() : this.#lastOne().oid;
    const tid = has(flags.newTid) ? message.tid() : this.#lastOne().tid;
    this.#last = { type, oid, tid };
    const request = { tid, oid, type: type.name, method };
    if (type.name === protocolProperties) this.#negotiate(request);
    else if (method !== functions.release) {
      if (this.#withContext) message.oid();
      this.#serve(request, message);
    }
  }

  /** LibreOffice starts the negotiation with a single proposal: a context with every call. */
  #negotiate({ tid, method }: Request): void {
    if (method === functions.requestChange) this.#send(answer(tid).i32(1));
    else if (method === functions.commitChange) {
      this.#send(answer(tid));
      this.#withContext = true;
      this.#ready.resolve();
    } else throw new Error(`The protocol has no function ${method}.`);
  }

  #serve({ tid, oid, method }: Request, message: Unmarshal): void {
    const callback = this.#callbacks.get(oid);
    if (callback === undefined) throw new Error('LibreOffice calls an object that was not passed to it.');
    if (method === functions.queryInterface) {
      const { name } = message.type();
      const isKnown = name === xInterface || name === callback.type;
      const reply = answer(tid);
      this.#send(isKnown ? reply.any({ is: 'interface', type: name, oid }) : reply.type(typeClass.void));
      return;
    }
    // Failures of a handler are its own affair; LibreOffice must not wait for it forever.
    const done = () => this.#send(answer(tid));
    callback.handle(method, message).then(done, done);
  }

  #lastOne(): { type: NamedType; oid: string; tid: Buffer } {
    if (this.#last === undefined) throw new Error('LibreOffice refers to a call before its first one.');
    return this.#last;
  }

  #note({ tid }: { tid: Buffer }): void {
    this.#last = { type: this.#last?.type ?? { kind: typeClass.void, name: '' }, oid: this.#last?.oid ?? '', tid };
  }

  #end(error: Error): void {
    this.#gone ??= error;
    this.#ready.reject(this.#gone);
    for (const { reject } of this.#pending.splice(0)) reject(this.#gone);
  }
}

const answer = (tid: Buffer): Marshal => new Marshal().byte(flags.long | flags.newTid).tid(tid);
