import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keptAs } from '../../src/console/headers.ts';
import { fromZero } from '../../src/console/page/parts/figures.ts';
import { csvOf } from '../../src/console/page/query/csv-text.ts';
import { Gathered } from '../../src/console/query/gathered.ts';
import { int } from '../../src/tds/types/index.ts';

const info = { token: 'info', number: 0, state: 1, class: 0, text: 'x', server: '', procedure: '', line: 1 } as const;
const columns = { token: 'columns', columns: [{ name: 'n', type: int }] };
type Taken = Parameters<Gathered['take']>[0];

test('messages and result sets that come without end are kept up to a thousand, and stop the query', () => {
  for (const endless of [info, columns]) {
    let stopped = false;
    const gathered = new Gathered(10, () => {
      stopped = true;
    });
    // What a gatherer looks at.
    for (let n = 0; n < 12_000; n++) gathered.take(endless as unknown as Taken);
    const { sets, messages } = gathered.answer;
    assert.ok(sets.length <= 1000 && messages.length <= 1001);
    assert.equal(stopped, true);
  }
});

test('a text that a spreadsheet would run is a text in CSV too, and a number stays one', () => {
  const rows = [['=1+1', '@SUM(A1)', '-5', '+1.5e3', '-5+cmd', 'plain', null, '', '\tx']];
  const names = rows[0]?.map((_, at) => ({ name: `c${at}`, type: 'int', isNumber: false })) ?? [];
  const [, line] = csvOf({ columns: names, rows, isCut: false }).split('\r\n');
  assert.equal(line, `'=1+1,'@SUM(A1),-5,+1.5e3,'-5+cmd,plain,,"",'\tx`);
});

test('a file may have any name (RFC 6266): quotes, line ends and halves of characters break no header', () => {
  const header = keptAs(`a"b\r\nSet-Cookie: x'*\ud800é`);
  assert.match(header, /^[\x20-\x7e]+$/);
  assert.equal(
    header,
    `attachment; filename="a_b__Set-Cookie_ x____"; filename*=UTF-8''a%22b%0D%0ASet-Cookie%3A%20x%27%2A%EF%BF%BD%C3%A9`,
  );
});

test('an axis begins at zero, also where nothing was counted', () => {
  assert.deepEqual(
    [fromZero(10), fromZero(0)].map(([least, most]) => [least, Math.round(most)]),
    [
      [0, 11],
      [0, 1],
    ],
  );
});
