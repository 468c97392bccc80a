import { useEffect, useRef, useState } from 'preact/hooks';
import type { RouteEvent, RouteInput } from '../api/declare.ts';
import { type AnyRoute, addressed } from './fetch.ts';

/** How a stream of events is doing. */
type StreamState = 'connecting' | 'open' | 'lost';

/** Hands out events as they come; a stream that breaks is taken up where it ended. */
export function useEvents<R extends AnyRoute>(
  route: R,
  input: RouteInput<R>,
  on: (event: RouteEvent<R>) => void,
  { paused = false }: { readonly paused?: boolean } = {},
): StreamState {
  const [state, setState] = useState<StreamState>('connecting');
  const heard = useRef(on);
  heard.current = on;
  const key = JSON.stringify(input);
  // The key stands for the input.
  useEffect(() => {
    if (paused) return;
    const { url } = addressed(route, input);
    let source: EventSource | undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let last = '';
    const open = () => {
      const joint = url.includes('?') ? '&' : '?';
      source = new EventSource(last === '' ? url : `${url}${joint}lastEventId=${encodeURIComponent(last)}`);
      source.onopen = () => setState('open');
      source.onmessage = (event: MessageEvent<string>) => {
        last = event.lastEventId;
        heard.current(JSON.parse(event.data));
      };
      source.onerror = () => {
        setState('lost');
        if (source?.readyState !== EventSource.CLOSED) return; // the browser tries again by itself
        timer = setTimeout(open, 1000);
      };
    };
    open();
    return () => {
      clearTimeout(timer);
      source?.close();
    };
  }, [route.path, key, paused]);
  return state;
}
