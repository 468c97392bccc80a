import { readFileSync } from 'node:fs';
import { ParseOption, XmlDocument, XmlParseError, XmlValidateError, XsdValidator } from 'libxml2-wasm';
import { ruleBroken, sqlError } from '../../../base/messages/sql-error.ts';
import { declaresDtd, withoutDeclaration } from './prolog.ts';
import { syntaxError } from './syntax-error.ts';

/** libxml2 reports warnings among errors. */
const warning = 1;
/** CDATA is read as text: the validator would refuse blanks between elements if they came in CDATA. */
const parsing = {
  option: ParseOption.XML_PARSE_NONET | ParseOption.XML_PARSE_NO_XXE | ParseOption.XML_PARSE_NOCDATA,
};

/**
 * Validates against an XML Schema: no DTDs, no entities, no external resources; `param` is the document's name in
 * errors.
 */
export function validatorOf(file: URL): (document: string, param: string) => string {
  using schema = XmlDocument.fromString(readFileSync(file, 'utf8'), parsing);
  const validator = XsdValidator.fromDoc(schema);
  return (document, param) => {
    const text = withoutDeclaration(document);
    if (declaresDtd(text)) throw sqlError(6359);
    using parsed = parse(text);
    try {
      validator.validate(parsed);
    } catch (error) {
      if (error instanceof XmlValidateError) throw notConforming(param, error);
      throw error;
    }
    return text;
  };
}

function parse(text: string): XmlDocument {
  try {
    return XmlDocument.fromString(text, parsing);
  } catch (error) {
    if (!(error instanceof XmlParseError)) throw error;
    throw syntaxError(
      text,
      error.details.find(({ level }) => level > warning),
    );
  }
}

/** The validator's message; its names include their namespaces, since a wrong one is a common mistake. */
function notConforming(param: string, error: XmlValidateError): Error {
  const [first] = error.details;
  const what = (first?.message ?? error.message).trim();
  return ruleBroken(`@${param} does not conform to its XML schema, line ${first?.line ?? 1}: ${what}`, error);
}
