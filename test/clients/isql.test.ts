import { testClient } from './test-client.ts';

testClient({
  id: 'isql',
  command: ['node', 'isql.ts', 'long'],
  variants: [{ name: 'as installed', tds: '7.4', tls: true }],
  lacks: {
    long: 'a statement can have at most 9,000 characters',
    'errors.numbers': 'it prints the text of an error, not its number',
    cancel: 'it has no way to cancel',
    prepared: 'it has no parameters',
    pool: 'it has a single connection',
    bulk: 'it has no bulk load',
    tables: 'it does not support them',
  },
});
