import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { SqlError } from '../../base/messages/sql-error.ts';
import * as t from '../types/index.ts';
import { convert } from './convert.ts';
import { normalXml } from './to-xml.ts';

const forms: readonly [document: string, form: string][] = [
  ['<?xml version="1.0" standalone="yes"?>\n<a></a>', '<a/>'],
  ['<a />', '<a/>'],
  ['', ''],
  ["<a b='x\"y'> <b>t</b> <c> </c></a>", '<a b="x&quot;y"><b>t</b><c/></a>'],
  ['x<a/>y<b/>', 'x<a/>y<b/>'],
  ['<a><![CDATA[<x>]]></a>', '<a>&lt;x&gt;</a>'],
  ['<a xml:space="preserve"> <b/> </a>', '<a xml:space="preserve"> <b/> </a>'],
  ['<a>&#13;&#10;é&apos;</a>', "<a>&#x0D;\né'</a>"],
  ['<!--c--><?pi x?><p:a xmlns:p="u"/>', '<!--c--><?pi x?><p:a xmlns:p="u"/>'],
];
for (const [document, form] of forms) {
  test(`the xml type keeps ${JSON.stringify(document)} as ${JSON.stringify(form)}`, () => {
    assert.equal(normalXml(document), form);
    assert.equal(normalXml(form), form, 'which is its own form');
    assert.equal(convert(document, t.nvarchar('max'), t.xml, { implicit: false }), form);
  });
}

test('CONVERT to xml with style 1 keeps blanks between elements', () => {
  assert.equal(convert('<a> <b/> </a>', t.varchar(20), t.xml, { implicit: false, style: 1 }), '<a> <b/> </a>');
});

const broken: readonly [document: string, number: number][] = [
  ['<a>', 9400],
  ['<a', 9400],
  ['<a b="1', 9400],
  ['<!-- ', 9400],
  ['<a></b>', 9436],
  ['</a>', 9436],
  ['<a b="1" b="2"/>', 9437],
  ['<a>&foo;</a>', 9448],
  ['a & b', 9411],
  ['<1/>', 9455],
  ['<a b=1/>', 9413],
  ['<a b/>', 9414],
  ['<a b="<"/>', 9415],
  ['<!DOCTYPE a><a/>', 6359],
];
for (const [document, number] of broken) {
  test(`${JSON.stringify(document)} is no xml: error ${number}`, () => {
    assert.throws(() => convert(document, t.nvarchar('max'), t.xml, { implicit: false }), { number });
  });
}

test('elements stand in one another 128 deep, as in SQL Server: error 6335 for more, and no memory is taken for it', () => {
  const deep = (levels: number) => `${'<a>'.repeat(levels - 1)}<a/>${'</a>'.repeat(levels - 1)}`;
  assert.equal(normalXml(deep(128)), deep(128));
  assert.throws(() => normalXml(deep(129)), { number: 6335, message: /Maximum allowed depth is 128 levels/ });
  assert.throws(() => normalXml('<a>'.repeat(5_000_000)), { number: 6335 });
});

test('an element has 10,000 attributes, and a document is no longer for its escapes than a value may be: error 701', () => {
  const wide = (count: number) => `<a ${Array.from({ length: count }, (_, at) => `a${at}=""`).join(' ')}/>`;
  assert.equal(normalXml(wide(10_000)), wide(10_000));
  assert.throws(() => normalXml(wide(10_001)), { number: 701 });
  assert.throws(() => normalXml(`<a><![CDATA[${'&'.repeat(8_000_000)}]]></a>`), { number: 701 });
});

test('a text or value is the same in pieces as in one: references and blanks where pieces end', () => {
  const [blank, other] = ['\r\n'.repeat(150_000), '&lt;x &#x26;'.repeat(60_000)];
  const written = (text: string) => text.replaceAll('&#x26;', '&amp;');
  assert.equal(normalXml(`<a>${blank}<b/></a>`), '<a><b/></a>');
  const escaped = blank.replaceAll('\r', '&#x0D;');
  for (const text of [other, `${blank}${other}`, `${other}${blank}`]) {
    const wanted = written(text).replaceAll(blank, escaped);
    assert.equal(normalXml(`<a>${text}</a>`), `<a>${wanted}</a>`);
  }
  assert.equal(normalXml(`<a b="${other}"/>`), `<a b="${written(other)}"/>`);
  assert.throws(() => normalXml(`<a>${'&lt;'.repeat(100_000)}&lt</a>`), { number: 9411 });
  assert.throws(() => normalXml(`${'<a/>\n'.repeat(70_000)}\n <b`), {
    number: 9400,
    message: /line 70002, character 3,/,
  });
});

test('error 9402: a declared encoding that contradicts the type that the document comes in', () => {
  const document = (encoding: string) => `<?xml version="1.0" encoding="${encoding}"?><a/>`;
  const as = (type: t.AnyType, encoding: string) => convert(document(encoding), type, t.xml);
  assert.throws(() => as(t.nvarchar('max'), 'utf-8'), { number: 9402, message: /line 1, character 38, unable/ });
  assert.throws(() => as(t.ntext, 'iso-8859-1'), { number: 9402 });
  assert.throws(() => as(t.varchar('max'), 'UTF-16'), { number: 9402 });
  assert.equal(as(t.nvarchar('max'), 'UTF-16'), document('UTF-16'), 'an argument keeps the form it came in');
  assert.equal(as(t.varchar(100), 'utf-8'), document('utf-8'));
});

test('a document in bytes is in UTF-16 by its first bytes, else in the encoding that it declares, else in UTF-8', () => {
  const declared = (encoding: string) => `<?xml version="1.0" encoding="${encoding}"?><a b="é"/>`;
  const as = (bytes: Buffer) => convert(bytes, t.varbinary('max'), t.xml, { implicit: false });
  const marked = (text: string) => `\ufeff${text}`;
  for (const bytes of [
    Buffer.from('<a b="é"/>'),
    Buffer.from(marked('<a b="é"/>')),
    Buffer.from(declared('UTF-8')),
    Buffer.from(marked(declared('utf-8'))),
    Buffer.from(declared('iso-8859-1'), 'latin1'),
    Buffer.from(declared('Windows-1252'), 'latin1'),
    Buffer.from('<a b="é"/>', 'utf16le'),
    Buffer.from(marked(declared('utf-16')), 'utf16le'),
  ]) {
    assert.equal(as(bytes), '<a b="é"/>', bytes.toString('latin1'));
  }
  assert.throws(() => as(Buffer.from(declared('utf-16'))), { number: 9402 });
  assert.throws(() => as(Buffer.from(declared('ebcdic-of-old'))), { number: 9402, message: /line 1, character 46,/ });
  assert.throws(() => as(Buffer.from('<a>\n<b c="é"/></a>', 'latin1')), {
    number: 9420,
    message: /line 2, character 7, illegal xml character/,
  });
});

test('no text makes the scanner throw anything but an error of SQL Server', () => {
  const bits = fc.constantFrom(
    '<',
    '>',
    '/',
    'a',
    '=',
    '"',
    "'",
    '&',
    ';',
    '#1',
    ' ',
    '!--',
    '-->',
    '<![CDATA[',
    ']]>',
    '?',
  );
  fc.assert(
    fc.property(fc.array(bits, { maxLength: 20 }), (pieces) => {
      try {
        normalXml(pieces.join(''));
      } catch (error) {
        assert.ok(error instanceof SqlError, String(error));
      }
    }),
  );
});
