import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock } from '../../src/base/clock.ts';
import { keptAs } from '../../src/console/headers.ts';
import { fromZero } from '../../src/console/page/parts/figures.ts';
import { csvOf } from '../../src/console/page/query/csv-text.ts';
import { Gathered } from '../../src/console/query/gathered.ts';
import { Room } from '../../src/console/room.ts';
import { Wire } from '../../src/console/wire/wire.ts';
import { type BegunCall, CallTap } from '../../src/procedure/call-tap.ts';
import { int } from '../../src/tds/types/index.ts';

const info = { token: 'info', number: 0, state: 1, class: 0, text: 'x', server: '', procedure: '', line: 1 } as const;
const error = { ...info, token: 'error' } as const;
const columns = { token: 'columns', columns: [{ name: 'n', type: int }] };
type Taken = Parameters<Gathered['take']>[0];

test('messages, errors and result sets that come without end are kept up to a thousand, and stop the query', () => {
  for (const endless of [info, error, columns]) {
    let stopped = false;
    const gathered = new Gathered(10, () => {
      stopped = true;
    });
    // What a gatherer looks at.
    for (let n = 0; n < 12_000; n++) gathered.take(endless as unknown as Taken);
    const { sets, messages } = gathered.answer;
    assert.ok(sets.length <= 1000 && messages.length + gathered.errors.length <= 1001);
    assert.equal(stopped, true);
  }
});

test('NULLs and columns without names take room in an answer too, which is cut where there is no more', () => {
  const wide = Array.from({ length: 4000 }, () => ({ name: '', type: int }));
  const nulls = wide.map(() => null);
  // What a gatherer looks at.
  const tokens = [
    { token: 'columns', columns: wide },
    { token: 'row', values: nulls },
  ] as unknown as Taken[];
  const rows = new Gathered(10_000, () => {});
  rows.take(tokens[0] as Taken);
  for (let n = 0; n < 10_000; n++) rows.take(tokens[1] as Taken);
  const [set] = rows.answer.sets;
  assert.ok(set?.isCut && set.rows.length > 100 && set.rows.length < 1000, `${set?.rows.length} rows`);
  const sets = new Gathered(10_000, () => {});
  for (let n = 0; n < 1000; n++) sets.take(tokens[0] as Taken);
  assert.ok(sets.answer.sets.length > 10 && sets.answer.sets.length < 100, `${sets.answer.sets.length} sets`);
  assert.match(sets.answer.messages.at(-1)?.text ?? '', /more that is not shown/);
});

test('answers that are gathered or not yet read share a room, of which one login has a part', () => {
  const room = new Room({ ofLogin: 100, all: 150 });
  const [one, two, three] = [new AbortController(), new AbortController(), new AbortController()];
  const [first, second, third] = [
    room.forRequest('a', one.signal),
    room.forRequest('a', two.signal),
    room.forRequest('b', three.signal),
  ];
  assert.deepEqual([first(60), second(60), second(40), third(60), third(50)], [true, false, true, false, true]);
  assert.equal(room.taken, 150);
  one.abort();
  assert.deepEqual([room.taken, first(1), second(60)], [90, false, true]);
  two.abort();
  three.abort();
  assert.equal(room.taken, 0);
});

test('what was looked for by those who have left costs calls no more than a hundred looks', async () => {
  const wire = new Wire(new CallTap(), new ManualClock());
  for (let n = 0; n < 1000; n++) {
    const leaves = new AbortController();
    const watched = wire.watch({ own: 'low', procedure: `p${n}`, reveals: false }, undefined, leaves.signal);
    const next = watched.next();
    leaves.abort();
    await next;
  }
  let looks = 0;
  const call = {
    get login() {
      looks++;
      return 'other';
    },
  };
  // What is looked at of a call of another login.
  wire.begin(call as unknown as BegunCall);
  wire.stop();
  assert.ok(looks > 0 && looks <= 102, `${looks} looks`);
});

test('a text that a spreadsheet would run is a text in CSV too, and a number stays one', () => {
  const rows = [['=1+1', '@SUM(A1)', '-5', '+1.5e3', '-5+cmd', 'plain', null, '', '\tx', '＝1+1', '＠SUM(A1)']];
  const names = rows[0]?.map((_, at) => ({ name: `c${at}`, type: 'int', isNumber: false })) ?? [];
  const [, line] = csvOf({ columns: names, rows, isCut: false }).split('\r\n');
  assert.equal(line, `'=1+1,'@SUM(A1),-5,+1.5e3,'-5+cmd,plain,,"",'\tx,'＝1+1,'＠SUM(A1)`);
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
