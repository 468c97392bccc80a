import { useContext, useEffect, useState } from 'preact/hooks';
import type { RouteInput, RouteOutput } from '../api/declare.ts';
import { type AnyRoute, ApiFault, addressed, call, type Fetched, noAnswer, SessionToken } from './fetch.ts';
import { openStream } from './stream.ts';
import { takePlace } from './stream-place.ts';
import { whileSeen } from './while-seen.ts';

interface Listener<T> {
  onData(data: T): void;
  onFault(fault: ApiFault | undefined): void;
}

/** Sends one request; a refusal is reported. */
async function look<R extends AnyRoute>(
  route: R,
  input: RouteInput<R>,
  { onData, onFault }: Listener<RouteOutput<R>>,
  signal: AbortSignal,
): Promise<void> {
  try {
    onData(await call(route, input, signal));
  } catch (error) {
    if (signal.aborted) return;
    if (!(error instanceof ApiFault)) throw error;
    onFault(error);
  }
}

/** Follows the answer of a route: by events if a stream is free, otherwise by repeated requests. */
async function follow<R extends AnyRoute>(
  route: R,
  input: RouteInput<R>,
  listener: Listener<RouteOutput<R>>,
  signal: AbortSignal,
): Promise<void> {
  while (!(await takePlace(signal))) {
    if (signal.aborted) return;
    await look(route, input, listener, signal);
    await new Promise((resolve) => setTimeout(resolve, route.live));
  }
  const close = openStream(addressed(route, input).url, {
    onEvent: (kind, text) => {
      const data = JSON.parse(text);
      if (kind === 'message') listener.onData(data);
      else listener.onFault(new ApiFault(data.status, data.error));
    },
    onState: (state) => listener.onFault(state === 'lost' ? noAnswer() : undefined),
    onRefused: () => void look(route, input, listener, signal),
  });
  signal.addEventListener('abort', close);
}

/**
 * The answer of a route, now and whenever it changes while the page is visible; the last one stays while requests fail.
 */
export function useLive<R extends AnyRoute>(route: R, input: RouteInput<R>): Fetched<RouteOutput<R>> {
  const key = `${route.path} ${JSON.stringify(input)}`;
  const [state, setState] = useState<{ key: string; data?: RouteOutput<R>; error?: ApiFault | undefined }>({ key });
  const listener: Listener<RouteOutput<R>> = {
    onData: (data) => setState({ key, data }),
    onFault: (error) => setState((before) => ({ ...(before.key === key ? before : {}), key, error })),
  };
  const token = useContext(SessionToken);
  // The key represents the input.
  useEffect(
    () => (token === undefined ? undefined : whileSeen((until) => void follow(route, input, listener, until))),
    [key, token],
  );
  const isCurrent = state.key === key;
  return {
    data: isCurrent ? state.data : undefined,
    error: isCurrent ? state.error : undefined,
    loading: !isCurrent || (state.data === undefined && state.error === undefined),
    reload: () => void look(route, input, listener, new AbortController().signal),
  };
}
