import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  allowDirect,
  arg,
  autoClose,
  autoFetch,
  call,
  checkTypes,
  fastForward,
  fetch,
  five,
  forwardOnly,
  isStatic,
  keyset,
  n,
  open,
  out,
  parameterized,
  text,
} from '../../../test/support/api-cursor.ts';
import { batch } from '../../../test/support/recorder.ts';
import { openSession } from '../../../test/support/session.ts';
import type { Argument } from '../../procedure/run/bind.ts';
import type { SessionHost } from '../../session/session-host.ts';
import { int, ntext } from '../../tds/types/index.ts';
import type { AnyType } from '../../tds/types/sql-type.ts';

describe('cursors of the API', () => {
  test('sp_cursoropen sends the columns with ROWSTAT, then the handle, what the cursor became and its rows', async () => {
    const opened = await open(await openSession(), five, isStatic);
    assert.deepEqual(opened.columns, ['id', 'ROWSTAT']);
    assert.deepEqual(opened.rows, []);
    assert.deepEqual(opened.out, [180150003, isStatic, 1, 5]);
    assert.equal(opened.status, 0);
    assert.deepEqual(opened.messages, []);
  });

  test('a keyset cursor for updates becomes a static one that is read-only: the output values say so', async () => {
    const opened = await open(await openSession(), five, keyset, 4);
    assert.deepEqual(opened.out.slice(1), [isStatic, 1, 5]);
  });

  test('a client that accepts no copy gets no cursor', async () => {
    const keysetOnly = checkTypes | (keyset << 16);
    await assert.rejects(open(await openSession(), five, keyset | keysetOnly), { number: 16955 });
    const opened = await open(await openSession(), five, keyset | keysetOnly | (fastForward << 16));
    assert.equal(opened.out[1], fastForward);
  });

  test('sp_cursorfetch goes everywhere in a static cursor', async () => {
    const host = await openSession();
    const [handle = 0] = (await open(host, five, isStatic)).out;
    const seen: unknown[] = [];
    for (const [type, row] of [[2], [2], [4], [8], [1], [0x10, -2], [0x20, -1], [0x80]] as const) {
      seen.push((await fetch(host, handle, type, row)).rows?.map(([id, status]) => (status === 1 ? id : undefined)));
    }
    assert.deepEqual(seen, [
      [1, 2],
      [3, 4],
      [1, 2],
      [4, 5],
      [1, 2],
      [4, 5],
      [3, 4],
      [3, 4],
    ]);
    assert.deepEqual((await call(host, 'sp_cursorfetch', n(handle), n(0x100), out(null), out(null))).out, [3, 5]);
  });

  test('a forward-only cursor only goes forward', async () => {
    const host = await openSession();
    const opened = await open(host, five, forwardOnly);
    const [handle = 0] = opened.out;
    assert.deepEqual(opened.out.slice(1), [forwardOnly, 1, -1]);
    await fetch(host, handle, 2);
    await assert.rejects(fetch(host, handle, 4), { number: 16911 });
  });

  test('AUTO_FETCH sends the first rows at once, AUTO_CLOSE closes behind the last', async () => {
    const host = await openSession();
    const first = await open(host, five, fastForward | autoFetch | autoClose, 1, 3);
    const [handle = 0, , , count] = first.out;
    assert.deepEqual(
      first.rows?.map(([id]) => id),
      [1, 2, 3],
    );
    assert.equal(count, 3);
    assert.deepEqual(
      (await fetch(host, handle, 2, 0, 3)).rows?.map(([id]) => id),
      [4, 5],
    );
    await assert.rejects(fetch(host, handle, 2), {
      number: 16909,
      message: `sp_cursorfetch: The cursor identifier value provided (${handle.toString(16)}) is not valid.`,
    });
    assert.equal((await open(host, five, fastForward | autoFetch | autoClose, 1, 9)).out[0], 0);
  });

  test('PARAMETERIZED_STMT brings declarations and values', async () => {
    const host = await openSession();
    const stmt = 'select @a + @b as sum';
    const values = [text('@a int, @b int'), n(2), n(3)];
    const opened = await open(host, stmt, fastForward | parameterized | autoFetch, 1, 1, ...values);
    assert.deepEqual(opened.rows, [[5, 1]]);
  });

  test('sp_cursorprepare, sp_cursorexecute, sp_cursorunprepare', async () => {
    const host = await openSession();
    const prepared = await call(
      host,
      'sp_cursorprepare',
      out(null),
      text('@a int'),
      text('select @a as a'),
      n(1),
      out(isStatic),
      out(1),
    );
    const [handle = 0] = prepared.out;
    assert.deepEqual(prepared.columns, ['a']);
    const executed = await call(host, 'sp_cursorexecute', n(handle), out(null), out(isStatic), out(1), out(0), n(7));
    const [cursor = 0] = executed.out;
    assert.deepEqual((await fetch(host, cursor, 2)).rows, [[7, 1]]);
    await call(host, 'sp_cursorunprepare', n(handle));
    await assert.rejects(call(host, 'sp_cursorexecute', n(handle), out(null), out(isStatic), out(1), out(0), n(7)), {
      number: 8179,
    });
    assert.deepEqual((await fetch(host, cursor, 1)).rows, [[7, 1]], 'an open cursor needs its statement no more');
  });

  test('sp_cursorprepexec prepares and opens', async () => {
    const host = await openSession();
    const params = [text('@a int'), text('select @a as a'), out(isStatic), out(1), out(0), n(9)];
    const { out: values } = await call(host, 'sp_cursorprepexec', out(null), out(null), ...params);
    assert.deepEqual(values, [1, 180150003, isStatic, 1, 1]);
  });

  test('sp_cursorclose ends a cursor, -1 ends all', async () => {
    const host = await openSession();
    const [first = 0] = (await open(host, five, isStatic)).out;
    const [second = 0] = (await open(host, five, isStatic)).out;
    await call(host, 'sp_cursorclose', n(first));
    await assert.rejects(fetch(host, first, 2), { number: 16909 });
    await call(host, 'sp_cursorclose', n(-1));
    await assert.rejects(fetch(host, second, 2), { number: 16909 });
    await assert.rejects(call(host, 'sp_cursorclose', n(first)), { number: 16909 });
  });

  test('sp_cursoroption names a cursor and tells what it is', async () => {
    const host = await openSession();
    const [handle = 0] = (await open(host, five, isStatic)).out;
    await call(host, 'sp_cursoroption', n(handle), n(2), text('mine'));
    await assert.rejects(call(host, 'sp_cursoroption', n(handle), n(2), text('mine')), { number: 16915 });
    assert.deepEqual((await call(host, 'sp_cursoroption', n(handle), n(4), out(0))).out, [isStatic]);
    assert.deepEqual((await call(host, 'sp_cursoroption', n(handle), n(6), out(0))).out, [5]);
    await assert.rejects(call(host, 'sp_cursoroption', n(handle), n(99), out(0)), { number: 16902 });
  });

  test('sp_cursor refreshes, and refuses to change', async () => {
    const host = await openSession();
    const [handle = 0] = (await open(host, five, isStatic)).out;
    await assert.rejects(call(host, 'sp_cursor', n(handle), n(8), n(0)), { number: 16931 });
    await fetch(host, handle, 2);
    assert.deepEqual((await call(host, 'sp_cursor', n(handle), n(8), n(2))).rows, [[2, 1]]);
    await assert.rejects(call(host, 'sp_cursor', n(handle), n(0x20), n(3)), { number: 16930 });
    for (const change of [1, 2, 4]) {
      await assert.rejects(call(host, 'sp_cursor', n(handle), n(change), n(1), text('t')), { number: 16929 });
    }
  });

  describe('over temporary tables', () => {
    const all = 'select id, name from #g';
    const dynamic = 2;
    const optimistic = 4;
    async function hostWithTable(): Promise<SessionHost> {
      const host = await openSession();
      const rows = "insert #g (name) values ('oat'), ('rye'), ('emmer')";
      await batch(host, `create table #g (id int identity primary key, name varchar(10) null, x int null) ${rows}`);
      return host;
    }
    const named = (name: string, type: AnyType, value: unknown): Argument => ({ ...arg(type, value), name });
    const contents = async (host: SessionHost) => (await batch(host, `${all} order by id`)).sets[0]?.rows;

    test('a keyset or dynamic cursor stays what it is, and can be updated', async () => {
      const host = await hostWithTable();
      assert.deepEqual((await open(host, all, keyset, optimistic)).out.slice(1), [keyset, optimistic, 3]);
      assert.deepEqual((await open(host, all, dynamic, 2)).out.slice(1), [dynamic, 2, -1]);
      assert.deepEqual((await open(host, all, forwardOnly, optimistic)).out.slice(1), [forwardOnly, optimistic, -1]);
      assert.deepEqual((await open(host, all, isStatic, optimistic)).out.slice(1), [isStatic, 1, 3]);
      assert.deepEqual((await open(host, all, keyset, 1)).out.slice(1), [keyset, 1, 3]);
    });

    test('a client that accepts only a copy gets one', async () => {
      const host = await hostWithTable();
      const opened = await open(host, all, keyset | checkTypes | (isStatic << 16), optimistic);
      assert.deepEqual(opened.out.slice(1), [isStatic, 1, 3]);
      await batch(host, 'delete #g');
      assert.equal((await fetch(host, opened.out[0] ?? 0, 2)).rows?.[0]?.[1], 'oat');
    });

    test('sp_cursorprepare tells what the cursor will be', async () => {
      const host = await hostWithTable();
      const prepare = (stmt: string) =>
        call(host, 'sp_cursorprepare', out(null), text(''), text(stmt), n(1), out(keyset), out(optimistic));
      assert.deepEqual((await prepare(`${all} for update`)).out.slice(1), [keyset, optimistic]);
      assert.deepEqual((await prepare(five)).out.slice(1), [isStatic, 1]);
    });

    test('sp_cursor updates and deletes rows of the block, one or all', async () => {
      const host = await hostWithTable();
      const [handle = 0] = (await open(host, all, keyset, optimistic)).out;
      await assert.rejects(call(host, 'sp_cursor', n(handle), n(2), n(1)), { number: 16931 });
      await fetch(host, handle, 2, 0, 3);
      await call(
        host,
        'sp_cursor',
        n(handle),
        n(1),
        n(2),
        text('#g'),
        named('@name', ntext, 'barley'),
        named('@x', int, 7),
      );
      await call(host, 'sp_cursor', n(handle), n(0x22), n(1));
      assert.deepEqual(await contents(host), [
        [2, 'barley'],
        [3, 'emmer'],
      ]);
      await assert.rejects(call(host, 'sp_cursor', n(handle), n(2), n(1)), { number: 16947 });
      await assert.rejects(call(host, 'sp_cursor', n(handle), n(2), n(4)), { number: 16930 });
      await fetch(host, handle, 8, 0, 2);
      await call(host, 'sp_cursor', n(handle), n(2), n(0));
      assert.deepEqual(await contents(host), []);
    });

    test('sp_cursor inserts a row', async () => {
      const host = await hostWithTable();
      const [handle = 0] = (await open(host, 'select name as n from #g', keyset, optimistic)).out;
      await call(host, 'sp_cursor', n(handle), n(4), n(0), text(''), named('@n', ntext, 'teff'));
      assert.deepEqual((await contents(host))?.at(-1), [4, 'teff']);
    });

    test('of a join the first table is meant unless another is named; 207 for what is not in it', async () => {
      const host = await hostWithTable();
      await batch(host, 'create table #a (y int) insert #a values (123)');
      const [handle = 0] = (await open(host, 'select y as i, name from #g, #a', dynamic, optimistic)).out;
      await fetch(host, handle, 2, 0, 3);
      const update = (table: string, ...values: Argument[]) =>
        call(host, 'sp_cursor', n(handle), n(0x21), n(2), text(table), ...values);
      await assert.rejects(update('#a', named('@i', int, 321), named('@name', ntext, 'x')), {
        number: 207,
        message: "Invalid column name 'name'.",
      });
      await assert.rejects(update('#b', named('@i', int, 321)), { number: 16933 });
      await update('#a', named('@i', int, 321));
      assert.deepEqual((await batch(host, 'select y from #a')).sets[0]?.rows, [[321]]);
      await call(host, 'sp_cursor', n(handle), n(0x22), n(1));
      assert.equal((await contents(host))?.length, 2);
    });

    test('ROWSTAT is 2 for a row that is gone; a refresh shows what rows have become', async () => {
      const host = await hostWithTable();
      const [handle = 0] = (await open(host, all, keyset, optimistic)).out;
      await fetch(host, handle, 2, 0, 2);
      await batch(host, "delete #g where id = 1 update #g set name = 'bran' where id = 2");
      const gone = [0, null, 2]; // a column that is never NULL has no NULL on the wire
      assert.deepEqual((await fetch(host, handle, 0x80)).rows, [gone, [2, 'bran', 1]]);
      assert.deepEqual((await call(host, 'sp_cursor', n(handle), n(8), n(1))).rows, [gone]);
      assert.deepEqual((await fetch(host, handle, 0x10, 1, 1)).rows, [gone]);
      const [other = 0] = (await open(host, all, dynamic, optimistic)).out;
      await assert.rejects(fetch(host, other, 0x10, 1, 1), { number: 16925 });
    });

    test('a row that others changed is not overwritten: 16934', async () => {
      const host = await hostWithTable();
      const [handle = 0] = (await open(host, all, keyset, optimistic)).out;
      await fetch(host, handle, 2, 0, 2);
      await batch(host, "update #g set name = 'bran' where id = 1");
      const change = () => call(host, 'sp_cursor', n(handle), n(1), n(1), text(''), named('@name', ntext, 'x'));
      await assert.rejects(change(), { number: 16934 });
      await fetch(host, handle, 0x80);
      await change();
      await change();
      assert.deepEqual((await contents(host))?.[0], [1, 'x']);
    });

    test('a cursor that sp_cursoroption named is one for WHERE CURRENT OF, at the row that SETPOSITION chose', async () => {
      const host = await hostWithTable();
      const [handle = 0] = (await open(host, all, dynamic, optimistic)).out;
      await call(host, 'sp_cursoroption', n(handle), n(2), text('C1'));
      await fetch(host, handle, 2, 0, 3);
      await batch(host, "update #g set name = 'first' where current of c1");
      await call(host, 'sp_cursor', n(handle), n(0x20), n(3));
      await batch(host, 'delete #g where current of C1');
      assert.deepEqual(await contents(host), [
        [1, 'first'],
        [2, 'rye'],
      ]);
      await batch(host, 'declare @c int declare C2 cursor for select 1');
      await assert.rejects(call(host, 'sp_cursoroption', n(handle), n(2), text('c2')), { number: 16915 });
    });
  });

  test('a statement without rows is run as it is where the client allows it', async () => {
    const host = await openSession();
    await batch(host, 'create table #t (id int)');
    const insert = 'insert #t values (1)';
    await assert.rejects(open(host, insert, isStatic), { number: 16937 });
    const direct = await open(host, insert, isStatic, 1 | allowDirect);
    assert.deepEqual(direct.messages, [16954]);
    assert.deepEqual(direct.out, [0, 0, 0, 0]);
    assert.equal((await open(host, 'select * from #t', isStatic)).out[3], 1);
  });

  test('a procedure with several result sets sends them as they are where the client allows it', async () => {
    const host = await openSession();
    await batch(host, 'create procedure #two as select 1 as a select 2 as b, 3 as c');
    await assert.rejects(open(host, 'exec #two', isStatic), { number: 16938 });
    const direct = await open(host, 'exec #two', isStatic, 1 | allowDirect);
    assert.deepEqual(direct.events, ['info 16954', 'columns', 'rows 1', 'columns', 'rows 1']);
    assert.deepEqual(direct.columns, ['a']);
    assert.deepEqual(direct.out, [0, 0, 0, 0]);
  });

  test('an error of the statement is the error of the procedure', async () => {
    const host = await openSession();
    await assert.rejects(open(host, 'select * from nowhere', isStatic), { number: 208 });
    await assert.rejects(open(host, "select cast('x' as int)", isStatic), { number: 245 });
    await assert.rejects(open(host, 'select 1/0', isStatic), { number: 8134 });
  });

  test('a rollback ends a forward-only cursor and leaves a static one', async () => {
    const host = await openSession();
    await batch(host, 'begin tran');
    const [copy = 0] = (await open(host, five, isStatic)).out;
    const [forward = 0] = (await open(host, five, fastForward)).out;
    await batch(host, 'rollback');
    assert.equal((await fetch(host, copy, 2)).rows?.length, 2);
    await assert.rejects(fetch(host, forward, 2), { number: 16909 });
  });

  test('from T-SQL, by name', async () => {
    const recorder = await batch(
      await openSession(),
      `declare @c int, @scroll int = 8, @cc int = 1, @rows int
       exec sp_cursoropen @c output, N'select 1 as a', @scroll output, @cc output, @rows output
       exec sp_cursorfetch @c, 2, 0, 1
       exec sp_cursorclose @c
       select @scroll, @rows`,
    );
    assert.deepEqual(
      recorder.sets.map((set) => set.rows),
      [[], [[1, 1]], [[8, 1]]],
    );
  });
});
