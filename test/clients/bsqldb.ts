import { given } from './tell.ts';
import { cut, messageNumbers, pipe, type TextClient } from './text-client.ts';
import { textScenario } from './text-scenario.ts';

const { out } = await pipe('tsql', ['-C'], '');
const separator = '\u241f';

/** FreeTDS' bsqldb: batches through DB-Library. */
export const bsqldb: TextClient = {
  version: /freetds v(\S+)/.exec(out)?.[1] ?? '',
  null: 'NULL',
  async run(database, batches, password = given('GRANARY_PASSWORD')) {
    const server = `${given('GRANARY_HOST')}:${given('GRANARY_PORT')}`;
    const place = ['-S', server, '-U', 'sa', '-P', password, '-D', database];
    const input = batches.map((text) => `${text}\ngo\n`).join('');
    const said = await pipe('bsqldb', [...place, '-t', separator], input);
    return {
      lines: cut(said.out, separator),
      errors: messageNumbers(said.errors),
      output: said.out + said.errors,
    };
  },
};

if (import.meta.main) await textScenario(bsqldb, ['sets']);
