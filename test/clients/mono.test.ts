import { monoProgram } from './mono.ts';
import { testClient } from './test-client.ts';

testClient({
  id: 'mono',
  command: monoProgram('Scenario'),
  variants: [
    { name: 'Encrypt=True', tds: '7.4', tls: true },
    { name: 'Encrypt=False', environment: { CLIENT_OPTIONS: 'Encrypt=False' }, tds: '7.4', tls: 'login' },
  ],
  lacks: {},
});
