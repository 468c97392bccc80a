import type { Writable } from 'node:stream';

/** What is done, and then sent, at the end of this turn of the event loop. */
let actions: (() => void)[] = [];
let held: Writable[] = [];
let isAwaited = false;

/** Does something at the end of the turn, before what the turn has written is sent. */
export function beforeSending(action: () => void): void {
  actions.push(action);
  awaitEnd();
}

/** Sockets whose bytes are held back: when there are so many, their clients could work while the turn goes on. */
const mostHeld = 16;

/**
 * Has what is written to a socket from now on sent when the turn is over, together with all else that the turn sends, or
 * earlier when that is much. A write that wakes a sleeping process costs more than the whole of a small call: one after
 * another they wake it for each call, all at once they wake it once.
 */
export function sendAfterTurn(socket: Writable): void {
  if (socket.writableCorked > 0) return;
  if (held.length >= mostHeld) send();
  socket.cork();
  held.push(socket);
  awaitEnd();
}

function awaitEnd(): void {
  if (isAwaited) return;
  isAwaited = true;
  setImmediate(() => {
    isAwaited = false;
    sendNow();
  });
}

/** Does and sends what waits for the end of the turn: work that takes a whole turn is about to begin. */
export function sendNow(): void {
  const due = actions;
  actions = [];
  for (const action of due) action();
  send();
}

function send(): void {
  const sockets = held;
  held = [];
  for (const socket of sockets) socket.uncork();
}
