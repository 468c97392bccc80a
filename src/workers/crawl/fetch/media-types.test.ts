import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mediaTypeOf } from './media-types.ts';

const typeOf = (mediaType: string, path: string, body = '') =>
  mediaTypeOf(mediaType, `http://example.com${path}`, Buffer.from(body));

test('a document is what its server says, or its extension where that says nothing', () => {
  assert.equal(typeOf('text/plain', '/a.html', '<html>'), 'text/plain');
  assert.equal(typeOf('application/octet-stream', '/a.PDF'), 'application/pdf');
  assert.equal(typeOf('', '/a.txt', '<html>'), 'text/plain');
});

test('WHATWG MIME Sniffing 7.1: a document that nobody names a type for is recognised by its beginning', () => {
  assert.equal(typeOf('', '/', '\n<!DOCTYPE HTML><p>'), 'text/html');
  assert.equal(typeOf('', '/a', '<a href=/x>'), 'text/html');
  assert.equal(typeOf('', '/a', '%PDF-1.7'), 'application/pdf');
  assert.equal(typeOf('', '/a', '<abc>'), '');
  assert.equal(typeOf('', '/a', 'text'), '');
  assert.equal(typeOf('application/octet-stream', '/a', '<html>'), 'application/octet-stream', 'that is a download');
});
