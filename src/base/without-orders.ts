/**
 * What a terminal obeys, what some take for the end of a line, and what has the text around it shown in another order
 * than it is written in: whoever reads a line would read something else.
 */
const orders =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it is for.
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;

/** A text of somebody else as it may be shown: such characters as JSON writes them; tabs and ends of lines stay. */
export const withoutOrders = (text: string): string =>
  text.replace(orders, (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** The same for a text that is to stay on its line, in its column. */
export const onOneLine = (text: string): string => withoutOrders(text).replaceAll('\n', '\\n').replaceAll('\t', '\\t');
