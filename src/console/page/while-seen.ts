/** Begins something whenever the page is visible and ends it when it is not. */
export function whileSeen(begin: (until: AbortSignal) => void): () => void {
  let abort: AbortController | undefined;
  const attend = () => {
    abort?.abort();
    abort = undefined;
    if (document.hidden) return;
    abort = new AbortController();
    begin(abort.signal);
  };
  attend();
  document.addEventListener('visibilitychange', attend);
  return () => {
    document.removeEventListener('visibilitychange', attend);
    abort?.abort();
  };
}
