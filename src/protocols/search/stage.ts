import type { Call } from '../../procedure/call.ts';
import type { Access } from '../../procedure/declare.ts';

/** The inputs that the stages of proc_MSS_Crawl and proc_MSS_CrawlAdmin choose from. */
const stageInputs = ['ComponentID', 'ProjectID', 'CrawlType', 'CrawlID', 'ContentSourceID', 'MiscInputData'] as const;
export type StageInput = (typeof stageInputs)[number];

/** The outputs of the two procedures; a stage sets those that do not have their usual value. */
export type StageOutput = 'MiscOutputData' | 'CrawlStatus' | 'CrawlSubStatus';

type StageOutputs = Readonly<Partial<Record<StageOutput, number>>>;

/**
 * One stage: what the procedure does for one value of @CrawlStage. A NULL input counts as 0, unless it should name
 * something.
 */
export interface Stage {
  readonly summary: string;
  /** A stage that reads does not wait for those that write. */
  readonly access: Access;
  /** The inputs that it uses; it does not get the others. */
  readonly heeds: readonly StageInput[];
  /**
   * Those that name a component or a crawl store. Their numbers begin with 0, so NULL names none: nothing is done then.
   */
  readonly names: readonly StageInput[];
  /** The outputs that it sets itself. */
  readonly sets: readonly StageOutput[];
  run(call: Call, input: Readonly<Record<StageInput, number>>): Promise<StageOutputs>;
}

/** Declares a stage, typed by the inputs that it uses and the outputs that it sets. */
export function stage<const I extends StageInput, const O extends StageOutput = never>(declared: {
  readonly summary: string;
  readonly access: 'read' | 'write' | 'serial';
  readonly heeds: readonly I[];
  readonly names?: readonly NoInfer<I>[];
  readonly sets?: readonly O[];
  run(
    call: Call,
    input: { readonly [K in I]: number },
  ): Promise<[O] extends [never] ? void : { readonly [K in O]: number }>;
}): Stage {
  return {
    names: [],
    sets: [],
    ...declared,
    async run(call, input) {
      const set: unknown = await declared.run(call, input);
      // By the declaration's type it is this, or nothing if the stage sets no output.
      return (set ?? {}) as StageOutputs;
    },
  };
}

/** True in a database of the Foundation role, which has no anchor project and no social sets (3.3.1). */
export const isFoundation = (call: Call): boolean => call.kind === 'search';
