import { text } from 'node:stream/consumers';
import type { Input, World } from './command.ts';
import { OperatorError, UsageError } from './errors.ts';

/** The variable that a password may come in. */
export const passwordVariable = 'GRANARY_PASSWORD';

/** Reads a new password: from the environment, from a pipe, or typed twice without being shown. */
export async function readPassword(login: string, { environment, stdin, stderr }: World): Promise<string> {
  const given = environment[passwordVariable];
  if (given !== undefined && given !== '') return given;
  if (!stdin.isTTY) {
    const piped = (await text(stdin)).replace(/\r?\n$/, '');
    if (piped === '') throw new UsageError(`A password is required: in ${passwordVariable}, or on standard input.`);
    return piped;
  }
  const first = await ask(`New password for ${login}: `, stdin, stderr);
  const second = await ask('Repeat the password: ', stdin, stderr);
  if (first !== second) throw new OperatorError('The two passwords differ; nothing was changed.');
  return first;
}

const interrupt = '\u0003';
const endOfInput = '\u0004';

/** Asks a question on a terminal and reads one line that is not echoed. */
async function ask(question: string, stdin: Input, stderr: World['stderr']): Promise<string> {
  stderr.write(question);
  stdin.setRawMode?.(true);
  try {
    return await readHiddenLine(stdin);
  } finally {
    stdin.setRawMode?.(false);
    stdin.pause();
    stderr.write('\n');
  }
}

function readHiddenLine(stdin: Input): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const letters: string[] = [];
  const take = (chunk: Buffer | string) => {
    for (const letter of chunk.toString()) {
      if (letter === '\r' || letter === '\n' || letter === endOfInput) return resolve(letters.join(''));
      if (letter === interrupt) return reject(new OperatorError('Interrupted; nothing was changed.'));
      if (letter === '\u007f' || letter === '\b') letters.pop();
      else letters.push(letter);
    }
  };
  const cut = () => reject(new OperatorError('The input ended; nothing was changed.'));
  stdin.on('data', take).once('end', cut).resume();
  return promise.finally(() => stdin.off('data', take).off('end', cut));
}
