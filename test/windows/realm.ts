import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { windowsPackages } from '../clients/packages.ts';
import { missing } from '../clients/run.ts';
import { until } from '../robustness/support/until.ts';

/** The password of everybody in a realm. */
const password = 'Passw0rd!';
const path = `${process.env['PATH']}:/usr/sbin:/sbin`;

/** Why there can be no realm here, or undefined when there can. */
export function noRealm(): string | undefined {
  return missing(windowsPackages.realm);
}

/** A port that nobody listens on. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (typeof address !== 'object' || address === null) throw new Error('a server without a port');
  return address.port;
}

/** A Kerberos realm with its KDC in a folder of its own; gone when disposed. */
export class Realm implements AsyncDisposable {
  readonly name: string;
  readonly folder: string;
  readonly #kdcPort: number;
  /** How far its clocks are off, as faketime has it; undefined when they are right. */
  readonly #clock: string | undefined;
  #kdc: ChildProcess | undefined;

  private constructor(name: string, folder: string, kdcPort: number, clock: string | undefined) {
    this.#clock = clock;
    this.name = name;
    this.folder = folder;
    this.#kdcPort = kdcPort;
  }

  /** Makes a realm with users and services, each service in a keytab named after its class. */
  static async start(
    name: string,
    users: readonly string[],
    services: readonly string[],
    clock?: string,
  ): Promise<Realm> {
    const realm = new Realm(name, await mkdtemp(join(tmpdir(), 'granary-realm-')), await freePort(), clock);
    await realm.#configure();
    await realm.#run('kdb5_util', ['create', '-s', '-r', name, '-P', 'master']);
    const commands = [
      ...users.map((user) => `addprinc -pw ${password} ${user}`),
      ...services.flatMap((service) => [
        `addprinc -randkey ${service}`,
        `ktadd -k ${realm.keytab(service.split('/')[0])} ${service}`,
      ]),
    ];
    await realm.#run('kadmin.local', ['-r', name], `${commands.join('\n')}\n`);
    const [command = '', ...args] = realm.atItsTime(['krb5kdc', '-n', '-P', join(realm.folder, 'kdc.pid')]);
    realm.#kdc = spawn(command, args, {
      env: { ...process.env, PATH: path, ...realm.environment() },
      stdio: 'ignore',
    });
    await until('the KDC listens', () => isListening(realm.#kdcPort));
    return realm;
  }

  /** The keytab of the services of a class. */
  keytab(kind = 'MSSQLSvc'): string {
    return join(this.folder, `${kind}.keytab`);
  }

  /** One keytab with the services of several classes. */
  async joinedKeytab(...kinds: readonly string[]): Promise<string> {
    const path = join(this.folder, 'joined.keytab');
    const tables = await Promise.all(kinds.map((kind) => readFile(this.keytab(kind))));
    // Each begins with the two bytes of its version.
    await writeFile(path, Buffer.concat(tables.map((table, index) => table.subarray(index === 0 ? 0 : 2))));
    return path;
  }

  /** What a program needs to use the realm, as a user that has a ticket. */
  environment(user = 'nobody'): Record<string, string> {
    return {
      KRB5_CONFIG: join(this.folder, 'krb5.conf'),
      KRB5_KDC_PROFILE: join(this.folder, 'kdc.conf'),
      KRB5CCNAME: `FILE:${join(this.folder, `${user}.ccache`)}`,
    };
  }

  /** A command as it is run by the realm's clock. */
  atItsTime(command: readonly string[]): readonly string[] {
    return this.#clock === undefined ? command : ['faketime', '-f', this.#clock, ...command];
  }

  /** Gets a user a ticket. */
  async kinit(user: string, options: readonly string[] = []): Promise<void> {
    await this.#run('kinit', [...options, '-c', join(this.folder, `${user}.ccache`), user], `${password}\n`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#kdc !== undefined && this.#kdc.exitCode === null) {
      // By its own number: under faketime the child is another program, which would leave it running.
      process.kill(Number(await readFile(join(this.folder, 'kdc.pid'), 'utf8')));
      await once(this.#kdc, 'exit');
    }
    await rm(this.folder, { recursive: true, force: true });
  }

  async #configure(): Promise<void> {
    const { name, folder } = this;
    const kdc = `127.0.0.1:${this.#kdcPort}`;
    await writeFile(
      join(folder, 'krb5.conf'),
      `[libdefaults]
 default_realm = ${name}
 dns_lookup_kdc = false
 dns_lookup_realm = false
 dns_canonicalize_hostname = false
 rdns = false
 udp_preference_limit = 1
[realms]
 ${name} = {
  kdc = ${kdc}
 }
`,
    );
    await writeFile(
      join(folder, 'kdc.conf'),
      `[kdcdefaults]
 kdc_listen = ${kdc}
 kdc_tcp_listen = ${kdc}
[realms]
 ${name} = {
  database_name = ${join(folder, 'principal')}
  key_stash_file = ${join(folder, 'stash')}
  max_life = 10h
  supported_enctypes = aes256-cts:normal
 }
[logging]
 kdc = FILE:${join(folder, 'kdc.log')}
`,
    );
  }

  async #run(program: string, options: readonly string[], input = ''): Promise<void> {
    const [command = '', ...args] = this.atItsTime([program, ...options]);
    const child = spawn(command, args, {
      env: { ...process.env, PATH: path, ...this.environment() },
      stdio: ['pipe', 'ignore', 'pipe'],
    });
    const errors: Buffer[] = [];
    child.stderr.on('data', (bytes: Buffer) => errors.push(bytes));
    child.stdin.on('error', () => {}); // a program that ends without reading its input says why by its exit code
    child.stdin.end(input);
    const [code] = await once(child, 'close');
    if (code !== 0) throw new Error(`${command} ended with ${code}: ${Buffer.concat(errors)}`);
  }
}

async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  return new Promise((resolve) => {
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
  }).then((found) => {
    socket.destroy();
    return found === true;
  });
}
