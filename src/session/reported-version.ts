/** The parts of `16.0.4135.4` as PRELOGIN and LOGINACK carry them. */
export function versionParts(version: string): { major: number; minor: number; build: number; subBuild: number } {
  const [major = 0, minor = 0, build = 0, subBuild = 0] = version.split('.').map(Number);
  return { major, minor, build, subBuild };
}

const years: Readonly<Record<number, string>> = {
  11: '2012',
  12: '2014',
  13: '2016',
  14: '2017',
  15: '2019',
  16: '2022',
  17: '2025',
};

/** The year in the product's name for a version. */
export const productYear = (version: string): string => years[versionParts(version).major] ?? '2022';
