import { extname } from 'node:path';
import { readSettings } from '../../protocols/jobs/settings/job-settings.ts';
import type { WorkItem } from '../dispatch/work-item.ts';
import { itemUrl } from './places/item-url.ts';
import { WorkError } from './work-error.ts';

/** The places of an item's document and of its output. */
interface ItemFiles {
  readonly input: URL;
  readonly output: URL;
}

/** The settings of an item's job; rejects what cannot be understood. */
export function settingsOf({ Settings }: WorkItem): ReturnType<typeof readSettings> {
  try {
    return readSettings(Settings);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new WorkError('badSettings', `The settings of the job are invalid: ${why}`, { cause: error });
  }
}

/**
 * The files of an item; an output without a name or a root is named like the input and stored next to it. With
 * `isExtensionAdded`, the output's name gets the extension if it lacks it, as in SharePoint's object model.
 */
export function filesOf(item: WorkItem, extension: string, isExtensionAdded = false): ItemFiles {
  const input = itemUrl(item.InputRoot, item.InputFile);
  if (item.OutputFile !== null && item.OutputFile !== '') {
    const isBare = isExtensionAdded && extensionOf(item.OutputFile) !== extension;
    const named = isBare ? `${item.OutputFile}.${extension}` : item.OutputFile;
    return { input, output: itemUrl(item.OutputRoot ?? item.InputRoot, named) };
  }
  const renamed = item.InputFile.replace(/(\.[^./\\]*)?$/, `.${extension}`);
  return { input, output: itemUrl(item.OutputRoot ?? item.InputRoot, renamed) };
}

/** The extension of a name without its dot, in small letters. */
export function extensionOf(name: string): string {
  const [path = ''] = name.split(/[?#]/);
  return extname(path).slice(1).toLowerCase();
}
