import { type SqlError, sqlError } from '../base/messages/sql-error.ts';
import { ownPart } from '../base/text/own-part.ts';
import type { SessionEntry } from '../procedure/server-view.ts';
import { loginFlags } from '../tds/message/login7.ts';
import { isolationLevels } from '../tsql/options.ts';
import type { Channel } from './channel.ts';
import type { ServerContext } from './context.ts';
import type { LoggedIn } from './login/login.ts';
import { SessionRecovery } from './login/session-recovery.ts';
import type { Response } from './requests/response.ts';
import { type HostEvents, SessionHost } from './session-host.ts';
import type { TransactionEvent } from './transactions/client-transaction.ts';
import { IdleTransaction } from './transactions/idle-transaction.ts';
import type { Holding, Reader } from './transactions/reader-gates.ts';

/** The running request of a session. */
export interface Running {
  /** Ends the running request, if any, with an error. */
  stop(error: SqlError): void;
  /** Empty while nothing runs. */
  readonly command: string;
  /** The text of T-SQL that runs. */
  readonly text: string | undefined;
  /** When it began, as performance.now() has it. */
  readonly began: number;
  readonly isBusy: boolean;
}

/** Characters of a text that the catalog shows: listing sessions processes the texts of all of them. */
const mostShown = 16_384;

/** What the catalog shows of a request that runs; nothing of a text with a password in it. */
function shownOf({ text, command, began }: Running) {
  const shown = text === undefined ? command : ownPart(text, 0, Math.min(text.length, mostShown));
  return {
    ...(/password/i.test(shown) ? {} : { text: shown }),
    elapsed: command === '' ? 0 : Math.round(performance.now() - began),
  };
}

/** What all requests of a logged-in client share; with MARS several can be active at a time. */
export class SharedSession implements HostEvents, Reader {
  readonly spid: number;
  /** The key by which logins are compared. */
  readonly login: string;
  readonly context: ServerContext;
  readonly loggedIn: LoggedIn;
  readonly host: SessionHost;
  readonly recovery: SessionRecovery | undefined;
  readonly idle: IdleTransaction;
  readonly streams = new Set<Running>();
  /** The response of the running request, which carries what the session reports. */
  response: Response;
  readonly #channel: Channel;

  constructor(spid: number, channel: Channel, context: ServerContext, loggedIn: LoggedIn) {
    this.spid = spid;
    this.login = loggedIn.login.toLowerCase();
    this.context = context;
    this.loggedIn = loggedIn;
    this.response = loggedIn.response;
    this.#channel = channel;
    const { login, through, authentication, isAdministrator, isReadOnly = false, client, response } = loggedIn;
    this.host = new SessionHost(
      context,
      {
        spid,
        login,
        through,
        authentication,
        user: isAdministrator ? 'dbo' : login,
        host: client.hostName,
        program: client.appName,
        processId: client.clientPid,
        isAdministrator,
        isReadOnly,
      },
      {
        odbc: (client.optionFlags2 & loginFlags.odbc) !== 0,
        knowsNoLimit: response.dialect.atLeast73,
        clientAddress: channel.address,
        serverAddress: channel.localAddress,
        port: channel.localPort,
      },
      loggedIn,
      this,
    );
    this.recovery = loggedIn.recovery && new SessionRecovery(this.host, loggedIn.recovery.lost);
    this.idle = new IdleTransaction(this.host, context.limits.idleTransactionTimeout);
  }

  transaction(event: TransactionEvent, descriptor: bigint): Promise<void> | undefined {
    this.response.transactionChanged(event, descriptor);
    if (event === 'begun') return undefined;
    return this.context.view.locks.releaseAll({ spid: this.spid, scope: 'Transaction' });
  }

  databaseChanged(to: string, from: string): void {
    this.response.databaseChanged(to, from);
  }

  stalledSince(): number | undefined {
    return this.#channel.stalledSince;
  }

  cut(): void {
    this.#channel.destroy();
  }

  /** Ends the running request and the transaction, which has lasted too long. */
  expire(what: Holding): void {
    if (what === 'transaction') this.idle.expire();
    for (const stream of this.streams) if (stream.isBusy) stream.stop(sqlError(3966));
  }

  /** Ends the client's transaction, if there is one, because others wait for what it holds in tempdb. */
  endTransaction(): void {
    if (this.host.transactions.count === 0) return;
    this.host.log.lines().warn('a transaction was ended, others had to wait for too long', { database: 'tempdb' });
    this.expire('transaction');
  }

  /** The client is gone. */
  async close(): Promise<void> {
    await this.idle.close();
    await this.host.close();
  }

  /** The session as the catalog lists it. */
  entry(connected: Date): SessionEntry {
    const { client, tdsVersion } = this.loggedIn;
    const busy = [...this.streams].find(({ isBusy }) => isBusy);
    return {
      spid: this.host.identity.spid,
      login: this.host.identity.login,
      authentication: this.host.identity.authentication,
      host: client.hostName,
      program: client.appName,
      clientInterface: client.libraryName,
      processId: client.clientPid,
      database: this.host.database,
      address: this.#channel.address,
      connected,
      status: busy === undefined ? 'sleeping' : 'running',
      command: busy?.command ?? '',
      ...(busy && shownOf(busy)),
      transactions: this.host.transactions.count,
      encrypted: this.#channel.encrypted,
      tdsVersion,
      packetSize: this.loggedIn.response.packetSize,
      settings: { ...this.host.options, isolationLevel: isolationLevels[this.host.options.isolation] },
    };
  }
}
