import type { Writable } from 'node:stream';

/** Actions to run at the end of this turn of the event loop, before its output is sent. */
let actions: (() => void)[] = [];
let held: Writable[] = [];
let isAwaited = false;

/** Runs something at the end of the turn, before the turn's output is sent. */
export function beforeSending(action: () => void): void {
  actions.push(action);
  awaitEnd();
}

/** The maximum number of sockets held back: with so many, their clients could be working while the turn goes on. */
const mostHeld = 16;

/**
 * Holds back what is written to a socket until the end of the turn, or until it is much, and sends it together with all
 * other output of the turn. A write that wakes a sleeping process costs more than a whole small call: sent one after
 * another, responses wake it for each call; sent together, only once.
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

/** Runs and sends what waits for the end of the turn, because work that takes a whole turn is about to begin. */
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
