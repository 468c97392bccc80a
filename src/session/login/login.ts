import type { LogFields } from '../../base/log/log.ts';
import { SqlError, sqlError } from '../../base/messages/sql-error.ts';
import { type AuthenticationScheme, loginItself, type Vouched } from '../../base/vouched.ts';
import { everyDatabase } from '../../engine/names.ts';
import { toSqlError } from '../../procedure/run/fault.ts';
import { decodeLogin7, featureIds, type Login7, loginFlags } from '../../tds/message/login7.ts';
import { decodeLostSession, type LostSession } from '../../tds/message/session-recovery.ts';
import { clampPacketSize } from '../../tds/packet/index.ts';
import { dialectOf, tdsVersions } from '../../tds/version.ts';
import type { Channel } from '../channel.ts';
import type { ServerContext } from '../context.ts';
import { CurrentDatabase, type RoleHolder } from '../current-database.ts';
import { Response } from '../requests/response.ts';
import { mayBePlain } from './prelogin.ts';
import { type WindowsLogin, windowsLogin } from './windows-login.ts';

/** The maximum packet size inside TLS: what fits into one record, as in SQL Server. */
const mostEncrypted = 16_383;

/** What is known of a login before it is read. */
interface LoginLimits {
  /** True if the connection limit is already reached. */
  readonly full: boolean;
  /** When to report that the database has not responded, by `performance.now()`: shortly before the login timeout. */
  readonly answerBy: number;
}

/** A client that has logged in. */
export interface LoggedIn {
  readonly login: string;
  readonly through: readonly string[];
  readonly authentication: AuthenticationScheme;
  /** Whether it is an admin of all databases, like sa. */
  readonly isAdministrator: boolean;
  /** Whether its session is read-only, whatever its rights. */
  readonly isReadOnly?: boolean;
  /** The client as LOGIN7 describes it; the rest, above all the password, is not kept. */
  readonly client: Pick<Login7, 'hostName' | 'appName' | 'libraryName' | 'clientPid' | 'optionFlags2'>;
  /** The negotiated TDS version, as in LOGINACK. */
  readonly tdsVersion: number;
  /** The database of the login. */
  readonly home: CurrentDatabase;
  /** The database that the session begins in. */
  readonly current: CurrentDatabase;
  readonly response: Response;
  /** Present for a client that requests session recovery; `lost` is the session to recover now. */
  readonly recovery?: { readonly lost: LostSession | undefined };
}

/**
 * Decodes LOGIN7, authenticates the client, opens its database and responds; undefined if the login was refused.
 */
export async function answerLogin(
  spid: number,
  channel: Channel,
  context: ServerContext,
  payload: Buffer,
  { full, answerBy }: LoginLimits,
): Promise<LoggedIn | undefined> {
  const request = decodeLogin7(payload);
  const tdsVersion = agreedVersion(request.tdsVersion);
  const response = new Response(channel, dialectOf(tdsVersion), spid, context.view.name);
  const attempt: Attempt = { spid, channel, context, request, answerBy, who: request.userName };
  try {
    const { reply, ...admitted } = await (full ? admitBeyond : admit)(attempt);
    const asksFor = (feature: number) => request.features.find(({ id }) => id === feature);
    const recovery = asksFor(featureIds.sessionRecovery);
    const lost = recovery && decodeLostSession(recovery.data);
    const current = lost?.database ? await inTime(attempt, openHome(context, admitted, lost.database)) : admitted.home;
    const asked = clampPacketSize(request.packetSize || context.limits.packetSize);
    const packetSize = channel.encrypted ? Math.min(asked, mostEncrypted) : asked;
    const features = { utf8: asksFor(featureIds.utf8) !== undefined, recovery: recovery !== undefined };
    if (reply !== undefined && reply.length > 0) response.sspi(reply);
    response.welcome(current.name, tdsVersion, context.view, packetSize, features);
    await response.end();
    response.packetSize = packetSize;
    channel.admit(admitted.login);
    context.measures.admitted();
    const { hostName, appName, libraryName, clientPid, optionFlags2 } = request;
    return {
      ...admitted,
      client: { hostName, appName, libraryName, clientPid, optionFlags2 },
      tdsVersion,
      current,
      response,
      ...(recovery === undefined ? {} : { recovery: { lost } }),
    };
  } catch (thrown) {
    const who = subjectOf(attempt, thrown);
    const error = toSqlError(thrown, context.log.with(who));
    if (channel.closed.aborted) return undefined; // a client that has hung up was not refused
    const { number, cause } = error;
    context.measures.refused(number);
    const reason = cause instanceof Error ? { reason: cause.message } : {};
    context.log.warn('login refused', { ...who, number, ...reason });
    await refuse(response, attempt, error);
    return undefined;
  }
}

/**
 * What the log line of a refusal is about: the client; or only the database, if the cause is a full or failing disk, an
 * unavailable PostgreSQL or a damaged file. Every login then fails in the same way, and a line without the client is
 * the same for all of them, so it is written only once a minute.
 */
function subjectOf({ spid, who, channel, request: { database } }: Attempt, thrown: unknown): LogFields {
  if (thrown instanceof SqlError && isOfServer(thrown)) return { database, error: thrown.message };
  return { session: spid, login: who, address: channel.address };
}

const isOfServer = ({ severity, number }: SqlError): boolean =>
  (severity >= 17 && severity < 20) || severity === 24 || number === 926;

/** A refused login ends with ERROR and DONE: without them FreeTDS retries with an older protocol. */
async function refuse(response: Response, { who, request: { database } }: Attempt, error: SqlError): Promise<void> {
  response.error(error);
  if (error.number === 926) response.error(sqlError(4060, database));
  if (error.number === 4060 || error.number === 926) response.error(sqlError(18456, who));
  response.done('batch', { command: 'other', failed: true });
  await response.end();
}

/** However full the server is, an administrator on the machine itself must be able to log in. */
async function admitBeyond(attempt: Attempt): Promise<Admitted> {
  const tooMany = sqlError(17809, 'configured');
  if (!attempt.channel.loopback) throw tooMany;
  try {
    const admitted = await admit(attempt);
    if (admitted.isAdministrator) return admitted;
  } catch (error) {
    if (!(error instanceof SqlError)) throw error;
  }
  throw tooMany;
}

/** A login that is being checked. */
interface Attempt {
  readonly spid: number;
  readonly channel: Channel;
  readonly context: ServerContext;
  readonly request: Login7;
  readonly answerBy: number;
  /** The name of the login, if known: a Windows user is known only once authenticated. */
  who: string;
}

/** The accepted login, with the last token of an SSPI login. */
type Admitted = Pick<LoggedIn, 'login' | 'through' | 'authentication' | 'home' | 'isAdministrator' | 'isReadOnly'> &
  Pick<Partial<WindowsLogin>, 'reply'>;

async function admit(attempt: Attempt): Promise<Admitted> {
  const { spid, channel, context, request } = attempt;
  if (!channel.loginEncrypted && !mayBePlain(channel, context.encryption)) throw sqlError(17835);
  const isIntegrated = request.optionFlags2 & loginFlags.integratedSecurity || request.sspi.length > 0;
  const holder = isIntegrated ? await windowsLogin(spid, channel, context, request.sspi) : await passwordLogin(attempt);
  attempt.who = holder.login;
  const home = await inTime(attempt, openHome(context, holder, request.database));
  const isAdministrator =
    (await inTime(attempt, context.accounts.roleOfAny(holder.through, everyDatabase))) === 'admin';
  return { ...holder, home, isAdministrator };
}

/**
 * The result of checking a login, or an error if it takes so long that the login timeout would close the connection
 * without a message.
 */
async function inTime<T>({ answerBy }: Attempt, work: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(notAnswered()), Math.max(0, answerBy - performance.now()));
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

const notAnswered = () =>
  new SqlError(40613, 'The database is not currently available: it did not respond. Please log in again later.', {
    severity: 17,
  });

async function passwordLogin(attempt: Attempt): Promise<RoleHolder & Vouched> {
  const { channel, context, request } = attempt;
  const isReadOnly = channel.isReadOnly === true;
  if (channel.vouchedFor !== undefined) return { ...channel.vouchedFor, isReadOnly };
  const { userName, password } = request;
  const verified = context.accounts.verify(userName, password, channel.address, channel.closed);
  const principal = await inTime(attempt, verified);
  if (!principal) throw sqlError(18456, request.userName);
  if (request.optionFlags3 & loginFlags.changePassword) {
    await context.accounts.setPassword(principal.login, request.newPassword);
  } else if (principal.mustChangePassword) throw sqlError(18488, request.userName);
  return { ...loginItself(principal.login), isReadOnly };
}

async function openHome(context: ServerContext, holder: RoleHolder, asked: string): Promise<CurrentDatabase> {
  try {
    return await CurrentDatabase.open(context, holder, asked || 'master');
  } catch (error) {
    if (error instanceof SqlError && error.number === 911) throw sqlError(4060, asked);
    throw error;
  }
}

/** The highest common version: the client's, unless it is newer than 7.4 or older than 7.0. */
function agreedVersion(asked: number): number {
  if (asked === tdsVersions['8.0']) return asked;
  const known = [
    tdsVersions['7.4'],
    tdsVersions['7.3B'],
    tdsVersions['7.3A'],
    tdsVersions['7.2'],
    tdsVersions['7.1'],
    tdsVersions['7.0'],
  ];
  const agreed = known.find((version) => version >>> 16 <= asked >>> 16);
  if (agreed === undefined) throw sqlError(17832);
  return agreed;
}
