import { testClient } from './test-client.ts';

testClient({
  id: 'pyodbc',
  command: ['/usr/bin/python3', 'with_pyodbc.py'],
  variants: ['7.4', '7.3', '7.2', '7.1'].map((version) => ({
    name: `TDS ${version}`,
    environment: { CLIENT_TDS_VERSION: version },
    tds: version === '7.3' ? '7.3.B' : version,
    tls: true,
  })),
  lacks: {
    pool: 'unixODBC pools only if configured on the machine',
    bulk: 'executemany sends one call per row',
    tables: 'it does not support them',
  },
});
