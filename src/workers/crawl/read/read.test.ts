import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { strToU8, zipSync } from 'fflate';
import { lcidOf } from './lcid.ts';
import { Reader } from './reader.ts';

const reader = new Reader({ timeout: 60_000, memory: 128 });
after(() => reader[Symbol.asyncDispose]());

const read = (mediaType: string, body: string | Uint8Array, charset?: string) =>
  reader.read({
    url: 'http://one.example/a/b',
    mediaType,
    charset,
    body: typeof body === 'string' ? Buffer.from(body) : body,
    robot: 'Granary',
  });

test('a page gives its title, text, meta data, language, robot tags, and links with their texts', async () => {
  const page = await read(
    'text/html',
    `<html lang=de-AT><head><title> A  <b>title</b></title><base href="/base/"><meta name=Author content="A. Name">
    <meta name=description content="What it is"><meta name=granary content=noindex><style>p{}</style></head>
    <body><p>One<p>two<script>hidden()</script> <a href="x?a&amp;b#f">The <img alt=picture> link</a>
    <a href="y" rel="nofollow">no</a><a href="mailto:a@b">mail</a><iframe src="//two.example/z"></iframe></body>`,
  );
  assert.deepEqual(page, {
    title: 'A <b>title</b>',
    text: 'One\ntwo The link\nnomail',
    author: 'A. Name',
    description: 'What it is',
    keywords: '',
    language: 'de-AT',
    links: [
      { url: 'http://one.example/base/x?a&b', text: 'The picture link' },
      { url: 'http://two.example/z', text: '' },
    ],
    tags: { noIndex: true, noFollow: false },
  });
  assert.equal(lcidOf('de-AT'), 3079);
  assert.equal(lcidOf('de-XX'), 1031);
});

test('the title of a picture is not that of its page', async () => {
  const icon = '<svg><title>Icon</title></svg>';
  assert.equal((await read('text/html', `<body>${icon}text`)).title, '');
  assert.equal((await read('text/html', `<body>${icon}<title>Page</title>`)).title, 'Page');
});

test('a page without its end tags, with several bases or a refresh without a name is read as browsers read it', async () => {
  const page = await read(
    'text/html',
    `<html><head><title>T</title><meta name=robots content="noindex nofollow"><base target=_top><base href="/one/">
    <base href="two/"><meta http-equiv=refresh content="5;/next"><meta http-equiv=refresh content="0; URL='later'">
    <meta http-equiv=refresh content=60><p>text <a href=x>link</a>`,
  );
  assert.deepEqual([page.title, page.text], ['T', 'text link']);
  assert.deepEqual(
    page.links.map(({ url }) => url),
    ['http://one.example/next', 'http://one.example/one/later', 'http://one.example/one/x'],
  );
  assert.deepEqual(page.tags, { noIndex: true, noFollow: true });
  assert.equal((await read('text/html', '<title>T</title>text')).text, 'text');
  const { links } = await read('text/html', '<base href="javascript:0"><a href=x></a>');
  assert.deepEqual(links, [{ url: 'http://one.example/a/x', text: '' }]);
});

test('a page of XHTML is read as XML where that differs: empty elements and CDATA', async () => {
  const page = '<head><title>T</title><script src="x"/></head><p>a<![CDATA[ & ]]>b&eacute; <a href="x">c</a></p>';
  const { text, links } = await read('application/xhtml+xml', `<html>${page}</html>`);
  assert.equal(text, 'a & bé c');
  assert.equal(links.length, 1);
  assert.equal((await read('text/html', page)).text, '', 'HTML has no empty script');
});

test('texts are decoded as their mark, their header or they themselves say, and else as they can be', async () => {
  const latin = Buffer.from([0xe4, 0xf6]);
  assert.equal((await read('text/plain', latin, 'iso-8859-1')).text, 'äö');
  assert.equal((await read('text/plain', latin)).text, 'äö');
  assert.equal((await read('text/plain', 'äö')).text, 'äö');
  assert.equal((await read('text/plain', Buffer.from('\uFEFFäö', 'utf16le'))).text, 'äö');
  const page = Buffer.concat([Buffer.from('<meta charset=koi8-r>'), Buffer.from([0xd0])]);
  assert.equal((await read('text/html', page)).text, 'п');
  assert.equal(
    (await read('text/html', '<meta charset="utf-16le"><p>äö')).text,
    'äö',
    'what could be read is no UTF-16',
  );
});

test('a page of ten thousand links gives them all', async () => {
  const links = Array.from({ length: 10_000 }, (_, at) => `<a href=${at}>${at}</a>`);
  assert.equal((await read('text/html', links.join(''))).links.length, links.length);
});

const core =
  '<cp:coreProperties xmlns:cp="c" xmlns:dc="d"><dc:title>T</dc:title><dc:creator>A</dc:creator></cp:coreProperties>';

test('documents of Office Open XML and OpenDocument give their properties and their text', async () => {
  const docx = zipSync({
    'docProps/core.xml': strToU8(core),
    'word/document.xml': strToU8(
      '<w:d xmlns:w="w"><w:p><w:t>One</w:t></w:p><w:p><w:t>two</w:t><w:x>no</w:x></w:p></w:d>',
    ),
  });
  const word = await read('application/vnd.openxmlformats-officedocument.wordprocessingml.document', docx);
  assert.deepEqual([word.title, word.author, word.text], ['T', 'A', 'One\ntwo']);
  const odt = zipSync({
    'meta.xml': strToU8('<m xmlns:dc="d"><dc:title>O</dc:title></m>'),
    'content.xml': strToU8('<c xmlns:text="t"><text:p>One</text:p><text:p>two</text:p></c>'),
  });
  const open = await read('application/vnd.oasis.opendocument.text', odt);
  assert.deepEqual([open.title, open.text], ['O', 'One\ntwo']);
  const sheet = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
  const xlsx = zipSync({ 'xl/sharedStrings.xml': strToU8('<sst><si><t>cell</t></si><si><t>other</t></si></sst>') });
  assert.equal((await read(sheet, xlsx)).text, 'cell\nother');
  await assert.rejects(read(sheet, docx.subarray(0, 40)), { kind: 'unreadable' });
});

/** A PDF of one page with a title and a line of text. */
function pdf(title: string, line: string): string {
  const stream = `BT /F1 12 Tf 72 720 Td (${line}) Tj ET`;
  return `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>endobj
4 0 obj<</Length ${stream.length}>>stream
${stream}
endstream endobj
5 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj
6 0 obj<</Title(${title})>>endobj
trailer<</Root 1 0 R/Info 6 0 R/Size 7>>
%%EOF`;
}

test('a PDF gives its title and its text; one that is none costs only itself', async () => {
  const page = await read('application/pdf', pdf('A report', 'Some grain'));
  assert.deepEqual([page.title, page.text], ['A report', 'Some grain']);
  await assert.rejects(read('application/pdf', 'no PDF'), { kind: 'unreadable' });
  assert.equal((await read('text/plain', 'fine')).text, 'fine');
});

test('what has no reader says nothing', async () => {
  assert.equal((await read('image/png', 'x')).text, '');
});

test('a document that makes its reader hang, crash or take all memory costs that document alone', async () => {
  const script = new URL('../../../../test/workers/crawl/fragile-thread.ts', import.meta.url);
  const ask = (reader: Reader, text: string) =>
    reader.read({ url: 'http://x/', mediaType: 'text/plain', charset: undefined, body: Buffer.from(text), robot: '' });
  const outcomes = async (timeout: number, documents: readonly string[]) => {
    await using reader = new Reader({ timeout, memory: 32 }, script);
    return await Promise.all(
      documents.map((what) =>
        ask(reader, what).then(
          ({ text }) => text,
          ({ kind }) => kind,
        ),
      ),
    );
  };
  assert.deepEqual(await outcomes(60_000, ['fine', 'crash', 'fine', 'memory', 'fine']), [
    'fine',
    'readerCrashed',
    'fine',
    'readerCrashed',
    'fine',
  ]);
  // On a slow machine the next document takes longer than the shortest of these times, for its thread starts anew.
  for (let timeout = 500; ; timeout *= 4) {
    const seen = await outcomes(timeout, ['hang', 'fine']);
    if (timeout < 30_000 && seen[1] === 'readerHung') continue;
    assert.deepEqual(seen, ['readerHung', 'fine']);
    break;
  }
});
