/** What a page, or the answer that brought it, asks of robots. */
export interface RobotTags {
  readonly noIndex: boolean;
  readonly noFollow: boolean;
}

/** Reads the words of `<meta name=robots>`, also where blanks or semicolons separate them. */
export function parseRobotTags(content: string): RobotTags {
  const words = new Set(content.toLowerCase().split(/[\s,;]+/));
  return {
    noIndex: words.has('noindex') || words.has('none'),
    noFollow: words.has('nofollow') || words.has('none'),
  };
}

/** Directives that have a value after a colon; anything else before a colon names a robot. */
const valued = /^(unavailable_after|max-snippet|max-image-preview|max-video-preview)$/i;

/** Reads the X-Robots-Tag headers of an answer for a robot of a name: those for all robots and those for it. */
export function parseRobotHeaders(headers: readonly string[], robot: string): RobotTags {
  const parsed = headers.map((header) => {
    const [, name = '', rest = ''] = /^\s*([\w-]+)\s*:\s*(.*)$/s.exec(header) ?? [];
    if (name === '' || valued.test(name)) return parseRobotTags(header);
    return parseRobotTags(name.toLowerCase() === robot.toLowerCase() ? rest : '');
  });
  return bothTags(...parsed);
}

/** What is asked by any of them. */
export const bothTags = (...tags: readonly RobotTags[]): RobotTags => ({
  noIndex: tags.some(({ noIndex }) => noIndex),
  noFollow: tags.some(({ noFollow }) => noFollow),
});
