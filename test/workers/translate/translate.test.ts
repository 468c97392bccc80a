import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { strFromU8, unzipSync } from 'fflate';
import { apertium } from '../../../src/workers/translate/apertium.ts';
import { languageOf, listed, pairFor } from '../../../src/workers/translate/languages.ts';
import { libreTranslate } from '../../../src/workers/translate/libre-translate.ts';
import { workerPackages } from '../../clients/packages.ts';
import { missing } from '../../clients/run.ts';
import * as samples from '../convert/samples.ts';

const signal = new AbortController().signal;
const withoutApertium = missing(workerPackages.apertium) ?? false;

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'granary-test-'));
});
after(() => rm(folder, { recursive: true, force: true }));

test('languages are known by any of their names', () => {
  assert.deepEqual(['en', 'eng', 'EN-us', 'en_GB'].map(languageOf), ['en', 'en', 'en', 'en']);
  assert.equal(languageOf('not a language'), undefined);
  const known = [
    { name: 'eng-spa', from: 'eng', to: 'spa' },
    { name: 'spa-eng_US', from: 'spa', to: 'eng_US' },
    { name: 'spa-eng', from: 'spa', to: 'eng' },
  ];
  assert.equal(pairFor(known, 'en-US', 'es')?.name, 'eng-spa');
  assert.equal(pairFor(known, 'es', 'en')?.name, 'spa-eng');
  assert.equal(pairFor(known, 'es', 'fr'), undefined);
  assert.equal(listed(known), 'en:es, es:en');
});

describe('Apertium translates', { skip: withoutApertium }, () => {
  const translate = apertium({ program: 'apertium', confinement: [], timeout: 60_000 });
  const made: readonly [string, Uint8Array, string?][] = [
    ['txt', Buffer.from('The house is red.\n')],
    ['html', samples.html('The house is red.')],
    ['odt', samples.odt('The house is red.'), 'content.xml'],
    ['docx', samples.docx('The house is red.'), 'word/document.xml'],
  ];

  for (const [format, content, part] of made) {
    test(`${format}, with its own handling of the format`, async () => {
      const [input, output] = [join(folder, `in.${format}`), join(folder, `out.${format}`)];
      await writeFile(input, content);
      await translate({ input, output, format, from: 'en', to: 'es' }, signal);
      const written = await readFile(output);
      const text = part === undefined ? written.toString() : strFromU8(unzipSync(written)[part] ?? Buffer.of());
      assert.match(text, /La casa es roja/);
    });
  }

  test('and a pair or a format that it has not fails at once, with the list of those that it has', async () => {
    const asked = {
      input: join(folder, 'in.txt'),
      output: join(folder, 'none.txt'),
      format: 'txt',
      from: 'en',
      to: 'ja',
    };
    await assert.rejects(translate(asked, signal), { kind: 'unsupported', message: /en:ja.*en:es/ });
    await assert.rejects(translate({ ...asked, format: 'pdf', to: 'es' }, signal), {
      kind: 'unsupported',
      message: /docx/,
    });
  });
});

test('a service with the interface of LibreTranslate translates text, pages and files', async () => {
  const asked: string[] = [];
  const server = createServer(async (request, response) => {
    const body = (await request.toArray()).join('');
    asked.push(`${request.method} ${request.url}`);
    const json = (status: number, value: unknown) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
    if (request.url === '/files/done.docx') return response.end('a translated file');
    if (!body.includes('the-key')) return json(403, { error: 'Invalid API key' });
    if (body.includes('\r\nxx\r\n')) return json(400, { error: 'xx is not supported' });
    if (request.url === '/translate_file') return json(200, { translatedFileUrl: '/files/done.docx' });
    return json(200, { translatedText: body.includes('html') ? '<p>casa</p>' : 'casa' });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const options = { url: new URL(`http://127.0.0.1:${port}/`), timeout: 30_000, largest: 1024 * 1024 };
  const translate = libreTranslate({ ...options, apiKey: 'the-key' });
  const run = async (format: string, to = 'es', by = translate): Promise<string> => {
    const [input, output] = [join(folder, `libre.${format}`), join(folder, `libre-out.${format}`)];
    await writeFile(input, 'house');
    await by({ input, output, format, from: 'en-US', to }, signal);
    return await readFile(output, 'utf8');
  };
  assert.equal(await run('txt'), 'casa');
  assert.equal(await run('html'), '<p>casa</p>');
  assert.equal(await run('docx'), 'a translated file');
  await assert.rejects(run('txt', 'xx'), { kind: 'unsupported', message: /xx is not supported/ });
  await assert.rejects(run('txt', 'es', libreTranslate(options)), { kind: 'accessDenied', message: /Invalid API key/ });
  await assert.rejects(run('xls'), { kind: 'unsupported' });
  assert.deepEqual(asked.slice(0, 4), [
    'POST /translate',
    'POST /translate',
    'POST /translate_file',
    'GET /files/done.docx',
  ]);
  server.close();
  server.closeAllConnections();
  await assert.rejects(run('txt'), { kind: 'unreachable' });
});
