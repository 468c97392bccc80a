import { testClient } from './test-client.ts';

testClient({
  id: 'pytds',
  command: ['/usr/bin/python3', 'with_pytds.py'],
  variants: [
    { name: 'with TLS', tds: '7.4', tls: true },
    { name: 'without TLS', environment: { CLIENT_TLS: 'no' }, tds: '7.4', tls: false },
  ],
  lacks: { prepared: 'it never prepares statements' },
});
