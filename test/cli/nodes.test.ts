import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { newPostgresDatabase } from '../support/postgres-database.ts';
import { serve, temporaryFolder } from './granary.ts';
import { canLogIn, query } from './login.ts';
import { runHere } from './run-here.ts';

test('several nodes on one PostgreSQL agree on databases, logins and roles', async () => {
  await using folder = await temporaryFolder();
  await using database = await newPostgresDatabase();
  const node = (name: string) => ['--engine', database.url, '--data', join(folder.path, name)];
  const environment = { GRANARY_SA_PASSWORD: 'x' };
  const [one, other] = await Promise.all([serve(node('one'), { environment }), serve(node('other'), { environment })]);
  await using _both = { [Symbol.asyncDispose]: () => Promise.all([one.end(), other.end()]).then(() => {}) };
  assert.equal(await canLogIn(one.port, 'sa', 'x'), true);
  assert.equal(await canLogIn(other.port, 'sa', 'x'), true);
  const outside = ['--engine', database.url];
  assert.equal((await runHere(['database', 'create', 'Shared', '--kind', 'config', ...outside])).code, 0);
  const grant = ['--database', 'Shared', '--role', 'reader'];
  const made = await runHere(['login', 'create', 'farm', ...grant, ...outside], { GRANARY_PASSWORD: 'y' });
  assert.equal(made.code, 0);
  for (const { port } of [one, other]) {
    assert.equal(await query(port, 'farm', 'y', 'select db_name()', 'Shared'), 'Shared');
  }
  assert.equal((await runHere(['login', 'drop', 'farm', ...outside])).code, 0);
  assert.equal(await canLogIn(one.port, 'farm', 'y', 'Shared'), false);
  assert.equal(await canLogIn(other.port, 'farm', 'y', 'Shared'), false);
  assert.deepEqual([await one.end(), await other.end()], [0, 0]);
});
