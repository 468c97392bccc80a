import type { Family } from './documents.ts';

const base = 'http://schemas.microsoft.com/office/server';

/** Documents that are no databaseJobAdd: what is wrong, the document, and the error it brings. */
export function badJobAdds(family: Family): readonly (readonly [string, string, number])[] {
  const ns = `xmlns="${base}/${family}/databaseJobAdd"`;
  const group = (inner: string) => `<group ${ns}>${inner}</group>`;
  const item = '<item id="1" in="a" out="b" />';
  return [
    ['is empty text', '', 9400],
    ['is cut short', `<group ${ns}>${item}`, 9400],
    ['has an end tag of another name', `<group ${ns}>${item}</groups>`, 9436],
    ['has a declaration without version', `<?xml encoding="utf-8"?>${group(item)}`, 9441],
    ['has blanks before its declaration', ` <?xml version="1.0"?>${group(item)}`, 9438],
    ['has two roots', `${group(item)}${group(item)}`, 9435],
    ['names an entity that nobody declares', group('<item id="1" in="&a;" out="b" />'), 9448],
    ['has a DTD', `<!DOCTYPE group>${group(item)}`, 6359],
    [
      'has a DTD after a comment',
      `<!-- a --> <!DOCTYPE group [<!ENTITY a "b">]>${group('<item id="1" in="&a;" out="" />')}`,
      6359,
    ],
    ['has an external DTD', `<!DOCTYPE group SYSTEM "file:///etc/hostname">${group(item)}`, 6359],
    ['has no namespace', `<group>${item}</group>`, 50000],
    ['has another namespace', `<group xmlns="${base}/${family}/databaseBatchUpdate">${item}</group>`, 50000],
    ['has another root', `<Group ${ns}>${item}</Group>`, 50000],
    ['has no item', `<group ${ns} />`, 50000],
    ['has text between items', group(`text${item}`), 50000],
    ['has an unknown element', group(`${item}<other />`), 50000],
    ['has an item with content', group('<item id="1" in="a" out="b">x</item>'), 50000],
    ['has an item without id', group('<item in="a" out="b" />'), 50000],
    ['has an item without in', group('<item id="1" out="b" />'), 50000],
    ['has an item of no namespace', `<a:group ${ns.replace('xmlns', 'xmlns:a')}>${item}</a:group>`, 50000],
    ['has an attribute of a namespace', group(`<item xmlns:a="urn:a" a:id="1" id="1" in="a" out="b" />`), 50000],
    ['has an unknown attribute', group('<item id="1" in="a" out="b" more="c" />'), 50000],
    ['has an id that is no number', group('<item id="one" in="a" out="b" />'), 50000],
    ['has an id beyond int', group('<item id="2147483648" in="a" out="b" />'), 50000],
    ['has an id with decimals', group('<item id="1.5" in="a" out="b" />'), 50000],
  ];
}

/** Documents that are no databaseBatchUpdate. */
export function badBatchUpdates(family: Family): readonly (readonly [string, string, number])[] {
  const ns = `xmlns="${base}/${family}/databaseBatchUpdate"`;
  const batch = (inner: string) => `<batch ${ns}>${inner}</batch>`;
  const wsi = 'b00ae9a1-0474-474e-b348-f6a8bcc95331';
  const start = (attributes: string) => batch(`<start><item ${attributes} /></start><failed />`);
  const failed = (attributes: string) => batch(`<start /><failed><item ${attributes} /></failed>`);
  return [
    ['is not well formed', `<batch ${ns}><start></batch>`, 9436],
    ['has a DTD', `<!DOCTYPE batch>${batch('<start /><failed />')}`, 6359],
    ['has no namespace', '<batch><start /><failed /></batch>', 50000],
    ['has another namespace', `<batch xmlns="${base}/${family}/databaseJobAdd"><start /><failed /></batch>`, 50000],
    ['has no start', batch('<failed />'), 50000],
    ['has no failed', batch('<start />'), 50000],
    ['has two starts', batch('<start /><start /><failed />'), 50000],
    ['has failed before start', batch('<failed /><start />'), 50000],
    ['has a start item without job', start(`group="1" id="1" wsi="${wsi}"`), 50000],
    ['has a start item without wsi', start('job="1" group="1" id="1"'), 50000],
    ['has a job beyond bigint', start(`job="9223372036854775808" group="1" id="1" wsi="${wsi}"`), 50000],
    ['has a group beyond smallint', start(`job="1" group="32768" id="1" wsi="${wsi}"`), 50000],
    ['has a wsi in braces', start(`job="1" group="1" id="1" wsi="{${wsi}}"`), 50000],
    ['has a wsi that is cut short', start(`job="1" group="1" id="1" wsi="${wsi.slice(1)}"`), 50000],
    ['has a wsi with foreign digits', start(`job="1" group="1" id="1" wsi="${wsi.replace('00', '٠٠')}"`), 50000],
    ['has an error on a start item', start(`job="1" group="1" id="1" error="1" wsi="${wsi}"`), 50000],
    ['has a failed item without error', failed('job="1" group="1" id="1"'), 50000],
    ['has an error that is no number', failed('job="1" group="1" id="1" error="x"'), 50000],
  ];
}
