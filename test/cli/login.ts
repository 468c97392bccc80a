import { Connection, type ConnectionConfiguration, Request } from 'tedious';

/** Opens a connection as tedious does by default: with TLS, the self-signed certificate accepted. */
async function connect(port: number, userName: string, password: string, database?: string): Promise<Connection> {
  const config: ConnectionConfiguration = {
    server: '127.0.0.1',
    authentication: { type: 'default', options: { userName, password } },
    options: { port, trustServerCertificate: true, ...(database === undefined ? {} : { database }) },
  };
  const connection = new Connection(config);
  await new Promise<void>((resolve, reject) => connection.connect((error) => (error ? reject(error) : resolve())));
  return connection;
}

/** Tells whether a login gets in; any refusal but error 18456 is thrown. */
export async function canLogIn(port: number, login: string, password: string, database?: string): Promise<boolean> {
  try {
    (await connect(port, login, password, database)).close();
    return true;
  } catch (error) {
    if (error instanceof Error && 'number' in error && error.number === 18456) return false;
    throw error;
  }
}

/** Runs a batch and returns the first column of its last row. */
export async function query(
  port: number,
  login: string,
  password: string,
  text: string,
  database?: string,
): Promise<unknown> {
  const connection = await connect(port, login, password, database);
  try {
    return await new Promise((resolve, reject) => {
      let value: unknown;
      const request = new Request(text, (error) => (error ? reject(error) : resolve(value)));
      request.on('row', (columns: { value: unknown }[]) => {
        value = columns[0]?.value;
      });
      connection.execSqlBatch(request);
    });
  } finally {
    connection.close();
  }
}
