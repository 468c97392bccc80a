import type { Call } from '../../procedure/call.ts';
import { type Access, procedure } from '../../procedure/declare.ts';
import { nullable, output } from '../../procedure/param.ts';
import { int } from '../../tds/types/index.ts';
import type { Stage, StageInput, StageOutput } from './stage.ts';

const inputDocs: Readonly<Record<StageInput, string>> = {
  ComponentID: 'The crawl component.',
  ProjectID: 'The project (2.2.1.1).',
  CrawlType: 'The type of the crawl (2.2.1.2).',
  CrawlID: 'The crawl.',
  ContentSourceID: 'The content source.',
  MiscInputData: 'What else the stage needs to know.',
};

/** What the two procedures of stages differ in. */
interface Staged {
  readonly name: string;
  readonly section: string;
  readonly summary: string;
  /** By the value of @CrawlStage. */
  readonly stages: Readonly<Record<number, Stage>>;
  /** True where its stages may bring what other calls wait for. */
  readonly bringsWork?: boolean;
  /** The return code of a completed call. */
  readonly code: number;
  /** The outputs that the stage did not set. */
  usualOutputs(call: Call, crawlId: number | null): Promise<Record<StageOutput, number | null>>;
}

/** Derives the one declaration of a procedure of stages from its stages. */
export function stagedProcedure({ name, section, summary, stages, bringsWork = false, code, usualOutputs }: Staged) {
  const docOf = (input: StageInput) => {
    const heeding = Object.entries(stages).filter(([, { heeds }]) => heeds.includes(input));
    return `${inputDocs[input]} Heeded by the stages ${heeding.map(([number]) => number).join(', ')}.`;
  };
  const stageOf = (number: number | null): Stage | undefined => (number === null ? undefined : stages[number]);
  return procedure({
    name,
    section,
    summary,
    access: strongest(Object.values(stages).map(({ access }) => access)),
    accessFor: ({ CrawlStage }) => stageOf(CrawlStage)?.access ?? 'read',
    bringsWork,
    params: {
      ComponentID: nullable(int, docOf('ComponentID')),
      ProjectID: nullable(int, docOf('ProjectID')),
      CrawlStage: nullable(int, `What to do: one of ${Object.keys(stages).join(', ')}; nothing for any other value.`),
      CrawlType: nullable(int, docOf('CrawlType')),
      CrawlID: nullable(int, docOf('CrawlID')),
      ContentSourceID: nullable(int, docOf('ContentSourceID')),
      ApplicationType: nullable(int, '0; ignored.'),
      MiscInputData: nullable(int, docOf('MiscInputData')),
      MiscOutputData: output(int, 'What the stage answers; the crawl where it answers nothing.'),
      CrawlStatus: output(int, 'The status of the crawl.'),
      CrawlSubStatus: output(int, 'The sub-status of the crawl.'),
    },
    outcomes: { done: { code, meaning: 'Completed.' } },
    async handle(call, input) {
      const asked = stageOf(input.CrawlStage);
      const isNameless = asked?.names.some((name) => input[name] === null);
      const answered = await (isNameless ? undefined : asked)?.run(call, {
        ComponentID: input.ComponentID ?? 0,
        ProjectID: input.ProjectID ?? 0,
        CrawlType: input.CrawlType ?? 0,
        CrawlID: input.CrawlID ?? 0,
        ContentSourceID: input.ContentSourceID ?? 0,
        MiscInputData: input.MiscInputData ?? 0,
      });
      return { outcome: 'done', output: { ...(await usualOutputs(call, input.CrawlID)), ...answered } };
    },
  });
}

const order: readonly Access[] = ['none', 'read', 'write', 'serial'];

const strongest = (all: readonly Access[]): Access =>
  all.reduce((one, other) => (order.indexOf(one) >= order.indexOf(other) ? one : other), 'read');
