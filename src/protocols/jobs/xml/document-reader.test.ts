import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import fc from 'fast-check';
import { silentLog } from '../../../base/log/log.ts';
import { SqlError } from '../../../base/messages/sql-error.ts';
import { Threads } from '../../../base/threads/threads.ts';
import type { Preparing } from '../../../procedure/call.ts';
import * as translation from '../../translation/schemas.ts';
import * as word from '../../word/schemas.ts';
import type { BatchUpdate } from './batch-update.ts';
import type { DocumentReader } from './document-reader.ts';
import type { NewItems } from './job-add.ts';

const threads = new Threads(silentLog);
after(() => threads.stop());

const families = { translation: 'translation/2010/11', word: 'word/2009/08' } as const;
const namespace = (family: keyof typeof families, form: string) =>
  `xmlns="http://schemas.microsoft.com/office/server/${families[family]}/${form}"`;

const escaped = (text: string) => text.replace(/[&<"\n]/g, (character) => `&#${character.codePointAt(0)};`);
const fileName = fc
  .oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom('', ' a\tb ', 'a\nb', '😀', '&<">'))
  .map(escaped);
const anyInt = fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 });
const fewInts = fc.integer({ min: -2, max: 20 });
const anyLong = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });

const newItem = fc
  .tuple(fc.oneof(anyInt, fewInts), fileName, fc.option(fileName, { freq: 20 }))
  .map(([id, input, output]) => `<item id="${id}" in="${input}"${output === null ? '' : ` out="${output}"`}/>`);
const named = fc.tuple(fc.oneof(anyLong, fewInts), fc.integer({ min: -32_768, max: 32_767 }), anyInt);
const started = fc
  .tuple(fc.oneof(named, fc.constant([1, 1, 1] as const)), fc.uuid())
  .map(
    ([[job, group, id], worker]) => `<item job="${job}" group="${group}" id="${id}" wsi="${worker.toUpperCase()}"/>`,
  );
const failed = fc
  .tuple(fc.oneof(named, fc.constant([1, 1, 1] as const)), anyInt)
  .map(([[job, group, id], error]) => `<item job="${job}" group="${group}" id="${id}" error="${error}"/>`);

/** Fragments that break documents, replacing some characters at a random place. */
const damage = fc.tuple(
  fc.nat(),
  fc.nat(30),
  fc.constantFrom(
    '',
    ...[
      '<',
      '>',
      '&',
      '"',
      '/',
      ' ',
      '\n',
      '<!--',
      '-->',
      '<!DOCTYPE a>',
      '<![CDATA[',
      '<?xml?>',
      '</item>',
      '<item/>',
    ],
    ...['\0', '\u0001', '\ud800', '\uffff', '&amp;', '&none;', '&#0;', '\ufeff', 'xmlns:a="urn:a"', 'x:id="1"', 'é'],
  ),
);
const damaged = (document: string, [place, length, put]: readonly [number, number, string]) => {
  const start = place % (document.length + 1);
  return document.slice(0, start) + put + document.slice(start + length);
};
const perhapsDamaged = (documents: fc.Arbitrary<string>) =>
  fc
    .tuple(documents, fc.array(damage, { maxLength: 2 }))
    .map(([document, damages]) => damages.reduce(damaged, document));

const plain = (content: NewItems | BatchUpdate) =>
  'items' in content
    ? { ...content, items: [...content.items], again: [...content.items], length: content.items.length }
    : { started: [...content.started], failed: [...content.failed], length: content.started.length };

/** The rows of a document, or the error that a client would receive. */
async function outcome(reading: Promise<NewItems | BatchUpdate>) {
  try {
    return plain(await reading);
  } catch (error) {
    if (!(error instanceof SqlError)) throw error;
    const { number, message, severity, state, procedure, line } = error;
    return { number, message, severity, state, procedure, line };
  }
}

interface Seen {
  rows: number;
  errors: Set<number>;
}

/** Reads random documents both ways. */
async function compare<C extends NewItems | BatchUpdate, P extends object>(
  reader: DocumentReader<C, P>,
  documents: fc.Arbitrary<string>,
): Promise<Seen> {
  const seen: Seen = { rows: 0, errors: new Set() };
  await fc.assert(
    fc.asyncProperty(perhapsDamaged(documents), async (document) => {
      const here = await outcome(reader.readHere(document));
      assert.deepEqual(await outcome(reader.readInThread(document, threads)), here);
      if ('number' in here) seen.errors.add(here.number);
      else seen.rows += here.length;
    }),
    { numRuns: 400 },
  );
  return seen;
}

describe('a document that is read in the thread', () => {
  for (const [family, { jobAdd, batchUpdate }] of Object.entries({ translation, word }) as [
    keyof typeof families,
    typeof translation,
  ][]) {
    test(`has the rows or the error that it has here: databaseJobAdd of ${family}`, async () => {
      const documents = fc
        .array(newItem, { minLength: 1, maxLength: 8 })
        .map((items) => `<group ${namespace(family, 'databaseJobAdd')}>${items.join('')}</group>`);
      const { rows, errors } = await compare(jobAdd, documents);
      assert.ok(rows > 100 && errors.size > 4, `${rows} rows, errors ${[...errors]}`);
    });

    test(`has the rows or the error that it has here: databaseBatchUpdate of ${family}`, async () => {
      const documents = fc
        .tuple(fc.array(started, { maxLength: 5 }), fc.array(failed, { maxLength: 5 }))
        .map(
          ([starts, fails]) =>
            `<batch ${namespace(family, 'databaseBatchUpdate')}><start>${starts.join('')}</start><failed>${fails.join('')}</failed></batch>`,
        );
      const { rows, errors } = await compare(batchUpdate, documents);
      assert.ok(rows > 100 && errors.size > 4, `${rows} rows, errors ${[...errors]}`);
    });
  }

  test('is a large one: what a batch of hundreds of items needs is read at once', async () => {
    const names: string[] = [];
    const recorded: Preparing['threads'] = {
      run(script, request, options) {
        names.push(script.url.pathname.split('/').at(-1) ?? '');
        return threads.run(script, request, options);
      },
    };
    const call: Pick<Preparing, 'threads' | 'signal'> = { threads: recorded, signal: new AbortController().signal };
    const documentOf = (items: number) =>
      `<group ${namespace('translation', 'databaseJobAdd')}>${Array.from({ length: items }, (_, id) => `<item id="${id}" in="documents/in/${id}.docx" out="documents/out/${id}.docx"/>`).join('')}</group>`;
    assert.equal((await translation.jobAdd.read(documentOf(700), call)).items.length, 700);
    assert.deepEqual(names, []);
    assert.equal((await translation.jobAdd.read(documentOf(2000), call)).items.length, 2000);
    assert.deepEqual(names, ['reader-thread.ts']);
  });

  test('of some millions of characters comes back whole', async () => {
    const items = Array.from(
      { length: 60_000 },
      (_, id) => `<item id="${id}" in="${id}é😀" out="${'x'.repeat(id % 50)}"/>`,
    );
    const document = `<group ${namespace('translation', 'databaseJobAdd')}>${items.join('')}</group>`;
    assert.ok(document.length > 3 * 1024 * 1024);
    const [here, there] = await Promise.all([
      outcome(translation.jobAdd.readHere(document)),
      outcome(translation.jobAdd.readInThread(document, threads)),
    ]);
    assert.deepEqual(there, here);
  });

  test('is given up at once when its call is cancelled', async () => {
    const items = '<item id="1" in="a" out="b"/>'.repeat(200_000);
    const cancel = new AbortController();
    const document = `<group ${namespace('translation', 'databaseJobAdd')}>${items}</group>`;
    const reading = translation.jobAdd.readInThread(document, threads, cancel.signal);
    cancel.abort(new Error('cancelled'));
    await assert.rejects(reading, { message: 'cancelled' });
  });
});
