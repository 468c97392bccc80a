import { testClient } from './test-client.ts';

const versions = { '7_4': '7.4', '7_3_B': '7.3.B', '7_3_A': '7.3.A', '7_2': '7.2', '7_1': '7.1' };

testClient({
  id: 'tedious',
  command: ['node', 'tedious.ts'],
  variants: [
    {
      name: 'TDS 8 (encrypt: strict)',
      environment: { CLIENT_ENCRYPT: 'strict', CLIENT_TDS_VERSION: '8_0' },
      tds: '8.0',
      tls: true,
    },
    { name: 'without TLS', environment: { CLIENT_ENCRYPT: 'false' }, tds: '7.4', tls: false },
    ...Object.entries(versions).map(([option, tds]) => ({
      name: `TDS ${tds}`,
      environment: { CLIENT_TDS_VERSION: option },
      tds,
      tls: true,
    })),
  ],
  lacks: {},
});
