import { testClient } from './test-client.ts';

testClient({
  id: 'tsql',
  command: ['node', 'tsql.ts'],
  variants: [
    { name: 'as installed', tds: '7.4', tls: true },
    ...['7.3', '7.2', '7.1', '7.0'].map((version) => ({
      name: `TDSVER=${version}`,
      environment: { TDSVER: version },
      tds: version === '7.3' ? '7.3.B' : version,
      tls: version !== '7.0',
    })),
  ],
  lacks: {
    cancel: 'it has no key for it',
    prepared: 'it prepares nothing',
    pool: 'it is one connection',
    bulk: 'freebcp does that',
    tables: 'it does not know them',
  },
});
