import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { silentLog } from '../../../src/base/log/log.ts';
import { allFormats, type Format, pdfOptions, routeOf } from '../../../src/workers/convert/formats.ts';
import { OfficePool } from '../../../src/workers/convert/office-pool.ts';
import { until } from '../../robustness/support/until.ts';
import { officeOptions, withoutOffice } from './office.ts';
import * as samples from './samples.ts';

const never = new AbortController().signal;

describe('LibreOffice converts', { skip: withoutOffice }, () => {
  let folder: string;
  let pool: OfficePool;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'granary-test-office-'));
    pool = new OfficePool(await officeOptions());
  });
  after(async () => {
    await pool[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  });

  let number = 0;
  const convert = async (content: Uint8Array, from: Format, to: Format, with_ = pool): Promise<Buffer> => {
    const [input, output] = [join(folder, `${++number}.${from}`), join(folder, `${number}-out.${to}`)];
    await writeFile(input, content);
    const route = routeOf(from, to);
    assert(route, `${from} to ${to}`);
    await with_.convert({ input, output, ...route }, never);
    return await readFile(output);
  };

  test('every pair of formats that it has, by one instance that stays up', async () => {
    const made = new Map<Format, Uint8Array>([
      ['odt', samples.odt('Grün &amp; blau')],
      ['ods', samples.ods('Grün')],
      ['odp', samples.odp('Grün')],
      ['html', samples.html('Grün')],
      ['txt', Buffer.from('Grün')],
    ]);
    const sources: [Format, Format[]][] = [
      ['odt', ['doc', 'docx', 'rtf', 'pdf']],
      ['ods', ['xls', 'xlsx']],
      ['odp', ['ppt', 'pptx']],
    ];
    for (const [from, targets] of sources) {
      for (const to of targets) made.set(to, await convert(made.get(from) ?? Buffer.of(), from, to));
    }
    assert.equal(made.size, allFormats.length);
    const texts: Partial<Record<Format, Format>> = {
      doc: 'txt',
      docx: 'txt',
      odt: 'txt',
      rtf: 'txt',
      html: 'txt',
      txt: 'txt',
    };
    for (const [from, to] of Object.entries(texts) as [Format, Format][]) {
      assert.match((await convert(made.get(from) ?? Buffer.of(), from, to)).toString('utf8'), /Grün/, from);
    }
    for (const from of ['xls', 'xlsx', 'ods', 'odp'] as const) {
      assert.match(
        (await convert(made.get(from) ?? Buffer.of(), from, 'html')).toString('utf8'),
        /Gr(ü|&uuml;)n/,
        from,
      );
    }
    for (const [from, to] of [
      ['pdf', 'odt'],
      ['ppt', 'odp'],
      ['pptx', 'odp'],
    ] as const) {
      const content = await convert(made.get(from) ?? Buffer.of(), from, to);
      assert.equal(content.subarray(0, 2).toString(), 'PK', from);
    }
  });

  test('what it cannot read is told apart from what is under a password', async () => {
    await assert.rejects(convert(samples.odt('a').subarray(0, 200), 'odt', 'pdf'), { kind: 'unreadable' });
    for (const format of ['odt', 'doc'] as const) {
      const locked = await readFile(new URL(`./protected.${format}`, import.meta.url));
      await assert.rejects(convert(locked, format, 'pdf'), { kind: 'passwordProtected' }, format);
    }
    assert.match((await convert(samples.odt('next'), 'odt', 'txt')).toString(), /next/);
  });

  test('a document that takes too long is ended, and the next has a new instance', async () => {
    await using quick = new OfficePool({ ...(await officeOptions()), timeout: 1 });
    await assert.rejects(convert(samples.odt('a'), 'odt', 'pdf', quick), { kind: 'timedOut' });
    await assert.rejects(convert(samples.odt('a'), 'odt', 'pdf', quick), { kind: 'timedOut' });
  });

  test('a stop breaks a conversion off', async () => {
    const stop = new AbortController();
    stop.abort(new Error('stopped'));
    const route = routeOf('txt', 'pdf');
    assert(route);
    await assert.rejects(pool.convert({ input: 'none', output: 'none', ...route }, stop.signal), /stopped/);
  });

  test('a PDF for archives says that it is PDF/A-1, and has fonts and colours in it', async () => {
    const [input, output] = [join(folder, 'archive.odt'), join(folder, 'archive.pdf')];
    await writeFile(input, samples.odt('for ever'));
    const route = routeOf('odt', 'pdf');
    assert(route);
    const storing = { ...route.storing, ...pdfOptions({ isArchive: true }) };
    await pool.convert({ input, output, ...route, storing }, never);
    const written = await readFile(output, 'latin1');
    for (const part of [
      /^%PDF-1\.4/,
      /pdfaid:part>1</,
      /\/OutputIntents\b/,
      /\/GTS_PDFA1\b/,
      /\/FontFile/,
      /\/ID\s*\[/,
    ]) {
      assert.match(written, part);
    }
    assert.doesNotMatch(written, /\/Encrypt|\/JavaScript|\/SMask/);
  });

  test('no link of a document is followed, neither to the network nor to a file', async () => {
    const seen: string[] = [];
    const server = createServer((request, response) => {
      seen.push(request.url ?? '');
      response.end();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const secret = join(folder, 'secret.txt');
    await writeFile(secret, 'hidden treasure');
    const linked = samples.odtWithPicture('a picture', `http://127.0.0.1:${port}/picture.png`);
    await convert(linked, 'odt', 'pdf');
    await convert(samples.html(`<img src="http://127.0.0.1:${port}/other.png">`), 'html', 'pdf');
    const included = samples.html(`<iframe src="file://${secret}"></iframe><p>x</p>`);
    assert.doesNotMatch((await convert(included, 'html', 'txt')).toString(), /treasure/);
    assert.deepEqual(seen, []);
    server.close();
  });

  test('an instance is replaced after its documents, by one that is started before the last of them and works beside it', async () => {
    const told: string[] = [];
    const log = { ...silentLog, debug: (text: string) => told.push(text) };
    await using own = new OfficePool({ ...(await officeOptions()), documents: 12, log });
    const one = async () => assert.match((await convert(samples.odt('a'), 'odt', 'txt', own)).toString(), /a/);
    for (let done = 1; done <= 6; done++) await one();
    await until('the next one is up', () => told.length === 2);
    await Promise.all([one(), one(), one()]);
    // What is left of the first is used up before the second has more.
    for (let done = 1; done <= 4; done++) await one();
    assert.deepEqual(told, ['LibreOffice started', 'LibreOffice started']);
  });

  test('an instance that dies takes its document with it, and the next has a new one', async () => {
    await using own = new OfficePool(await officeOptions());
    await convert(samples.odt('a'), 'odt', 'txt', own);
    const long = samples.odt(...Array.from({ length: 20_000 }, (_, line) => `line ${line}`));
    const converted = convert(long, 'odt', 'pdf', own);
    const failed = assert.rejects(converted, { kind: 'crashed' });
    const gone = new AbortController();
    await Promise.all([failed.finally(() => gone.abort()), killAll(gone.signal)]);
    assert.match((await convert(samples.odt('b'), 'odt', 'txt', own)).toString(), /b/);
  });
});

/** Kills every instance that a process of this number runs, again and again. */
async function killAll(signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    for (const entry of await readdir('/proc')) {
      const command = await readFile(`/proc/${entry}/cmdline`, 'utf8').catch(() => '');
      if (command.includes(`granary-office-${process.pid}-`)) kill(Number(entry));
    }
    await delay(20);
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended meanwhile.
  }
}
