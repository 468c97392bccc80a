import { testClient } from './test-client.ts';

/** FreeTDS with a setting of encryption. */
const settings = (encryption: 'require' | 'off') => ({
  FREETDSCONF: `${import.meta.dirname}/freetds-${encryption}.conf`,
});

testClient({
  id: 'tsql',
  command: ['node', 'tsql.ts'],
  variants: [
    { name: 'as installed', tds: '7.4', tls: 'login' },
    { name: 'encryption = require', environment: settings('require'), tds: '7.4', tls: true },
    { name: 'encryption = off', environment: settings('off'), tds: '7.4', tls: false },
    { name: 'TDSVER=7.3', environment: { TDSVER: '7.3' }, tds: '7.3.B', tls: 'login' },
    { name: 'TDSVER=7.2', environment: { TDSVER: '7.2' }, tds: '7.2', tls: 'login' },
    { name: 'TDSVER=7.1', environment: { TDSVER: '7.1' }, tds: '7.1', tls: true },
    { name: 'TDSVER=7.0', environment: { TDSVER: '7.0' }, tds: '7.0', tls: false },
  ],
  lacks: {
    cancel: 'it has no way to cancel',
    prepared: 'it never prepares statements',
    pool: 'it has a single connection',
    bulk: 'use freebcp for that',
    tables: 'it does not support them',
  },
});
