/** The parts of `16.0.4135.4` as PRELOGIN and LOGINACK carry them. */
export function versionParts(version: string): { major: number; minor: number; build: number; subBuild: number } {
  const [major = 0, minor = 0, build = 0, subBuild = 0] = version.split('.').map(Number);
  return { major, minor, build, subBuild };
}
