import { testClient } from './test-client.ts';

testClient({
  id: 'isql',
  command: ['node', 'isql.ts', 'long'],
  variants: [{ name: 'as installed', tds: '7.4', tls: true }],
  lacks: {
    long: 'a statement may have 9,000 characters',
    'errors.numbers': 'it prints the text of an error, not its number',
    cancel: 'it has no key for it',
    prepared: 'it has no parameters',
    pool: 'it is one connection',
    bulk: 'it has no bulk load',
    tables: 'it does not know them',
  },
});
