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
    pool: 'unixODBC pools where the settings of the machine say so',
    bulk: 'executemany sends a call a row',
    tables: 'it does not know them',
  },
});
