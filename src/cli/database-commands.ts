import { allKinds } from '../kinds.ts';
import { columns } from './columns.ts';
import type { Command } from './command.ts';
import { withData } from './data.ts';
import { UsageError } from './errors.ts';

const kindNames = allKinds.map(({ name }) => name);

const create: Command = {
  name: 'database create',
  args: ['NAME'],
  summary: 'Creates an empty database of the given kind.',
  details: [`The kind determines which procedures the database has: ${kindNames.join(', ')}.`],
  flags: { kind: { placeholder: 'KIND', help: `One of ${kindNames.join(', ')}.`, required: true } },
  settings: ['all'],
  async run({ settings, args: [name = ''], flags, world }) {
    const kind = flags.get('kind') ?? '';
    if (!kindNames.includes(kind))
      throw new UsageError(`There is no kind '${kind}'. The kinds are ${kindNames.join(', ')}.`);
    await withData(settings, ({ administration }) => administration.createDatabase(name, kind), { mayCreate: true });
    world.stdout.write(`Database ${name} of kind ${kind} created.\n`);
  },
};

const list: Command = {
  name: 'database list',
  args: [],
  summary: 'Lists the databases.',
  settings: ['all'],
  async run({ settings, world }) {
    const databases = await withData(settings, ({ engine }) => engine.list());
    const rows = databases.map(({ name, kind, created }) => [name, kind, created.toISOString()]);
    world.stdout.write(columns(['name', 'kind', 'created'], rows));
  },
};

const drop: Command = {
  name: 'database drop',
  args: ['NAME'],
  summary: 'Drops a database with all its contents and the roles on it.',
  settings: ['all'],
  async run({ settings, args: [name = ''], world }) {
    await withData(settings, ({ administration }) => administration.dropDatabase(name));
    world.stdout.write(`Database ${name} dropped.\n`);
  },
};

/** What is done with databases. */
export const databaseCommands: readonly Command[] = [create, list, drop];
