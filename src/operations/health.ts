import { json, type Route } from './route.ts';

/** A condition for serving clients; returns what is wrong, or undefined. */
export interface Check {
  readonly name: string;
  run(): Promise<string | undefined>;
}

/** Milliseconds after which a check that has not answered counts as failed. */
const patience = 5_000;

/** What a check found. */
interface Finding {
  readonly name: string;
  readonly ok: boolean;
  readonly reason?: string;
}

/** Runs checks concurrently, each with a timeout. */
export function findings(checks: readonly Check[]): Promise<Finding[]> {
  return Promise.all(
    checks.map(async (check) => {
      const reason = await inTime(check.run()).catch(reasonOf);
      return reason === undefined ? { name: check.name, ok: true } : { name: check.name, ok: false, reason };
    }),
  );
}

/** What checks find wrong, in words. */
export async function wrongAmong(checks: readonly Check[]): Promise<string[]> {
  return (await findings(checks)).flatMap(({ name, ok, reason = '' }) => (ok ? [] : [`${name}: ${reason}`]));
}

/** What failed, and what made it fail. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : `${error.message} ${reasonOf(error.cause)}`;
}

/** The result, or a failure if it does not arrive in time. */
export async function inTime<T>(asked: Promise<T>, within = patience): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`no response within ${within / 1000} s`)), within);
  try {
    return await Promise.race([asked, promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** `/livez`: the process answers. `/readyz`: clients are served, or which check says no and why. */
export function healthRoutes(checks: () => Promise<readonly Check[]>): Route[] {
  return [
    { path: '/livez', access: 'open', answer: () => json(200, { status: 'live' }) },
    {
      path: '/readyz',
      access: 'open',
      async answer() {
        const found = await findings(await checks());
        const isReady = found.every(({ ok }) => ok);
        return json(isReady ? 200 : 503, { status: isReady ? 'ready' : 'not ready', checks: found });
      },
    },
  ];
}
