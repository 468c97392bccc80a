import { availableParallelism } from 'node:os';
import { optional, setting } from './setting.ts';
import * as type from './setting-types.ts';

/** The settings of the workers that convert and translate. */
export const workerSettings = {
  workers: setting({
    type: type.someOf('convert', 'translate'),
    default: 'auto',
    shownDefault: 'auto: those whose programs are installed, only for jobs of `granary job submit`',
    used: 'serve',
    help:
      'The workers to run inside the server: convert needs LibreOffice, translate needs Apertium or translatorUrl. Workers ' +
      'named here take items of every job; off runs none.',
  }),
  workConcurrency: setting({
    type: type.whole(1, 256),
    default: String(availableParallelism()),
    shownDefault: 'the number of processors',
    used: 'serve',
    help: 'The number of documents that a worker converts or translates in parallel.',
  }),
  workRoots: setting({
    type: type.folders,
    default: '.',
    shownDefault: 'the working directory',
    used: 'serve',
    help:
      'The folders where workers may read and write documents: on this machine, on web servers ' +
      '(https://user:password@host/folder/) and in configuration databases (config://SharePoint_Config/). Names that begin ' +
      'with a dot, and the data folder, are always inaccessible.',
  }),
  workTimeout: setting({
    type: type.duration(1000, 86_400_000),
    default: '2m',
    used: 'serve',
    help: 'The time limit for one document.',
  }),
  translatorUrl: optional({
    type: type.webAddress,
    shownDefault: 'Apertium on this machine',
    used: 'serve',
    help: 'A translation service with the LibreTranslate API, used instead of Apertium.',
  }),
  translatorKey: optional({
    type: type.text('KEY'),
    shownDefault: 'none',
    used: 'serve',
    secret: true,
    help: 'The API key of that service.',
  }),
} as const;
