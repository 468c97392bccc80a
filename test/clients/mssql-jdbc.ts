import { jdbcJar } from './packages.ts';

/** The command that runs a Java program beside this file with Microsoft's driver. */
export const withMssqlJdbc = (program: string): readonly string[] => [
  ...['java', '-Dfile.encoding=UTF-8', '-Dstdout.encoding=UTF-8', '-cp', jdbcJar, program],
];

/** What the programs need to connect with these options. */
export const using = (options: string): Readonly<Record<string, string>> => ({
  CLIENT_DRIVER: 'com.microsoft.sqlserver.jdbc.SQLServerDriver',
  CLIENT_URL: `jdbc:sqlserver://{host}:{port};databaseName={database};useBulkCopyForBatchInsert=true;${options}`,
  CLIENT_BULK: 'yes',
});
