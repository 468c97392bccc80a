import { useEffect, useRef, useState } from 'preact/hooks';
import type { RouteEvent, RouteInput } from '../api/declare.ts';
import { whoAmI } from '../api/session.ts';
import { type AnyRoute, addressed, call } from './fetch.ts';
import { openStream, type StreamState } from './stream.ts';
import { takePlace } from './stream-place.ts';

/** Milliseconds between two tries for a place. */
const pause = 2000;

/** Hands out events as they come; a stream that breaks is taken up where it ended. */
export function useEvents<R extends AnyRoute>(
  route: R,
  input: RouteInput<R>,
  on: (event: RouteEvent<R>) => void,
  { paused = false }: { readonly paused?: boolean } = {},
): StreamState | 'crowded' {
  const [state, setState] = useState<StreamState | 'crowded'>('connecting');
  const heard = useRef(on);
  heard.current = on;
  const key = JSON.stringify(input);
  // The key stands for the input.
  useEffect(() => {
    if (paused) return;
    const ended = new AbortController();
    const begin = async () => {
      while (!(await takePlace(ended.signal))) {
        if (ended.signal.aborted) return;
        setState('crowded');
        await new Promise((resolve) => setTimeout(resolve, pause));
      }
      const close = openStream(addressed(route, input).url, {
        onEvent: (_kind, text) => heard.current(JSON.parse(text)),
        onState: setState,
        // It may be that the session has ended, which asking finds out.
        onRefused: () => void call(whoAmI, {}).catch(() => {}),
      });
      ended.signal.addEventListener('abort', close);
    };
    void begin();
    return () => ended.abort();
  }, [route.path, key, paused]);
  return state;
}
