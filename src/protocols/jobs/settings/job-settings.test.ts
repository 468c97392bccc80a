import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isOwn, readSettings, writeSettings } from './job-settings.ts';

test('settings are read as they were written', () => {
  for (const settings of [
    { to: 'pdf', replace: true },
    { from: 'en', to: 'pt_BR', replace: false },
    { replace: true },
  ]) {
    const text = writeSettings(settings);
    assert.deepEqual(readSettings(text), settings);
    assert.equal(isOwn(text), true);
    assert.equal(isOwn(`<?xml version="1.0"?>\n${text}`), true);
  }
});

test('settings of others are not Granary’s own, and what is plain in them is taken', () => {
  const replace = true;
  assert.deepEqual(readSettings(null), { replace });
  assert.deepEqual(readSettings('<settings/>'), { replace });
  assert.deepEqual(readSettings('<a OutputFormat="Document97"/>'), { to: 'doc', isExtensionAdded: true, replace });
  assert.deepEqual(readSettings('<a><OutputFormat>Automatic</OutputFormat></a>'), { replace });
  const languages = { from: 'en', to: 'es', replace };
  assert.deepEqual(
    readSettings('<a><InputLanguage>en</InputLanguage><OutputLanguage>es</OutputLanguage></a>'),
    languages,
  );
  assert.deepEqual(
    readSettings('<a><SourceLanguage>en</SourceLanguage><TargetLanguage>es</TargetLanguage></a>'),
    languages,
  );
  for (const text of [null, '', '<settings/>', '<a xmlns="urn:granary:job-settings"/>'])
    assert.equal(isOwn(text), false);
});

test('the settings of Word Automation Services are understood as a data contract writes them, with or without line breaks', () => {
  const contract = `
    <ConversionJobSettings xmlns="http://schemas.microsoft.com/office/server/word/2009/08/conversionJobSettings">
      <EmbedFonts>false</EmbedFonts>
      <FixedFormatSettings>
        <Bookmarks>Headings</Bookmarks>
        <IncludeDocumentStructure>true</IncludeDocumentStructure>
        <UsePDFA>true</UsePDFA>
      </FixedFormatSettings>
      <OutputFormat>PDF</OutputFormat>
      <OutputSaveBehavior>NeverOverwrite</OutputSaveBehavior>
      <UpdateFields>false</UpdateFields>
    </ConversionJobSettings>`;
  const expected = {
    to: 'pdf',
    isExtensionAdded: true,
    pdf: { isArchive: true, hasTags: true, hasBookmarks: true },
    replace: false,
  };
  assert.deepEqual(readSettings(contract), expected);
  assert.deepEqual(readSettings(contract.replaceAll(/\n\s*/g, '')), expected);
});

test('a behaviour of SharePoint that keeps versions replaces nothing where there are none', () => {
  const replaces = (behaviour: string) =>
    readSettings(`<a><OutputSaveBehavior>${behaviour}</OutputSaveBehavior></a>`).replace;
  assert.deepEqual(['AppendIfPossible', 'AlwaysOverwrite', 'AppendOnly', 'NeverOverwrite'].map(replaces), [
    true,
    true,
    false,
    false,
  ]);
});

test('what is no XML, and what Granary’s own settings cannot say, is refused', () => {
  const own = (attributes: string) => `<settings xmlns="urn:granary:job-settings" ${attributes}/>`;
  for (const text of ['settings', '<a>', '<a/><b/>', '<!DOCTYPE a [<!ENTITY e "x">]><a>&e;</a>']) {
    assert.throws(() => readSettings(text), Error, text);
  }
  for (const element of ['OutputFormat', 'OutputSaveBehavior', 'UsePDFA']) {
    assert.throws(() => readSettings(`<a><${element}>perhaps</${element}></a>`), /'perhaps' has no meaning/, element);
  }
  for (const attributes of ['to="../x"', 'to=""', 'replace="perhaps"', 'shape="round"']) {
    assert.throws(() => readSettings(own(attributes)), Error, attributes);
  }
});
