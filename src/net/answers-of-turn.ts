import type { Socket } from 'node:net';

/** The sockets whose answers wait for the end of this turn of the event loop. */
let held: Socket[] = [];

/**
 * Has what is written to a socket from now on sent when the turn is over, together with the other answers of the turn. A
 * write that wakes a sleeping client costs the server more than the whole of a small call: one after another they wake
 * it for each of its connections, all at once they wake it once.
 */
export function sendAfterTurn(socket: Socket): void {
  if (socket.writableCorked > 0) return;
  socket.cork();
  if (held.push(socket) === 1) setImmediate(sendAll);
}

function sendAll(): void {
  const sockets = held;
  held = [];
  for (const socket of sockets) socket.uncork();
}
