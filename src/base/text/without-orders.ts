/**
 * Control characters that terminals act on, characters that some take for line breaks, and those that change the
 * direction of the surrounding text: a reader would see something other than what is written.
 */
const orders =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it is for.
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;

/** Makes untrusted text safe to display: such characters are escaped as in JSON; tabs and line breaks stay. */
export const withoutOrders = (text: string): string =>
  text.replace(orders, (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** The same for text that must stay on one line and in its column. */
export const onOneLine = (text: string): string => withoutOrders(text).replaceAll('\n', '\\n').replaceAll('\t', '\\t');
