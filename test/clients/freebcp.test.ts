import { testClient } from './test-client.ts';

const noCalls = 'it only moves rows between a file and a table or query';

testClient({
  id: 'freebcp',
  command: ['node', 'freebcp.ts'],
  variants: [{ name: 'as installed', tds: '7.4', tls: 'login' }],
  lacks: {
    translation: noCalls,
    word: noCalls,
    config: noCalls,
    sets: noCalls,
    nulls: noCalls,
    errors: noCalls,
    cancel: noCalls,
    transaction: noCalls,
    prepared: noCalls,
    pool: noCalls,
    tables: noCalls,
  },
});
