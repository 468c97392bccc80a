import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { silentLog } from '../../../src/base/log/log.ts';
import { putFileSegment } from '../../../src/protocols/config/files/put-file-segment.ts';
import { type ItemError, itemErrors } from '../../../src/protocols/jobs/item-errors.ts';
import { WorkCrew, type WorkOptions } from '../../../src/workers/work-crew.ts';
import { type Document, JobFarm } from '../job-farm.ts';
import { withoutOffice } from './office.ts';
import * as samples from './samples.ts';

const database = 'WordAutomationServices';

const options = ({ folder }: JobFarm, changes: Partial<WorkOptions> = {}): WorkOptions => ({
  concurrency: 1,
  timeout: 120_000,
  roots: [pathToFileURL(`${folder}/`)],
  except: [join(folder, 'data')],
  own: false,
  userAgent: 'test',
  log: silentLog,
  ...changes,
});

const code = (name: ItemError): number => itemErrors[name].code;

test('documents of many kinds are converted, in databases of both versions', { skip: withoutOffice }, async () => {
  await using farm = await JobFarm.start('sqlite');
  const documents: readonly Document[] = [
    { name: 'a text.odt', content: samples.odt('Grün'), out: 'a text.txt' },
    { name: 'word.docx', content: samples.docx('Grün'), out: 'word.pdf' },
    { name: 'rich.rtf', content: samples.rtf('rich'), out: 'rich.docx' },
    { name: 'page.html', content: samples.html('Grün'), out: 'page.odt' },
    { name: 'sheet.ods', content: samples.ods('Grün'), out: 'sheet.xlsx' },
    { name: 'slides.odp', content: samples.odp('Grün'), out: 'slides.pptx' },
  ];
  await farm.lay(documents);
  await using crew = new WorkCrew('convert', farm.client, [database, 'WordAutomationServices_2010'], options(farm));
  await crew.start();
  const second = await farm.submit(database, documents);
  const first = await farm.submit('WordAutomationServices_2010', [{ name: 'a text.odt', out: 'first.rtf' }]);
  const byContract = await farm.submit(database, [{ name: 'word.docx', out: 'named otherwise' }], {
    settings: '<settings xmlns="urn:granary:job-settings" to="txt"/>',
  });
  for (const { name, error } of await farm.ended(database, second)) assert.equal(error, null, name);
  assert.deepEqual(await farm.ended('WordAutomationServices_2010', first), [{ name: 'a text.odt', error: null }]);
  assert.deepEqual(await farm.ended(database, byContract), [{ name: 'word.docx', error: null }]);
  const out = join(farm.folder, 'out');
  const made = [...documents.map((document) => document.out), 'first.rtf', 'named otherwise'];
  assert.deepEqual((await readdir(out)).sort(), made.sort());
  assert.match(await readFile(join(out, 'a text.txt'), 'utf8'), /^\ufeff?Grün\n$/);
  assert.match(await readFile(join(out, 'named otherwise'), 'utf8'), /Grün/);
  assert.match(await readFile(join(out, 'word.pdf'), 'latin1'), /^%PDF-/);
});

test('the files of a configuration database are read and written', { skip: withoutOffice }, async () => {
  await using farm = await JobFarm.start('sqlite');
  const config = farm.client.database('SharePoint_Config');
  const [ObjectId, made] = [randomUUID(), randomUUID()];
  const Bytes = Buffer.from('kept in a database');
  await config.call(putFileSegment, { ObjectId, Bytes, Offset: 0, RequestGuid: null });
  const roots = [new URL('config://SharePoint_Config/')];
  await using crew = new WorkCrew('convert', farm.client, [database], options(farm, { roots }));
  await crew.start();
  const place = { input: 'config://SharePoint_Config/', output: 'config://SharePoint_Config' };
  const job = await farm.submit(
    database,
    [
      { name: `${ObjectId}.txt`, out: `${made}.rtf` },
      { name: `${randomUUID()}.txt`, out: 'none.rtf' },
      { name: 'no object.txt', out: 'none.rtf' },
    ],
    place,
  );
  const errors = (await farm.ended(database, job)).map(({ error }) => error);
  assert.deepEqual(errors, [null, code('notFound'), code('badName')]);
  const { sets } = await config.query('exec dbo.proc_getFile @ObjectId', { ObjectId: made });
  assert.match(String(sets[0]?.[0]?.['FileImage']), /^\{\\rtf.*kept in a database/s);
});

describe('Bad input ends its item with a clear error, and the worker goes on:', { skip: withoutOffice }, () => {
  test('files that are not what they should be, names and roots that lead elsewhere, outputs that cannot be', async () => {
    await using farm = await JobFarm.start('sqlite');
    const { folder } = farm;
    const good = samples.odt('good');
    const bad: readonly (Document & { readonly error: ItemError | null })[] = [
      { name: 'picture.docx', content: Buffer.from('89504e470d0a1a0a', 'hex'), out: '1.pdf', error: 'unreadable' },
      { name: 'cut.odt', content: good.subarray(0, good.length / 2), out: '2.pdf', error: 'unreadable' },
      { name: 'bomb.docx', content: samples.bomb(2 ** 31), out: '3.pdf', error: 'tooLarge' },
      {
        name: 'locked.odt',
        content: await readFile(new URL('./protected.odt', import.meta.url)),
        out: '4.pdf',
        error: 'passwordProtected',
      },
      { name: 'program.exe', content: good, out: '5.pdf', error: 'unsupported' },
      { name: 'to sheet.odt', content: good, out: '6.xlsx', error: 'unsupported' },
      { name: 'gone.odt', content: good, out: '7.pdf', error: 'notFound' },
      { name: 'no folder.odt', content: good, out: 'gone/8.pdf', error: 'folderMissing' },
      { name: '../secret.odt', content: good, out: '9.pdf', error: 'notAllowed' },
      { name: 'outward.odt', content: good, out: '../../10.pdf', error: 'notAllowed' },
      { name: 'good.odt', content: good, out: 'good.txt', error: null },
    ];
    await farm.lay(bad.filter(({ name }) => !name.startsWith('..')));
    await rm(join(folder, 'in', 'gone.odt'));
    await writeFile(join(folder, 'secret.odt'), good);
    await writeFile(join(folder, 'out', 'there.pdf'), 'mine');
    await using crew = new WorkCrew(
      'convert',
      farm.client,
      [database],
      options(farm, { roots: [pathToFileURL(`${folder}/`)] }),
    );
    await crew.start();
    const jobs = {
      names: await farm.submit(database, bad),
      exists: await farm.submit(database, [{ name: 'good.odt', out: 'there.pdf' }], {
        settings: '<settings xmlns="urn:granary:job-settings" to="pdf" replace="false"/>',
      }),
      broken: await farm.submit(database, [{ name: 'good.odt', out: 'x.pdf' }], { settings: '<settings' }),
      outside: await farm.submit(database, [{ name: 'passwd.txt', out: 'x.pdf' }], { input: 'file:///etc/' }),
      data: await farm.submit(database, [{ name: 'x.txt', out: 'x.pdf' }], {
        input: pathToFileURL(`${folder}/data/`).href,
      }),
      nowhere: await farm.submit(database, [{ name: 'x.txt', out: 'x.pdf' }], { input: 'http://127.0.0.1:1/' }),
    };
    assert.deepEqual(
      await farm.ended(database, jobs.names),
      bad.map(({ name, error }) => ({ name, error: error === null ? null : code(error) })),
    );
    const errorOf = async (job: bigint) => (await farm.ended(database, job))[0]?.error;
    assert.equal(await errorOf(jobs.exists), code('outputExists'));
    assert.equal(await errorOf(jobs.broken), code('badSettings'));
    assert.equal(await errorOf(jobs.outside), code('notAllowed'));
    assert.equal(await errorOf(jobs.data), code('notAllowed'));
    assert.equal(await errorOf(jobs.nowhere), code('notAllowed'));
    assert.deepEqual((await readdir(join(folder, 'out'))).sort(), ['good.txt', 'there.pdf']);
    assert.equal(await readFile(join(folder, 'out', 'there.pdf'), 'utf8'), 'mine');
  });

  test('a document of ten thousand pages takes longer than it may', async () => {
    await using farm = await JobFarm.start('sqlite');
    const lines = Buffer.from('A line of a very long document.\n'.repeat(500_000));
    await farm.lay([
      { name: 'long.txt', content: lines, out: '' },
      { name: 'short.txt', content: Buffer.from('short'), out: '' },
    ]);
    await using crew = new WorkCrew('convert', farm.client, [database], options(farm, { timeout: 1000 }));
    await crew.start();
    const job = await farm.submit(database, [{ name: 'long.txt', out: 'long.pdf' }]);
    assert.deepEqual(await farm.ended(database, job), [{ name: 'long.txt', error: code('timedOut') }]);
    assert.deepEqual(await readdir(join(farm.folder, 'out')), []);
  });

  const disk = spawnSync('unshare', ['--mount', 'true']).status === 0;
  test('a full disk', { skip: !disk && 'file systems cannot be mounted here' }, async (context) => {
    await using farm = await JobFarm.start('sqlite');
    const small = join(farm.folder, 'small');
    await mkdir(small);
    const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=4k', 'none', small]).status === 0;
    if (!mounted) return context.skip('file systems cannot be mounted here');
    using stack = new DisposableStack();
    stack.defer(() => spawnSync('umount', [small]));
    await farm.lay([{ name: 'a.odt', content: samples.odt('a'), out: '' }]);
    await using crew = new WorkCrew('convert', farm.client, [database], options(farm));
    await crew.start();
    const output = pathToFileURL(`${small}/`).href;
    const job = await farm.submit(database, [{ name: 'a.odt', out: 'a.pdf' }], { output });
    assert.deepEqual(await farm.ended(database, job), [{ name: 'a.odt', error: code('diskFull') }]);
    assert.deepEqual(await readdir(small), []);
  });
});
