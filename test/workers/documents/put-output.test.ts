import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import type { OutputNotes } from '../../../src/workers/dispatch/work-item.ts';
import { FilePlace } from '../../../src/workers/documents/places/file-place.ts';
import { putOutput } from '../../../src/workers/documents/put-output.ts';
import { WorkFolder } from '../../../src/workers/documents/work-folder.ts';

/** Notes as a server keeps them over attempts. */
class Notes implements OutputNotes {
  kept: string | undefined;

  async noted(): Promise<string | undefined> {
    return this.kept;
  }

  async note(digest: string): Promise<void> {
    this.kept = digest;
  }
}

describe('An output that may not replace another', () => {
  let folder: string;
  let notes: Notes;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'granary-test-put-'));
    notes = new Notes();
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  /** One attempt at an item: what it has made is put where it belongs. */
  async function attempt(made: string): Promise<void> {
    await using scratch = await WorkFolder.make();
    const from = scratch.file('out.txt');
    await writeFile(from, made);
    const options = { replace: false, signal: new AbortController().signal, notes, scratch };
    const places = new FilePlace({ roots: [folder], except: [] });
    await putOutput(places, pathToFileURL(join(folder, 'out.txt')), from, options);
  }
  const there = () => readFile(join(folder, 'out.txt'), 'utf8');

  test('is known for its own by the next attempt, when its worker was killed before it could report', async () => {
    await attempt('made at ten');
    await attempt('made at eleven');
    assert.equal(await there(), 'made at ten');
  });

  test('is put there by the next attempt, when its worker was killed before it was there', async () => {
    await notes.note('0'.repeat(64));
    await attempt('made at eleven');
    assert.equal(await there(), 'made at eleven');
  });

  test('leaves what others have put there, before an attempt or between two', async () => {
    await writeFile(join(folder, 'out.txt'), 'mine');
    await assert.rejects(attempt('made at ten'), { kind: 'outputExists' });
    await assert.rejects(attempt('made at eleven'), { kind: 'outputExists' });
    assert.equal(await there(), 'mine');
  });
});
