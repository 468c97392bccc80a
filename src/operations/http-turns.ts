import type { Socket } from 'node:net';
import { nextTurn, workingFor } from '../base/threads/rota.ts';

/**
 * Schedules HTTP requests: one starts per turn of the event loop, connections in rotation. Anyone may send requests,
 * and TDS sessions are served in the same turns: however many requests come, those wait for one of them.
 */
export class HttpTurns {
  readonly #lines = new Map<Socket, (() => void)[]>();
  #isServing = false;

  /** Resolves when the next request of a connection may begin. */
  next(socket: Socket): Promise<void> {
    return new Promise((resolve) => {
      const line = this.#lines.get(socket);
      if (line === undefined) this.#lines.set(socket, [resolve]);
      else line.push(resolve);
      if (!this.#isServing) void this.#serve();
    });
  }

  async #serve(): Promise<void> {
    this.#isServing = true;
    for (let [first] = this.#lines; first !== undefined; [first] = this.#lines) {
      await workingFor('http', nextTurn);
      const [socket, line] = first;
      this.#lines.delete(socket);
      // A client that has disconnected needs no answer.
      const begun = line.splice(0, socket.destroyed ? line.length : 1);
      if (line.length > 0) this.#lines.set(socket, line);
      for (const begin of begun) begin();
    }
    this.#isServing = false;
  }
}
