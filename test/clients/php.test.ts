import { testClient } from './test-client.ts';

testClient({
  id: 'php',
  command: ['php', 'dblib.php'],
  variants: [{ name: 'as installed', tds: '7.4', tls: 'login' }],
  lacks: {
    refused: 'PDO tells only that the connection failed',
    'errors.numbers': 'PDO hands over the text of an error, not its number',
    cancel: 'it has neither a cancel nor a timeout for a query',
    prepared: 'it writes values into the text itself and prepares nothing',
    bulk: 'it has no bulk load',
    tables: 'it does not know them',
  },
});
