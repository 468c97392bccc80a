import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { jobAdd } from '../../translation/schemas.ts';
import { syntaxError } from './syntax-error.ts';

/** Malformed documents, and SQL Server's error for each. */
const faults: readonly (readonly [string, number, string])[] = [
  ['', 9400, 'unexpected end of input'],
  [' \n', 9400, 'unexpected end of input'],
  ['<a', 9400, 'unexpected end of input'],
  ['<a>', 9400, 'unexpected end of input'],
  ['<a><b/>', 9400, 'unexpected end of input'],
  ['<a b="c', 9400, 'unexpected end of input'],
  ['<a b="1"c="2"/>', 9410, 'whitespace expected'],
  ['<a b="c&amp"/>', 9411, 'semicolon expected'],
  ['<a b="?x=1&y=2"/>', 9411, 'semicolon expected'],
  ['<a></a', 9412, "'>' expected"],
  ['<!-- a -- b --><a/>', 9412, "'>' expected"],
  ['<a b=c/>', 9413, 'A string literal was expected'],
  ['<a b/>', 9414, 'equal expected'],
  ['<a b="<"/>', 9415, "well formed check: no '<' in attribute value"],
  ['<a b="&#xg;"/>', 9416, 'hexadecimal digit expected'],
  ['<a b="&#a;"/>', 9417, 'decimal digit expected'],
  ['<a b="&#0;"/>', 9420, 'illegal xml character'],
  ['<a \u0001/>', 9420, 'illegal xml character'],
  ['<a b="\ud800"/>', 9420, 'illegal xml character'],
  ['<a>\u0001</a>', 9420, 'illegal xml character'],
  ['<a b="you & me"/>', 9421, 'illegal name character'],
  ['text', 9422, 'incorrect document syntax'],
  ['<a><![CDATA[x</a>', 9423, 'incorrect CDATA section syntax'],
  ['<!-- x', 9424, 'incorrect comment syntax'],
  ['<a/><b/>', 9435, 'one root element'],
  ['<a></b>', 9436, 'end tag does not match start tag'],
  ['<a b="1" b="2"/>', 9437, 'duplicate attribute'],
  [' <?xml version="1.0"?><a/>', 9438, 'text/xmldecl not at the beginning of input'],
  ['<?xml encoding="utf-8"?><a/>', 9441, 'incorrect xml declaration syntax'],
  ['<a b="&c;"/>', 9448, 'well formed check: undeclared entity'],
  ['<?pi', 9451, 'incorrect processing instruction syntax'],
  ['<a>]]></a>', 9454, "no ']]>' in element content"],
  ['</a>', 9455, 'illegal qualified name character'],
  ['<a:b/>', 9459, 'undeclared prefix'],
  ['<a b:c="d"/>', 9459, 'undeclared prefix'],
];

describe('A text that is no well-formed document', () => {
  for (const [text, number, what] of faults) {
    test(`${JSON.stringify(text)} is error ${number}`, async () => {
      await assert.rejects(
        () => jobAdd.readHere(text),
        (error: Error & { number?: number }) => {
          assert.equal(error.number, number);
          assert.match(error.message, /^XML parsing: line [12], character \d+, /);
          assert.ok(error.message.endsWith(`, ${what}`), error.message);
          return true;
        },
      );
    });
  }

  test('is told apart from one that there is not enough memory for', () => {
    assert.equal(syntaxError('<a/>', { message: '', level: 3, line: 0, col: 0 }).number, 701);
  });

  test('is told by its first error, not by a warning before it', async () => {
    await assert.rejects(() => jobAdd.readHere('<a xmlns="relative">\n<b></c></a>'), {
      number: 9436,
      message: /^XML parsing: line 2, /,
    });
  });
});
