import { createContext } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';
import type { RouteDeclaration, RouteInput, RouteOutput } from '../api/declare.ts';

/** Why the server did not answer. */
export class ApiFault extends Error {
  override readonly name = 'ApiFault';
  /** The HTTP status; 0 if the server could not be reached. */
  readonly status: number;
  readonly number: number | undefined;
  readonly line: number | undefined;

  constructor(status: number, { message, number, line }: { message: string; number?: number; line?: number }) {
    super(message);
    this.status = status;
    this.number = number;
    this.line = line;
  }
}

/** The fault of an unreachable server; pages keep trying. */
export const noAnswer = (): ApiFault => new ApiFault(0, { message: 'The server does not answer; trying again…' });

/** The fault of an action whose answer did not come: nobody tries again what may have been done. */
const noAnswerToAction = (): ApiFault =>
  new ApiFault(0, { message: 'The server did not answer, so this may not have been done. Try again once it is back.' });

/** Milliseconds until an unreachable server is asked again. */
const pause = 2000;

/** What all requests share: the token of the session, and the listener for its end. */
export const shared = { csrf: '', expired: () => {} };

/**
 * The token of the session for which a page asks; undefined while its user is asked to log in again. What is shown is
 * asked for anew with the next one.
 */
export const SessionToken = createContext<string | undefined>('');

/** The fault of a request whose session has ended; it is shown once its user is logged in again. */
const tooLate = (): ApiFault =>
  new ApiFault(401, { message: 'Your session had ended, so this was not done. Try again.' });

// biome-ignore lint/suspicious/noExplicitAny: a declaration is invariant in its schemas; only `any` names "some route".
export type AnyRoute = RouteDeclaration<any, any, any, any, any>;

/** The address of a route with its parameters, and what is left for the body. */
export function addressed(route: AnyRoute, input: Readonly<Record<string, unknown>>) {
  const left = { ...input };
  const path = route.path.replace(/:(\w+)/g, (_, name: string) => {
    const value = left[name];
    delete left[name];
    return encodeURIComponent(String(value));
  });
  const query = new URLSearchParams();
  for (const name of Object.keys(route.query)) {
    const value = left[name];
    delete left[name];
    if (value !== undefined && value !== '') query.set(name, String(value));
  }
  const url = query.size === 0 ? path : `${path}?${query}`;
  return { url, body: route.body === undefined ? undefined : JSON.stringify(left) };
}

/** Asks the server; what it refuses is thrown as an ApiFault. */
export async function call<R extends AnyRoute>(
  route: R,
  input: RouteInput<R>,
  signal?: AbortSignal,
): Promise<RouteOutput<R>> {
  const { url, body } = addressed(route, input);
  const { csrf } = shared;
  const response = await fetch(url, {
    method: route.method,
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(route.method === 'GET' ? {} : { 'x-granary-csrf': csrf }),
    },
    ...(body === undefined ? {} : { body }),
    ...(signal === undefined ? {} : { signal }),
  }).catch((error: unknown) => {
    if (signal?.aborted) throw error;
    throw route.method === 'GET' ? noAnswer() : noAnswerToAction();
  });
  const answered = await response.json().catch(() => undefined);
  if (response.ok && answered !== undefined) return answered;
  if (response.status === 401 && route.role !== 'nobody') {
    // A refusal of the session before this one may come after the new login.
    if (csrf === shared.csrf) shared.expired();
    throw tooLate();
  }
  throw new ApiFault(response.status, answered?.error ?? { message: `The server answered ${response.status}.` });
}

/** What is known of an answer. */
export interface Fetched<T> {
  readonly data: T | undefined;
  readonly error: ApiFault | undefined;
  /** True until the first answer to this input. */
  readonly loading: boolean;
  reload(): void;
}

/** Asks when the input changes, and when told to. */
export function useApi<R extends AnyRoute>(
  route: R,
  input: RouteInput<R>,
  { skip = false }: { readonly skip?: boolean } = {},
): Fetched<RouteOutput<R>> {
  const key = `${route.path} ${JSON.stringify(input)}`;
  const [state, setState] = useState<{ key: string; data?: RouteOutput<R>; error?: ApiFault | undefined }>({ key });
  const [round, setRound] = useState(0);
  const token = useContext(SessionToken);
  // The key represents the input, and a new round sends the request again.
  useEffect(() => {
    if (skip || token === undefined) return;
    const abort = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    call(route, input, abort.signal).then(
      (data) => setState({ key, data }),
      (error: unknown) => {
        if (abort.signal.aborted) return;
        if (!(error instanceof ApiFault)) throw error;
        setState((before) => ({ ...(before.key === key ? before : {}), key, error }));
        if (error.status === 0) timer = setTimeout(() => setRound((before) => before + 1), pause);
      },
    );
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [key, round, skip, token]);
  const isCurrent = state.key === key;
  return {
    data: isCurrent ? state.data : undefined,
    error: isCurrent ? state.error : undefined,
    loading: !isCurrent || (state.data === undefined && state.error === undefined),
    reload: () => setRound((before) => before + 1),
  };
}
