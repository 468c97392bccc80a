import type { Answering } from './answer.ts';
import { notAllowed, notFound } from './refusal.ts';

/** The route of a method and path, and the values of its parameters; 404 or 405 if there is none. */
export function matching(
  routes: readonly Answering[],
  method: string | undefined,
  path: string,
): { readonly answering: Answering; readonly params: Readonly<Record<string, string>> } {
  // Once for all routes: what strangers ask for may have thousands of slashes.
  const given = path.split('/');
  const fitting = routes.flatMap((answering) => {
    const params = paramsIn(answering.route.path.split('/'), given);
    return params === undefined ? [] : [{ answering, params }];
  });
  if (fitting.length === 0) throw notFound('There is nothing at this address; /api/v1/openapi.json tells what is.');
  const found = fitting.find(({ answering }) => answering.route.method === method);
  if (found === undefined) throw notAllowed(fitting.map(({ answering }) => answering.route.method));
  return found;
}

function paramsIn(wanted: readonly string[], given: readonly string[]): Readonly<Record<string, string>> | undefined {
  if (wanted.length !== given.length) return undefined;
  const params: Record<string, string> = {};
  for (const [i, part] of wanted.entries()) {
    const text = given[i] ?? '';
    if (!part.startsWith(':')) {
      if (part !== text) return undefined;
    } else {
      const decoded = plainText(text);
      if (decoded === undefined || decoded === '') return undefined;
      params[part.slice(1)] = decoded;
    }
  }
  return params;
}

function plainText(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined; // no address of ours
  }
}
