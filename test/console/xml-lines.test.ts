import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { compareXml, xmlLines } from '../../src/console/page/parts/xml-lines.ts';

const shown = (text: string) => xmlLines(text).map(({ depth, text: line }) => `${'.'.repeat(depth)}${line}`);

describe('XML as the console shows it', () => {
  test('an element stands on its line, what is in it stands further in, text alone stays with its element', () => {
    const text = `<?xml version="1.0"?><object type="a"><sFld type="String">x &lt; y</sFld><empty></empty><fld/><in><deep>1</deep></in></object>`;
    assert.deepEqual(shown(text), [
      '<?xml version="1.0"?>',
      '<object type="a">',
      '.<sFld type="String">x &lt; y</sFld>',
      '.<empty></empty>',
      '.<fld/>',
      '.<in>',
      '..<deep>1</deep>',
      '.</in>',
      '</object>',
    ]);
  });

  test('what is no XML comes out as it is', () => {
    for (const text of ['', 'plain', 'not <xml', '</a></b>', '< <<', '<a', 'a\nb']) {
      assert.equal(
        shown(text)
          .join('')
          .replaceAll(/[.\n ]/g, ''),
        text.replaceAll(/[\n ]/g, ''),
      );
    }
  });

  test('two documents are compared line by line: what both have stays, what went and what came is told', () => {
    const lines = compareXml('<o><a>1</a><b/><c>x</c></o>', '<o><a>2</a><b/><d/><c>x</c></o>');
    assert.deepEqual(
      lines?.map(({ where, text }) => `${where} ${text}`),
      ['both <o>', 'before <a>1</a>', 'after <a>2</a>', 'both <b/>', 'after <d/>', 'both <c>x</c>', 'both </o>'],
    );
    assert.deepEqual(
      compareXml('<o/>', '<o/>')?.map(({ where }) => where),
      ['both'],
    );
    const long = (n: number) => `<o>${`<a>${n}</a>`.repeat(3000)}</o>`;
    assert.equal(compareXml(long(1), long(2)), undefined);
  });
});
