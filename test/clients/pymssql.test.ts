import { testClient } from './test-client.ts';

testClient({
  id: 'pymssql',
  command: ['/usr/bin/python3', 'with_pymssql.py'],
  variants: [{ name: 'as installed', tds: '7.4', tls: 'login' }],
  lacks: {
    prepared: 'it writes values into the text itself and prepares nothing',
    pool: 'it has none',
    tables: 'it does not know them',
    'bulk.text': 'its bulk_copy sends text in the character set of the client, whatever the column is',
  },
});
