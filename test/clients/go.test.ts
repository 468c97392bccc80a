import { testClient } from './test-client.ts';

/** The package is from the time before Go's modules; what Debian installs is all that is needed, also offline. */
const environment = { GO111MODULE: 'off', GOPATH: '/usr/share/gocode', CLIENT_VERSION: '2017-07-17' };

testClient({
  id: 'go',
  command: ['go', 'run', 'mssqldb.go'],
  variants: [
    { name: 'encrypt=true', environment, tds: '7.4', tls: true },
    { name: 'encrypt=false', environment: { ...environment, CLIENT_ENCRYPT: 'false' }, tds: '7.4', tls: 'login' },
    { name: 'encrypt=disable', environment: { ...environment, CLIENT_ENCRYPT: 'disable' }, tds: '7.4', tls: false },
  ],
  lacks: { tables: 'this version does not support them' },
});
