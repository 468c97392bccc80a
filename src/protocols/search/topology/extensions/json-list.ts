import { ruleBroken } from '../../../../base/messages/sql-error.ts';
import { jsonArray } from '../../../../procedure/json-array.ts';

/** Reads a JSON array of texts, as the extensions pass lists; SqlError 50000 if it is not one. */
export function readList(parameter: string, json: string): string[] {
  return jsonArray(parameter, json, 'texts').map((text) => {
    if (typeof text !== 'string') throw ruleBroken(`@${parameter} must be a JSON array of strings.`);
    return text;
  });
}
