import { setTimeout as delay } from 'node:timers/promises';
import { Connection } from 'tedious';
import { translation } from '../../src/protocols/translation/kind.ts';
import { roundsOf } from '../support/pace.ts';
import type { Bench, Scenario } from '../support/scenario.ts';
import { BenchServer } from '../support/server.ts';
import { median, megabytes } from '../support/statistics.ts';

const connections = 1000;
const openedAtOnce = 20;
const rounds = roundsOf(3);
/** Milliseconds after which a server has nothing left to do for what was asked of it. */
const rest = 8000;

export const memory: Scenario = {
  name: 'memory',
  summary: `What an idle server holds in memory (RSS), and how much more with ${connections} idle connections.`,
  async run(bench) {
    const figures = { idle: [] as number[], plain: [] as number[], secure: [] as number[] };
    for (let round = 0; round < rounds; round++) {
      const plain = await grown(bench, (server) => server.open(translation.firstDatabase));
      const secure = await grown(bench, (server) => openWithTls(server));
      bench.progress(
        `idle ${megabytes(plain.idle)}, plain ${megabytes(plain.more)} more, TLS ${megabytes(secure.more)} more`,
      );
      figures.idle.push(plain.idle);
      figures.plain.push(plain.more);
      figures.secure.push(secure.more);
    }
    const [idle, plain, secure] = [median(figures.idle), median(figures.plain), median(figures.secure)];
    return [
      {
        what: 'idle',
        figure: megabytes(idle),
        against: '',
        value: idle / 1024 ** 2,
        unit: 'MB',
        demand: { atMost: 120 },
      },
      {
        what: `${connections} idle connections`,
        figure: megabytes(idle + plain),
        against: megabytes(idle),
        value: plain / 1024 ** 2,
        unit: 'MB',
        demand: { atMost: 40 },
      },
      {
        what: `${connections} idle connections with TLS`,
        figure: megabytes(idle + secure),
        against: megabytes(idle),
        value: secure / 1024 ** 2,
        unit: 'MB',
        demand: { atMost: 50 },
      },
    ];
  },
};

/** What a server holds when it is idle, and what it holds more with connections that have logged in. */
async function grown(
  { profiles, engine }: Bench,
  open: (server: BenchServer) => Promise<AsyncDisposable>,
): Promise<{ idle: number; more: number }> {
  await using server = await BenchServer.start({ profiles, engine });
  await using opened = new AsyncDisposableStack();
  await delay(rest);
  const idle = server.memory();
  for (let count = 0; count < connections; count += openedAtOnce) {
    const some = await Promise.all(Array.from({ length: openedAtOnce }, () => open(server)));
    for (const connection of some) opened.use(connection);
  }
  await delay(rest);
  return { idle, more: server.memory() - idle };
}

async function openWithTls(server: BenchServer): Promise<AsyncDisposable> {
  const { host, port, user, password, database } = server.address(translation.firstDatabase);
  const connection = new Connection({
    server: host,
    authentication: { type: 'default', options: { userName: user, password } },
    options: { port, database, encrypt: true, trustServerCertificate: true, connectTimeout: 60_000 },
  });
  await new Promise<void>((resolve, reject) => connection.connect((error) => (error ? reject(error) : resolve())));
  return {
    async [Symbol.asyncDispose]() {
      const ended = new Promise((resolve) => connection.once('end', resolve));
      connection.close();
      await ended;
    },
  };
}
