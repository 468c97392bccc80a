import { useContext, useEffect, useRef, useState } from 'preact/hooks';
import type { RouteEvent, RouteInput } from '../api/declare.ts';
import { whoAmI } from '../api/session.ts';
import { type AnyRoute, addressed, call, SessionToken } from './fetch.ts';
import { openStream, type StreamState } from './stream.ts';
import { takePlace } from './stream-place.ts';
import { whileSeen } from './while-seen.ts';

/** Milliseconds between two tries for a place. */
const pause = 2000;

/** Passes on events as they arrive while the page is visible; a broken stream is resumed where it ended. */
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
  const token = useContext(SessionToken);
  // The key represents the input.
  useEffect(() => {
    if (paused || token === undefined) return;
    const seen = { id: '' };
    const begin = async (until: AbortSignal) => {
      while (!(await takePlace(until))) {
        if (until.aborted) return;
        setState('crowded');
        await new Promise((resolve) => setTimeout(resolve, pause));
      }
      const listener = {
        onEvent: (_kind: string, text: string) => heard.current(JSON.parse(text)),
        onState: setState,
        // It may be that the session has ended, which asking finds out.
        onRefused: () => void call(whoAmI, {}).catch(() => {}),
      };
      const close = openStream(addressed(route, input).url, listener, seen);
      until.addEventListener('abort', close);
    };
    return whileSeen((until) => void begin(until));
  }, [route.path, key, paused, token]);
  return state;
}
