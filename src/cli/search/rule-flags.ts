import type { SourceRules } from '../../workers/crawl/rules/source-rules.ts';
import type { CommandFlag, Invocation } from '../command.ts';
import { UsageError } from '../errors.ts';
import * as type from '../setting-types.ts';

const most = 0x7fffffff;
const count = { type: type.whole(0, most) };
const hours = { type: { ...count.type, placeholder: 'HOURS' } };

/** A rule as a flag: its name, and how one value of it is read. */
interface RuleFlag {
  readonly flag: string;
  readonly type: type.SettingType<unknown>;
  readonly help: string;
  readonly several?: true;
}

const yesOrNo: type.SettingType<boolean> = {
  placeholder: 'yes|no',
  expected: 'yes or no',
  parse: (given) => ({ yes: true, no: false })[given.toLowerCase()],
};

const pattern = { type: type.text('PATTERN'), several: true } as const;

/** Every rule of a content source as a flag. */
const ruleFlagsByRule: Readonly<Record<keyof SourceRules, RuleFlag>> = {
  hostHops: {
    ...count,
    flag: 'host-hops',
    help: 'How many host hops a page may be away from its start address. Default: 0.',
  },
  depth: { ...count, flag: 'depth', help: 'How many links a page may be away from its start address. Default: 100.' },
  include: {
    ...pattern,
    flag: 'include',
    help: 'URLs must match one of these patterns (* any text, ? any character). Default: all.',
  },
  exclude: { ...pattern, flag: 'exclude', help: 'URLs must not match any of these patterns. Default: none.' },
  interval: {
    flag: 'interval',
    type: type.duration(0, 86_400_000),
    help: 'The interval between two requests to a host, whichever component makes them. Default: 100ms.',
  },
  robots: {
    flag: 'robots',
    type: yesOrNo,
    help: 'Whether robots.txt and robots meta tags are obeyed. Default: yes.',
  },
  retries: { ...count, flag: 'retries', help: 'Immediate retries after a temporary error. Default: 2.' },
  errorDeleteCount: {
    ...count,
    flag: 'error-delete-count',
    help: 'Consecutive Access Denied or Object Not Found errors after which a document is deleted. Default: 10.',
  },
  errorDeleteHours: {
    ...hours,
    flag: 'error-delete-hours',
    help: 'Hours for which these errors must also have lasted. Default: 240.',
  },
  errorCount: { ...count, flag: 'error-count', help: 'The same number for all other errors. Default: 15.' },
  errorHours: {
    ...hours,
    flag: 'error-hours',
    help: 'Hours for which the other errors must also have lasted. Default: 360.',
  },
  deleteShare: {
    flag: 'delete-share',
    type: { ...type.whole(0, 100), placeholder: 'PERCENT' },
    help: 'The share of the source that may be deleted at once because it was not reached. Default: 20.',
  },
};

const rules = Object.entries(ruleFlagsByRule);

/** The flags for what of a content source is crawled, and how. */
export const ruleFlags: Readonly<Record<string, CommandFlag>> = Object.fromEntries(
  rules.map(
    ([
      ,
      {
        flag,
        type: { placeholder },
        help,
        several,
      },
    ]) => [flag, { placeholder, help, ...(several && { several }) }],
  ),
);

/** The rules that a command line names. */
export function rulesGiven({ flags, lists }: Invocation): Partial<SourceRules> {
  const given = rules.flatMap(([rule, { flag, type: kind, several }]) => {
    const texts = several ? lists.get(flag) : flags.has(flag) ? [flags.get(flag) ?? ''] : undefined;
    if (texts === undefined) return [];
    const values = texts.map((text) => {
      const value = kind.parse(text);
      if (value === undefined) throw new UsageError(`--${flag}: the value '${text}' must be ${kind.expected}.`);
      return value;
    });
    return [[rule, several ? values : values[0]]];
  });
  return Object.fromEntries(given);
}

/** Rules by their flags, with values as these take them: an interval of 100 would be as many seconds. */
export const rulesShown = (shown: SourceRules): string[][] =>
  Object.entries(ruleFlagsByRule).map(([rule, { flag, type: kind }]) => {
    // An entry of an object has one of its keys.
    const value = shown[rule as keyof SourceRules];
    if (typeof value === 'boolean') return [flag, value ? 'yes' : 'no'];
    if (typeof value !== 'number') return [flag, value.map((each) => `'${each}'`).join(' ')];
    return [flag, kind.placeholder === 'TIME' ? type.showDuration(value) : String(value)];
  });
