import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { given } from './tell.ts';
import { cut, pipe, type TextClient } from './text-client.ts';
import { textScenario } from './text-scenario.ts';

const separator = '|';
const driver = readdirSync('/usr/lib').map((name) => `/usr/lib/${name}/odbc/libtdsodbc.so`);
const folder = mkdtempSync(join(tmpdir(), 'granary-odbc-'));

/** isql hands over the text of an error; these are the ones that the checks provoke. */
const texts: readonly (readonly [number, RegExp])[] = [
  [2812, /Could not find stored procedure 'proc_Nothing'\./],
  [201, /expects parameter '@JobId', which was not supplied\./],
  [8114, /Error converting data type varchar to bigint\./],
  [2627, /Cannot insert duplicate key/],
  [208, /Invalid object name 'nothing'\./],
  [102, /Incorrect syntax near '\+'\./],
  [50000, /\[SQL Server\]grain$/m],
  [18456, /Login failed for user 'sa'\./],
];

/** unixODBC's isql with FreeTDS' driver; a line is a statement. */
const isql: TextClient = {
  version: (await pipe('isql', ['--version'], '')).out.trim().replace('unixODBC ', ''),
  null: '',
  async run(database, batches, password = given('GRANARY_PASSWORD')) {
    writeFileSync(
      `${folder}/odbc.ini`,
      `[granary]\nDriver=${driver.find((path) => path.includes('linux'))}\nServer=${given('GRANARY_HOST')}\n` +
        `Port=${given('GRANARY_PORT')}\nDatabase=${database}\nClientCharset=UTF-8\nEncryption=require\n`,
    );
    const input = batches.map((text) => `${text.replaceAll('\n', ' ')}\n`).join('');
    const options = ['granary', 'sa', password, '-b', '-c', '-v', `-d${separator}`];
    const { out, errors } = await pipe('isql', options, input, { ODBCINI: `${folder}/odbc.ini` });
    const told = texts.flatMap(([number, text]) => (text.test(out + errors) ? [number] : []));
    return { lines: cut(out, separator), errors: told, output: out + errors };
  },
};

await textScenario(isql, process.argv.slice(2));
rmSync(folder, { recursive: true });
