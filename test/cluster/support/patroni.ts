import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import {
  chownSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { until } from '../../robustness/support/until.ts';
import { freePort } from '../../support/postgres.ts';
import { runAs } from './postgres-process.ts';

/** Seconds after which a leader that says nothing is none any more: the least that Patroni takes. */
const leadership = 20;

/** A member of a cluster: Patroni, and the PostgreSQL that it minds. */
export class Member {
  readonly name: string;
  readonly port: number;
  readonly #api: number;
  readonly #folder: string;
  readonly #file: string;
  #process: ChildProcess | undefined;

  constructor(name: string, folder: string, ports: { readonly port: number; readonly api: number }, etcd: number) {
    this.name = name;
    this.port = ports.port;
    this.#api = ports.api;
    this.#folder = join(folder, name);
    this.#file = join(folder, `${name}.yml`);
    mkdirSync(this.#folder);
    own(this.#folder);
    writeFileSync(this.#file, JSON.stringify(configuration(name, this.#folder, ports, etcd)));
  }

  start(): void {
    const log = openSync(join(this.#folder, 'patroni.log'), 'a');
    this.#process = spawn('patroni', [this.#file], { ...runAs(), cwd: this.#folder, stdio: ['ignore', log, log] });
  }

  /** What Patroni says of it; undefined where it does not answer. */
  async state(): Promise<{ readonly role: string; readonly isSync: boolean; readonly state: string } | undefined> {
    try {
      const answer = await fetch(`http://127.0.0.1:${this.#api}/patroni`, { signal: AbortSignal.timeout(1000) });
      // Patroni's own form of an answer.
      const said = (await answer.json()) as { role: string; state: string; sync_standby?: boolean };
      return { role: said.role, state: said.state, isSync: said.sync_standby === true };
    } catch {
      return undefined;
    }
  }

  /** Hands the lead to another member, as an administrator does. */
  async handOver(to: Member): Promise<void> {
    const body = JSON.stringify({ leader: this.name, candidate: to.name });
    const answer = await fetch(`http://127.0.0.1:${this.#api}/switchover`, { method: 'POST', body });
    if (!answer.ok) throw new Error(`Patroni does not hand over: ${await answer.text()}`);
  }

  /** Ends Patroni and its PostgreSQL at once, as a power cut of their machine would. */
  kill(): void {
    this.#signal('SIGKILL');
  }

  freeze(): void {
    this.#signal('SIGSTOP');
  }

  thaw(): void {
    this.#signal('SIGCONT');
  }

  /** What Patroni and PostgreSQL have said at last. */
  lately(): string {
    const lines = readFileSync(join(this.#folder, 'patroni.log'), 'utf8').split('\n');
    return [`${this.name}:`, ...lines.slice(-150)].join('\n');
  }

  /** Patroni, the postmaster and all that it has begun: those whose folder this is. */
  #signal(signal: NodeJS.Signals): void {
    const { pid } = this.#process ?? {};
    if (pid === undefined) return;
    for (const each of descendants(pid, join(this.#folder, 'data'))) {
      try {
        process.kill(each, signal);
      } catch (error) {
        if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
      }
    }
  }
}

/** A PostgreSQL of two members that Patroni minds with an etcd; commits wait for both. */
export class PatroniCluster implements AsyncDisposable {
  readonly members: readonly [Member, Member];
  readonly #folder: string;
  readonly #etcd: ChildProcess;

  private constructor(folder: string, members: readonly [Member, Member], etcd: ChildProcess) {
    this.#folder = folder;
    this.members = members;
    this.#etcd = etcd;
  }

  static async start(): Promise<PatroniCluster> {
    const folder = mkdtempSync(join(tmpdir(), 'granary-patroni-'));
    own(folder);
    const etcd = await freePort();
    const store = startEtcd(folder, etcd, await freePort());
    const member = async (name: string) =>
      new Member(name, folder, { port: await freePort(), api: await freePort() }, etcd);
    const members = [await member('one'), await member('two')] as const;
    const cluster = new PatroniCluster(folder, members, store);
    const [first, second] = members;
    try {
      first.start();
      await until('the first member leads', async () => (await cluster.leader()) === first, 60_000);
      second.start();
      await cluster.isWhole();
    } catch (error) {
      await cluster[Symbol.asyncDispose]();
      throw error;
    }
    return cluster;
  }

  /** The URL that names both members. */
  get url(): string {
    const hosts = this.members.map(({ port }) => `127.0.0.1:${port}`).join(',');
    return `postgres://postgres@${hosts}/postgres?connect_timeout=2&tcp_user_timeout=2000`;
  }

  /** The member that leads, where one does. */
  async leader(): Promise<Member | undefined> {
    for (const member of this.members) {
      const said = await member.state();
      if (said?.state === 'running' && /^(master|primary)$/.test(said.role)) return member;
    }
    return undefined;
  }

  other(than: Member): Member {
    const [first, second] = this.members;
    return than === first ? second : first;
  }

  /** Resolves when one member leads and the other follows so closely that nothing is lost with the leader. */
  async isWhole(): Promise<void> {
    const isWhole = async () => {
      const leader = await this.leader();
      return leader !== undefined && (await this.other(leader).state())?.isSync === true;
    };
    try {
      await until('a member follows', isWhole, 90_000);
    } catch (error) {
      throw new Error(this.members.map((each) => each.lately()).join('\n'), { cause: error });
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const member of this.members) {
      member.thaw();
      member.kill();
    }
    this.#etcd.kill('SIGKILL');
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 10 });
  }
}

function startEtcd(folder: string, client: number, peer: number): ChildProcess {
  const [clients, peers] = [`http://127.0.0.1:${client}`, `http://127.0.0.1:${peer}`];
  const flags = [
    ...['--data-dir', join(folder, 'etcd'), '--listen-client-urls', clients, '--advertise-client-urls', clients],
    ...['--listen-peer-urls', peers, '--initial-advertise-peer-urls', peers, '--initial-cluster', `default=${peers}`],
  ];
  return spawn('etcd', [...flags, '--enable-v2'], { ...runAs(), cwd: folder, stdio: 'ignore' });
}

/**
 * Until 3.0.3 Patroni renews its lead in etcd's version 3 without a look at who has it: a leader that stood still for longer
 * than `leadership` takes it back from the one who leads by then. In version 2 it never did.
 */
function etcdVersion(): 'etcd' | 'etcd3' {
  const said = execFileSync('patroni', ['--version'], { encoding: 'utf8' });
  const [major = 0, minor = 0, patch = 0] = (/\d+(\.\d+)+/.exec(said)?.[0] ?? '').split('.').map(Number);
  return major * 10_000 + minor * 100 + patch < 30_003 ? 'etcd' : 'etcd3';
}

function configuration(
  name: string,
  folder: string,
  { port, api }: { readonly port: number; readonly api: number },
  etcd: number,
) {
  const [rewind = ''] = globSync('/usr/lib/postgresql/*/bin/pg_rewind').toSorted().reverse();
  const trusted = ['local all all trust', 'host all all 127.0.0.1/32 trust', 'host replication all 127.0.0.1/32 trust'];
  return {
    scope: 'granary',
    name,
    restapi: { listen: `127.0.0.1:${api}`, connect_address: `127.0.0.1:${api}` },
    [etcdVersion()]: { host: `127.0.0.1:${etcd}` },
    bootstrap: {
      dcs: {
        ttl: leadership,
        loop_wait: 2,
        retry_timeout: 4,
        synchronous_mode: true,
        postgresql: { use_pg_rewind: true, parameters: { max_connections: 100, wal_log_hints: 'on', fsync: 'off' } },
      },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C' }, 'data-checksums'],
      pg_hba: trusted,
    },
    postgresql: {
      listen: `127.0.0.1:${port}`,
      connect_address: `127.0.0.1:${port}`,
      data_dir: join(folder, 'data'),
      bin_dir: dirname(rewind),
      pgpass: join(folder, 'pgpass'),
      authentication: { superuser: { username: 'postgres' }, replication: { username: 'replicator' } },
      parameters: { unix_socket_directories: folder, shared_buffers: '16MB' },
      pg_hba: trusted,
    },
  };
}

/** A process and all that came of it, and the postmaster of a data folder, which leaves its parent, with its own. */
function descendants(pid: number, data: string): number[] {
  const pairs = execFileSync('ps', ['-e', '-o', 'pid=,ppid='], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number));
  const found = new Set([pid]);
  try {
    const postmaster = Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0]);
    // The number may be another's by now.
    if (readlinkSync(`/proc/${postmaster}/cwd`) === data) found.add(postmaster);
  } catch {
    // It does not run.
  }
  for (let before = 0; before < found.size; ) {
    before = found.size;
    for (const [child = 0, parent = 0] of pairs) if (found.has(parent)) found.add(child);
  }
  return [...found];
}

function own(path: string): void {
  const { uid = -1, gid = -1 } = runAs();
  chownSync(path, uid, gid);
}
