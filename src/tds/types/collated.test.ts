import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ByteWriter } from '../byte-writer.ts';
import { modern } from '../version.ts';
import { encodeText } from './code-page.ts';
import { collated } from './collated.ts';
import { decodeText } from './collation.ts';
import { collationNamed } from './collation-name.ts';
import { char, ntext, nvarchar, varchar } from './index.ts';

function hex(write: (out: ByteWriter) => void): string {
  const out = new ByteWriter();
  write(out);
  return out.take().toString('hex');
}

/** Names with the five bytes of MS-TDS 2.2.5.1.2 and the code page. */
const names: readonly [name: string, bytes: string, page: string][] = [
  ['Latin1_General_CI_AS_KS_WS', '0904100000', 'windows-1252'],
  ['Latin1_General_CI_AS', '0904d00000', 'windows-1252'],
  ['SQL_Latin1_General_CP1_CI_AS', '0904d00034', 'windows-1252'],
  ['SQL_Latin1_General_CP1251_CI_AS', '1904d0006a', 'windows-1251'],
  ['sql_latin1_general_cp850_ci_as', '0904d0002a', 'cp850'],
  ['SQL_Latin1_General_CP437_BIN2', '090400021e', 'cp437'],
  ['SQL_Romanian_Cp1250_CI_AS', '1804d0005a', 'windows-1250'],
  ['Korean_90_CI_AI', '1204f01000', 'euc-kr'],
  ['Chinese_Hong_Kong_Stroke_90_CI_AI', '040cf01000', 'big5'],
  ['Serbian_Cyrillic_100_CS_AS_KS_WS_SC', '1a0c002000', 'windows-1251'],
  ['Japanese_XJIS_140_CI_AS_VSS_UTF8', '1104d03400', 'utf-8'],
  ['cyrillic_general_cs_as', '1904c00000', 'windows-1251'],
  ['Japanese_BIN', '1104000100', 'shift_jis'],
  ['Latin1_General_100_BIN2', '0904002200', 'windows-1252'],
  ['Latin1_General_100_CI_AI_SC_UTF8', '0904f02400', 'utf-8'],
];

describe('collations', () => {
  for (const [name, bytes, page] of names) {
    test(`${name} is ${bytes} in ${page}`, () => {
      const found = collationNamed(name);
      assert.equal(found && Buffer.from(found.bytes).toString('hex'), bytes);
      assert.equal(found?.page, page);
    });
  }

  test('names that are none are none', () => {
    for (const name of ['', 'Latin1_General', 'Nowhere_CI_AS', 'Latin1_General_CX_AS', 'SQL_Latin1_General_CP1_BIN'])
      assert.equal(collationNamed(name), undefined, name);
  });

  test('a text type says its collation and writes its code page', () => {
    const cyrillic = collationNamed('Cyrillic_General_CS_AS');
    assert.ok(cyrillic);
    const short = collated(varchar(10), cyrillic);
    assert.equal(
      hex((out) => short.writeInfo(out, modern)),
      'a70a001904c00000',
    );
    assert.equal(
      hex((out) => short.write(out, 'aШ', modern)),
      '020061d8',
    );
    assert.equal(
      hex((out) => collated(varchar('max'), cyrillic).writeInfo(out, modern)),
      'a7ffff1904c00000',
    );
    assert.equal(
      hex((out) => collated(nvarchar(4), cyrillic).writeInfo(out, modern)),
      'e708001904c00000',
    );
    assert.match(
      hex((out) => collated(ntext, cyrillic).writeInfo(out, modern)),
      /1904c00000$/,
    );
    assert.equal(collated(char(3), cyrillic).check('Ш'), 'Ш  ');
    assert.throws(() => collated(char(1), cyrillic).check('ШШ'), { number: 8152 });
  });

  test('code pages of two bytes are those of Windows', () => {
    const pairs: readonly [page: string, text: string, hex: string][] = [
      ['shift_jis', 'a\x1a\x1c\x7fｱ漢①', '611a1c7fb18abf8740'],
      ['euc-kr', '가각갂걎뀉볞힣€', 'b0a1b0a281418174858593e4c652a2e6'],
      ['big5', '十中', 'a451a4a4'],
      ['gbk', '€中', '80d6d0'],
    ];
    for (const [page, text, bytes] of pairs) {
      assert.equal(encodeText(text, page).toString('hex'), bytes, page);
      assert.equal(decodeText(Buffer.from(bytes, 'hex'), page), text, page);
    }
    assert.equal(decodeText(Buffer.from('a2cc', 'hex'), 'big5'), '十');
    assert.equal(decodeText(Buffer.from('61ff', 'hex'), 'euc-kr'), 'a\ufffd');
  });

  test('what a code page does not have becomes a question mark', () => {
    assert.equal(encodeText('aШé', 'windows-1251').toString('hex'), '61d83f');
    assert.equal(encodeText('日', 'shift_jis').toString('hex'), '93fa');
    assert.equal(encodeText('中é', 'gbk').toString('hex'), 'd6d0a8a6');
    assert.equal(encodeText('é', 'utf-8').toString('hex'), 'c3a9');
  });
});
