import { type Bench, type Finding, isMet, type Scenario } from './scenario.ts';

/** A finding and the scenario it comes from. */
export interface Line {
  readonly scenario: Pick<Scenario, 'name'>;
  readonly engine: Bench['engine'];
  readonly finding: Finding;
}

/** The ratio, the megabytes or the milliseconds that count. */
function shownValue({ value, unit }: Finding): string {
  if (unit === 'times') return `${value.toFixed(2)}×`;
  return `${value.toFixed(1)} ${unit}`;
}

/** What is asked for, in words. */
function shownDemand({ demand, unit }: Finding): string {
  if (demand === undefined) return '';
  const [words, bound] = 'atLeast' in demand ? ['at least', demand.atLeast] : ['at most', demand.atMost];
  return unit === 'times' ? `${words} ${bound}×` : `${words} ${bound} ${unit}`;
}

const verdicts = { true: 'yes', false: 'NO', undefined: '' };

/** Whether it is met: yes, NO, or nothing where nothing is asked for. */
const shownVerdict = (finding: Finding): string => verdicts[`${isMet(finding)}`];

/** What a table says of a finding. */
export const cellsOf = (finding: Finding): readonly string[] => [
  finding.what,
  finding.figure,
  finding.against,
  shownValue(finding),
  shownDemand(finding),
  shownVerdict(finding),
];

/** The findings as a table for a terminal. */
export function table(lines: readonly Line[]): string {
  const rows = [
    ['scenario', 'engine', 'what', 'Granary', 'against', 'value', 'demand', 'met'],
    ...lines.map(({ scenario, engine, finding }) => [scenario.name, engine, ...cellsOf(finding)]),
  ];
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
