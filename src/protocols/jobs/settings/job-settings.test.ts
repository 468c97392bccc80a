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
  assert.deepEqual(readSettings(null), { replace: true });
  assert.deepEqual(readSettings('<settings/>'), { replace: true });
  assert.deepEqual(readSettings('<a><OutputFormat>PDF</OutputFormat></a>'), { to: 'pdf', replace: true });
  assert.deepEqual(readSettings('<a OutputFormat="Document97"/>'), { to: 'doc', replace: true });
  assert.deepEqual(readSettings('<a><InputLanguage>en</InputLanguage><OutputLanguage>es</OutputLanguage></a>'), {
    from: 'en',
    to: 'es',
    replace: true,
  });
  for (const text of [null, '', '<settings/>', '<a xmlns="urn:granary:job-settings"/>'])
    assert.equal(isOwn(text), false);
});

test('what is no XML, and what Granary’s own settings cannot say, is refused', () => {
  const own = (attributes: string) => `<settings xmlns="urn:granary:job-settings" ${attributes}/>`;
  for (const text of ['settings', '<a>', '<a/><b/>', '<!DOCTYPE a [<!ENTITY e "x">]><a>&e;</a>']) {
    assert.throws(() => readSettings(text), Error, text);
  }
  for (const attributes of ['to="../x"', 'to=""', 'replace="perhaps"', 'shape="round"']) {
    assert.throws(() => readSettings(own(attributes)), Error, attributes);
  }
});
