import { testClient } from './test-client.ts';

testClient({
  id: 'bsqldb',
  command: ['node', 'bsqldb.ts'],
  variants: [{ name: 'as installed', tds: '7.4', tls: 'login' }],
  lacks: {
    sets: 'it exits when a column is a GUID, and every result set of that call has one',
    'errors.after': 'it exits at the first error',
    cancel: 'it has no way to cancel',
    prepared: 'it never prepares statements',
    pool: 'it has a single connection',
    bulk: 'use freebcp for that',
    tables: 'it does not support them',
  },
});
