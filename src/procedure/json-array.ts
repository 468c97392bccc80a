import { ruleBroken } from '../base/sql-error.ts';

/** The elements of a parameter that is a JSON array; SqlError 50000 when it is none. */
export function jsonArray(parameter: string, json: string, elements: string): readonly unknown[] {
  let list: unknown;
  try {
    list = JSON.parse(json);
  } catch (error) {
    throw ruleBroken(`@${parameter} is no JSON: ${error instanceof Error ? error.message : error}`);
  }
  if (!Array.isArray(list)) throw ruleBroken(`@${parameter} is a JSON array of ${elements}.`);
  return list;
}
