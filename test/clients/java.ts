import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What the programs of this process are compiled into, each once. */
const classes = mkdtempSync(join(tmpdir(), 'granary-java-'));
process.once('exit', () => rmSync(classes, { recursive: true, force: true }));

/** Short programs: a thorough compiler and a collector with threads of its own cost more than they bring. */
const quick = '-XX:TieredStopAtLevel=1 -XX:+UseSerialGC';

/** The command that runs a Java program beside this file with a driver. */
export function javaProgram(name: string, jar: string): readonly string[] {
  const script = [
    `test -e ${classes}/${name}.class || javac -J-XX:TieredStopAtLevel=1 -encoding UTF-8 -cp '${jar}' -d ${classes} ${name}.java`,
    `exec java ${quick} -Dfile.encoding=UTF-8 -Dstdout.encoding=UTF-8 -cp '${classes}:${jar}' ${name}`,
  ];
  return ['sh', '-ec', script.join('\n')];
}
