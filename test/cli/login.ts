import { Connection } from 'tedious';
import { TestClient } from '../support/client.ts';

const settings = (port: number, userName: string, password: string, database = 'master') => ({
  server: '127.0.0.1',
  authentication: { type: 'default' as const, options: { userName, password } },
  options: { port, trustServerCertificate: true, database },
});

/** The errors that a login is answered with, by number; none when it gets in. */
export async function loginErrors(port: number, login: string, password: string, database?: string): Promise<number[]> {
  const connection = new Connection(settings(port, login, password, database));
  const numbers: number[] = [];
  connection.on('errorMessage', ({ number }) => numbers.push(number));
  await new Promise<void>((resolve) =>
    connection.connect((error) => {
      if (error !== undefined && numbers.length === 0) numbers.push(-1);
      resolve();
    }),
  );
  connection.close();
  return numbers;
}

/** Tells whether a login gets in; any refusal but error 18456 is a failure of the test. */
export async function canLogIn(port: number, login: string, password: string, database?: string): Promise<boolean> {
  const numbers = await loginErrors(port, login, password, database);
  if (numbers.length > 0 && numbers[0] !== 18456) throw new Error(`the login was refused with ${numbers}`);
  return numbers.length === 0;
}

/** Runs a batch and returns the first column of its first row. */
export async function query(
  port: number,
  login: string,
  password: string,
  text: string,
  database?: string,
): Promise<unknown> {
  await using client = await TestClient.open(settings(port, login, password, database));
  const { sets } = await client.batch(text);
  return Object.values(sets[0]?.[0] ?? {})[0];
}
