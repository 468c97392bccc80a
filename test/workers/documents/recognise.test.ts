import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { zipSync } from 'fflate';
import { checkDocument } from '../../../src/workers/documents/recognise.ts';
import * as samples from '../convert/samples.ts';

const limits = { largest: 1024 * 1024, largestUnpacked: 64 * 1024 * 1024 };
const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');

describe('A document is checked before any program gets it', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'granary-test-'));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  const check = async (content: Uint8Array, format: string): Promise<void> => {
    const path = join(folder, 'document');
    await writeFile(path, content);
    await checkDocument(path, format, limits);
  };

  test('what is what its name says passes', async () => {
    await check(samples.odt('a'), 'odt');
    await check(samples.ods('a'), 'ods');
    await check(samples.odp('a'), 'odp');
    await check(samples.docx('a'), 'docx');
    await check(samples.rtf('a'), 'rtf');
    await check(samples.html('a'), 'html');
    await check(Buffer.from('some text'), 'txt');
    await check(Buffer.from('\ufeffwide', 'utf16le'), 'txt');
    await check(Buffer.from('%PDF-1.4\n%%EOF'), 'pdf');
    await check(Buffer.alloc(0), 'txt');
  });

  test('what is something else does not, however it is called', async () => {
    const wrong: readonly [Uint8Array, string][] = [
      [png, 'docx'],
      [png, 'txt'],
      [Buffer.from('plain text'), 'docx'],
      [Buffer.from('plain text'), 'html'],
      [samples.odt('a'), 'docx'],
      [samples.docx('a'), 'pdf'],
      [samples.docx('a'), 'xlsx'],
      [samples.rtf('a'), 'doc'],
      [samples.docx('a').subarray(0, 100), 'docx'],
      [zipSync({ 'a.txt': Buffer.from('a') }), 'docx'],
      [Buffer.alloc(0), 'docx'],
    ];
    for (const [content, format] of wrong) {
      await assert.rejects(check(content, format), { kind: 'unreadable', message: /not what its name says/ }, format);
    }
  });

  test('a zip that unpacks to more than is allowed is too large, and nothing of it is unpacked', async () => {
    await assert.rejects(check(samples.bomb(100 * 1024 * 1024), 'docx'), { kind: 'tooLarge' });
  });

  test('a file of more bytes than are allowed is too large', async () => {
    await assert.rejects(check(Buffer.alloc(limits.largest + 1, 'a'), 'txt'), { kind: 'tooLarge' });
  });

  test('a document of Office that is encrypted is known by its container', async () => {
    const container = Buffer.concat([
      Buffer.from('d0cf11e0a1b11ae1', 'hex'),
      Buffer.alloc(1000),
      Buffer.from('EncryptedPackage\0', 'utf16le'),
    ]);
    await assert.rejects(check(container, 'docx'), { kind: 'passwordProtected' });
  });
});
