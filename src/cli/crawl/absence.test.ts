import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ClientError } from '../../client/client-error.ts';
import { Absence } from './absence.ts';

const gone = () => Promise.reject(new ClientError('connect', 'there is no connection to here:1'));

test('a server that goes away while a crawl is watched is waited for, and said to be back', async () => {
  const said: string[] = [];
  const absence = new Absence((text) => said.push(text), 7);
  assert.equal(await absence.through(gone), undefined);
  assert.equal(await absence.through(gone), undefined);
  assert.equal(await absence.through(async () => 'done'), 'done');
  assert.deepEqual(said, ['there is no connection to here:1. Waiting for it.', 'The server is back.']);
  await assert.rejects(
    absence.through(() => Promise.reject(new Error('another'))),
    /another/,
  );
});

test('one that does not come back ends the command, which says how to go on', async () => {
  const absence = new Absence(() => {}, 7, 0);
  await assert.rejects(absence.through(gone), /Crawl 7 keeps its state: granary crawl resume continues it/);
});
