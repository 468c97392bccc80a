import { testClient } from './test-client.ts';

testClient({
  id: 'bsqldb',
  command: ['node', 'bsqldb.ts'],
  variants: [{ name: 'as installed', tds: '7.4', tls: 'login' }],
  lacks: {
    sets: 'it ends when a column is a GUID, and every set of that call has one',
    'errors.after': 'it ends with the first error',
    cancel: 'it has no key for it',
    prepared: 'it prepares nothing',
    pool: 'it is one connection',
    bulk: 'freebcp does that',
    tables: 'it does not know them',
  },
});
