import { javaProgram } from './java.ts';
import { jdbcJar } from './packages.ts';

/** The command that runs a Java program beside this file with Microsoft's driver. */
export const withMssqlJdbc = (program: string): readonly string[] => javaProgram(program, jdbcJar);

/** What the programs need to connect with these options. */
export const using = (options: string): Readonly<Record<string, string>> => ({
  CLIENT_DRIVER: 'com.microsoft.sqlserver.jdbc.SQLServerDriver',
  CLIENT_URL: `jdbc:sqlserver://{host}:{port};databaseName={database};useBulkCopyForBatchInsert=true;${options}`,
  CLIENT_BULK: 'yes',
});
