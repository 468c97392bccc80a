/** A setting of the server as sys.configurations and sp_configure show it. */
interface Configuration {
  readonly id: number;
  readonly name: string;
  readonly least: number;
  readonly most: number;
  readonly value: number;
  readonly description: string;
  readonly advanced: boolean;
}

const setting = (
  id: number,
  name: string,
  [least, most, value]: readonly [number, number, number],
  description: string,
  advanced = true,
): Configuration => ({ id, name, least, most, value, description, advanced });

/**
 * The settings that clients ask for and that have a meaning here. They are read-only: Granary is set up by its command
 * line.
 */
export const configurations: readonly Configuration[] = [
  setting(103, 'user connections', [0, 32767, 0], 'Number of user connections allowed'),
  setting(115, 'nested triggers', [0, 1, 0], 'Allow triggers to be invoked within triggers', false),
  setting(117, 'remote access', [0, 1, 0], 'Allow remote access', false),
  setting(124, 'default language', [0, 9999, 0], 'default language', false),
  setting(400, 'cross db ownership chaining', [0, 1, 0], 'Allow cross db ownership chaining', false),
  setting(505, 'network packet size (B)', [512, 32767, 4096], 'Network packet size'),
  setting(518, 'show advanced options', [0, 1, 1], 'show advanced options', false),
  setting(1126, 'default full-text language', [0, 2147483647, 1033], 'default full-text language'),
  setting(1127, 'two digit year cutoff', [1753, 9999, 2049], 'two digit year cutoff'),
  setting(1534, 'user options', [0, 32767, 0], 'user options', false),
  setting(1562, 'clr enabled', [0, 1, 0], 'CLR user code execution enabled in the server', false),
  setting(1535, 'affinity mask', [-2147483648, 2147483647, 0], 'affinity mask'),
  setting(1538, 'cost threshold for parallelism', [0, 32767, 5], 'cost threshold for parallelism'),
  setting(1539, 'max degree of parallelism', [0, 32767, 1], 'maximum degree of parallelism'),
  setting(1543, 'min server memory (MB)', [0, 2147483647, 0], 'Minimum size of server memory (MB)'),
  setting(1544, 'max server memory (MB)', [128, 2147483647, 2147483647], 'Maximum size of server memory (MB)'),
  setting(1555, 'transform noise words', [0, 1, 0], 'Transform noise words for full-text query'),
  setting(
    1581,
    'optimize for ad hoc workloads',
    [0, 1, 0],
    'When this option is set, plan cache size is further reduced',
  ),
  setting(16390, 'xp_cmdshell', [0, 1, 0], 'Enable or disable command shell'),
];
