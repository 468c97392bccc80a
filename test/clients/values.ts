import { grain } from './expected.ts';

/** What the scripts in TypeScript send; those in other languages repeat it in their own words. */
export const partition = '93572c0a-d9e1-1395-dab3-932eac7ba30c';
export const farm = {
  class: '00000000-0000-0000-0000-00000000c1a5',
  object: '00000000-0000-0000-0000-000000000b1e',
  other: '00000000-0000-0000-0000-000000000b1f',
  application: '00000000-0000-0000-0000-0000000000a1',
  database: '00000000-0000-0000-0000-0000000000db',
  site: '00000000-0000-0000-0000-00000000051e',
};
export const properties = `<object>${grain}</object>`;
export const translationGroup =
  '<group xmlns="http://schemas.microsoft.com/office/server/translation/2010/11/databaseJobAdd">' +
  '<item id="1" in="a.docx" out="a_Thai.docx" /><item id="2" in="b.docx" out="b_Thai.docx" /></group>';
export const long = Buffer.alloc(10_485_760, 'grain.');
export { grain };
export const wordGroup =
  '<group xmlns="http://schemas.microsoft.com/office/server/word/2009/08/databaseJobAdd">' +
  '<item id="1" in="a.docx" out="a.pdf" /></group>';
export const wordBatch =
  '<batch xmlns="http://schemas.microsoft.com/office/server/word/2009/08/databaseBatchUpdate"><start>' +
  '<item job="1" group="1" id="1" wsi="b00ae9a1-0474-474e-b348-f6a8bcc95331" /></start><failed /></batch>';
