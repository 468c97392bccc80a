import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { atOnce } from '../base/threads/steps.ts';
import { readXmlPath } from './xml-path.ts';
import { xmlValueSteps } from './xml-value.ts';

const library =
  '<library><book id="1">A<i>b</i>c</book><shelf><book id="2" lang="de">d</book><book id="3">e</book></shelf><!--x--></library>';
const textAt = (path: string, document = library) => atOnce(xmlValueSteps(document, readXmlPath(path, 'value()')));

describe('the value that a path of XQuery finds', () => {
  const found: Readonly<Record<string, string | undefined>> = {
    '(/library/book)[1]': 'Abc',
    '(./library/shelf/book)[2]': 'e',
    '(/library/shelf/book/@id)[2]': '3',
    '/library[1]/shelf[1]/book[2]/@id': '3',
    '(//book)[3]': 'e',
    '(//book[1])[2]': 'd',
    '(//@id)[3]': '3',
    '(/library//@lang)[1]': 'de',
    '(//book[@lang="de"]/text())[1]': 'd',
    "(//book[@id='3'])[1]": 'e',
    '(/library/book/text())[2]': 'c',
    '(/*/*/book/@*)[2]': 'de',
    '.': 'Abcde',
    '(/)[1]': 'Abcde',
    '(/library/magazine)[1]': undefined,
    '(/Library/book)[1]': undefined,
    '(/library/book)[2]': undefined,
  };
  for (const [path, value] of Object.entries(found)) {
    test(`${path} is ${value ?? 'nothing'}`, () => assert.equal(textAt(path), value));
  }

  test('a name without a prefix means no element of a namespace', () => {
    const document = '<a xmlns="urn:a"><b>1</b><b xmlns="">2</b></a>';
    assert.equal(textAt('(/a/b)[1]', document), undefined);
    assert.equal(textAt('(/*/b)[1]', document), '2');
  });

  test('entities and CDATA are text', () =>
    assert.equal(textAt('(/a)[1]', '<a>1 &lt; <![CDATA[2 & 3]]></a>'), '1 < 2 & 3'));

  test('a path is single by its form: a place for all of it, or for each of its elements', () => {
    for (const path of ['(//a)[1]', '/a[1]/b[2]', '/a[1]/@b', '.'])
      assert.ok(readXmlPath(path, 'value()').isSingle, path);
    for (const path of ['/a', '/a/@b', '(/a)', '//@b', '/a[1]/b'])
      assert.ok(!readXmlPath(path, 'value()').isSingle, path);
  });

  test('what is no such path is refused: 9335, and 2229 for a prefix', () => {
    for (const path of ['', 'count(/a)', '/a[b]', '/a[', '(/a', '/a)', '/a/', '/a[1', '/a[@b]', '/a | /b', '/a/#']) {
      assert.throws(() => readXmlPath(path, 'value()'), { number: 9335 }, path);
    }
    assert.throws(() => readXmlPath('/p:a', 'value()'), { number: 2229 });
  });
});
