import { given } from './tell.ts';
import { cut, messageNumbers, pipe, type TextClient } from './text-client.ts';
import { textScenario } from './text-scenario.ts';

const { out } = await pipe('tsql', ['-C'], '');
const separator = '\u241f';

/** FreeTDS' tsql: libtds with a prompt. */
export const tsql: TextClient = {
  version: /freetds v(\S+)/.exec(out)?.[1] ?? '',
  null: 'NULL',
  async run(database, batches, password = given('GRANARY_PASSWORD')) {
    const place = [
      '-H',
      given('GRANARY_HOST'),
      '-p',
      given('GRANARY_PORT'),
      '-U',
      'sa',
      '-P',
      password,
      '-D',
      database,
    ];
    const options = ['-J', 'UTF-8', '-o', 'f', '-t', separator];
    const said = await pipe('tsql', [...place, ...options], batches.map((text) => `${text}\ngo\n`).join(''));
    const answers = said.out.replace(/^(?:\d+> )+/gm, '');
    return {
      lines: cut(answers, separator),
      errors: messageNumbers(said.errors),
      output: answers,
    };
  },
};

if (import.meta.main) await textScenario(tsql, []);
