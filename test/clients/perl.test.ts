import { testClient } from './test-client.ts';

testClient({
  id: 'perl',
  command: ['perl', 'sybase.pl'],
  // From 7.2 on the driver sets 2 GB aside for each nvarchar(max) column.
  variants: [{ name: 'TDSVER=7.1', environment: { TDSVER: '7.1' }, tds: '7.1', tls: true }],
  lacks: {
    cancel: 'a running query cannot be cancelled',
    pool: 'it has no pool',
    bulk: 'its bulk load works with Sybase libraries only',
    tables: 'it does not support them',
  },
});
