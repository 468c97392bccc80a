import type { Server } from 'node:http';
import type { Server as SecureServer } from 'node:https';
import type { Socket } from 'node:net';
import type { HttpTurns } from './http-turns.ts';

/** Milliseconds that parsing a chunk takes only if it has thousands of parts: a chunk of a usual body takes a hundredth. */
const long = 1;

/**
 * Lets a connection whose bytes take long to parse wait for a turn after each chunk. Node reads 32 chunks of 64 KB of
 * each connection in a row, and one of them may have ten thousand parts of a body in chunked encoding, or requests.
 */
export function readInTurns(server: Server | SecureServer, turns: HttpTurns): void {
  const event = 'setSecureContext' in server ? 'secureConnection' : 'connection';
  server.on(event, (socket: Socket) => {
    const resume = socket.resume.bind(socket);
    let began = 0;
    let isResting = false;
    // Node resumes the socket for every part of a body that is read.
    socket.resume = () => (isResting ? socket : resume());
    // Node parses beneath the socket's own stream, which cannot be paused then, unless somebody else listens too.
    socket.prependListener('data', () => {
      began = performance.now();
    });
    socket.on('data', () => {
      if (performance.now() - began < long) return;
      isResting = true;
      socket.pause();
      void turns.next(socket).then(() => {
        isResting = false;
        resume();
      });
    });
  });
}
