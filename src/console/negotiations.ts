import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { SqlError, sqlError } from '../base/messages/sql-error.ts';
import type { Vouched } from '../base/vouched.ts';
import type { ConsoleServer, WindowsProof } from './console-server.ts';
import { refused } from './refusal.ts';

/** The header with a token: RFC 4559's, and the older one that names NTLM. */
const tokenHeader = /^(Negotiate|NTLM) +([A-Za-z0-9+/]+=*)$/i;

/** True if a request contains a proof of a Windows user. */
export const bringsToken = ({ headers: { authorization = '' } }: IncomingMessage): boolean =>
  tokenHeader.test(authorization);

/** The proofs of Windows users over HTTP (RFC 4559): all tokens of one come on the same connection. */
export class Negotiations {
  readonly #server: Pick<ConsoleServer, 'windows' | 'log'>;
  /** Those that wait for the client's next token. */
  readonly #open = new WeakMap<Socket, WindowsProof>();

  constructor(server: Pick<ConsoleServer, 'windows' | 'log'>) {
    this.#server = server;
  }

  /** Tells a client that it may authenticate as a Windows user, if it may. */
  offer(response: ServerResponse): void {
    if (this.#server.windows !== undefined) response.setHeader('www-authenticate', 'Negotiate');
  }

  /** Who the sender of a request is; refuses with 401, and the server's token, as long as that is not proven. */
  async prove(request: IncomingMessage, response: ServerResponse): Promise<Vouched> {
    const { windows } = this.#server;
    if (windows === undefined) throw refused(401, sqlError(18452).message, 18452);
    const [, scheme = '', coded = ''] = tokenHeader.exec(request.headers.authorization ?? '') ?? [];
    if (coded === '') {
      this.offer(response);
      throw refused(
        401,
        'No Windows credentials were sent: there is no ticket, or the browser does not send it to this address.',
      );
    }
    const { socket } = request;
    const proof = this.#open.get(socket) ?? windows.begin(socket);
    // Another request on the same connection starts over.
    this.#open.delete(socket);
    const { reply, admitted } = await this.#take(proof, Buffer.from(coded, 'base64'), request, response);
    if (reply.length > 0) response.setHeader('www-authenticate', `${scheme} ${Buffer.from(reply).toString('base64')}`);
    if (admitted === undefined) {
      this.#open.set(socket, proof);
      throw refused(401, 'Authentication is not complete: the next token is expected on this connection.');
    }
    proof[Symbol.dispose]();
    return admitted;
  }

  async #take(proof: WindowsProof, token: Buffer, { socket }: IncomingMessage, response: ServerResponse) {
    try {
      return await proof.take(token);
    } catch (error) {
      proof[Symbol.dispose]();
      if (!(error instanceof SqlError)) throw error;
      const { number, message, cause } = error;
      const reason = cause instanceof Error ? { reason: cause.message } : {};
      this.#server.log.warn('login refused', { address: socket.remoteAddress ?? '', number, console: true, ...reason });
      // Who is known but has no login gains nothing by another proof.
      const isKnown = number === 18456;
      if (!isKnown) this.offer(response);
      throw refused(isKnown ? 403 : 401, message, number);
    }
  }
}
