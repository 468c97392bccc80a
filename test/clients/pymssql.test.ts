import { testClient } from './test-client.ts';

testClient({
  id: 'pymssql',
  command: ['/usr/bin/python3', 'with_pymssql.py'],
  variants: [{ name: 'as installed', tds: '7.4', tls: 'login' }],
  lacks: {
    prepared: 'it inserts values into the text itself and never prepares',
    pool: 'it has no pool',
    tables: 'it does not support them',
    'bulk.text': 'its bulk_copy sends text in the client character set, whatever the type of the column',
  },
});
