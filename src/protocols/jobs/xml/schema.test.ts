import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { jobAdd } from '../../translation/schemas.ts';
import { declaresDtd, withoutDeclaration } from './prolog.ts';

const namespace = 'http://schemas.microsoft.com/office/server/translation/2010/11/databaseJobAdd';
const group = (inner: string, more = '') => `<group xmlns="${namespace}"${more}>${inner}</group>`;

describe('withoutDeclaration', () => {
  test('takes off a byte order mark and an XML declaration, and nothing else', () => {
    assert.equal(withoutDeclaration('<a/>'), '<a/>');
    assert.equal(withoutDeclaration('\ufeff<a/>'), '<a/>');
    assert.equal(withoutDeclaration('<?xml version="1.0" encoding="utf-16"?><a/>'), '<a/>');
    assert.equal(withoutDeclaration('\ufeff<?xml version="1.0"?> <a/>'), ' <a/>');
    assert.equal(withoutDeclaration('<?xml-stylesheet href="a"?><a/>'), '<?xml-stylesheet href="a"?><a/>');
    assert.equal(withoutDeclaration(`<?xml version = '1.0' encoding='utf-8' standalone='no' ?><a/>`), '<a/>');
    for (const no of ['<?xml version="1.0"', '<?xml?><a/>', '<?xml encoding="utf-8"?><a/>', ' <?xml version="1.0"?>']) {
      assert.equal(withoutDeclaration(no), no);
    }
  });
});

describe('declaresDtd', () => {
  test('finds a DTD behind white space, comments and instructions', () => {
    assert.equal(declaresDtd('<!DOCTYPE a><a/>'), true);
    assert.equal(declaresDtd('\n<!-- a --><?b c?>\t<!DOCTYPE a [<!ENTITY b "c">]><a/>'), true);
  });

  test('is not misled by the word elsewhere', () => {
    assert.equal(declaresDtd('<a/>'), false);
    assert.equal(declaresDtd('<!-- <!DOCTYPE a> --><a b="<!DOCTYPE"/>'), false);
    assert.equal(declaresDtd('<!-- never closed <!DOCTYPE a>'), false);
    assert.equal(declaresDtd(''), false);
  });

  test('takes time in proportion to the document', () => {
    assert.equal(declaresDtd(`${'<!--a-->'.repeat(100_000)}<a/>`), false);
  });
});

describe('databaseJobAdd', () => {
  test('reads values as XML gives them: references, white space, all of Unicode', async () => {
    const { items } = await jobAdd.readHere(group('<item id="-2147483648" in="a&#10;&amp;&#x1F600;\n b" out="  "/>'));
    assert.deepEqual([...items], [{ ItemId: -2147483648, InputFile: 'a\n&😀  b', OutputFile: '  ' }]);
  });

  test('blanks between items may come in references and CDATA, and other text in neither', async () => {
    const item = '<item id="1" in="a" out="b"/>';
    for (const blanks of ['&#10;', '<![CDATA[ \n]]>', '<![CDATA[]]>'])
      assert.equal((await jobAdd.readHere(group(`${blanks}${item}`))).items.length, 1);
    await assert.rejects(() => jobAdd.readHere(group(`<![CDATA[a]]>${item}`)), { number: 50000 });
  });

  test('reads a document of 20,000 items', async () => {
    const items = Array.from({ length: 20_000 }, (_, id) => `<item id="${id}" in="${id}.docx" out="${id}.pdf"/>`);
    assert.equal((await jobAdd.readHere(group(items.join('')))).items.length, 20_000);
  });

  test('says what does not conform, and of which parameter', async () => {
    await assert.rejects(() => jobAdd.readHere(group('<item id="x" in="" out=""/>')), {
      number: 50000,
      message:
        /^@JobXml does not conform to its XML schema, line 1: Element '\{http.*databaseJobAdd\}item', attribute 'id': 'x' is not a valid/,
    });
    await assert.rejects(() => jobAdd.readHere('<group xmlns="urn:a"/>'), { message: /'\{urn:a\}group'/ });
    await assert.rejects(() => jobAdd.readHere(group('<item id="{1}" in="" out=""/>')), { message: /'\{1\}'/ });
  });

  test('follows no hint to another schema', async () => {
    const hint =
      ' xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="urn:a file:///etc/hostname urn:b http://127.0.0.1:9/b"';
    assert.equal((await jobAdd.readHere(group('<item id="1" in="" out=""/>', hint))).items.length, 1);
  });

  test('refuses what no XML document may hold', async () => {
    for (const character of ['\0', '\u0001', '\ud800', '\uffff']) {
      await assert.rejects(() => jobAdd.readHere(group(`<item id="1" in="${character}" out=""/>`)), {
        number: 9420,
      });
    }
  });

  test('refuses an item of more than ten million characters rather than exhaust memory', async () => {
    const huge = group(`<item id="1" in="${'a'.repeat(11_000_000)}" out=""/>`);
    await assert.rejects(() => jobAdd.readHere(huge), { number: 9422 });
  });
});
