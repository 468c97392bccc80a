/**
 * How far Granary scales, extrapolated from measurements on one machine. `node scripts/scale.ts` prints the tables of
 * docs/scale.md; change the constants to those of your own machine and run it again.
 */

/**
 * Microseconds of CPU time, bytes and counts, on two cores on 2026-11-16 that had other work too: the costs of SQLite and of
 * finishing an item are rounded from benchmark runs; those of a look-up on PostgreSQL, the busy connections and the memory of
 * a connection to it are estimates. Measure your own before you buy machines.
 */
export const measured = {
  /** One node's thread, for a call: finishing an item, looking up a job. */
  sqlite: { finish: 62, lookUp: 31 },
  node: { finish: 70, lookUp: 45 },
  /** All processes of PostgreSQL, for the same calls. */
  postgres: { finish: 100, lookUp: 35 },
  /** What a finished item adds to the log of PostgreSQL, in bytes, and how many share a commit. */
  walOfFinish: 280,
  callsInACommit: 12,
  /** Connections that one node keeps busy in one database under load, and may open at most. */
  connectionsBusy: 3,
  connectionsMost: 8 + 2 + 4 + 11 + 1 + 4 + 4,
  /** Memory of one TLS connection of a client and of one connection of PostgreSQL, in bytes. */
  clientConnection: 45_000,
  postgresConnection: 5_000_000,
} as const;

/** What a large machine for PostgreSQL has. */
export const largest = { cores: 64, walBytes: 1_000_000_000, flushes: 20_000, connections: 5000 } as const;

/** The calls of a farm: so many of ten finish an item, the others look something up. */
const finishes = 5;
const mixed = (cost: { readonly finish: number; readonly lookUp: number }): number =>
  (cost.finish * finishes + cost.lookUp * (10 - finishes)) / 10;

/** A resource, and the calls a second at which it is used up. */
export interface Limit {
  readonly resource: string;
  readonly calls: number;
}

/** A farm: its nodes, its databases, how many of the nodes work on each database, and the PostgreSQL servers. */
export interface Farm {
  readonly nodes: number;
  readonly databases: number;
  readonly nodesOfDatabase: number;
  readonly servers: number;
}

/** What bounds a farm, the tightest first; each server has its share of the databases. */
export function limitsOf({ nodes, databases, nodesOfDatabase, servers }: Farm): Limit[] {
  const share = finishes / 10;
  const connections = Math.ceil(databases / servers) * nodesOfDatabase * measured.connectionsBusy;
  const threads = (nodes * 1e6) / mixed(measured.node);
  const limits = [
    { resource: 'the nodes’ threads', calls: threads },
    // A database's short writes of one node follow one another on one connection of PostgreSQL.
    {
      resource: 'the one writing connection of a node per database',
      calls: (databases * nodesOfDatabase * 1e6) / measured.postgres.finish / share,
    },
    { resource: 'PostgreSQL cores', calls: (servers * largest.cores * 1e6) / mixed(measured.postgres) },
    { resource: 'PostgreSQL WAL bytes', calls: (servers * largest.walBytes) / measured.walOfFinish / share },
    { resource: 'PostgreSQL WAL flushes', calls: (servers * largest.flushes * measured.callsInACommit) / share },
    // A node without a connection does no work.
    {
      resource: 'PostgreSQL connections',
      calls:
        connections <= largest.connections ? Number.POSITIVE_INFINITY : (threads * largest.connections) / connections,
    },
  ];
  return limits.toSorted((a, b) => a.calls - b.calls);
}

/** The fewest PostgreSQL servers with which the nodes' own threads are the bottleneck. */
export function serversFor(farm: Omit<Farm, 'servers'>): number | undefined {
  for (let servers = 1; servers <= farm.databases; servers++) {
    if (limitsOf({ ...farm, servers })[0]?.resource === 'the nodes’ threads') return servers;
  }
  return undefined;
}

const figure = (value: number): string => Math.round(value).toLocaleString('en');
const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');

/** The tables of docs/scale.md. */
export function tables(): string[] {
  const engines = [
    ['SQLite, one node', measured.sqlite.finish, measured.sqlite.lookUp],
    ['PostgreSQL, one node', measured.node.finish, measured.node.lookUp],
  ] as const;
  const one = table(
    ['engine', 'finish an item: µs', 'at most', 'look up a job: µs', 'at most'],
    engines.map(([name, finish, lookUp]) => [
      name,
      String(finish),
      `${figure(1e6 / finish)}/s`,
      String(lookUp),
      `${figure(1e6 / lookUp)}/s`,
    ]),
  );
  const rows = [1, 2, 10, 100, 1000].map((nodes) => {
    const databases = Math.max(8, nodes);
    const [together] = limitsOf({ nodes, databases, nodesOfDatabase: nodes, servers: 1 });
    const farm = { nodes, databases, nodesOfDatabase: Math.min(nodes, 2) };
    const servers = serversFor(farm);
    const [split] = limitsOf({ ...farm, servers: servers ?? databases });
    return [
      figure(nodes),
      figure(databases),
      `${figure(together?.calls ?? 0)}/s`,
      together?.resource ?? '',
      servers === undefined ? `more than ${figure(databases)}` : figure(servers),
      `${figure(split?.calls ?? 0)}/s`,
    ];
  });
  const many = table(
    [
      'nodes',
      'databases',
      'every node in every database, one PostgreSQL: at most',
      'bottleneck',
      'two nodes per database: PostgreSQL servers',
      'and at most',
    ],
    rows,
  );
  return [one, many];
}

if (process.argv[1] === import.meta.filename) for (const each of tables()) console.log(`${each}\n`);
