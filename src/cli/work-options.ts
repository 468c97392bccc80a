import type { Log } from '../base/log/log.ts';
import type { WorkOptions } from '../workers/work-crew.ts';
import type { Settings } from './settings.ts';
import { productVersion } from './version-command.ts';

/** The settings for workers. */
export function workOptions(settings: Settings, log: Log): Omit<WorkOptions, 'own'> {
  const { workConcurrency, workTimeout, workRoots, data, translatorUrl, translatorKey } = settings;
  return {
    concurrency: workConcurrency,
    timeout: workTimeout,
    // A service that a machine starts in its root folder is not meant to have all of it.
    roots: workRoots.filter(({ href }) => href !== 'file:///'),
    except: [data],
    ...(translatorUrl !== undefined && {
      translator: { url: translatorUrl, ...(translatorKey !== undefined && { apiKey: translatorKey }) },
    }),
    userAgent: `Granary/${productVersion()} (worker)`,
    log,
  };
}
