import { ruleBroken } from '../../../../base/sql-error.ts';

/** Reads a JSON array of texts, as the extensions take lists; SqlError 50000 when it is none. */
export function readList(parameter: string, json: string): string[] {
  let list: unknown;
  try {
    list = JSON.parse(json);
  } catch {
    list = undefined;
  }
  if (Array.isArray(list) && list.every((text) => typeof text === 'string')) return list;
  throw ruleBroken(`@${parameter} is a JSON array of texts.`);
}
