import { testClient } from './test-client.ts';

const java = ['java', '-Dfile.encoding=UTF-8', '-Dstdout.encoding=UTF-8', '-cp', '/usr/share/java/jtds.jar'];

testClient({
  id: 'jtds',
  command: [...java, 'Jtds.java'],
  variants: [
    { name: 'ssl=require', tds: '7.1', tls: true },
    { name: 'ssl=request', environment: { CLIENT_OPTIONS: 'ssl=request' }, tds: '7.1', tls: true },
    { name: 'ssl=off', environment: { CLIENT_OPTIONS: 'ssl=off' }, tds: '7.1', tls: false },
    { name: 'TDS=7.0', environment: { CLIENT_OPTIONS: 'ssl=off;TDS=7.0' }, tds: '7.0', tls: false },
    {
      name: 'prepareSQL=2 (sp_executesql)',
      environment: { CLIENT_OPTIONS: 'ssl=off;prepareSQL=2' },
      tds: '7.1',
      tls: false,
    },
  ],
  lacks: {
    pool: 'it leaves pools to others',
    bulk: 'it has no bulk load',
    tables: 'it does not know them',
  },
});
