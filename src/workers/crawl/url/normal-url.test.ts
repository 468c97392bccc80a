import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compactHash, compactUrl, hash32 } from './hash.ts';
import { extensionOf, hostOf, normalUrl } from './normal-url.ts';

test('a URL has one spelling: no fragment, no credentials, no default port, dots resolved, escapes as RFC 3986 wants them', () => {
  const spelled: readonly (readonly [string, string | undefined])[] = [
    ['HTTP://Example.COM:80/a/../b/./c#x', 'http://example.com/b/c'],
    ['https://user:secret@example.com:443', 'https://example.com/'],
    ['http://example.com/%7euser/%c3%a4?', 'http://example.com/~user/%C3%A4'],
    ['http://example.com/a?b=1&a=2', 'http://example.com/a?b=1&a=2'],
    ['http://example.com/a?#x', 'http://example.com/a'],
    ['http://example.com/a??', 'http://example.com/a??'],
    ['mailto:somebody@example.com', undefined],
    ['javascript:void(0)', undefined],
    ['http://', undefined],
    [`http://example.com/${'x'.repeat(1500)}`, undefined],
    [`http://${'a.'.repeat(126)}com/`, `http://${'a.'.repeat(126)}com/`],
    [`http://${'a.'.repeat(127)}com/`, undefined],
    ['file:///srv/a%20b.txt', 'file:///srv/a%20b.txt'],
  ];
  for (const [href, expected] of spelled) {
    assert.equal(normalUrl(href), expected, href);
    if (expected !== undefined) assert.equal(normalUrl(expected), expected, 'and keeps it');
  }
  assert.equal(normalUrl('../x', 'http://example.com/a/b/c'), 'http://example.com/a/x');
});

test('a host is a name with its port; files are of this machine', () => {
  assert.equal(hostOf('http://example.com:8080/x'), 'example.com:8080');
  assert.equal(hostOf('https://example.com/'), 'example.com');
  assert.equal(hostOf('file:///srv/x'), 'localhost');
  assert.equal(extensionOf('http://example.com/a.b/Report.PDF?x=.html'), 'pdf');
  assert.equal(extensionOf('http://example.com/'), '');
  assert.equal(hostOf('no URL'), '');
});

test('the hash is the first 32 bits of the SHA-256, the compact URL its first 40 hexadecimal digits', () => {
  assert.equal(hash32('abc'), 0xba7816bf | 0);
  assert.equal(compactUrl('abc'), 'ba7816bf8f01cfea414140de5dae2223b00361a3');
  assert.equal(compactHash(compactUrl('abc')), hash32('abc'), 'one hash for all URLs of a document');
  assert.equal(compactHash('sites/1'), hash32('sites/1'), 'one that another client made is hashed as it is');
  assert.notEqual(hash32('http://example.com/A'), hash32('http://example.com/a'));
});
