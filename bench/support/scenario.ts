/** One thing that was measured. */
export interface Finding {
  /** What was measured. */
  readonly what: string;
  /** Granary's figure, with its unit. */
  readonly figure: string;
  /** What it is compared with, with its unit. */
  readonly against: string;
  /** The number that the demand is about: a ratio, megabytes, milliseconds. */
  readonly value: number;
  readonly unit: 'times' | 'MB' | 'ms';
  /** What is asked for; without it the finding is for information. */
  readonly demand?: { readonly atLeast: number } | { readonly atMost: number };
}

/** Something that can be run by its name. */
export interface Scenario {
  readonly name: string;
  /** One sentence for the list and the page. */
  readonly summary: string;
  /** True for one that says nothing of PostgreSQL. */
  readonly isOfSqlite?: true;
  /** True for what only PostgreSQL has: several nodes on one store. */
  readonly isOfPostgres?: boolean;
  /** It takes minutes or gigabytes: it runs only by its name or with --all. */
  readonly isLarge?: true;
  run(bench: Bench): Promise<Finding[]>;
}

/** What a scenario is given. */
export interface Bench {
  /** Tells how far it is. */
  progress(text: string): void;
  /** What the servers keep their data on. */
  readonly engine: 'sqlite' | 'postgres';
  /** Where the servers leave their CPU profiles, if they shall. */
  readonly profiles?: string;
}

/** Whether a finding is as it should be; undefined when nothing is asked for. */
export function isMet({ value, demand }: Finding): boolean | undefined {
  if (demand === undefined) return undefined;
  return 'atLeast' in demand ? value >= demand.atLeast : value <= demand.atMost;
}
