/** The value that a share of the values does not exceed; 0.5 is the median. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((one, other) => one - other);
  const at = (sorted.length - 1) * share;
  const low = sorted[Math.floor(at)];
  const high = sorted[Math.ceil(at)];
  if (low === undefined || high === undefined) throw new Error('there is no quantile of nothing');
  return low + (high - low) * (at - Math.floor(at));
}

export const median = (values: readonly number[]): number => quantile(values, 0.5);

/** The sum of the values, shared out evenly: for calls that are fast and slow by turns. */
export const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });

/** 12345.6 as `12,346`. */
export const count = (value: number): string => whole.format(value);

/** Calls a second. */
export const rate = (value: number): string => `${count(value)}/s`;

/** A time in milliseconds, with as many digits as say something. */
export const time = (milliseconds: number): string =>
  milliseconds < 10 ? `${milliseconds.toFixed(3)} ms` : `${milliseconds.toFixed(1)} ms`;

export const megabytes = (bytes: number): string => `${(bytes / 1024 ** 2).toFixed(1)} MB`;
