import { parseArgs } from 'node:util';
import { checkPlace, updatePage } from './page.ts';
import { scenarios } from './scenarios/index.ts';
import type { Bench, Finding, Scenario } from './support/scenario.ts';
import { table } from './support/table.ts';

const usage = `npm run bench                 every scenario but the large ones
npm run bench -- NAME …       these scenarios
npm run bench -- --all        every scenario
  --engine sqlite|postgres    on this engine only
  --page                      writes the figures into docs/benchmarks.md
  --profiles DIR              the servers leave CPU profiles there
`;

/** What came out of one scenario. */
interface Ran {
  readonly scenario: Scenario;
  readonly engine: Bench['engine'];
  readonly findings: readonly Finding[];
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      all: { type: 'boolean', default: false },
      engine: { type: 'string' },
      page: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
      profiles: { type: 'string' },
    },
  });
  if (values.help) {
    console.log(`${usage}\n${scenarios.map(({ name, summary }) => `  ${name.padEnd(18)}${summary}`).join('\n')}`);
    return;
  }
  const ran: Ran[] = [];
  const asked = chosen(positionals, values.all).map((scenario) => ({
    scenario,
    engines: enginesOf(scenario, values.engine),
  }));
  if (values.page)
    for (const { scenario, engines } of asked) for (const engine of engines) checkPlace(scenario, engine);
  for (const { scenario, engines } of asked) {
    for (const engine of engines) {
      console.error(`── ${scenario.name} on ${engine}`);
      const findings = await scenario.run({
        engine,
        progress: (text) => console.error(`   ${text}`),
        ...(values.profiles === undefined ? {} : { profiles: values.profiles }),
      });
      ran.push({ scenario, engine, findings });
      // After each, so that a run that is cut short has kept what it measured.
      if (values.page) updatePage(scenario, engine, findings, new Date());
    }
  }
  console.log(
    `\n${table(ran.flatMap(({ scenario, engine, findings }) => findings.map((finding) => ({ scenario, engine, finding }))))}`,
  );
}

function enginesOf({ isOfSqlite, isOfPostgres }: Scenario, asked: string | undefined): Bench['engine'][] {
  const engines = [
    ...(isOfPostgres === true ? [] : ['sqlite' as const]),
    ...(isOfSqlite === true ? [] : ['postgres' as const]),
  ];
  return engines.filter((engine) => asked === undefined || asked === engine);
}

function chosen(names: readonly string[], all: boolean): readonly Scenario[] {
  if (names.length === 0) return scenarios.filter(({ isLarge }) => all || isLarge !== true);
  return names.map((name) => {
    const scenario = scenarios.find((each) => each.name === name);
    if (scenario === undefined) {
      throw new Error(`There is no scenario ${name}; there are ${scenarios.map((each) => each.name).join(', ')}.`);
    }
    return scenario;
  });
}

await main();
