import { packetTypes } from '../../src/tds/packet/index.ts';
import type { Token } from '../../src/tds/token/index.ts';
import { RawClient } from '../robustness/support/raw-client.ts';
import { only } from '../robustness/support/tokens.ts';

/** The client's side of a proof: its first token, and its answer to each of the server's. */
export interface Initiator {
  first(): Buffer;
  second(reply: Buffer): Buffer | undefined;
}

/** Logs in by SSPI over a connection and returns the last answer; tokens are exchanged as long as the server asks for them. */
export async function sspiLogin(client: RawClient, initiator: Initiator, database = 'Lab'): Promise<Token[]> {
  let tokens = await client.logIn({
    userName: '',
    password: '',
    database,
    optionFlags2: 0x80,
    sspi: initiator.first(),
  });
  for (let count = 0; count < 10; count++) {
    const [asked] = only(tokens, 'sspi');
    if (asked === undefined || tokens.length > 1) break;
    const answer = initiator.second(Buffer.from(asked.data));
    if (answer === undefined) break;
    client.send(packetTypes.sspi, answer);
    tokens = await client.tokens();
  }
  return tokens;
}

/** Connects without TLS and logs in by SSPI. */
export async function sspiConnect(
  port: number,
  initiator: Initiator,
  host = '127.0.0.1',
): Promise<{ readonly client: RawClient; readonly tokens: Token[] } & AsyncDisposable> {
  const client = await RawClient.connect(port, host);
  await client.prelogin();
  const tokens = await sspiLogin(client, initiator);
  return { client, tokens, [Symbol.asyncDispose]: () => client[Symbol.asyncDispose]() };
}
