/** An argument of an EXEC: a variable, or something that needs no type. */
export interface ExecArgument {
  /** The parameter it is for, with its @; undefined where the place decides. */
  readonly name?: string;
  /** The variable that is passed, with its @. */
  readonly variable?: string;
  readonly output: boolean;
}

/** A batch that is one call of a procedure. */
export interface ExecCall {
  /** As it was written: `dbo.[proc]`. */
  readonly procedure: string;
  /** The variable that takes the return code. */
  readonly result?: string;
  readonly args: readonly ExecArgument[];
}

const call =
  /^\s*exec(?:ute)?\s+(?:(?<result>@[\w$#@]+)\s*=\s*)?(?<procedure>(?:[\w$#@.]|\[(?:[^\]]|\]\])*\]|"(?:[^"]|"")*")+(?:\s*;\d+)?)(?<args>.*?)[\s;]*$/isu;
const argument =
  /\s*(?:(?<name>@[\w$#@]+)\s*=\s*)?(?:(?<variable>@[\w$#@]+)|N?'(?:[^']|'')*'|"(?:[^"]|"")*"|[-+\w.$]+)(?<output>\s+out(?:put)?)?\s*(?:,|$)/iuy;

/** Reads `EXEC [@r =] name [@p =] @v [OUTPUT], …`, which is how drivers write a call; undefined for any other batch. */
export function readExec(batch: string): ExecCall | undefined {
  const found = call.exec(batch)?.groups;
  if (!found?.['procedure']) return undefined;
  const args = readArguments(found['args'] ?? '');
  if (!args) return undefined;
  return { procedure: found['procedure'], args, ...(found['result'] ? { result: found['result'] } : {}) };
}

function readArguments(text: string): ExecArgument[] | undefined {
  const args: ExecArgument[] = [];
  const list = text.trimEnd();
  argument.lastIndex = 0;
  while (argument.lastIndex < list.length) {
    const groups = argument.exec(list)?.groups;
    if (!groups) return undefined;
    const { name, variable, output } = groups;
    args.push({ ...(name ? { name } : {}), ...(variable ? { variable } : {}), output: output !== undefined });
  }
  return args;
}
