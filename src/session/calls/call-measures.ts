import { type Count, type Distribution, type Family, type Measures, secondsBounds } from '../../base/log/measures.ts';

/** The reasons for refused logins by error number; any other number is a fault. */
const reasons: Readonly<Record<string, readonly number[]>> = {
  credentials: [18456, 18452],
  password: [18486, 18487, 18488],
  database: [4060, 926, 911, 942],
  encryption: [17835],
  capacity: [17809, 17803, 701, 10928, 10929],
  fault: [],
};

/** Counts and durations of calls by database and procedure, their errors, and the outcomes of logins. */
export class CallMeasures {
  readonly seconds: Family<Distribution>;
  readonly errors: Family<Count>;
  readonly cancellations: Family<Count>;
  readonly logins: Family<Count>;
  readonly #refused: Family<Count>;

  constructor(measures: Measures) {
    const of = ['database', 'procedure'];
    this.seconds = measures.distribution(
      'granary_call_seconds',
      'Calls of procedures, by how long they took.',
      secondsBounds,
      of,
    );
    this.errors = measures.count('granary_call_errors_total', 'Calls that failed, by error number.', [...of, 'number']);
    this.cancellations = measures.count(
      'granary_calls_cancelled_total',
      'Calls that their client cancelled or did not stay for.',
      of,
    );
    this.logins = measures.count(
      'granary_logins_total',
      'Logins, by what came of them: accepted, or the error number.',
      ['outcome'],
    );
    this.#refused = measures.count('granary_logins_refused_total', 'Logins that were refused, by reason.', ['reason']);
    for (const reason of Object.keys(reasons)) this.#refused.of(reason); // shown from the start, for rates
  }

  /** Counts an accepted login. */
  admitted(): void {
    this.logins.of('accepted').add();
  }

  /** Counts a refused login. */
  refused(number: number): void {
    this.logins.of(`${number}`).add();
    const [reason = 'fault'] = Object.entries(reasons).find(([, numbers]) => numbers.includes(number)) ?? [];
    this.#refused.of(reason).add();
  }

  /** Counts a call that took so many milliseconds. */
  called(database: string, procedure: string, milliseconds: number): void {
    this.seconds.of(database, procedure).add(milliseconds / 1000);
  }

  cancelled(database: string, procedure: string): void {
    this.cancellations.of(database, procedure).add();
  }

  failed(database: string, procedure: string, number: number): void {
    this.errors.of(database, procedure, `${number}`).add();
  }
}
