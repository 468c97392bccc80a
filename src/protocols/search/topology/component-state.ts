/** The states of a crawl component (2.2.1.12). */
export const componentState = {
  notInitialized: 0,
  ready: 1,
  disabled: 3,
  remount: 4,
  inactive: 5,
  disabledForRemoval: 6,
} as const;

/** True for the states of a component that works no more. */
export const isDisabled = (state: number | undefined): boolean =>
  state === componentState.disabled || state === componentState.disabledForRemoval;
