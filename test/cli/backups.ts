import assert from 'node:assert/strict';
import { settingsWith } from '../../src/cli/resolve-settings.ts';
import { allKinds } from '../../src/kinds.ts';
import { createServer } from '../../src/main.ts';
import { putClass } from '../../src/protocols/config/objects/put-class.ts';
import type { TestClient } from '../support/client.ts';
import { password, TestServer } from '../support/server.ts';
import type { granary } from './granary.ts';
import { runHere } from './run-here.ts';

/** Kinds that are enough to tell a backup from another. */
export const kinds = allKinds.filter(({ name }) => name === 'config' || name === 'translation');

/** Runs a command that must not fail; returns what it says. */
export async function must(args: readonly string[], run: typeof runHere | typeof granary = runHere): Promise<string> {
  const { code, stdout, stderr } = await run(args);
  assert.equal(code, 0, `granary ${args.join(' ')}: ${stderr}`);
  return stdout;
}

/** A server on what was restored. */
export async function serveRestored(
  place: { data: string; url: string },
  stack: AsyncDisposableStack,
  of: typeof allKinds = kinds,
): Promise<TestServer> {
  const settings = settingsWith({
    port: 0,
    httpPort: 'off',
    saPassword: password,
    data: place.data,
    engine: place.url,
  });
  const server = stack.use(createServer(settings, { kinds: of }));
  await server.start();
  return stack.use(new TestServer(server, new AsyncDisposableStack()));
}

/** Writes the row of a number. */
export const put = (client: TestClient, n: number) =>
  client.call(putClass, {
    Id: `00000000-0000-0000-0000-${String(n).padStart(12, '0')}`,
    BaseClassId: null,
    FullName: `class ${n}`,
    RequestGuid: null,
  });

/**
 * Writes one number after another until it is stopped. Every number goes into the first database, then into the second: a
 * moment has at most one more in the first.
 */
export class Writing {
  readonly #stopping = new AbortController();
  readonly #end: Promise<void>;
  /** The last number that is in all of them. */
  done = 0;

  constructor(clients: readonly TestClient[]) {
    this.#end = this.#write(clients);
  }

  stop(): Promise<void> {
    this.#stopping.abort();
    return this.#end;
  }

  async #write(clients: readonly TestClient[]): Promise<void> {
    for (let n = 1; !this.#stopping.signal.aborted; n++) {
      for (const client of clients) await put(client, n);
      this.done = n;
    }
  }
}

/** The numbers whose rows are there. */
export const numbers = async (server: TestServer, database: string): Promise<number[]> => {
  const client = await server.connect(database);
  const { sets } = await client.batch('select FullName from Classes');
  return (sets[0] ?? [])
    .map(({ FullName }) => Number(String(FullName).replace('class ', '')))
    .toSorted((a, b) => a - b);
};
