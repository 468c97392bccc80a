/** The step of a start that failed, so that the message can say what to look at. */
export class StartError extends Error {
  override readonly name = 'StartError';
  readonly step: 'data' | 'engine' | 'certificate' | 'kerberos' | 'listen' | 'http';

  constructor(step: StartError['step'], cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.step = step;
  }
}

/** Runs a step of a start, of whose failure it is known which one it was. */
export async function during<T>(step: StartError['step'], work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw new StartError(step, error);
  }
}
