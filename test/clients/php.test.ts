import { testClient } from './test-client.ts';

testClient({
  id: 'php',
  command: ['php', 'dblib.php'],
  variants: [{ name: 'as installed', tds: '7.4', tls: 'login' }],
  lacks: {
    refused: 'PDO reports only that the connection failed',
    'errors.numbers': 'PDO returns the text of an error, not its number',
    cancel: 'it supports neither cancellation nor query timeouts',
    prepared: 'it inserts values into the text itself and never prepares',
    bulk: 'it has no bulk load',
    tables: 'it does not support them',
  },
});
