import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { password, startServer } from '../support/server.ts';
import { javaProgram } from './java.ts';
import { clientPackages } from './packages.ts';
import { missing, outputOf } from './run.ts';

/** What a script printed, by the word before `=`. */
const told = (output: string): Record<string, string> =>
  Object.fromEntries(
    output
      .split('\n')
      .filter((line) => line.includes('='))
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );

async function run(command: readonly string[], environment: Readonly<Record<string, string>> = {}) {
  await using server = await startServer({ kinds: [] });
  const folder = await mkdtemp(join(tmpdir(), 'granary-cursors-'));
  try {
    const freetds = join(folder, 'freetds.conf');
    writeFileSync(freetds, `[granary]\nhost = 127.0.0.1\nport = ${server.port}\ntds version = 7.4\n`);
    const output = await outputOf(command, {
      GRANARY_HOST: '127.0.0.1',
      GRANARY_PORT: String(server.port),
      GRANARY_PASSWORD: password,
      FREETDSCONF: freetds,
      ...environment,
    });
    return told(output);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const java = javaProgram('JtdsCursors', '/usr/share/java/jtds.jar');
const jtds = {
  columns: '2',
  beforeFirst: 'true',
  forward: '[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]',
  afterLast: 'true',
  backward: '[10, 9, 8, 7, 6, 5, 4, 3, 2, 1]',
  first: 'row 1 at 1',
  last: 'row 10 at 10',
  absolute: 'true 4',
  fromEnd: 'true 9',
  relative: 'true 6',
  beyond: 'false',
  prepared: '2 tempdb',
  sensitive: 'true',
  updatable: 'false',
  warned: 'true',
  syntax: '208',
  procedure: 'true',
};

describe('cursors', () => {
  const noJtds = missing(clientPackages.jtds) ?? false;
  // prepareSQL chooses the procedures: 0 sends literals, 2 opens with parameters, 3 prepares and executes.
  for (const options of ['prepareSQL=0', 'prepareSQL=2', 'prepareSQL=3', 'TDS=7.0']) {
    test(`jTDS scrolls a server cursor, ${options}`, { skip: noJtds }, async () => {
      assert.deepEqual(await run(java, { CLIENT_OPTIONS: options }), jtds);
    });
  }

  const noPerl = missing(clientPackages.perl) ?? false;
  test('DBD::Sybase fetches from a cursor of T-SQL', { skip: noPerl }, async () => {
    assert.deepEqual(await run(['perl', 'cursors.pl']), {
      next: 'master',
      last: 'tempdb',
      first: 'master',
      'absolute 2': 'model',
      prior: 'none',
      closed: '16917',
      deallocated: '16916',
    });
  });
});
