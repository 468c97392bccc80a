import type { Duplex } from 'node:stream';
import { Bridge, type Reference } from './bridge.ts';
import type { AnyValue, Marshal, Properties } from './marshal.ts';
import { xInterface } from './type-class.ts';
import type { Unmarshal } from './unmarshal.ts';

const names = {
  context: 'com.sun.star.uno.XComponentContext',
  factory: 'com.sun.star.lang.XMultiComponentFactory',
  loader: 'com.sun.star.frame.XComponentLoader',
  desktop: 'com.sun.star.frame.XDesktop',
  storable: 'com.sun.star.frame.XStorable',
  component: 'com.sun.star.lang.XComponent',
  handler: 'com.sun.star.task.XInteractionHandler',
  request: 'com.sun.star.task.XInteractionRequest',
  continuation: 'com.sun.star.task.XInteractionContinuation',
  password: 'com.sun.star.task.XInteractionPassword',
} as const;

/** The numbers of methods in their interfaces; the first three are those of XInterface. */
const methods = {
  getServiceManager: 4,
  createInstanceWithContext: 3,
  loadComponentFromURL: 3,
  terminate: 3,
  storeToURL: 8,
  dispose: 3,
  handle: 3,
  getContinuations: 4,
} as const;

const noArguments = () => {};
const nothing = () => {};
const anObject = (reply: Unmarshal): string => reply.oid();

const handlerName = 'granary-questions';

/** An open document. */
export interface OpenDocument {
  /** Writes it to a file with one of LibreOffice's filters. */
  store(url: string, properties: Properties): Promise<void>;
  close(): Promise<void>;
}

/** A running LibreOffice, as far as loading and storing documents is concerned. */
export class Office {
  readonly #bridge: Bridge;
  readonly #loader: Reference;
  #wantsPassword = false;

  private constructor(bridge: Bridge, loader: Reference) {
    this.#bridge = bridge;
    this.#loader = loader;
    bridge.offer({
      oid: handlerName,
      type: names.handler,
      handle: (method, args) => {
        const isQuestion = method === methods.handle;
        return isQuestion ? this.#note({ oid: args.oid(), type: names.request }) : Promise.resolve();
      },
    });
  }

  static async over(stream: Duplex): Promise<Office> {
    const bridge = new Bridge(stream);
    await bridge.ready();
    const first = { oid: 'StarOffice.ComponentContext', type: xInterface };
    const root = await required(bridge, first, xInterface);
    const context = await required(bridge, root, names.context);
    const manager = await bridge.call(context, methods.getServiceManager, noArguments, anObject);
    const desktop = await bridge.call(
      { oid: manager, type: names.factory },
      methods.createInstanceWithContext,
      (message) => message.text('com.sun.star.frame.Desktop').oid(context.oid),
      anObject,
    );
    const loader = await required(bridge, { oid: desktop, type: xInterface }, names.loader);
    return new Office(bridge, loader);
  }

  /** True if the last loaded document is password-protected. */
  get wantsPassword(): boolean {
    return this.#wantsPassword;
  }

  /** False if no more calls are possible. */
  get isSound(): boolean {
    return !this.#bridge.isOutOfStep;
  }

  /** Loads a document without a window; undefined if LibreOffice refuses it without a reason. */
  async load(url: string, properties: Properties): Promise<OpenDocument | undefined> {
    this.#wantsPassword = false;
    const handler: AnyValue = { is: 'interface', type: names.handler, oid: handlerName };
    const oid = await this.#bridge.call(
      this.#loader,
      methods.loadComponentFromURL,
      (message) =>
        message
          .text(url)
          .text('_blank')
          .i32(0)
          .properties({ ...properties, InteractionHandler: handler }),
      anObject,
    );
    return oid === '' ? undefined : this.#document({ oid, type: names.component });
  }

  /** Requests for interaction are not answered; the possible answers show whether one asks for a password. */
  async #note(request: Reference): Promise<void> {
    const bridge = this.#bridge;
    const answers = await bridge.call(request, methods.getContinuations, noArguments, (reply) => reply.oids());
    for (const oid of answers) {
      const answer = { oid, type: names.continuation };
      const password = await bridge.query(answer, names.password);
      if (password !== undefined) {
        this.#wantsPassword = true;
        bridge.release(password);
      }
      bridge.release(answer);
    }
    bridge.release(request);
  }

  /** Asks LibreOffice to exit. */
  async terminate(): Promise<void> {
    const desktop = await required(this.#bridge, this.#loader, names.desktop);
    await this.#bridge.call(desktop, methods.terminate, noArguments, (reply) => reply.byte());
  }

  close(): void {
    this.#bridge.close();
  }

  #document(component: Reference): OpenDocument {
    const bridge = this.#bridge;
    return {
      async store(url, properties) {
        const storable = await required(bridge, component, names.storable);
        const args = (message: Marshal) => message.text(url).properties(properties);
        await bridge.call(storable, methods.storeToURL, args, nothing).finally(() => bridge.release(storable));
      },
      // A document closes when it is disposed, and this interface is already known.
      async close() {
        await bridge.call(component, methods.dispose, noArguments, nothing);
        bridge.release(component);
      },
    };
  }
}

async function required(bridge: Bridge, on: Reference, type: string): Promise<Reference> {
  const found = await bridge.query(on, type);
  if (found === undefined) throw new Error(`LibreOffice returned no ${type} where one is required.`);
  return found;
}
