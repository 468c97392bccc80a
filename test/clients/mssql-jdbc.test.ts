import { using, withMssqlJdbc } from './mssql-jdbc.ts';
import { testClient } from './test-client.ts';

const trusting = 'trustServerCertificate=true';

testClient({
  id: 'mssql-jdbc',
  command: withMssqlJdbc('Jdbc'),
  variants: [
    { name: 'encrypt=true', environment: using(`encrypt=true;${trusting}`), tds: '7.4', tls: true },
    { name: 'encrypt=false', environment: using('encrypt=false'), tds: '7.4', tls: 'login' },
    {
      name: 'encrypt=strict (TDS 8)',
      environment: using('encrypt=strict;serverCertificate={ca}'),
      tds: '8.0',
      tls: true,
    },
    {
      name: 'prepareMethod=prepare',
      environment: using(
        `encrypt=false;prepareMethod=prepare;disableStatementPooling=false;statementPoolingCacheSize=10`,
      ),
      tds: '7.4',
      tls: 'login',
    },
    {
      name: 'responseBuffering=full',
      environment: using('encrypt=false;responseBuffering=full'),
      tds: '7.4',
      tls: 'login',
    },
    {
      name: 'applicationIntent=ReadOnly, multiSubnetFailover=true',
      environment: using('encrypt=false;applicationIntent=ReadOnly;multiSubnetFailover=true'),
      tds: '7.4',
      tls: 'login',
    },
  ],
  lacks: {
    pool: 'it leaves pooling to other libraries',
    tables: 'it looks up the table type first, and the databases of the protocols have none',
  },
});
