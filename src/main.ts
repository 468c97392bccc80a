import type { Duplex } from 'node:stream';
import { Accounts } from './accounts/accounts.ts';
import { Administration } from './accounts/administration.ts';
import { defaultCost, type HashCost } from './accounts/password.ts';
import { type Clock, systemClock } from './base/clock.ts';
import { hostAndPort } from './base/host-and-port.ts';
import { type Log, silentLog } from './base/log/log.ts';
import { Measures, single } from './base/log/measures.ts';
import type { Tracer } from './base/log/tracer.ts';
import type { Service } from './base/service.ts';
import { Threads } from './base/threads/threads.ts';
import type { Vouched } from './base/vouched.ts';
import { lockDataFolder } from './cli/data-lock.ts';
import type { Settings } from './cli/settings.ts';
import { productVersion } from './cli/version-command.ts';
import { Console } from './console/console.ts';
import type { WindowsSignOn } from './console/console-server.ts';
import { createEngine, type EngineParts } from './create-engine.ts';
import type { Engine } from './engine/engine.ts';
import { ownDatabases } from './engine/names.ts';
import { contentsOfNew, createFirstDatabases, generatePassword } from './first-start.ts';
import { InnerWorkers } from './inner-workers.ts';
import { allKinds, withSystem } from './kinds.ts';
import type { CertificateKeeper } from './net/certificate-keeper.ts';
import { LocalSessions } from './net/local-sessions.ts';
import { isLoopback } from './net/loopback.ts';
import { TdsServer } from './net/server.ts';
import { SessionTable } from './net/session-table.ts';
import { modernTls } from './net/tls-secrets.ts';
import { engineChecks } from './operations/checks.ts';
import { measureEngine } from './operations/engine-measures.ts';
import { wrongAmong } from './operations/health.ts';
import { Operators } from './operations/operators.ts';
import { measureSessions } from './operations/session-measures.ts';
import { wrongWith } from './operations/status.ts';
import { measureTallies } from './operations/tally-measures.ts';
import type { TraceExporter } from './operations/trace-exporter.ts';
import type { Arrivals } from './procedure/arrivals.ts';
import type { Kind } from './procedure/kind.ts';
import { openCertificate } from './server-certificate.ts';
import { createContext } from './server-context.ts';
import { limitsOf } from './server-limits.ts';
import type { ServerContext } from './session/context.ts';
import type { Kerberos } from './sspi/kerberos-acceptor.ts';
import { during } from './start-error.ts';
import { UpkeepRunner } from './upkeep/upkeep-runner.ts';
import { createConsoleSignOn, createWindowsAuthentication, openKerberos } from './windows-sign-on.ts';

/**
 * What a server is put together from, besides its settings; a test hands in a clock of its own, and cheap passwords.
 */
interface Parts extends Omit<EngineParts, 'lost'> {
  /** What hashing a password costs. */
  readonly cost?: HashCost;
  /** Milliseconds between two looks at the files of the certificate. */
  readonly certificateInterval?: number;
}

/** What sessions are served with, besides the engine. */
interface ContextParts {
  readonly accounts: Accounts;
  readonly kerberos: Kerberos | undefined;
  readonly threads: Threads;
  readonly upkeep: UpkeepRunner;
  readonly tracer: Tracer | undefined;
}

/** What the first start on its data made. */
export interface FirstStart {
  /** The password of sa, when nobody gave one; it is kept nowhere else. */
  readonly generatedPassword?: string;
}

/** A whole Granary: what first start makes, the engine, the upkeep and the listener. */
export class Granary implements Service {
  readonly settings: Settings;
  /** Where nodes share a store, its clock is everybody's. */
  #clock: Clock;
  readonly #givenClock: Clock;
  readonly #log: Log;
  readonly #kinds: readonly Kind[];
  readonly #cost: HashCost;
  readonly #certificateInterval: number | undefined;
  #engine: Engine | undefined;
  #accounts: Accounts | undefined;
  #server: TdsServer | undefined;
  #local: LocalSessions | undefined;
  #operators: Operators | undefined;
  #arrivals: Arrivals | undefined;
  readonly #lost = new AbortController();
  #measures = new Measures();
  #firstStart: FirstStart | undefined;
  #running: AsyncDisposableStack | undefined;

  constructor(
    settings: Settings,
    { clock = systemClock, log = silentLog, kinds = allKinds, cost = defaultCost, certificateInterval }: Parts,
  ) {
    this.settings = settings;
    this.#clock = clock;
    this.#givenClock = clock;
    this.#log = log;
    this.#kinds = kinds;
    this.#cost = cost;
    this.#certificateInterval = certificateInterval;
  }

  get engine(): Engine {
    if (this.#engine === undefined) throw new Error('Granary has not started.');
    return this.#engine;
  }

  get accounts(): Accounts {
    if (this.#accounts === undefined) throw new Error('Granary has not started.');
    return this.#accounts;
  }

  /** The port it listens on. */
  get port(): number {
    if (this.#server === undefined) throw new Error('Granary has not started.');
    return this.#server.port;
  }

  /** A connection of this process to its own server, without a socket and without a password. */
  attach(who: string | Vouched, isReadOnly = false): Duplex {
    if (this.#local === undefined) throw new Error('Granary has not started.');
    return this.#local.attach(who, isReadOnly);
  }

  /** Where the operators' HTTP listener is; undefined when it is off. */
  get httpAddress(): string | undefined {
    return this.#operators?.address;
  }

  /** How many clients are connected now. */
  get connections(): number {
    return this.#server?.connections ?? 0;
  }

  /** How many calls wait for work now. */
  get waitingCalls(): number {
    return this.#arrivals?.waiting ?? 0;
  }

  /** What this start made new, when it was the first one on its data. */
  get firstStart(): FirstStart | undefined {
    return this.#firstStart;
  }

  /** Takes the parts up in order; what fails half-way leaves nothing running. */
  async start(): Promise<void> {
    await using starting = new AsyncDisposableStack();
    this.#measures = new Measures();
    if (this.settings.engine === 'sqlite') starting.use(await during('data', lockDataFolder(this.settings.data)));
    const kerberos = starting.use((await during('kerberos', openKerberos(this.settings))) ?? null) ?? undefined;
    const engine = await createEngine(this.settings, {
      clock: this.#givenClock,
      log: this.#log,
      kinds: this.#kinds,
      lost: (database, error) => this.#lose(database, error),
    });
    this.#engine = starting.use(engine);
    this.#clock = engine.clock;
    await during('engine', engine.start());
    // A start that the data refuses makes no certificate.
    const certificate = starting.use(
      await during('certificate', openCertificate(this.settings, this.#log, this.#certificateInterval)),
    );
    const accounts = new Accounts(this.engine.system, { clock: this.#clock, cost: this.#cost });
    await during('engine', this.#makeDatabases());
    // Somebody knows a password that was given: who waits until the server is ready can log in then.
    if (this.settings.saPassword !== undefined) await during('engine', this.#makeAdministrator(accounts));
    const threads = starting.use(new Threads(this.#log));
    const upkeep = this.#createUpkeep();
    const tracer = starting.use((await this.#createTracer()) ?? null) ?? undefined;
    const sessions = new SessionTable();
    const context = this.#createContext({ accounts, kerberos, threads, upkeep, tracer }, sessions);
    const server = starting.use(await during('certificate', this.#createServer(context, certificate, sessions)));
    await during('listen', server.start());
    // Before the server, which waits for the calls in flight.
    starting.defer(() => context.arrivals.close());
    starting.defer(() => accounts.close());
    this.#arrivals = context.arrivals;
    // Above the server in the stack, so that operators see nothing of one that is stopping.
    this.#operators = undefined;
    await this.#startOperators(starting, context, certificate, server, kerberos);
    // After the last step that may well fail: a generated password that nobody got to see would be lost.
    await during('engine', this.#makeAdministrator(accounts));
    await starting.use(upkeep).start();
    await certificate.start();
    this.#accounts = accounts;
    this.#server = server;
    this.#local = new LocalSessions({ context, sessions, maxMessage: this.settings.maxMessageSize, log: this.#log });
    const workers = new InnerWorkers({ settings: this.settings, server: this, engine: this.engine, log: this.#log });
    await starting.use(workers).start();
    this.#running = starting.move();
  }

  /** Aborted, with the reason, when a database can keep nothing more: only another start mends that. */
  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  #lose(database: string, error: Error): void {
    const cause = error.cause instanceof Error ? error.cause.message : '';
    this.#log.error('the WAL could not be synced to disk: the server must be restarted', {
      database,
      error: error.message,
      cause,
    });
    this.#lost.abort(error);
  }

  /** Finishes the calls in flight, commits, and closes everything in the opposite order. */
  async stop(): Promise<void> {
    if (this.#running === undefined) return;
    this.engine.giveUp?.();
    await this.#running.disposeAsync();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  async #makeDatabases(): Promise<void> {
    const made = await createFirstDatabases(this.engine, this.#kinds, this.#clock.now());
    if (made.length > 0) this.#log.info('databases created', { names: made.join(', ') });
  }

  async #makeAdministrator(accounts: Accounts): Promise<void> {
    if (await accounts.hasAdministrator()) return;
    const given = this.settings.saPassword;
    const password = given ?? generatePassword();
    const isMine = await accounts.createAdministrator(password);
    if (isMine) this.#firstStart = given === undefined ? { generatedPassword: password } : {};
  }

  #createContext({ accounts, kerberos, threads, upkeep, tracer }: ContextParts, sessions: SessionTable): ServerContext {
    const { settings } = this;
    return createContext(
      {
        engine: this.engine,
        accounts,
        administration: new Administration(this.engine, accounts, contentsOfNew(this.#kinds)),
        kinds: withSystem(this.#kinds),
        limits: limitsOf(this.settings),
        encryption: settings.encryption,
        windows: createWindowsAuthentication(settings, accounts, this.#clock, kerberos, 'MSSQLSvc'),
        threads,
        serverName: settings.serverName,
        version: settings.reportedVersion,
        wakeUpkeep: () => upkeep.wake(),
        clock: this.#clock,
        log: this.#log,
        measures: this.#measures,
        tracer,
      },
      sessions,
    );
  }

  /** Fails where TLS does not take the certificate. */
  async #createServer(
    context: ServerContext,
    certificate: CertificateKeeper,
    sessions: SessionTable,
  ): Promise<TdsServer> {
    const { host, port, tlsMinVersion } = this.settings;
    const server = new TdsServer({
      host,
      port,
      tls: certificate.pair,
      tlsMinVersion,
      limits: limitsOf(this.settings),
      context,
      sessions,
      log: this.#log,
    });
    certificate.onRenewal((pair) => server.renew(pair));
    return server;
  }

  /** Where the spans of calls go; nothing of it is loaded where nobody wants them. */
  async #createTracer(): Promise<TraceExporter | undefined> {
    const { traceCollector: collector, traceHeaders = new Map(), serverName } = this.settings;
    const spans = this.#measures.count('granary_trace_spans_total', 'Spans for the collector, by outcome.', [
      'outcome',
    ]);
    if (collector === undefined) return undefined;
    const { TraceExporter } = await import('./operations/trace-exporter.ts');
    const version = productVersion();
    return new TraceExporter({
      collector,
      headers: Object.fromEntries(traceHeaders),
      resource: { 'service.name': 'granary', 'service.version': version, 'service.instance.id': serverName },
      version,
      spans,
      clock: this.#givenClock,
      log: this.#log,
    });
  }

  async #startOperators(
    starting: AsyncDisposableStack,
    context: ServerContext,
    certificate: CertificateKeeper,
    server: TdsServer,
    kerberos: Kerberos | undefined,
  ) {
    const { httpHost: host, httpPort: port, data: folder, tlsMinVersion } = this.settings;
    if (port === 'off') return;
    this.#measure(context, server, certificate);
    const tls = isLoopback(host) || host === 'localhost' ? undefined : modernTls(certificate.pair, tlsMinVersion);
    const parts = { ...context, kerberos, cert: () => (tls === undefined ? undefined : certificate.pair.cert) };
    const windows = await during('kerberos', createConsoleSignOn(this.settings, parts));
    const console = this.#createConsole(context, windows, certificate);
    const operators = new Operators({
      host,
      port,
      ...(tls === undefined ? {} : { tls }),
      longHeaders: windows !== undefined,
      folder,
      engine: this.engine,
      view: context.view,
      calls: context.measures.seconds,
      measures: this.#measures,
      databases: async () => new Set([...ownDatabases, ...(await this.engine.list()).map(({ name }) => name)]),
      release: productVersion(),
      address: () => hostAndPort(this.settings.host, server.port),
      checks: () => this.#checks(),
      certificate,
      log: this.#log,
      console,
    });
    if (tls !== undefined) certificate.onRenewal((pair) => operators.renew(modernTls(pair, tlsMinVersion)));
    this.#operators = operators;
    await during('http', starting.use(operators).start());
    await during('data', operators.tellWhere());
    await starting.use(console).start();
  }

  #createConsole(context: ServerContext, windows: WindowsSignOn | undefined, certificate: CertificateKeeper): Console {
    return new Console({
      release: productVersion(),
      engine: this.engine.name,
      view: context.view,
      measures: this.#measures,
      accounts: context.accounts,
      tap: context.tap,
      clock: this.#clock,
      log: this.#log,
      windows,
      attach: (who, isReadOnly) => this.attach(who, isReadOnly),
      wrong: async () => [...(await wrongAmong(await this.#checks())), ...wrongWith(certificate)],
    });
  }

  #checks() {
    return engineChecks(this.engine, this.settings.data);
  }

  #measure({ view, memory }: ServerContext, server: TdsServer, certificate: CertificateKeeper): void {
    const measures = this.#measures;
    measureEngine(measures, this.engine);
    measureTallies(measures, this.engine, this.#kinds);
    const budgets = () => [...memory.budgets, ...server.budgets];
    measureSessions(measures, view, () => server.connections, budgets);
    const labels = { version: productVersion(), engine: this.engine.name, node: process.versions.node };
    measures.counted('granary_log_lines_left_out_total', 'Log lines that were only counted.', () =>
      single(this.#log.leftOut ?? 0),
    );
    measures.gauge('granary_certificate_expiry_seconds', 'When the certificate expires, in seconds since 1970.', () =>
      single(certificate.until.getTime() / 1000),
    );
    measures.gauge('granary_build_info', 'The running version; the value is always 1.', () => [{ labels, value: 1 }]);
  }

  #createUpkeep(): UpkeepRunner {
    return new UpkeepRunner({
      engine: this.engine,
      kinds: this.#kinds,
      clock: this.#clock,
      log: this.#log,
      measures: this.#measures,
    });
  }
}

/** Puts a server together; `start` takes it up. */
export function createServer(settings: Settings, parts: Parts = {}): Granary {
  return new Granary(settings, parts);
}
