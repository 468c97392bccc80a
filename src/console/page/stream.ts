/** How a stream of events is doing. */
export type StreamState = 'connecting' | 'open' | 'lost';

interface Listener {
  onEvent(kind: 'message' | 'fault', data: string): void;
  onState(state: StreamState): void;
  /** The server refuses the stream; an ordinary request shows why. It is tried again after this many milliseconds. */
  onRefused(): void;
}

/** Milliseconds between two attempts if the server refuses. */
const pause = 2000;

/**
 * Follows server-sent events; a broken stream is resumed after its last event, by the browser or here. Another stream
 * with the same `seen` continues after the last event of both.
 */
export function openStream(
  url: string,
  { onEvent, onState, onRefused }: Listener,
  seen: { id: string } = { id: '' },
): () => void {
  let source: EventSource | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const open = () => {
    const joint = url.includes('?') ? '&' : '?';
    source = new EventSource(seen.id === '' ? url : `${url}${joint}lastEventId=${encodeURIComponent(seen.id)}`);
    source.onopen = () => onState('open');
    for (const kind of ['message', 'fault'] as const) {
      source.addEventListener(kind, (event: MessageEvent<string>) => {
        seen.id = event.lastEventId;
        onEvent(kind, event.data);
      });
    }
    source.onerror = () => {
      onState('lost');
      if (source?.readyState !== EventSource.CLOSED) return; // the browser tries again by itself
      onRefused();
      timer = setTimeout(open, pause);
    };
  };
  open();
  return () => {
    clearTimeout(timer);
    source?.close();
  };
}
