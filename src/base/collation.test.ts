import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { fold } from './collation.ts';

const same = (one: string, other: string) => assert.equal(fold(one), fold(other), `${one} and ${other}`);
const apart = (one: string, other: string) => assert.notEqual(fold(one), fold(other), `${one} and ${other}`);

test('text compares without regard to case, in every script', () => {
  same('Announce', 'ANNOUNCE');
  same('ÄRGER', 'ärger');
  same('ΣΊΣΥΦΟΣ', 'σίσυφος');
  same('ПРИВЕТ', 'привет');
  same('𐐀', '𐐨');
});

test('text compares with regard to accents, width and kana', () => {
  apart('resume', 'résumé');
  apart('A', 'Ａ');
  apart('か', 'カ');
});

test('a letter and its accent count the same written together or apart', () => {
  same('é', 'e\u0301');
  same('J\u030c', 'ǰ');
});

test('trailing blanks do not count, leading ones do', () => {
  same('a', 'a   ');
  apart('a', ' a');
  same('', '  ');
});

test('letters whose capital is another letter’s, or two letters, stay apart', () => {
  apart('ß', 'ss');
  apart('ı', 'i');
  apart('İ', 'i');
});

test('folding is stable, and blind to case where case is one to one', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      assert.equal(fold(fold(text)), fold(text));
      if (text.toLowerCase().toUpperCase() === text) assert.equal(fold(text.toLowerCase()), fold(text));
    }),
  );
});
