/** The kinds of work there are. */
export const workerNames = ['convert', 'translate'] as const;
export type WorkerName = (typeof workerNames)[number];

/** The kinds of databases that each works on. */
export const kindsOfWorker: Readonly<Record<WorkerName, readonly string[]>> = {
  convert: ['word', 'word2'],
  translate: ['translation'],
};
