import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';

/** Milliseconds that a client has to read the remaining output and close its side. */
const patience = 5_000;

/**
 * Ends a connection so that its last output arrives. Bytes that the client still sends are read and dropped, because
 * closing a socket with unread input resets the connection and discards its output. Resolves when the socket is closed.
 */
export function hangUp(socket: Socket, tls: TLSSocket | undefined): Promise<void> {
  if (socket.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = setTimeout(() => socket.destroy(), patience);
    socket.once('close', () => {
      clearTimeout(timer);
      resolve();
    });
    if (tls) tls.end(() => socket.end());
    else socket.end();
    socket.resume();
  });
}
