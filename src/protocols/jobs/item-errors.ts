/** What an item may end with, of what Granary and its own workers say; other clients have codes of their own. */
export const itemErrors = {
  workerLost: { code: 1, text: 'The worker was not heard of again, and no attempt is left.' },
} as const;
