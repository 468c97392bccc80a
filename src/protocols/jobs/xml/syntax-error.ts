import type { ErrorDetail } from 'libxml2-wasm';
import type { MessageNumber } from '../../../base/messages/messages.ts';
import { type SqlError, sqlError } from '../../../base/messages/sql-error.ts';

const unexpectedEnd = 9400;
const illegalCharacter = 9420;
const incorrectSyntax = 9422;

/**
 * libxml2's errors can only be identified by their text; the beginning of each is enough to choose SQL Server's number.
 */
const numbers: readonly (readonly [RegExp, MessageNumber])[] = [
  [/^(Premature end of data|AttValue: ' expected|Document is empty)/, unexpectedEnd],
  [/^(attributes construct error|Blank needed)/, 9410],
  [/^EntityRef: expecting ';'/, 9411],
  [/^(expected '>'|Double hyphen)/, 9412],
  [/^AttValue: " or ' expected/, 9413],
  [/^Specification mandates value for attribute/, 9414],
  [/^Unescaped '<'/, 9415],
  [/^CharRef: invalid hexadecimal/, 9416],
  [/^CharRef: invalid decimal/, 9417],
  [
    /^(xmlParseCharRef: invalid xmlChar|PCDATA invalid Char|invalid character|Invalid (character|bytes))/,
    illegalCharacter,
  ],
  [/^xmlParseEntityRef: no name/, 9421],
  [/^CData section not finished/, 9423],
  [/^Comment not terminated/, 9424],
  [/^Extra content at the end/, 9435],
  [/^Opening and ending tag mismatch/, 9436],
  [/^Attribute .* redefined/, 9437],
  [/^XML declaration allowed only at the start/, 9438],
  [/^(Malformed declaration|parsing XML declaration)/, 9441],
  [/^Entity '.*' not defined/, 9448],
  [/^ParsePI/, 9451],
  [/^Sequence ']]>'/, 9454],
  [/^(StartTag: invalid element name|error parsing attribute name|Failed to parse QName)/, 9455],
  [/^Namespace prefix .* is not defined/, 9459],
];

/** SQL Server's error for a document that is not well-formed; 9422 if the error is unknown. */
export function syntaxError(text: string, error: ErrorDetail | undefined): SqlError {
  // libxml2 without memory reports neither text nor position.
  if (error?.message === '' && error.line === 0) return sqlError(701, 'default');
  return sqlError(numberOf(text, error?.message ?? ''), error?.line ?? 1, error?.col ?? 1);
}

function numberOf(text: string, message: string): MessageNumber {
  if (text.trim() === '') return unexpectedEnd;
  // libxml2 looks for an attribute at every character that XML allows.
  if (message.startsWith("Couldn't find end of Start Tag")) {
    return text.lastIndexOf('<') > text.lastIndexOf('>') ? unexpectedEnd : illegalCharacter;
  }
  return numbers.find(([words]) => words.test(message))?.[1] ?? incorrectSyntax;
}
