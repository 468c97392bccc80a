import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { LogFile } from './log-file.ts';

describe('the log file', () => {
  let folder: string;
  let path: string;
  const complaints: string[] = [];
  const complain = (text: string) => void complaints.push(text);
  const read = (ending = '') => readFileSync(`${path}${ending}`, 'utf8');

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'granary-log-'));
    path = join(folder, 'granary.log');
    complaints.length = 0;
  });

  afterEach(() => rmSync(folder, { recursive: true }));

  it('is put aside at its size, and so many of them are kept', () => {
    using file = new LogFile({ path, longest: 10, kept: 2, complain });
    for (const word of ['first', 'second', 'third', 'fourth', 'fifth']) file.write(`${word} line\n`);
    assert.deepEqual(readdirSync(folder).toSorted(), ['granary.log', 'granary.log.1', 'granary.log.2']);
    assert.deepEqual([read(), read('.1'), read('.2')], ['', 'fifth line\n', 'fourth line\n']);
    assert.deepEqual(complaints, []);
  });

  it('goes on where it was, and counts what was there', () => {
    {
      using file = new LogFile({ path, longest: 12, kept: 1, complain });
      file.write('12345678\n');
    }
    using file = new LogFile({ path, longest: 12, kept: 1, complain });
    file.write('abc\n');
    assert.equal(read('.1'), '12345678\nabc\n');
  });

  it('is opened anew after others have moved it away', () => {
    using file = new LogFile({ path, longest: undefined, kept: 5, complain });
    file.write('before\n');
    renameSync(path, `${path}.old`);
    file.write('meanwhile\n');
    file.reopen();
    file.write('after\n');
    assert.deepEqual([read('.old'), read()], ['before\nmeanwhile\n', 'after\n']);
  });

  it('says so and goes on when it cannot be reopened', () => {
    using file = new LogFile({ path, longest: undefined, kept: 5, complain });
    renameSync(folder, `${folder}-moved`);
    file.reopen();
    file.write('still here\n');
    renameSync(`${folder}-moved`, folder);
    assert.match(complaints[0] ?? '', /cannot be reopened: .*ENOENT/);
    assert.equal(read(), 'still here\n');
  });
});
