import { testClient } from './test-client.ts';

testClient({
  id: 'mssql',
  command: ['node', 'mssql.js'],
  variants: [
    { name: 'with TLS', tds: '7.4', tls: true },
    { name: 'without TLS', environment: { CLIENT_ENCRYPT: 'false' }, tds: '7.4', tls: false },
  ],
  lacks: {},
});
