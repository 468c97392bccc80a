import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parseAddress } from './address.ts';
import { tlsAttempts } from './tls.ts';
import { hasPassword, withoutPassword, withPassword } from './url.ts';

const endpoints = (url: string) => parseAddress(url).endpoints.map(({ host, port }) => `${host} ${port}`);

describe('the URL of a PostgreSQL server is parsed as libpq parses it', () => {
  test('it names one host or several, each with its port', () => {
    assert.deepEqual(endpoints('postgres://g@db/granary'), ['db 5432']);
    assert.deepEqual(endpoints('postgresql://g:p@a:1,b:2,[::1]:3,c/granary'), ['a 1', 'b 2', '::1 3', 'c 5432']);
    assert.deepEqual(endpoints('postgres://g@/granary?host=a,b&port=6000'), ['a 6000', 'b 6000']);
    assert.deepEqual(endpoints('postgres://g@/granary?host=a,b&port=6000,6001'), ['a 6000', 'b 6001']);
    assert.deepEqual(endpoints('postgres://g@%2Frun%2Fpg/granary'), ['/run/pg 5432']);
  });

  test('user, password and database are decoded, and may be given as parameters', () => {
    const { user, password, database } = parseAddress('postgres://g%40x:p%2Fq@db/gran%20ary');
    assert.deepEqual([user, password, database], ['g@x', 'p/q', 'gran ary']);
    const other = parseAddress('postgres://db?user=me&password=a+b&dbname=d');
    assert.deepEqual([other.user, other.password, other.database], ['me', 'a+b', 'd']);
  });

  test('a server that accepts writes is required unless the URL says otherwise', () => {
    assert.equal(parseAddress('postgres://a,b/g').wish, 'read-write');
    assert.equal(parseAddress('postgres://a,b/g?target_session_attrs=primary').wish, 'primary');
    assert.equal(parseAddress('postgres://a,b/g?target_session_attrs=any').wish, 'any');
    assert.throws(() => parseAddress('postgres://a/g?target_session_attrs=standby'), /Granary writes/);
  });

  test('its timeouts are honoured', () => {
    const { connectTimeout, keepAlive, silence } = parseAddress(
      'postgres://a/g?connect_timeout=1&keepalives_idle=7&tcp_user_timeout=4000',
    );
    assert.deepEqual([connectTimeout, keepAlive, silence], [2000, 7000, 4000]);
    assert.equal(parseAddress('postgres://a/g?keepalives=0').keepAlive, undefined);
  });

  for (const [url, reason] of [
    ['postgres://a/g?target_session_attr=any', /unknown parameter target_session_attr/],
    ['postgres://a:99999/g', /port 99999/],
    ['postgres://a,b/g?port=1,2,3', /as many ports/],
    ['postgres://a/g?sslmode=maybe', /sslmode is maybe/],
    ['postgres://a/g?connect_timeout=soon', /connect_timeout is soon/],
    ['postgres://a%zz/g', /%/],
    ['postgres://', /not a URL/],
  ] as const) {
    test(`${url} is refused with the reason`, () => {
      assert.throws(() => parseAddress(url), reason);
    });
  }
});

describe('sslmode decides how the server is verified', () => {
  const modes = (query: string) =>
    tlsAttempts(parseAddress(`postgres://a/g${query}`).tls, 'a').map((tls) =>
      tls === false
        ? 'none'
        : `${tls.rejectUnauthorized ? 'chain' : 'unchecked'}${tls.checkServerIdentity ? ' with a check of the name' : ''}`,
    );

  test('without it TLS is not used; prefer and allow try both ways', () => {
    assert.deepEqual(modes(''), ['none']);
    assert.deepEqual(modes('?sslmode=disable'), ['none']);
    assert.deepEqual(modes('?sslmode=prefer'), ['unchecked', 'none']);
    assert.deepEqual(modes('?sslmode=allow'), ['none', 'unchecked']);
    assert.deepEqual(modes('?sslmode=require'), ['unchecked']);
  });

  test('verify-full checks the name, verify-ca does not', () => {
    const check = (mode: string) => {
      const [tls] = tlsAttempts(parseAddress(`postgres://a/g?sslmode=${mode}`).tls, 'db.example');
      if (tls === undefined || tls === false) throw new Error('there is to be TLS');
      assert.equal(tls.rejectUnauthorized, true);
      const certificate = { subject: { CN: 'other.example' }, subjectaltname: 'DNS:other.example' };
      // The check reads only these fields of a certificate.
      return tls.checkServerIdentity?.('', certificate as Parameters<NonNullable<typeof tls.checkServerIdentity>>[1]);
    };
    assert.match(String(check('verify-full')), /db\.example/);
    assert.equal(check('verify-ca'), undefined);
  });
});

test('a URL is shown without its passwords', () => {
  assert.equal(withoutPassword('postgres://g:secret@a:1,b:2/d'), 'postgres://g:***@a:1,b:2/d');
  assert.doesNotMatch(withoutPassword('postgres://a/d?password=secret&sslpassword=secret'), /secret/);
  assert.equal(hasPassword('postgres://g@a/d'), false);
  assert.equal(hasPassword(withPassword('postgres://g@a,b/d', 'p@ss')), true);
  assert.equal(parseAddress(withPassword('postgres://g@a,b/d', 'p@s/s')).password, 'p@s/s');
});
