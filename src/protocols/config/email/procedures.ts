import type { AnyProcedure } from '../../../procedure/declare.ts';
import { dropEmailEnabledList } from './drop-email-enabled-list.ts';
import { dropEmailEnabledListByAlias } from './drop-email-enabled-list-by-alias.ts';
import { dropEmailEnabledListsByWeb } from './drop-email-enabled-lists-by-web.ts';
import { getDeletedEmailAliases } from './get-deleted-email-aliases.ts';
import { getEmailEnabledListByAlias } from './get-email-enabled-list-by-alias.ts';
import { markForDeletionEmailEnabledList } from './mark-for-deletion-email-enabled-list.ts';
import { markForDeletionEmailEnabledListsBySite } from './mark-for-deletion-email-enabled-lists-by-site.ts';
import { markForDeletionEmailEnabledListsByWeb } from './mark-for-deletion-email-enabled-lists-by-web.ts';
import { putDistributionListToDelete } from './put-distribution-list-to-delete.ts';
import { putEmailEnabledList } from './put-email-enabled-list.ts';

/** E-mail-enabled lists and the aliases that wait for their deletion. */
export const emailProcedures: readonly AnyProcedure[] = [
  dropEmailEnabledList,
  dropEmailEnabledListByAlias,
  dropEmailEnabledListsByWeb,
  getDeletedEmailAliases,
  getEmailEnabledListByAlias,
  markForDeletionEmailEnabledList,
  markForDeletionEmailEnabledListsBySite,
  markForDeletionEmailEnabledListsByWeb,
  putDistributionListToDelete,
  putEmailEnabledList,
];
