import { hostname } from 'node:os';
import { release } from '../base/release.ts';
import { SqlError, sqlError } from '../base/sql-error.ts';
import type { AuthenticationScheme } from '../procedure/server-view.ts';
import { type Negotiation, type Proven, Refused } from '../sspi/negotiation.ts';
import type { WindowsAuthentication } from '../sspi/windows-authentication.ts';
import { ByteWriter } from '../tds/byte-writer.ts';
import { defaultPacketSize, type Message, packetize, packetTypes } from '../tds/packet/index.ts';
import { writeSspi } from '../tds/token/index.ts';
import type { Channel } from './channel.ts';
import type { ServerContext } from './context.ts';
import type { RoleHolder } from './current-database.ts';

/** Tokens that a client may send; Kerberos takes one or two, NTLM two or three. */
const mostTokens = 8;
/** Security identifiers of groups that a refusal lists, for whoever looks for the one to make a login of. */
const mostShown = 40;

/** A Windows user that has been let in. */
export interface WindowsLogin extends RoleHolder {
  readonly authentication: AuthenticationScheme;
  /** The server's last token, to be sent with LOGINACK; it may be empty. */
  readonly reply: Uint8Array;
}

/**
 * Lets a client prove by SSPI who it is: 18452 when it does not, 18456 when there is no login for it. Why is for the log
 * only, as the cause of the error.
 */
export async function windowsLogin(
  spid: number,
  channel: Channel,
  context: ServerContext,
  token: Uint8Array,
): Promise<WindowsLogin> {
  const { proven, reply } = await prove(spid, channel, context, Buffer.from(token));
  const admitted = await context.accounts.windows.admit(proven);
  if (admitted !== undefined) return { ...admitted, authentication: proven.scheme, reply };
  const { name, groups } = proven;
  const listed = groups.length === 0 ? 'no group' : `the groups ${groups.slice(0, mostShown).join(', ')}`;
  throw because(sqlError(18456, name), `there is no login for ${name}, nor for ${listed}`);
}

type ProvenAtLast = { readonly proven: Proven; readonly reply: Uint8Array };

async function prove(spid: number, channel: Channel, context: ServerContext, token: Buffer): Promise<ProvenAtLast> {
  const { windows } = context;
  if (windows === undefined) throw because(sqlError(18452), 'Windows authentication is not configured');
  let negotiation: Negotiation | undefined;
  try {
    // Its answer can be tried out off line, and whoever passes it on is let in: it needs a channel of its own.
    if (windows.schemeOf(token) === 'NTLM' && !channel.encrypted && !channel.loopback) {
      throw because(sqlError(17835), 'NTLM over a connection that is not encrypted');
    }
    negotiation = windows.begin(token, channel);
    return await exchange(spid, channel, context, windows, negotiation, token);
  } catch (error) {
    if (error instanceof Refused) throw because(sqlError(18452), error.message);
    throw error;
  } finally {
    negotiation?.close();
    release(token);
  }
}

async function exchange(
  spid: number,
  channel: Channel,
  context: ServerContext,
  windows: WindowsAuthentication,
  negotiation: Negotiation,
  first: Buffer,
): Promise<ProvenAtLast> {
  let token = first;
  for (let count = 1; count <= mostTokens; count++) {
    const { reply, proven } = await negotiation.step(token);
    if (proven !== undefined) {
      const hosts = [hostname(), context.view.name, 'localhost', channel.localAddress.replace(/^::ffff:/, '')];
      windows.checkProtection(proven, channel.bindings, { hosts, port: channel.localPort });
      return { proven, reply };
    }
    const out = new ByteWriter(reply.length + 3);
    writeSspi(out, reply);
    channel.write(packetize(out.take(), { type: packetTypes.reply, packetSize: defaultPacketSize, spid }));
    token = nextToken(await channel.receive());
  }
  throw new Refused(`no proof after ${mostTokens} tokens`);
}

/** The client's next token: a message of its own type (MS-TDS 2.2.1.2), which python-tds sends as a login. */
function nextToken(message: Message | undefined): Buffer {
  if (message === undefined) throw new Refused('the client left in the midst of it');
  if (message.type !== packetTypes.sspi && message.type !== packetTypes.login7) throw sqlError(17832);
  // The message's own memory may be used again.
  return Buffer.from(message.payload);
}

/** The error with its reason as the cause. */
function because({ number, message, severity, state }: SqlError, reason: string): SqlError {
  return new SqlError(number, message, { severity, state, cause: new Error(reason) });
}
