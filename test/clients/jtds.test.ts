import { javaProgram } from './java.ts';
import { testClient } from './test-client.ts';

const using = (options: string) => ({
  CLIENT_DRIVER: 'net.sourceforge.jtds.jdbc.Driver',
  CLIENT_URL: `jdbc:jtds:sqlserver://{host}:{port}/{database};${options}`,
});

testClient({
  id: 'jtds',
  command: javaProgram('Jdbc', '/usr/share/java/jtds.jar'),
  variants: [
    { name: 'ssl=require', environment: using('ssl=require'), tds: '7.1', tls: true },
    { name: 'ssl=request', environment: using('ssl=request'), tds: '7.1', tls: true },
    { name: 'ssl=off', environment: using('ssl=off'), tds: '7.1', tls: false },
    { name: 'TDS=7.0', environment: using('ssl=off;TDS=7.0'), tds: '7.0', tls: false },
    { name: 'prepareSQL=2 (sp_executesql)', environment: using('ssl=off;prepareSQL=2'), tds: '7.1', tls: false },
  ],
  lacks: {
    pool: 'it leaves pooling to other libraries',
    bulk: 'it has no bulk load',
    tables: 'it does not support them',
  },
});
