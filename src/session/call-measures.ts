import { type Count, type Distribution, type Family, type Measures, secondsBounds } from '../base/measures.ts';

/** How often each procedure of each database was called, how long that took and how it ended; and who was let in. */
export class CallMeasures {
  readonly seconds: Family<Distribution>;
  readonly errors: Family<Count>;
  readonly logins: Family<Count>;

  constructor(measures: Measures) {
    const of = ['database', 'procedure'];
    this.seconds = measures.distribution(
      'granary_call_seconds',
      'Calls of procedures, by how long they took.',
      secondsBounds,
      of,
    );
    this.errors = measures.count('granary_call_errors_total', 'Calls that failed, by error number.', [...of, 'number']);
    this.logins = measures.count(
      'granary_logins_total',
      'Logins, by what came of them: accepted, or the error number.',
      ['outcome'],
    );
  }

  /** Counts a call that took so many milliseconds. */
  called(database: string, procedure: string, milliseconds: number): void {
    this.seconds.of(database, procedure).add(milliseconds / 1000);
  }

  failed(database: string, procedure: string, number: number): void {
    this.errors.of(database, procedure, `${number}`).add();
  }
}
