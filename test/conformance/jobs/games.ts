import fc from 'fast-check';
import { translation } from '../../../src/protocols/translation/kind.ts';
import { word } from '../../../src/protocols/word/kind.ts';
import { word2 } from '../../../src/protocols/word2/kind.ts';
import { translationSequence, word2Sequence, wordSequence } from './commands.ts';
import { type Game, translationGame, word2Game, wordGame } from './play.ts';

/** GRANARY_MODEL_RUNS=20 plays twenty times as many sequences as usual. */
const times = Number(process.env['GRANARY_MODEL_RUNS'] ?? '1');

type Suite = <Command>(
  protocol: string,
  game: Game<Command>,
  sequence: fc.Arbitrary<Command[]>,
  runs: (usual: number) => fc.Parameters<[Command[]]>,
) => void;

/** Runs a suite for each of the three protocols. A failure is shrunk and printed with the seed that repeats it. */
export function forEachGame(suite: Suite): void {
  const play = <Command>(protocol: string, game: Game<Command>, sequence: fc.Arbitrary<Command[]>) =>
    suite(protocol, game, sequence, (usual) => ({
      numRuns: Math.ceil(usual * times),
      verbose: fc.VerbosityLevel.Verbose,
    }));
  play('MS-TSSPROC 3.1.5', translationGame(translation), translationSequence);
  play('MS-WORDSSP 3.1.5', wordGame(word), wordSequence);
  play('MS-WORDSSP2 3.2.5', word2Game(word2), word2Sequence);
}
