import { serveRequests } from '../../base/threads/thread-side.ts';
import { AcceptContext, type Accepted } from './accept-context.ts';
import { type AcceptorKeys, acceptorCredential, checkKeys } from './credential.ts';
import { GssError } from './gss-error.ts';
import { InitContext } from './init-context.ts';

/** A request to the thread. A context is identified by its number until it is closed. */
export type GssRequest =
  | { readonly kind: 'check'; readonly keys: AcceptorKeys }
  | {
      readonly kind: 'accept';
      readonly context: number;
      readonly keys: AcceptorKeys;
      readonly token: Uint8Array;
      /** The bindings that the client may have used; each is tried. */
      readonly bindings: readonly Uint8Array[];
    }
  | {
      readonly kind: 'initiate';
      readonly context: number;
      readonly service: string;
      readonly token?: Uint8Array;
      readonly bindings?: Uint8Array;
    }
  | { readonly kind: 'close'; readonly context: number };

/** The answer: `refused` has the library's message. */
export type GssAnswer =
  | { readonly refused: string }
  | { readonly reply: Uint8Array; readonly accepted?: Accepted | undefined; readonly isDone?: boolean };

/** The thread's script. */
const nothing = { reply: new Uint8Array(0) };
const accepting = new Map<number, AcceptContext>();
const initiating = new Map<number, InitContext>();
const credentials = new Map<string, Buffer>();

function credentialFor(keys: AcceptorKeys): Buffer {
  const key = JSON.stringify(keys);
  let credential = credentials.get(key);
  if (credential === undefined) {
    credential = acceptorCredential(keys);
    credentials.set(key, credential);
  }
  return credential;
}

/**
 * Determines which of several bindings the client used: the first that it does not contradict. They are tried without a
 * replay cache, which would consider the second attempt a replay.
 */
function meant(keys: AcceptorKeys, token: Uint8Array, bindings: readonly Uint8Array[]): Uint8Array | undefined {
  const credential = credentialFor({ ...keys, replayCache: 'none:' });
  return bindings.find((each, index) => {
    if (index === bindings.length - 1) return true;
    const trial = new AcceptContext(credential, each);
    try {
      trial.step(token);
      return true;
    } catch (error) {
      return !(error instanceof GssError && error.hasBadBindings);
    } finally {
      trial.close();
    }
  });
}

function answer(request: GssRequest): GssAnswer {
  switch (request.kind) {
    case 'check':
      checkKeys(request.keys);
      return nothing;
    case 'accept': {
      const { context, keys, token, bindings } = request;
      let open = accepting.get(context);
      if (open === undefined) {
        open = new AcceptContext(credentialFor(keys), meant(keys, token, bindings));
        accepting.set(context, open);
      }
      return open.step(token);
    }
    case 'initiate': {
      const { context, service, token, bindings } = request;
      let open = initiating.get(context);
      if (open === undefined) {
        open = new InitContext(service, bindings);
        initiating.set(context, open);
      }
      return open.step(token);
    }
    case 'close':
      accepting.get(request.context)?.close();
      initiating.get(request.context)?.close();
      accepting.delete(request.context);
      initiating.delete(request.context);
      return nothing;
  }
}

serveRequests((request: GssRequest) => {
  try {
    return { answer: answer(request) };
  } catch (error) {
    if (error instanceof GssError) return { answer: { refused: error.message } };
    throw error;
  }
});
